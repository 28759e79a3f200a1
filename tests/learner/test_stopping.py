"""When to stop: each rule against its definition, and what a session does to it."""

import json
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import linprog
from sessions import ALIKE, FAIR, YEARS_GAINED, assert_same_posterior, features, go_on, kidneys
from strategies import generators, simplex

import equipoise as eq
from equipoise.inference.draws import Draws
from equipoise.learner.stopping import EXPECTED, RULES, TYPED, rule_as_data, rule_typed

RULE_OF_EACH_KIND = (
    eq.AfterQuestions(20),
    eq.StandsStill(),
    eq.NarrowIntervals(0.1),
    eq.SmallRegret(average=0.01),
    eq.SmallRegret(worst_case=0.1, p=0.9),
    eq.SmallRegret(average=0.01, inputs=[[[0.1, 0.9], [0.5, 0.5]]]),
)


@dataclass(frozen=True)
class Path:
    """A sampler whose draws all are one point of a path, another after each answer."""

    points: tuple

    def start(self, problem, rng):
        """Start at the first."""
        return self._at(0, problem, rng)

    def update(self, draws, transcript, problem, rng):
        """Go to the next, and stay at the last."""
        return self._at(min(len(transcript), len(self.points) - 1), problem, rng)

    def _at(self, place, problem, rng):
        return Draws(np.tile(self.points[place], (4, 1)), problem.parameters.draw(rng, 4))


@dataclass
class Given:
    """A sampler whose draws never change."""

    weights: np.ndarray
    mass: np.ndarray

    def start(self, problem, rng):
        """Return them."""
        rows = problem.parameters.draw(rng, len(self.weights))
        return Draws(np.asarray(self.weights), rows, np.asarray(self.mass))

    def update(self, draws, transcript, problem, rng):
        """Return them."""
        return draws


class Breaks(Path):
    """A sampler that fails at the third answer."""

    def update(self, draws, transcript, problem, rng):
        """Fail, or go on."""
        if len(transcript) == 3:
            raise KeyboardInterrupt
        return super().update(draws, transcript, problem, rng)


def path(*moves, start=0.2):
    """A sampler that moves the first of two weights by so much at each answer."""
    first = start + np.concatenate([[0], np.cumsum(moves)])
    return Path(tuple((x, 1 - x) for x in first.tolist()))


def knowing(weights, mass=()):
    """A learner whose posterior consists of these weights."""
    weights = np.array(weights, dtype=float)
    return features(weights.shape[1], sampler=Given(weights, np.array(mass, dtype=float)))


def answer(learner, count=1):
    """Ask and answer, whatever it is."""
    for _ in range(count):
        learner.tell(learner.ask(), "first")


# What a learner keeps for rules to look at.


def test_estimates_are_the_posterior_means_on_the_way():
    """One before any answer and one after each; the last is what is known now."""
    learner = features()
    seen = [learner.posterior.mean()]
    for _ in range(4):
        go_on(learner, 1)
        seen.append(learner.posterior.mean())
    np.testing.assert_array_equal(learner.estimates, seen)
    learner.estimates[0] = 0
    np.testing.assert_array_equal(learner.estimates, seen)


def test_estimates_follow_undo_and_skip():
    """A skip leaves no trace in them, and after an undo they are as if never answered."""
    learner, other = features(), features()
    go_on(learner, 3)
    before = learner.estimates
    learner.ask()
    learner.skip()
    np.testing.assert_array_equal(learner.estimates, before)
    learner.undo()
    learner.undo(2)
    go_on(other, 1)
    second, third = other.ask(), learner.answers[1]
    other.skip()
    assert second.id == 2
    other.tell(other.ask([[third[0].first, third[0].second]]), third[1])
    assert_same_posterior(learner, other)
    np.testing.assert_array_equal(learner.estimates, other.estimates)


def test_estimates_are_read_back_from_a_log():
    """A session that is read back has had the same estimates."""
    learner = features()
    go_on(learner, 4)
    learner.undo()
    again = eq.Learner.replay(learner.log(), sampler=learner._settings.sampler)
    np.testing.assert_array_equal(again.estimates, learner.estimates)


def test_a_priority_added_midway_has_been_estimated_all_along():
    """Earlier answers are read anew, so earlier estimates have a column for it too."""
    learner = kidneys([YEARS_GAINED, FAIR])
    go_on(learner, 3)
    learner.add_priority(ALIKE)
    assert learner.estimates.shape == (4, 3)
    np.testing.assert_array_equal(learner.estimates[-1], learner.posterior.mean())


