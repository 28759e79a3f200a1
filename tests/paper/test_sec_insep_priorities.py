"""The priorities of section `sec:insep`, and what the paper prints about its small instances."""

import brute_force
import numpy as np
import pytest
from hypothesis import given, strategies as st
from strategies import cases, generators, proportionality, random_comparison, random_task

import equipoise as eq
from equipoise.experiments.erasure import erasure, erasure_model
from equipoise.model.noise import LogisticNoise, NormalNoise
from equipoise.separability.rationalisations import separable_rationalisation
from equipoise.testing import check_scale_preserving

AGGREGATORS = ("average", "maximum", eq.Percentile(0), eq.Percentile(25), eq.Percentile(50))


def two_people():
    """Two goods, two people, one good to each or both to one."""
    return eq.Task({"x1": ("a", "b"), "x2": ("a", "b")})


def egalitarian():
    """Everyone gains one from a good."""
    return eq.Egalitarianism(["a", "b"], lambda i, x, y: float(y == i))


def proportional(epsilon=0.0):
    """Half and half, or a little more for a."""
    return eq.Proportionality(lambda x, y: y, {"a": 0.5 + epsilon, "b": 0.5 - epsilon})


def equal_treatment():
    """The instance of the proof: a and a' are counterparts, b is nobody's."""
    task = eq.Task({"ab": ("a", "b"), "a'b": ("a'", "b")})
    return task, eq.EqualTreatment([("ab", "a'b", {"a": "a'", "b": "b"})])


def utilities(priority, task):
    """U of every rule, by the outputs' names joined."""
    values = priority.utilities(eq.all_rules(task)).tolist()
    return {
        "".join(rule.values()): value
        for rule, value in zip(eq.all_rules(task), values, strict=True)
    }


def gaps(priority, task, x):
    """The gaps at the question between x's two outputs, by background."""
    question = eq.Comparison.local(x, *task.outputs[x])
    rules = list(eq.all_rules(task))
    values = eq.projection_gaps(priority, question, eq.these_rules(task, rules)).tolist()
    return {"".join(rule.values()): gap for rule, gap in zip(rules, values, strict=True)}


def test_def_egal_and_prop_egal_print_these_utilities():
    """u(ab) = u(ba) = 1 and u(aa) = u(bb) = 0."""
    values = utilities(egalitarian(), two_people())
    assert values == {"aa": 0, "ab": 1, "ba": 1, "bb": 0}


def test_prop_egal_is_perfectly_inseparable_with_delta_one():
    """At both questions the gap is 1 over one half of the rules and -1 over the other."""
    task = two_people()
    assert gaps(egalitarian(), task, "x1") == {"bb": 1, "ab": 1, "aa": -1, "ba": -1}
    assert gaps(egalitarian(), task, "x2") == {"bb": 1, "ba": 1, "aa": -1, "ab": -1}


def test_prop_prop_is_perfectly_inseparable_with_delta_one_half():
    """u(ab) = u(ba) = 0 and u(aa) = u(bb) = -1/2, left alone because they span only a half."""
    task = two_people()
    assert utilities(proportional(), task) == {"aa": -0.5, "ab": 0, "ba": 0, "bb": -0.5}
    assert eq.utility_range(proportional(), task).divisor() == 1
    assert gaps(proportional(), task, "x1") == {"bb": 0.5, "ab": 0.5, "aa": -0.5, "ba": -0.5}


def test_prop_eq_is_perfectly_inseparable_with_delta_one():
    """U = 1 for aa' and bb, 0 for ab and ba'; the gaps partition the rules as printed."""
    task, alike = equal_treatment()
    assert utilities(alike, task) == {"aa'": 1, "bb": 1, "ab": 0, "ba'": 0}
    assert gaps(alike, task, "ab") == {"aa'": 1, "ba'": 1, "ab": -1, "bb": -1}
    assert gaps(alike, task, "a'b") == {"aa'": 1, "ab": 1, "ba'": -1, "bb": -1}


