"""The theory table: statements hold, and a quantity that is spoilt doesn't pass."""

import itertools

import numpy as np
import pytest

from equipoise.experiments import theory
from equipoise.experiments.statements import (
    of_linear,
    of_model,
    of_people,
    of_priorities,
    of_questions,
    of_separability,
    of_srum,
)
from equipoise.experiments.theory import NOT_HERE_YET, STATEMENTS, theory_json, try_all
from equipoise.model.states import Response


@pytest.fixture(scope="module")
def tried():
    """All statements, on a few random instances each."""
    return try_all(trials=8)


def test_every_statement_holds(tried):
    """But for rounding, on the paper's instances and on random ones."""
    assert [row.label for row in tried if not row.holds] == []
    assert all(row.instances >= 1 for row in tried)
    assert max(row.deviation for row in tried) < 1e-12


def test_the_table_is_plain_data_and_says_what_is_missing(tried):
    """Label, statement, instances and deviation; and what waits."""
    data = theory_json(tried)
    assert [row["label"] for row in data["statements"]] == [one.label for one in STATEMENTS]
    assert data["not here yet"] == NOT_HERE_YET
    assert not {one.label for one in STATEMENTS} & set(NOT_HERE_YET)


def test_the_same_seed_gives_the_same_deviation():
    """A statement's instances depend neither on the others nor on the order."""
    alone = theory.try_statement(STATEMENTS[-1], trials=3)
    assert alone == try_all(reversed(STATEMENTS[-3:]), trials=3)[0]


def more(function, by=0.01):
    """A function whose result is a little more."""
    return lambda *args, **options: function(*args, **options) + by


SABOTAGED = [
    (of_model, "valence", "eq:shorthand"),
    (of_model, "regret", "def:regret"),
    (of_model, "projection_gaps", "eq:local-evidence"),
    (of_srum, "decisiveness", "lem:lin-agg-gap"),
    (of_separability, "decisiveness", "thm:scale-free-ind"),
    (of_separability, "regret", "ex:inseparable-local-trace"),
    (of_priorities, "projection_gaps", "prop:egal"),
    (of_linear, "average_regret", "app:regret-computation"),
    (of_linear, "worst_case_regret", "lem:wc-regret-pairwise"),
]


@pytest.mark.parametrize(("module", "name", "label"), SABOTAGED)
def test_a_quantity_that_is_off_by_a_hundredth_is_noticed(module, name, label, monkeypatch):
    """The statement that rests on it fails."""
    monkeypatch.setattr(module, name, more(getattr(module, name)))
    rows = try_all([one for one in STATEMENTS if one.label == label], trials=8)
    assert rows
    assert not all(row.holds for row in rows)


def test_a_score_that_is_another_is_noticed(monkeypatch):
    """Entropy in nats, where bits are meant."""
    honest = of_questions._entropy
    monkeypatch.setattr(of_questions, "_entropy", lambda p: honest(p) * np.log(2))
    assert not try_all([one for one in STATEMENTS if one.label == "eq:bald"], trials=3)[0].holds


def test_states_and_explanations_that_are_wrong_are_noticed(monkeypatch):
    """So are statements about what isn't a number."""
    swapped = {Response.FIRST: Response.SECOND, Response.SECOND: Response.FIRST}
    honest = of_model.latent_state

    def liar(*args):
        return np.array(swapped.get(honest(*args).item(), Response.CONFLICTED), dtype=object)

    monkeypatch.setattr(of_model, "latent_state", liar)
    monkeypatch.setattr(of_people, "relation", lambda *args: Response.CONFLICTED)
    monkeypatch.setattr(of_separability, "separable_rationalisation", lambda *args: None)
    for label in (
        "def:threshold-response-model",
        "def:rule-level-latent-relation",
        "cor:erase",
        "def:perfect-sep-rationalization",
    ):
        rows = try_all([one for one in STATEMENTS if one.label == label])
        assert not all(row.holds for row in rows), label


def test_regret_is_drawn_for_both_examples():
    """What the learner's rule loses, and what the worst one does, by epsilon."""
    drawing = theory.regret_figure("Regret")
    for words in ("the rule concluded", "the worst rule", "egalitarianism", "proportionality"):
        assert words in drawing.svg
    chosen, worst = zip(*(of_separability.misreading(e) for e in (0.01, 0.1, 0.2)), strict=True)
    assert chosen == pytest.approx([0.48, 0.3, 0.1])
    assert worst == pytest.approx([0.52, 0.7, 0.9])
    assert all(a > b for a, b in itertools.pairwise(chosen))
