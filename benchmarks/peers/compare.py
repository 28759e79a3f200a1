"""Set Equipoise beside ADOpy, and write what was found to benchmarks/peers.md.

Both are given the same people, the same catalogue of questions and the same answers, in one file.
Each learns in a process of its own, one after the other and on one thread.

    make bench-peers OPTIONS="--people 3 --questions 30"
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from exchange import read
from numpy.typing import NDArray

import equipoise as eq
from equipoise.experiments.measures import Average
from equipoise.experiments.simulation import ANSWERS, INPUTS, Simulation

Array = NDArray[np.float64]

HERE = Path(__file__).parent
RESULTS = HERE.parent / "peers.md"
PEERS_PYTHON = HERE.parents[1] / ".venv-peers" / "bin" / "python"
# Streams of random numbers, besides those that a simulation has.
CATALOGUE, ORDER, GRID = range(INPUTS + 1, INPUTS + 4)
QUESTIONS_LISTED = 1000
OURS = "Equipoise"
POINTS = (1_000, 10_000, 50_000)
EARLY = 25
# At how many points of the grid both programs must agree on the chances of answers.
CHECKED = 8
# How many times faster, and how many times nearer, Equipoise must be than the finest grid.
AT_LEAST = 50
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}

# How questions are found, as the page says it.
KINDS = {
    "chosen": "chosen from the catalogue",
    "random": "random ones of the catalogue",
    "fresh": f"chosen from {QUESTIONS_LISTED:,} new ones each time",
}

ABOUT = """\
{people} people with weights from Dirichlet(0.2) answer {questions} questions each, as
`FourAnswers(tau_r=0.4, tau_kappa=0.4, beta=10)`, which both programs know. The catalogue has 1,000
random pairs of five features; random questions come in the same order for both programs. A number
drawn beforehand decides what somebody answers to their t-th question, whichever it is. Both
programs begin with all weights equally likely: Equipoise has 1,000 particles, and ADOpy's grid is
the first so many of {points:,} points drawn from Dirichlet(1), the same for everybody. An error is
the l1 distance of the posterior mean from the person's weights, as mean ± standard error over
people. The last column is the mean distance of the nearest point of the grid.

A catalogue runs out: who knows all that its answers can tell is as far from the weights as they
leave it open. So Equipoise is also shown as it is by default, with new random questions to choose
from each time; ADOpy would have to make its table anew for them.

