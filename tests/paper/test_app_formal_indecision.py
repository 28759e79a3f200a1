"""Appendix `app:formal-indecision`: people who are torn and answer all the same."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from strategies import generators, simplex

import equipoise as eq

TAU = {"tau_r": 0.25, "tau_kappa": 0.25}


def random_question(rng, size):
    """Features of two sides; some differences are exactly zero."""
    first, second = rng.random(size), rng.random(size)
    same = rng.random(size) < 0.2
    return eq.Question.of_features(first, np.where(same, first, second))


def scores(question, weights):
    """R and kappa, from the features alone."""
    difference = np.asarray(question.first) - np.asarray(question.second)
    return float(weights @ abs(difference)), float(weights @ difference)


def is_decisive(r, kappa):
    """Whether the latent state is a decisive one, with both thresholds at 0.25."""
    return r >= 0.25 and abs(kappa) >= 0.25 * r


def forced_when_decided(kappa, beta):
    """Zero thresholds, as the text of the accuracy study has it."""
    h = 1 / (1 + np.exp(-beta * kappa))
    return [h, 1 - h]


@given(generators(), st.floats(1, 20))
def test_def_random_under_indecision_flips_a_coin(rng, beta):
    """50/50: decided people answer with zero thresholds, others by an unbiased coin."""
    weights = simplex(rng, 4)
    question = random_question(rng, 4)
    r, kappa = scores(question, weights)
    person = eq.Respondent(weights, eq.FourAnswers(**TAU, beta=beta), "fifty-fifty")
    expected = forced_when_decided(kappa, beta) if is_decisive(r, kappa) else [0.5, 0.5]
    np.testing.assert_allclose(person.probabilities(question), expected, atol=1e-12)
    assert person.answers == (eq.Response.FIRST, eq.Response.SECOND)


@given(generators(), st.floats(1, 20))
def test_def_lex_follows_the_weightiest_priority_that_speaks(rng, beta):
    """Lexicographic: the side that the first decisive priority in order of weight favours."""
    weights = simplex(rng, 4)
    question = random_question(rng, 4)
    r, kappa = scores(question, weights)
    person = eq.Respondent(weights, eq.FourAnswers(**TAU, beta=beta), "lexicographic")
    gaps = np.asarray(question.first) - np.asarray(question.second)
    ranked = sorted(range(4), key=lambda j: (-weights[j], j))
    speaking = [gaps[j] for j in ranked if gaps[j] != 0]
    if is_decisive(r, kappa):
        expected = forced_when_decided(kappa, beta)
    elif speaking:
        expected = [1.0, 0.0] if speaking[0] > 0 else [0.0, 1.0]
    else:
        expected = [0.5, 0.5]
    np.testing.assert_allclose(person.probabilities(question), expected, atol=1e-12)


def test_def_lex_equal_weights_keep_their_order_and_silence_is_a_coin():
    """Ties between weights go to the first priority; with nothing to go by, a coin."""
    responses = eq.FourAnswers(tau_r=0.9, tau_kappa=0.5)
    person = eq.Respondent([0.5, 0.5], responses, "lexicographic")
    torn = eq.Question.of_features([0.0, 0.6], [0.6, 0.0])
    np.testing.assert_array_equal(person.probabilities(torn), [0, 1])
    same = eq.Question.of_features([0.3, 0.6], [0.3, 0.6])
    np.testing.assert_array_equal(person.probabilities(same), [0.5, 0.5])


def test_def_lex_a_difference_that_is_only_rounding_is_silence():
    """0.1 + 0.2 against 0.3 is no gap: the next priority decides, and not a coin."""
    person = eq.Respondent([0.6, 0.4], eq.FourAnswers(tau_r=0.9), "lexicographic")
    question = eq.Question.of_features([0.1 + 0.2, 0.0], [0.3, 1.0])
    np.testing.assert_array_equal(person.probabilities(question), [0, 1])


def test_def_lex_a_priority_torn_by_itself_is_passed_over():
    """Under the maximum a priority may speak for both sides alike: it is not decisive then."""
    torn = eq.Evidence(np.array([[1.0, 0.0]]), np.array([[1.0, 0.2]]))
    question = eq.Question(1, {}, {}, torn)
    person = eq.Respondent([0.9, 0.1], eq.FourAnswers(tau_kappa=0.5), "lexicographic")
    np.testing.assert_array_equal(person.probabilities(question), [0, 1])


@given(generators(), st.floats(1, 20))
def test_def_biased_chooses_the_nearer_side(rng, beta):
    """Self-similar: whichever side's features are nearer to the person's own."""
    weights, profile = simplex(rng, 4), rng.random(4)
    question = random_question(rng, 4)
    r, kappa = scores(question, weights)
    responses = eq.FourAnswers(**TAU, beta=beta)
    person = eq.Respondent(weights, responses, "self-similar", profile=profile)
    first, second = (
        np.sqrt(sum((np.asarray(side) - profile) ** 2))
        for side in (question.first, question.second)
    )
    if is_decisive(r, kappa):
        expected = forced_when_decided(kappa, beta)
    elif first == second:
        expected = [0.5, 0.5]
    else:
        expected = [1.0, 0.0] if first < second else [0.0, 1.0]
    np.testing.assert_allclose(person.probabilities(question), expected, atol=1e-12)


@pytest.mark.parametrize("far", [0.5, 0.1, 0.3, 0.7])
def test_def_biased_equal_distance_is_a_coin(far):
    """Two sides as near as each other: an unbiased coin, whatever rounding says."""
    responses = eq.FourAnswers(tau_r=1.5)
    person = eq.Respondent([0.5, 0.5], responses, "self-similar", profile=[0.2, 0.6])
    question = eq.Question.of_features([0.2 + far, 0.6], [0.2, 0.6 - far])
    np.testing.assert_array_equal(person.probabilities(question), [0.5, 0.5])


@given(generators(), st.floats(0, 1), st.floats(0, 1), st.floats(1, 20))
def test_def_generic_indecision_pools_the_two_indecisive_answers(rng, tau_r, tau_kappa, beta):
    """Three answers: the decisive ones unchanged, undecided is indifferent plus conflicted."""
    parameters = {"tau_r": tau_r, "tau_kappa": tau_kappa, "beta": beta}
    plus, minus = rng.random(20), rng.random(20) * rng.integers(0, 2, 20)
    r, kappa = plus + minus, plus - minus
    three = eq.ThreeAnswers(**parameters).probabilities(r, kappa)
    h_first = (r >= tau_r) / (1 + np.exp(-beta * (kappa - tau_kappa * r)))
    h_second = (r >= tau_r) / (1 + np.exp(-beta * (-kappa - tau_kappa * r)))
    np.testing.assert_allclose(three[:, 0], h_first, atol=1e-12)
    np.testing.assert_allclose(three[:, 1], h_second, atol=1e-12)
    np.testing.assert_allclose(three[:, 2], 1 - h_first - h_second, atol=1e-12)
    four = eq.FourAnswers(**parameters).probabilities(r, kappa)
    np.testing.assert_allclose(three[:, 2], four[:, 2] + four[:, 3], atol=1e-15)


def test_sec_accuracy_the_correct_person_never_is_torn():
    """Correct: the baseline with zero thresholds, whatever the latent state."""
    person = eq.Respondent([0.5, 0.5], eq.TwoAnswers(beta=10))
    torn = eq.Question.of_features([1.0, 0.1], [0.0, 1.0])
    np.testing.assert_allclose(
        person.probabilities(torn), forced_when_decided(0.5 - 0.45, 10), atol=1e-12
    )


@pytest.mark.parametrize("indecision", ["report", "fifty-fifty", "lexicographic", "self-similar"])
def test_app_formal_indecision_answers_come_with_their_probabilities(indecision):
    """Drawn answers are as frequent as their probabilities say, for every kind of person."""
    rng = np.random.default_rng(11)
    responses = eq.FourAnswers(**TAU, beta=4, lapse=0.1)
    person = eq.Respondent([0.6, 0.4], responses, indecision, profile=[0.9, 0.1])
    draws = 1000
    for _ in range(5):
        question = eq.Question.of_features(rng.random(2), rng.random(2))
        given_answers = [person.answer(question, rng) for _ in range(draws)]
        shares = [given_answers.count(answer) / draws for answer in person.answers]
        expected = person.probabilities(question)
        assert expected.sum() == pytest.approx(1)
        assert min(expected) >= 0.1 / len(expected) - 1e-12  # the lapse reaches every answer
        np.testing.assert_allclose(shares, expected, atol=4.5 * np.sqrt(0.25 / draws))