def test_an_answer_that_can_not_be_taken_in_leaves_the_estimates():
    """Interrupted in the middle of learning, they are those before."""
    learner = features(2, sampler=Breaks(path(0.1, 0.1, 0.1).points))
    answer(learner, 2)
    before = learner.estimates
    with pytest.raises(KeyboardInterrupt):
        answer(learner)
    np.testing.assert_array_equal(learner.estimates, before)
    assert len(learner.answers) == len(learner.closed) == 2


# A number of questions.


def test_after_questions_counts_answered_and_skipped_ones():
    """An open question doesn't count yet, and an undone one doesn't any more."""
    learner, rule = features(2, sampler=path()), eq.AfterQuestions(2)
    answer(learner)
    skipped = learner.ask()
    assert not rule.reached(learner)
    learner.skip()
    assert rule.reached(learner)
    assert learner.closed == [learner.answers[0][0], skipped]
    learner.undo(1)
    assert not rule.reached(learner)
    assert learner.closed == [skipped]


# Standing still.


@pytest.mark.parametrize(
    ("moves", "reached_after"),
    [
        ([0] * 9, 5),
        ([0.007] * 9, 5),  # a distance of 0.0099
        ([0.0072] * 9, None),  # of 0.0102
        ([0, 0, 0.02, *[0] * 9], 8),
        ([0, 0, 0, 0, -0.02, 0, 0, 0, 0], None),
    ],
)
def test_stands_still_after_five_small_moves_in_a_row(moves, reached_after):
    """The latest five moves, each below 0.01 in the Euclidean norm."""
    learner, reached = features(2, sampler=path(*moves)), None
    for count in range(1, len(moves) + 1):
        answer(learner)
        if reached is None and eq.StandsStill().reached(learner):
            reached = count
    assert reached == reached_after


@given(generators())
def test_stands_still_is_its_definition(rng):
    """Whatever the moves, the distance and the number of times: the latest are all smaller."""
    moves, times = rng.uniform(-0.05, 0.05, 6), int(rng.integers(1, 6))
    distance = rng.uniform(0.01, 0.06)
    learner = features(2, sampler=path(*moves, start=0.5))
    for count in range(7):
        small = [abs(move) * 2**0.5 < distance for move in moves[:count]]
        expected = count >= times and all(small[-times:])
        assert eq.StandsStill(distance, times).reached(learner) == expected
        answer(learner)


def test_stands_still_looks_at_answers_that_stand():
    """A skip is no small move, and an undone answer was none."""
    learner, rule = features(2, sampler=path(0.1)), eq.StandsStill(times=2)
    answer(learner, 2)
    for _ in range(3):
        learner.ask()
        learner.skip()
        assert not rule.reached(learner)
    answer(learner)
    assert rule.reached(learner)
    learner.undo()
    assert not rule.reached(learner)


# Narrow intervals.


def test_narrow_intervals_looks_at_the_widest():
    """One weight that may be anything keeps asking going, however well others are known."""
    points = np.linspace(0, 0.3, 101)
    learner = knowing(np.stack([points, 0.3 - points, np.full(101, 0.7)], axis=1))
    assert eq.NarrowIntervals(0.271).reached(learner)  # nine tenths of 0.3
    assert not eq.NarrowIntervals(0.269).reached(learner)
    assert eq.NarrowIntervals(0.151, p=0.5).reached(learner)
    assert not eq.NarrowIntervals(0.29, p=0.99).reached(learner)


def test_narrow_intervals_of_exactly_the_width_are_enough():
    """At most so wide."""
    learner = knowing([[0.25, 0.75], [0.75, 0.25]])
    assert eq.NarrowIntervals(0.5, p=1).reached(learner)


# Small regret.


def average_regret_written_out(true, learned, inputs):
    """What the learned rule loses over all inputs, of what there is to lose; in plain Python."""
    lost = available = 0.0
    for outputs in inputs.tolist():
        value = [sum(w * z for w, z in zip(true, output, strict=True)) for output in outputs]
        seems = [sum(w * z for w, z in zip(learned, output, strict=True)) for output in outputs]
        lost += max(value) - value[seems.index(max(seems))]
        available += max(value) - min(value)
    return lost / available


def worst_case_regret_by_programme(true, learned):
    """What the learned rule loses at worst, as the paper states it: a linear programme."""
    bounds = [(-1, 1)] * len(true)
    return -linprog(-np.asarray(true), A_ub=[learned], b_ub=[0.0], bounds=bounds).fun


@given(generators())
def test_expected_regret_is_the_mean_over_what_is_likely(rng):
    """Each draw in turn is the truth, and the rule is that of the posterior mean."""
    m, n, k = int(rng.integers(1, 5)), int(rng.integers(1, 6)), int(rng.integers(2, 5))
    weights, inputs = [simplex(rng, m) for _ in range(8)], rng.random((n, k, m))
    learner = knowing(weights)
    mean = np.mean(weights, axis=0)
    expected = np.mean([average_regret_written_out(w, mean, inputs) for w in weights])
    found = eq.SmallRegret(average=0.1, inputs=inputs).expected(learner)
    assert found == pytest.approx(expected, abs=1e-9)


