"""Section `sec:model`: tasks, priorities, evidence, states and answers."""

import itertools
import math

import brute_force
import numpy as np
import pytest
from hypothesis import given, strategies as st
from strategies import cases, generators, random_comparison

import equipoise as eq
from equipoise.model.convolution import gap_counting

AGGREGATORS = ("average", "maximum")


def trolley():
    """Four trolley scenarios: who is in either group, and who belongs to the family."""
    people = {
        "x1": {1: ("mother",), 2: tuple(f"stranger {i}" for i in range(1000))},
        "x2": {1: ("ann", "bob", "cid"), 2: ("dee", "eve", "fay")},
        "x3": {1: ("brother", "ann"), 2: ("mother",)},
        "x4": {1: (), 2: ("gus",)},
    }
    return eq.Task(dict.fromkeys(people, (1, 2))), people


def test_ex_trolley_has_one_rule_for_each_way_to_spare_a_group():
    """The rules are all mappings from scenarios to a group, each allowed at its scenario."""
    task, _ = trolley()
    rules = list(eq.all_rules(task))
    assert task.rule_count == len(rules) == len(set(rules)) == 2**4
    expected = [dict(zip(task.inputs, ys)) for ys in itertools.product((1, 2), repeat=4)]  # noqa: B905
    assert [dict(rule) for rule in rules] == expected


@given(cases())
def test_sec_model_a_rule_has_an_allowed_output_at_every_input(case):
    """Enumerating gives every mapping to allowed outputs, once, the first input slowest."""
    rules = [dict(rule) for rule in eq.all_rules(case.task)]
    assert rules == brute_force.all_rules(case.outputs)


@given(cases())
def test_def_pc_query_asks_about_one_input_and_two_of_its_outputs(case):
    """The local comparisons are all pairs of different outputs at all inputs, once each."""
    asked = [(q.inputs, *q.first.values(), *q.second.values()) for q in _local(case.task)]
    expected = [
        ((x,), y, other)
        for x, allowed in case.outputs.items()
        for y, other in itertools.combinations(allowed, 2)
    ]
    assert asked == expected
    with pytest.raises(ValueError, match="not allowed at input 'x0'"):
        eq.Comparison.local("x0", "a", "z").check(case.task)


def test_def_pc_query_has_four_answers_in_the_order_of_the_columns():
    """The alphabet is first, second, indifferent, conflicted; undecided pools the last two."""
    assert [str(response) for response in eq.Response] == [
        "first",
        "second",
        "indifferent",
        "conflicted",
        "undecided",
    ]
    assert eq.FourAnswers().answers == tuple(eq.Response)[:4]


@pytest.mark.parametrize("scale", [1.0, 7.0])
@given(case=cases())
def test_sec_pluralistic_aggregate_utility_is_a_weighted_sum_of_utilities_in_range(case, scale):
    """U_M(F) adds up omega_j u_j(F), each u_j spanning at most one over all rules."""
    louder = [
        eq.CustomPriority("louder", lambda rule, u=u: scale * u(dict(rule))) for u in case.utilities
    ]
    model = eq.PriorityModel(louder, case.omega)
    loud = [
        brute_force.in_range(lambda rule, u=u: scale * u(rule), case.outputs)
        for u in case.utilities
    ]
    values = model.priority_utilities(eq.all_rules(case.task))
    assert np.ptp(values, axis=1).max() <= 1 + 1e-12
    for rule, value in zip(eq.all_rules(case.task), model.utilities(eq.all_rules(case.task))):  # noqa: B905
        expected = sum(w * u(dict(rule)) for w, u in zip(case.omega, loud, strict=True))
        assert value == pytest.approx(expected, abs=1e-12)


@given(cases())
def test_sec_pluralistic_normalisation_divides_only_what_spans_more_than_one(case):
    """A priority within range is left as it is; asked for, every range becomes exactly one."""
    rules = eq.all_rules(case.task)
    unit = eq.PriorityModel(case.priorities, case.omega, unit_range=True)
    for j, priority in enumerate(case.priorities):
        raw = priority.utilities(rules)
        in_range = case.model().priority_utilities(rules)[j]
        if np.ptp(raw) <= 1:
            np.testing.assert_array_equal(in_range, raw)
        if np.ptp(raw) > 1e-9:
            assert np.ptp(unit.priority_utilities(rules)[j]) == pytest.approx(1)


