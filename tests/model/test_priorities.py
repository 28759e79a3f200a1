"""Priorities and models: what they refuse, and what they promise of their ranges."""

import re

import numpy as np
import pytest
from hypothesis import given
from strategies import egalitarianism, equal_treatment, generators, proportionality

import equipoise as eq
from equipoise.model.priorities.ranges import ENUMERATED_RANGE

TASK = eq.Task({"x": "ab", "y": "ab"})


@pytest.mark.parametrize("kind", [proportionality, egalitarianism, equal_treatment])
@given(rng=generators())
def test_stated_bounds_hold(kind, rng):
    """No two rules differ by more than the bound that a priority states for large tasks."""
    outputs = {f"x{i}": tuple("abc"[: rng.integers(1, 4)]) for i in range(4)}
    task = eq.Task(outputs)
    priority, _ = kind(rng, outputs, dict.fromkeys(outputs, 0.25))
    width = np.ptp(priority.utilities(eq.all_rules(task)))
    # equal_treatment gives a linear feature where there are no counterparts
    stated = eq.utility_range(priority, task).width
    bound = priority.range_bound(task) if isinstance(priority, eq.Bounded) else stated
    assert width <= bound + 1e-12


def test_bounds_are_exact_for_equal_disjoint_groups():
    """Three groups with a third each: all to one group is 2/3 from the ideal, and no farther."""
    task = eq.Task({i: "abc" for i in range(12)})
    fair = eq.Proportionality(lambda x, y: y, dict.fromkeys("abc", 1 / 3))
    assert fair.range_bound(task) == pytest.approx(2 / 3)
    assert task.rule_count > ENUMERATED_RANGE
    found = eq.utility_range(fair, task)
    assert (found.proof, found.divisor()) == ("bound", 1.0)
    # shares no farther than a half from 0.9 and 0.1: (0.9 - 0.5)^2 twice less the nearest, 0.1^2
    half = eq.Task({i: "a" if i < 6 else "ab" for i in range(12)})
    some = eq.Proportionality(lambda x, y: y, {"a": 0.4, "b": 0.6})
    assert some.range_bound(half) == pytest.approx(2 * 0.6**2 - 2 * 0.1**2)
    # everybody at most 1/3 on average over three recipients, doubled; nobody need get anything
    equal = eq.Egalitarianism("abc", lambda i, x, y: float(y == i))
    assert equal.range_bound(task) == pytest.approx(2 / 3)


def test_ranges_are_exact_for_few_rules_and_for_separable_priorities():
    """Enumerated where that is quick, and input by input where utilities are sums."""
    feature = eq.LinearFeature("feature", lambda x, y: 0.25 * (y == "a"))
    many = eq.Task({i: "ab" for i in range(400)})
    assert eq.utility_range(feature, many) == eq.UtilityRange(pytest.approx(0.25), "exact")
    equal = eq.Egalitarianism(["a", "b"], lambda i, x, y: float(y == i))
    assert eq.utility_range(equal, TASK) == eq.UtilityRange(1.0, "exact")


