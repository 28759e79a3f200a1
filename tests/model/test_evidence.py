"""Evidence in three ways: exact, structured and sampled, and what each says of itself."""

import math
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, strategies as st
from strategies import CATALOGUE, GROUPS, cases, generators, random_comparison

import equipoise as eq
from equipoise.model import convolution, tallies
from equipoise.model.aggregation import rule_aggregator

AGGREGATORS = ("average", "maximum", eq.Percentile(50), eq.Percentile(20, "lower"))
SUMMED = tuple(kind for kind in CATALOGUE if kind.__name__ != "custom")
TASK = eq.Task({"x": "ab", "y": "ab", "z": "ab"})
LOCAL = eq.Comparison.local("x", "a", "b")
# More backgrounds than can be listed, and benefits that are no multiples of one unit.
MANY = eq.Task({i: "ab" for i in range(40)})
ODD = eq.Egalitarianism("ab", lambda i, x, y: (0.3 + x) ** 0.5 / 8 * (y == i))


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
        patch.setattr(convolution, "ROUNDED_BITS", 2**15)
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


def test_per_input_scale_bounds_separable_evidence_by_one_but_not_proportionality():
    """The largest valence is reported: under the maximum, far above one for proportionality."""
    task = eq.Task({i: ("a", "b") for i in range(30)})
    fair = eq.Proportionality(lambda x, y: y, {"a": 0.5, "b": 0.5})
    size = eq.Size(lambda x, y: y == "a")
    question = [eq.Comparison.local(0, "a", "b")]
    separable = eq.evidence([size], question, task, scale="per-input", aggregator="maximum")
    assert separable.largest_valence == pytest.approx(1)
    proportional = eq.evidence([fair], question, task, scale="per-input", aggregator="maximum")
    assert proportional.favour.item() == pytest.approx(2 * 29 / 30)
    assert proportional.largest_valence == pytest.approx(4 * 29 / 30)


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


def test_the_same_seed_samples_the_same_backgrounds():
    """Sampling depends on the seed alone."""
    priority = eq.CustomPriority("count", lambda rule: sum(y == "a" for y in rule.values()) / 3)
    found = [
        eq.evidence([priority], [LOCAL], TASK, method=eq.Sampled(20, seed), aggregator="average")
        for seed in (1, 1)
    ]
    np.testing.assert_array_equal(found[0].favour, found[1].favour)


def test_accounts_say_what_was_done_in_a_sentence():
    """Method, error bound, standard error, divisor: whatever applies is said."""
    loud = eq.CustomPriority("loud", lambda rule: 4.0 * (rule["x"] == "a"))
    (account,) = eq.evidence([loud], [LOCAL], TASK).accounts
    assert str(account) == "loud: exact; utility divided by its range, 4"
    (account,) = eq.evidence([loud], [LOCAL], TASK, method="sampled").accounts
    assert str(account) == "loud: sampled, standard error up to 0; utility divided by its range, 4"
    many = eq.Task({i: "ab" for i in range(60)})
    counted = eq.CustomPriority("counted", lambda rule: 3.0, bound=3.0)
    (account,) = eq.evidence(
        [counted], [eq.Comparison.local(0, "a", "b")], many, method=eq.Sampled(10)
    ).accounts
    assert str(account).endswith("; utility divided by a proven bound on its range, 3")
    far = eq.Comparison.local(39, "a", "b")
    (account,) = eq.evidence([ODD], [far], MANY, aggregator="maximum").accounts
    assert re.fullmatch(r"egalitarianism: structured, off by at most \S+", str(account))


def test_auto_takes_the_quickest_exact_way():
    """Sums where they can be counted, rules where they are few, a sample otherwise."""
    fair = eq.Proportionality(lambda x, y: y, {"a": 0.5})
    custom = eq.CustomPriority("custom", lambda rule: float(rule[0] == "a"), bound=1.0)
    few, many = eq.Task({i: "ab" for i in range(3)}), eq.Task({i: "ab" for i in range(40)})
    question = [eq.Comparison.local(0, "a", "b")]
    used = {
        (priority.name, task.rule_count): eq.evidence([priority], question, task)
        .accounts[0]
        .method[0]
        for priority in (fair, custom)
        for task in (few, many)
    }
    assert used == {
        ("proportionality", 2**3): "structured",
        ("proportionality", 2**40): "structured",
        ("custom", 2**3): "exact",
        ("custom", 2**40): "sampled",
    }