@given(generators())
def test_prop_egal_insep_some_background_favours_either_side(rng):
    """Three recipients or more, any pair as input, full support: inseparable everywhere."""
    people = "abcd"[: rng.integers(3, 5)]
    items = range(1 if len(people) == 4 else rng.integers(1, 3))
    inputs = [(a, b, k) for a in people for b in people if a < b for k in items]
    parts = rng.integers(1, 4, size=len(inputs))
    weights = {x: int(p) / int(parts.sum()) for x, p in zip(inputs, parts, strict=True)}
    task = eq.Task({x: x[:2] for x in inputs}, weights)
    gain = {(x, i): rng.random() + 0.1 for x in inputs for i in people}
    priority = eq.Egalitarianism(people, lambda i, x, y: gain[x, i] * (y == i))
    for question in eq.local_comparisons(task):
        says = eq.evidence([priority], [question], task, aggregator="maximum")
        assert says.favour.item() > 0
        assert says.against.item() > 0


@given(cases(), generators())
def test_def_insep_maximum_sees_both_sides_exactly_where_backgrounds_disagree(case, rng):
    """Inseparable at a question: the largest gap either way is positive."""
    question = random_comparison(rng, case.outputs, size=1)
    says = eq.evidence(case.priorities, [question], case.task, aggregator="maximum")
    for j, utility in enumerate(case.utilities):
        found = brute_force.gaps(utility, case.outputs, question.first, question.second)
        disagree = max(found) > 1e-9 and min(found) < -1e-9
        assert (says.favour[0, j] > 1e-9 and says.against[0, j] > 1e-9) == disagree


@pytest.mark.parametrize("aggregator", AGGREGATORS)
def test_lem_insep_silent_a_perfectly_inseparable_priority_speaks_for_both_sides_alike(aggregator):
    """Equal evidence either way, exactly, under any permutation-invariant aggregator."""
    task, alike = equal_treatment()
    for priority, where in [
        (egalitarian(), two_people()),
        (proportional(), two_people()),
        (alike, task),
    ]:
        questions = list(eq.local_comparisons(where))
        for method in ("exact", "auto"):
            says = eq.evidence([priority], questions, where, aggregator=aggregator, method=method)
            np.testing.assert_array_equal(says.favour, says.against)


@given(generators())
def test_ex_prop_squared_distance_of_shares_from_ideal_ones(rng):
    """Groups that overlap, none at all, uneven inputs: minus the squares, added up over groups."""
    outputs, weights = random_task(rng)
    priority, utility = proportionality(rng, outputs, weights)
    rules = brute_force.all_rules(outputs)
    values = priority.utilities(eq.all_rules(eq.Task(outputs, weights)))
    np.testing.assert_allclose(values, [utility(rule) for rule in rules], atol=1e-12)


@given(generators())
def test_def_equal_treatment_priority_is_the_share_of_pairs_treated_alike(rng):
    """Any number of pairs, also several at one input: the share with F(x') = eta(F(x))."""
    outputs = {x: tuple("abc") for x in ("x1", "x2", "x3")}
    pairs = [
        (x, other, dict(zip("abc", rng.permutation(list("abc")).tolist(), strict=True)))
        for x, other in [("x1", "x2"), ("x1", "x2"), ("x2", "x3"), ("x3", "x1")]
    ]
    values = eq.EqualTreatment(pairs).utilities(eq.all_rules(eq.Task(outputs)))
    expected = [
        sum(rule[other] == eta[rule[x]] for x, other, eta in pairs) / 4
        for rule in brute_force.all_rules(outputs)
    ]
    np.testing.assert_allclose(values, expected, atol=1e-12)


@pytest.mark.parametrize("link", ["logistic", "normal"])
@given(case=cases(), beta=st.floats(1, 20))
def test_def_separable_consistency_the_scores_found_answer_as_the_person_does(link, case, beta):
    """Wherever a rationalisation exists, the one returned gives every answer's probability."""
    model = case.model("average")
    scores = separable_rationalisation(model, case.task)
    assert scores is not None
    noise = {"logistic": LogisticNoise, "normal": NormalNoise}[link](beta)
    forced = eq.TwoAnswers(beta=beta, noise=link)
    for question in eq.local_comparisons(case.task):
        plus, minus = brute_force.scores(
            case.utilities,
            case.omega,
            brute_force.average,
            case.outputs,
            question.first,
            question.second,
        )
        first, _ = forced.probabilities(plus + minus, plus - minus)
        assert scores.probability(question, noise) == pytest.approx(first, abs=1e-9)


