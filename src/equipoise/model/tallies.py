"""What one priority says about one comparison: its gaps over all backgrounds, aggregated.

Found in one of three ways: by looking at every background rule, by counting backgrounds with the
same sums, or from a random sample of backgrounds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from equipoise.model.aggregation import Average, Maximum, RuleAggregator
from equipoise.model.comparisons import Comparison
from equipoise.model.convolution import GapCounting, gap_counting
from equipoise.model.gaps import enumerated_gaps, sampled_gaps
from equipoise.model.priorities import Priority, Summed
from equipoise.model.tasks import Task

# "auto" looks at every rule of at most this many: a fraction of a second for a catalogue priority.
AUTO_RULES = 10**6
# Nobody means to wait for more rules than this: it would take hours.
LARGEST_ENUMERATION = 10**9
# "auto" prefers a rounded count to a sample where it is proven to be off by no more than this,
# about the standard error of a sample.
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
        The same seed draws the same rules.
    """

    size: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.size < 2:
            raise ValueError(f"size is {self.size}, expected at least 2 background rules")


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
    error
        A proven bound on how far the values are off; inf for a sample.
    standard_error
        Of a sample, else 0; NaN for a sampled maximum, which has none.
    lower_bound
        Whether the values are only known to be at least this much.
    """

    toward_first: float
    toward_second: float
    method: str
    error: float = 0.0
    standard_error: float = 0.0
    lower_bound: bool = False


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
    if counting is not None and counting.error == 0:
        return _structured(counting, aggregator)
    if task.rule_count <= AUTO_RULES:
        return _enumerated(priority, comparison, task, aggregator)
    if counting is not None and counting.error <= AUTO_ERROR:
        return _structured(counting, aggregator)
    return _sampled(priority, comparison, task, aggregator, Sampled())


def _enumerated(
    priority: Priority, comparison: Comparison, task: Task, aggregator: RuleAggregator
) -> Tally:
    if task.rule_count > LARGEST_ENUMERATION:
        raise ValueError(
            f"method is 'exact', but the task has {_magnitude(task.rule_count)} rules, too many "
            "to look at: use 'structured' or Sampled(size, seed)"
        )
    chunks = enumerated_gaps(priority, comparison, task)
    return Tally(*aggregator.both_ways(chunks), method="exact")


def _counting(priority: Priority, comparison: Comparison, task: Task) -> GapCounting:
    if not isinstance(priority, Summed):
        raise ValueError(
            f"method is 'structured', but priority {priority.name!r} has no `gap_sum`: its gaps "
            "aren't sums over inputs as far as is known; use 'exact' or Sampled(size, seed)"
        )
    return gap_counting(priority, comparison, task)


def _structured(counting: GapCounting, aggregator: RuleAggregator) -> Tally:
    error = counting.error if aggregator.steady or counting.error == 0 else math.inf
    return Tally(*aggregator.both_ways([counting.count()]), method="structured", error=error)


def _sampled(
    priority: Priority,
    comparison: Comparison,
    task: Task,
    aggregator: RuleAggregator,
    sample: Sampled,
) -> Tally:
    rng = np.random.default_rng(sample.seed)
    gaps = sampled_gaps(priority, comparison, task, sample.size, rng)
    toward_first, toward_second = aggregator.both_ways([(gaps, np.ones(gaps.shape, np.int64))])
    return Tally(
        toward_first,
        toward_second,
        method="sampled",
        error=math.inf,
        standard_error=_standard_error(aggregator, gaps, rng),
        lower_bound=isinstance(aggregator, Maximum),
    )


def _standard_error(
    aggregator: RuleAggregator, gaps: NDArray[np.float64], rng: np.random.Generator
) -> float:
    if isinstance(aggregator, Average):
        return float(gaps.std(ddof=1) / math.sqrt(gaps.size))
    if isinstance(aggregator, Maximum):
        return math.nan  # how far the largest gap of all lies above a sample's isn't in the sample
    replicates = [aggregator(rng.choice(gaps, size=gaps.size)) for _ in range(BOOTSTRAP_REPLICATES)]
    return float(np.std(replicates, ddof=1))


def _magnitude(count: int) -> str:
    return f"{count:,}" if count < 10**15 else f"about 10^{math.floor(math.log10(count))}"