def test_ex_trolley_priorities_by_hand():
    """Size, family and proportionality of the example, worked out by hand on four scenarios."""
    task, people = trolley()
    size = eq.Size(lambda x, y: len(people[x][y]))
    family = eq.Membership(lambda x, y: bool({"mother", "brother"} & set(people[x][y])))
    # The harm falls on the group that is not spared.
    harmed = eq.Proportionality(
        lambda x, y: "women" if {"mother", "dee"} & set(people[x][3 - y]) else None,
        {"women": 0.25},
    )
    spare_first = task.rule(dict.fromkeys(task.inputs, 1))
    # x1: fewer; x2: as many; x3: more; x4: fewer
    assert eq.utility(size, spare_first) == 2 / 4
    # x1: mother; x2: nobody either way; x3: family either way; x4: nobody either way
    assert eq.utility(family, spare_first) == 1
    assert eq.utility(family, spare_first.project({"x1": 2})) == 3 / 4
    # sparing group 1 lets down dee at x2 and mother at x3, half of the scenarios
    assert eq.utility(harmed, spare_first) == -((2 / 4 - 1 / 4) ** 2)


@given(cases())
def test_ex_trolley_priorities_and_the_rest_of_the_catalogue_follow_their_formulas(case):
    """Every priority's utility of every rule is the one that its formula gives, written out."""
    for priority, utility in zip(case.priorities, case.utilities, strict=True):
        divisor = eq.utility_range(priority, case.task).divisor()
        for rule, value in zip(
            brute_force.all_rules(case.outputs),
            priority.utilities(eq.all_rules(case.task)) / divisor,
            strict=True,
        ):
            assert value == pytest.approx(utility(rule), abs=1e-12)


def test_fig_priorities_each_priority_orders_all_rules_in_levels():
    """Size on three trolleys: eight rules in levels by how often the larger group is spared."""
    people = {"x1": {1: 5, 2: 1}, "x2": {1: 2, 2: 3}, "x3": {1: 4, 2: 4}}
    task = eq.Task(dict.fromkeys(people, (1, 2)))
    size = eq.Size(lambda x, y: people[x][y])
    levels = {}
    for rule in eq.all_rules(task):
        levels.setdefault(round(3 * eq.utility(size, rule)), []).append(tuple(rule.values()))
    assert levels == {
        3: [(1, 2, 1), (1, 2, 2)],
        2: [(1, 1, 1), (1, 1, 2), (2, 2, 1), (2, 2, 2)],
        1: [(2, 1, 1), (2, 1, 2)],
    }


@given(cases(), generators())
def test_def_regret_is_what_the_best_rule_has_more(case, rng):
    """Regret compares with the best of all rules, is never negative, and zero for the best."""
    rules = brute_force.all_rules(case.outputs)
    totals = [
        sum(w * u(rule) for w, u in zip(case.omega, case.utilities, strict=True)) for rule in rules
    ]
    i = int(rng.integers(len(rules)))
    lost = eq.regret(case.model(), case.task.rule(rules[i]))
    assert lost == pytest.approx(max(totals) - totals[i], abs=1e-9)
    best = [dict(rule) for rule in eq.best_rules(case.model(), case.task)]
    assert best == [
        r for r, total in zip(rules, totals, strict=True) if total > max(totals) - 1e-10
    ]
    assert eq.regret(case.model(), eq.best_rule(case.model(), case.task)) == pytest.approx(0)


@given(cases(), generators())
def test_eq_projection_changes_the_rule_there_and_nowhere_else(case, rng):
    """F_{x -> y} is y at x and F elsewhere, one rule at a time and many together."""
    comparison = random_comparison(rng, case.outputs)
    everything = eq.these_rules(case.task, list(eq.all_rules(case.task)))
    together = [dict(rule) for rule in everything.project(comparison.first)]
    alone = [dict(rule.project(comparison.first)) for rule in everything]
    expected = [{**dict(rule), **comparison.first} for rule in everything]
    assert together == alone == expected
    box = {tuple(r.values()) for r in eq.all_rules(case.task).project(comparison.first)}
    assert box == {tuple(rule.values()) for rule in expected}


