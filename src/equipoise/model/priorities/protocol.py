"""What a priority is, and what it may tell about itself so that evidence is found faster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from equipoise.model.comparisons import Comparison
from equipoise.model.rule_sets import RuleSet, these_rules
from equipoise.model.tasks import Input, Rule, Task, checked_rule


@runtime_checkable
class Priority(Protocol):
    """One way of judging whole rules: a utility for every rule of a task.

    Anything with these two is a priority. If it also has `range_bound` (see `Bounded`) it can be
    used on tasks with very many rules, and with `gap_sum` (see `Summed`) its evidence is found
    without looking at them. `equipoise.testing.check_priority` checks what it promises.

    Paper: sec:pluralistic

    Examples
    --------
    >>> class SameEverywhere:
    ...     name = "same everywhere"
    ...     def utilities(self, rules):
    ...         return np.array([float(len(set(rule.values())) == 1) for rule in rules])
    >>> isinstance(SameEverywhere(), Priority)
    True
    """

    @property
    def name(self) -> str:
        """How people call it."""
        ...

    def utilities(self, rules: RuleSet) -> NDArray[np.float64]:
        """Return u(F) for every rule F; shape (rules,)."""
        ...


@runtime_checkable
class Bounded(Protocol):
    """A priority that can say how far apart two rules can be at most."""

    def range_bound(self, task: Task) -> float | None:
        """Return a number that u(F) - u(F') never exceeds, or None where none is known."""
        ...


@dataclass(frozen=True)
class GapSum:
    r"""A projection gap that sees the background only through sums over its inputs.

    .. math:: \Delta^F(q) = \text{read}\Big(\sum_{x \notin q} \text{parts}_x(F(x))\Big)

    Attributes
    ----------
    width
        k, how many sums there are; zero where the gap is the same over every background.
    parts
        For inputs outside the comparison, an array (outputs, k): k numbers for each output.
        Inputs that are left out contribute nothing.
    read
        From sums (k, states) to gaps (states,).
    slope
        If every sum is off by at most e, the gap is off by at most `slope` times e, also for
        sums that no background has.
    affine
        Whether there is one sum, and the gap is a multiple of it plus a number. Then the average
        gap and the last gaps follow without counting.
    """

    width: int
    parts: Mapping[Input, NDArray[np.float64]]
    read: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    slope: float
    affine: bool = False

    def __post_init__(self) -> None:
        if self.affine and self.width != 1:
            raise ValueError(f"width is {self.width}, expected 1: an affine gap has one sum")

    @classmethod
    def constant(cls, gap: float) -> GapSum:
        """Return the gap sum of a gap that is the same over every background."""
        return cls(0, {}, lambda sums: np.full(sums.shape[1], gap), 0.0)


@runtime_checkable
class Summed(Protocol):
    """A priority whose projection gaps are read off sums over the background's inputs."""

    def gap_sum(self, comparison: Comparison, task: Task) -> GapSum:
        """Return the projection gap as a function of sums over the background."""
        ...


@runtime_checkable
class Separable(Protocol):
    """A priority that is perfectly separable by construction: a sum of scores over inputs."""

    def scores(self, task: Task) -> list[NDArray[np.float64]]:
        """Return, for every input x, the part of u that each output adds; shapes (outputs,)."""
        ...


def checked_priorities(priorities: Iterable[Priority]) -> tuple[Priority, ...]:
    """Return the priorities, refusing anything that isn't one."""
    if isinstance(priorities, Priority) or not isinstance(priorities, Iterable):
        raise ValueError(f"priorities is {priorities!r}, expected a list of priorities")
    listed = tuple(priorities)
    for j, priority in enumerate(listed):
        if isinstance(priority, type) or not isinstance(priority, Priority):
            raise ValueError(
                f"priorities[{j}] is {priority!r}, expected a priority: an object with a "
                "`name` and a method `utilities`"
            )
    return listed


def checked_utilities(priority: Priority, rules: RuleSet) -> NDArray[np.float64]:
    """Return the utilities of `rules`, refusing a wrong shape or a number that is not finite."""
    try:
        returned = priority.utilities(rules)
    except Exception as error:
        error.add_note(f"This happened while rules were judged by priority {priority.name!r}.")
        raise
    try:
        values = np.asarray(returned, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"priority {priority.name!r} returned {returned!r}, expected one number for each of "
            f"{len(rules)} rules"
        ) from None
    if values.shape != (len(rules),):
        raise ValueError(
            f"priority {priority.name!r} returned utilities of shape {values.shape}, "
            f"expected one for each rule: ({len(rules)},)"
        )
    if not np.isfinite(values).all():
        worst = values[~np.isfinite(values)][0]
        raise ValueError(
            f"priority {priority.name!r} returned the utility {worst}, expected a finite number"
        )
    return values


def utility(priority: Priority, rule: Rule) -> float:
    """Return u(F) of one rule.

    Paper: sec:pluralistic

    Examples
    --------
    >>> from equipoise.model.priorities import Membership
    >>> family = Membership(lambda x, y: y == "a")
    >>> utility(family, Task({"x": ("a", "b")}).rule({"x": "a"}))
    1.0
    """
    checked_rule(rule)
    return float(checked_utilities(priority, these_rules(rule.task, [rule]))[0])
