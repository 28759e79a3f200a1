"""What can't be is refused in a sentence that says what came, and changes nothing."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sessions import (
    ALIKE,
    FAIR,
    TASK,
    YEARS_GAINED,
    features,
    give,
    go_on,
    kidneys,
)

import equipoise as eq

SIDES = np.full((4, 2, 3), 0.5)
LOCAL = eq.Comparison.local("kidney 1", "ann", "ben")


def changed(place, value):
    """Valid sides with one number changed."""
    sides = SIDES.copy()
    sides[place] = value
    return sides


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        (SIDES[:, :, :2], r"candidates has shape \(4, 2, 2\), expected \(any, 2, 3\)"),
        (SIDES[:, :1], r"candidates has shape \(4, 1, 3\), expected \(any, 2, 3\)"),
        (SIDES[0], r"candidates has shape \(2, 3\), expected \(any, 2, 3\)"),
        (0.5, r"candidates has shape \(\), expected \(any, 2, 3\)"),
        ([], "candidates is empty, expected at least one question"),
        (SIDES[:0], "candidates is empty, expected at least one question"),
        (changed((2, 1, 0), 1.5), r"candidates\[2, 1, 0\] is 1.5, expected a number in \[0, 1\]"),
        (changed((0, 0, 2), -0.1), r"candidates\[0, 0, 2\] is -0.1, .*rescale every feature"),
        (changed((3, 0, 1), np.nan), r"candidates\[3, 0, 1\] is nan, expected a finite number"),
        (changed((3, 0, 1), np.inf), r"candidates\[3, 0, 1\] is inf, expected a finite number"),
        ("north or south", "candidates must be an array of numbers"),
        ([[["a", "b", "c"], ["d", "e", "f"]]], "candidates must be an array of numbers"),
        ([LOCAL], "candidates are comparisons, but this learner was given a number of features"),
        (eq.Evidence([[1, 0]], [[0, 1]]), "evidence about 2 priorities, expected 3"),
        (eq.Evidence(np.zeros((0, 3)), np.zeros((0, 3))), "candidates is empty"),
        (eq.AllPairs([[0.1, 0.2], [0.3, 0.4]]), "the profiles have 2 features, expected 3"),
    ],
)
def test_candidates_of_a_learner_of_features(candidates, message):
    """Wrong shapes, numbers that are no features and other kinds of questions, wherever given."""
    learner = features()
    log = learner.log()
    for use in (learner.ask, learner.posterior.states, learner.posterior.predict):
        with pytest.raises(ValueError, match=message):
            use(candidates)
    assert learner.log() == log
    assert learner.open is None


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        (SIDES, "candidates are features, but this learner has a task: expected Comparisons"),
        (eq.AllPairs(np.eye(2)), "candidates are features, but this learner has a task"),
        ([LOCAL, "kidney 1"], r"candidates\[1\] is 'kidney 1', expected a Comparison"),
        ([LOCAL, SIDES], r"candidates\[1\] is array.*"),
        ([SIDES[0]], "candidates are features, but this learner has a task"),
        ([eq.Comparison.local("kidney 1", "ann", "dora")], "dora"),
        ([eq.Comparison.local("liver", "ann", "ben")], "liver"),
        ([eq.Comparison.local("kidney 1", "ann", "ann")], "differ at no input"),
        (eq.Evidence([[1, 0, 0]], [[0, 1, 1]]), "evidence about 3 priorities, expected 2"),
        ([], "candidates is empty, expected at least one question"),
        ((), "candidates is empty, expected at least one question"),
    ],
)
def test_candidates_of_a_learner_of_a_task(candidates, message):
    """Features and comparisons of another task are refused, also after a good list was given."""
    learner = kidneys()
    learner.posterior.predict([LOCAL])
    log = learner.log()
    for use in (learner.ask, learner.posterior.states, learner.posterior.predict):
        with pytest.raises(ValueError, match=message):
            use(candidates)
    assert learner.log() == log
    assert learner.open is None


@pytest.mark.parametrize(
    ("profiles", "message"),
    [
        ([[0.1, 0.2]], "profiles has 1 rows, expected at least two to make a pair"),
        (np.zeros((0, 2)), "profiles has 0 rows"),
        ([0.1, 0.2], r"profiles has shape \(2,\), expected \(any, any\)"),
        ([[0.1, 0.2], [0.3, 1.4]], r"profiles\[1, 1\] is 1.4, expected a number in \[0, 1\]"),
        ([[0.1, 0.2], [np.nan, 0.4]], r"profiles\[1, 0\] is nan, expected a finite number"),
    ],
)
def test_profiles(profiles, message):
    """All pairs are made of at least two rows of features."""
    with pytest.raises(ValueError, match=message):
        eq.AllPairs(profiles)


@pytest.mark.parametrize(
    ("response", "message"),
    [
        ("maybe", "response is 'maybe', expected one of first, second, indifferent, conflicted"),
        ("", "response is '', expected one of first"),
        ("First", "response is 'First', expected one of first"),
        (None, "response is None, expected one of first"),
        (1, "response is 1, expected one of first"),
        ("undecided", "response is <Response.UNDECIDED|response is 'undecided', expected one of"),
        (eq.Response.UNDECIDED, "expected one of first, second, indifferent, conflicted"),
    ],
)
def test_answers_that_are_not_on_offer(response, message):
    """A word that is no answer, or an answer of another alphabet, leaves the question open."""
    learner = features()
    question = learner.ask()
    log, draws = learner.log(), learner.posterior.draws["weights"]
    with pytest.raises(ValueError, match=message):
        learner.tell(question, response)
    assert learner.open is question
    assert learner.log() == log
    assert learner.posterior.draws["weights"] is draws


def test_two_answers_have_no_room_for_indecision():
    """What four answers offer is refused where two are on offer."""
    learner = features(responses=eq.TwoAnswers())
    learner.ask()
    with pytest.raises(ValueError, match=r"response is 'conflicted', expected one of first, sec"):
        learner.tell(1, "conflicted")


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (2, "question 2 was never asked"),
        (0, "question 0 was never asked"),
        (-1, "question -1 was never asked"),
        (None, "question is None, expected a Question or its id"),
        ("1", "question is '1', expected a Question or its id"),
        (True, "question is True, expected a Question or its id"),
        (eq.Question.of_features([0.5, 0.2, 0.1], [0.1, 0.2, 0.5], 8), "question 8 was never"),
        (
            eq.Question.of_features([0.5, 0.2, 0.1], [0.1, 0.2, 0.5], 1),
            "question 1 of this session is another one: was it asked by another learner",
        ),
        (
            eq.Question.of_features([0.5, 0.2], [0.1, 0.2], 1),
            "question 1 of this session is another one",
        ),
        (
            eq.Question.of_comparison(LOCAL, eq.Evidence([[1.0]], [[0.0]]), 1),
            "question 1 of this session is another one",
        ),
    ],
)
def test_questions_that_were_not_asked(question, message):
    """Answers to what was never asked, or asked by somebody else, are not taken."""
    learner = features()
    learner.ask()
    log = learner.log()
    with pytest.raises(ValueError, match=message):
        learner.tell(question, "first")
    assert learner.log() == log
    assert learner.open.id == 1


def test_questions_of_another_learner_of_the_same_task():
    """Comparisons and evidence, too, are told apart from those of another session."""
    learner, other = kidneys(), kidneys(session="other")
    learner.ask([LOCAL])
    with pytest.raises(ValueError, match="question 1 of this session is another one"):
        learner.tell(other.ask([eq.Comparison.local("kidney 1", "ben", "ann")]), "first")
    with pytest.raises(ValueError, match="question 1 of this session is another one"):
        learner.tell(kidneys().ask(eq.Evidence([[1, 0]], [[0, 1]])), "first")
    # The same comparison under the same number is the same question.
    learner.tell(kidneys().ask([LOCAL]), "first")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"priorities": 0}, "priorities is 0, expected at least one"),
        ({"priorities": -2}, "priorities is -2, expected at least one"),
        ({"priorities": []}, "priorities is empty, expected at least one"),
        ({"priorities": ["years"], "task": TASK}, r"priorities\[0\] is 'years', expected a prior"),
        ({"priorities": FAIR, "task": TASK}, "expected a list of priorities"),
        ({"priorities": 2.5}, "priorities is 2.5, expected a list of priorities"),
        ({"priorities": [FAIR]}, "task is None, expected the Task that the priorities are about"),
        ({"priorities": [FAIR], "task": {"x": "ab"}}, "task is {'x': 'ab'}, expected the Task"),
        (
            {"priorities": [FAIR, FAIR], "task": TASK},
            "two priorities are named 'proportionality': a log can't tell them apart",
        ),
        ({"task": TASK}, "a number of features, and these have no task"),
        ({"aggregator": "maximum"}, "aggregator and scale are for priorities over a task's rules"),
        ({"scale": 1.0}, "aggregator and scale are for priorities over a task's rules"),
        ({"responses": "four"}, "responses is 'four', expected a response model"),
        ({"prior": 1.0}, "prior is 1.0, expected a Dirichlet"),
        (
            {"prior": eq.Dirichlet([1, 2])},
            "the prior has 2 concentrations for 3 priorities, expected one for each",
        ),
        ({"seed": -1}, "seed is -1, expected a whole number of at least 0"),
        ({"seed": 1.5}, "seed is 1.5, expected a whole number of at least 0"),
        ({"seed": None}, "seed is None, expected a whole number of at least 0"),
        ({"session": 17}, "session is 17, expected a text"),
        ({"sampler": "nuts"}, "sampler is 'nuts', expected 'smc' or 'paper', or an object with"),
        ({"sampler": eq.HitAndRun}, "sampler is .*, expected"),
        (
            {"sampler": "smc", "particles": 9},
            "particles is 9, expected a whole number of at least 10",
        ),
        (
            {"sampler": eq.HitAndRun(), "particles": 100},
            "particles is 100, but sampler is HitAndRun.*: particles are for 'smc'",
        ),
        (
            {"sampler": "paper", "particles": 100},
            "particles is 100, but sampler is 'paper': particles are for 'smc'",
        ),
        ({"acquisition": "best"}, "acquisition is 'best', expected 'bald' or 'continuous' or"),
        ({"acquisition": 5}, "acquisition is 5, expected .*an object with a method `choose`"),
        ({"pool": 0}, "pool is 0, expected a positive whole number of questions"),
        ({"pool": 10.0}, "pool is 10.0, expected a positive whole number of questions"),
        ({"repeats": 1.5}, r"repeats is 1.5, expected a number in \[0, 1\]"),
        ({"repeats": "often"}, r"repeats is 'often', expected a number in \[0, 1\]"),
        ({"swap": 1}, "swap is 1, expected True or False"),
        (
            {"priorities": [FAIR], "task": TASK, "scale": -1},
            "scale is -1, expected a positive number or 'per-input'",
        ),
        ({"priorities": [FAIR], "task": TASK, "aggregator": "mean"}, "aggregator is 'mean'"),
    ],
)
def test_settings_that_can_not_be(settings, message):
    """Each setting says what it is, what it was expected to be, and which one it is."""
    settings = {"priorities": 3, "responses": eq.FourAnswers(), "seed": 1, **settings}
    with pytest.raises(ValueError, match=message):
        eq.Learner(settings.pop("priorities"), settings.pop("responses"), **settings)


def test_a_priority_with_a_name_that_is_taken():
    """Two priorities of one name are refused midway too, and nothing has changed."""
    learner = kidneys()
    go_on(learner, 1)
    log, draws = learner.log(), learner.posterior.draws["weights"]
    twin = eq.CustomPriority("proportionality", lambda rule: 0.5)
    with pytest.raises(ValueError, match="two priorities are named 'proportionality'"):
        learner.add_priority(twin)
    with pytest.raises(ValueError, match=r"priorities\[0\] is 'alike', expected a priority"):
        learner.add_priority("alike")
    assert learner.log() == log
    assert learner.posterior.draws["weights"] is draws


def test_a_priority_that_fails_leaves_everything_as_it_was():
    """Where an added priority can't judge a rule the session stays as it was."""
    learner, twin = kidneys(), kidneys()
    for which in (learner, twin):
        go_on(which, 2)

    def fails(rule):
        raise RuntimeError("no idea")

    with pytest.raises(RuntimeError, match="no idea"):
        learner.add_priority(eq.CustomPriority("fails", fails))
    assert learner.posterior.names == ("years gained", "proportionality")
    assert learner.log() == twin.log()
    go_on(learner, 1)
    go_on(twin, 1)
    np.testing.assert_array_equal(
        learner.posterior.draws["weights"], twin.posterior.draws["weights"]
    )
    learner.add_priority(ALIKE)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda p: p.mean("tau_r"), "'tau_r' isn't learned here, expected weights"),
        (lambda p: p.interval(name="years"), "'years' isn't learned here, expected weights"),
        (lambda p: p.interval(1.5), r"p is 1.5, expected a number in \[0, 1\]"),
        (lambda p: p.interval("most"), r"p is 'most', expected a number in \[0, 1\]"),
        (lambda p: p.outweighs("years", 0), "'years' is no priority, expected one of feature 1, f"),
        (lambda p: p.outweighs(0, 3), "3 is no priority, expected one of feature 1, feature 2, "),
        (lambda p: p.outweighs(-1, 0), "-1 is no priority, expected one of feature 1"),
    ],
)
def test_questions_to_the_posterior(ask, message):
    """Names that nothing has and probabilities that can't be are refused."""
    with pytest.raises(ValueError, match=message):
        ask(features().posterior)