@given(cases(), generators())
def test_eq_local_evidence_is_the_gap_between_the_two_projections(case, rng):
    """The gap over each background rule is u(F_{x -> y}) - u(F_{x -> y'})."""
    comparison = random_comparison(rng, case.outputs, size=1)
    rules = eq.these_rules(case.task, list(eq.all_rules(case.task)))
    for priority, utility in zip(case.priorities, case.utilities, strict=True):
        divisor = eq.utility_range(priority, case.task).divisor()
        np.testing.assert_allclose(
            eq.projection_gaps(priority, comparison, rules) / divisor,
            brute_force.gaps(utility, case.outputs, comparison.first, comparison.second),
            atol=1e-12,
        )


@pytest.mark.parametrize("n", [3, 40, 250])
def test_eq_local_evidence_over_many_backgrounds_counts_each_gap(n):
    """Of two groups, C(n - 1, k) backgrounds give k other goods to a, twice for good 0 itself."""
    task = eq.Task({i: ("a", "b") for i in range(n)})
    fair = eq.Proportionality(lambda x, y: y, {"a": 0.7, "b": 0.3})
    gaps, counts = gap_counting(fair, eq.Comparison.local(0, "a", "b"), task).count()
    found = dict(zip(gaps.round(9).tolist(), counts.tolist(), strict=True))
    # u = -2 (share of a - 0.7)^2, with k + 1 or k goods to a
    expected = {
        round(-2 * (((k + 1) / n - 0.7) ** 2 - (k / n - 0.7) ** 2), 9): 2 * math.comb(n - 1, k)
        for k in range(n)
    }
    assert found == expected


@pytest.mark.parametrize("p", [3, 25, 50, 80])
def test_sec_rule_agg_percentile_over_many_backgrounds(p):
    """Of three goods two go to a: k others of n - 1 do over C(n - 1, k) 2^k backgrounds."""
    n, a = 60, {1, 2}
    task = eq.Task({i: (1, 2, 3) for i in range(n)})
    fair = eq.Proportionality(lambda x, y: "a" if y in a else "b", {"a": 0.7, "b": 0.3})
    says = eq.evidence(
        [fair], [eq.Comparison.local(0, 1, 3)], task, aggregator=eq.Percentile(p, "lower")
    )
    # u = -2 (share of a - 0.7)^2, with k + 1 or k goods to a: the gap falls as k grows
    gaps = [-2 * (((k + 1) / n - 0.7) ** 2 - (k / n - 0.7) ** 2) for k in range(n)]
    counts = [3 * math.comb(n - 1, k) * 2**k for k in range(n)]
    rank = (3**n - 1) * p // 100
    before = list(itertools.accumulate(reversed(counts)))
    gap = gaps[::-1][next(i for i, reached in enumerate(before) if reached > rank)]
    assert says.favour.item() == pytest.approx(max(gap, 0), abs=1e-12)


@given(generators(), st.sampled_from([0, 10, 25, 50, 62.5, 75, 100]))
def test_sec_rule_agg_average_maximum_and_percentile(rng, p):
    """The aggregators are NumPy's mean, max and percentile of the gaps, each repeated."""
    gaps = np.round(rng.normal(size=rng.integers(1, 9)), 1)
    counts = rng.integers(1, 5, size=gaps.size)
    repeated = np.repeat(gaps, counts)
    assert eq.Average()(gaps, counts) == pytest.approx(repeated.mean(), abs=1e-12)
    assert eq.Maximum()(gaps, counts) == repeated.max()
    for interpolation in ("linear", "lower", "higher", "midpoint", "nearest"):
        expected = np.percentile(repeated, p, method=interpolation)
        value = eq.Percentile(p, interpolation)(gaps, counts)
        assert value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("method", ["exact", "structured"])
