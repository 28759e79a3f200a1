"""Projection gaps over all background rules, without listing the rules.

When a gap reads the background only through sums over inputs (`GapSum`), it's enough to know how
many rules have each sum. Outputs at different inputs are chosen independently of each other, so
that is a matter of counting. What is asked for decides how far: the last gaps need only the sums
that occur, an average only their shares, and a percentile the shares unless it's a close thing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from equipoise.model.aggregation import Chunk
from equipoise.model.comparisons import Comparison
from equipoise.model.counting import Places, Shares, count_sums, occurring_sums, shares_of_sums
from equipoise.model.lattice import common_unit
from equipoise.model.priorities import GapSum, Summed
from equipoise.model.rounding import ROUNDING
from equipoise.model.rule_sets import all_rules
from equipoise.model.tasks import Input, Task

# As many different sums as are worth telling apart.
LARGEST_LATTICE = 2 * 10**6
# Where parts must be rounded: a grid so fine that this many additions tell how often each sum
# occurs, which takes a fraction of a second.
ROUNDED_ADDITIONS = 2**28

Parts = Mapping[Input, NDArray[np.float64]]


@dataclass(frozen=True)
class GapCounting:
    """The distribution of one priority's gap at one comparison, found as far as it's asked for.

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

    gap_sum: GapSum
    parts: Parts  # of the inputs that have a say: whose parts are not all the same
    constant: NDArray[np.float64]  # what inputs without a say add to the sums; shape (k,)
    fixed_total: float | None  # what all k sums come to, where that is always the same
    multiplicity: int  # how many rules differ only at inputs without a say

    @cached_property
    def sums(self) -> _Listed | _Grid:
        """The sums over inputs that have a say, without one that follows from the others."""
        if self.fixed_total is None:
            return _sums(self.parts, self.gap_sum.width)
        return _sums({x: part[:, :-1] for x, part in self.parts.items()}, self.gap_sum.width)

    @property
    def error(self) -> float:
        """How far a gap can be off, unless it follows from an `affine` sum.

        It is zero where there are at most `LARGEST_LATTICE` different sums: because the parts are
        whole multiples of a unit, or because backgrounds are few. Otherwise they are rounded.
        """
        # A last sum that follows from the others may be off by as much as all of them together.
        last = self.sums.error_of_total if self.fixed_total is not None else 0.0
        return self.gap_sum.slope * max(self.sums.error, last)

    @property
    def rules(self) -> int:
        """How many background rules there are."""
        return self.multiplicity * math.prod(len(part) for part in self.parts.values())

    @cached_property
    def gaps(self) -> NDArray[np.float64]:
        """Every gap that occurs; shape (states,)."""
        return self._read(self.sums.values)

    def ends(self) -> NDArray[np.float64]:
        """Return gaps among which are the least and the greatest."""
        if not self.gap_sum.affine:
            return self.gaps
        sums = [[sum(float(end(part)) for part in self.parts.values())] for end in (np.min, np.max)]
        return self._read(np.array(sums).T)

    def mean(self) -> float:
        """Return the average gap over all background rules."""
        if self.gap_sum.affine:
            mean_sum = math.fsum(part.mean() for part in self.parts.values())
            return float(self._read(np.array([[mean_sum]]))[0])
        return float(np.average(self.gaps, weights=self.shares.each))

    @property
    def mean_error(self) -> float:
        """How far the average can be off, what is below rounding left out."""
        if self.gap_sum.affine:
            return 0.0
        off = 2 * (self.shares.off + self.shares.lost)  # in each share, and in all of them
        return self.error + (off * float(np.abs(self.gaps).max()) if off > ROUNDING else 0.0)

    @property
    def shares(self) -> Shares:
        """What share of all rules has each of the `gaps`."""
        return self.sums.shares

    def count(self) -> Chunk:
        """Return the gaps and, exactly, how many background rules have each."""
        return self.gaps, self.sums.ways() * self.multiplicity

    def _read(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.fixed_total is not None:
            sums = np.vstack([sums, self.fixed_total - sums.sum(axis=0)])
        return self.gap_sum.read(sums + self.constant[:, None])


def gap_counting(priority: Summed, comparison: Comparison, task: Task) -> GapCounting:
    """Prepare to tell how many background rules have each projection gap.

    Paper: eq:local-evidence
    """
    gap_sum = priority.gap_sum(comparison, task)
    parts = {x: part for x, part in gap_sum.parts.items() if np.ptp(part, axis=0).any()}
    constant = np.zeros(gap_sum.width)
    for x, part in gap_sum.parts.items():
        if x not in parts:
            constant += part[0]
    multiplicity = math.prod(len(ys) for x, ys in task.outputs.items() if x not in parts)
    return GapCounting(gap_sum, parts, constant, _fixed_total(parts), multiplicity)


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
    """Choose how to tell the sums: exactly if that can be done."""
    backgrounds = math.prod(len(part) for part in parts.values())
    grid = _exact_grid(parts) if parts else None
    if grid is not None and math.prod(grid.lengths) <= LARGEST_LATTICE:
        return grid
    if backgrounds <= LARGEST_LATTICE:
        return _Listed(parts, width)
    return _rounded_grid(parts)


@dataclass(frozen=True)
class _Listed:
    """Sums of few backgrounds, one by one."""

    parts: Parts
    width: int
    error: float = 0.0
    error_of_total: float = 0.0

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The sums of each background; shape (k, backgrounds)."""
        if not self.parts:
            return np.zeros((self.width, 1))
        places = Task({x: range(len(part)) for x, part in self.parts.items()})
        return all_rules(places).totals(list(self.parts.values()))

    @cached_property
    def shares(self) -> Shares:
        """The same share for each background, off by one rounding."""
        backgrounds = self.values.shape[1]
        return Shares(np.full(backgrounds, 1 / backgrounds), float(np.finfo(np.float64).eps), 0.0)

    def ways(self) -> NDArray[np.object_]:
        """Return one for each background."""
        return np.ones(self.values.shape[1], dtype=object)


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

    @cached_property
    def _strides(self) -> NDArray[np.int64]:
        # A row of k step numbers becomes one number, as in a positional system: no sum carries.
        return np.array([math.prod(self.lengths[i + 1 :]) for i in range(len(self.lengths))])

    @cached_property
    def _lowest(self) -> int:
        """The least sum, as one number."""
        return sum(int((steps @ self._strides).min()) for steps in self.steps)

    @cached_property
    def _places(self) -> Places:
        """The steps of each input above its least one, as single numbers."""
        rows = [np.sort(steps @ self._strides) for steps in self.steps]
        return Counter(tuple((row - row[0]).tolist()) for row in rows)

    @cached_property
    def _occurring(self) -> NDArray[np.intp]:
        return occurring_sums(self._places)

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The sums that occur; shape (k, states)."""
        numbers = self._lowest + self._occurring
        steps = numbers // self._strides[:, None] % np.array(self.lengths)[:, None]
        return self.start[:, None] + self.unit[:, None] * steps

    @cached_property
    def shares(self) -> Shares:
        """What share of all ways leads to each sum that occurs."""
        shares = shares_of_sums(self._places)
        return shares._replace(each=shares.each[self._occurring])

    def ways(self) -> NDArray[np.object_]:
        """Return how many ways lead to each sum that occurs."""
        ways = count_sums(self._places)
        return np.array([ways[number] for number in self._occurring.tolist()], dtype=object)


def _exact_grid(parts: Parts) -> _Grid | None:
    """Return the grid on which all parts lie, if there is one."""
    above = [part - part.min(axis=0) for part in parts.values()]
    units = [common_unit(column) for column in np.concatenate(above).T]
    if any(unit is None for unit in units):
        return None
    unit = np.array([float(unit) for unit in units if unit is not None])
    steps = [np.rint(part / unit).astype(np.int64) for part in above]
    return _Grid(steps, _least(parts), unit)


def _rounded_grid(parts: Parts) -> _Grid:
    """Return a grid near the parts, as fine as `ROUNDED_ADDITIONS` allow."""
    above = [part - part.min(axis=0) for part in parts.values()]
    span = np.sum([part.max(axis=0) for part in above], axis=0)
    additions = sum(len(part) for part in parts.values())
    states = min(ROUNDED_ADDITIONS / additions, LARGEST_LATTICE)
    per_sum = states ** (1 / len(span))
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
