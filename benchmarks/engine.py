"""How fast and how well the engine learns: sequential Monte Carlo, questions from a large pool."""

from __future__ import annotations

import os
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from figures import Figure
from numpy.typing import NDArray

import equipoise as eq
from equipoise.experiments.measures import measure
from equipoise.experiments.running import processes, run
from equipoise.experiments.simulation import ANSWERS, Simulation
from equipoise.inference.draws import Problem
from equipoise.inference.parameters import Parameters
from equipoise.inference.smc import SMC
from equipoise.inference.transcripts import Transcript

Array = NDArray[np.float64]

POOL, QUESTIONS, SEEDS = 1000, 100, 5
PEOPLE_TIMED = 10
# In milliseconds a question, ask and tell together.
UNKNOWN = {
    "weights": (eq.FourAnswers(tau_r=0.4, tau_kappa=0.4), 1.5),
    "weights and thresholds": (
        eq.FourAnswers(tau_r=eq.Uniform(0, 1), tau_kappa=eq.Uniform(0, 1)),
        5.0,
    ),
    "weights and a mixture": (
        eq.FourAnswers(tau_r=0.4, tau_kappa=0.4, noise=eq.GaussianMixture.unknown(3)),
        15.0,
    ),
    "the people model, whole": (eq.PeopleAnswers(), 8.0),
}
# The accuracy asked for: median questions until l1 is below CLOSE, mean l1 after 25, after 100.
CLOSE = 0.05
TARGETS = {"utilize-4": (15, 0.010, 0.0003), "utilize-4-thresholds": (22, 0.035, None)}
# Learning thresholds too may leave at most so many times the error at the end.
TIMES_KNOWN = 2.0
MANY, ANSWERED, EVERY = 50, 500, 25


def speed() -> Iterator[Figure]:
    """Time a question, asked and answered, in this process: the mean over people and questions."""
    for what, (responses, limit) in UNKNOWN.items():
        answer_questions(responses, 0, QUESTIONS)  # compiles, or loads what is compiled
        began = time.perf_counter()
        for k in range(PEOPLE_TIMED):
            answer_questions(responses, k, QUESTIONS)
        spent = 1e3 * (time.perf_counter() - began) / (PEOPLE_TIMED * QUESTIONS)
        name = f"a question, {POOL:,} particles and candidates, 5 priorities, unknown: {what}"
        yield Figure(name, limit, spent, "ms")


def answer_questions(
    responses: eq.ResponseModel, k: int, questions: int, priorities: int = 5
) -> eq.Learner:
    """Return a learner that the k-th person of the paper's experiments has answered."""
    simulation = Simulation("utilize-4", 0.4, 0.4, dimensions=priorities)
    person, answering = simulation.person(k), simulation.stream(ANSWERS, k)
    learner = eq.Learner(priorities, responses, seed=1, session=f"person {k}", pool=POOL)
    for _ in range(questions):
        question = learner.ask()
        learner.tell(question, person.answer(question, answering))
    return learner


def many_priorities() -> Iterator[Figure]:
    """Time questions about fifty priorities, and compare means with those of many more moves."""
    responses = eq.FourAnswers(tau_r=0.15, tau_kappa=0.2)
    person = eq.Respondent(np.random.default_rng(1).dirichlet(np.full(MANY, 0.5)), responses)
    learner, rng = eq.Learner(MANY, responses, seed=1, pool=POOL), np.random.default_rng(2)
    learner.tell(learner.ask(), "first")  # compiles
    began = time.perf_counter()
    for _ in range(ANSWERED):
        question = learner.ask()
        learner.tell(question, person.answer(question, rng))
    spent = 1e3 * (time.perf_counter() - began) / ANSWERED
    yield Figure(f"a question, {MANY} priorities, up to {ANSWERED} answers", 300, spent, "ms")
    usual, patient = (means(learner, SMC(patience=patience)) for patience in (1, 10))
    apart = np.abs(usual - patient).sum(axis=1).max()
    what = f"{MANY} priorities: l1 between posterior means and those after ten times the moves"
    yield Figure(what, 0.1, float(apart), "")


def means(learner: eq.Learner, sampler: SMC) -> Array:
    """Return posterior means after some of a learner's answers, found anew by a sampler."""
    responses = eq.FourAnswers(tau_r=0.15, tau_kappa=0.2)
    problem = Problem(MANY, Parameters(responses), eq.Dirichlet(1))
    transcript, rng = Transcript(MANY), np.random.default_rng(3)
    draws, found = sampler.start(problem, rng), []
    for number, (question, answer) in enumerate(learner.answers, start=1):
        transcript.append(question.evidence, answer)
        draws = sampler.update(draws, transcript, problem, rng)
        if number % EVERY == 0:
            found.append(draws.mass @ draws.weights)
    return np.array(found)


def memory() -> Iterator[Figure]:
    """Measure what a learner with a hundred answers takes at most, besides what is loaded once."""
    responses = eq.FourAnswers(tau_r=0.4, tau_kappa=0.4)
    answer_questions(responses, 0, 3)  # loads and compiles
    tracemalloc.start()
    answer_questions(responses, 1, QUESTIONS)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    yield Figure(f"memory of a learner with {QUESTIONS} answers", 20, most / 2**20, "MiB")


@dataclass(frozen=True)
class Errors:
    """The l1 errors of everybody, after every question."""

    l1: Array

    @property
    def median_questions(self) -> float:
        """The median over people of how many questions it takes to come close."""
        close = self.l1 < CLOSE
        first = np.where(close.any(axis=1), close.argmax(axis=1) + 1, np.inf)
        return float(np.median(first))


def accuracy() -> Iterator[Figure]:
    """Measure how soon, and how well, 200 people are learned."""
    at_the_end = {}
    for method, (median, after_25, after_100) in TARGETS.items():
        found = errors(method)
        what = f"{method} at (0.4, 0.4), {len(found.l1)} people"
        yield Figure(
            f"{what}: median questions to l1 < {CLOSE}", median, found.median_questions, ""
        )
        yield Figure(f"{what}: mean l1 after 25", after_25, float(found.l1[:, 24].mean()), "")
        at_the_end[method] = float(found.l1[:, -1].mean())
        limit = after_100 or TIMES_KNOWN * at_the_end["utilize-4"]
        yield Figure(f"{what}: mean l1 after 100", limit, at_the_end[method], "")


def errors(method: str) -> Errors:
    """Return the errors of one method, over all seeds."""
    found = []
    with processes(os.cpu_count() or 1) as executor:
        for seed in range(1, SEEDS + 1):
            simulation = Simulation(method, 0.4, 0.4, queries=QUESTIONS, pool=POOL, seed=seed)
            found.append(measure(simulation, run(simulation, executor=executor)).l1)
    return Errors(np.concatenate(found))
