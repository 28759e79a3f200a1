"""Random numbers of a session come from streams that the design names, one for every step."""

import hashlib

import numpy as np
from hypothesis import given, strategies as st
from sessions import MODELS, SHORT, features, go_on

from equipoise.learner.streams import Streams

ASK, UPDATE = 0, 1


def named(seed, session, purpose, step):
    """The generator by the words of the design, as NumPy makes it."""
    digest = hashlib.sha256(session.encode()).digest()
    words = [int.from_bytes(digest[k : k + 4], "little") for k in range(0, 32, 4)]
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*words, purpose, step)))


@given(
    st.integers(0, 2**40) | st.integers(0, 2**300),
    st.text(st.characters(codec="utf-8"), max_size=5),
    st.integers(0, 2**20),
)
def test_every_step_has_the_stream_of_its_name(seed, session, step):
    """Seed, session, purpose and step name a child of the seed's sequence, whatever they are."""
    streams = Streams(seed, session)
    for purpose, place in (("ask", ASK), ("update", UPDATE)):
        np.testing.assert_array_equal(
            streams.at(purpose, step).integers(2**63, size=3),
            named(seed, session, place, step).integers(2**63, size=3),
        )


class NotingSampler:
    """A sampler that notes the first number of each stream, and how many answers there are."""

    def __init__(self):
        self.noted = []

    def start(self, problem, rng):
        return SHORT.start(problem, rng)

    def update(self, draws, transcript, problem, rng):
        self.noted.append((len(transcript), rng.random()))
        return SHORT.update(draws, transcript, problem, rng)


class NotingChoice:
    """A way to choose that notes the first number of each stream it's given."""

    def __init__(self):
        self.noted = []

    def choose(self, pool, allowed, draws, parameters, rng):
        self.noted.append(rng.random())
        return 0, 0.0


def test_updates_have_a_stream_for_each_answer():
    """Learning from the n-th answer that stands draws from the n-th stream, also after an undo."""
    sampler = NotingSampler()
    learner = features(responses=MODELS["people"], session="p17", sampler=sampler)
    go_on(learner, 3)
    learner.undo(1)
    learner.skip()
    go_on(learner, 1)
    assert [length for length, _ in sampler.noted] == [1, 2, 3, 1, 2, 3]
    for length, number in sampler.noted:
        assert number == named(7, "p17", UPDATE, length).random()


def test_questions_have_a_stream_for_each_one_closed():
    """Choosing after n answers and skips draws from the n-th stream of its own kind."""
    choice = NotingChoice()
    learner = features(session="p17", acquisition=choice, sampler=SHORT)
    sides = np.random.default_rng(1).random((9, 2, 3))
    go_on(learner, 2, sides)
    learner.ask(sides)
    learner.skip()
    go_on(learner, 1, sides)
    learner.undo(1)
    learner.skip()
    learner.ask(sides)
    steps = [0, 1, 2, 3, 4]
    assert choice.noted == [named(7, "p17", ASK, step).random() for step in steps]


def test_an_open_question_takes_no_random_numbers():
    """Asking again, predicting and recommending leave the next question as it was."""
    choice = NotingChoice()
    learner = features(acquisition=choice)
    for _ in range(3):
        learner.ask()
        learner.posterior.predict(np.full((1, 2, 3), 0.5))
    assert len(choice.noted) == 1