@given(generators())
def test_regret_at_worst_is_a_quantile_over_what_is_likely(rng):
    """The worst case of each draw by its linear programme; so many of them are no worse."""
    m, p = int(rng.integers(1, 5)), rng.random()
    weights = [simplex(rng, m) for _ in range(8)]
    mean = np.mean(weights, axis=0)
    worst = [worst_case_regret_by_programme(w, mean) for w in weights]
    found = eq.SmallRegret(worst_case=0.1, p=p).at_worst(knowing(weights))
    assert found == pytest.approx(np.quantile(worst, p), abs=1e-7)


def test_regret_counts_draws_by_their_mass():
    """A draw three times as probable counts three times, in the mean as in the quantile."""
    likely, unlikely = [0.9, 0.1], [0.5, 0.5]
    learner = knowing([likely, unlikely, unlikely, unlikely], [0.25, 0.25, 0.25, 0.25])
    weighed = knowing([likely, unlikely, likely, unlikely], [0.25, 0.5, 0.0, 0.25])
    for rule in (eq.SmallRegret(average=0.1), eq.SmallRegret(worst_case=0.1, p=0.7)):
        assert rule.expected(weighed) == pytest.approx(rule.expected(learner))
        assert rule.at_worst(weighed) == pytest.approx(rule.at_worst(learner))


def test_small_regret_wants_every_bound_that_is_given():
    """On average, at worst, or both; of exactly the bound is small enough."""
    learner = knowing([[0.6, 0.4], [0.4, 0.6], [0.5, 0.5]])
    rule = eq.SmallRegret(average=1, worst_case=1)
    average, worst = rule.expected(learner), rule.at_worst(learner)
    assert 0 < average < worst < 1
    for small_average in (average, average / 2):
        for small_worst in (worst, worst / 2):
            bounds = {"average": small_average, "worst_case": small_worst}
            holds = {
                name: eq.SmallRegret(**{name: b}).reached(learner) for name, b in bounds.items()
            }
            assert holds == {
                "average": small_average == average,
                "worst_case": small_worst == worst,
            }
            assert eq.SmallRegret(**bounds).reached(learner) == all(holds.values())


def test_small_regret_is_about_the_decisions_that_are_to_be_made():
    """What is unknown matters only where a decision hangs on it."""
    learner = knowing([[0.6, 0.4], [0.4, 0.6]])
    clear = [[[0.9, 0.9], [0.1, 0.1]]] * 3
    hard = [[[0.9, 0.1], [0.1, 0.9]]] * 3
    assert eq.SmallRegret(average=0, inputs=clear).reached(learner)
    assert not eq.SmallRegret(average=0.4, inputs=hard).reached(learner)


def test_without_inputs_regret_is_judged_by_the_papers_kind_of_inputs():
    """300 inputs of five outputs, the same every time, not those that a simulation judges by."""
    rng = np.random.default_rng(5)
    weights = rng.dirichlet(np.ones(3), 20)
    rule, learner = eq.SmallRegret(average=0.01), knowing(weights)
    assert rule.expected(learner) == eq.SmallRegret(average=0.01).expected(learner)
    others = eq.SmallRegret(average=0.01, inputs=rng.random((300, 5, 3)))
    assert others.expected(learner) != rule.expected(learner)
    assert others.expected(learner) == pytest.approx(rule.expected(learner), rel=0.1)


def test_inputs_of_other_features_are_refused():
    """They have as many features as the questions."""
    rule = eq.SmallRegret(average=0.1, inputs=np.zeros((3, 2, 4)))
    with pytest.raises(ValueError, match=r"inputs has shape \(3, 2, 4\), expected \(any, any, 2\)"):
        rule.reached(knowing([[0.5, 0.5]]))


def test_asking_goes_on_until_little_can_be_lost():
    """A person who is learned: the regret that is expected falls, and is at last small."""
    learner = features(2, sampler=eq.HitAndRun(kept=200, burn_in=50), pool=50)
    rule = eq.SmallRegret(average=0.01, worst_case=0.2)
    before = rule.expected(learner)
    assert not rule.reached(learner)
    for _ in range(60):
        go_on(learner, 1)
        if rule.reached(learner):
            break
    assert rule.expected(learner) <= 0.01 < before
    assert rule.at_worst(learner) <= 0.2


# Rules as values.


