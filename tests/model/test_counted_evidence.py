"""Counting backgrounds by their sums: exact on a lattice, within a proven error elsewhere."""

import math
import os
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given, strategies as st
from strategies import CATALOGUE, GROUPS, cases, generators, random_comparison

import equipoise as eq
from equipoise.model import convolution, tallies
from equipoise.model.counting import Shares
from equipoise.model.percentiles import percentile_by_shares

AGGREGATORS = ("average", "maximum", eq.Percentile(50), eq.Percentile(20, "lower"))
SUMMED = tuple(kind for kind in CATALOGUE if kind.__name__ != "custom")


@pytest.mark.parametrize("aggregator", AGGREGATORS)
@given(case=cases(SUMMED), rng=generators())
def test_counting_sums_agrees_with_looking_at_every_rule(aggregator, case, rng):
    """Structured evidence is the exact one, within the error that it states."""
    question = random_comparison(rng, case.outputs)
    found = {
        method: eq.evidence(
            case.priorities, [question], case.task, aggregator=aggregator, method=method
        )
        for method in ("exact", "structured", "auto")
    }
    error = np.array([account.error for account in found["structured"].accounts]).T
    for side in ("favour", "against"):
        exact = getattr(found["exact"], side)
        assert (abs(getattr(found["structured"], side) - exact) <= error + 1e-9).all()
        np.testing.assert_allclose(getattr(found["auto"], side), exact, atol=1e-9)


@given(generators(), st.integers(1, 4))
def test_counting_is_exact_on_a_lattice_with_many_recipients(rng, recipients):
    """Benefits in whole tenths and weights in whole parts are counted without rounding."""
    people = [f"p{i}" for i in range(recipients)]
    outputs = {f"x{i}": tuple("abc"[: rng.integers(1, 4)]) for i in range(5)}
    parts = rng.integers(1, 4, 5)
    weights = {x: int(part) / int(parts.sum()) for x, part in zip(outputs, parts, strict=True)}
    task = eq.Task(outputs, weights)
    benefit = {
        (i, x, y): int(rng.integers(3)) / 10 for i in people for x in outputs for y in outputs[x]
    }
    priority = eq.Egalitarianism(people, lambda i, x, y: benefit[i, x, y])
    question = eq.Comparison({"x0": "a"}, {"x0": outputs["x0"][-1]})
    for aggregator in AGGREGATORS:
        counted = eq.evidence([priority], [question], task, aggregator=aggregator)
        looked = eq.evidence([priority], [question], task, aggregator=aggregator, method="exact")
        assert counted.accounts[0].method == ("structured",)
        assert counted.accounts[0].error == 0
        np.testing.assert_allclose(counted.favour, looked.favour, atol=1e-12)
        np.testing.assert_allclose(counted.against, looked.against, atol=1e-12)


@pytest.mark.parametrize("aggregator", AGGREGATORS)
@given(rng=generators())
def test_rounded_counting_stays_within_its_proven_error(aggregator, rng):
    """Benefits of any size are rounded to a grid; the true evidence is within the bound."""
    outputs = {f"x{i}": "abc" for i in range(6)}
    task = eq.Task(outputs)
    people = GROUPS[: rng.integers(1, 4)]
    benefit = {(i, x, y): rng.random() for i in people for x in outputs for y in "abc"}
    priority = eq.Egalitarianism(people, lambda i, x, y: benefit[i, x, y])
    question = random_comparison(rng, outputs)
    with pytest.MonkeyPatch.context() as patch:
        # as if there were many more backgrounds, and a grid coarse enough for rounding to show
        patch.setattr(convolution, "LARGEST_LATTICE", 1)
        patch.setattr(convolution, "ROUNDED_ADDITIONS", 2**15)
        found = eq.evidence(
            [priority], [question], task, aggregator=aggregator, method="structured"
        )
    exact = eq.evidence([priority], [question], task, aggregator=aggregator, method="exact")
    error = found.accounts[0].error.item()
    assert abs(found.favour - exact.favour).item() <= error + 1e-12
    assert abs(found.against - exact.against).item() <= error + 1e-12
    if len(question.inputs) < len(task.inputs):
        assert 0 < error < math.inf


