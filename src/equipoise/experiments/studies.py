"""The paper's experiments, declared."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from equipoise.experiments.claims import LONGEST
from equipoise.experiments.methods import LEVELS, METHODS
from equipoise.experiments.simulation import Behaviour, Simulation
from equipoise.learner import StandsStill

# sec:accuracy
TAU = 0.25
RESPONDENTS: tuple[Behaviour, ...] = ("correct", "fifty-fifty", "lexicographic", "self-similar")
# Of a quick look: enough to see every figure's shape.
FEW_PEOPLE, FEW_QUESTIONS, NOT_LONG = 8, 50, 300
FEW_LEVELS = (0.0, 0.4, 0.8)
SMALL_POOL, LARGE_POOL = 50, 1000


@dataclass(frozen=True)
class Study:
    """Experiments that belong together.

    Attributes
    ----------
    name
        What it's called.
    simulations
        The experiments.
    """

    name: str
    simulations: tuple[Simulation, ...]

    @property
    def part(self) -> str:
        """Which part of the paper it reproduces, by whatever sampler: "speed" or "accuracy"."""
        return self.name.partition(",")[0]


def speed(  # noqa: PLR0917 - it's called with names, and has the paper's values
    people: int = 40,
    queries: int = 100,
    levels: Sequence[float] = LEVELS,
    sampler: str = "paper",
    pool: int = SMALL_POOL,
    seed: int = 1,
) -> Study:
    """Return how fast each method learns at every pair of thresholds.

    Paper: sec:speed

    Examples
    --------
    >>> len(speed().simulations)
    200
    """
    base = Simulation(
        "correct", 0, 0, people=people, queries=queries, sampler=sampler, pool=pool, seed=seed
    )
    return Study(
        named("speed", sampler, pool),
        tuple(
            replace(base, method=method, tau_r=tau_r, tau_kappa=tau_kappa)
            for tau_r, tau_kappa in itertools.product(levels, levels)
            for method in METHODS
        ),
    )


def accuracy(
    people: int = 40,
    sampler: str = "paper",
    seed: int = 1,
    pool: int = SMALL_POOL,
    queries: int = LONGEST,
) -> Study:
    """Return what is learned of people who are torn and must choose, asked until it stands still.

    Paper: sec:accuracy

    Examples
    --------
    >>> [simulation.respondent for simulation in accuracy().simulations]
    ['correct', 'fifty-fifty', 'lexicographic', 'self-similar']
    """
    return Study(
        named("accuracy", sampler, pool),
        tuple(
            Simulation(
                "correct",
                TAU,
                TAU,
                people=people,
                queries=queries,
                seed=seed,
                sampler=sampler,
                pool=pool,
                respondent=respondent,
                stop=StandsStill(),
            )
            for respondent in RESPONDENTS
        ),
    )


def named(study: str, sampler: str, pool: int) -> str:
    """Return what a study by a sampler with a pool is called; the paper's own by itself.

    Examples
    --------
    >>> named("speed", "paper", 50), named("speed", "smc", 1000)
    ('speed', 'speed, smc, pool 1000')
    """
    return study if (sampler, pool) == ("paper", SMALL_POOL) else f"{study}, {sampler}, pool {pool}"


def papers(part: str, *, quick: bool = False, sampler: str = "paper") -> list[Study]:
    """Return the studies of "speed", "accuracy", or of both: "all".

    With the sampler "smc" they are the paper's, then the same with that sampler from pools of 50
    and of 1,000 questions, to be seen side by side.

    Examples
    --------
    >>> [study.name for study in papers("accuracy", sampler="smc")]
    ['accuracy', 'accuracy, smc, pool 50', 'accuracy, smc, pool 1000']
    """
    settings = [("paper", SMALL_POOL)]
    if sampler == "smc":
        settings += [("smc", SMALL_POOL), ("smc", LARGE_POOL)]
    studies = []
    for name, pool in settings:
        if part in ("all", "speed"):
            studies.append(
                speed(FEW_PEOPLE, FEW_QUESTIONS, FEW_LEVELS, name, pool)
                if quick
                else speed(sampler=name, pool=pool)
            )
        if part in ("all", "accuracy"):
            studies.append(
                accuracy(FEW_PEOPLE, name, pool=pool, queries=NOT_LONG)
                if quick
                else accuracy(sampler=name, pool=pool)
            )
    return studies
