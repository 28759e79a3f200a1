"""The paper's sampler: the compiled chain, its readable twin, and where it starts."""

import numpy as np
import pytest

from equipoise.inference.draws import Problem
from equipoise.inference.feasible import feasible_point
from equipoise.inference.hit_and_run import Chain
from equipoise.inference.kernels.answers import TAU_R
from equipoise.inference.kernels.hit_and_run import run_chain
from equipoise.inference.kernels.randomness import fill, stream_from
from equipoise.inference.parameters import Parameters
from equipoise.inference.transcripts import Transcript
from equipoise.inference.weights import Dirichlet
from equipoise.model.evidence import Evidence
from equipoise.model.noise import GaussianMixture
from equipoise.model.priors import Beta, Discrete, LogNormal, Uniform
from equipoise.model.questions import Question
from equipoise.model.respondents import Respondent
from equipoise.model.responses import (
    FourAnswers,
    LogisticGate,
    PeopleAnswers,
    ResponseModel,
    ThreeAnswers,
    TwoAnswers,
)
from equipoise.model.states import Response

GRID = [k / 20 for k in range(20)]

MODELS = {
    "four answers": FourAnswers(tau_r=0.3, tau_kappa=0.3),
    "three answers, a width and a lapse": ThreeAnswers(tau_kappa=0.2, width=0.1, lapse=0.05),
    "two answers, normal noise": TwoAnswers(noise="normal", beta=4),
    "unknown thresholds": FourAnswers(
        tau_r=Uniform(0, 1), tau_kappa=Discrete(GRID, np.full(20, 1 / 20))
    ),
    "unknown mixture": FourAnswers(tau_r=0.3, tau_kappa=0.3, noise=GaussianMixture.unknown(3)),
    "known mixture": TwoAnswers(noise=GaussianMixture([0.3, 0.7], [0.1, -0.1], [0.2, 0.05])),
    "a soft gate": FourAnswers(tau_r=Beta(2, 2), gate=LogisticGate(LogNormal(28, 0.7))),
    "people": PeopleAnswers(),
}


class Numbers:
    """The numbers that a stream yields, for what is not compiled: by the names that NumPy has."""

    def __init__(self, stream):
        self.stream = stream

    def _next(self, kind: int, size: int | None):
        values = np.empty(1 if size is None else size)
        fill(self.stream, kind, values)
        return values[0] if size is None else values

    def random(self, size: int | None = None):
        """Return uniform numbers between zero and one."""
        return self._next(0, size)

    def standard_normal(self, size: int | None = None):
        """Return standard normal numbers."""
        return self._next(1, size)

    def standard_exponential(self, size: int | None = None):
        """Return standard exponential numbers."""
        return self._next(2, size)


def transcript_of(
    responses: ResponseModel, rng: np.random.Generator, priorities: int = 4, length: int = 12
) -> tuple[Transcript, list[Response], list[Evidence]]:
    """Return what somebody drawn from the prior answered to random questions."""
    person = Respondent(rng.dirichlet(np.ones(priorities)), responses.draw(rng))
    transcript, answers, asked = Transcript(priorities), [], []
    for _ in range(length):
        question = Question.of_features(*rng.random((2, priorities)))
        answers.append(person.answer(question, rng))
        asked.append(question.evidence)
        transcript.append(question.evidence, answers[-1])
    return transcript, answers, asked


def together(asked: list[Evidence]) -> Evidence:
    """Return the evidence of several questions as one."""
    return Evidence(
        np.concatenate([e.favour for e in asked]), np.concatenate([e.against for e in asked])
    )


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("concentration", [1.0, 0.5])
def test_the_compiled_chain_goes_through_the_states_of_its_readable_twin(name, concentration):
    """With the same numbers, every state of both chains is the same but for rounding."""
    rng = np.random.default_rng(5)
    parameters = Parameters(MODELS[name])
    problem = Problem(4, parameters, Dirichlet(concentration))
    transcript, answers, asked = transcript_of(MODELS[name], rng)
    row = parameters.draw(rng, 1)
    weights, row[0, TAU_R] = feasible_point(problem, transcript, row[0, TAU_R])
    kept_weights, kept_rows = np.empty((40, 4)), np.empty((40, row.shape[1]))
    stream = stream_from(np.random.default_rng(1))
    numbers = Numbers(stream.copy())
    moves = run_chain(
        stream,
        transcript.answered(parameters),
        problem.beliefs,
        weights[None],
        row,
        0,
        kept_weights,
        kept_rows,
    )
    assert moves > 1
    chain = Chain(together(asked), answers, problem, weights, row[0])
    for k in range(40):
        chain.sweep(numbers)
        np.testing.assert_allclose(kept_weights[k], chain.weights, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(kept_rows[k], chain.row, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(numbers.stream, stream)
