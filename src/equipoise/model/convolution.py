"""Projection gaps over all background rules, without listing the rules.

When a gap reads the background only through sums over inputs (`GapSum`), it's enough to know how
many rules have each sum. Outputs at different inputs are chosen independently of each other, so
that is a matter of counting.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equipoise.model.aggregation import Chunk
from equipoise.model.comparisons import Comparison
from equipoise.model.counting import count_sums
from equipoise.model.lattice import common_unit
from equipoise.model.priorities import GapSum, Summed
from equipoise.model.rule_sets import all_rules
from equipoise.model.tasks import Input, Task

# As many different sums as are worth telling apart.
LARGEST_LATTICE = 2 * 10**6
# Where parts must be rounded: a grid as fine as 4 MB of counts, which takes a few seconds.
ROUNDED_BITS = 2**25

Parts = Mapping[Input, NDArray[np.float64]]


@dataclass(frozen=True)
class GapCounting:
    """What is to be counted for the gaps of one priority at one comparison.

    Attributes
    ----------
    error
        No gap that `count` returns is farther than this from the true one. It is zero where
        there are at most `LARGEST_LATTICE` different sums: because the parts are whole multiples
        of a unit, or because backgrounds are few. Otherwise the parts are rounded to a grid.
    """

    gap_sum: GapSum
    sums: _Listed | _Grid
    constant: NDArray[np.float64]  # what inputs without a say add to the sums; shape (k,)
    fixed_total: float | None  # what all k sums come to, where that is always the same
    multiplicity: int  # how many rules differ only at inputs without a say

    @property
    def error(self) -> float:
        """How far a gap can be off."""
        # A last sum that follows from the others may be off by as much as all of them together.
        last = self.sums.error_of_total if self.fixed_total is not None else 0.0
        return self.gap_sum.slope * max(self.sums.error, last)

    def count(self) -> Chunk:
        """Return the gaps over all background rules and how many rules have each."""
        sums, ways = self.sums.count()
        if self.fixed_total is not None:
            sums = np.vstack([sums, self.fixed_total - sums.sum(axis=0)])
        return self.gap_sum.read(sums + self.constant[:, None]), ways * self.multiplicity


def gap_counting(priority: Summed, comparison: Comparison, task: Task) -> GapCounting:
    """Prepare counting the background rules that have each projection gap.

    Paper: eq:local-evidence

    Examples
    --------
    >>> from equipoise.model.priorities import Proportionality
    >>> task = Task({x: ("a", "b") for x in range(1000)})
    >>> fair = Proportionality(lambda x, y: y, {"a": 0.5, "b": 0.5})
    >>> gaps, counts = gap_counting(fair, Comparison.local(0, "a", "b"), task).count()
    >>> len(gaps), counts.sum() == 2**1000
    (1000, True)
    """
    gap_sum = priority.gap_sum(comparison, task)
    parts = {x: part for x, part in gap_sum.parts.items() if np.ptp(part, axis=0).any()}
    constant = np.zeros(gap_sum.width)
    for x, part in gap_sum.parts.items():
        if x not in parts:
            constant += part[0]
    multiplicity = math.prod(len(ys) for x, ys in task.outputs.items() if x not in parts)
    fixed_total = _fixed_total(parts)
    if fixed_total is not None:
        parts = {x: part[:, :-1] for x, part in parts.items()}
    return GapCounting(gap_sum, _sums(parts, gap_sum.width), constant, fixed_total, multiplicity)


def _fixed_total(parts: Parts) -> float | None:
    """Return the sum of all k sums where it is the same for every background, else None.

    Then one of them follows from the others, such as the last recipient's benefits where every
    output benefits exactly one.
    """
    if not parts or next(iter(parts.values())).shape[1] == 1:
        return None
    totals = [part.sum(axis=1) for part in parts.values()]
    if all((total == total[0]).all() for total in totals):
        return float(sum(total[0] for total in totals))
    return None


def _sums(parts: Parts, width: int) -> _Listed | _Grid:
    """Choose how to count the sums: exactly if that can be done."""
    backgrounds = math.prod(len(part) for part in parts.values())
    grid = _exact_grid(parts) if parts else None
    if grid is not None and math.prod(grid.lengths) <= LARGEST_LATTICE:
        return grid
    if backgrounds <= LARGEST_LATTICE:
        return _Listed(parts, width)
    return _rounded_grid(parts, backgrounds)


@dataclass(frozen=True)
class _Listed:
    """Sums of few backgrounds, one by one."""

    parts: Parts
    width: int
    error: float = 0.0
    error_of_total: float = 0.0

    def count(self) -> tuple[NDArray[np.float64], NDArray[np.object_]]:
        """Return the sum of each background (k, backgrounds), each reached in one way."""
        if not self.parts:
            return np.zeros((self.width, 1)), np.array([1], dtype=object)
        places = Task({x: range(len(part)) for x, part in self.parts.items()})
        sums = all_rules(places).totals(list(self.parts.values()))
        return sums, np.ones(sums.shape[1], dtype=object)


@dataclass(frozen=True)
class _Grid:
    """Sums whose parts are whole numbers of steps above the least part of each input.

    Attributes
    ----------
    steps
        For each input, whole numbers from zero on; shapes (outputs, k).
    start
        The sum of the least parts; shape (k,).
    unit
        How long a step is; shape (k,).
    error
        How far any of the k sums on the grid can be from the true one.
    error_of_total
        How far all k of them added up can be.
    """

    steps: list[NDArray[np.int64]]
    start: NDArray[np.float64]
    unit: NDArray[np.float64]
    error: float = 0.0
    error_of_total: float = 0.0

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many values each sum can have."""
        return tuple((1 + np.sum([steps.max(axis=0) for steps in self.steps], axis=0)).tolist())

    def count(self) -> tuple[NDArray[np.float64], NDArray[np.object_]]:
        """Return the sums (k, states) that occur and how many ways lead to each."""
        # A row of k step numbers becomes one number, as in a positional system: no sum carries.
        lengths = self.lengths
        strides = np.array([math.prod(lengths[i + 1 :]) for i in range(len(lengths))])
        indices = [(steps @ strides).tolist() for steps in self.steps]
        lowest = sum(min(index) for index in indices)
        places = Counter(tuple(sorted(i - min(index) for i in index)) for index in indices)
        ways = {lowest + above: n for above, n in enumerate(count_sums(places)) if n}
        steps = np.array(list(ways)) // strides[:, None] % np.array(lengths)[:, None]
        counts = np.array(list(ways.values()), dtype=object)
        return self.start[:, None] + self.unit[:, None] * steps, counts