def test_def_scale_pres_the_linear_aggregator_is_scale_preserving():
    """C = 1 - omega_j and A = omega_j [z]_+; a rule that lets j change the others is not."""
    check_scale_preserving(eq.LinearAggregator(), np.random.default_rng(1))

    class Loudest(eq.LinearAggregator):
        def __call__(self, values, weights):
            return float(np.max(np.asarray(weights) * np.maximum(values, 0)))

    with pytest.raises(AssertionError, match="rescaled"):
        check_scale_preserving(Loudest(), np.random.default_rng(1))


@given(st.floats(0.01, 0.49))
def test_ex_bad_rec_regret_of_the_rule_that_forgets_egalitarianism(epsilon):
    """The decoder's rule is aa, its regret 1 - 3 eps/2; the worst rule's is 1 - eps/2."""
    example = erasure(epsilon)
    assert example.chosen == "aa"
    assert example.chosen_regret == pytest.approx(1 - 3 * epsilon / 2)
    assert example.worst_regret == pytest.approx(1 - epsilon / 2)
    aggregate = {row.rule: row.aggregate for row in example.rules}
    expected = {"aa": epsilon, "ab": 1 - epsilon / 2, "ba": 1 - epsilon / 2, "bb": 0}
    assert aggregate == pytest.approx(expected)


def test_app_bad_rec_family_alone_explains_every_forced_answer():
    """The scores found explain the answers, and are the family's up to a factor."""
    model, task = erasure_model(0.2)
    scores = separable_rationalisation(model, task)
    for question in eq.local_comparisons(task):
        says = eq.evidence(model.priorities, [question], task)
        kappa = eq.decisiveness(says, model.weights).item()
        assert scores.difference(question) == pytest.approx(kappa, abs=1e-12)
        assert kappa == pytest.approx(0.2 * 0.5)


@given(st.floats(0.01, 0.24))
def test_ex_inseparable_local_trace_printed_values(epsilon):
    """Proportionality with a bias: gaps 1/2 + 2 eps and -1/2 + 2 eps, and the rule is aa."""
    task, priority = two_people(), proportional(epsilon)
    found = gaps(priority, task, "x1")
    for background, gap in found.items():
        assert gap == pytest.approx((0.5 if background[1] == "b" else -0.5) + 2 * epsilon)
    values = utilities(priority, task)
    assert values["ab"] == values["ba"] == pytest.approx(-2 * epsilon**2)
    assert values["aa"] == pytest.approx(-0.5 + 2 * epsilon - 2 * epsilon**2)
    assert values["bb"] == pytest.approx(-0.5 - 2 * epsilon - 2 * epsilon**2)
    for aggregator in ("average", "maximum"):
        model = eq.PriorityModel([priority], [1.0], aggregator)
        chosen = separable_rationalisation(model, task).best_rule()
        assert dict(chosen) == {"x1": "a", "x2": "a"}
        assert eq.regret(model, chosen) == pytest.approx(0.5 - 2 * epsilon)


@given(cases(), generators(), st.sampled_from(["average", "maximum"]))
def test_def_perfect_sep_rationalization_exists_exactly_where_decisiveness_adds_up(
    case, rng, aggregator
):
    """Scores are returned if and only if scores exist, by least squares on all questions."""
    model = case.model(aggregator)
    questions = list(eq.local_comparisons(case.task))
    says = eq.evidence(model.priorities, questions, case.task, aggregator=aggregator)
    kappa = eq.decisiveness(says, model.weights)
    columns = [(x, y) for x, allowed in case.outputs.items() for y in allowed]
    design = np.zeros((len(questions), len(columns)))
    for row, question in zip(design, questions, strict=True):
        ((x, y),), (other,) = question.first.items(), question.second.values()
        row[columns.index((x, y))] += 1
        row[columns.index((x, other))] -= 1
    fitted = design @ np.linalg.lstsq(design, kappa, rcond=None)[0]
    misfit = np.abs(fitted - kappa).max(initial=0)
    scores = separable_rationalisation(model, case.task)
    assert (scores is not None) == (misfit < 1e-8)
    if scores is not None:
        np.testing.assert_allclose([scores.difference(q) for q in questions], kappa, atol=1e-8)
    if aggregator == "average":
        assert scores is not None
