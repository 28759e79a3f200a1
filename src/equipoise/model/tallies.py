"""What one priority says about one comparison: its gaps over all backgrounds, aggregated.

Found in one of three ways: by looking at every background rule, by counting backgrounds with the
same sums, or from a random sample of backgrounds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from equipoise.model.aggregation import Average, Chunk, RuleAggregator
from equipoise.model.checks import magnitude
from equipoise.model.comparisons import Comparison
from equipoise.model.convolution import GapCounting, gap_counting
from equipoise.model.gaps import enumerated_gaps, sampled_gaps
from equipoise.model.percentiles import Percentile, percentile_by_shares
from equipoise.model.priorities import Priority, Summed
from equipoise.model.rounding import ROUNDING
from equipoise.model.tasks import Task

# "auto" looks at every rule of at most this many: a fraction of a second for a catalogue priority.
AUTO_RULES = 10**6
# Beyond this many rules it takes minutes, and a percentile gigabytes.
LARGEST_ENUMERATION = 2 * 10**8
# "auto" prefers a rounded count to a sample where it is proven to be off by no more than this
# share of the largest gap, about the standard error of a sample.
AUTO_ERROR = 0.01
BOOTSTRAP_REPLICATES = 200


@dataclass(frozen=True)
class Sampled:
    """Ask for evidence from background rules drawn at random.

    Parameters
    ----------
    size
        How many background rules are drawn for each comparison.
    seed
        The same seed draws the same rules. All priorities and comparisons asked about together
        see the same draws, so their errors go together too.

    Examples
    --------
    >>> Sampled(size=500, seed=1)
    Sampled(size=500, seed=1)
    """

    size: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.size, int) or self.size < 2:
            raise ValueError(f"size is {self.size!r}, expected at least 2 background rules")
        if not isinstance(self.seed, int) or self.seed < 0:
            raise ValueError(f"seed is {self.seed!r}, expected a whole number of at least 0")


Method = Literal["auto", "exact", "structured", "sampled"] | Sampled


@dataclass(frozen=True)
class Tally:
    """What one priority says about one comparison, toward either side.

    Attributes
    ----------
    toward_first, toward_second
        The rule aggregator's value of the gaps toward that side.
    method
        "exact", "structured" or "sampled".
    largest_gap
        The largest gap met, either way: what is much smaller than this is rounding.
    error
        A proven bound on how far the values are off; inf for a sample.
    standard_errors
        Of a sample, toward the first and the second side, else 0; NaN for an end of a sample,
        which has none.
    end
        Of a sample, "largest" or "least" where the value is read off that end of it.
    """

    toward_first: float
    toward_second: float
    method: str
    largest_gap: float
    error: float = 0.0
    standard_errors: tuple[float, float] = (0.0, 0.0)
    end: str | None = None


def tally(
    priority: Priority,
    comparison: Comparison,
    task: Task,
    aggregator: RuleAggregator,
    method: Method = "auto",
) -> Tally:
    """Return what a priority says about a comparison, found by the given method.

    Paper: sec:rule-agg
    """
    if isinstance(method, Sampled):
        return _sampled(priority, comparison, task, aggregator, method)
    if method == "sampled":
        return _sampled(priority, comparison, task, aggregator, Sampled())
    if method == "exact":
        return _enumerated(priority, comparison, task, aggregator)
    if method == "structured":
        return _structured(_counting(priority, comparison, task), aggregator)
    if method == "auto":
        return _quickest(priority, comparison, task, aggregator)
    raise ValueError(
        f"method is {method!r}, expected 'auto', 'exact', 'structured', 'sampled' or Sampled(...)"
    )


def _quickest(
    priority: Priority, comparison: Comparison, task: Task, aggregator: RuleAggregator
) -> Tally:
    """Take what is exact and quick, else the nearest to it."""
    counting = gap_counting(priority, comparison, task) if isinstance(priority, Summed) else None
    error = math.inf if counting is None else _error(counting, aggregator)
    if task.rule_count <= AUTO_RULES and error > 0:
        return _enumerated(priority, comparison, task, aggregator)
    if counting is not None and math.isfinite(error):
        counted = _structured(counting, aggregator)
        if counted.error <= AUTO_ERROR * counted.largest_gap:
            return counted
    return _sampled(priority, comparison, task, aggregator, Sampled())


def _enumerated(
    priority: Priority, comparison: Comparison, task: Task, aggregator: RuleAggregator
) -> Tally:
    if task.rule_count > LARGEST_ENUMERATION:
        raise ValueError(
            f"method is 'exact', but the task has {magnitude(task.rule_count)} rules, too many "
            "to look at: use 'structured' or Sampled(size, seed)"
        )
    met = _Met(enumerated_gaps(priority, comparison, task))
    toward_first, toward_second = aggregator.both_ways(met)
    return Tally(toward_first, toward_second, "exact", met.largest)


class _Met:
    """Chunks that are passed on, and the largest gap seen on the way."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._chunks = chunks
        self.largest = 0.0

    def __iter__(self) -> Iterator[Chunk]:
        for gaps, counts in self._chunks:
            self.largest = max(self.largest, float(gaps.max()), -float(gaps.min()))
            yield gaps, counts


