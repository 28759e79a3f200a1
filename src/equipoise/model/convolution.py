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
from equipoise.model.tasks import Input, Task

# As many different sums as are worth counting one by one.
LARGEST_LATTICE = 2 * 10**6
# Where parts must be rounded: a grid as fine as 4 MB of counts, which takes a few seconds.
ROUNDED_BITS = 2**25

Parts = Mapping[Input, NDArray[np.float64]]


@dataclass(frozen=True)
class _Grid:
    """The parts of a sum as whole numbers of steps above the least part of each input.

    Attributes
    ----------
    steps
        For each input, whole numbers from zero on; shapes (|Y(x)|, k).
    start
        The sum of the least parts; shape (k,).
    unit
        How long a step is; shape (k,).
    error
        How far a sum on the grid can be from the true one.
    """

    steps: list[NDArray[np.int64]]
    start: NDArray[np.float64]
    unit: NDArray[np.float64]
    error: float

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many values each sum can have."""
        return tuple((1 + np.sum([steps.max(axis=0) for steps in self.steps], axis=0)).tolist())


@dataclass(frozen=True)
class GapCounting:
    """What is to be counted for the gaps of one priority at one comparison.

    Attributes
    ----------
    error
        No gap that `count` returns is farther than this from the true one: zero where the parts
        are whole multiples of a unit with at most `LARGEST_LATTICE` different sums. Otherwise
        they are rounded to a grid.
    """

    gap_sum: GapSum
    grid: _Grid | None  # None where the gap is the same over every background
    constant: NDArray[np.float64]  # what inputs without a say add to the sums; shape (k,)
    fixed_total: float | None  # what all k sums come to, where that is always the same
    multiplicity: int  # how many rules differ only at inputs without a say

    @property
    def error(self) -> float:
        """How far a gap can be off."""
        return 0.0 if self.grid is None else self.gap_sum.slope * self.grid.error

    def count(self) -> Chunk:
        """Return the gaps over all background rules and how many rules have each."""
        if self.grid is None:
            gaps = self.gap_sum.read(self.constant[:, None])
            return gaps, np.array([self.multiplicity], dtype=object)
        sums, ways = _count(self.grid)
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
    width = max((part.shape[1] for part in gap_sum.parts.values()), default=1)
    constant = np.zeros(width)
    for x in gap_sum.parts.keys() - parts.keys():
        constant += gap_sum.parts[x][0]
    multiplicity = math.prod(len(ys) for x, ys in task.outputs.items() if x not in parts)
    if not parts:
        return GapCounting(gap_sum, None, constant, None, multiplicity)
    fixed_total = _fixed_total(parts)
    if fixed_total is not None:
        parts = {x: part[:, :-1] for x, part in parts.items()}
    grid = _exact_grid(parts)
    if grid is None or math.prod(grid.lengths) > LARGEST_LATTICE:
        grid = _rounded_grid(parts, task.rule_count)
    return GapCounting(gap_sum, grid, constant, fixed_total, multiplicity)


def _fixed_total(parts: Parts) -> float | None:
    """Return the sum of all k sums where it is the same for every background, else None.

    Then one of them follows from the others, such as the last recipient's benefits where every
    output benefits exactly one.
    """
    totals = [part.sum(axis=1) for part in parts.values()]
    several = all(part.shape[1] > 1 for part in parts.values())
    if several and all((total == total[0]).all() for total in totals):
        return float(sum(total[0] for total in totals))
    return None


def _exact_grid(parts: Parts) -> _Grid | None:
    """Return the grid on which all parts lie, if there is one."""
    above = [part - part.min(axis=0) for part in parts.values()]
    units = [common_unit(column) for column in np.concatenate(above).T]
    if any(unit is None for unit in units):
        return None
    unit = np.array([float(unit) for unit in units if unit is not None])
    steps = [np.rint(part / unit).astype(np.int64) for part in above]
    return _Grid(steps, _least(parts), unit, error=0.0)


def _rounded_grid(parts: Parts, rules: int) -> _Grid:
    """Return a grid near the parts, as fine as `ROUNDED_BITS` allow."""
    above = [part - part.min(axis=0) for part in parts.values()]
    span = np.sum([part.max(axis=0) for part in above], axis=0)
    per_sum = (ROUNDED_BITS / rules.bit_length()) ** (1 / len(span))
    # Each input's steps may round up by a half.
    room = max(1.0, per_sum - 1 - len(parts) / 2)
    unit = np.where(span > 0, span, 1.0) / room
    steps = [np.rint(part / unit).astype(np.int64) for part in above]
    off = [np.abs(part - unit * step).max(axis=0) for part, step in zip(above, steps, strict=True)]
    return _Grid(steps, _least(parts), unit, error=float(np.sum(off, axis=0).max()))


def _least(parts: Parts) -> NDArray[np.float64]:
    return np.sum([part.min(axis=0) for part in parts.values()], axis=0, dtype=np.float64)


def _count(grid: _Grid) -> tuple[NDArray[np.float64], NDArray[np.object_]]:
    """Return the sums (k, states) that occur on a grid and how many ways lead to each."""
    # A row of k step numbers becomes one number, as in a positional system that never carries.
    lengths = grid.lengths
    strides = np.array([math.prod(lengths[i + 1 :]) for i in range(len(lengths))])
    indices = [(steps @ strides).tolist() for steps in grid.steps]
    lowest = sum(min(index) for index in indices)
    places = Counter(tuple(sorted(i - min(index) for i in index)) for index in indices)
    ways = {lowest + above: n for above, n in enumerate(count_sums(places)) if n}
    steps = np.array(list(ways)) // strides[:, None] % np.array(lengths)[:, None]
    counts = np.array(list(ways.values()), dtype=object)
    return grid.start[:, None] + grid.unit[:, None] * steps, counts
