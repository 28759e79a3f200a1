"""Tasks and rules: what they refuse, and the order they keep."""

import re

import numpy as np
import pytest

import equipoise as eq


def test_outputs_and_weights_keep_the_order_given():
    """Inputs, outputs and weights are in the order of the mapping, and weights default to 1/n."""
    task = eq.Task({"z": ("b", "a"), "a": ("c",)})
    assert task.inputs == ("z", "a")
    assert task.outputs["z"] == ("b", "a")
    np.testing.assert_array_equal(task.weights, [0.5, 0.5])
    assert task.rule_count == 2


def test_masses_are_whole_where_weights_are_fractions():
    """Weights typed as decimals become whole numbers over one total, so that sums are exact."""
    task = eq.Task({"x": "ab", "y": "ab", "z": "ab"}, {"x": 0.1, "y": 0.2, "z": 0.7})
    np.testing.assert_array_equal(task.masses, [1, 2, 7])
    assert task.total_mass == 10
    thirds = eq.Task({i: "ab" for i in range(3)})
    np.testing.assert_array_equal(thirds.masses, [1, 1, 1])


def test_masses_are_the_weights_where_they_are_not_fractions():
    """Irrational weights are kept as they are."""
    half = 2**0.5 / 2
    task = eq.Task({"x": "ab", "y": "ab"}, {"x": half, "y": 1 - half})
    np.testing.assert_array_equal(task.masses, task.weights)
    assert task.total_mass == 1


@pytest.mark.parametrize(
    ("outputs", "weights", "message"),
    [
        ({}, None, "outputs is empty: a task needs at least one input"),
        ({"x": ()}, None, "outputs['x'] is empty: every input needs an allowed output"),
        ({"x": ("a", "a")}, None, "outputs['x'] lists an output twice: ('a', 'a')"),
        (["x"], None, "outputs is ['x'], expected a mapping from each input to its outputs"),
        ({"x": 5}, None, "outputs['x'] is 5, expected several hashable outputs"),
        ({"x": ([1], [2])}, None, "outputs['x'] is ([1], [2]), expected several hashable"),
        ({"x": {"a", "b"}}, None, "outputs['x'] is a set, expected an order"),
        ({"x": "ab"}, [1.0], "weights is [1.0], expected a mapping from inputs to numbers"),
        ({"x": "ab"}, {"y": 1.0}, "weights and outputs must name the same inputs"),
        ({"x": "ab"}, {"x": -1.0}, "weights['x'] is -1.0, expected a number of at least 0"),
        ({"x": "ab"}, {"x": 0.5}, "weights sum to 0.5, expected 1"),
        ({"x": "ab"}, {"x": float("nan")}, "weights[0] is nan, expected a finite number"),
        ({"x": "ab"}, {"x": "much"}, "weights must be an array of numbers"),
    ],
)
def test_bad_tasks_are_refused_in_a_sentence(outputs, weights, message):
    """The error names the argument, what came, and what was expected."""
    with pytest.raises(ValueError, match=re.escape(message)):
        eq.Task(outputs, weights)


def test_rules_are_mappings_and_equal_when_they_choose_alike():
    """A rule is a read-only mapping, hashable, and complete."""
    task = eq.Task({"x": "ab", "y": "ab"})
    rule = task.rule({"x": "a", "y": "b"})
    assert rule == {"x": "a", "y": "b"}
    assert rule == task.rule({"y": "b", "x": "a"})
    assert len({rule, task.rule({"x": "a", "y": "b"})}) == 1
    assert rule.get("nowhere") is None
    assert "nowhere" not in rule
    with pytest.raises(ValueError, match="a rule needs an output at every input; 'y' has none"):
        task.rule({"x": "a"})
    with pytest.raises(ValueError, match="'nowhere' is not an input of the task"):
        task.rule({"x": "a", "y": "b", "nowhere": "a"})
    with pytest.raises(ValueError, match="'nowhere' is not an input of the task"):
        rule.project({"nowhere": "a"})
    with pytest.raises(ValueError, match=re.escape("output ['a'] is not allowed at input 'x'")):
        rule.project({"x": ["a"]})
    with pytest.raises(ValueError, match="outputs is None, expected a mapping"):
        rule.project(None)
    with pytest.raises(ValueError, match="choices is None, expected a mapping"):
        task.rule(None)
    with pytest.raises(ValueError, match=re.escape("codes are [9, 0], expected for each input")):
        eq.Rule(task, [9, 0])
    with pytest.raises(ValueError, match=re.escape("rule is {'x': 'a'}, expected a Rule")):
        eq.these_rules(task, [{"x": "a"}])
    assert len(eq.these_rules(task, [])) == 0


def test_boxes_split_into_chunks_in_order():
    """However small the chunks, together they are all rules, in the order of the whole."""
    task = eq.Task({"x": "abc", "y": "a", "z": "ab", "w": "abcd"})
    whole = [tuple(rule.values()) for rule in eq.all_rules(task)]
    for limit in (1, 2, 3, 5, 8, 11, 24, 100):
        chunks = list(eq.all_rules(task).chunks(limit))
        assert [tuple(rule.values()) for chunk in chunks for rule in chunk] == whole
        assert max(map(len, chunks)) <= limit
    assert len(list(eq.all_rules(task).chunks(24))) == 1


def test_boxes_and_lists_give_the_same_totals_and_codes():
    """Enumerated by structure or listed one by one, rules have the same numbers."""
    rng = np.random.default_rng(3)
    task = eq.Task({"x": "abc", "y": "ab", "z": "abcd"})
    tables = [rng.random((len(ys), 2)) for ys in task.outputs.values()]
    box = eq.all_rules(task)
    listed = eq.these_rules(task, list(box))
    np.testing.assert_allclose(box.totals(tables), listed.totals(tables), rtol=1e-14)
    for position in range(3):
        np.testing.assert_array_equal(box.codes(position), listed.codes(position))


def test_random_rules_are_uniform():
    """Every rule is as likely: a chi-square test at a level that a correct draw passes."""
    task = eq.Task({"x": "abc", "y": "ab"})
    drawn = eq.random_rules(task, 6000, np.random.default_rng(5))
    counts = {}
    for rule in drawn:
        counts[rule] = counts.get(rule, 0) + 1
    statistic = sum((n - 1000) ** 2 / 1000 for n in counts.values())
    assert len(counts) == 6
    assert statistic < 25.7  # the 1 - 1e-4 quantile with five degrees of freedom


def test_more_rules_than_fit_in_memory_are_refused_in_a_sentence():
    """Thirty binary inputs have a billion rules: they can be taken in parts, not at once."""
    task = eq.Task({i: "ab" for i in range(30)})
    model = eq.PriorityModel([eq.Size(lambda x, y: 1)], [1.0])
    with pytest.raises(ValueError, match="1,073,741,824 rules, too many to hold at once"):
        model.utilities(eq.all_rules(task))
    assert len(next(eq.all_rules(task).chunks())) == 2**16
