"""Best rules and regret: what they refuse, and many inputs."""

import re

import numpy as np
import pytest
from hypothesis import given
from strategies import generators, simplex

import equipoise as eq
from equipoise.model.linear_rules import average_regrets, worst_case_regrets
from equipoise.model.rules import LARGEST_SEARCH


def test_the_best_rule_of_separable_priorities_needs_no_search():
    """A thousand inputs, input by input; ties go to the first output."""
    task = eq.Task({i: ("a", "b", "c") for i in range(1000)})
    sizes = eq.Size(lambda x, y: {"a": 1, "b": 2, "c": 2}[y])
    family = eq.Membership(lambda x, y: y == "c" and x % 2 == 0)
    model = eq.PriorityModel([sizes, family], [0.5, 0.5])
    best = eq.best_rule(model, task)
    assert [best[x] for x in range(4)] == ["c", "b", "c", "b"]
    assert eq.regret(model, best) == 0


def test_a_search_that_would_never_end_is_refused():
    """Too many rules to look at each: the error says so."""
    task = eq.Task({i: ("a", "b") for i in range(60)})
    assert task.rule_count > LARGEST_SEARCH
    fair = eq.Proportionality(lambda x, y: y, {"a": 0.5})
    with pytest.raises(ValueError, match="too many to look at each"):
        eq.best_rule(eq.PriorityModel([fair], [1.0]), task)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: eq.worst_case_regret([0.5, 0.4], [0.5, 0.5]), "true sum to 0.9, expected 1"),
        (lambda: eq.worst_case_regret([1.0], [0.5, 0.5]), "learned has shape (2,), expected (1,)"),
        (
            lambda: eq.average_regret([1.0], [1.0], [[1.0, 2.0]]),
            "inputs has shape (1, 2), expected (any, any, 1)",
        ),
        (
            lambda: eq.average_regret([0.5, 0.5], [1.0], np.zeros((1, 2, 2))),
            "learned has shape (1,), expected (2,)",
        ),
        (
            lambda: eq.average_regret([1.0], [1.0], np.zeros((3, 0, 1))),
            "inputs has shape (3, 0, 1), expected at least one output at each",
        ),
        (
            lambda: eq.linear_choices([1.0], np.zeros((3, 0, 1))),
            "inputs has shape (3, 0, 1), expected at least one output at each",
        ),
        (lambda: eq.linear_choices([-1.0, 2.0], np.zeros((1, 2, 2))), "weights[0] is -1.0"),
    ],
)
def test_bad_weights_and_inputs_are_refused_in_a_sentence(call, message):
    """The error names the argument, what came, and what was expected."""
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


@given(generators())
def test_regrets_of_many_pairs_are_those_of_each(rng):
    """Many true weights and one learned, one true and many learned, or as many of both."""
    m, n, k, t = (int(rng.integers(1, high)) for high in (5, 6, 5, 6))
    one, inputs = simplex(rng, m), rng.random((n, k, m))
    many, others = ([simplex(rng, m) for _ in range(t)] for _ in range(2))
    for true, learned in ((many, one), (one, many), (many, others), (one, one)):
        pairs = list(zip(*(np.broadcast_arrays(np.atleast_2d(true), learned)), strict=True))
        np.testing.assert_allclose(
            average_regrets(true, learned, inputs),
            [eq.average_regret(a, b, inputs) for a, b in pairs],
            atol=1e-12,
        )
        np.testing.assert_allclose(
            worst_case_regrets(true, learned),
            [eq.worst_case_regret(a, b) for a, b in pairs],
            atol=1e-12,
        )


def test_no_regret_is_anything_but_zero_where_nothing_is_lost():
    """To the last digit, for every truth under which the learned rule is best."""
    rng = np.random.default_rng(3)
    inputs, learned = rng.random((50, 4, 1)), [1.0]
    assert average_regrets(np.ones((9, 1)), learned, inputs).tolist() == [0.0] * 9
    assert average_regrets(
        [[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0], [[[0.4, 0], [0.2, 0]]]
    ).tolist() == [
        0.0,
        0.0,
    ]


@pytest.mark.parametrize(
    ("true", "learned", "message"),
    [
        (np.eye(3), np.eye(3)[:2], "true has 3 rows and learned has 2, expected as many, or one"),
        ([[0.5, 0.4]], [0.5, 0.5], "true[0] sum to 0.9, expected 1"),
        ([0.5, 0.5], [1.0], "learned has shape (1, 1), expected (any, 2)"),
    ],
)
def test_weights_that_make_no_pairs_are_refused(true, learned, message):
    """Rows belong together one by one, or one vector stands for all."""
    for call in (worst_case_regrets, lambda a, b: average_regrets(a, b, np.zeros((2, 2, 2)))):
        with pytest.raises(ValueError, match=re.escape(message)):
            call(true, learned)


TASK = eq.Task({"x": "ab", "y": "ab"})
RULE = TASK.rule({"x": "a", "y": "b"})
EVEN = eq.PriorityModel([eq.EqualTreatment([("x", "y", {"a": "a", "b": "b"})])], [1.0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: eq.best_rule([0.5, 0.5], TASK), "model is [0.5, 0.5], expected a person: `Prior"),
        (lambda: eq.best_rules([0.5, 0.5], TASK), "model is [0.5, 0.5], expected a person"),
        (lambda: eq.regret([0.5, 0.5], RULE), "model is [0.5, 0.5], expected a person"),
        (lambda: eq.relation([1.0], RULE, RULE, 0, 0), "model is [1.0], expected a person"),
        (lambda: eq.best_rule(EVEN, {"x": "ab"}), "task is {'x': 'ab'}, expected a Task"),
        (lambda: eq.best_rules(EVEN, {"x": "ab"}), "task is {'x': 'ab'}, expected a Task"),
        (lambda: eq.random_rules(TASK, 3, 7), "rng is 7, expected a generator"),
        (lambda: eq.random_rules("ab", 3, np.random.default_rng(7)), "task is 'ab', expected a T"),
    ],
)
def test_what_is_no_person_task_or_generator_is_named(call, message):
    """Whatever else stands in their place is refused in a sentence."""
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def test_the_best_rules_are_found_in_however_many_parts_they_come():
    """Of 2^17 rules in several parts, the best are the same as looked for one by one."""
    task = eq.Task({i: "ab" for i in range(17)})
    alike = eq.EqualTreatment([(i, i + 1, {"a": "a", "b": "b"}) for i in range(16)])
    model = eq.PriorityModel([alike], [1.0])
    assert [set(rule.values()) for rule in eq.best_rules(model, task)] == [{"a"}, {"b"}]
    assert set(eq.best_rule(model, task).values()) == {"a"}
    late = eq.CustomPriority("late", lambda rule: float(set(rule.values()) == {"b"}), bound=1.0)
    assert set(eq.best_rule(eq.PriorityModel([late], [1.0]), task).values()) == {"b"}
