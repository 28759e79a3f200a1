"""Projection gaps over background rules: of every one of them, or of a random sample."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from equipoise.model.aggregation import Chunk
from equipoise.model.comparisons import Comparison
from equipoise.model.priorities import Priority, checked_utilities
from equipoise.model.rounding import difference
from equipoise.model.rule_sets import RuleBox, RuleList, all_rules, random_rules
from equipoise.model.tasks import Task


def projection_gaps(
    priority: Priority, comparison: Comparison, background: RuleList | RuleBox
) -> NDArray[np.float64]:
    r"""Return the gap over each background rule F; over a box, over its different projections.

        .. math:: \Delta_j^F(q) = u_j(F_{x \to y}) - u_j(F_{x \to y'})

        Paper: eq:local-evidence

    Examples
    --------
    >>> from equipoise.model.priorities import Egalitarianism
    >>> from equipoise.model.rule_sets import these_rules
    >>> task = Task({"x1": ("a", "b"), "x2": ("a", "b")})
    >>> equal = Egalitarianism(["a", "b"], lambda i, x, y: float(y == i))
    >>> background = these_rules(task, [task.rule({"x1": "a", "x2": "b"})])
    >>> projection_gaps(equal, Comparison.local("x1", "a", "b"), background)
    array([1.])
    """
    toward_first = checked_utilities(priority, background.project(comparison.first))
    toward_second = checked_utilities(priority, background.project(comparison.second))
    return difference(toward_first, toward_second)  # eq:local-evidence


def enumerated_gaps(priority: Priority, comparison: Comparison, task: Task) -> Iterator[Chunk]:
    """Iterate over the gaps of all background rules, each with how many rules have it.

    Two rules that differ only inside the comparison have the same projections. So one of each
    is looked at, and counts for as many rules as there are.
    """
    outside = all_rules(task).project(comparison.first)
    multiplicity = task.rule_count // len(outside)
    for background in outside.chunks():
        gaps = projection_gaps(priority, comparison, background)
        yield gaps, multiplicity


def sampled_gaps(
    priority: Priority, comparison: Comparison, task: Task, size: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return the gaps of background rules drawn uniformly at random; shape (size,)."""
    return projection_gaps(priority, comparison, random_rules(task, size, rng))
