"""Section `sec:SRUM` and its proof: score-based models are the perfectly separable ones."""

import brute_force
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.special import ndtr
from strategies import (
    SEPARABLE,
    cases,
    generators,
    random_comparison,
    random_task,
)

import equipoise as eq
from equipoise.model.noise import LogisticNoise, NormalNoise

LINKS = {
    "logistic": (LogisticNoise, lambda t: 1 / (1 + np.exp(-t))),
    "normal": (NormalNoise, ndtr),
}


def random_scores(rng, outputs, scale=3.0):
    """A score for every output at every input, by name."""
    return {x: {y: scale * rng.random() for y in allowed} for x, allowed in outputs.items()}


def as_scores(task, scores):
    """The same for the library."""
    return eq.Scores(task, {x: list(row.values()) for x, row in scores.items()})


@given(cases(SEPARABLE), generators())
def test_lem_lin_agg_gap_decisiveness_is_the_weighted_sum_of_constant_gaps(case, rng):
    """s+ - s- = sum_j omega_j delta_j for a perfectly separable model, any aggregator."""
    comparison = random_comparison(rng, case.outputs, size=1)
    rule = brute_force.all_rules(case.outputs)[0]
    expected = sum(
        w * (u({**rule, **comparison.first}) - u({**rule, **comparison.second}))
        for w, u in zip(case.omega, case.utilities, strict=True)
    )
    for aggregator in ("average", "maximum", eq.Percentile(35)):
        says = eq.evidence(case.priorities, [comparison], case.task, aggregator=aggregator)
        kappa = eq.decisiveness(says, case.omega).item()
        assert kappa == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=6), generators())
def test_eq_simplified_scores_positive_part_less_negative_part_is_the_number(gaps, rng):
    """(a)_+ - (-a)_+ = a, priority by priority, in the library's evidence."""
    weights = rng.dirichlet(np.ones(len(gaps)))
    sides = np.array([[np.maximum(gaps, 0), np.maximum(np.negative(gaps), 0)]])
    says = eq.Evidence.from_features(sides)
    np.testing.assert_allclose(eq.decisiveness(says, weights), [weights @ gaps], atol=1e-12)
    np.testing.assert_allclose(eq.valence(says, weights), [weights @ np.abs(gaps)], atol=1e-12)


@pytest.mark.parametrize("link", LINKS)
@given(rng=generators(), beta=st.floats(0.5, 20))
def test_def_score_rum_compares_scores_with_noise(link, rng, beta):
    """The probability of y over y' is h(beta (V(x, y) - V(x, y')))."""
    outputs, weights = random_task(rng)
    scores = random_scores(rng, outputs)
    noise, h = LINKS[link]
    for q in eq.local_comparisons(eq.Task(outputs, weights)):
        ((x, y),), (other,) = q.first.items(), q.second.values()
        chosen = as_scores(eq.Task(outputs, weights), scores).probability(q, noise(beta))
        assert chosen == pytest.approx(h(beta * (scores[x][y] - scores[x][other])), abs=1e-12)


def test_def_score_rum_scores_are_not_negative():
    """A score function maps to numbers of at least zero; the error says which did not."""
    with pytest.raises(ValueError, match=r"values\['x'\] are \[-1\. +2\.\], expected"):
        eq.Scores(eq.Task({"x": ("a", "b")}), {"x": [-1, 2]})


@pytest.mark.parametrize("link", LINKS)
@given(rng=generators(), beta=st.floats(0.5, 5))
def test_thm_score_rum_equivalence_every_score_model_is_a_separable_model(link, rng, beta):
    """V to M_V: the same answers to every question, the same best rules of any subset."""
    outputs, weights = random_task(rng)
    task, scores = eq.Task(outputs, weights), random_scores(rng, outputs)
    model, factor = eq.model_of_scores(as_scores(task, scores))
    questions = list(eq.local_comparisons(task))
    says = eq.evidence(model.priorities, questions, task)
    answers = eq.TwoAnswers(beta=beta * factor, noise=link).predict(says, model.weights)
    noise = LINKS[link][0](beta)
    by_scores = [as_scores(task, scores).probability(q, noise) for q in questions]
    np.testing.assert_allclose(answers[:, 0], by_scores, atol=1e-9)
    _same_best_rules(task, scores, model, rng)


@pytest.mark.parametrize("aggregator", ["average", "maximum"])
@pytest.mark.parametrize("link", LINKS)
@given(case=cases(SEPARABLE), rng=generators(), beta=st.floats(1, 20))
def test_thm_score_rum_equivalence_every_separable_model_is_a_score_model(
    link, aggregator, case, rng, beta
):
    """M to V_M, from any background: the same answers, the same best rules of any subset."""
    model = case.model(aggregator)
    rules = list(eq.all_rules(case.task))
    background = rules[rng.integers(len(rules))]
    scores = eq.scores_of_model(model, case.task, background)
    questions = list(eq.local_comparisons(case.task))
    says = eq.evidence(model.priorities, questions, case.task, aggregator=aggregator)
    answers = eq.TwoAnswers(beta=beta, noise=link).predict(says, model.weights)
    by_scores = [scores.probability(q, LINKS[link][0](beta)) for q in questions]
    np.testing.assert_allclose(answers[:, 0], by_scores, atol=1e-9)
    by_name = {
        x: dict(zip(case.outputs[x], row.tolist(), strict=True)) for x, row in scores.values.items()
    }
    _same_best_rules(case.task, by_name, model, rng)


def _same_best_rules(task, scores, model, rng):
    """The best rules by total score and by aggregate utility agree on a random subset."""
    rules = [rule for rule in eq.all_rules(task) if rng.integers(2)] or list(eq.all_rules(task))
    totals = np.array([sum(scores[x][y] for x, y in rule.items()) for rule in rules])
    utilities = model.utilities(eq.these_rules(task, rules))
    np.testing.assert_array_equal(totals > totals.max() - 1e-9, utilities > utilities.max() - 1e-10)
    whole = eq.Scores(task, {x: list(row.values()) for x, row in scores.items()}).best_rule()
    assert model.utility(whole) == pytest.approx(
        model.utilities(eq.all_rules(task)).max(), abs=1e-9
    )


def test_thm_score_rum_equivalence_refuses_what_is_not_separable():
    """A model with an inseparable priority has no score function, and the error names it."""
    task = eq.Task({"x1": ("a", "b"), "x2": ("a", "b")})
    priority = eq.Proportionality(lambda x, y: y, {"a": 0.5, "b": 0.5})
    model = eq.PriorityModel([priority], [1.0])
    with pytest.raises(
        ValueError, match="'proportionality' is not known to be perfectly separable"
    ):
        eq.scores_of_model(model, task)
