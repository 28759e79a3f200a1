"""The smallest work there is: learning one person of one experiment."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equipoise.experiments.measures import marks
from equipoise.experiments.simulation import Course, Simulation, learn_person

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Job:
    """Learning the k-th person of an experiment: what comes of it depends on nothing else.

    Attributes
    ----------
    simulation
        The experiment.
    k
        Who, counted from zero.

    Examples
    --------
    >>> few, many = (Simulation("correct", 0.4, 0.4, people=n) for n in (2, 40))
    >>> Job(few, 1).key == Job(many, 1).key, Job(few, 1).key == Job(few, 0).key
    (True, False)
    """

    simulation: Simulation
    k: int

    @cached_property
    def key(self) -> str:
        """What tells it from all others: a hash of the declaration and the person.

        How many people there are is left out, since nobody depends on the others.
        """
        return hashlib.sha256(f"{_identity(self.simulation)} {self.k}".encode()).hexdigest()


@dataclass(frozen=True, eq=False)
class Run:
    """A job that is done.

    Attributes
    ----------
    job
        Which.
    course
        How learning the person went.
    marks
        How well they were learned after every question; shape (measures, asked).
    seconds
        How long it took.
    """

    job: Job
    course: Course
    marks: Array
    seconds: float = 0.0

    @classmethod
    def of(cls, job: Job, course: Course, seconds: float = 0.0) -> Run:
        """Return the run whose course is known."""
        return cls(job, course, marks(course, job.simulation.inputs()), seconds)


@dataclass(frozen=True)
class Failure:
    """A job that ended in an error, and what it said."""

    job: Job
    error: str


Batch = tuple[Job, ...]


def jobs_of(simulations: Iterable[Simulation]) -> list[Job]:
    """Return all jobs of some experiments, person by person."""
    return [Job(simulation, k) for simulation in simulations for k in range(simulation.people)]


def learn_batch(batch: Batch) -> list[Run | Failure]:
    """Do some jobs, one after the other; one that fails doesn't keep the others from it."""
    return [_done(job) for job in batch]


def _done(job: Job) -> Run | Failure:
    start = time.perf_counter()
    try:
        course = learn_person(job.simulation, job.k)
        return Run.of(job, course, time.perf_counter() - start)
    except Exception as error:
        return Failure(job, f"{type(error).__name__}: {error}")


def batches(jobs: Sequence[Job], seconds: Sequence[float], longest: float) -> list[Batch]:
    """Return jobs put together so that each batch takes about so long, in a mixed order.

    Mixed, so that how fast the first are done tells when the last will be.

    Parameters
    ----------
    jobs, seconds
        The jobs, and how long each is thought to take.
    longest
        How long a batch may take; a job that takes longer is one by itself.

    Examples
    --------
    >>> jobs = jobs_of([Simulation("correct", 0.4, 0.4, people=5)])
    >>> sorted(len(batch) for batch in batches(jobs, [0.4] * 5, longest=1.0))
    [1, 2, 2]
    """
    return sorted(_cut(jobs, seconds, longest), key=lambda batch: batch[0].key)


def _cut(jobs: Sequence[Job], seconds: Sequence[float], longest: float) -> Iterator[Batch]:
    batch: list[Job] = []
    total = 0.0
    for job, cost in zip(jobs, seconds, strict=True):
        if batch and total + cost > longest:
            yield tuple(batch)
            batch, total = [], 0.0
        batch.append(job)
        total += cost
    if batch:
        yield tuple(batch)


@lru_cache
def _identity(simulation: Simulation) -> str:
    declared = checked_declaration(simulation)
    del declared["people"]
    return json.dumps(declared, sort_keys=True, separators=(",", ":"))


def checked_declaration(simulation: Simulation) -> dict[str, Any]:
    """Return an experiment as plain data, refusing one that can't be read back from them."""
    declared = simulation.declaration()
    try:
        same = Simulation.from_declaration(json.loads(json.dumps(declared))) == simulation
    except (ValueError, TypeError, KeyError):
        same = False
    if not same:
        raise ValueError(
            f"{declared} has a sampler, an acquisition or a stopping rule of one's own, which has "
            "no declaration: run it with `run`, which stores nothing"
        )
    return declared
