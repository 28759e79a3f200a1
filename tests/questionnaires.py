"""Small problems, questions and answers, and what the grid oracle says of them."""

from copy import copy
from functools import cache

import numpy as np
from agreement import Oracle

from equipoise.inference.draws import Problem
from equipoise.inference.grid import grid_posterior
from equipoise.inference.parameters import Parameters
from equipoise.inference.transcripts import Transcript
from equipoise.inference.weights import Dirichlet
from equipoise.model.evidence import Evidence
from equipoise.model.noise import GaussianMixture
from equipoise.model.priors import Beta, Discrete, LogNormal, Uniform
from equipoise.model.questions import Question
from equipoise.model.respondents import Respondent
from equipoise.model.responses import FourAnswers, LogisticGate, ThreeAnswers, TwoAnswers

GRID = Discrete([0.1, 0.2, 0.3, 0.4, 0.5], [0.1, 0.2, 0.4, 0.2, 0.1])

# Response model, concentration of the prior on weights, cells of the oracle, and of its numbers.
CASES = {
    "two answers": (TwoAnswers(beta=8), [1, 1, 1], 300, 1),
    "two answers, normal noise": (TwoAnswers(noise="normal", beta=5), [2, 1, 3], 300, 1),
    "two answers, a mixture": (
        TwoAnswers(noise=GaussianMixture([0.3, 0.7], [0.2, -0.1], [0.3, 0.05])),
        [1, 1, 1],
        300,
        1,
    ),
    "three answers": (ThreeAnswers(tau_r=0.3, tau_kappa=0.3, width=0.05), [1, 1, 1], 800, 1),
    "four answers": (FourAnswers(tau_r=0.3, tau_kappa=0.3), [1, 1, 1], 800, 1),
    "four answers, another prior": (FourAnswers(tau_r=0.3, tau_kappa=0.3), [0.5, 2, 1], 800, 1),
    "four answers, a soft gate": (
        FourAnswers(tau_r=0.3, tau_kappa=0.3, gate=LogisticGate(20)),
        [1, 1, 1],
        300,
        1,
    ),
    "four answers, a lapse": (FourAnswers(tau_r=0.3, tau_kappa=0.3, lapse=0.1), [1, 1, 1], 800, 1),
    "unknown thresholds": (FourAnswers(tau_r=Uniform(0, 1), tau_kappa=GRID), [1, 1], 200, 400),
    "unknown thresholds, other priors": (
        FourAnswers(tau_r=Beta(2, 4), tau_kappa=Beta(2, 3), gate=LogisticGate(20)),
        [2, 1],
        100,
        60,
    ),
    "unknown noise and lapse": (
        FourAnswers(
            tau_r=0.3,
            tau_kappa=0.3,
            gate=LogisticGate(20),
            beta=LogNormal(8, 0.5),
            lapse=Beta(1, 9),
        ),
        [1, 1],
        60,
        60,
    ),
    "unknown width and slope": (
        ThreeAnswers(width=Beta(1, 8), gate=LogisticGate(LogNormal(20, 0.5)), tau_r=0.3),
        [1, 1],
        60,
        60,
    ),
}


def problem_of(responses, priorities=2, concentration=1.0):
    """A problem of so many priorities."""
    return Problem(priorities, Parameters(responses), Dirichlet(concentration))


def asked_of(gaps):
    """The evidence of questions by how much each priority is for the first side."""
    gaps = np.array(gaps, dtype=float)
    return Evidence(np.maximum(gaps, 0), np.maximum(-gaps, 0))


def of_person(responses, priorities, length, seed=5):
    """A problem, and what somebody drawn from the prior answered to random questions."""
    rng = np.random.default_rng(seed)
    person = Respondent(rng.dirichlet(np.ones(priorities)), responses.draw(rng))
    questions = [Question.of_features(*rng.random((2, priorities))) for _ in range(length)]
    answers = [person.answer(question, rng) for question in questions]
    asked = Evidence(
        *(
            np.concatenate([getattr(q.evidence, part) for q in questions])
            for part in ("favour", "against")
        )
    )
    return problem_of(responses, priorities), asked, answers


def random_questions(rng, count, priorities):
    """The evidence of questions between random features."""
    return Evidence.from_features(rng.random((count, 2, priorities)))


def others(priorities):
    """Questions to predict the answers to."""
    return random_questions(np.random.default_rng(3), 4, priorities)


def transcript_of(asked, answers, without=None):
    """What was answered, perhaps without one of the answers."""
    transcript = Transcript(asked.favour.shape[1])
    for i, answer in enumerate(answers):
        if i != without:
            question = Evidence(asked.favour[i : i + 1], asked.against[i : i + 1])
            transcript.append(question, answer)
    return transcript


def questionnaire(name, length=8):
    """A problem, questions, and what somebody drawn from the prior answered."""
    responses, alpha, *_ = CASES[name]
    rng = np.random.default_rng(1)
    problem = problem_of(responses, len(alpha), alpha)
    truth = responses.draw(rng)
    weights = problem.prior.draw(rng, 1, len(alpha))[0]
    asked = random_questions(rng, length, len(alpha))
    answers = [
        responses.answers[rng.choice(len(chances), p=chances / chances.sum())]
        for chances in truth.predict(asked, weights)
    ]
    return problem, asked, answers


@cache
def oracle(name):
    """What the oracle says of a case."""
    problem, asked, answers = questionnaire(name)
    transcript = transcript_of(asked, answers)
    return Oracle(problem, transcript, others(problem.priorities), *CASES[name][2:])


def most_telling(problem, asked, answers):
    """The place of the answer without which the posterior mean would be another."""

    def mean(without=None):
        return grid_posterior(problem, transcript_of(asked, answers, without), 40, 20).mean()

    return int(np.argmax([abs(mean(i) - mean()).sum() for i in range(len(answers))]))


def so_far(transcript):
    """The transcript as it was after each answer."""
    for length in range(1, len(transcript) + 1):
        part = copy(transcript)
        part.cut(length)
        yield part


def learned_in_order(sampler, problem, transcript, rng):
    """What a sampler returns after each answer, one after the other."""
    draws = sampler.start(problem, rng)
    for part in so_far(transcript):
        draws = sampler.update(draws, part, problem, rng)
        yield draws
