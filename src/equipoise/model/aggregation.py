"""Aggregators: many background rules into one number, several priorities into one score."""

from __future__ import annotations

import bisect
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.checks import number_between

# Counts of rules are whole numbers of any size: int64, or Python integers in an object array.
Counts = NDArray[Any]
Chunk = tuple[NDArray[np.float64], Counts]

Interpolation = Literal["linear", "lower", "higher", "midpoint", "nearest"]


class RuleAggregator(ABC):
    """A function from the gaps over all background rules to one number.

    It must not depend on the order of the gaps, and must return z when all gaps are z.

    Paper: sec:rule-agg

    Attributes
    ----------
    steady
        Whether the number moves by at most as much as any gap does, as all named here.
    """

    steady: bool = True

    @property
    @abstractmethod
    def name(self) -> str:
        """How people call it."""

    @abstractmethod
    def __call__(self, gaps: NDArray[np.float64], counts: Counts | None = None) -> float:
        """Return the aggregate of gaps, the i-th of them occurring `counts[i]` times."""

    def both_ways(self, chunks: Iterable[Chunk]) -> tuple[float, float]:
        """Return the aggregate of all gaps, and of all gaps with their sign turned."""
        parts = list(chunks)
        gaps = np.concatenate([values for values, _ in parts])
        counts = np.concatenate([count for _, count in parts])
        return self(gaps, counts), self(-gaps, counts)


class Average(RuleAggregator):
    r"""The mean over background rules.

    .. math:: \phi(z) = \frac{1}{|\mathcal F|} \sum_F z_F

    Paper: sec:rule-agg

    Examples
    --------
    >>> Average()(np.array([1.0, 0.0]), np.array([1, 3]))
    0.25
    """

    @property
    def name(self) -> str:
        """How people call it."""
        return "average"

    def __call__(self, gaps: NDArray[np.float64], counts: Counts | None = None) -> float:
        """Return the mean of gaps, the i-th of them occurring `counts[i]` times."""
        return self.both_ways([(gaps, _ones(gaps) if counts is None else counts)])[0]

    def both_ways(self, chunks: Iterable[Chunk]) -> tuple[float, float]:
        """Return the mean and minus the mean, without holding all gaps at once."""
        rules: list[int] = []
        means: list[float] = []
        for values, counts in chunks:
            rules.append(_total(counts))
            means.append(float((values * _fractions(counts, rules[-1])).sum()))
        mean = math.fsum(m * (n / sum(rules)) for m, n in zip(means, rules, strict=True))
        return mean, -mean


class Maximum(RuleAggregator):
    r"""The largest gap over background rules.

    .. math:: \phi(z) = \max_F z_F

    Paper: sec:rule-agg
    """

    @property
    def name(self) -> str:
        """How people call it."""
        return "maximum"

    def __call__(self, gaps: NDArray[np.float64], counts: Counts | None = None) -> float:
        """Return the largest gap."""
        return float(np.max(gaps))

    def both_ways(self, chunks: Iterable[Chunk]) -> tuple[float, float]:
        """Return the largest gap and minus the least, without holding all gaps at once."""
        extremes = [(values.max(), -values.min()) for values, _ in chunks]
        toward_first, toward_second = np.max(extremes, axis=0)
        return float(toward_first), float(toward_second)


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

    def __init__(self, p: float, interpolation: Interpolation = "linear") -> None:
        if interpolation not in _INTERPOLATIONS:
            raise ValueError(
                f"interpolation is {interpolation!r}, expected one of {', '.join(_INTERPOLATIONS)}"
            )
        self.p = number_between(p, "p", 0, 100)
        self.interpolation = interpolation

    @property
    def name(self) -> str:
        """How people call it."""
        return f"{self.p:g}-percentile"

    def __call__(self, gaps: NDArray[np.float64], counts: Counts | None = None) -> float:
        """Return the percentile of gaps, the i-th of them occurring `counts[i]` times."""
        counts = _ones(gaps) if counts is None else counts
        # Ranks are whole numbers throughout: as shares of all rules, two that differ by one rule
        # in 2^60 would be the same float, and the median of a symmetric sample would flip.
        total = _total(counts)
        position = Fraction(self.p) / 100 * (total - 1)
        rank = math.floor(position)
        lower, upper = _gaps_at(gaps, counts, [rank, min(rank + 1, total - 1)])
        share = _INTERPOLATIONS[self.interpolation](position - rank, rank)
        return float(lower + (upper - lower) * share)


