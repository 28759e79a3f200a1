"""Asking, telling, undoing and skipping."""

from contextlib import suppress

import numpy as np
import pytest
from sessions import (
    ALIKE,
    BEN,
    FAIR,
    MODELS,
    SHORT,
    YEARS_GAINED,
    Person,
    assert_same,
    assert_same_posterior,
    assert_same_question,
    features,
    give,
    go_on,
    kidneys,
    local,
)

import equipoise as eq


def test_the_open_question_is_asked_again():
    """Asking twice gives the one question that waits, whatever candidates come with it."""
    learner = features()
    assert learner.open is None
    question = learner.ask()
    assert learner.open is question
    assert learner.ask() is question
    assert learner.ask(np.full((1, 2, 3), 0.5)) is question
    assert len(learner.log()) == 2
    learner.tell(question, "first")
    assert learner.open is None
    assert learner.ask().id == 2


def test_telling_the_same_again_changes_nothing():
    """An answer that is repeated, by question or by number, leaves draws and log as they are."""
    learner = features()
    (question,) = go_on(learner, 1)
    ((_, answer),) = learner.answers
    log, draws = learner.log(), learner.posterior.draws["weights"]
    learner.tell(question, answer)
    learner.tell(question.id, str(answer))
    assert learner.log() == log
    assert learner.posterior.draws["weights"] is draws
    learner.ask()
    learner.tell(question, answer)
    assert learner.open.id == 2


def test_telling_something_else_raises():
    """An answer stands until it's undone."""
    learner = features()
    question = learner.ask()
    learner.tell(question, "first")
    log, draws = learner.log(), learner.posterior.draws["weights"]
    with pytest.raises(
        ValueError, match=r"question 1 was answered 'first'; undo\(1\) opens it again"
    ):
        learner.tell(question, "second")
    assert learner.log() == log
    assert learner.posterior.draws["weights"] is draws
    assert learner.undo(1) is question
    learner.tell(question, "second")
    assert learner.answers == [(question, eq.Response.SECOND)]


def test_answers_are_listed_in_the_order_they_came():
    """`answers` has the questions as asked, with what was said; skipped ones aren't there."""
    learner = features(responses=eq.TwoAnswers())
    first, second = learner.ask(), None
    learner.tell(first, "second")
    learner.ask()
    learner.skip()
    second = learner.ask()
    learner.tell(second.id, eq.Response.FIRST)
    assert learner.answers == [(first, eq.Response.SECOND), (second, eq.Response.FIRST)]


def test_an_answer_moves_the_posterior_towards_who_gives_it():
    """Who always takes the side that the second feature favours weighs it most."""
    learner = features(responses=eq.TwoAnswers(), sampler="paper")
    for _ in range(10):
        question = learner.ask()
        learner.tell(question, "first" if question.first[1] > question.second[1] else "second")
    assert learner.posterior.mean().argmax() == 1
    assert learner.posterior.outweighs(1, 0) > 0.9
    assert learner.posterior.outweighs(1, 2) > 0.9


@pytest.mark.parametrize("name", MODELS)
def test_undoing_the_latest_answer_equals_never(name):
    """Draws are as before it, its question is open, and another answer leads as far as it did."""
    learner = features(responses=MODELS[name])
    go_on(learner, 3)
    once = features(responses=MODELS[name])
    go_on(once, 2)
    question = learner.undo()
    assert learner.open is question
    assert_same(learner, once)
    # Under a step gate not every answer can follow on the others.
    said = Person(learner).answer(question)
    for answer in sorted(MODELS[name].answers, key=said.__eq__):  # what was said comes last
        with suppress(eq.ContradictionError):
            learner.tell(question, answer)
            once.tell(once.open, answer)
            break
    assert learner.open is None
    assert_same(learner, once)


@pytest.mark.parametrize("name", MODELS)
def test_undoing_an_earlier_answer_equals_never(name):
    """Draws are those of somebody who was never asked; after an answer, so is what comes next."""
    learner = features(responses=MODELS[name])
    asked = go_on(learner, 4)
    answers = [answer for _, answer in learner.answers]
    never = features(responses=MODELS[name])
    for k in (0, 2, 3):
        give(never, asked[k], answers[k])
    assert learner.undo(2) is asked[1]
    assert_same_posterior(learner, never)
    learner.tell(2, answers[1])
    give(never, asked[1], answers[1])
    assert_same(learner, never)