def test_a_constant_priority_is_left_alone_even_at_unit_range():
    """A priority that judges all rules alike has no range to rescale."""
    flat = eq.CustomPriority("flat", lambda rule: 5.0)
    assert eq.utility_range(flat, TASK).divisor(unit_range=True) == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: eq.Proportionality(lambda x, y: y, {}), "shares is empty"),
        (
            lambda: eq.Proportionality(lambda x, y: y, {"a": 1.5}),
            "shares['a'] is 1.5, expected a number in [0, 1]",
        ),
        (lambda: eq.Egalitarianism([], lambda i, x, y: 0.0), "recipients is empty"),
        (lambda: eq.EqualTreatment([]), "counterparts is empty"),
        (lambda: eq.EqualTreatment([("x", "x", {})]), "counterparts pair 'x' with itself"),
        (
            lambda: eq.EqualTreatment([("x", "y", {"a": "a", "b": "a"})]),
            "two outputs correspond to the same one",
        ),
        (
            lambda: eq.CustomPriority("odd", lambda rule: 0.0, bound=-1.0),
            "bound of 'odd' is -1.0, expected a positive number",
        ),
        (lambda: eq.PriorityModel([], []), "priorities is empty"),
        (
            lambda: eq.PriorityModel(["size"], [1.0]),
            "priorities[0] is 'size', expected a priority",
        ),
        (
            lambda: eq.PriorityModel([eq.Size], [1.0]),
            "expected a priority: an object with a `name`",
        ),
        (lambda: eq.PriorityModel(eq.Size(lambda x, y: 1), [1.0]), "expected a list of priorities"),
        (lambda: eq.Size({"a": 1}), "count is {'a': 1}, expected a function"),
        (lambda: eq.LinearFeature("f", 3), "feature is 3, expected a function"),
        (lambda: eq.Membership({"a"}), "member is {'a'}, expected a function"),
        (lambda: eq.CustomPriority("c", 3), "function is 3, expected a function"),
        (lambda: eq.Proportionality("a", {"a": 1}), "group is 'a', expected a function"),
        (lambda: eq.Proportionality(lambda x, y: y, [1]), "shares is [1], expected a mapping"),
        (lambda: eq.Egalitarianism("aa", lambda i, x, y: 1), "recipients lists somebody twice"),
        (
            lambda: eq.EqualTreatment([("x", "y")]),
            "counterparts has ('x', 'y'), expected two inputs",
        ),
        (
            lambda: eq.PriorityModel([eq.Size(lambda x, y: 1)], [0.5]),
            "weights sum to 0.5, expected 1",
        ),
        (
            lambda: eq.PriorityModel([eq.Size(lambda x, y: 1)] * 2, [1.5, -0.5]),
            "weights[1] is -0.5, expected a number of at least 0",
        ),
        (
            lambda: eq.PriorityModel([eq.Size(lambda x, y: 1)], [0.5, 0.5]),
            "weights has shape (2,), expected (1,)",
        ),
    ],
)
def test_bad_priorities_are_refused_in_a_sentence(make, message):
    """The error names the argument, what came, and what was expected."""
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda rule: float("inf"), "returned the utility inf, expected a finite number"),
        (lambda rule: [1.0, 2.0], "returned [1.0, 2.0] for a rule, expected one number"),
        (lambda rule: "good", "returned 'good' for a rule, expected one number"),
        (lambda rule: None, "returned None for a rule, expected one number"),
        (lambda rule: 1j, "returned 1j for a rule, expected one number"),
    ],
)
def test_a_function_must_return_one_finite_number(function, message):
    """Whatever else a user's function returns is named."""
    with pytest.raises(ValueError, match=re.escape(message)):
        eq.utility(eq.CustomPriority("odd", function), TASK.rule({"x": "a", "y": "a"}))


def test_a_priority_must_return_one_utility_for_each_rule():
    """A wrong shape is refused with the shape expected."""

    class Odd:
        name = "odd"

        def utilities(self, rules):
            return np.zeros((len(rules), 2))

    with pytest.raises(
        ValueError, match=re.escape("shape (4, 2), expected one for each rule: (4,)")
    ):
        eq.PriorityModel([Odd()], [1.0]).utilities(eq.all_rules(TASK))


def test_a_users_priority_needs_only_a_name_and_utilities():
    """Anything with the two is a priority, and all that is computed follows."""

    class SameEverywhere:
        name = "same everywhere"

        def utilities(self, rules):
            return (rules.codes(0) == rules.codes(1)).astype(float)

    model = eq.PriorityModel([SameEverywhere()], [1.0], "maximum")
    assert eq.state(model, eq.Comparison.local("x", "a", "b"), TASK, 0.2, 0.2) == "conflicted"


def test_features_and_benefits_must_be_finite():
    """What is no number is refused with whose it is: the feature, the output and the input."""
    rule = TASK.rule({"x": "a", "y": "a"})
    for value, came in ((float("nan"), "nan"), (None, "None"), ("much", "'much'")):
        odd = eq.LinearFeature("years", lambda x, y, value=value: value if y == "b" else 1.0)
        message = f"feature 'years' of output 'b' at input 'x' is {came}, expected a finite number"
        with pytest.raises(ValueError, match=re.escape(message)):
            eq.utility(odd, rule)
    with pytest.raises(ValueError, match="count of 'size' of output 'a' at input 'x' is None"):
        eq.utility(eq.Size(lambda x, y: None), rule)
    with pytest.raises(ValueError, match="benefit of 'ann' of output 'a' at input 'x' is None"):
        eq.utility(eq.Egalitarianism(["ann"], lambda i, x, y: None), rule)
    with pytest.raises(
        ValueError, match=re.escape("features['x'] has shape (1, 1), expected (2, 1)")
    ):
        eq.linear_features(["years"], {"x": [[1.0]], "y": [[1.0], [0.0]]}, TASK)


