"""A priority given as a Python function."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from equipoise.model.checks import function_argument
from equipoise.model.rule_sets import RuleSet
from equipoise.model.tasks import Rule, Task


class CustomPriority:
    """A priority whose utility is any function of a rule.

    Paper: sec:pluralistic

    Parameters
    ----------
    name
        How people call it.
    function
        From a rule, a mapping input -> output, to its utility.
    bound
        A number that two rules' utilities never differ by more than. Without it the range is
        found by looking at every rule, so a task with very many rules needs it.

    Examples
    --------
    >>> from equipoise.model.priorities import utility
    >>> task = Task({"x1": ("a", "b"), "x2": ("a", "b")})
    >>> alike = CustomPriority("same everywhere", lambda rule: float(rule["x1"] == rule["x2"]))
    >>> utility(alike, task.rule({"x1": "a", "x2": "a"}))
    1.0
    """

    def __init__(
        self, name: str, function: Callable[[Rule], float], bound: float | None = None
    ) -> None:
        if bound is not None and not (isinstance(bound, Real) and 0 < bound < math.inf):
            raise ValueError(f"bound of {name!r} is {bound!r}, expected a positive number")
        self._name = name
        self._bound = bound
        self._function = function_argument(function, "function")

    @property
    def name(self) -> str:
        """How people call it."""
        return self._name

    def range_bound(self, task: Task) -> float | None:
        """Return the bound that was given, if any."""
        return self._bound

    def utilities(self, rules: RuleSet) -> NDArray[np.float64]:
        """Return u(F) for every rule F; shape (rules,)."""
        return np.array([self._number(rule) for rule in rules], dtype=np.float64)

    def _number(self, rule: Rule) -> float:
        value = self._function(rule)
        if np.ndim(value) != 0 or not isinstance(value, Real | np.bool_):
            raise ValueError(
                f"priority {self.name!r} returned {value!r} for a rule, expected one number"
            )
        return float(value)
