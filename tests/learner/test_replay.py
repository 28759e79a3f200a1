"""Reading a session back from its log: it goes on as if it had never stopped."""

import json

import numpy as np
import pytest
from sessions import (
    ALIKE,
    BEN,
    FAIR,
    MODELS,
    SHORT,
    TASK,
    YEARS_GAINED,
    Person,
    assert_same,
    assert_same_posterior,
    assert_same_question,
    features,
    give,
    go_on,
    kidneys,
)

import equipoise as eq

EVERY_PRIORITY = [BEN, ALIKE, FAIR, YEARS_GAINED]


def through_json(log):
    """A log as it comes out of a file."""
    return json.loads(json.dumps(log))


def replayed(learner, **own):
    """The learner again, from its log."""
    log = through_json(learner.log())
    if isinstance(log[0]["declaration"]["priorities"], list):
        own = {"priorities": EVERY_PRIORITY, "task": TASK, **own}
    return eq.Learner.replay(log, **own)


def assert_goes_on_the_same(learner, again, count=3):
    """Two learners know, log and ask the same, now and for a while."""
    assert again.log() == learner.log()
    assert_same(learner, again)
    person = Person(learner)
    go_on(learner, count, person=person)
    go_on(again, count, person=person)
    assert_same(learner, again)
    assert again.log() == learner.log()


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("answers", [0, 1, 5])
def test_replay_goes_on_as_if_it_had_never_stopped(name, answers):
    """Draws, the next question and all that follow are the same to the last bit."""
    learner = features(responses=MODELS[name], session="p17")
    go_on(learner, answers)
    assert_goes_on_the_same(learner, replayed(learner))


@pytest.mark.parametrize(
    "settings",
    [
        {"acquisition": "random"},
        {"acquisition": "volume-removal"},
        {"acquisition": eq.Bald(15)},
        {"repeats": 0.4, "swap": True},
        {"prior": eq.Dirichlet([3, 1, 0.5])},
        {"seed": 123_456_789_012, "session": "Zoë 17"},
        {"sampler": eq.HitAndRun(kept=30, burn_in=0), "pool": 3},
        {
            "responses": eq.FourAnswers(
                tau_r=0.2,
                gate=eq.LogisticGate(eq.LogNormal(28, 0.7)),
                noise=eq.GaussianMixture([0.4, 0.6], [0, 0.1], [0.1, 0.2]),
                lapse=eq.Beta(1, 49),
            )
        },
        {"responses": eq.ThreeAnswers(width=0.1, noise="normal", beta=eq.LogNormal(10, 1))},
    ],
)
def test_settings_come_back_from_the_log(settings):
    """A learner with any settings is the same after replay, without being told them again."""
    learner = features(**settings)
    go_on(learner, 5)
    assert_goes_on_the_same(learner, replayed(learner))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"aggregator": "average", "scale": 0.5},
        {"aggregator": eq.Percentile(30, "lower"), "pool": 4},
        {"responses": eq.PeopleAnswers(), "repeats": 0.5},
    ],
)
def test_sessions_about_priorities_come_back(settings):
    """With the task and the priorities, in any order, a session about them goes on."""
    learner = kidneys(**settings)
    go_on(learner, 4)
    assert_goes_on_the_same(learner, replayed(learner), count=1)


def test_replay_with_undoing_skipping_and_priorities_added():
    """Whatever happened in a session, it can be cut after any event, and goes on the same."""
    learner = kidneys(responses=eq.PeopleAnswers())
    snapshots = []

    def happened():
        question = None if learner.open is None else learner.open.id
        draws = learner.posterior.draws["weights"]
        snapshots.append((learner.log(), question, learner.answers, draws))

    def answer(response):
        learner.ask()
        happened()
        learner.tell(learner.open, response)
        happened()

    answer("first")
    answer("conflicted")
    learner.ask()
    learner.skip()
    happened()
    answer("indifferent")
    learner.add_priority(ALIKE)
    happened()
    learner.undo(2)
    happened()
    learner.tell(2, "second")
    happened()
    learner.ask()
    learner.undo(3)
    happened()
    learner.tell(3, "first")
    learner.add_priority(BEN)
    happened()
    answer("second")
    for log, open, answers, draws in snapshots:
        again = eq.Learner.replay(through_json(log), EVERY_PRIORITY, task=TASK)
        assert again.log() == log
        assert (None if again.open is None else again.open.id) == open
        assert [(q.id, a) for q, a in again.answers] == [(q.id, a) for q, a in answers]
        for (one, _), (other, _) in zip(again.answers, answers, strict=True):
            assert_same_question(one, other)
        np.testing.assert_array_equal(again.posterior.draws["weights"], draws)
    assert learner.posterior.names == ("years gained", "proportionality", "alike", "ben")
    assert_same(learner, replayed(learner))


def test_an_open_question_is_still_open():
    """A session that stopped between question and answer waits for it, without choosing again."""
    learner = features(repeats=0.5, swap=True)
    go_on(learner, 3)
    question = learner.ask()
    again = replayed(learner)
    assert_same_question(again.open, question)
    assert again.open.repeats == question.repeats
    assert_goes_on_the_same(learner, again)


