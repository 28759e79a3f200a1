"""What a question costs by each method, and each study's share: the table of experiments/costs.py.

`python benchmarks/costs.py` prints the table; `make bench` shows the shares.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, seconds

from equipoise.experiments.costs import MILLISECONDS, questions_expected
from equipoise.experiments.methods import METHODS
from equipoise.experiments.simulation import Simulation, learn_person
from equipoise.experiments.studies import papers

QUICK = 60.0  # seconds
PEOPLE, QUESTIONS = 3, 100
# At the thresholds of the middle, and where almost nobody and almost everybody is torn.
LEVELS = (0.0, 0.4, 0.8)
KINDS = (("paper", 50), ("smc", 50), ("smc", 1000))


def milliseconds(method: str, sampler: str, pool: int) -> float:
    """Return what a question costs on one core, over some people and thresholds."""
    costs = []
    for tau in LEVELS:
        simulation = Simulation(method, tau, tau, queries=QUESTIONS, sampler=sampler, pool=pool)
        learn_person(simulation, PEOPLE)  # compiles what there is to compile
        for k in range(PEOPLE):
            start = time.process_time()
            learn_person(simulation, k)
            costs.append(time.process_time() - start)
    return 1000 * statistics.mean(costs) / QUESTIONS


def quick_look() -> Iterator[Figure]:
    """Time the whole of `equipoise reproduce --quick`, figures and all, from an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(sys.executable).with_name("equipoise"))
        command = [program, "reproduce", "--quick", "--out", folder, "--json"]
        run = lambda: subprocess.run(command, check=True, capture_output=True)  # noqa: E731
        yield Figure("`equipoise reproduce --quick`", QUICK, seconds(run))


def shares() -> Iterator[str]:
    """Iterate over the rows of a table: what each method and study takes of `reproduce all`."""
    yield "| study | method | on one core | share |"
    yield "|---|---|---:|---:|"
    costs = {method: milliseconds(method, "paper", 50) for method in METHODS}
    spent: dict[tuple[str, str], float] = defaultdict(float)
    for study in papers("all"):
        for simulation in study.simulations:
            questions = simulation.people * questions_expected(simulation)
            spent[study.name, simulation.method] += questions * costs[simulation.method] / 1000
    total = sum(spent.values())
    for (study_name, method), cost in spent.items():
        yield f"| {study_name} | `{method}` | {cost:.0f} s | {cost / total:.0%} |"
    yield f"| all | | {total:.0f} s | 100% |"


def main() -> None:
    """Print the table anew."""
    for sampler, pool in KINDS:
        print(f"    ({sampler!r}, {pool}): {{")
        for method in METHODS:
            now = milliseconds(method, sampler, pool)
            before = MILLISECONDS.get((sampler, pool), {}).get(method, float("nan"))
            print(f"        {method!r}: {now:.2g},  # {before} before", flush=True)
        print("    },")


if __name__ == "__main__":
    main()
