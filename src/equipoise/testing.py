"""Checks that anything written against Equipoise's protocols must pass: use them in your tests."""

from __future__ import annotations

import numpy as np

from equipoise.model.aggregation import RuleAggregator, ScalePreserving
from equipoise.model.comparisons import Comparison, local_comparisons
from equipoise.model.gaps import projection_gaps
from equipoise.model.priorities import (
    Priority,
    Separable,
    Summed,
    checked_utilities,
    utility,
    utility_range,
)
from equipoise.model.rule_sets import all_rules, random_rules, these_rules
from equipoise.model.tallies import tally
from equipoise.model.tasks import Rule, Task

TOLERANCE = 1e-9
# Enough that a law which fails for a share of cases is found to fail.
TRIALS = 50


def check_priority(priority: Priority, task: Task, rng: np.random.Generator) -> None:
    """Raise AssertionError unless a priority keeps what the protocols promise on a task.

    Its utilities must not depend on which rules are judged together; a stated range must hold;
    and where it says how gaps follow from sums over inputs, or that it's separable, they must.

    Parameters
    ----------
    priority
        The priority.
    task
        A task with at most some ten thousand rules, all of which are looked at.
    rng
        Chooses the rules that are judged one by one.
    """
    every = all_rules(task)
    values = checked_utilities(priority, every)
    rules = list(every)
    picked = rng.choice(len(rules), size=min(len(rules), TRIALS), replace=False)
    alone = [utility(priority, rules[i]) for i in picked]
    _agree(alone, values[picked], f"{priority.name!r}: utilities of rules alone and together")
    together = checked_utilities(priority, these_rules(task, [rules[i] for i in picked]))
    _agree(together, values[picked], f"{priority.name!r}: utilities in another order")
    width = utility_range(priority, task).width
    _hold(
        bool(np.ptp(values) <= width + TOLERANCE), f"{priority.name!r}: the range exceeds {width}"
    )
    if isinstance(priority, Separable):
        sums = every.totals([scores[:, None] for scores in priority.scores(task)])[0]
        offset = values - sums
        _agree(offset, np.full(len(rules), offset[0]), f"{priority.name!r}: utilities and scores")
    if isinstance(priority, Summed):
        _check_gap_sums(priority, task, rng)


def _check_gap_sums(priority: Priority, task: Task, rng: np.random.Generator) -> None:
    assert isinstance(priority, Summed)
    background = random_rules(task, TRIALS, rng)
    # Local questions, and bundles of any size up to whole rules.
    pairs = zip(random_rules(task, TRIALS, rng), random_rules(task, TRIALS, rng), strict=True)
    bundles = [_part(rule, other, int(rng.integers(1, len(rule) + 1))) for rule, other in pairs]
    for comparison in [*local_comparisons(task), *bundles]:
        gap_sum = priority.gap_sum(comparison, task)
        nothing = {x: np.zeros((len(ys), gap_sum.width)) for x, ys in task.outputs.items()}
        sums = background.totals(list({**nothing, **gap_sum.parts}.values()))
        _agree(
            gap_sum.read(sums),
            projection_gaps(priority, comparison, background),
            f"{priority.name!r}: gaps by `gap_sum` and by utilities at {comparison}",
        )
        if gap_sum.affine:
            sums = np.array([[-1.0, 0.0, 1.0, 7.5]])
            low, zero = gap_sum.read(sums)[:2]
            line = zero + (zero - low) * sums[0]
            _agree(gap_sum.read(sums), line, f"{priority.name!r}: an affine gap and a line")


def _part(rule: Rule, other: Rule, size: int) -> Comparison:
    inputs = list(rule)[-size:]
    return Comparison({x: rule[x] for x in inputs}, {x: other[x] for x in inputs})


def check_rule_aggregator(aggregator: RuleAggregator, rng: np.random.Generator) -> None:
    """Raise AssertionError unless an aggregator is permutation-invariant and unanimous.

    It must also take a gap that occurs several times for as many gaps, agree with itself when
    both directions are asked for at once, and be steady if it says so.

    Paper: sec:rule-agg
    """
    for _ in range(TRIALS):
        size = int(rng.integers(1, 12))
        gaps = np.round(rng.normal(size=size), 1)  # rounded, so that some are equal
        counts = rng.integers(1, 4, size=size)
        value = aggregator(gaps, counts)
        order = rng.permutation(size)
        name = f"rule aggregator {aggregator.name!r}"
        _agree(aggregator(gaps[order], counts[order]), value, f"{name}: gaps in another order")
        _agree(aggregator(np.repeat(gaps, counts)), value, f"{name}: repeated gaps and counts")
        _agree(aggregator(np.full(size, gaps[0]), counts), gaps[0], f"{name}: all gaps the same")
        halves = [(gaps[:1], counts[:1]), (gaps[1:], counts[1:])] if size > 1 else [(gaps, counts)]
        both = aggregator.both_ways(halves)
        _agree(both, (value, aggregator(-gaps, counts)), f"{name}: both directions at once")
        if aggregator.steady:
            moved = gaps + rng.uniform(-0.3, 0.3, size)
            by = abs(aggregator(moved, counts) - value)
            furthest = float(np.abs(moved - gaps).max())
            _hold(by <= furthest + TOLERANCE, f"{name}: moved by {by}, the gaps by {furthest}")


def check_scale_preserving(aggregator: ScalePreserving, rng: np.random.Generator) -> None:
    """Raise AssertionError unless one priority never changes how the others trade off.

    Paper: def:scale-pres
    """
    for _ in range(TRIALS):
        size = int(rng.integers(2, 7))
        values, weights = rng.normal(size=size), rng.dirichlet(np.ones(size))
        j = int(rng.integers(size))
        rest = np.delete(weights, j)
        factor = aggregator.factor(weights, j)
        _hold(factor > 0, f"the factor {factor} is not positive")
        others = aggregator(np.delete(values, j), rest / rest.sum())
        _agree(
            factor * others + aggregator.own_term(weights, j, float(values[j])),
            aggregator(values, weights),
            "the others' score, rescaled, plus the own term, and the score of all",
        )


def check_methods_agree(
    priority: Priority, task: Task, aggregator: RuleAggregator, tolerance: float = TOLERANCE
) -> None:
    """Raise AssertionError unless counting sums gives what looking at every rule gives.

    Where sums had to be rounded, they may differ by the error that is stated.
    """
    for comparison in local_comparisons(task):
        exact = tally(priority, comparison, task, aggregator, "exact")
        counted = tally(priority, comparison, task, aggregator, "structured")
        off = max(
            abs(exact.toward_first - counted.toward_first),
            abs(exact.toward_second - counted.toward_second),
        )
        _hold(
            off <= counted.error + tolerance,
            f"{priority.name!r} under {aggregator.name!r} at {comparison}: {counted} by counting "
            f"sums and {exact} by looking at every rule",
        )


def _agree(left: object, right: object, what: str) -> None:
    np.testing.assert_allclose(
        np.asarray(left), np.asarray(right), rtol=0, atol=TOLERANCE, err_msg=what
    )


def _hold(condition: bool, what: str) -> None:
    if not condition:
        raise AssertionError(what)
