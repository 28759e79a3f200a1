"""Percentiles of gaps over background rules, at ranks that are whole numbers of any size."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from equipoise.model.aggregation import (
    Chunk,
    Counts,
    RuleAggregator,
    together,
    total_count,
)
from equipoise.model.checks import number_between
from equipoise.model.counting import Shares

Interpolation = Literal["linear", "lower", "higher", "midpoint", "nearest"]


class Percentile(RuleAggregator):
    """The p-th percentile over background rules.

    With N gaps in order and h = (N - 1) p / 100, the percentile lies between the gaps at ranks
    floor(h) and floor(h) + 1 (counted from zero): linearly between them, or by one of the other
    interpolations, named as in `numpy.percentile`.

    Paper: sec:rule-agg

    Parameters
    ----------
    p
        Between 0 and 100.
    interpolation
        "linear", "lower", "higher", "midpoint" or "nearest".

    Examples
    --------
    >>> Percentile(50)(np.array([0.0, 1.0]), np.array([1, 1]))
    0.5
    """

    steady = True

    def __init__(self, p: float, interpolation: Interpolation = "linear") -> None:
        if interpolation not in _INTERPOLATIONS:
            raise ValueError(
                f"interpolation is {interpolation!r}, expected one of {', '.join(_INTERPOLATIONS)}"
            )
        self.p = number_between(p, "p", 0, 100)
        self.interpolation = interpolation
        self.end = {0.0: "least", 100.0: "largest"}.get(self.p)  # type: ignore[assignment]

    @property
    def name(self) -> str:
        """How people call it."""
        return f"{self.p:g}-percentile"

    def __repr__(self) -> str:
        return f"Percentile({self.p:g}, {self.interpolation!r})"

    def __call__(self, gaps: NDArray[np.float64], counts: Counts = 1) -> float:
        """Return the percentile of gaps, the i-th of them occurring `counts[i]` times."""
        return self.both_ways([(gaps, counts)])[0]

    def both_ways(self, chunks: Iterable[Chunk]) -> tuple[float, float]:
        """Return the percentile of all gaps, and of all gaps with their sign turned."""
        gaps, counts = together(chunks)
        ranks, share = self._ranks(total_count(gaps, counts))
        return _interpolated(_gaps_at(gaps, counts, ranks), share)

    def _ranks(self, rules: int) -> tuple[list[int], float]:
        """Return the ranks to look at, either way, and the share of the second of two gaps."""
        # Ranks are whole numbers throughout: as shares of all rules, two that differ by one rule
        # in 2^60 would be the same float, and the median of a symmetric sample would flip.
        last = rules - 1
        position = Fraction(self.p) / 100 * last
        rank = math.floor(position)
        share = _INTERPOLATIONS[self.interpolation](position - rank, rank)
        ranks = [rank, min(rank + 1, last)]
        # Turning the sign turns the order: the gap at rank k is then the one at rank last - k.
        return ranks + [last - rank for rank in ranks], share


def percentile_by_shares(
    percentile: Percentile, gaps: NDArray[np.float64], shares: Shares, rules: int
) -> tuple[tuple[float, float], float]:
    """Return a percentile either way from what share of the rules has each gap, and a doubt.

    That is how far either may be off: zero but for a close thing, where the shares don't tell
    which gap it is.
    """
    ranks, share = percentile._ranks(rules)
    least, greatest = _gaps_around(gaps, shares, ranks, rules)
    return _interpolated(least.tolist(), share), float((greatest - least).max())


def _interpolated(gaps: list[float], share: float) -> tuple[float, float]:
    lower, upper, high, low = gaps
    return lower + (upper - lower) * share, -(high + (low - high) * share)


def _gaps_at(gaps: NDArray[np.float64], counts: Counts, ranks: list[int]) -> list[float]:
    """Return the gaps at some ranks, counted from zero, when each is repeated `counts` times."""
    if isinstance(counts, int):  # as when every rule is looked at: no need to sort them all
        places = [rank // counts for rank in ranks]
        return np.partition(gaps, sorted(set(places)))[places].tolist()
    order = np.argsort(gaps, kind="stable")
    beyond = list(itertools.accumulate(counts[order].tolist()))
    return [float(gaps[order[bisect.bisect_right(beyond, rank)]]) for rank in ranks]


def _gaps_around(
    gaps: NDArray[np.float64], shares: Shares, ranks: list[int], rules: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return gaps between which those at some ranks lie, counted from zero; shapes (ranks,)."""
    order = np.argsort(gaps, kind="stable")
    values, upto = gaps[order], np.cumsum(shares.each[order])
    # Each of as many additions as there are shares may be off by a rounding.
    slack = shares.off + 2 * gaps.size * float(np.finfo(np.float64).eps)
    at_least, at_most = upto * (1 - slack), upto * (1 + slack) + shares.lost
    # A gap is at a rank when no more than that many are before it, and more up to it.
    first = np.searchsorted(at_most, [rank / rules for rank in ranks], side="right")
    last = np.searchsorted(at_least, [(rank + 1) / rules for rank in ranks])
    return values[np.minimum(first, gaps.size - 1)], values[np.minimum(last, gaps.size - 1)]


def _nearest(beyond: Fraction, rank: int) -> float:
    """Round to the nearer rank, a tie to the even one, as NumPy does."""
    if beyond == Fraction(1, 2):
        return float(rank % 2)
    return float(beyond > Fraction(1, 2))


# From how far the wanted position lies beyond the lower rank to the share of the upper gap.
_INTERPOLATIONS: dict[str, Callable[[Fraction, int], float]] = {
    "linear": lambda beyond, rank: float(beyond),
    "lower": lambda beyond, rank: 0.0,
    "higher": lambda beyond, rank: float(beyond > 0),
    "midpoint": lambda beyond, rank: 0.5 if beyond > 0 else 0.0,
    "nearest": _nearest,
}
