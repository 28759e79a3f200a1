"""Best rules and regret: what they refuse, and many inputs."""

import re

import numpy as np
import pytest

import equipoise as eq
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
        (lambda: eq.worst_case_regret([1.0], [0.5, 0.5]), "learned has shape (2,), expected (1)"),
        (
            lambda: eq.average_regret([1.0], [1.0], [[1.0, 2.0]]),
            "inputs has shape (1, 2), expected (any, any, 1)",
        ),
        (
            lambda: eq.average_regret([0.5, 0.5], [1.0], np.zeros((1, 2, 2))),
            "learned has shape (1,), expected (2)",
        ),
        (lambda: eq.linear_choices([-1.0, 2.0], np.zeros((1, 2, 2))), "weights[0] is -1.0"),
    ],
)
def test_bad_weights_and_inputs_are_refused_in_a_sentence(call, message):
    """The error names the argument, what came, and what was expected."""
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