def test_the_median_of_a_symmetric_priority_over_many_inputs_is_exactly_even():
    """2^999 backgrounds, half of them for either side: no rounding tips the balance."""
    task = eq.Task({i: ("a", "b") for i in range(1000)})
    fair = eq.Proportionality(lambda x, y: y, {"a": 0.5, "b": 0.5})
    question = eq.Comparison.local(0, "a", "b")
    for aggregator in ("average", "maximum", eq.Percentile(50)):
        says = eq.evidence([fair], [question], task, aggregator=aggregator)
        assert says.favour.item() == says.against.item()
    lower = eq.evidence([fair], [question], task, aggregator=eq.Percentile(50, "lower"))
    # The gap just below the middle, at rank 2^999 - 1 of 2^1000, is the one nearest below zero.
    assert (lower.favour.item(), lower.against.item()) == (0, 0)
    upper = eq.evidence([fair], [question], task, aggregator=eq.Percentile(50, "higher"))
    # One good of a thousand, both groups off by half a good: 2 (2 * 1/2 / 1000^2).
    assert upper.favour.item() == upper.against.item() == pytest.approx(2 / 1000**2)


def test_average_over_many_inputs_by_hand():
    """Under the average, proportionality at a question is linear: 2 eps per good and share."""
    n, eps = 1000, 0.1
    task = eq.Task({i: ("a", "b") for i in range(n)})
    fair = eq.Proportionality(lambda x, y: y, {"a": 0.5 + eps, "b": 0.5 - eps})
    says = eq.evidence([fair], [eq.Comparison.local(0, "a", "b")], task)
    # gap = -2 sum_l (f_l - s_l)(b_l + ... - alpha_l) averages to 4 eps / n
    assert says.favour.item() == pytest.approx(4 * eps / n)
    per_input = eq.evidence([fair], [eq.Comparison.local(0, "a", "b")], task, scale="per-input")
    assert per_input.favour.item() == pytest.approx(4 * eps)


def test_auto_samples_where_a_rounded_count_would_say_too_little():
    """A bound that is a large share of the largest gap is no use, however small it is."""
    weights = np.random.default_rng(1).random(3000) ** 3
    weights /= weights.sum()
    task = eq.Task({i: "ab" for i in range(3000)}, dict(enumerate(weights.tolist())))
    fair = eq.Proportionality(lambda x, y: y, {"a": 0.7, "b": 0.3})
    question = eq.Comparison.local(5, "a", "b")
    says = eq.evidence([fair], [question], task)
    (account,) = says.accounts
    # u = -2 (share of a - 0.7)^2, whose gap averages to 4 (0.7 - 0.5) times the mass of input 5
    truth = 4 * 0.2 * weights[5]
    error = np.nan_to_num(account.standard_error[0, 0]) * 4 + (
        account.error[0] if account.method == ("structured",) else 0
    )
    assert abs(says.favour.item() - truth) <= error
    assert error < 0.1 * truth


class Summing:
    """A priority that is its own sum: u(F) = sum over inputs of a number for each output."""

    name = "sum"

    def __init__(self, numbers):
        self.numbers = numbers

    def utilities(self, rules):
        return rules.totals([np.array(row)[:, None] for row in self.numbers])[0]

    def range_bound(self, task):
        return float(sum(np.ptp(row) for row in self.numbers))

    def gap_sum(self, comparison, task):
        """Pretend that the gap is the sum over the background, so that its error shows bare."""
        parts = {
            x: np.array(row)[:, None]
            for x, row in zip(task.inputs, self.numbers, strict=True)
            if x not in comparison.first
        }
        return eq.GapSum(1, parts, lambda sums: sums[0], 1.0)


def test_the_error_bound_of_rounding_is_attained():
    """Parts that all round the same way make the largest sum off by exactly the bound."""
    task = eq.Task({i: "ab" for i in range(13)})
    priority = Summing([[0.0, 1.0]] + [[0.0, 1 / 3 + 2**-9 * 2**0.5]] * 12)
    question = eq.Comparison.local(0, "a", "b")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(convolution, "LARGEST_LATTICE", 1)
        patch.setattr(convolution, "ROUNDED_ADDITIONS", 2**8)
        found = tallies.tally(priority, question, task, eq.Maximum(), "structured")
    truth = 12 * (1 / 3 + 2**-9 * 2**0.5)
    assert found.error > 0.01
    assert abs(found.toward_first - truth) == pytest.approx(found.error, rel=1e-9)