def test_a_mixture_has_no_mean():
    """Components have no order, so their averages are refused rather than given."""
    posterior = features(responses=eq.TwoAnswers(noise=eq.GaussianMixture.unknown(2))).posterior
    for average in (posterior.mean, lambda name: posterior.interval(0.9, name)):
        with pytest.raises(ValueError, match="the components of a mixture have no order"):
            average("noise")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([[0.1, 0.2]], r"options has shape \(1, 2\), expected \(any, 3\)"),
        (np.zeros((0, 3)), "options is empty, expected at least one"),
        ([[0.1, 0.2, 3.0]], r"options\[0, 2\] is 3, expected a number in \[0, 1\]"),
        ([[0.1, np.nan, 0.2]], r"options\[0, 1\] is nan, expected a finite number"),
        ("these", "options must be an array of numbers"),
    ],
)
def test_options_of_features(options, message):
    """Options to recommend from are features, as candidates are."""
    with pytest.raises(ValueError, match=message):
        features().recommend(options)


@pytest.mark.parametrize("options", [[], [{"kidney 1": "ann"}], [LOCAL]])
def test_options_of_a_task(options):
    """Options to recommend from are whole rules of the task."""
    with pytest.raises(ValueError, match=r"expected rules of the task: `task\.rule`"):
        kidneys().recommend(options)


