"""Outcomes of the paper's experiments, found by what the paper calls them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from equipoise.experiments.claims import Outcome
from equipoise.experiments.simulation import Simulation

# What gives an outcome; None or a LookupError if it isn't there.
Lookup = Callable[[Simulation], Outcome | None]

# What the paper's experiments have. With less, a report calls itself quick.
PEOPLE, QUESTIONS, LEVEL_COUNT = 40, 100, 5


class Study(Protocol):
    """Experiments that belong together."""

    @property
    def name(self) -> str:
        """How the study is called."""
        ...

    @property
    def simulations(self) -> Sequence[Simulation]:
        """The experiments."""
        ...


@dataclass(frozen=True)
class Case:
    """One of the paper's experiments, whoever takes part and however the posterior is sampled."""

    method: str
    tau_r: float
    tau_kappa: float
    respondent: str = "correct"
    accuracy: bool = False

    @classmethod
    def of(cls, simulation: Simulation) -> Case:
        """Return which experiment a simulation is; those with a stopping rule are of accuracy."""
        return cls(
            simulation.method,
            simulation.tau_r,
            simulation.tau_kappa,
            simulation.respondent,
            simulation.stop is not None,
        )

    def __str__(self) -> str:
        if self.accuracy:
            return self.respondent
        return f"{self.method} at ({self.tau_r:g}, {self.tau_kappa:g})"


@dataclass(frozen=True)
class Conditions:
    """How experiments were run: all else is the paper's."""

    sampler: str
    pool: int
    seed: int

    @property
    def short(self) -> str:
        """The same in two words."""
        return f"{self.sampler}, pool {self.pool}"

    @classmethod
    def of(cls, simulation: Simulation) -> Conditions:
        """Return how a simulation is run."""
        sampler = simulation.declaration()["sampler"]
        return cls(sampler, simulation.pool, simulation.seed)


class Runs:
    """What came of all experiments run in one way.

    Attributes
    ----------
    conditions
        In which way.
    simulations
        The experiments that were to be run.
    outcomes
        What came of those that were.
    missing
        The others.
    """

    def __init__(
        self, conditions: Conditions, simulations: Iterable[Simulation], lookup: Lookup
    ) -> None:
        self.conditions = conditions
        self.simulations = {Case.of(one): one for one in simulations}
        self.outcomes: dict[Case, Outcome] = {}
        self.missing: list[Simulation] = []
        for case, simulation in self.simulations.items():
            outcome = _found(lookup, simulation)
            if outcome is None:
                self.missing.append(simulation)
            else:
                self.outcomes[case] = outcome

    def __str__(self) -> str:
        whose = {"paper": "the paper's sampler", "smc": "our sampler"}
        sampler = whose.get(self.conditions.sampler, self.conditions.sampler)
        people = " or ".join(map(str, sorted({one.people for one in self.simulations.values()})))
        return (
            f"{sampler}, pool {self.conditions.pool}, {people} people, seed {self.conditions.seed}"
        )

    def speed(self, method: str, tau_r: float, tau_kappa: float) -> Outcome | None:
        """Return the outcome of a method at a pair of thresholds, if it's there."""
        return self.outcomes.get(Case(method, tau_r, tau_kappa))

    def accuracy(self, respondent: str) -> Outcome | None:
        """Return the outcome of somebody who had to choose a side, if it's there."""
        found = [
            outcome
            for case, outcome in self.outcomes.items()
            if case.accuracy and case.respondent == respondent
        ]
        return found[0] if found else None

    @property
    def levels(self) -> list[float]:
        """The thresholds of the study of speed, in order."""
        return sorted({case.tau_r for case in self.simulations if not case.accuracy})

    @property
    def quick(self) -> bool:
        """Whether there are fewer people, questions or thresholds than in the paper."""
        speed = [one for case, one in self.simulations.items() if not case.accuracy]
        few = any(one.people < PEOPLE for one in self.simulations.values())
        few = few or any(one.queries < QUESTIONS for one in speed)
        return few or 0 < len(self.levels) < LEVEL_COUNT


def _found(lookup: Lookup, simulation: Simulation) -> Outcome | None:
    try:
        return lookup(simulation)
    except LookupError:
        return None


def all_runs(lookup: Lookup, studies: Iterable[Study]) -> list[Runs]:
    """Return the outcomes of studies, by how they were run: the paper's way first."""
    grouped: dict[Conditions, list[Simulation]] = {}
    for study in studies:
        for simulation in study.simulations:
            grouped.setdefault(Conditions.of(simulation), []).append(simulation)
    papers_first = sorted(grouped, key=lambda way: (way.sampler != "paper", way.pool, way.seed))
    return [Runs(way, grouped[way], lookup) for way in papers_first]
