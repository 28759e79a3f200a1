"""How well a person was learned, after every question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equipoise.experiments.simulation import Course, Simulation
from equipoise.model.linear_rules import average_regrets, worst_case_regrets
from equipoise.model.states import Response

Array = NDArray[np.float64]

# What is measured of an estimate, in the order of reports: name -> what it is.
MEASURES = {
    "l1": "l1 error",
    "avg_regret": "average regret",
    "wc_regret": "worst-case regret",
    "cosine": "cosine similarity",
}


@dataclass(frozen=True, eq=False)
class Average:
    """A mean over people after every question, and its standard error.

    Attributes
    ----------
    mean
        Shape (queries,).
    se
        Shape (queries,); not a number for one person, of whom nothing is known to vary.
    """

    mean: Array
    se: Array

    @classmethod
    def over_people(cls, values: Array) -> Average:
        """Return the average of values of shape (people, queries).

        Examples
        --------
        >>> average = Average.over_people(np.array([[0.0, 1.0], [2.0, 1.0]]))
        >>> average.mean, average.se
        (array([1., 1.]), array([1., 0.]))
        """
        people, queries = values.shape
        if people == 1:
            return cls(values[0], np.full(queries, np.nan))
        return cls(values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(people))

    def as_json(self) -> dict[str, list[float | None]]:
        """Return it as plain data; what isn't a number is None."""
        return {"mean": _plain(self.mean), "se": _plain(self.se)}


@dataclass(frozen=True, eq=False)
class Measures:
    """How well everybody was learned.

    Of somebody who was asked less than the others, because a stopping rule was reached, the last
    estimate counts from there on.

    Attributes
    ----------
    l1
        The distance of the estimate from the true weights; shape (people, queries).
    avg_regret
        What the rule that follows from the estimate loses on average; the same shape.
    wc_regret
        What it loses at worst; the same shape.
    cosine
        How much the estimate points the way of the true weights; the same shape.
    answers
        What could be answered.
    counts
        How often each was; shape (people, answers).
    distinct
        The share of the sampler's states that differ from the one before; shape
        (people, queries), not a number from where somebody wasn't asked any more.
    """

    l1: Array
    avg_regret: Array
    wc_regret: Array
    cosine: Array
    answers: tuple[Response, ...]
    counts: NDArray[np.int64]
    distinct: Array

    @property
    def asked(self) -> NDArray[np.int64]:
        """How many questions each person was asked; shape (people,)."""
        return self.counts.sum(axis=1)

    @property
    def shares(self) -> Array:
        """The share of each answer among all answers; shape (answers,)."""
        return self.counts.sum(axis=0) / self.counts.sum()

    @property
    def shares_by_person(self) -> Array:
        """The share of each answer among those of one person; shape (people, answers)."""
        return self.counts / self.asked[:, None]

    def average(self, measure: str) -> Average:
        """Return the average over people of "l1", "avg_regret", "wc_regret" or "cosine"."""
        if measure not in MEASURES:
            raise ValueError(f"measure is {measure!r}, expected one of {', '.join(MEASURES)}")
        return Average.over_people(getattr(self, measure))

    def as_json(self) -> dict[str, Any]:
        """Return the averages, and what was answered, as plain data."""
        asked = np.isfinite(self.distinct).sum(axis=0)
        total = np.nansum(self.distinct, axis=0)
        distinct = np.divide(total, asked, out=np.full(len(asked), np.nan), where=asked > 0)
        return {
            **{name: self.average(name).as_json() for name in MEASURES},
            "responses": dict(zip(map(str, self.answers), self.shares.tolist(), strict=True)),
            "asked": self.asked.tolist(),
            "distinct": _plain(distinct),
        }


def measure(simulation: Simulation, courses: Sequence[Course]) -> Measures:
    r"""Return how well everybody was learned, after every question.

    .. math::
        \|\hat\omega_t - \omega^*\|_1, \quad
        \frac{\langle \hat\omega_t, \omega^* \rangle}
             {\|\hat\omega_t\|_2 \, \|\omega^*\|_2}

    and the two regrets, `average_regret` on the inputs of the experiment, which everybody shares,
    and `worst_case_regret`.

    Paper: sec:tech (Evaluation Metrics), app:regret-computation

    Parameters
    ----------
    simulation
        The experiment.
    courses
        How learning everybody went.

    Examples
    --------
    >>> from equipoise.experiments.running import run
    >>> simulation = Simulation("correct", 0.4, 0.4, people=2, queries=3)
    >>> measures = measure(simulation, run(simulation))
    >>> measures.l1.shape, measures.asked
    ((2, 3), array([3, 3]))
    """
    inputs = simulation.inputs()
    return gathered(simulation, courses, [marks(course, inputs) for course in courses])


def marks(course: Course, inputs: Array) -> Array:
    """Return how well one person was learned after every question; shape (measures, asked).

    The rows are those of `MEASURES`.
    """
    true, learned = course.person.weights, course.estimates
    lengths = np.linalg.norm(learned, axis=1) * np.linalg.norm(true)
    return np.stack(
        [
            np.abs(learned - true).sum(axis=1),
            average_regrets(true, learned, inputs),
            worst_case_regrets(true, learned),
            learned @ true / lengths,
        ]
    )


def gathered(
    simulation: Simulation, courses: Sequence[Course], everybodys: Sequence[Array]
) -> Measures:
    """Return the measures of an experiment from the `marks` of everybody."""
    answers, queries = courses[0].person.answers, simulation.queries
    distinct = np.full((len(courses), queries), np.nan)
    measured = np.empty((len(MEASURES), len(courses), queries))
    for i, (course, own) in enumerate(zip(courses, everybodys, strict=True)):
        distinct[i, : len(course.distinct)] = course.distinct
        measured[:, i, : own.shape[1]] = own
        measured[:, i, own.shape[1] :] = own[:, -1:]  # the last estimate stands
    counts = [[course.responses.count(answer) for answer in answers] for course in courses]
    l1, avg_regret, wc_regret, cosine = measured
    return Measures(
        l1, avg_regret, wc_regret, cosine, answers, np.array(counts, np.int64), distinct
    )


def _plain(values: Array) -> list[float | None]:
    """Return numbers as JSON has them, which knows nothing that isn't one."""
    return [float(value) if np.isfinite(value) else None for value in values]