def a_log():
    """A short session."""
    learner = features()
    learner.tell(learner.ask(), "first")
    learner.ask()
    return learner.log()


def without(place, *path):
    """A log without a field."""
    log = a_log()
    found = log[place]
    for name in path[:-1]:
        found = found[name]
    del found[path[-1]]
    return log


def with_(place, **fields):
    """A log with fields that say something else."""
    log = a_log()
    log[place] |= fields
    return log


def declared(**fields):
    """A log whose declaration says something else."""
    log = a_log()
    log[0]["declaration"] |= fields
    return log


@pytest.mark.parametrize(
    ("log", "message"),
    [
        ([], "the log is empty, expected a 'started' event at least"),
        ("p17.jsonl", "log is 'p17.jsonl', expected a list of events: `read_log"),
        (17, "log is 17, expected a list of events"),
        ({"v": 1, "event": "started"}, "expected a list of events"),
        ([["started"]], r"event 0 is \['started'\], expected a JSON object"),
        (with_(0, v=2), r"event 0 \(started\) is in format 2, .* up to format 1: install a newer"),
        (with_(2, v=3), r"event 2 \(answered\) is in format 3"),
        (with_(0, v="1"), "event 0 .* has v = '1', expected the number of a format"),
        (with_(0, v=0), "event 0 .* has v = 0, expected the number of a format"),
        (without(1, "v"), "event 1 .* has v = None, expected the number of a format"),
        (a_log()[1:], "a log has one 'started' event, and it comes first"),
        (a_log()[:2] + a_log()[:1], r"event 2 \(started\): a log has one 'started' event"),
        (without(0, "seed"), r"event 0 \(started\) has no 'seed', so the log can't be read"),
        (without(0, "session"), "event 0 .* has no 'session'"),
        (without(0, "declaration"), "event 0 .* has no 'declaration'"),
        (with_(0, seed="7"), "has seed = '7': it can't be read"),
        (with_(0, seed=-7), "seed is -7, expected a whole number of at least 0"),
        *[
            (without(0, "declaration", name), f"event 0 .*its declaration has no {name!r}")
            for name in (
                "priorities",
                "responses",
                "prior",
                "sampler",
                "acquisition",
                "pool",
                "aggregator",
                "scale",
                "repeats",
                "swap",
            )
        ],
        (without(0, "declaration", "prior", "dirichlet"), "its prior has no 'dirichlet'"),
        (without(0, "declaration", "responses", "answers"), "its responses has no 'answers'"),
        (without(2, "event"), r"event 2 \(None\) has no 'event', so the log can't be read"),
        (with_(3, n="3"), r"event 3 \(asked\) has n = '3': it can't be read"),
        (with_(3, candidate="3"), r"event 3 \(asked\) has candidate = '3': it can't be read"),
        (declared(sampler={}), "the log has {}, expected one of smc, paper"),
        (declared(sampler={"nuts": {}}), "made with nuts = {}, which is not among smc, paper"),
        (declared(sampler={"paper": {"k": 1}}), "the log has paper = {'k': 1}, which can't be"),
        (declared(sampler={"smc": {"particles": 9}}), "particles is 9, expected a whole number"),
        (declared(acquisition={"bald": 5}), "the log has bald = 5, which can't be"),
        (declared(pool=0), "pool is 0, expected a positive whole number"),
        (declared(pool="many"), "its declaration has pool = 'many': it can't be read"),
        (declared(priorities=[]), "priorities is empty"),
        (declared(priorities=["fair"]), "about priority 'fair', which is not among those given"),
        (without(1, "question"), r"event 1 \(asked\) has no 'question'"),
        (without(1, "first"), r"event 1 \(asked\) has no 'first', so the log can't be read"),
        (without(1, "second"), r"event 1 \(asked\) has no 'second', so the log can't be read"),
        (without(2, "question"), r"event 2 \(answered\) has no 'question'"),
        (without(2, "response"), r"event 2 \(answered\) has no 'response'"),
        (with_(1, question="1"), r"event 1 \(asked\) has question = '1': it can't be read"),
        (with_(1, first=[0.1, 0.2]), r"event 1 \(asked\) can't be read: sides"),
        (with_(1, first=[0.1, 0.2, 1.2]), r"event 1 .* can't be read: sides\[0, 0, 2\] is 1.2"),
        (with_(1, first=["a", "b", "c"]), r"event 1 \(asked\) can't be read: sides"),
        (with_(1, left="top"), r"event 1 \(asked\) can't be read: 'top' is not a valid Response"),
        (with_(1, first=None, candidate=0), "known by its evidence only: give `candidates`"),
        (with_(2, response="maybe"), r"event 2 \(answered\) can't be read: 'maybe' is not a valid"),
        (with_(2, response="undecided"), "expected one of first, second, indifferent, conflicted"),
        (with_(2, question=5), "event 2 .* can't be read: question 5 was never asked"),
        (with_(3, question=1), r"event 3 .* can't be read: question 1 comes after 1, ids must"),
        (
            [*a_log(), {"v": 1, "event": "asked", "question": 3, "first": [], "second": []}],
            r"event 4 \(asked\) can't be read",
        ),
        (
            [*a_log(), {"v": 1, "event": "undone", "question": 2}],
            r"event 4 \(undone\) can't be read: question 2 can't be undone: it's still open",
        ),
        ([*a_log(), {"v": 1, "event": "undone"}], r"event 4 \(undone\) has no 'question'"),
        (
            [*a_log(), {"v": 1, "event": "skipped", "question": 1}],
            r"event 4 \(skipped\) can't be read: question 1 was answered 'first'",
        ),
        (
            [*a_log(), {"v": 1, "event": "priority_added", "priority": {}}],
            r"event 4 \(priority_added\): its priority has no 'name'",
        ),
        (
            [*a_log(), {"v": 1, "event": "priority_added", "priority": {"name": "fair"}}],
            "the log is about priority 'fair', which is not among those given: none",
        ),
    ],
)
def test_logs_that_can_not_be_read(log, message):
    """Each says which event it is about, and what was expected there."""
    with pytest.raises(ValueError, match=message):
        eq.Learner.replay(log)