def test_what_a_method_cannot_do_is_refused_in_a_sentence():
    """Counting needs sums, looking at every rule needs few enough, a range needs a bound."""
    custom = eq.CustomPriority("custom", lambda rule: 0.0)
    bounded = eq.CustomPriority("bounded", lambda rule: 0.0, bound=1.0)
    many = eq.Task({i: "ab" for i in range(60)})
    question = [eq.Comparison.local(0, "a", "b")]
    with pytest.raises(ValueError, match=r"priority 'custom' has no `gap_sum`"):
        eq.evidence([custom], [LOCAL], TASK, method="structured")
    with pytest.raises(ValueError, match=r"the task has about 10\^18 rules, too many"):
        eq.evidence([bounded], question, many, method="exact")
    with pytest.raises(
        ValueError, match=r"range of priority 'custom' is unknown .* give it a bound"
    ):
        eq.evidence([custom], question, many)
    with pytest.raises(ValueError, match="method is 'guess', expected 'auto'"):
        eq.evidence([custom], [LOCAL], TASK, method="guess")
    with pytest.raises(ValueError, match="size is 1, expected at least 2"):
        eq.Sampled(1)


@pytest.mark.parametrize("scale", [0, -1.0, math.inf, math.nan, "per-person"])
def test_a_scale_must_be_positive_or_per_input(scale):
    """Anything else is refused with what came."""
    with pytest.raises(ValueError, match=r"scale is .*, expected a positive number or 'per-input'"):
        eq.evidence([eq.Size(lambda x, y: 1)], [LOCAL], TASK, scale=scale)


def test_scale_multiplies_evidence_and_its_errors():
    """Evidence at scale 3 is three times that at scale 1, the stated error too."""
    question = [eq.Comparison.local(39, "a", "b")]
    found = [
        eq.evidence([ODD], question, MANY, scale=scale, aggregator="maximum") for scale in (1, 3)
    ]
    np.testing.assert_allclose(found[1].favour, 3 * found[0].favour)
    np.testing.assert_allclose(found[1].accounts[0].error, 3 * found[0].accounts[0].error)
    assert found[0].accounts[0].method == ("structured",)
    assert 0 < found[0].accounts[0].error < tallies.AUTO_ERROR * found[0].favour.item()


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
        patch.setattr(convolution, "ROUNDED_BITS", 2**7)
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


def test_a_bound_that_is_wrong_is_noticed():
    """Two rules farther apart than the stated bound refute it."""
    task = eq.Task({i: "ab" for i in range(30)})
    loud = eq.CustomPriority("loud", lambda rule: 50.0 * (rule[0] == "a"), bound=1.0)
    with pytest.raises(ValueError, match="'loud' has a bound of 1 on its range, but two rules"):
        eq.evidence([loud], [eq.Comparison.local(0, "a", "b")], task)


@pytest.mark.parametrize("aggregator", ["average", "maximum", eq.Percentile(60)])
def test_rounding_never_speaks_nor_leans(aggregator):
    """Utilities with an offset, in the millions or minute: a silent priority stays silent."""
    for size in (1.0, 1e6, 1e-9):
        silent = eq.CustomPriority(
            "silent",
            lambda rule, size=size: size * sum([0.1, 0.2, 0.3][:: 1 - 2 * (rule["x"] == "a")]),
        )
        for unit_range in (False, True):
            says = eq.evidence(
                [silent], [LOCAL], TASK, aggregator=aggregator, unit_range=unit_range
            )
            assert says.favour.item() == says.against.item() == 0
    for mass in (1e-3, 1e-9):
        task = eq.Task({"x": "ab", "y": "ab"}, {"x": mass, "y": 1 - mass})
        size = eq.Size(lambda x, y: y == "a")
        question = [eq.Comparison.local("x", "a", "b")]
        says = eq.evidence([size], question, task, scale="per-input", aggregator=aggregator)
        assert says.favour.item() == pytest.approx(1)


