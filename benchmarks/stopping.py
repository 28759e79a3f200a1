"""Measure what stopping rules claim against what came true, and print it as Markdown.

Everybody is asked until all rules are reached, at most 60 questions, and each rule is judged by
what was known when it was reached first.

    python benchmarks/stopping.py > benchmarks/stopping.md
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from equipoise.experiments.methods import METHODS, Truth
from equipoise.inference.weights import Dirichlet
from equipoise.learner import Learner, NarrowIntervals, SmallRegret, StandsStill, StoppingRule
from equipoise.learner.settings import SAMPLERS
from equipoise.model.linear_rules import average_regret, random_inputs, worst_case_regret
from equipoise.model.respondents import Respondent
from equipoise.model.responses import PeopleAnswers, ResponseModel

Array = NDArray[np.float64]

SEED, DIMENSIONS = 1, 5
TRUTH = Truth(tau_r=0.4, tau_kappa=0.4, beta=10)
PAPERS_CONCENTRATION = 0.2
# What regrets are judged by: other inputs than those that rules look at.
JUDGED = random_inputs(DIMENSIONS, np.random.default_rng([SEED, 2]))
NOMINAL, AVERAGE, WORST = 0.9, 0.01, 0.1

# The learners, and what they think of how people answer.
LEARNERS: dict[str, ResponseModel] = {
    "`utilize-4`": METHODS["utilize-4"].assumed(TRUTH),
    "`utilize-4-thresholds`": METHODS["utilize-4-thresholds"].assumed(TRUTH),
    "people": PeopleAnswers(),
}
POPULATIONS = ("the learner's prior", "the paper")
QUESTIONS = {"adaptive": "bald", "random": "random"}
RULES: dict[str, StoppingRule] = {
    "`still`": StandsStill(),
    "`width=0.1`": NarrowIntervals(0.1, NOMINAL),
    "`regret=0.01`": SmallRegret(average=AVERAGE),
    "`worst-regret=0.1`": SmallRegret(worst_case=WORST),
}
# What is looked at, and of what each rule claims how much.
MEASURED = ("average regret", "worst-case regret ≤ 10%", "weights in 90% intervals")
CLAIMS = {
    ("`width=0.1`", MEASURED[2]): f"{NOMINAL:.0%}",
    ("`regret=0.01`", MEASURED[0]): f"{AVERAGE:.0%}",
    ("`worst-regret=0.1`", MEASURED[1]): "95%",
}


@dataclass(frozen=True)
class Job:
    """One person to be learned."""

    population: str
    learner: str
    questions: str
    k: int
    longest: int
    sampler: str
    concentration: float


@dataclass(frozen=True)
class Stop:
    """What was known of one person when a rule was reached, in the order of MEASURED."""

    asked: int
    average_regret: float
    small_worst_case: float
    covered: float


def somebody(job: Job, rng: np.random.Generator) -> Respondent:
    """Return a person: everything from the learner's prior, or as in the paper's experiments."""
    assumed = LEARNERS[job.learner]
    if job.population == POPULATIONS[0]:
        weights = rng.dirichlet(np.full(DIMENSIONS, job.concentration))
        return Respondent(weights, assumed.draw(rng))
    weights = rng.dirichlet(np.full(DIMENSIONS, PAPERS_CONCENTRATION))
    method = METHODS.get(job.learner.strip("`"))
    return Respondent(weights, assumed.draw(rng) if method is None else method.true(TRUTH))


def stop_now(learner: Learner, weights: Array) -> Stop:
    """Return what is known now, against the true weights."""
    learned, ends = learner.posterior.mean(), learner.posterior.interval(NOMINAL)
    return Stop(
        len(learner.closed),
        average_regret(weights, learned, JUDGED),
        float(worst_case_regret(weights, learned) <= WORST),
        float(((ends[:, 0] <= weights) & (weights <= ends[:, 1])).mean()),
    )


def follow(job: Job) -> dict[str, Stop]:
    """Return where each rule stops while one person is learned; of those that do."""
    rng = np.random.default_rng([SEED, job.k])  # the same weights for every learner
    person = somebody(job, rng)
    stops: dict[str, Stop] = {}
    learner = Learner(
        DIMENSIONS,
        LEARNERS[job.learner],
        prior=Dirichlet(job.concentration),
        seed=SEED,
        session=f"person {job.k}",
        sampler=job.sampler,
        acquisition=QUESTIONS[job.questions],
    )
    for _ in range(job.longest):
        question = learner.ask()
        learner.tell(question, person.answer(question, rng))
        reached = [name for name in RULES if name not in stops and RULES[name].reached(learner)]
        stops |= {name: stop_now(learner, person.weights) for name in reached}
        if len(stops) == len(RULES):
            break
    return stops


def rows(job: Job, people: list[dict[str, Stop]]) -> Iterator[str]:
    """Iterate over the rows of one learner, people and questions: a row for each rule."""
    for name in RULES:
        stops = [stops[name] for stops in people if name in stops]
        cells = [job.population, job.learner, job.questions, name]
        cells.append(f"{len(stops) / len(people):.0%}")
        if stops:
            asked = np.array([stop.asked for stop in stops])
            cells.append(f"{np.median(asked):g} ({asked.min()} to {asked.max()})")
            found = (
                _mean([stop.average_regret for stop in stops], digits=2),
                _mean([stop.small_worst_case for stop in stops], digits=0),
                _mean([stop.covered for stop in stops], digits=0),
            )
            for what, cell in zip(MEASURED, found, strict=True):
                claim = CLAIMS.get((name, what))
                cells.append(cell if claim is None else f"{cell} (claimed: {claim})")
        else:
            cells += ["–"] * (1 + len(MEASURED))
        yield f"| {' | '.join(cells)} |"


def _mean(values: list[float], digits: int) -> str:
    """Return a mean with its standard error over people, in percent."""
    mean = f"{100 * np.mean(values):.{digits}f}"
    if len(values) == 1:
        return f"{mean}%"
    return f"{mean} ± {100 * np.std(values, ddof=1) / np.sqrt(len(values)):.{digits}f}%"


COLUMNS = ("people from", "learner", "questions", "rule", "stopped", "asked", *MEASURED)


def main() -> None:
    """Print the table, one learner after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--sampler", choices=SAMPLERS, default="smc")
    parser.add_argument("--concentration", type=float, default=1.0, help="of the learner's prior")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    print(f"| {' | '.join(COLUMNS)} |", f"|{'---|' * len(COLUMNS)}", sep="\n")
    with ProcessPoolExecutor(options.workers, multiprocessing.get_context("spawn")) as workers:
        for population, learner, questions in product(POPULATIONS, LEARNERS, QUESTIONS):
            how = (options.questions, options.sampler, options.concentration)
            jobs = [Job(population, learner, questions, k, *how) for k in range(options.people)]
            people = list(workers.map(follow, jobs, chunksize=5))
            print(*rows(jobs[0], people), sep="\n", flush=True)
            print(population, learner, questions, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
