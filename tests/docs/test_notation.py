"""The notation page, the docstrings, the tests and the paper speak of the same labels."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
LABEL = r"(?:def|thm|lem|prop|cor|ex|rem|alg|eq|fig|tab|sec|app):[\w-]+"
# What the paper states and what therefore has a test or is listed as missing.
STATEMENT = r"(?:def|thm|lem|prop|cor|ex|rem|alg|eq|fig|tab):[\w-]+"

# Parts of the paper, each from one label to the next, all of whose labels have tests by now.
COVERED = [
    ("sec:model", "sec:insep"),
    ("sec:tech", "sec:accuracy"),
    ("app:score-rum-equivalence", "app:egal-insep"),
    ("app:linear-rule-is-aggregate-optimal", "app:algo-details"),
    ("app:formal-indecision", "app:moreacc"),
    ("app:rule-level-indecision", None),
]


def section(title):
    """The text of one section of the page."""
    return PAGE.split(f"## {title}\n")[1].split("\n## ")[0]


def labels(text, pattern=LABEL):
    """The labels in backticks, in order."""
    return re.findall(rf"`({pattern})`", text)


def in_paper(tex, pattern=STATEMENT):
    """The labels that the paper's source defines."""
    return re.findall(rf"\\label\{{({pattern})\}}", tex)


def paper_tests():
    """The names of the tests under tests/paper."""
    return [
        node.name
        for path in sorted((ROOT / "tests" / "paper").glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def has_test(label):
    """Whether a test is named after a label."""
    start = "test_" + re.sub(r"\W", "_", label) + "_"
    return any(
        f"{name}_".startswith(start) or f"_and_{start[5:]}" in name for name in paper_tests()
    )


def docstring_tags():
    """Every label that a docstring in the package cites, with where."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                docstring = ast.get_docstring(node) or ""
                for tags in re.findall(r"Paper: (.+)", docstring):
                    for label in re.findall(LABEL, tags):
                        yield label, f"{path.name}:{node.lineno if hasattr(node, 'lineno') else 1}"


def test_every_label_in_a_docstring_is_on_the_page():
    """A docstring cites only what the notation page knows, sections aside."""
    known = set(labels(PAGE)) | {"sec:pc-queries"}
    unknown = [(label, place) for label, place in docstring_tags() if label not in known]
    sections = re.compile("sec:|app:")
    assert [found for found in unknown if not sections.match(found[0])] == []


def test_every_docstring_tag_is_well_formed():
    """`Paper:` is followed by at least one label."""
    tags = [
        tags
        for path in (ROOT / "src").rglob("*.py")
        for tags in re.findall(r"Paper: (.+)", path.read_text(encoding="utf-8"))
    ]
    assert len(tags) > 50
    assert [tag for tag in tags if not re.match(LABEL, tag)] == []


@pytest.mark.parametrize("label", labels(section("Statements"), STATEMENT))
def test_every_statement_has_a_test_named_after_it(label):
    """What the page says is here has a paper test whose name begins with the label."""
    assert has_test(label)


def test_every_module_on_the_page_exists():
    """The modules named beside the statements are there."""
    named = set(
        re.findall(r"`((?:model|separability|experiments)\.[\w.]+)`", section("Statements"))
    )
    for module in named:
        path = ROOT / "src" / "equipoise" / Path(*module.split("."))
        assert path.with_suffix(".py").exists() or path.is_dir(), module


def test_every_statement_of_the_paper_is_on_the_page_once(paper_tex):
    """Here or not here yet: nothing that the paper states is forgotten or counted twice."""
    here, missing = (labels(section(title), STATEMENT) for title in ("Statements", "Not here yet"))
    assert sorted(here + missing) == sorted(set(in_paper(paper_tex)))


def test_labels_on_the_page_are_the_papers(paper_tex):
    """Every label that the page or a docstring cites is one of the paper's."""
    existing = set(in_paper(paper_tex, LABEL))
    assert [label for label in labels(PAGE) if label not in existing] == []
    assert [found for found in docstring_tags() if found[0] not in existing] == []


@pytest.mark.parametrize(("start", "end"), COVERED)
def test_every_label_of_the_models_sections_has_a_test(paper_tex, start, end):
    """Definitions, statements, examples, equations and figures of the sections implemented."""
    part = paper_tex.split(f"\\label{{{start}}}")[1]
    if end is not None:
        assert f"\\label{{{end}}}" in part
        part = part.split(f"\\label{{{end}}}")[0]
    found = in_paper(part)
    assert found
    assert [label for label in found if not has_test(label)] == []