def test_the_error_of_a_sum_that_follows_from_the_others_is_theirs_added_up():
    """Three recipients of a fixed total: the last total may be off by both others together."""
    p = 2**0.5 / 100
    gains = {0: {"a": (1, 1, 0), "b": (0, 0, 2)}}
    gains |= {i: {"a": (p, p, 0), "b": (0, 0, 2 * p)} for i in range(1, 22)}
    task = eq.Task({i: "ab" for i in gains})
    priority = eq.Egalitarianism(range(3), lambda i, x, y: gains[x][y][i])
    question = eq.Comparison.local(1, "a", "b")
    exact = tallies.tally(priority, question, task, eq.Maximum(), "exact")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(convolution, "LARGEST_LATTICE", 1)
        counted = tallies.tally(priority, question, task, eq.Maximum(), "structured")
    assert counted.error > 0
    assert abs(counted.toward_first - exact.toward_first) <= counted.error
    assert abs(counted.toward_second - exact.toward_second) <= counted.error


def test_a_sum_over_a_fixed_order_of_inputs():
    """Inputs without a say are added up in the task's order, so that runs agree to the bit."""
    script = (
        "import equipoise as eq\n"
        "task = eq.Task({str(i): 'ab' if i < 3 else 'a' for i in range(40)})\n"
        "odd = eq.Egalitarianism('ab', lambda i, x, y: (1.3 + int(x)) ** 0.5 / (2 + (i == y)))\n"
        "q = eq.Comparison.local('0', 'a', 'b')\n"
        "print(eq.evidence([odd], [q], task, method='structured').favour.item().hex())"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in range(4)
    }
    assert len(printed) == 1


def weighted(outputs, parts):
    """A task whose inputs occur in proportion to these numbers."""
    shares = np.asarray(parts, dtype=float) / np.sum(parts)
    return eq.Task(dict.fromkeys(range(len(parts)), outputs), dict(enumerate(shares.tolist())))


