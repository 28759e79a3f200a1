"""Measure how overconfident the paper's chains are, and print what was found as Markdown.

People come from the learner's prior, so that intervals of the true posterior cover their weights
as often as they claim to. Each is asked as in the paper, by 200 + 200 states a question. After some
of the questions, the same answers are learned from by one chain a hundred times as long, and by the
grid oracle where its grid is fine enough.

    python benchmarks/short_chains.py > benchmarks/short_chains.md
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equipoise.experiments.methods import METHODS
from equipoise.experiments.simulation import ANSWERS, Simulation
from equipoise.inference.diagnostics import effective_size
from equipoise.inference.draws import Problem
from equipoise.inference.grid import GridPosterior, grid_posterior
from equipoise.inference.hit_and_run import HitAndRun
from equipoise.inference.parameters import Parameters
from equipoise.inference.transcripts import Transcript
from equipoise.inference.weights import Dirichlet
from equipoise.learner import Learner

Array = NDArray[np.float64]

LEARNED = ("utilize-4", "correct", "utilize-4-thresholds", "utilize-4-noise")
DIMENSIONS = (3, 5)
MOMENTS = (10, 25, 50, 100)
TAU, SEED, NOMINAL = 0.4, 1, 0.9
SHORT = HitAndRun()
LONG = HitAndRun(kept=100 * SHORT.kept, burn_in=10 * SHORT.burn_in)
# The grid's cells along the part of the simplex that it's laid on, and how many of them a standard
# deviation must be for the grid to be trusted.
CELLS, WIDE = 200, 3
# By which share of the long chain's range the grid reaches beyond it.
BEYOND = 0.5


@dataclass(frozen=True)
class Seen:
    """What one person's chains say of the weights, after some questions; NaN for no grid."""

    moment: int
    short_sd: float
    long_sd: float
    grid_sd: float
    short_covers: float
    long_covers: float
    grid_covers: float
    distinct: float
    effective: float
    long_effective: float


def covers(weights: Array, ends: Array) -> float:
    """Return the share of the true weights within their intervals."""
    return float(((ends[:, 0] <= weights) & (weights <= ends[:, 1])).mean())


def effective(chain: Array) -> float:
    """Return the effective size for the weight for which it's the least."""
    return min(effective_size(column) for column in chain.T)


def oracle(problem: Problem, transcript: Transcript, long: Array) -> GridPosterior | None:
    """Return the posterior on a grid around a long chain, None where it can't be trusted."""
    if problem.priorities > 3 or problem.parameters.unknown:
        return None
    least = np.maximum(long.min(axis=0) - BEYOND * np.ptp(long, axis=0), 0)
    try:
        found = grid_posterior(problem, transcript, CELLS, least=least)
    except ValueError:  # no point of the grid is possible
        return None
    fine = found.sd().min() * CELLS >= WIDE * (1 - least.sum())
    # The chain may have missed some of it: then there is mass where the grid ends.
    cell = (1 - least.sum()) / CELLS
    edge = ((found.weights < least + cell) & (least > 0)).any(axis=1)
    return found if fine and found.mass[0, edge].sum() < 1e-6 else None


def follow(job: tuple[str, int, int]) -> list[Seen]:
    """Return what is seen while learning one person: method, dimensions, and who."""
    method, dimensions, k = job
    simulation = Simulation(method, TAU, TAU, seed=SEED, dimensions=dimensions, concentration=1.0)
    person, answering = simulation.person(k), simulation.stream(ANSWERS, k)
    responses = METHODS[method].assumed(simulation.truth)
    problem = Problem(dimensions, Parameters(responses), Dirichlet(1))
    learner = Learner(
        dimensions,
        responses,
        seed=SEED,
        session=f"person {k}",
        sampler=SHORT,
        acquisition=METHODS[method].acquisition,
        pool=simulation.pool,
    )
    transcript, rng, seen = Transcript(dimensions), np.random.default_rng([SEED, k]), []
    for t in range(1, max(MOMENTS) + 1):
        question = learner.ask()
        answer = person.answer(question, answering)
        learner.tell(question, answer)
        transcript.append(question.evidence, answer)
        if t not in MOMENTS:
            continue
        short = learner.posterior
        weights = short.draws["weights"]
        long = LONG.update(HitAndRun(1).start(problem, rng), transcript, problem, rng).weights
        grid = oracle(problem, transcript, long)
        tails = [(1 - NOMINAL) / 2, (1 + NOMINAL) / 2]
        seen.append(
            Seen(
                t,
                float(weights.std(axis=0).mean()),
                float(long.std(axis=0).mean()),
                float(grid.sd().mean()) if grid else np.nan,
                covers(person.weights, short.interval(NOMINAL)),
                covers(person.weights, np.quantile(long, tails, axis=0).T),
                covers(person.weights, grid.interval(NOMINAL)) if grid else np.nan,
                short.distinct,
                effective(weights),
                effective(long),
            )
        )
    return seen


def rows(method: str, dimensions: int, people: list[list[Seen]]) -> Iterator[str]:
    """Yield a row of the table for each moment."""
    for moment, seen in zip(MOMENTS, zip(*people, strict=True), strict=True):
        of = {name: np.array([getattr(one, name) for one in seen]) for name in Seen.__annotations__}
        to_long = of["short_sd"] / of["long_sd"]
        on_grid = np.isfinite(of["grid_sd"])
        short_to_grid, long_to_grid = (
            f"{np.median((of[name] / of['grid_sd'])[on_grid]):.2f}" if on_grid.any() else "–"
            for name in ("short_sd", "long_sd")
        )
        cells = [
            f"`{method}`",
            dimensions,
            moment,
            f"{np.median(to_long):.2f}",
            f"{(to_long < 0.5).mean():.0%}",
            short_to_grid,
            long_to_grid,
            _share(of["short_covers"]),
            _share(of["long_covers"]),
            _share(of["grid_covers"][on_grid]) if on_grid.any() else "–",
            f"{on_grid.mean():.0%}" if on_grid.any() else "–",
            f"{of['distinct'].mean():.0%}",
            f"{np.median(of['effective']):.0f}",
            f"{np.median(of['long_effective']):.0f}",
        ]
        yield f"| {' | '.join(map(str, cells))} |"


def _share(shares: Array) -> str:
    """Return a mean of shares with its standard error over people."""
    error = shares.std(ddof=1) / np.sqrt(len(shares))
    return f"{100 * shares.mean():.0f} ± {100 * error:.0f}%"


COLUMNS = (
    "method",
    "priorities",
    "questions",
    "sd to long chain's",
    "less than half",
    "sd to oracle's",
    "long chain's sd to oracle's",
    "covered",
    "covered by long chain",
    "covered by oracle",
    "seen by oracle",
    "distinct",
    "worth",
    "long chain worth",
)


def main() -> None:
    """Print the table, one method after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    print(f"| {' | '.join(COLUMNS)} |", f"|{'---|' * len(COLUMNS)}", sep="\n")
    with ProcessPoolExecutor(options.workers, multiprocessing.get_context("spawn")) as workers:
        for method in LEARNED:
            for dimensions in DIMENSIONS:
                jobs = [(method, dimensions, k) for k in range(options.people)]
                people = list(workers.map(follow, jobs, chunksize=5))
                print(*rows(method, dimensions, people), sep="\n", flush=True)
                print(method, dimensions, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
