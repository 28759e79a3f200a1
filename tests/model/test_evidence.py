"""Evidence: which way it was found and how far it can be trusted, its scale, what it refuses."""

import math
import re

import numpy as np
import pytest

import equipoise as eq
from equipoise.model import tallies

TASK = eq.Task({"x": "ab", "y": "ab", "z": "ab"})
LOCAL = eq.Comparison.local("x", "a", "b")
# More backgrounds than can be listed, and benefits that are no multiples of one unit.
MANY = eq.Task({i: "ab" for i in range(40)})
ODD = eq.Egalitarianism("ab", lambda i, x, y: (0.3 + x) ** 0.5 / 8 * (y == i))


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


def test_accounts_say_what_was_done_in_a_sentence():
    """Method, error bound, standard error, divisor: whatever applies is said."""
    loud = eq.CustomPriority("loud", lambda rule: 4.0 * (rule["x"] == "a"))
    (account,) = eq.evidence([loud], [LOCAL], TASK).accounts
    assert str(account) == "loud: exact; utility divided by its range, 4"
    (account,) = eq.evidence([loud], [LOCAL], TASK, method="sampled").accounts
    assert str(account) == "loud: sampled; utility divided by its range, 4"
    part = eq.CustomPriority("part", lambda rule: sum(y == "a" for y in rule.values()) ** 2 / 9)
    (account,) = eq.evidence([part], [LOCAL], TASK, method="sampled").accounts
    assert re.fullmatch(r"part: sampled, standard error up to 0\.00\d+", str(account))
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