def test_sec_rule_agg_counts_every_background_rule(method):
    """Four rules, two of them over each gap: the 40th percentile lies at 1.2 of ranks 0 to 3."""
    task = eq.Task({"x1": ("a", "b"), "x2": ("a", "b")})
    equal = eq.Egalitarianism(["a", "b"], lambda i, x, y: float(y == i))
    question = [eq.Comparison.local("x1", "a", "b")]
    # The gaps -1, -1, 1, 1; counted once for each different projection it would be at 0.4 of 1.
    at_40 = eq.evidence([equal], question, task, aggregator=eq.Percentile(40), method=method)
    assert (at_40.favour.item(), at_40.against.item()) == (0, 0)
    at_60 = eq.evidence([equal], question, task, aggregator=eq.Percentile(60), method=method)
    assert at_60.favour.item() == pytest.approx(0.6)
    assert at_60.against.item() == pytest.approx(0.6)


@given(cases(), generators())
def test_sec_rule_agg_perfectly_separable_priorities_keep_their_gap(case, rng):
    """A gap that is the same over every background is what any unanimous aggregator returns."""
    comparison = random_comparison(rng, case.outputs, size=1)
    for priority, utility in zip(case.priorities, case.utilities, strict=True):
        gaps = brute_force.gaps(utility, case.outputs, comparison.first, comparison.second)
        if max(gaps) - min(gaps) > 1e-12:
            continue
        for aggregator in (*AGGREGATORS, eq.Percentile(30)):
            says = eq.evidence([priority], [comparison], case.task, aggregator=aggregator)
            assert says.favour.item() == pytest.approx(max(gaps[0], 0), abs=1e-12)
            assert says.against.item() == pytest.approx(max(-gaps[0], 0), abs=1e-12)


@pytest.mark.parametrize("aggregator", AGGREGATORS)
@given(case=cases(), rng=generators())
def test_sec_prior_agg_scores_are_weighted_positive_parts_in_either_direction(
    aggregator, case, rng
):
    """s+ and s- add up the positive parts of what each priority says for y and for y'."""
    comparison = random_comparison(rng, case.outputs)
    says = eq.evidence(case.priorities, [comparison], case.task, aggregator=aggregator)
    plus, minus = brute_force.scores(
        case.utilities,
        case.omega,
        brute_force.AGGREGATORS[aggregator],
        case.outputs,
        comparison.first,
        comparison.second,
    )
    assert (says.favour @ case.omega).item() == pytest.approx(plus, abs=1e-10)
    assert (says.against @ case.omega).item() == pytest.approx(minus, abs=1e-10)
    assert plus <= 1 + 1e-12
    assert minus <= 1 + 1e-12


@pytest.mark.parametrize("method", ["auto", "exact"])
@given(case=cases(), rng=generators(), p=st.sampled_from([0, 10, 25, 50, 75, 90, 100]))
def test_sec_prior_agg_scores_under_percentiles(method, case, rng, p):
    """The same for percentiles, over all background rules with their multiplicity."""
    comparison = random_comparison(rng, case.outputs)
    says = eq.evidence(
        case.priorities, [comparison], case.task, aggregator=eq.Percentile(p), method=method
    )
    plus, minus = brute_force.scores(
        case.utilities,
        case.omega,
        lambda values: brute_force.percentile(values, p),
        case.outputs,
        comparison.first,
        comparison.second,
    )
    assert (says.favour @ case.omega).item() == pytest.approx(plus, abs=1e-10)
    assert (says.against @ case.omega).item() == pytest.approx(minus, abs=1e-10)


def test_rem_behavioral_sciences_an_inactive_priority_adds_nothing():
    """Size is inactive between two groups of three, and then has no part in either score."""
    task, people = trolley()
    size = eq.Size(lambda x, y: len(people[x][y]))
    family = eq.Membership(lambda x, y: "mother" in people[x][y])
    question = eq.Comparison.local("x2", 1, 2)
    for aggregator in (*AGGREGATORS, eq.Percentile(20)):
        says = eq.evidence([size, family], [question], task, aggregator=aggregator)
        assert (says.favour == 0).all()
        assert (says.against == 0).all()


def _local(task):
    return list(eq.local_comparisons(task))
