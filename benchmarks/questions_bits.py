"""How many bits questions bring, how many there were to be had, and how many are needed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray
from questions_followed import DIMENSIONS, POOL, SEED, mean_and_error, table

from equipoise.acquisition import information
from equipoise.acquisition.information import Blocks
from equipoise.experiments.methods import METHODS
from equipoise.experiments.simulation import ANSWERS, Simulation
from equipoise.inference.draws import Draws, Problem
from equipoise.inference.parameters import Parameters
from equipoise.inference.smc import SMC
from equipoise.inference.transcripts import Transcript
from equipoise.inference.weights import Dirichlet
from equipoise.learner import Learner
from equipoise.model.evidence import Evidence

Array = NDArray[np.float64]

METHOD, TAU, NEAR = "utilize-4", 0.4, 0.05
QUESTIONS, MOMENTS = 25, (1, 5, 10, 15, 20, 25)
WAYS = ("bald", "continuous", "random")
POPULATIONS = {"the paper's people": 0.2, "people from the learner's prior": 1.0}
# The most that any question offers is looked for from some of the best of a pool, by long climbs.
STARTS, STEPS = 4, 400
PRIOR_DRAWS = 20_000
POINTS = 400_000


@dataclass(frozen=True)
class Job:
    """One person of a population, asked in one way."""

    way: str
    concentration: float
    k: int


@dataclass(frozen=True)
class Gained:
    """What every question to one person brought, in bits; shape (questions,), and the l1 error.

    Attributes
    ----------
    expected
        What the answer was expected to tell.
    realised
        By how much the posterior density of the truth rose.
    offered
        The most that any question in the feature box offered.
    needed
        How much the prior leaves open between everything and an l1 error of 0.05.
    """

    expected: Array
    realised: Array
    offered: Array
    l1: Array
    needed: float


def most_offered(draws: Draws, parameters: Parameters, rng: np.random.Generator) -> float:
    """Return the most bits that any question about features offers, by climbing for long."""
    sides = rng.random((POOL, 2, DIMENSIONS))
    bits = information(Evidence.from_features(sides), draws, parameters).bits
    blocks = Blocks(draws, parameters)
    found = [0.0]
    for place in np.argsort(-bits)[:STARTS]:
        difference = sides[place, 0] - sides[place, 1]
        blocks.climb(difference, STEPS, rng)
        gap = difference[None]
        best = blocks.expect(Evidence(np.maximum(gap, 0), np.maximum(-gap, 0)))
        found.append(float(best.bits[0]))
    return max(found)


def bits_needed(weights: Array, rng: np.random.Generator) -> float:
    r"""Return minus log2 of the prior mass of all weights within 0.05 of these, in l1.

    The ball of radius r around a point within the simplex is a root polytope, which has
    binom(2d, d) (r / 2)^d times the simplex's volume in d = m - 1 dimensions. Near an edge some of
    it lies outside: which share is found by points in it.
    """
    d = DIMENSIONS - 1
    steps = rng.uniform(-NEAR / 2, NEAR / 2, (POINTS, d))
    steps = np.column_stack([steps, -steps.sum(axis=1)])
    steps = steps[np.abs(steps).sum(axis=1) <= NEAR]
    inside = (weights + steps >= 0).all(axis=1).mean()
    return float(-np.log2(comb(2 * d, d) * (NEAR / 2) ** d * inside))


def ask(job: Job) -> Gained:
    """Ask one person, and count."""
    simulation = Simulation(METHOD, TAU, TAU, seed=SEED, concentration=job.concentration)
    person, answering = simulation.person(job.k), simulation.stream(ANSWERS, job.k)
    rng = np.random.default_rng([SEED, job.k])
    responses = METHODS[METHOD].assumed(simulation.truth)
    problem = Problem(DIMENSIONS, Parameters(responses), Dirichlet(1))
    sampler = Recording()
    learner = Learner(
        DIMENSIONS,
        responses,
        seed=SEED,
        session=f"person {job.k}",
        acquisition=job.way,
        pool=POOL,
        sampler=sampler,
    )
    expected, realised, offered, l1 = np.empty((4, QUESTIONS))
    for t in range(QUESTIONS):
        offered[t] = np.nan
        if job.way != "random":
            offered[t] = most_offered(sampler.latest, problem.parameters, rng)
        question = learner.ask()
        answer = person.answer(question, answering)
        predicted = learner.posterior.predict(question.evidence)[0]
        place = person.answers.index(answer)
        expected[t] = information(question.evidence, sampler.latest, problem.parameters).bits[0]
        realised[t] = np.log2(person.probabilities(question)[place] / predicted[place])
        learner.tell(question, answer)
        l1[t] = np.abs(learner.posterior.mean() - person.weights).sum()
    return Gained(expected, realised, offered, l1, bits_needed(person.weights, rng))


class Recording:
    """The default sampler, which keeps its latest draws at hand."""

    def __init__(self) -> None:
        self.latest: Draws

    def start(self, problem: Problem, rng: np.random.Generator) -> Draws:
        """Return draws from the prior."""
        self.latest = SMC().start(problem, rng)
        return self.latest

    def update(
        self, draws: Draws, transcript: Transcript, problem: Problem, rng: np.random.Generator
    ) -> Draws:
        """Take in the latest answer."""
        self.latest = SMC().update(draws, transcript, problem, rng)
        return self.latest


def first_question() -> float:
    """Return the most that a first question offers: before any answer, with many draws."""
    simulation = Simulation(METHOD, TAU, TAU)
    parameters = Parameters(METHODS[METHOD].assumed(simulation.truth))
    rng = np.random.default_rng(SEED)
    draws = SMC(PRIOR_DRAWS).start(Problem(DIMENSIONS, parameters, Dirichlet(1)), rng)
    return most_offered(draws, parameters, rng)


def cells(people: list[Gained], name: str, digits: int = 1) -> list[str]:
    """Return cumulative bits at some moments."""
    sums = np.cumsum([getattr(person, name) for person in people], axis=1)
    if np.isnan(sums).any():
        return ["–"] * len(MOMENTS)
    return [mean_and_error(sums[:, moment - 1], digits) for moment in MOMENTS]


WHAT = {
    "offered": "the most any question offered",
    "expected": "expected of the questions asked",
    "realised": "realised",
}


def section(workers: Executor, people: int) -> Iterator[tuple[str, str]]:
    """Yield what is needed in sentences, and the table of what is gained."""
    yield "bits-people", f"Every row is of {people} people, the same ones for every way."
    rows, sentences, first = [], [], first_question()
    for population, concentration in POPULATIONS.items():
        for way in WAYS:
            jobs = [Job(way, concentration, k) for k in range(people)]
            gained = list(workers.map(ask, jobs, chunksize=4))
            for name, what in WHAT.items():
                if way != "random" or name != "offered":
                    rows.append([population, f"`{way}`", what, *cells(gained, name)])
            errors = [np.array([person.l1[moment - 1] for person in gained]) for moment in MOMENTS]
            rows.append(
                [population, f"`{way}`", "l1 error", *(mean_and_error(e, 3) for e in errors)]
            )
            if way == "bald":
                sentences.append(_needs(population, gained, first))
    yield "bits-needed", " ".join(sentences)
    yield "bits", table(("people", "questions by", "bits", *map(str, MOMENTS)), rows)


def _needs(population: str, gained: list[Gained], first: float) -> str:
    """Return what a population needs, in a sentence."""
    needed = np.array([person.needed for person in gained])
    offers = np.cumsum([person.offered for person in gained], axis=1)
    enough = [np.flatnonzero(row >= need) for row, need in zip(offers, needed, strict=True)]
    along = [places[0] + 1 for places in enough if len(places)]
    near = [np.flatnonzero(person.l1 < NEAR) for person in gained]
    reached = [places[0] + 1 if len(places) else np.inf for places in near]
    return (
        f"For {population}, an l1 error below {NEAR} takes {mean_and_error(needed, 1)} bits. The "
        f"best first question offers {first:.2f}: at that rate {needed.mean() / first:.1f} "
        f"questions. With the most that any question offered along the way it would have been "
        f"{np.mean(along):.1f}; `bald` had reached it after {np.median(reached):g} in the median."
    )
