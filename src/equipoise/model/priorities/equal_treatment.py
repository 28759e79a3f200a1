"""Equal treatment: counterparts should be treated alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from equipoise.model.comparisons import Comparison
from equipoise.model.priorities.protocol import GapSum
from equipoise.model.rule_sets import RuleSet
from equipoise.model.tasks import Input, Output, Task

Counterpart = tuple[Input, Input, Mapping[Output, Output]]
Pair = tuple[Input, Input, NDArray[np.bool_]]


class EqualTreatment:
    r"""The share of counterpart pairs that a rule treats alike.

    .. math:: u(F) = \frac{1}{|C|} \sum_{(x, x', \eta) \in C} 1\{F(x') = \eta(F(x))\}

    Paper: def:equal-treatment-priority

    Parameters
    ----------
    counterparts
        C: triples (x, x', eta) where eta maps each output at x one-to-one to the output at x'
        that corresponds to it.
    name
        How people call it.

    Examples
    --------
    >>> from equipoise.model.priorities import utility
    >>> task = Task({"here": ("a", "b"), "there": ("c", "d")})
    >>> alike = EqualTreatment([("here", "there", {"a": "c", "b": "d"})])
    >>> utility(alike, task.rule({"here": "a", "there": "d"}))
    0.0
    """

    def __init__(self, counterparts: Iterable[Counterpart], name: str = "equal treatment") -> None:
        self._counterparts = [_checked_pair(pair) for pair in counterparts]
        self._name = name
        self._known: WeakKeyDictionary[Task, list[Pair]] = WeakKeyDictionary()
        if not self._counterparts:
            raise ValueError("counterparts is empty: equal treatment needs at least one pair")
        for x, other, eta in self._counterparts:
            if x == other:
                raise ValueError(f"counterparts pair {x!r} with itself, expected two inputs")
            if len(set(eta.values())) < len(eta):
                raise ValueError(
                    f"counterparts {x!r} and {other!r}: two outputs correspond to the same one, "
                    f"expected a one-to-one map, got {eta!r}"
                )

    @property
    def name(self) -> str:
        """How people call it."""
        return self._name

    def _alike(self, task: Task) -> list[Pair]:
        """Return the pairs, each with whether outputs (at x, at x') correspond."""
        if task not in self._known:
            self._known[task] = [
                (x, other, _correspondence(task, x, other, eta))
                for x, other, eta in self._counterparts
            ]
        return self._known[task]

    def utilities(self, rules: RuleSet) -> NDArray[np.float64]:
        """Return u(F) for every rule F; shape (rules,)."""
        task = rules.task
        alike = np.zeros(len(rules))
        for x, other, matches in self._alike(task):
            alike += matches[rules.codes(task.position(x)), rules.codes(task.position(other))]
        return alike / len(self._counterparts)  # def:equal-treatment-priority

    def range_bound(self, task: Task) -> float:
        """Return 1: the utility is a share of pairs."""
        return 1.0

    def gap_sum(self, comparison: Comparison, task: Task) -> GapSum:
        """Return the projection gap as a sum over the neighbours outside the comparison."""
        parts: dict[Input, NDArray[np.float64]] = {}
        within = 0
        for x, other, matches in self._alike(task):
            inside = [end in comparison.first for end in (x, other)]
            if all(inside):
                chosen = [_codes(task, side, (x, other)) for side in _sides(comparison)]
                within += int(matches[chosen[0]]) - int(matches[chosen[1]])
            elif any(inside):
                # Orient the pair: `near` is in the question, `far` is left to the background.
                near, far = (x, other) if inside[0] else (other, x)
                by_near = matches if inside[0] else matches.T
                first, second = (task.code(near, side[near]) for side in _sides(comparison))
                change = by_near[first].astype(np.float64) - by_near[second]
                parts[far] = parts.get(far, 0) + change[:, None]
        pairs = len(self._counterparts)
        return GapSum(
            1, parts, lambda sums: (within + sums[0]) / pairs, slope=1 / pairs, affine=True
        )


def _sides(comparison: Comparison) -> tuple[Mapping[Input, Output], Mapping[Input, Output]]:
    return comparison.first, comparison.second


def _codes(task: Task, side: Mapping[Input, Output], inputs: Iterable[Input]) -> tuple[int, ...]:
    return tuple(task.code(x, side[x]) for x in inputs)


def _checked_pair(pair: Counterpart) -> tuple[Input, Input, dict[Output, Output]]:
    try:
        x, other, eta = pair
        return x, other, dict(eta)
    except (TypeError, ValueError):
        raise ValueError(
            f"counterparts has {pair!r}, expected two inputs and a mapping between their outputs"
        ) from None


def _correspondence(
    task: Task, x: Input, other: Input, eta: Mapping[Output, Output]
) -> NDArray[np.bool_]:
    """Return whether output y' at x' is eta(y), for every y and y'; one row for each y."""
    task.position(x)
    task.position(other)
    if set(eta) != set(task.outputs[x]) or len(task.outputs[x]) != len(task.outputs[other]):
        raise ValueError(
            f"counterparts {x!r} and {other!r}: the map must cover the outputs "
            f"{task.outputs[x]!r} one-to-one onto {task.outputs[other]!r}, got {dict(eta)!r}"
        )
    matches = np.zeros((len(eta), len(eta)), dtype=bool)
    for y, corresponding in eta.items():
        matches[task.code(x, y), task.code(other, corresponding)] = True
    return matches
