"""How long learning somebody takes, known before it's done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from equipoise.experiments.jobs import Job
from equipoise.experiments.simulation import Simulation

# Milliseconds a question on one core, by sampler and size of the pool, as measured by
# `python benchmarks/costs.py`; they are for planning, and what was measured meanwhile goes before.
MILLISECONDS = {
    ("paper", 50): {
        "correct": 0.57,
        "ignore": 0.33,
        "utilize-3": 0.64,
        "utilize-4": 0.52,
        "utilize-4-thresholds": 1.2,
        "correct-noise": 2.8,
        "ignore-noise": 1.2,
        "utilize-4-noise": 2.5,
    },
    ("smc", 50): {
        "correct": 0.93,
        "ignore": 0.63,
        "utilize-3": 1.5,
        "utilize-4": 1.1,
        "utilize-4-thresholds": 1.7,
        "correct-noise": 9.2,
        "ignore-noise": 4.2,
        "utilize-4-noise": 7.4,
    },
    ("smc", 1000): {
        "correct": 1.3,
        "ignore": 0.98,
        "utilize-3": 2,
        "utilize-4": 1.4,
        "utilize-4-thresholds": 2.3,
        "correct-noise": 10,
        "ignore-noise": 5.3,
        "utilize-4-noise": 14,
    },
}
# sec:accuracy: how many questions people are asked in the mean, where asking stops by a rule.
UNTIL_STILL = 700
# Five features are in the table; what is computed of each question grows with them.
FEATURES = 5

Kind = tuple[str, str, int, int]


def estimated_seconds(simulation: Simulation) -> float:
    """Return how long learning one person of an experiment is thought to take, on one core.

    Examples
    --------
    >>> simulation = Simulation("utilize-4", 0.4, 0.4, sampler="paper")
    >>> 0.01 < estimated_seconds(simulation) < 1
    True
    """
    sampler = simulation.sampler if isinstance(simulation.sampler, str) else "smc"
    pools = {pool: row for (name, pool), row in MILLISECONDS.items() if name == sampler}
    nearest = min(pools, key=lambda pool: abs(pool - simulation.pool))
    features = max(simulation.dimensions / FEATURES, 1.0)
    milliseconds = pools[nearest][simulation.method] * features
    return questions_expected(simulation) * milliseconds / 1000


def questions_expected(simulation: Simulation) -> int:
    """Return how many questions somebody is thought to be asked.

    Examples
    --------
    >>> questions_expected(Simulation("correct", 0.4, 0.4, queries=25))
    25
    """
    if simulation.stop is None:
        return simulation.queries
    return min(simulation.queries, UNTIL_STILL)


def planned_seconds(jobs: Sequence[Job], took: Mapping[Job, float]) -> list[float]:
    """Return how long each job is thought to take, as others of its kind did if some are done.

    Parameters
    ----------
    jobs
        What is to be done.
    took
        How long jobs took that are done.
    """
    done: dict[Kind, list[float]] = defaultdict(list)
    for job, seconds in took.items():
        done[_kind(job.simulation)].append(seconds)
    means = {kind: sum(values) / len(values) for kind, values in done.items()}
    by_table: dict[Simulation, float] = {}
    planned = []
    for job in jobs:
        simulation = job.simulation
        if simulation not in by_table:
            by_table[simulation] = means.get(_kind(simulation)) or estimated_seconds(simulation)
        planned.append(by_table[simulation])
    return planned


def duration_text(seconds: float) -> str:
    """Return a duration in words, as roughly as it's known.

    Examples
    --------
    >>> duration_text(0.3), duration_text(42), duration_text(600), duration_text(9000)
    ('under 1 s', '42 s', '10 min', '2.5 h')
    """
    if seconds < 1:
        return "under 1 s" if seconds > 0 else "0 s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _kind(simulation: Simulation) -> Kind:
    return (
        simulation.method,
        str(simulation.sampler),
        simulation.pool * simulation.dimensions,
        simulation.queries,
    )