def test_replay_takes_recorded_questions_and_never_chooses():
    """A log whose questions no acquisition would choose is taken as it is."""

    class Never:
        def choose(self, *args):
            raise AssertionError("a question was chosen")

    learner = features()
    go_on(learner, 3)
    log = learner.log()
    for event in log[1::2]:
        event["first"], event["second"] = [0.5, 0.5, 0.25], [0.5, 0.25, 0.5]
    log[0]["declaration"]["responses"]["lapse"] = 0.1
    again = eq.Learner.replay(log, acquisition=Never())
    np.testing.assert_array_equal(again.answers[2][0].first, [0.5, 0.5, 0.25])


def test_other_kinds_of_events_are_passed_over_and_kept():
    """A survey's own events and fields change nothing, and stay in the log."""
    learner = features()
    go_on(learner, 2)
    log = learner.log()
    for event in log:
        event["time"] = "2024-05-17T10:00:00Z"
    log.insert(2, {"v": 1, "n": 99, "event": "page_seen", "page": "consent", "question": None})
    log.append({"v": 1, "n": 100, "event": "paused"})
    again = eq.Learner.replay(log)
    assert again.log() == log
    assert_same(learner, again)
    assert again.log()[-1]["n"] == 101
    assert again.log()[-1]["event"] == "asked"


def test_events_without_numbers_go_on_being_counted():
    """Where a log has no numbers the next event is numbered by its place."""
    learner = features()
    go_on(learner, 1)
    log = [{k: v for k, v in event.items() if k != "n"} for event in learner.log()]
    again = eq.Learner.replay(log)
    again.ask()
    assert again.log()[-1]["n"] == 3


def test_a_log_in_hand_stays_as_it_was():
    """Replay doesn't change the events that it's given, nor does what happens afterwards."""
    learner = features()
    go_on(learner, 1)
    log = learner.log()
    again = eq.Learner.replay(log)
    again.ask()
    assert log == learner.log()
    again = eq.Learner.replay(iter(log))
    assert_same(learner, again)


def test_questions_known_by_their_evidence():
    """With the evidence they came from, questions without sides come back."""
    says = eq.Evidence.from_features(np.random.default_rng(1).random((8, 2, 3)))
    learner = features(responses=eq.TwoAnswers())
    go_on(learner, 3, says)
    again = replayed(learner, candidates=says)
    assert_same(learner, again, says)
    with pytest.raises(
        ValueError, match="known by its evidence only: give `candidates` to `replay`"
    ):
        replayed(learner)
    with pytest.raises(ValueError, match=r"event 1 \(asked\) can't be read"):
        replayed(learner, candidates=says.rows([0]).rows(slice(0, 0)))


class HalfTheSize(eq.HitAndRun):
    """A sampler of one's own."""

    def start(self, problem, rng):
        return super().start(problem, rng).some(np.arange(self.kept // 2))


class LastAllowed:
    """A way to choose of one's own."""

    def choose(self, pool, allowed, draws, parameters, rng):
        return len(pool) - 1, 0.0


def test_objects_of_one_s_own_are_given_again():
    """Of a sampler, an acquisition or an aggregator of one's own the log has only the name."""
    own = {"sampler": HalfTheSize(kept=30), "acquisition": LastAllowed()}
    learner = features(**own)
    go_on(learner, 2)
    assert_goes_on_the_same(learner, replayed(learner, **own))
    declaration = learner.log()[0]["declaration"]
    assert declaration["sampler"] == {"own": "HalfTheSize"}
    with pytest.raises(ValueError, match=r"own = 'HalfTheSize', which is not among .*give the"):
        replayed(learner, acquisition=LastAllowed())
    with pytest.raises(ValueError, match=r"own = 'LastAllowed', which is not among .*give the"):
        replayed(learner, sampler=SHORT)
    middle = eq.CustomAggregator("middle", lambda gaps, counts: float(np.median(gaps)))
    learner = kidneys(aggregator=middle)
    go_on(learner, 2)
    assert_goes_on_the_same(learner, replayed(learner, aggregator=middle), count=1)
    with pytest.raises(ValueError, match="middle"):
        replayed(learner)


def test_what_was_withdrawn_stays_withdrawn():
    """A question that an undo withdrew is not asked after replay, and its number not used again."""
    learner = features()
    go_on(learner, 1)
    learner.ask()
    learner.undo()
    again = replayed(learner)
    assert again.open.id == 1
    with pytest.raises(ValueError, match="question 2 was withdrawn by an undo"):
        again.tell(2, "first")
    assert_goes_on_the_same(learner, again)
    assert learner.log()[-1]["question"] == 5


def test_a_session_is_the_same_however_it_came_to_its_answers():
    """Replay at every step, or only once, or never: the same draws in the end."""
    straight, stepwise = features(), features()
    for question in go_on(straight, 4):
        answer = next(a for q, a in straight.answers if q.id == question.id)
        give(stepwise, question, answer)
        stepwise = replayed(stepwise)
    assert_same_posterior(straight, stepwise)
    assert_same(straight, stepwise)


def test_a_long_session_comes_back():
    """Sessions of any length are the same, answer by answer and read all at once."""
    learner = features(responses=MODELS["people"], pool=2, sampler=eq.HitAndRun(5, 5))
    go_on(learner, 150)
    assert_goes_on_the_same(learner, replayed(learner))
    learner.undo(100)
    assert_goes_on_the_same(learner, replayed(learner))
