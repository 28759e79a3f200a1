"""What every way of choosing a question must do, whatever there is to choose from."""

import copy

import numpy as np
import pytest
from hypothesis import given, strategies as st
from pools import choose, weighed_draws
from sessions import MODELS
from strategies import generators

import equipoise as eq
from equipoise.acquisition import ACQUISITIONS, information

OWN = {
    "bald, few draws": eq.Bald(3),
    "regret, own inputs": eq.RegretReduction(np.random.default_rng(1).random((4, 2, 3)), 5),
    "two steps, short": eq.TwoSteps(first=1, second=1),
}
WAYS = {**{name: way() for name, way in ACQUISITIONS.items()}, **OWN}


def evidence_of(rng, size):
    """Evidence in which some priorities are silent, and some speak for both sides at once."""
    favour, against = rng.random((2, size, 3)) * (rng.random((2, size, 3)) < 0.7)
    return eq.Evidence(favour, against)


@pytest.mark.parametrize("name", WAYS)
@given(st.sampled_from(sorted(MODELS)), generators())
def test_an_allowed_question_and_its_bits(name, model, rng):
    """An allowed place comes, with bits from zero to log2 of the answers, and again the same one.

    Questions, mask and draws are left as they were.
    """
    way, size = WAYS[name], int(rng.integers(1, 120))
    draws, parameters = weighed_draws(MODELS[model], rng, int(rng.integers(1, 700)), 3)
    evidence = evidence_of(rng, size)
    allowed = rng.random(size) < rng.random()
    allowed[rng.integers(size)] = True
    if rng.integers(3) == 0:
        allowed = None
    before = copy.deepcopy((evidence.favour, evidence.against, allowed, vars(draws)))
    place, bits = choose(way, evidence, draws, parameters, allowed)
    assert type(place) is int
    assert type(bits) is float
    assert 0 <= place < size
    assert allowed is None or allowed[place]
    assert 0 <= bits <= np.log2(len(MODELS[model].answers))
    assert (place, bits) == choose(way, evidence, draws, parameters, allowed)
    np.testing.assert_equal((evidence.favour, evidence.against, allowed, vars(draws)), before)


@pytest.mark.parametrize("name", set(WAYS) - {"bald, few draws"})
@pytest.mark.parametrize("model", MODELS)
def test_bits_are_those_of_all_draws(name, model):
    """However few draws a question is found by, what it is expected to tell is by all of them."""
    rng = np.random.default_rng(5)
    draws, parameters = weighed_draws(MODELS[model], rng, 400, 3)
    evidence = evidence_of(rng, 300)
    place, bits = choose(WAYS[name], evidence, draws, parameters)
    assert bits == information(evidence.rows([place]), draws, parameters).bits[0]


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("size", [1, 2, 60, 3000])
def test_nothing_is_left_to_learn(name, size):
    """With one draw no answer tells anything, and some allowed question is asked all the same."""
    rng = np.random.default_rng(3)
    draws, parameters = weighed_draws(MODELS["known thresholds"], rng, 1, 3)
    allowed = np.arange(size) >= size // 2
    place, bits = choose(WAYS[name], evidence_of(rng, size), draws, parameters, allowed)
    assert allowed[place]
    assert bits == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", set(WAYS) - {"random"})
@pytest.mark.parametrize("size", [7, 60, 3000])
def test_of_equal_questions_the_first(name, size):
    """Where all questions are the same one, the first that is allowed is asked."""
    rng = np.random.default_rng(2)
    draws, parameters = weighed_draws(MODELS["people"], rng, 300, 3)
    evidence = evidence_of(rng, 1).rows(np.zeros(size, dtype=int))
    assert choose(WAYS[name], evidence, draws, parameters)[0] == 0
    allowed = np.arange(size) > 4
    assert choose(WAYS[name], evidence, draws, parameters, allowed)[0] == 5


@pytest.mark.parametrize("name", WAYS)
def test_a_learner_asks_by_it_and_its_log_is_read_back(name, tmp_path):
    """In a session of its own: random questions and a catalogue; a log goes on where it ended."""
    rng = np.random.default_rng(4)
    learner = eq.Learner(
        3, MODELS["people"], seed=1, particles=100, pool=30, acquisition=WAYS[name]
    )
    person = eq.Respondent([0.6, 0.3, 0.1], eq.FourAnswers(tau_r=0.2, tau_kappa=0.2))
    catalogue = rng.random((12, 2, 3))
    for t in range(8):
        question = learner.ask(catalogue if t % 2 else None)
        learner.tell(question, person.answer(question, rng))
    path = tmp_path / "log.jsonl"
    eq.write_log(learner.log(), path)
    assert eq.read_log(path) == learner.log()
    again = eq.Learner.replay(eq.read_log(path))
    one, other = learner.ask(), again.ask()
    np.testing.assert_array_equal(one.first, other.first)
    assert one.bits == other.bits
