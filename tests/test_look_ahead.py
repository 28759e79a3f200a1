"""Two questions at a time, against every pair of questions written out."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from pools import chances, choose, entropy, random_evidence, weighed_draws
from sessions import MODELS
from strategies import generators

import equipoise as eq
from equipoise.acquisition import information


def bits_of(mass, answers):
    """The information in a question whose answers by each draw are (draws, answers)."""
    return entropy(mass @ answers) - mass @ [entropy(row) for row in answers]


def in_two_steps(evidence, allowed, draws, parameters):
    """What each question and the best one after it are expected to tell together."""
    answers = [
        chances(favour, against, draws, parameters)
        for favour, against in zip(evidence.favour, evidence.against, strict=True)
    ]
    found = {}
    for q in allowed:
        found[q] = bits_of(draws.mass, answers[q])
        for answer in answers[q].T:
            joint = draws.mass * answer
            if joint.sum() > 0:
                after = [bits_of(joint / joint.sum(), answers[p]) for p in allowed if p != q]
                found[q] += joint.sum() * max(after, default=0.0)
    return found


@given(st.sampled_from(sorted(MODELS)), generators())
def test_two_steps_as_written(name, rng):
    """Of a pool small enough to be looked at whole, no pair of questions tells more."""
    draws, parameters = weighed_draws(MODELS[name], rng, int(rng.integers(1, 20)), 3)
    size = int(rng.integers(1, 7))
    evidence = random_evidence(rng, size, 3)
    allowed = rng.random(size) < 0.8
    allowed[0] = True
    together = in_two_steps(evidence, np.flatnonzero(allowed), draws, parameters)
    place, bits = choose(eq.TwoSteps(first=6, second=12), evidence, draws, parameters, allowed)
    assert together[place] == pytest.approx(max(together.values()), abs=1e-8)
    assert bits == pytest.approx(information(evidence, draws, parameters).bits[place])


def test_it_sees_what_a_greedy_choice_does_not():
    """Here and there the best first question is passed over for two that tell more together."""
    passed_over = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        draws, parameters = weighed_draws(eq.TwoAnswers(beta=100), rng, 12, 3)
        evidence = random_evidence(rng, 5, 3)
        together = in_two_steps(evidence, range(5), draws, parameters)
        greedy, _ = choose(eq.Bald(), evidence, draws, parameters)
        place, _ = choose(eq.TwoSteps(), evidence, draws, parameters)
        passed_over += together[place] > together[greedy] + 0.01
    assert passed_over > 3


@pytest.mark.parametrize("first", [1, 50])
def test_with_one_question_to_look_ahead_from_it_is_the_greedy_choice(first):
    """From a pool of thousands it looks ahead from the few that tell most by themselves."""
    rng = np.random.default_rng(7)
    draws, parameters = weighed_draws(MODELS["known thresholds"], rng, 300, 3)
    evidence = random_evidence(rng, 3000, 3)
    _, greedy = choose(eq.Bald(), evidence, draws, parameters)
    _, bits = choose(eq.TwoSteps(first=first, second=4), evidence, draws, parameters)
    assert 0.8 * greedy < bits <= greedy
    if first == 1:
        assert bits > 0.99 * greedy


@pytest.mark.parametrize("name", ["first", "second"])
@pytest.mark.parametrize("wrong", [0, -3, 1.5, True, "8"])
def test_what_is_no_number_of_questions_is_refused(name, wrong):
    """Both are positive whole numbers."""
    with pytest.raises(ValueError, match=f"{name} is .*, expected a positive whole number"):
        eq.TwoSteps(**{name: wrong})