def _counting(priority: Priority, comparison: Comparison, task: Task) -> GapCounting:
    if not isinstance(priority, Summed):
        raise ValueError(
            f"method is 'structured', but priority {priority.name!r} has no `gap_sum`: its gaps "
            "aren't sums over inputs as far as is known; use 'exact' or Sampled(size, seed)"
        )
    return gap_counting(priority, comparison, task)


def _structured(counting: GapCounting, aggregator: RuleAggregator) -> Tally:
    """Take from the distribution of gaps as little as the aggregator needs."""
    doubt = 0.0
    if aggregator.end is not None:
        toward = aggregator.both_ways([(counting.ends(), 1)])
    elif isinstance(aggregator, Average):
        toward = aggregator.both_ways([(np.array([counting.mean()]), 1)])
    elif isinstance(aggregator, Percentile):
        toward, doubt = _percentile(counting, aggregator)
    else:
        toward = aggregator.both_ways([counting.count()])
    largest = float(np.abs(counting.ends()).max())
    return Tally(*toward, "structured", largest, _error(counting, aggregator) + doubt)


def _percentile(counting: GapCounting, percentile: Percentile) -> tuple[tuple[float, float], float]:
    """Return a percentile either way, and how far it may be off besides what gaps are."""
    found, doubt = percentile_by_shares(percentile, counting.gaps, counting.shares, counting.rules)
    # Where gaps are rounded, a doubt between two neighbours isn't worth counting.
    if doubt <= counting.error:
        return found, doubt
    return percentile.both_ways([counting.count()]), 0.0


def _error(counting: GapCounting, aggregator: RuleAggregator) -> float:
    """Return a bound on how far the aggregate is off."""
    if isinstance(aggregator, Average):
        return counting.mean_error
    if aggregator.end is not None and counting.gap_sum.affine:
        return 0.0
    return counting.error if aggregator.steady or counting.error == 0 else math.inf


def _sampled(
    priority: Priority,
    comparison: Comparison,
    task: Task,
    aggregator: RuleAggregator,
    sample: Sampled,
) -> Tally:
    rng = np.random.default_rng(sample.seed)
    gaps = sampled_gaps(priority, comparison, task, sample.size, rng)
    toward_first, toward_second = aggregator.both_ways([(gaps, 1)])
    return Tally(
        toward_first,
        toward_second,
        "sampled",
        largest_gap=float(np.abs(gaps).max()),
        error=math.inf,
        standard_errors=_standard_errors(aggregator, gaps, rng),
        end=aggregator.end,
    )


def _standard_errors(
    aggregator: RuleAggregator, gaps: NDArray[np.float64], rng: np.random.Generator
) -> tuple[float, float]:
    """Return the standard errors toward either side, zero where they are only rounding."""
    if aggregator.end is not None:
        return math.nan, math.nan  # how far the end of all gaps lies beyond isn't in the sample
    if isinstance(aggregator, Average):
        errors = np.full(2, gaps.std(ddof=1) / math.sqrt(gaps.size))
    else:
        replicates = [
            aggregator.both_ways([(rng.choice(gaps, size=gaps.size), 1)])
            for _ in range(BOOTSTRAP_REPLICATES)
        ]
        errors = np.std(replicates, axis=0, ddof=1)
    errors[errors <= ROUNDING * np.abs(gaps).max()] = 0.0
    return float(errors[0]), float(errors[1])
