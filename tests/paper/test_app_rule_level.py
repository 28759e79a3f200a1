"""Remark `rem:rule-level-indecision` and appendix `app:rule-level-indecision`."""

import brute_force
import pytest
from hypothesis import given
from strategies import SEPARABLE, cases, generators, random_comparison

import equipoise as eq

# irrational, so that no state is decided by rounding
TAU_R, TAU_KAPPA = 2**0.5 / 10, 3**0.5 / 5


@given(cases(), generators())
def test_def_rule_level_latent_relation(case, rng):
    """The relation of two rules: scores from their utilities, the same four cases."""
    rules = list(eq.all_rules(case.task))
    rule, other = (rules[i] for i in rng.integers(len(rules), size=2))
    plus = minus = 0.0
    for weight, utility in zip(case.omega, case.utilities, strict=True):
        gap = utility(dict(rule)) - utility(dict(other))
        plus += weight * max(gap, 0)
        minus += weight * max(-gap, 0)
    expected = brute_force.latent_state(plus, minus, TAU_R, TAU_KAPPA)
    assert eq.relation(case.model(), rule, other, TAU_R, TAU_KAPPA) == expected


@given(cases(), generators())
def test_rem_rule_level_indecision_a_comparison_of_all_inputs_compares_rules(case, rng):
    """A question over all inputs has no background: its state is the relation of the rules."""
    rules = list(eq.all_rules(case.task))
    rule, other = (rules[i] for i in rng.integers(len(rules), size=2))
    question = eq.Comparison.of_rules(rule, other)
    for aggregator in ("average", "maximum", eq.Percentile(10)):
        state = eq.state(case.model(aggregator), question, case.task, TAU_R, TAU_KAPPA)
        assert state == eq.relation(case.model(), rule, other, TAU_R, TAU_KAPPA)


@pytest.mark.parametrize("aggregator", ["average", "maximum"])
@given(case=cases(SEPARABLE), rng=generators())
def test_lem_query_rule_latent_equivalence(aggregator, case, rng):
    """Perfectly separable: the state of a question is the relation of its projections."""
    comparison = random_comparison(rng, case.outputs, size=1)
    model = case.model(aggregator)
    # thresholds as large as the evidence, which is small where an input is one of several
    for tau_r in (TAU_R / 10, TAU_R, 0.0):
        state = eq.state(model, comparison, case.task, tau_r, TAU_KAPPA)
        for rule in eq.all_rules(case.task):
            first, second = rule.project(comparison.first), rule.project(comparison.second)
            assert eq.relation(model, first, second, tau_r, TAU_KAPPA) == state


def test_lem_query_rule_latent_equivalence_needs_separability():
    """With egalitarianism the relation of the projections depends on the background."""
    task = eq.Task({"x1": ("a", "b"), "x2": ("a", "b")})
    equal = eq.Egalitarianism(["a", "b"], lambda i, x, y: float(y == i))
    model = eq.PriorityModel([equal], [1.0])
    relations = {
        eq.relation(model, rule.project({"x1": "a"}), rule.project({"x1": "b"}), 0.1, 0.1)
        for rule in eq.all_rules(task)
    }
    assert relations == {eq.Response.FIRST, eq.Response.SECOND}


def test_rem_rule_level_indecision_ties_on_paper_are_ties():
    """0.1 + 0.2 against 0.3: no gap, by rounding either, as a question and as a relation."""
    psi = {"x": {"A": 0.1, "B": 0.3}, "y": {"A": 0.2, "B": 0.0}}
    task = eq.Task({"x": ("A", "B"), "y": ("A", "B")})
    model = eq.PriorityModel([eq.LinearFeature("sum", lambda x, y: psi[x][y])], [1.0])
    all_a, all_b = (task.rule({"x": side, "y": side}) for side in "AB")
    for rule, other in [(all_a, all_b), (all_b, all_a)]:
        question = eq.Comparison.of_rules(rule, other)
        assert eq.relation(model, rule, other, 0.0, 0.4) == eq.Response.FIRST
        assert eq.state(model, question, task, 0.0, 0.4) == eq.Response.FIRST


def test_def_rule_level_latent_relation_reads_rules_of_another_task_by_their_outputs():
    """Rules are compared by what they choose, not by where their outputs stand in a list."""
    here, there = eq.Task({"x": ("a", "b")}), eq.Task({"x": ("b", "a")})
    model = eq.PriorityModel([eq.Membership(lambda x, y: y == "a")], [1.0])
    same = eq.relation(model, here.rule({"x": "a"}), there.rule({"x": "a"}), 0.1, 0.1)
    assert same == eq.Response.INDIFFERENT
    better = eq.relation(model, there.rule({"x": "b"}), here.rule({"x": "a"}), 0.1, 0.1)
    assert better == eq.Response.SECOND
