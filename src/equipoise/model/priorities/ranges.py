"""The convention that no priority's utility spans more than one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from equipoise.model.checks import magnitude
from equipoise.model.priorities.protocol import (
    Bounded,
    Priority,
    Separable,
    checked_utilities,
)
from equipoise.model.rounding import difference
from equipoise.model.rule_sets import all_rules
from equipoise.model.tasks import Task

# Up to this many rules, looking at each is quick and gives the exact range.
ENUMERATED_RANGE = 2**16
# Without a bound to fall back on, looking at each is worth waiting for.
LARGEST_ENUMERATED_RANGE = 2**22


@dataclass(frozen=True)
class UtilityRange:
    """How far apart the utilities of two rules can be: exactly, or by a proven bound.

    Paper: sec:pluralistic
    """

    width: float
    proof: Literal["exact", "bound"]

    def divisor(self, unit_range: bool = False) -> float:
        """Return what utilities are divided by, so that two rules differ by at most one.

        A utility that already keeps to this is left alone, unless `unit_range` asks for a
        range of exactly one. A priority that judges all rules alike is always left alone.
        """
        if unit_range and self.width > 0:
            return self.width
        return max(1.0, self.width)


def utility_range(priority: Priority, task: Task) -> UtilityRange:
    """Return the range of a priority's utility over all rules of a task.

    Paper: sec:pluralistic

    Examples
    --------
    >>> from equipoise.model.priorities import CustomPriority
    >>> loud = CustomPriority("loud", lambda rule: 4.0 * (rule["x"] == "a"))
    >>> utility_range(loud, Task({"x": ("a", "b")}))
    UtilityRange(width=4.0, proof='exact')
    """
    if isinstance(priority, Separable):
        # Every input at its best less every input at its worst.
        width = sum(float(np.ptp(scores)) for scores in priority.scores(task))
        return UtilityRange(width, "exact")
    if task.rule_count <= ENUMERATED_RANGE:
        return UtilityRange(_enumerated_range(priority, task), "exact")
    bound = priority.range_bound(task) if isinstance(priority, Bounded) else None
    if bound is not None:
        return UtilityRange(bound, "bound")
    if task.rule_count <= LARGEST_ENUMERATED_RANGE:
        return UtilityRange(_enumerated_range(priority, task), "exact")
    raise ValueError(
        f"the range of priority {priority.name!r} is unknown and the task has "
        f"{magnitude(task.rule_count)} rules, too many to look at: give it a bound, by "
        "`CustomPriority(..., bound=...)` or a method `range_bound(task)`"
    )


def _enumerated_range(priority: Priority, task: Task) -> float:
    low, high = np.inf, -np.inf
    for rules in all_rules(task).chunks():
        values = checked_utilities(priority, rules)
        low, high = min(low, values.min()), max(high, values.max())
    return float(difference(high, low))
