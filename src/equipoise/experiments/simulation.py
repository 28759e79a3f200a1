"""Simulated people and the learner: one learning experiment."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from equipoise.experiments.methods import METHODS, Method, Truth
from equipoise.inference.draws import Sampler
from equipoise.learner import Learner
from equipoise.model.respondents import Respondent
from equipoise.model.responses import TWO, FourAnswers
from equipoise.model.states import Response

Array = NDArray[np.float64]
Behaviour = Literal["correct", "fifty-fifty", "lexicographic", "self-similar"]

# A learner has converged when its estimate moved less than this, so many times in a row.
STILL, STILL_FOR = 0.01, 5
# What random numbers of an experiment are for; each has a stream of its own.
PERSON, ANSWERS, INPUTS = range(3)
# app:regret-computation
INPUTS_JUDGED, OUTPUTS_EACH = 300, 5


@dataclass(frozen=True)
class Simulation:
    """One learning experiment.

    Paper: sec:speed, sec:accuracy, tab:bald-hyperparams

    Attributes
    ----------
    method
        One of `METHODS`.
    tau_r, tau_kappa, beta
        The true response parameters.
    people, queries
        How many people, and how many questions each is asked at most.
    seed
        Of people, their answers and the questions: the same for every method.
    sampler
        As for a `Learner`.
    pool
        How many random questions to choose from.
    respondent
        "correct" answers by the method's true response model. The others are people with these
        thresholds who have to choose a side.
    until_converged
        Whether to stop asking somebody once the estimate stands still.
    dimensions
        How many features there are.
    concentration
        Of the Dirichlet distribution that true weights come from.
    """

    method: str
    tau_r: float
    tau_kappa: float
    people: int = 40
    queries: int = 100
    seed: int = 1
    sampler: str | Sampler = "paper"
    pool: int = 50
    respondent: Behaviour = "correct"
    until_converged: bool = False
    dimensions: int = 5
    concentration: float = 0.2
    beta: float = 10.0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"method is {self.method!r}, expected one of {', '.join(METHODS)}")
        if self.respondent not in get_args(Behaviour):
            kinds = ", ".join(get_args(Behaviour))
            raise ValueError(f"respondent is {self.respondent!r}, expected one of {kinds}")
        for name in ("people", "queries", "pool", "dimensions"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected at least 1")
        if not 0 < self.concentration < np.inf:
            raise ValueError(f"concentration is {self.concentration}, expected a number above 0")
        if self.respondent != "correct" and self.how.true(self.truth).answers != TWO:
            forced = [m.name for m in METHODS.values() if m.true(self.truth).answers == TWO]
            raise ValueError(
                f"respondent is {self.respondent!r}, somebody who has to choose a side, but "
                f"{self.method} lets people be undecided: expected one of {', '.join(forced)}"
            )
        self.person(0)  # refuses thresholds that can't be

    @property
    def how(self) -> Method:
        """The method."""
        return METHODS[self.method]

    @property
    def truth(self) -> Truth:
        """The true response parameters."""
        return Truth(self.tau_r, self.tau_kappa, self.beta)

    def stream(self, purpose: int, k: int = 0) -> np.random.Generator:
        """Return the generator for one purpose, of the k-th person."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(purpose, k)))

    def person(self, k: int) -> Respondent:
        """Return the k-th person, the same for every method."""
        rng = self.stream(PERSON, k)
        weights = rng.dirichlet(np.full(self.dimensions, self.concentration))
        profile = rng.random(self.dimensions)
        if self.respondent == "correct":
            return Respondent(weights, self.how.true(self.truth), profile=profile)
        torn = FourAnswers(tau_r=self.tau_r, tau_kappa=self.tau_kappa, beta=self.beta)
        return Respondent(weights, torn, self.respondent, profile)

    def inputs(self) -> Array:
        """Return the inputs on which regret is judged: features (300, 5, dimensions)."""
        shape = (INPUTS_JUDGED, OUTPUTS_EACH, self.dimensions)
        return self.stream(INPUTS).random(shape)


@dataclass(frozen=True, eq=False)
class Course:
    """How learning one person went.

    Attributes
    ----------
    person
        Who it was.
    estimates
        The posterior mean after every question; shape (asked, m).
    responses
        The answers, in order.
    distinct
        After every question, which share of the sampler's states differ from the one before.
    """

    person: Respondent
    estimates: Array
    responses: tuple[Response, ...]
    distinct: Array


def learn_person(simulation: Simulation, k: int) -> Course:
    """Return how learning the k-th person goes. Paper: alg:bald-template."""
    person, answering = simulation.person(k), simulation.stream(ANSWERS, k)
    learner = Learner(
        simulation.dimensions,
        simulation.how.assumed(simulation.truth),
        seed=simulation.seed,
        session=f"person {k}",
        sampler=simulation.sampler,
        acquisition=simulation.how.acquisition,
        pool=simulation.pool,
    )
    estimates = np.empty((simulation.queries, simulation.dimensions))
    distinct = np.empty(simulation.queries)
    responses: list[Response] = []
    before, still = learner.posterior.mean(), 0
    for t in range(simulation.queries):
        question = learner.ask()
        answer = person.answer(question, answering)
        responses.append(answer)
        if answer in simulation.how.kept:
            learner.tell(question, answer)
        else:
            learner.skip()
        posterior = learner.posterior
        estimates[t], distinct[t] = posterior.mean(), posterior.distinct
        still = still + 1 if np.linalg.norm(estimates[t] - before) < STILL else 0
        before = estimates[t]
        if simulation.until_converged and still == STILL_FOR:
            break
    asked = len(responses)
    return Course(person, estimates[:asked], tuple(responses), distinct[:asked])


def run(
    simulation: Simulation,
    progress: Callable[[int], None] = lambda done: None,
    executor: Executor | None = None,
) -> list[Course]:
    """Return how learning everybody goes; the result doesn't depend on who does the work.

    Parameters
    ----------
    simulation
        The experiment.
    progress
        Called with the number of people done, whenever it grows.
    executor
        Does the work; threads, as many as there are cores, if None. A pool of processes that is
        there already is faster: Python lets only one thread at a time do what isn't compiled.
    """
    with nullcontext(executor) if executor else ThreadPoolExecutor(os.cpu_count()) as workers:
        jobs = [workers.submit(learn_person, simulation, k) for k in range(simulation.people)]
        try:
            for done, job in enumerate(as_completed(jobs), start=1):
                job.result()  # raises at once what went wrong
                progress(done)
        except BaseException:
            for job in jobs:
                job.cancel()
            raise
        return [job.result() for job in jobs]
