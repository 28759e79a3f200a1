"""One person asked and learned, for the study of questions."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from equipoise.acquisition import Acquisition
from equipoise.inference.draws import ContradictionError
from equipoise.learner import Learner
from equipoise.model.linear_rules import average_regrets
from equipoise.model.questions import Question
from equipoise.model.responses import ResponseModel
from equipoise.model.states import Response

Array = NDArray[np.float64]

SEED, DIMENSIONS, NOMINAL = 1, 5, 0.9
POOL = 1000
# What is less likely than that counts as if it were.
POSSIBLE = 1e-12
# app:regret-computation. Not those that `RegretReduction` decides about.
JUDGED = np.random.default_rng([SEED, 3]).random((300, 5, DIMENSIONS))


class Answering(Protocol):
    """Somebody who answers."""

    def answer(self, question: Question, rng: np.random.Generator) -> Response:
        """Draw an answer."""
        ...


@dataclass(frozen=True)
class Followed:
    """How learning one person went, up to where the model held nothing possible any more.

    Attributes
    ----------
    l1, regret
        After every question; shape (asked,).
    covered, warned
        Which share of the weights lay within their 90% intervals, and whether there was a warning,
        after those questions that were to be looked at; the others are NaN; shape (asked,).
    surprise
        After every question, by how many standard deviations the answers so far were less likely
        than they were expected to be; shape (asked,).
    seconds
        What `ask` and `tell` took of the processor, a question.
    contradicted
        Whether an answer contradicted the others.
    """

    l1: Array
    regret: Array
    covered: Array
    warned: Array
    surprise: Array
    seconds: float
    contradicted: bool


def follow(
    person: Answering,
    weights: Array,
    responses: ResponseModel,
    acquisition: str | Acquisition,
    *,
    k: int,
    questions: int,
    moments: tuple[int, ...],
    rng: np.random.Generator,
    kept: tuple[Response, ...] = tuple(Response),
    repeats: float = 0.0,
) -> Followed:
    """Ask the k-th person, whose true weights are these, and learn by a response model."""
    learner = Learner(
        DIMENSIONS,
        responses,
        seed=SEED,
        session=f"person {k}",
        acquisition=acquisition,
        pool=POOL,
        repeats=repeats,
    )
    estimates = np.empty((questions, DIMENSIONS))
    covered, warned = np.full(questions, np.nan), np.full(questions, np.nan)
    surprises, seconds, asked = np.zeros((questions, 2)), 0.0, 0
    for t in range(questions):
        began = time.thread_time()
        question = learner.ask()
        seconds += time.thread_time() - began
        answer = person.answer(question, rng)
        if answer in kept:
            predicted = learner.posterior.predict(question.evidence)[0]
            surprises[t] = surprise(predicted, responses.answers.index(answer))
        began = time.thread_time()
        try:
            if answer in kept:
                learner.tell(question, answer)
            else:
                learner.skip()
        except ContradictionError:
            break
        seconds += time.thread_time() - began
        posterior = learner.posterior
        estimates[t], asked = posterior.mean(), t + 1
        if t + 1 in moments:
            ends = posterior.interval(NOMINAL)
            covered[t] = ((ends[:, 0] <= weights) & (weights <= ends[:, 1])).mean()
            warned[t] = len(posterior.warnings) > 0
    learned = estimates[:asked]
    beyond, variance = np.cumsum(surprises[:asked], axis=0).T
    return Followed(
        np.abs(learned - weights).sum(axis=1),
        average_regrets(weights, learned / learned.sum(axis=1, keepdims=True), JUDGED),
        covered[:asked],
        warned[:asked],
        beyond / np.sqrt(np.maximum(variance, POSSIBLE)),
        seconds / max(asked, 1),
        asked < questions,
    )


def surprise(predicted: Array, place: int) -> tuple[float, float]:
    """Return how much less likely an answer was than expected, in bits, and the variance of that.

    The first is zero on average where answers come with the probabilities predicted.
    """
    bits = -np.log2(np.maximum(predicted, POSSIBLE))
    expected = predicted @ bits
    return float(bits[place] - expected), float(predicted @ bits**2 - expected**2)


def mean_and_error(values: Array, digits: int, unit: float = 1.0) -> str:
    """Return a mean over people with its standard error; a dash for nobody."""
    if not len(values):
        return "–"
    if len(values) == 1:
        return f"{unit * values[0]:.{digits}f}"
    error = values.std(ddof=1) / np.sqrt(len(values))
    return f"{unit * values.mean():.{digits}f} ± {unit * error:.{digits}f}"


def table(columns: tuple[str, ...], rows: list[list[str]]) -> str:
    """Return a table as Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