@pytest.mark.parametrize("aggregator", ["average", "maximum", eq.Percentile(0), eq.Percentile(100)])
@given(rng=generators())
def test_the_average_and_the_ends_of_an_affine_gap_are_exact_with_any_weights(aggregator, rng):
    """Weights that are no multiples of one unit are not rounded where nothing is counted."""
    task = weighted("abc", rng.dirichlet(np.ones(6)))
    fair = eq.Proportionality(lambda x, y: y, {"a": 0.2, "b": 0.5})
    question = random_comparison(rng, task.outputs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(convolution, "LARGEST_LATTICE", 1)
        counted = eq.evidence([fair], [question], task, aggregator=aggregator, method="structured")
    looked = eq.evidence([fair], [question], task, aggregator=aggregator, method="exact")
    assert (counted.accounts[0].error == 0).all()
    np.testing.assert_allclose(counted.favour, looked.favour, atol=1e-14)
    np.testing.assert_allclose(counted.against, looked.against, atol=1e-14)


@pytest.mark.parametrize("inputs", [1000, 1001])
def test_the_median_of_a_weighted_symmetric_priority_is_exactly_even(inputs):
    """Half of 2^n backgrounds on either side, or one in the middle: no share tips the balance."""
    parts = np.random.default_rng(inputs).integers(1, 50, inputs)
    task = weighted("ab", parts)
    fair = eq.Proportionality(lambda x, y: y, {"a": 0.5, "b": 0.5})
    question = eq.Comparison.local(0, "a", "b")
    for p in ("lower", "higher", "linear"):
        says = eq.evidence([fair], [question], task, aggregator=eq.Percentile(50, p))
        assert says.accounts[0].error == 0
        if p == "linear":
            assert says.favour.item() == says.against.item()
        elif (parts.sum() - parts[0]) % 2:  # no background is even: the nearest are one apart
            gap = 2 * parts[0] / parts.sum() ** 2
            assert says.favour.item() == pytest.approx(gap if p == "higher" else 0)
        else:
            assert says.favour.item() == says.against.item() == 0


def test_a_close_thing_among_rounded_gaps_is_a_part_of_the_error():
    """Exactly half of the backgrounds on either side of two neighbours on a grid: not counted."""
    task = weighted("ab", np.random.default_rng(1).dirichlet(np.ones(1000)))
    fair = eq.Proportionality(lambda x, y: y, {"a": 0.5, "b": 0.5})
    question = eq.Comparison.local(3, "a", "b")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(convolution, "count_sums", None)
        says = eq.evidence([fair], [question], task, aggregator=eq.Percentile(50))
    (account,) = says.accounts
    assert account.method == ("structured",)
    assert says.favour.item() + says.against.item() <= account.error  # on paper both are zero


@given(generators(), st.floats(0, 100))
def test_a_percentile_by_shares_is_the_one_by_counts_within_its_doubt(rng, p):
    """However far shares may be off, what they tell of a percentile holds."""
    gaps = rng.integers(-3, 4, size=rng.integers(1, 30)) / 7
    counts = rng.integers(1, 9, size=gaps.size)
    percentile = eq.Percentile(p)
    exact = percentile.both_ways([(gaps, counts)])
    off = 10.0 ** rng.integers(-15, 0)
    shares = counts / counts.sum() * (1 + off * rng.uniform(-0.9, 0.9, gaps.size))
    found, doubt = percentile_by_shares(
        percentile, gaps, Shares(shares, off, 0.0), int(counts.sum())
    )
    if doubt == 0:
        assert found == exact
    np.testing.assert_allclose(found, exact, atol=doubt)


def test_a_percentile_by_shares_is_found_unless_it_is_a_close_thing():
    """At one third of three equal gaps a rounding decides; at two fifths it doesn't."""
    gaps, shares = np.array([1.0, 2.0, 3.0]), Shares(np.full(3, 1 / 3), 1e-15, 0.0)
    rules = 3 * 2**80
    exact = [(gaps, np.array([2**80] * 3, dtype=object))]
    assert percentile_by_shares(eq.Percentile(40), gaps, shares, rules) == ((2, -2), 0)
    third = eq.Percentile(100 / 3)
    assert percentile_by_shares(third, gaps, shares, rules) == ((1, -2), 1)
    assert third.both_ways(exact)[0] in (1, 2)
    # shares that went missing may be anywhere
    missing = Shares(np.full(3, 0.3), 1e-15, 0.1)
    assert percentile_by_shares(eq.Percentile(15), gaps, missing, rules) == ((1, -3), 0)
    assert percentile_by_shares(eq.Percentile(35), gaps, missing, rules)[1] == 1


def test_roundings_that_add_up_are_told():
    """Over thousands of inputs the shares of an average may be off by more than rounding."""
    question = eq.Comparison.local(0, "a", "b")
    equal = eq.Egalitarianism("ab", lambda i, x, y: float(y == i))
    for inputs, told in ((500, False), (6000, True)):
        task = eq.Task(dict.fromkeys(range(inputs), "ab"))
        says = eq.evidence([equal], [question], task, method="structured")
        (error,) = says.accounts[0].error
        # the least total of two grows with the half of an input that is asked about
        assert says.favour.item() == pytest.approx(says.against.item(), rel=1e-9)
        assert (error > 0) == told
        assert error < 1e-11 / inputs


@pytest.mark.parametrize("aggregator", ["average", "maximum", eq.Percentile(50), eq.Percentile(30)])
@pytest.mark.parametrize("kind", ["whole", "any"])
def test_a_thousand_inputs_of_different_weights_take_no_time(kind, aggregator):
    """A tenth of a second of processor time each, with room for a slow machine."""
    rng = np.random.default_rng(0)
    parts = rng.integers(1, 50, 1000) if kind == "whole" else rng.dirichlet(np.ones(1000))
    task = weighted("abc", parts)
    fair = eq.Proportionality(lambda x, y: y, {"a": 0.3, "b": 0.3, "c": 0.4})
    start = time.process_time()
    says = eq.evidence([fair], [eq.Comparison.local(7, "a", "b")], task, aggregator=aggregator)
    assert time.process_time() - start < 1
    assert says.accounts[0].method == ("structured",)
