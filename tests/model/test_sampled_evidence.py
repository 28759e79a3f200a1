"""Evidence from a random sample of backgrounds: its standard error, or that it's only a bound."""

import numpy as np
import pytest
from strategies import GROUPS

import equipoise as eq
from equipoise.model import tallies
from equipoise.model.aggregation import rule_aggregator

TASK = eq.Task({"x": "ab", "y": "ab", "z": "ab"})
LOCAL = eq.Comparison.local("x", "a", "b")


@pytest.mark.parametrize("aggregator", ["average", eq.Percentile(75), eq.Percentile(35)])
def test_sampled_evidence_is_off_by_its_standard_error(aggregator):
    """Over many seeds, evidence toward either side varies by as much as its standard error says."""
    rng = np.random.default_rng(2)
    outputs = {i: "abc" for i in range(7)}
    value = {(i, x, y): rng.random() for i in GROUPS for x in outputs for y in "abc"}
    priority = eq.Egalitarianism(GROUPS, lambda i, x, y: value[i, x, y])
    task, question = eq.Task(outputs), eq.Comparison.local(0, "a", "b")
    chosen = rule_aggregator(aggregator)
    exact = tallies.tally(priority, question, task, chosen, "exact")
    found = [
        tallies.tally(priority, question, task, chosen, eq.Sampled(size=400, seed=seed))
        for seed in range(200)
    ]
    assert {t.method for t in found} == {"sampled"}
    for side, truth in enumerate([exact.toward_first, exact.toward_second]):
        values = np.array([(t.toward_first, t.toward_second)[side] for t in found])
        stated = np.mean([t.standard_errors[side] for t in found])
        spread = np.sqrt(np.mean((values - truth) ** 2))
        # 200 seeds tell a spread to within 5 % of itself, and bootstrap errors vary too
        assert stated == pytest.approx(spread, rel=0.3)


def test_each_side_of_a_sample_has_its_own_standard_error():
    """A high percentile toward one side is a low one toward the other, seen less or more often."""
    task = eq.Task({i: "ab" for i in range(6)})
    rare = eq.CustomPriority("rare", lambda rule: float(all(y == "a" for y in rule.values())))
    question = eq.Comparison.local(0, "a", "b")
    found = tallies.tally(rare, question, task, eq.Percentile(95), eq.Sampled(200, seed=3))
    assert found.standard_errors[0] > 0  # about one background in 32 has a gap of 1
    assert found.standard_errors[1] == 0


@pytest.mark.parametrize(
    ("aggregator", "kind"),
    [("maximum", "lower"), (eq.Percentile(100), "lower"), (eq.Percentile(0), "upper")],
)
def test_an_end_of_a_sample_says_that_it_is_only_a_bound(aggregator, kind):
    """A sampled maximum never exceeds the true one, and has no standard error."""
    task = eq.Task({i: "abc" for i in range(6)})
    rare = eq.CustomPriority("rare", lambda rule: float(len(set(rule.values())) == 1))
    question = eq.Comparison.local(0, "a", "b")
    exact = eq.evidence([rare], [question], task, aggregator=aggregator, method="exact")
    sampled = eq.evidence(
        [rare], [question], task, aggregator=aggregator, method=eq.Sampled(20, seed=1)
    )
    (account,) = sampled.accounts
    assert np.isnan(account.standard_error).all()
    assert account.lower_bound.all() == (kind == "lower")
    assert account.upper_bound.all() == (kind == "upper")
    if kind == "lower":
        assert sampled.favour.item() < exact.favour.item() == 1
    assert f"only {'a lower' if kind == 'lower' else 'an upper'} bound of the true one" in str(
        account
    )


@pytest.mark.parametrize("aggregator", ["average", eq.Percentile(30)])
def test_a_sample_without_variation_has_no_standard_error(aggregator):
    """Where every gap is the same, what resampling leaves over is rounding: it isn't told."""
    tenth = eq.CustomPriority("tenth", lambda rule: 0.1 * (rule["x"] == "a"))
    says = eq.evidence([tenth], [LOCAL], TASK, aggregator=aggregator, method=eq.Sampled(100))
    (account,) = says.accounts
    assert (account.standard_error == 0).all()
    assert str(account) == "tenth: sampled"


def test_the_same_seed_samples_the_same_backgrounds():
    """Sampling depends on the seed alone."""
    priority = eq.CustomPriority("count", lambda rule: sum(y == "a" for y in rule.values()) / 3)
    found = [
        eq.evidence([priority], [LOCAL], TASK, method=eq.Sampled(20, seed), aggregator="average")
        for seed in (1, 1)
    ]
    np.testing.assert_array_equal(found[0].favour, found[1].favour)
