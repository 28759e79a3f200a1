"""How fast people are learned by each way of choosing questions."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from questions_followed import DIMENSIONS, SEED, Followed, follow, mean_and_error, table

from equipoise.acquisition import ACQUISITIONS
from equipoise.experiments.methods import METHODS
from equipoise.experiments.simulation import ANSWERS, Simulation
from equipoise.model.respondents import Respondent
from equipoise.model.responses import PeopleAnswers

Array = NDArray[np.float64]

TAU, NEAR = 0.4, 0.05
MOMENTS = (10, 25, 50, 100)
# With how many questions each learner is followed.
LEARNERS = {"utilize-4": 100, "utilize-4-thresholds": 100, "PeopleAnswers": 50}
RESAMPLES = 2000


@dataclass(frozen=True)
class Job:
    """One person, learned by one learner, asked in one way."""

    learner: str
    way: str
    k: int


def learn(job: Job) -> Followed:
    """Ask one person, and learn."""
    how = METHODS.get(job.learner)
    simulation = Simulation("utilize-4", TAU, TAU, seed=SEED)
    rng = simulation.stream(ANSWERS, job.k)
    if how is None:  # all from the learner's prior
        own = np.random.default_rng([SEED, job.k])
        responses = PeopleAnswers()
        person = Respondent(own.dirichlet(np.ones(DIMENSIONS)), responses.draw(own))
    else:
        responses, person = how.assumed(simulation.truth), simulation.person(job.k)
    return follow(
        person,
        person.weights,
        responses,
        job.way,
        k=job.k,
        questions=LEARNERS[job.learner],
        moments=MOMENTS,
        rng=rng,
    )


def first_near(people: list[Followed]) -> Array:
    """Return after how many questions each estimate was near first; infinite if it never was."""
    near = [np.flatnonzero(person.l1 < NEAR) for person in people]
    return np.array([places[0] + 1 if len(places) else np.inf for places in near])


def median_and_error(asked: Array, most: int) -> str:
    """Return a median with its standard error by resampling people."""
    median = np.median(asked)
    if not np.isfinite(median):
        return f"over {most}"
    places = np.random.default_rng(SEED).integers(len(asked), size=(RESAMPLES, len(asked)))
    medians = np.median(np.minimum(asked, most + 1)[places], axis=1)
    return f"{median:g} ± {medians.std(ddof=1):.1f}"


def reached(people: list[Followed], moment: int, name: str) -> Array:
    """Return a measure of everybody after so many questions."""
    return np.array([getattr(person, name)[moment - 1] for person in people])


def against_bald(people: list[Followed], bald: list[Followed], moment: int) -> str:
    """Return the l1 error as a multiple of what `bald` leaves: geometric mean, and two errors."""
    logs = np.log(reached(people, moment, "l1") / reached(bald, moment, "l1"))
    middle, error = logs.mean(), 2 * logs.std(ddof=1) / np.sqrt(len(logs))
    low, high = np.exp(middle - error), np.exp(middle + error)
    return f"{np.exp(middle):.2f} ({low:.2f} to {high:.2f})"


def beside_bald(people: list[Followed], bald: list[Followed], moment: int) -> str:
    """Return by how much the average regret differs from what `bald` leaves, in percent."""
    by = reached(people, moment, "regret") - reached(bald, moment, "regret")
    found = mean_and_error(by, 3, 100)
    return found if by.mean() < 0 else f"+{found}"


COLUMNS = (
    "learner",
    "questions by",
    "median questions to l1 < 0.05",
    "l1 after 10",
    "after 25",
    "after 50",
    "after 100",
    "average regret after 10, %",
    "after 25",
    "in 90% intervals after 25, %",
    "CPU, ms a question",
)
AGAINST = (
    *("learner", "questions by", "l1 after 10", "after 25", "after 50"),
    *("average regret after 10, %", "after 25"),
)


def row(learner: str, way: str, people: list[Followed]) -> list[str]:
    """Return what one way came to, with standard errors over people."""
    most = LEARNERS[learner]
    errors = [
        mean_and_error(reached(people, moment, "l1"), 3 if moment < 25 else 4)
        if moment <= most
        else "–"
        for moment in MOMENTS
    ]
    regrets = [mean_and_error(reached(people, m, "regret"), 3, 100) for m in MOMENTS[:2]]
    return [
        f"`{learner}`",
        f"`{way}`",
        median_and_error(first_near(people), most),
        *errors,
        *regrets,
        mean_and_error(reached(people, 25, "covered"), 0, 100),
        # The median over people: the first ones also wait for what is loaded.
        f"{1000 * np.median([person.seconds for person in people]):.1f}",
    ]


def section(workers: Executor, people: int) -> Iterator[tuple[str, str]]:
    """Yield both tables, each with its name."""
    yield "ways-people", f"Every row is of {people} people, the same ones for every way."
    rows, against = [], []
    for learner in LEARNERS:
        followed = {}
        for way in ACQUISITIONS:
            jobs = [Job(learner, way, k) for k in range(people)]
            followed[way] = list(workers.map(learn, jobs, chunksize=5))
            rows.append(row(learner, way, followed[way]))
        for way in list(ACQUISITIONS)[1:]:
            ratios = [against_bald(followed[way], followed["bald"], m) for m in MOMENTS[:3]]
            more = [beside_bald(followed[way], followed["bald"], m) for m in MOMENTS[:2]]
            against.append([*rows[-1][:1], f"`{way}`", *ratios, *more])
    yield "ways", table(COLUMNS, rows)
    yield "ways-against-bald", table(AGAINST, against)
