"""What `import equipoise` offers, and what importing it costs."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest

import equipoise as eq

# What the command line may not load before it knows what is asked for.
HEAVY = ["numpy", "scipy", "matplotlib", "fastapi", "numba", "sqlalchemy", "pydantic"]


def test_the_lazy_table_and_the_names_for_type_checkers_agree():
    """A type checker sees exactly the names that are loaded on first use, from the same place."""
    tree = ast.parse(inspect.getsource(eq))
    checked = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module.startswith("equipoise")
        for alias in node.names
    }
    assert checked == {name: f"equipoise.{module}" for name, module in eq._HOME.items()}


# Protocols, and what other names return or take: shown where these are.
WITHOUT_EXAMPLE = {
    *("RuleSet", "RuleBox", "RuleList", "Bounded", "Summed", "Separable", "GapSum"),
    *("UtilityRange", "PriorityAggregator", "ScalePreserving", "Account", "Noise", "Prior"),
    *("UnknownMixture", "ScorePriority", "StoppingRule"),
}


@pytest.mark.parametrize("name", eq.__all__)
def test_every_public_name_is_there_and_documented(name):
    """Each name is found, says what it is, and gives an example unless it's shown elsewhere."""
    documentation = inspect.getdoc(getattr(eq, name))
    assert documentation
    assert (">>> " in documentation) == (name not in WITHOUT_EXAMPLE)


def test_no_public_name_is_that_of_a_subpackage():
    """`equipoise.x` means one thing."""
    packages = {module.name for module in pkgutil.iter_modules(eq.__path__)}
    assert packages.isdisjoint(eq.__all__)


def test_an_unknown_name_is_an_attribute_error():
    """A misspelt name fails as in any module, and `dir` lists what there is."""
    with pytest.raises(AttributeError, match="no attribute 'Tusk'"):
        _ = eq.Tusk
    assert set(eq.__all__) <= set(dir(eq))


@pytest.mark.parametrize("module", ["equipoise", "equipoise.cli"])
def test_importing_loads_nothing_heavy(module):
    """The command line answers at once because it imports only what it needs."""
    code = f"import sys, {module}; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_every_module_imports_by_itself():
    """No module relies on another having been imported first."""
    for found in pkgutil.walk_packages(eq.__path__, "equipoise."):
        importlib.import_module(found.name)
