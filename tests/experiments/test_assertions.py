"""What the paper says, and how it's judged."""

from dataclasses import replace

import made_up
import numpy as np
import pytest
from hypothesis import given
from strategies import generators

from equipoise.experiments.claims import CLAIMS, after
from equipoise.experiments.paper.assertions import ANY, Assertion, jackknifed, judge
from equipoise.experiments.paper.runs import Case, all_runs
from equipoise.experiments.report import assertions

CASE = Case("utilize-4", 0.4, 0.4)
L1 = after("l1", 25)


@pytest.fixture(scope="module")
def runs():
    """All experiments, on a coarser grid."""
    (runs,) = all_runs(made_up.outcome, [made_up.speed(), made_up.accuracy()])
    return runs


def about(paper, statistic=L1, cases=(CASE,), digit=0.01, **options):
    """An assertion on l1 after 25 questions."""
    return Assertion("sec:speed", "l1", cases, statistic, paper, digit, "fig:bald_6", **options)


def test_agrees_within_three_errors_and_half_a_digit(runs):
    """At the edge and beyond it, on both sides; the note says on which."""
    values = runs.outcomes[CASE].measures.l1[:, 24]
    mean, se = values.mean(), values.std(ddof=1) / 2
    reach = 3 * np.sqrt(2) * se + 0.005
    for side, word in ((1, "lower"), (-1, "higher")):
        near, far = mean + side * (reach - 1e-6), mean + side * (reach + 1e-6)
        assert judge(about((near, near)), runs).compatible is True
        judged = judge(about((far, far), reason="known why"), runs)
        assert judged.compatible is False
        assert judged.note == f"{word} than in the paper. known why"
        assert judged.measured == pytest.approx(mean)
        assert judged.se == pytest.approx(se)
        assert judged.n == 4
        assert judged.paper == far


def test_an_open_end_is_none_in_json(runs):
    """Infinity is no JSON."""
    assert judge(about((-ANY, 0.0)), runs).as_json()["paper"] == [None, 0.0]
    assert judge(about((0.5, ANY)), runs).as_json()["paper"] == [0.5, None]


def test_what_cannot_be_measured_says_why(runs):
    """Runs that aren't there, too few questions, one person, a ratio to zero."""
    absent = Case("utilize-4", 0.2, 0.2)
    cases = [
        (about((0, 0), cases=(CASE, absent)), "utilize-4 at (0.2, 0.2) not run"),
        (about((0, 0), statistic=after("l1", 31)), "too few questions"),
        (about((0, 0), combine=lambda means: float(means[0] / np.float64(0))), "a ratio to zero"),
    ]
    for assertion, why in cases:
        judged = judge(assertion, runs)
        assert judged.compatible is judged.measured is judged.se is judged.n is None
        assert why in judged.note
    (one,) = all_runs(made_up.outcome, [made_up.speed(people=1, methods=["utilize-4"])])
    assert "one person" in judge(about((0, 0)), one).note


@given(generators())
def test_the_jackknife_leaves_linear_functions_as_they_are(rng):
    """Differences of means: each person's difference. Ratios: near the ratio of means."""
    values = rng.random((2, 12)) + 0.5
    each = jackknifed(values, lambda means: float(means[0] - means[1]))
    np.testing.assert_allclose(each, values[0] - values[1], atol=1e-12)
    ratios = jackknifed(values, lambda means: float(means[0] / means[1]))
    assert ratios.mean() == pytest.approx(values[0].mean() / values[1].mean(), rel=0.05)
    left_out = [
        12 * values[0].mean() / values[1].mean()
        - 11 * np.delete(values[0], i).mean() / np.delete(values[1], i).mean()
        for i in range(12)
    ]
    np.testing.assert_allclose(ratios, left_out)


def test_every_printed_number_is_among_the_claims():
    """And each has a name of its own."""
    found = assertions()
    assert len({one.id for one in found}) == len(found) >= 70
    for claim in CLAIMS:
        same = [one for one in found if one.says == claim.says]
        assert len(same) == 1
        assert same[0].paper == claim.paper


def test_every_claim_can_be_judged_where_everything_was_run():
    """On the paper's grid nothing is left unmeasured, whatever comes out."""
    levels = (0.0, 0.2, 0.4, 0.6, 0.8)
    named = {case for assertion in assertions() for case in assertion.cases}
    every = [made_up.speed(people=2, queries=100, levels=levels), made_up.accuracy(people=2)]
    studies = [
        made_up.Study(study.name, [one for one in study.simulations if Case.of(one) in named])
        for study in every
    ]
    (full,) = all_runs(made_up.outcome, studies)
    assert set(full.outcomes) == named
    for assertion in assertions():
        judged = judge(assertion, full)
        assert judged.compatible is not None, judged.says
        assert judged.se >= 0
        assert np.isfinite(judged.measured)


def test_what_is_turned_round_differs():
    """Made-up utilize-4 is nearer than ignore; were the paper to say the reverse, it'd differ."""
    (runs,) = all_runs(made_up.outcome, [made_up.speed(people=12)])
    claim = next(one for one in assertions() if "cosine after 25, ignore" in one.says)
    assert judge(claim, runs).compatible
    turned = replace(claim, cases=claim.cases[::-1])
    assert not judge(turned, runs).compatible
