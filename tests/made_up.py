"""Outcomes of the paper's experiments made up in no time: nobody is asked anything."""

from dataclasses import dataclass

import numpy as np

import equipoise as eq
from equipoise.experiments.claims import Outcome
from equipoise.experiments.measures import measure
from equipoise.experiments.methods import METHODS
from equipoise.experiments.simulation import Course, Simulation

RESPONDENTS = ("correct", "fifty-fifty", "lexicographic", "self-similar")
# How far off an estimate ends up, after so many questions.
SPEED = {"utilize-4": 0.1, "ignore": 0.8}


@dataclass(frozen=True)
class Study:
    """A name and simulations."""

    name: str
    simulations: list


def speed(people=4, queries=30, levels=(0.4, 0.8), sampler="paper", pool=50, methods=METHODS):
    """The study of speed, on a coarser grid."""
    shared = {"people": people, "queries": queries, "sampler": sampler, "pool": pool}
    return Study(
        "speed",
        [Simulation(method, r, k, **shared) for method in methods for r in levels for k in levels],
    )


def accuracy(people=4, sampler="paper", queries=20):
    """The study of accuracy."""
    shared = {"people": people, "queries": queries, "sampler": sampler}
    return Study(
        "accuracy",
        [
            Simulation("correct", 0.25, 0.25, respondent=kind, stop=eq.StandsStill(), **shared)
            for kind in RESPONDENTS
        ],
    )


def outcome(simulation):
    """Estimates that come nearer to the truth, and answers by chance."""
    return Outcome(
        courses := [_course(simulation, k) for k in range(simulation.people)],
        measure(simulation, courses),
    )


def _course(simulation, k):
    rng = np.random.default_rng([k, simulation.queries])
    person, queries = simulation.person(k), simulation.queries
    left = SPEED.get(simulation.method, 0.4)
    share = left ** np.linspace(0, 1, queries)[:, None]
    estimates = (1 - share) * person.weights + share * rng.dirichlet(np.ones(5), queries)
    answers = tuple(person.answers[i] for i in rng.integers(len(person.answers), size=queries))
    return Course(person, estimates, answers, np.ones(queries))