def test_counterparts_must_match_the_tasks_outputs():
    """The map between counterparts must cover all outputs of the first, one-to-one."""
    partial = eq.EqualTreatment([("x", "y", {"a": "a"})])
    with pytest.raises(ValueError, match="the map must cover the outputs"):
        eq.utility(partial, TASK.rule({"x": "a", "y": "a"}))


def test_removing_priorities_rescales_the_rest():
    """M without some priorities: the same others, weights summing to one again."""
    sizes = [eq.Size(lambda x, y: 1, name=name) for name in "abc"]
    model = eq.PriorityModel(sizes, [0.5, 0.2, 0.3])
    rest = model.without([0])
    assert [priority.name for priority in rest.priorities] == ["b", "c"]
    np.testing.assert_allclose(rest.weights, [0.4, 0.6])
    with pytest.raises(ValueError, match="removing every priority leaves no model"):
        model.without([0, 1, 2])
    with pytest.raises(ValueError, match="all have weight 0"):
        eq.PriorityModel(sizes, [1, 0, 0]).without([0])


def test_groups_may_have_any_hashable_names():
    """A name that is a tuple or a number is one name; several names are a collection of them."""
    tuples = eq.Proportionality(lambda x, y: ("G", y), {("G", "a"): 0.5, ("G", "b"): 0.5})
    numbers = eq.Proportionality(lambda x, y: "ab".index(y), {0: 0.5, 1: 0.5})
    several = eq.Proportionality(lambda x, y: [y, "all"], {"a": 0.5, "b": 0.5, "all": 1.0})
    rule = TASK.rule({"x": "a", "y": "a"})
    for priority in (tuples, numbers, several):
        assert eq.utility(priority, rule) == pytest.approx(-0.5)


def test_ranges_that_are_only_rounding_are_no_ranges():
    """A utility that is constant but for rounding isn't blown up to a range of one."""
    silent = eq.CustomPriority(
        "silent", lambda rule: sum([0.1, 0.2, 0.3][:: 1 - 2 * (rule["x"] == "a")])
    )
    assert eq.utility_range(silent, TASK) == eq.UtilityRange(0.0, "exact")
    assert eq.utility_range(silent, TASK).divisor(unit_range=True) == 1


def test_ranges_of_endless_tasks_are_refused_in_a_sentence():
    """2^2000 rules are too many even for a float."""
    endless = eq.Task({i: "ab" for i in range(2000)})
    with pytest.raises(ValueError, match=r"the task has about 10\^602 rules, too many to look at"):
        eq.utility_range(eq.CustomPriority("odd", lambda rule: 0.0), endless)


def test_ranges_are_found_once_for_each_task():
    """Searching for the best rule calls a user's function for each rule a few times at most."""
    calls = []
    task = eq.Task({i: "ab" for i in range(17)})  # two chunks
    counted = eq.CustomPriority("counted", lambda rule: calls.append(1) or float(rule[0] == "a"))
    model = eq.PriorityModel([counted], [1.0])
    eq.best_rule(model, task)
    assert len(calls) <= 2 * task.rule_count


def test_models_do_not_change_with_the_arrays_they_were_made_from():
    """Weights are copied and read-only, so that nothing checked once can go wrong later."""
    weights = np.array([0.5, 0.5])
    model = eq.PriorityModel([eq.Size(lambda x, y: 1)] * 2, weights)
    weights[0] = 7
    assert model.weights.tolist() == [0.5, 0.5]
    for array in (
        model.weights,
        TASK.weights,
        eq.Evidence(np.ones((1, 1)), np.ones((1, 1))).favour,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


@pytest.mark.parametrize("removed", [[5], [-1], ["size"]])
def test_only_priorities_that_are_there_can_be_removed(removed):
    """A place that no priority has is refused, rather than removing nothing."""
    model = eq.PriorityModel([eq.Size(lambda x, y: 1)] * 2, [0.5, 0.5])
    with pytest.raises(ValueError, match="expected places of priorities from 0 to 1"):
        model.without(removed)


def test_an_error_in_a_users_function_says_which_priority_it_was():
    """The user's own error comes through, with a note that names the priority."""
    broken = eq.CustomPriority("broken", lambda rule: {}["missing"])
    with pytest.raises(KeyError) as raised:
        eq.utility(broken, TASK.rule({"x": "a", "y": "a"}))
    assert "judged by priority 'broken'" in raised.value.__notes__[0]