def test_undoing_withdraws_the_question_that_was_open():
    """A question asked meanwhile counts as never asked: it can't be told, and comes again."""
    learner = features()
    (question,) = go_on(learner, 1)
    ((_, answer),) = learner.answers
    meanwhile = learner.ask()
    learner.undo()
    with pytest.raises(ValueError, match="question 2 was withdrawn by an undo"):
        learner.tell(meanwhile, "first")
    learner.tell(question, answer)
    again = learner.ask()
    assert again.id == 3
    assert_same_question(again, meanwhile, ids=False)


def test_undoing_many_and_all():
    """Answers can be undone one after another down to the prior, in any order."""
    learner, untouched = features(), features()
    go_on(learner, 4)
    for id in (2, 4, 1, 3):
        learner.undo(id)
    assert learner.answers == []
    assert learner.open.id == 3
    assert_same_posterior(learner, untouched)


def test_skipping():
    """A skipped question teaches nothing, is not asked again, and can be opened again."""
    learner = features()
    question = learner.ask()
    draws = learner.posterior.draws["weights"]
    learner.skip()
    assert learner.open is None
    assert learner.answers == []
    assert learner.posterior.draws["weights"] is draws
    other = learner.ask()
    assert other.id == 2
    assert not np.array_equal(other.first, question.first)
    with pytest.raises(ValueError, match=r"question 1 was skipped; undo\(1\) opens it again"):
        learner.tell(question, "first")
    assert learner.undo(1) is question
    learner.tell(question, "first")
    assert [q.id for q, _ in learner.answers] == [1]


def test_the_latest_can_be_a_skipped_one():
    """`undo()` takes back whatever closed a question last."""
    learner = features()
    go_on(learner, 1)
    skipped = learner.ask()
    learner.skip()
    assert learner.undo() is skipped
    assert [q.id for q, _ in learner.answers] == [1]


def test_nothing_to_skip_and_nothing_to_undo():
    """Without an open question, or a closed one, it's said that there is none."""
    learner = features()
    with pytest.raises(ValueError, match="no question is open, so none can be skipped"):
        learner.skip()
    with pytest.raises(ValueError, match="nothing was answered or skipped yet"):
        learner.undo()
    with pytest.raises(ValueError, match="question 1 can't be undone: question 1 was never asked"):
        learner.undo(1)
    learner.ask()
    with pytest.raises(ValueError, match="question 1 can't be undone: it's still open"):
        learner.undo(1)
    assert [event["event"] for event in learner.log()] == ["started", "asked"]


def test_undoing_withdrawn_and_reopened_questions_never_repeats_one():
    """Where a step of the session comes again after undoing, its numbers aren't asked again."""
    learner = features(responses=eq.TwoAnswers(), pool=1)
    go_on(learner, 2)
    learner.undo(1)
    learner.undo(2)
    learner.tell(2, "first")
    seen = {tuple(question.first) for question, _ in learner.answers}
    for _ in range(3):
        question = learner.ask()
        assert tuple(question.first) not in seen
        seen.add(tuple(question.first))
        learner.tell(question, "first")


@pytest.mark.parametrize("midway", [0, 1, 3, 5])
def test_a_priority_added_midway_might_have_been_there_from_the_start(midway):
    """All earlier answers are read again: knowledge and next question don't tell when it came."""
    late = kidneys(responses=eq.PeopleAnswers())
    early = kidneys([YEARS_GAINED, FAIR, ALIKE], eq.PeopleAnswers())
    asked, person = [], Person(early)
    for k in range(5):
        if k == midway:
            late.add_priority(ALIKE)
        question = late.ask(local())
        answer = person.answer(early.ask([question.comparison]))
        for learner in (late, early):
            learner.tell(learner.open, answer)
        asked.append(question)
    if midway == 5:
        late.add_priority(ALIKE)
    assert late.posterior.names == ("years gained", "proportionality", "alike")
    assert_same_posterior(late, early)
    assert_same_question(late.ask(), early.ask())
    assert late.open.evidence.favour.shape == (1, 3)
    for (one, said), (other, also_said) in zip(late.answers, early.answers, strict=True):
        assert said == also_said
        np.testing.assert_array_equal(one.evidence.favour, other.evidence.favour)


def test_a_priority_may_be_added_while_a_question_is_open():
    """The open question stays, is read anew, and its answer counts for all priorities."""
    learner, early = kidneys(), kidneys([YEARS_GAINED, FAIR, ALIKE])
    question = learner.ask()
    learner.add_priority(ALIKE)
    assert learner.ask().id == question.id
    assert learner.ask().evidence.favour.shape == (1, 3)
    learner.tell(question, "conflicted")
    give(early, question, "conflicted")
    assert_same(learner, early)


