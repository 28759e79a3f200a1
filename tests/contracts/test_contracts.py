"""Everything shipped passes the checks offered to users, and what is broken doesn't."""

import numpy as np
import pytest
from hypothesis import given
from strategies import CATALOGUE, generators, random_task

import equipoise as eq
from equipoise.testing import (
    check_methods_agree,
    check_priority,
    check_rule_aggregator,
    check_scale_preserving,
)

AGGREGATORS = [
    eq.Average(),
    eq.Maximum(),
    *[eq.Percentile(p) for p in (0, 12.5, 50, 99, 100)],
    *[eq.Percentile(40, how) for how in ("lower", "higher", "midpoint", "nearest")],
]


@pytest.mark.parametrize("kind", CATALOGUE)
@given(rng=generators())
def test_every_priority_of_the_catalogue(kind, rng):
    """Utilities don't depend on company, ranges hold, structure tells the truth."""
    outputs, weights = random_task(rng)
    priority, _ = kind(rng, outputs, weights)
    check_priority(priority, eq.Task(outputs, weights), rng)


@pytest.mark.parametrize("kind", CATALOGUE[:-1])
@pytest.mark.parametrize("aggregator", [eq.Average(), eq.Maximum(), eq.Percentile(30)])
@given(rng=generators())
def test_every_way_to_find_evidence(kind, aggregator, rng):
    """Counting sums and looking at every rule agree for every local comparison."""
    outputs, weights = random_task(rng)
    priority, _ = kind(rng, outputs, weights)
    check_methods_agree(priority, eq.Task(outputs, weights), aggregator)


@pytest.mark.parametrize("aggregator", AGGREGATORS, ids=lambda a: a.name)
def test_every_rule_aggregator(aggregator):
    """Permutation-invariant, unanimous, and the same for repeated gaps and counts."""
    check_rule_aggregator(aggregator, np.random.default_rng(8))


def test_the_priority_aggregator():
    """The linear aggregator is scale-preserving."""
    check_scale_preserving(eq.LinearAggregator(), np.random.default_rng(8))


class Broken(eq.LinearFeature):
    """A feature that breaks one promise at a time."""

    def __init__(self, promise):
        super().__init__("broken", lambda x, y: float(y == "a"))
        self.promise = promise

    def utilities(self, rules):
        values = super().utilities(rules)
        return values + (len(rules) if self.promise == "company" else 0)

    def scores(self, task):
        factor = {"range": 0.5, "scores": 2.0}.get(self.promise, 1.0)
        return [factor * scores for scores in super().scores(task)]

    def gap_sum(self, comparison, task):
        gap_sum = super().gap_sum(comparison, task)
        if self.promise == "affine":
            return eq.GapSum(
                1, {}, lambda sums: gap_sum.read(sums) + sums[0] ** 2, 1.0, affine=True
            )
        extra = 1.0 if self.promise == "gaps" else 0.0
        return eq.GapSum(0, {}, lambda sums: gap_sum.read(sums) + extra, 0.0)


@pytest.mark.parametrize(
    ("promise", "message"),
    [
        ("company", "alone and together"),
        ("range", "the range exceeds"),
        ("scores", "utilities and scores"),
        ("gaps", "gaps by `gap_sum` and by utilities"),
        ("affine", "an affine gap and a line"),
    ],
)
def test_a_broken_priority_is_found(promise, message):
    """Each promise that a priority may break makes the check fail, saying which."""
    task = eq.Task({"x": "ab", "y": "ab"})
    check_priority(Broken("none"), task, np.random.default_rng(1))
    with pytest.raises(AssertionError, match=message):
        check_priority(Broken(promise), task, np.random.default_rng(1))


def test_methods_that_disagree_are_found():
    """A gap sum that is wrong shows when counting is compared with looking."""
    task = eq.Task({"x": "ab", "y": "ab"})
    with pytest.raises(AssertionError, match="by counting"):
        check_methods_agree(Broken("gaps"), task, eq.Average())


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda gaps, counts: gaps[0], "gaps in another order|repeated gaps"),
        (lambda gaps, counts: 2 * gaps.max(), "all gaps the same"),
        (lambda gaps, counts: gaps.mean(), "repeated gaps and counts"),
    ],
)
def test_a_broken_rule_aggregator_is_found(function, message):
    """Order, unanimity, multiplicity: each has a check that can fail."""
    with pytest.raises(AssertionError, match=message):
        check_rule_aggregator(eq.CustomAggregator("broken", function), np.random.default_rng(8))
