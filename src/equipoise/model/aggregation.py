"""Aggregators: many background rules into one number, several priorities into one score."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from numbers import Real
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.checks import finite_array, finite_number, function_argument, simplex_vector

# How many background rules have each gap: one number for all gaps, or one for each. They are whole
# numbers of any size: an object array of Python integers where int64 would be too small.
Counts = int | NDArray[Any]
Chunk = tuple[NDArray[np.float64], Counts]


class RuleAggregator(ABC):
    """A function from the gaps over all background rules to one number.

    It must not depend on the order of the gaps, and must return z when all gaps are z.

    Paper: sec:rule-agg

    Attributes
    ----------
    steady
        Whether the number never moves by more than the gap that moves most. Only then does a
        bound on the error of gaps carry over to evidence.
    end
        "largest" or "least" where it reads off an end of the gaps, of which a sample tells a bound.

    Examples
    --------
    >>> class Middle(RuleAggregator):
    ...     name = "middle"
    ...     steady = True
    ...     def __call__(self, gaps, counts=1):
    ...         return float(gaps.max() + gaps.min()) / 2
    >>> Middle()(np.array([1.0, 2.0, 6.0]))
    3.5
    """

    steady: bool = False
    end: Literal["largest", "least"] | None = None

    @property
    @abstractmethod
    def name(self) -> str:
        """How people call it."""

    @abstractmethod
    def __call__(self, gaps: NDArray[np.float64], counts: Counts = 1) -> float:
        """Return the aggregate of gaps, the i-th of them occurring `counts[i]` times.

        Counts may be whole numbers of any size, in an array of Python integers:
        `gaps @ (counts / counts.sum())` takes them, `numpy.repeat` doesn't.
        """

    def both_ways(self, chunks: Iterable[Chunk]) -> tuple[float, float]:
        """Return the aggregate of all gaps, and of all gaps with their sign turned."""
        gaps, counts = together(chunks)
        return self._checked(self(gaps, counts)), self._checked(self(-gaps, counts))

    def _checked(self, value: object) -> float:
        if not isinstance(value, Real) or not math.isfinite(value):
            raise ValueError(
                f"rule aggregator {self.name!r} returned {value!r}, expected one finite number"
            )
        return float(value)


class Average(RuleAggregator):
    r"""The mean over background rules.

    .. math:: \phi(z) = \frac{1}{|\mathcal F|} \sum_F z_F

    Paper: sec:rule-agg

    Examples
    --------
    >>> Average()(np.array([1.0, 0.0]), np.array([1, 3]))
    0.25
    """

    name = "average"
    steady = True

    def __call__(self, gaps: NDArray[np.float64], counts: Counts = 1) -> float:
        """Return the mean of gaps, the i-th of them occurring `counts[i]` times."""
        return self.both_ways([(gaps, counts)])[0]

    def both_ways(self, chunks: Iterable[Chunk]) -> tuple[float, float]:
        """Return the mean and minus the mean, without holding all gaps at once."""
        rules: list[int] = []
        means: list[float] = []
        for gaps, counts in chunks:
            rules.append(total_count(gaps, counts))
            means.append(_mean(gaps, counts, rules[-1]))
        total = sum(rules)
        mean = math.fsum(part * (n / total) for part, n in zip(means, rules, strict=True))
        return mean, -mean


class Maximum(RuleAggregator):
    r"""The largest gap over background rules.

    .. math:: \phi(z) = \max_F z_F

    Paper: sec:rule-agg

    Examples
    --------
    >>> Maximum()(np.array([1.0, -2.0]))
    1.0
    """

    name = "maximum"
    steady = True
    end = "largest"

    def __call__(self, gaps: NDArray[np.float64], counts: Counts = 1) -> float:
        """Return the largest gap."""
        return float(np.max(gaps))

    def both_ways(self, chunks: Iterable[Chunk]) -> tuple[float, float]:
        """Return the largest gap and minus the least, without holding all gaps at once."""
        extremes = [(gaps.max(), -gaps.min()) for gaps, _ in chunks]
        toward_first, toward_second = np.max(extremes, axis=0)
        return float(toward_first), float(toward_second)


class CustomAggregator(RuleAggregator):
    """An aggregator given as a Python function of the gaps and how often each occurs.

    Paper: sec:rule-agg

    Parameters
    ----------
    name
        How people call it.
    function
        Called with an array of gaps and an array of as many whole numbers, of any size: how many
        background rules have each. `gaps @ (counts / counts.sum())`, the mean, takes these.
        `equipoise.testing.check_rule_aggregator` tells whether the aggregator is regular.

    Examples
    --------
    >>> middle = CustomAggregator("middle", lambda gaps, counts: (gaps.max() + gaps.min()) / 2)
    >>> middle(np.array([1.0, 2.0, 6.0]))
    3.5
    """

    def __init__(self, name: str, function: Callable[[NDArray[np.float64], Counts], float]) -> None:
        self._name = name
        self._function = function_argument(function, "function")

    @property
    def name(self) -> str:
        """How people call it."""
        return self._name

    def __call__(self, gaps: NDArray[np.float64], counts: Counts = 1) -> float:
        """Return the function's value, which must be one finite number."""
        if isinstance(counts, int):
            counts = np.full(gaps.shape, counts, dtype=np.int64)
        return self._checked(self._function(gaps, counts))