def _exact_grid(parts: Parts) -> _Grid | None:
    """Return the grid on which all parts lie, if there is one."""
    above = [part - part.min(axis=0) for part in parts.values()]
    units = [common_unit(column) for column in np.concatenate(above).T]
    if any(unit is None for unit in units):
        return None
    unit = np.array([float(unit) for unit in units if unit is not None])
    steps = [np.rint(part / unit).astype(np.int64) for part in above]
    return _Grid(steps, _least(parts), unit)


def _rounded_grid(parts: Parts, backgrounds: int) -> _Grid:
    """Return a grid near the parts, as fine as `ROUNDED_BITS` allow."""
    above = [part - part.min(axis=0) for part in parts.values()]
    span = np.sum([part.max(axis=0) for part in above], axis=0)
    per_sum = (ROUNDED_BITS / backgrounds.bit_length()) ** (1 / len(span))
    unit = np.where(span > 0, span, 1.0) / max(1.0, per_sum - 1)
    steps = [np.rint(part / unit).astype(np.int64) for part in above]
    off = [part - unit * step for part, step in zip(above, steps, strict=True)]
    return _Grid(
        steps,
        _least(parts),
        unit,
        error=float(np.sum([np.abs(part).max(axis=0) for part in off], axis=0).max()),
        error_of_total=float(sum(np.abs(part.sum(axis=1)).max() for part in off)),
    )


def _least(parts: Parts) -> NDArray[np.float64]:
    return np.sum([part.min(axis=0) for part in parts.values()], axis=0, dtype=np.float64)