def test_logs_about_priorities_need_them():
    """A log about a task is read with its task and all its priorities, or a sentence."""
    learner = kidneys()
    go_on(learner, 1)
    learner.add_priority(ALIKE)
    log = learner.log()
    with pytest.raises(
        ValueError,
        match="about priority 'alike', which is not among those given: 'years gained', 'propor",
    ):
        eq.Learner.replay(log, [YEARS_GAINED, FAIR], task=TASK)
    with pytest.raises(ValueError, match="not among those given: none"):
        eq.Learner.replay(log)
    with pytest.raises(ValueError, match="task is None, expected the Task"):
        eq.Learner.replay(log, [YEARS_GAINED, FAIR, ALIKE])


def test_a_log_with_a_contradiction():
    """Answers that nothing can have given raise on replay as they do in a session."""
    learner = features(1, eq.FourAnswers(tau_r=0.5))
    give(learner, learner.ask([[[0.9], [0.1]]]), "first")
    log = learner.log()
    log[2]["response"] = "indifferent"
    with pytest.raises(eq.ContradictionError, match="nothing is left under which all answers"):
        eq.Learner.replay(log)


def places_in(data, path=()):
    """Every place in plain data, as the keys that lead there."""
    parts = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in parts:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places_in(value, (*path, key))


LONG = kidneys(responses=eq.PeopleAnswers(), repeats=0.5, swap=True)
go_on(LONG, 4)
LONG.add_priority(ALIKE)
LONG.undo(2)
LONG.skip()
LONG.ask()
ANYTHING = st.one_of(
    st.sampled_from([None, -1, 1, 2.5, np.nan, "", "first", "answered", [], {}]),
    st.recursive(
        st.integers(-3, 3) | st.text(max_size=2),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner),
        max_leaves=3,
    ),
)


@given(st.sampled_from(list(places_in(LONG.log()))), ANYTHING, st.booleans())
def test_a_log_with_anything_else_in_any_place(place, value, gone):
    """Such a log is read, and goes on, or is refused: no other error ever comes of it."""
    log = LONG.log()
    *path, last = place
    inside = log
    for key in path:
        inside = inside[key]
    if gone:
        del inside[last]
    else:
        inside[last] = value
    with suppress(ValueError):
        again = eq.Learner.replay(log, [YEARS_GAINED, FAIR, ALIKE], task=TASK)
        if again.open is not None:
            again.skip()
        again.ask()