_NAMED: dict[str, RuleAggregator] = {"average": Average(), "maximum": Maximum()}


def rule_aggregator(aggregator: str | RuleAggregator) -> RuleAggregator:
    """Return the rule aggregator with a name, or the aggregator itself."""
    if isinstance(aggregator, RuleAggregator):
        return aggregator
    if not isinstance(aggregator, str) or aggregator not in _NAMED:
        raise ValueError(
            f"aggregator is {aggregator!r}, expected {' or '.join(map(repr, _NAMED))}, "
            "Percentile(p) or another RuleAggregator"
        )
    return _NAMED[aggregator]


class PriorityAggregator(Protocol):
    """A function from one number per priority and their weights to one directional score.

    Valence and decisiveness here use the paper's linear one. Some of the paper's results hold for
    any that is scale-preserving, which `equipoise.testing.check_scale_preserving` checks.

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
        omega = simplex_vector(weights, "weights")
        z = finite_array(values, "values", omega.shape)
        return float(omega @ np.maximum(z, 0))

    def factor(self, weights: ArrayLike, j: int) -> float:
        """Return 1 - omega_j: by so much the others' rescaled weights are too large."""
        return 1.0 - float(simplex_vector(weights, "weights")[j])

    def own_term(self, weights: ArrayLike, j: int, value: float) -> float:
        """Return omega_j [z_j]_+."""
        return float(simplex_vector(weights, "weights")[j]) * max(
            finite_number(value, "value"), 0.0
        )


def together(chunks: Iterable[Chunk]) -> tuple[NDArray[np.float64], Counts]:
    """Return all gaps and their counts; one number stays one number."""
    parts = list(chunks)
    gaps = np.concatenate([part for part, _ in parts]) if len(parts) > 1 else parts[0][0]
    if gaps.size == 0:
        raise ValueError("gaps is empty, expected at least one")
    counts = [count for _, count in parts]
    first = counts[0]
    if isinstance(first, int) and all(count is first or count == first for count in counts):
        return gaps, first
    return gaps, np.concatenate(
        [np.broadcast_to(np.asarray(count), part.shape) for part, count in parts]
    )


def total_count(gaps: NDArray[np.float64], counts: Counts) -> int:
    """Return how many rules there are."""
    return gaps.size * counts if isinstance(counts, int) else int(counts.sum())


def _mean(gaps: NDArray[np.float64], counts: Counts, total: int) -> float:
    """Return the mean of gaps; Python's division of whole numbers of any size is exact."""
    if isinstance(counts, int):
        return float(gaps.mean())
    shares = np.array([count / total for count in counts.tolist()], dtype=np.float64)
    return float((gaps * shares).sum())
