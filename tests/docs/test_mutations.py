"""Every listed fault can be made: what it changes is there, and so are the tests it needs."""

from pathlib import Path

import pytest
from mutants.mutations import MUTATIONS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: f"{m.module}: {m.before}")
def test_what_a_mutation_changes_stands_in_its_file_once(mutation):
    """A line that was rewritten takes its mutation along, else nothing would be tested."""
    text = (ROOT / "src" / "equipoise" / mutation.module).read_text(encoding="utf-8")
    assert text.count(mutation.before) == 1
    assert mutation.after != mutation.before


@pytest.mark.parametrize("name", sorted({mutation.noticed_by for mutation in MUTATIONS}))
def test_the_tests_that_must_notice_are_there(name):
    """The file of paper tests that a mutation names exists."""
    assert (ROOT / "tests" / "paper" / name).is_file()


def test_no_mutation_is_listed_twice():
    """The same change in the same file is one mutation."""
    changes = [mutation[:3] for mutation in MUTATIONS]
    assert len(changes) == len(set(changes))