def test_several_priorities_may_be_added_and_answers_undone_afterwards():
    """Undoing an answer from before a priority was added equals never, with the priority."""
    learner = kidneys(responses=eq.PeopleAnswers())
    never = kidneys([YEARS_GAINED, FAIR, ALIKE, BEN], eq.PeopleAnswers())
    first, second = go_on(learner, 2)
    learner.add_priority(ALIKE)
    learner.add_priority(BEN)
    answer = learner.answers[1][1]
    learner.undo(first.id)
    give(never, second, answer)
    assert_same_posterior(learner, never)


def test_features_gain_no_priority():
    """A learner of a number of features says what to do instead."""
    learner = features()
    with pytest.raises(ValueError, match="given a number of features, it can't gain a priority"):
        learner.add_priority(ALIKE)


def test_a_priority_can_not_be_added_to_bare_evidence():
    """What another priority says of a question known by its evidence is anybody's guess."""
    learner = kidneys()
    learner.tell(learner.ask(eq.Evidence([[0.5, 0]], [[0, 0.6]])), "first")
    log, draws = learner.log(), learner.posterior.draws["weights"]
    with pytest.raises(ValueError, match="question 1 is known by its evidence only"):
        learner.add_priority(ALIKE)
    assert learner.log() == log
    assert learner.posterior.draws["weights"] is draws
    assert learner.posterior.names == ("years gained", "proportionality")


def test_a_contradiction_leaves_everything_as_it_was():
    """An answer that nothing can have given raises, and counts as not given."""
    learner = features(1, eq.FourAnswers(tau_r=0.5))
    twin = features(1, eq.FourAnswers(tau_r=0.5))
    for which in (learner, twin):
        which.tell(which.ask([[[0.9], [0.1]]]), "first")
    question = learner.ask([[[0.1], [0.8]]])
    twin.ask([[[0.1], [0.8]]])
    log, draws = learner.log(), learner.posterior.draws["weights"]
    with pytest.raises(eq.ContradictionError, match="nothing is left under which all answers"):
        learner.tell(question, "indifferent")
    assert learner.log() == log
    assert learner.posterior.draws["weights"] is draws
    assert learner.open is question
    assert len(learner.answers) == 1
    for which in (learner, twin):
        which.tell(which.open, "second")
    assert_same(learner, twin)


class Interrupted(KeyboardInterrupt):
    """Somebody stops a program by hand."""


class Interrupting(eq.HitAndRun):
    """A sampler that is stopped when it's told to be."""

    stop = False

    def update(self, draws, transcript, problem, rng):
        if Interrupting.stop:
            raise Interrupted
        return super().update(draws, transcript, problem, rng)


def test_an_interrupt_leaves_everything_as_it_was(monkeypatch):
    """An answer is taken in whole, or not at all: told again, it counts once."""
    learner = features(sampler=Interrupting(SHORT.kept, SHORT.burn_in))
    undisturbed = features(sampler=SHORT)
    question = learner.ask()
    log = learner.log()
    monkeypatch.setattr(Interrupting, "stop", True)
    with pytest.raises(Interrupted):
        learner.tell(question, "first")
    assert learner.open is question
    assert learner.log() == log
    monkeypatch.setattr(Interrupting, "stop", False)
    for which in (learner, undisturbed):
        which.tell(which.ask(), "first")
    assert_same(learner, undisturbed)


def test_seed_and_session_both_matter():
    """Another seed or another session leads to other questions; the same ones to the same."""
    assert_same(features(seed=3, session="p17"), features(seed=3, session="p17"))
    first = features(seed=3, session="p17").ask().first
    for other in (features(seed=4, session="p17"), features(seed=3, session="p18")):
        assert not np.array_equal(first, other.ask().first)


def test_looking_changes_nothing():
    """Whatever is asked of the posterior, the next question and draws stay the same."""
    looked, untouched = features(), features()
    for learner in (looked, untouched):
        go_on(learner, 2)
    looked.posterior.states(np.full((3, 2, 3), 0.5))
    looked.posterior.predict(eq.AllPairs(np.eye(3)))
    looked.recommend(np.eye(3))
    looked.log().clear()
    assert looked.posterior.warnings is not None
    go_on(looked, 1)
    go_on(untouched, 1)
    assert_same(looked, untouched)


def test_questions_and_numpys_whole_numbers_name_a_question():
    """A question, its id and the same number of NumPy's are as good; the log takes all of them."""
    learner = eq.Learner(np.int64(3), eq.TwoAnswers(), seed=1, pool=10)
    question = learner.ask()
    learner.tell(np.int64(question.id), "first")
    assert learner.undo(question) is question
    learner.tell(question, "second")
    assert learner.undo(np.int64(question.id)) is question
    assert all(type(e["question"]) is int for e in learner.log() if e["event"] != "started")
    assert type(learner.log()[0]["declaration"]["priorities"]) is int
