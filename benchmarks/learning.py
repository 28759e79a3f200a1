"""How fast a person is learned, and whether the paper's numbers come out."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import replace

from figures import Figure, median_seconds, seconds

from equipoise.experiments.claims import CLAIMS, Claim, Outcome, verdict
from equipoise.experiments.measures import measure
from equipoise.experiments.running import processes, run
from equipoise.experiments.simulation import Simulation
from equipoise.learner import Learner, SmallRegret
from equipoise.model.responses import FourAnswers

# 40 people and 100 questions each, in seconds on two idle cores.
LIMITS = {"utilize-4": 0.6, "utilize-4-thresholds": 2.0, "utilize-4-noise": 12.0}
# In seconds: nothing compiled yet, and everything.
COLD, WARM = 20.0, 1.5
FIRST_QUESTION = """
import equipoise as eq
eq.Learner(5, eq.FourAnswers(tau_r=0.4, tau_kappa=0.4, beta=10), seed=7, pool=50).ask()
"""
# Those of sec:accuracy ask each person hundreds of questions, so one seed has to do.
SEEDS = {"sec:speed": 5, "sec:accuracy": 1}


def first_question() -> Iterator[Figure]:
    """Time a new process until its first question: with nothing compiled, and with everything."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", FIRST_QUESTION]
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}

        def ask() -> None:
            subprocess.run(command, check=True, env=environment)

        yield Figure("first question, nothing compiled yet", COLD, seconds(ask))
        yield Figure("first question, everything compiled", WARM, median_seconds(ask))


def simulations() -> Iterator[Figure]:
    """Time 40 people and 100 questions on all cores; processes and kernels are there already."""
    cores = os.cpu_count() or 1
    with processes(cores) as executor:
        for method, limit in LIMITS.items():
            simulation = Simulation(method, 0.4, 0.4, sampler="paper")
            what = f"paper's sampler: {method}, 40 people x 100 questions, {cores} processes"
            action = lambda simulation=simulation: run(simulation, executor=executor)  # noqa: E731
            yield Figure(what, limit, median_seconds(action, repeats=3))


def stopping() -> Iterator[Figure]:
    """Time looking once whether regret is small, which is done after every answer."""
    learner = Learner(5, FourAnswers(tau_r=0.4, tau_kappa=0.4, beta=10), seed=7)
    rule = SmallRegret(average=0.0, worst_case=0.0)
    draws = len(learner.posterior)
    action = lambda: (rule.expected(learner), rule.at_worst(learner))  # noqa: E731
    yield Figure(f"small regret, {draws:,} draws, 300 inputs", 0.01, median_seconds(action))


def papers_numbers() -> Iterator[str]:
    """Iterate over the rows of a table: what the paper says, and what comes out here."""
    yield "| where | what | paper | measured | people | compatible |"
    yield "|---|---|---:|---:|---:|---|"
    outcomes: dict[Simulation, list[Outcome]] = {}
    with processes(os.cpu_count() or 1) as executor:
        for claim in CLAIMS:
            if claim.experiment not in outcomes:
                outcomes[claim.experiment] = _outcomes(claim, executor)
            found = verdict(claim, outcomes[claim.experiment])
            low, high = claim.paper
            paper = f"{high:g}" if low == high else f"{low:g} to {high:g}"
            yield (
                f"| `{claim.label}` | {claim.says} | {paper} | {found.measured:.2g} ± "
                f"{found.se:.1g} | {found.people} | {'yes' if found.compatible else '**no**'} |"
            )


def _outcomes(claim: Claim, executor: Executor) -> list[Outcome]:
    found = []
    for seed in range(1, SEEDS[claim.label] + 1):
        simulation = replace(claim.experiment, seed=seed)
        courses = run(simulation, executor=executor)
        found.append(Outcome(courses, measure(simulation, courses)))
    return found
