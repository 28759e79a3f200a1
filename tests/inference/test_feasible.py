"""Where a chain may start: what the step gate leaves, found by linear programme."""

import pickle

import numpy as np
import pytest

import equipoise as eq
from equipoise.inference.draws import Problem
from equipoise.inference.feasible import feasible_point
from equipoise.inference.parameters import Parameters
from equipoise.inference.transcripts import Transcript
from equipoise.inference.weights import Dirichlet

UNKNOWN = eq.FourAnswers(tau_r=eq.Uniform(0, 1), tau_kappa=0.3)


def asked(responses, sides, answers):
    """Return the problem and the transcript of questions about features."""
    sides = np.asarray(sides, dtype=float)
    says = eq.Evidence.from_features(sides)
    transcript = Transcript(sides.shape[2])
    for k, answer in enumerate(answers):
        transcript.append(says.rows([k]), eq.Response(answer))
    return Problem(sides.shape[2], Parameters(responses), Dirichlet(1)), transcript


def valences(transcript, weights):
    """Return the valence of every question."""
    return transcript.plus @ weights


def test_what_is_decided_or_torn_reaches_the_threshold_and_indifference_does_not():
    """The point keeps a positive distance from every answer's limit, and from zero weights."""
    rng = np.random.default_rng(4)
    responses = eq.FourAnswers(tau_r=0.4, tau_kappa=0.4)
    person = eq.Respondent(rng.dirichlet(np.ones(4)), responses)
    sides = rng.random((60, 2, 4))
    answers = [person.answer(eq.Question.of_features(*side), rng) for side in sides]
    problem, transcript = asked(responses, sides, answers)
    weights, tau_r = feasible_point(problem, transcript, 0.4)
    indifferent = np.array([answer == "indifferent" for answer in answers])
    r = valences(transcript, weights)
    assert tau_r == 0.4
    assert weights.min() > 0
    assert weights.sum() == pytest.approx(1)
    assert r[~indifferent].min() > 0.4 > r[indifferent].max()


def test_an_unknown_threshold_is_found_along_with_the_weights():
    """With tau_r unknown, it lies between the valences of both kinds of answers."""
    sides = [[[0.9, 0.1], [0.1, 0.0]], [[0.2, 0.1], [0.1, 0.2]]]
    problem, transcript = asked(UNKNOWN, sides, ["first", "indifferent"])
    weights, tau_r = feasible_point(problem, transcript, 0.05)
    high, low = valences(transcript, weights)
    assert low < tau_r < high


@pytest.mark.parametrize(
    ("prior", "possible"), [([0.0, 0.5, 0.5], True), ([0.9, 0.05, 0.05], True), ([1, 0, 0], False)]
)
def test_a_listed_threshold_is_one_of_the_list_that_has_a_chance(prior, possible):
    """Among values with a positive probability, one that the answers leave is taken."""
    responses = eq.FourAnswers(tau_r=eq.Discrete([0.9, 0.5, 0.05], prior), tau_kappa=0.3)
    problem, transcript = asked(responses, [[[0.8, 0.7], [0.0, 0.1]]], ["first"])
    if not possible:
        with pytest.raises(eq.ContradictionError):
            feasible_point(problem, transcript, 0.9)
        return
    assert feasible_point(problem, transcript, 0.9)[1] in (0.5, 0.05)


def test_without_a_band_an_undecided_answer_is_an_indifferent_one():
    """Three answers and nobody conflicted: undecided then needs a valence below the threshold."""
    sides = [[[0.9, 0.0], [0.1, 0.05]]]
    problem, transcript = asked(eq.ThreeAnswers(tau_r=0.3), sides, ["undecided"])
    weights, _ = feasible_point(problem, transcript, 0.3)
    assert valences(transcript, weights)[0] < 0.3
    torn, transcript = asked(eq.ThreeAnswers(tau_r=0.3, tau_kappa=0.5), sides, ["undecided"])
    weights, _ = feasible_point(torn, transcript, 0.3)  # anything goes
    np.testing.assert_allclose(weights, [0.5, 0.5])


def test_sessions_with_three_answers_and_no_band_go_on():
    """The paper's sampler finds a start after each of many answers."""
    responses = eq.ThreeAnswers(tau_r=0.2)
    rng = np.random.default_rng(0)
    person = eq.Respondent([0.05, 0.35, 0.57, 0.03], responses)
    learner = eq.Learner(4, responses, seed=3, sampler="paper", pool=50)
    for _ in range(80):
        question = learner.ask()
        learner.tell(question, person.answer(question, rng))
    assert len(learner.answers) == 80


def test_answers_that_contradict_each_other_are_said_to():
    """The same question can't be decided and indifferent under a step gate."""
    side = [[0.9, 0.1], [0.1, 0.9]]
    problem, transcript = asked(
        eq.FourAnswers(tau_r=0.4), [side, side], ["conflicted", "indifferent"]
    )
    with pytest.raises(eq.ContradictionError, match="nothing is left"):
        feasible_point(problem, transcript, 0.4)


def test_a_contradiction_can_be_sent_from_process_to_process():
    """Pools pickle what their workers raise."""
    error = eq.ContradictionError()
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is eq.ContradictionError
    assert str(copy) == str(error)


def test_a_threshold_without_a_greatest_value_has_a_start_too():
    """A log-normal threshold may be anything above zero; the point keeps to what was answered."""
    responses = eq.FourAnswers(tau_r=eq.LogNormal(0.3, 0.5), tau_kappa=0.3)
    sides = [[[0.9, 0.1], [0.1, 0.1]], [[0.2, 0.1], [0.1, 0.1]]]
    problem, transcript = asked(responses, sides, ["first", "indifferent"])
    weights, tau_r = feasible_point(problem, transcript, 0.3)
    r = valences(transcript, weights)
    assert r[1] < tau_r < r[0]