def _gaps_at(gaps: NDArray[np.float64], counts: Counts, ranks: list[int]) -> list[float]:
    """Return the gaps at some ranks, counted from zero, when each is repeated `counts` times."""
    if (counts == counts[0]).all():  # as when every rule is looked at: no need to sort them all
        places = [rank // int(counts[0]) for rank in ranks]
        return np.partition(gaps, places)[places].tolist()
    order = np.argsort(gaps, kind="stable")
    beyond = list(itertools.accumulate(counts[order].tolist()))
    return [float(gaps[order[bisect.bisect_right(beyond, rank)]]) for rank in ranks]


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


class CustomAggregator(RuleAggregator):
    """An aggregator given as a Python function of the gaps and how often each occurs.

    Paper: sec:rule-agg

    Parameters
    ----------
    name
        How people call it.
    function
        Called with an array of gaps and an array of whole numbers, how many background rules
        have each. `equipoise.testing.check_rule_aggregator` tells whether it is regular.
    """

    steady = False  # nothing is known of it

    def __init__(self, name: str, function: Callable[[NDArray[np.float64], Counts], float]) -> None:
        self._name = name
        self._function = function

    @property
    def name(self) -> str:
        """How people call it."""
        return self._name

    def __call__(self, gaps: NDArray[np.float64], counts: Counts | None = None) -> float:
        """Return the function's value, which must be one finite number."""
        value = self._function(gaps, _ones(gaps) if counts is None else counts)
        if np.ndim(value) != 0 or not np.isfinite(value):
            raise ValueError(
                f"rule aggregator {self.name!r} returned {value!r}, expected one finite number"
            )
        return float(value)


_NAMED: dict[str, RuleAggregator] = {"average": Average(), "maximum": Maximum()}


def rule_aggregator(aggregator: str | RuleAggregator) -> RuleAggregator:
    """Return the rule aggregator with a name, or the aggregator itself."""
    if isinstance(aggregator, RuleAggregator):
        return aggregator
    if aggregator not in _NAMED:
        raise ValueError(
            f"aggregator is {aggregator!r}, expected {' or '.join(map(repr, _NAMED))}, "
            "Percentile(p) or another RuleAggregator"
        )
    return _NAMED[aggregator]


class PriorityAggregator(Protocol):
    """A function from one number per priority and their weights to one directional score.

    Paper: def:scale-pres
    """

    def __call__(self, values: ArrayLike, weights: ArrayLike) -> float:
        """Return the score of per-priority values (m,) under weights (m,)."""
        ...


class ScalePreserving(PriorityAggregator, Protocol):
    r"""A priority aggregator in which one priority never changes how the others trade off.

    .. math:: \phi(z, \omega) = c(\omega, j)\,\phi(z_{-j}, \omega_{-j}) + A_{\omega, j}(z_j)

    with the weights of the others rescaled to sum to one.

    Paper: def:scale-pres
    """

    def factor(self, weights: ArrayLike, j: int) -> float:
        """Return c(omega, j) > 0."""
        ...

    def own_term(self, weights: ArrayLike, j: int, value: float) -> float:
        """Return A(z_j)."""
        ...


class LinearAggregator:
    r"""The aggregator of the paper: positive parts, weighted and added.

    .. math:: \phi(z, \omega) = \sum_j \omega_j [z_j]_+

    Paper: sec:prior-agg, def:scale-pres

    Examples
    --------
    >>> LinearAggregator()([0.5, -1.0], [0.4, 0.6])
    0.2
    """

    def __call__(self, values: ArrayLike, weights: ArrayLike) -> float:
        """Return the weighted sum of the positive parts."""
        return float(np.asarray(weights) @ np.maximum(values, 0))

    def factor(self, weights: ArrayLike, j: int) -> float:
        """Return 1 - omega_j: by so much the others' rescaled weights are too large."""
        return 1.0 - float(np.asarray(weights)[j])

    def own_term(self, weights: ArrayLike, j: int, value: float) -> float:
        """Return omega_j [z_j]_+."""
        return float(np.asarray(weights)[j]) * max(value, 0.0)


def _ones(gaps: NDArray[np.float64]) -> Counts:
    return np.ones(gaps.shape, dtype=np.int64)


def _total(counts: Counts) -> int:
    return int(counts.sum())


def _fractions(counts: Counts, total: int) -> NDArray[np.float64]:
    """Return counts / total: Python's division of whole numbers of any size is exact."""
    if counts.dtype == object:
        return np.array([count / total for count in counts.tolist()], dtype=np.float64)
    return counts / total
