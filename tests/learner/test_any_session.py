"""Any session at all, beside a list of what was said: they always agree."""

import numpy as np
import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from sessions import assert_same_posterior, features, give

import equipoise as eq

TINY = eq.HitAndRun(kept=5, burn_in=2)
# Nothing contradicts anything under it, so any answer may be given.
PEOPLE = eq.PeopleAnswers()
ANSWERS = st.sampled_from(PEOPLE.answers)


CATALOGUE = np.random.default_rng(1).random((5, 2, 2))


def new():
    """A learner with so few questions to choose from that one might come again."""
    return features(2, PEOPLE, pool=1, sampler=TINY)


class AnySession(RuleBasedStateMachine):
    """A learner, and beside it a list of the questions closed and the one that's open."""

    candidates = None

    def __init__(self):
        super().__init__()
        self.learner = new()
        self.closed = []  # pairs of id and answer, None where it was skipped
        self.open = None
        self.sides = {}
        self.events = 1

    @rule()
    def ask(self):
        """An open question is asked again; else a new one, with the next number."""
        if self.open is None and self.candidates is not None and len(self.closed) == 5:
            with pytest.raises(ValueError, match="every candidate was asked already"):
                self.learner.ask(self.candidates)
            return
        question = self.learner.ask(self.candidates)
        if self.open is None:
            assert question.id == max(self.sides, default=0) + 1
            self.sides[question.id] = (*question.first, *question.second)
            self.open = question.id
            self.events += 1
        assert question.id == self.open
        assert (*question.first, *question.second) == self.sides[self.open]

    @rule(answers=st.lists(ANSWERS, min_size=1, max_size=4))
    def ask_and_tell(self, answers):
        """Several questions are asked and answered."""
        for answer in answers:
            self.ask()
            if self.open is not None:
                self.tell(answer)

    @precondition(lambda self: self.open is not None)
    @rule(answer=ANSWERS)
    def tell(self, answer):
        """The open question is answered."""
        self.learner.tell(self.learner.open, answer)
        self.closed.append((self.open, answer))
        self.open = None
        self.events += 1

    @precondition(lambda self: self.open is not None)
    @rule()
    def skip(self):
        """The open question is skipped."""
        self.learner.skip()
        self.closed.append((self.open, None))
        self.open = None
        self.events += 1

    @precondition(lambda self: self.closed)
    @rule(data=st.data(), answer=ANSWERS)
    def tell_again(self, data, answer):
        """A closed question takes the answer that it has, and no other."""
        id, before = data.draw(st.sampled_from(self.closed))
        if answer == before:
            self.learner.tell(id, answer)
        else:
            with pytest.raises(ValueError, match=rf"undo\({id}\) opens it again"):
                self.learner.tell(id, answer)

    @precondition(lambda self: self.closed)
    @rule(data=st.data())
    def undo(self, data):
        """A closed question is opened again, the latest if none is named."""
        id = data.draw(st.sampled_from([None, *(id for id, _ in self.closed)]))
        assert self.learner.undo(id).id == (self.closed[-1][0] if id is None else id)
        chosen = self.closed[-1][0] if id is None else id
        self.closed = [(other, answer) for other, answer in self.closed if other != chosen]
        self.open = chosen
        self.events += 1

    @rule(id=st.integers(-1, 9), answer=ANSWERS)
    def what_can_not_be(self, id, answer):
        """Questions that are neither open nor closed can be neither told nor undone."""
        if id not in [self.open, *(id for id, _ in self.closed)]:
            with pytest.raises(ValueError, match=f"question {id} was"):
                self.learner.tell(id, answer)
            with pytest.raises(ValueError, match=f"question {id} can't be undone"):
                self.learner.undo(id)

    @rule()
    def replay(self):
        """The session stops, and goes on from its log."""
        again = eq.Learner.replay(self.learner.log())
        assert_same_posterior(again, self.learner)
        assert again.log() == self.learner.log()
        self.learner = again

    @rule()
    def never(self):
        """Somebody who only ever gave the answers that stand is known as well."""
        only = new()
        for question, answer in self.learner.answers:
            give(only, question, answer)
        assert_same_posterior(only, self.learner)

    @invariant()
    def the_list_agrees(self):
        """Open question and standing answers are those of the list, and nothing is asked twice."""
        open = self.learner.open
        assert (None if open is None else open.id) == self.open
        said = [(question.id, answer) for question, answer in self.learner.answers]
        assert said == [(id, answer) for id, answer in self.closed if answer is not None]
        standing = [id for id, _ in self.closed] + ([] if self.open is None else [self.open])
        assert len({self.sides[id] for id in standing}) == len(standing)
        assert len(self.learner.log()) == self.events


class AnySessionFromACatalogue(AnySession):
    """The same where the questions are listed, and few."""

    candidates = CATALOGUE


TestAnySession = AnySession.TestCase
TestAnySessionFromACatalogue = AnySessionFromACatalogue.TestCase
for case in (TestAnySession, TestAnySessionFromACatalogue):
    case.settings = settings(stateful_step_count=30)