The seconds are for choosing a question and learning from its answer, on one thread. What is done
once isn't counted: compiling, and ADOpy's table of likelihoods. After each answer ADOpy scores all
questions, so that random ones would take it as long as chosen ones; here it gets their answers at
once, and no seconds are given."""


@dataclass(frozen=True, eq=False)
class Found:
    """What one program found: errors (people, moments), and seconds (people, questions)."""

    program: str
    questions: str
    errors: Array
    seconds: Array
    nearest: float | None = None

    def row(self) -> str:
        """Return the row of a table."""
        averages = Average.over_people(self.errors)
        seconds = self.seconds.mean()
        cells = [
            self.program,
            KINDS[self.questions],
            f"{seconds:.4f}" if np.isfinite(seconds) else "–",
            *(f"{m:.2g} ± {se:.2g}" for m, se in zip(averages.mean, averages.se, strict=True)),
            f"{self.nearest:.2g}" if self.nearest is not None else "–",
        ]
        return f"| {' | '.join(cells)} |"


def moments_of(simulation: Simulation) -> list[int]:
    """Return after how many questions errors are looked at."""
    return sorted({min(EARLY, simulation.queries), simulation.queries})


def experiment(simulation: Simulation, points: int) -> dict[str, Any]:
    """Return all that the programs are given, by name; only fresh questions need the weights."""
    people, questions = range(simulation.people), simulation.queries
    shape = (QUESTIONS_LISTED, 2, simulation.dimensions)
    catalogue = simulation.stream(CATALOGUE).random(shape)
    evidence = eq.Evidence.from_features(catalogue)
    grid = simulation.stream(GRID).dirichlet(np.ones(simulation.dimensions), points)
    responses = simulation.how.true(simulation.truth)
    weights = np.array([simulation.person(k).weights for k in people])
    uniforms = np.array([simulation.stream(ANSWERS, k).random(questions) for k in people])
    answers = np.empty((len(people), questions, QUESTIONS_LISTED), np.int8)
    for k in people:
        ends = responses.predict(evidence, weights[k]).cumsum(axis=1)[:, :-1]
        answers[k] = (uniforms[k, :, None, None] >= ends).sum(axis=-1)
    orders = [simulation.stream(ORDER, k).permutation(QUESTIONS_LISTED)[:questions] for k in people]
    return {
        "tau_r": simulation.tau_r,
        "tau_kappa": simulation.tau_kappa,
        "beta": simulation.beta,
        "seed": simulation.seed,
        "catalogue": catalogue,
        "grid": grid,
        "chances": responses.predict(evidence, grid[:CHECKED]),
        "weights": weights,
        "uniforms": uniforms,
        "answers": answers,
        "orders": np.array(orders),
        "moments": moments_of(simulation),
    }


def run(program: str, task: Path, *arguments: str, python: str = sys.executable) -> dict[str, Any]:
    """Return what one of the programs beside this one finds."""
    found = task.with_name("found.npz")
    command = [python, str(HERE / program), str(task), str(found), *arguments]
    subprocess.run(command, check=True, env={**os.environ, **ONE_THREAD})
    return read(found)


def judged(
    program: str, found: dict[str, Any], weights: Array, nearest: float | None = None
) -> list[Found]:
    """Return what a program found by each kind of questions."""
    return [
        Found(
            program,
            how,
            np.abs(found[f"{how}_estimates"] - weights[:, None]).sum(axis=-1),
            found[f"{how}_seconds"],
            nearest,
        )
        for how in KINDS
        if f"{how}_estimates" in found
    ]


def ratios(ours: Sequence[Found], theirs: Found, moments: list[int]) -> Iterator[str]:
    """Yield the rows of a table: how many times faster and nearer than theirs ours are."""
    heads = " | ".join(KINDS[each.questions] for each in ours)
    yield f"| {OURS} against {theirs.program} | at least | {heads} |"
    yield f"|---|---:|{'---:|' * len(ours)}"
    faster = [f"{theirs.seconds.mean() / each.seconds.mean():.0f}" for each in ours]
    yield f"| times faster | {AT_LEAST} | {' | '.join(faster)} |"
    for i, moment in enumerate(moments):
        error = theirs.errors[:, i].mean()
        nearer = [f"{error / each.errors[:, i].mean():.3g}" for each in ours]
        required = AT_LEAST if moment == moments[-1] else "–"
        yield f"| times smaller an error after {moment} | {required} | {' | '.join(nearer)} |"


def compare(simulation: Simulation, grids: Sequence[int]) -> Iterator[tuple[str, list[Found]]]:
    """Yield what each program found, with the versions it ran on: first Equipoise, then ADOpy."""
    given = experiment(simulation, max(grids))
    weights = given["weights"]
    with tempfile.TemporaryDirectory() as folder:
        task = Path(folder) / "task.npz"
        np.savez(task, **given)
        found = run("ask_equipoise.py", task)
        yield str(found["versions"]), judged(OURS, found, weights)
        for points in grids:
            distances = np.abs(given["grid"][:points] - weights[:, None]).sum(axis=-1)
            nearest = float(distances.min(axis=1).mean())
            found = run("ask_adopy.py", task, "--points", str(points), python=str(PEERS_PYTHON))
            program = f"ADOpy, {points:,} points"
            yield str(found["versions"]), judged(program, found, weights, nearest)


def lines(simulation: Simulation, grids: Sequence[int], command: str) -> Iterator[str]:
    """Yield the lines of the page, as soon as they are known."""
    moments = moments_of(simulation)
    yield "# Beside ADOpy"
    yield ""
    machine = f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores"
    yield f"`{command}`, {datetime.now(UTC):%Y-%m-%d}, on {machine}."
    yield ""
    yield ABOUT.format(people=simulation.people, questions=simulation.queries, points=max(grids))
    yield ""
    errors = " | ".join(f"l1 after {moment}" for moment in moments)
    yield f"| program | questions | seconds a question | {errors} | nearest point |"
    yield f"|---|---|---:|{'---:|' * len(moments)}---:|"
    versions, rows = [], []
    for version, found in compare(simulation, grids):
        versions.append(version)
        rows += found
        yield from (each.row() for each in found)
    ours = [each for each in rows if each.program == OURS and each.questions != "random"]
    finest = [each for each in rows if each.questions == "chosen"][-1]
    yield ""
    yield from ratios(ours, finest, moments)
    yield ""
    yield f"{versions[0]}. {versions[-1]}."


def main() -> None:
    """Run both programs, print what is found, and write it down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--points", type=int, nargs="+", default=POINTS, help="of ADOpy's grids")
    options = parser.parse_args()
    given = shlex.join(sys.argv[1:])
    command = f'make bench-peers OPTIONS="{given}"' if given else "make bench-peers"
    simulation = Simulation("utilize-4", 0.4, 0.4, people=options.people, queries=options.questions)
    page = []
    for line in lines(simulation, sorted(options.points), command):
        page.append(line)
        print(line, flush=True)
    RESULTS.write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
