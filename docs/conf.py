"""How Sphinx builds the documentation: `make docs`."""

import sys
from importlib.metadata import version as installed_version

project = "Equipoise"
author = "The Equipoise authors"
project_copyright = "2026, The Equipoise authors"
version = release = installed_version("equipoise")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build", "_vendor"]

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# Follow the order of `equipoise.__all__`; types are read from the signatures.
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# Types in docstrings carry array shapes in words: text to read, not names to look up.
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
# Attributes are described with their class; listing them as members too would be twice.
napoleon_use_ivar = True

# No inventory of other projects is fetched, so their names are known to lead nowhere.
OTHERS = ("numpy", "np", "npt", "scipy", "rich", "typer", "arviz", *sorted(sys.stdlib_module_names))
nitpick_ignore_regex = [("py:.*", rf"({'|'.join(OTHERS)})(\..*)?")]

# The keywords of `TwoAnswers` and the like: those of `ResponseModel`.
nitpick_ignore = [("py:class", "equipoise.model.responses.Parameters")]

# The examples inside docstrings are run by pytest; here only those on the pages are.
doctest_test_doctest_blocks = ""

html_theme = "pydata_sphinx_theme"
html_title = "Equipoise"
html_theme_options = {"navigation_with_keys": False, "show_prev_next": True}
html_show_sourcelink = False
# docs/fetch_mathjax.py puts MathJax there, so that no page loads anything from the network.
html_static_path = ["_static", "_vendor"]
html_css_files = ["equipoise.css"]
# Few pages, all named at the top: a sidebar would be empty.
html_sidebars: dict[str, list[str]] = {"**": []}
mathjax_path = "mathjax-3.2.2/tex-svg-full.js"