@pytest.mark.parametrize("rule", RULE_OF_EACH_KIND, ids=str)
def test_rules_are_values(rule):
    """Equal where they say the same, so that experiments can be compared and collected."""
    same = type(rule)(**{name: getattr(rule, name) for name in rule.__dataclass_fields__})
    assert same == rule
    assert hash(same) == hash(rule)
    assert len({*RULE_OF_EACH_KIND, same}) == len(RULE_OF_EACH_KIND)


@pytest.mark.parametrize("rule", RULE_OF_EACH_KIND, ids=str)
def test_a_rule_is_written_down_as_plain_data(rule):
    """Its kind and its numbers, which make it again; of one's own, the name."""
    ((name, values),) = json.loads(json.dumps(rule_as_data(rule))).items()
    assert RULES[name](**values) == rule
    assert rule_as_data(Path(())) == {"own": "Path"}


@pytest.mark.parametrize("rule", RULE_OF_EACH_KIND, ids=str)
def test_why_ends_a_sentence(rule):
    """It begins in lower case or with a number, and has no full stop."""
    assert rule.why[0].islower() or rule.why[0].isdigit()
    assert not rule.why.endswith(".")


def test_why_says_what_was_wanted():
    """The numbers of the rule stand in it."""
    assert eq.AfterQuestions(1).why == "1 question was asked"
    assert eq.AfterQuestions(20).why == "20 questions were asked"
    assert eq.NarrowIntervals(0.1).why == "every 90% interval was at most 0.1 wide"
    assert eq.SmallRegret(average=0.005, worst_case=0.1).why == (
        "the expected average regret was at most 0.5% and the worst-case regret was at most 10% "
        "with a probability of 95%"
    )


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("still", eq.StandsStill()),
        ("still=0.02", eq.StandsStill(0.02)),
        ("questions=20", eq.AfterQuestions(20)),
        ("width=0.1", eq.NarrowIntervals(0.1)),
        ("regret=0.01", eq.SmallRegret(average=0.01)),
        ("worst-regret=.1", eq.SmallRegret(worst_case=0.1)),
    ],
)
def test_a_rule_can_be_typed(text, rule):
    """A name, and a number where it has one."""
    assert rule_typed(text) == rule
    assert text.partition("=")[0] in TYPED


@pytest.mark.parametrize(
    "text", ["", "soon", "width", "width=", "width=wide", "=1", "Still", "still=", "regret:0.1"]
)
def test_what_is_no_rule_is_refused_with_those_there_are(text):
    """One sentence: what came, and everything that was expected."""
    with pytest.raises(ValueError, match=f"^the stopping rule is {text!r}, expected {EXPECTED}$"):
        rule_typed(text)


def test_the_rules_that_are_expected_can_be_typed():
    """Every kind is named in the message, by an example that works."""
    examples = EXPECTED.replace(" or ", ", ").split(", ")
    assert [example.partition("=")[0] for example in examples] == list(TYPED)
    for example in examples:
        rule_typed(example)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: eq.AfterQuestions(0), "count is 0, expected a whole number of at least 1"),
        (lambda: eq.AfterQuestions(True), "count is True, expected a whole number"),
        (lambda: rule_typed("questions=2.5"), "count is 2.5, expected a whole number of at least"),
        (lambda: eq.StandsStill(0), "distance is 0, expected a number above 0"),
        (lambda: eq.StandsStill(float("nan")), "distance is nan, expected a number above 0"),
        (lambda: eq.StandsStill(times=0), "times is 0, expected a whole number of at least 1"),
        (lambda: eq.NarrowIntervals(2), r"width is 2, expected a number in \[0, 1\]"),
        (lambda: eq.NarrowIntervals(0.1, p=90), r"p is 90, expected a number in \[0, 1\]"),
        (eq.SmallRegret, "neither average nor worst_case is given, expected at least"),
        (lambda: eq.SmallRegret(1.5), r"average is 1.5, expected a number in \[0, 1\]"),
        (lambda: eq.SmallRegret(worst_case=-1), r"worst_case is -1, expected a number in \[0, 1\]"),
        (lambda: eq.SmallRegret(0.1, p=None), r"p is None, expected a number in \[0, 1\]"),
        (
            lambda: eq.SmallRegret(0.1, inputs=[[0.1]]),
            r"inputs has shape \(1, 1\), expected \(any, any, any\)",
        ),
    ],
)
def test_rules_that_can_not_be_are_refused(make, said):
    """Before anybody is asked, with what was expected."""
    with pytest.raises(ValueError, match=said):
        make()


@pytest.mark.parametrize("rule", [eq.NarrowIntervals, eq.SmallRegret])
def test_an_interval_of_nothing_is_refused(rule):
    """Where p is zero every interval is narrow."""
    with pytest.raises(ValueError, match="p is 0, expected a number above 0"):
        rule(0.1, p=0)
