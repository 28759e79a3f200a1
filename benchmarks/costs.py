"""What a question costs by each method, and each study's share: the table of experiments/costs.py.

`python benchmarks/costs.py` prints the table; `make bench` shows the shares.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Iterator

from equipoise.experiments.costs import MILLISECONDS, duration_text, estimated_seconds
from equipoise.experiments.methods import METHODS
from equipoise.experiments.simulation import Simulation, learn_person
from equipoise.experiments.studies import papers

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


def shares() -> Iterator[str]:
    """Iterate over the rows of a table: what each method and study takes of `reproduce all`."""
    yield "| study | method | on one core | share |"
    yield "|---|---|---:|---:|"
    seconds: dict[tuple[str, str], float] = defaultdict(float)
    for study in papers("all"):
        for simulation in study.simulations:
            cost = simulation.people * estimated_seconds(simulation)
            seconds[study.name, simulation.method] += cost
    total = sum(seconds.values())
    for (study_name, method), cost in seconds.items():
        yield f"| {study_name} | `{method}` | {duration_text(cost)} | {cost / total:.0%} |"


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