@pytest.mark.parametrize(
    ("favour", "against", "message"),
    [
        ([[-0.1]], [[0.0]], "favour[0, 0] is -0.1, expected evidence of at least 0"),
        ([[0.1]], [[0.0, 0.0]], "against has shape (1, 2), expected (1, 1)"),
        ([[math.nan]], [[0.0]], "favour[0, 0] is nan, expected a finite number"),
        ([0.1], [0.1], "favour has shape (1,), expected (any, any)"),
    ],
)
def test_bad_evidence_is_refused_in_a_sentence(favour, against, message):
    """Two non-negative, finite matrices of the same shape."""
    with pytest.raises(ValueError, match=re.escape(message)):
        eq.Evidence(favour, against)


def test_features_must_have_two_sides():
    """Sides have shape (n, 2, m); the error says what came."""
    with pytest.raises(
        ValueError, match=re.escape("sides has shape (3, 4), expected (any, 2, any)")
    ):
        eq.Evidence.from_features(np.zeros((3, 4)))
    with pytest.raises(ValueError, match=re.escape("sides[0, 1, 0] is nan")):
        eq.Evidence.from_features([[[0.1], [math.nan]]])


def test_rows_columns_and_swapped_sides():
    """Evidence can be cut by question and by priority, and turned round."""
    says = eq.Evidence(np.arange(6.0).reshape(2, 3), np.ones((2, 3)))
    assert len(says) == 2
    np.testing.assert_array_equal(says.rows([1]).favour, [[3, 4, 5]])
    np.testing.assert_array_equal(says.columns([2, 0]).favour, [[2, 0], [5, 3]])
    np.testing.assert_array_equal(says.swapped().favour, says.against)


def test_no_questions_make_empty_evidence():
    """Nothing asked, nothing said: matrices without rows."""
    says = eq.evidence([eq.Size(lambda x, y: 1)], [], TASK)
    assert says.favour.shape == (0, 1)
    assert says.largest_valence == 0


def test_a_users_aggregator_is_used_and_checked():
    """A function of gaps and counts; a value that is no finite number is refused."""
    trimmed = eq.CustomAggregator("middle", lambda gaps, counts: (gaps.max() + gaps.min()) / 2)
    fair = eq.Proportionality(lambda x, y: y, {"a": 0.6})
    says = eq.evidence([fair], [LOCAL], TASK, aggregator=trimmed)
    gaps = eq.projection_gaps(fair, LOCAL, eq.these_rules(TASK, list(eq.all_rules(TASK))))
    assert says.favour.item() == pytest.approx(max(0, (gaps.max() + gaps.min()) / 2))
    broken = eq.CustomAggregator("broken", lambda gaps, counts: math.nan)
    with pytest.raises(ValueError, match="rule aggregator 'broken' returned nan, expected one"):
        eq.evidence([fair], [LOCAL], TASK, aggregator=broken)
    rounded = tallies.tally(ODD, eq.Comparison.local(39, "a", "b"), MANY, trimmed, "structured")
    assert rounded.error == math.inf  # nothing is known of how a user's aggregator moves

    class Broken(eq.RuleAggregator):
        name = "broken too"

        def __call__(self, gaps, counts=1):
            return math.nan

    with pytest.raises(ValueError, match="rule aggregator 'broken too' returned nan, expected one"):
        eq.evidence([fair], [LOCAL], TASK, aggregator=Broken())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["size"], [LOCAL], TASK), "priorities[0] is 'size', expected a priority"),
        (([ODD], LOCAL, TASK), "expected a list of comparisons"),
        (([ODD], ["x"], TASK), "comparisons[0] is 'x', expected a Comparison"),
        (([ODD], [LOCAL], {"x": "ab"}), "task is {'x': 'ab'}, expected a Task"),
    ],
)
def test_wrong_arguments_are_refused_in_a_sentence(arguments, message):
    """Priorities, comparisons and task are checked before anything is computed."""
    with pytest.raises(ValueError, match=re.escape(message)):
        eq.evidence(*arguments)


def test_an_unknown_aggregator_is_refused_with_the_known_ones():
    """The error lists what there is."""
    with pytest.raises(ValueError, match="aggregator is 'mean', expected 'average' or 'maximum'"):
        eq.PriorityModel([eq.Size(lambda x, y: 1)], [1.0], "mean")
    with pytest.raises(ValueError, match=re.escape("p is 101, expected a number in [0, 100]")):
        eq.Percentile(101)
    with pytest.raises(ValueError, match="interpolation is 'cubic', expected one of linear"):
        eq.Percentile(50, "cubic")
