"""An experiment as a reader sees it: tables and a figure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from equipoise.experiments.measures import MEASURES, Measures
from equipoise.experiments.simulation import Simulation
from equipoise.reports.figures import Line, Panel, curves
from equipoise.reports.terminal import Table

# After how many questions a table shows what is known, besides the last.
MILESTONES = (10, 25, 50, 100)
LEAST_DIGITS, MOST_DIGITS = 2, 4
# The columns of the table: measure, head, and in what unit.
COLUMNS = (
    ("l1", "l1 error", 1),
    ("avg_regret", "average regret, %", 100),
    ("wc_regret", "worst-case regret, %", 100),
    ("cosine", "cosine", 1),
)


def title(simulation: Simulation) -> str:
    """Return what an experiment is called in a figure or above a table.

    Examples
    --------
    >>> print(title(Simulation("utilize-4", tau_r=0.4, tau_kappa=0.4)))
    utilize-4, τr = 0.4, τκ = 0.4, 40 people
    >>> print(title(Simulation("correct", 0.25, 0.25, people=1, respondent="lexicographic")))
    correct, lexicographic, τr = 0.25, τκ = 0.25, 1 person
    """
    respondent = "" if simulation.respondent == "correct" else f"{simulation.respondent}, "
    people = f"{simulation.people} {'person' if simulation.people == 1 else 'people'}"
    thresholds = f"τr = {simulation.tau_r:g}, τκ = {simulation.tau_kappa:g}"
    return f"{simulation.method}, {respondent}{thresholds}, {people}"


def story(simulation: Simulation, measures: Measures, seconds: float) -> Iterator[str | Table]:
    """Iterate over an experiment's tables and the paragraph after them, in order."""
    milestones = [t for t in MILESTONES if t < simulation.queries] + [simulation.queries]
    averages = [(measures.average(name), unit) for name, _, unit in COLUMNS]
    rows = [
        (
            str(t),
            *(mean_and_error(unit * a.mean[t - 1], unit * a.se[t - 1]) for a, unit in averages),
        )
        for t in milestones
    ]
    yield Table(title(simulation), ("questions", *(head for _, head, _ in COLUMNS)), rows)
    shares = [f"{share:.1%}" for share in measures.shares.tolist()]
    yield Table("Answers", tuple(map(str, measures.answers)), [shares])
    if simulation.stop is not None:
        asked = measures.asked
        early = np.count_nonzero(asked < simulation.queries)
        yield (
            f"Asking stopped when {simulation.stop.why}: for {early} of {simulation.people} before "
            f"question {simulation.queries}, and the last estimate counts from there on. Asked "
            f"were {np.median(asked):g} questions in the median, {asked.min()} to {asked.max()}."
        )
    what = "Mean ± standard error over people. " if simulation.people > 1 else ""
    yield f"{what}{seconds:.1f} s."


def mean_and_error(mean: float, se: float) -> str:
    """Return a mean and its standard error with as many decimals as the error has a meaning.

    Examples
    --------
    >>> print(mean_and_error(0.01234, 0.00083), mean_and_error(0.5, float("nan")), sep=", ")
    0.0123 ± 0.0008, 0.5000
    """
    if not math.isfinite(se):
        return f"{mean:.4f}"
    wanted = -math.floor(math.log10(se)) if se > 0 else LEAST_DIGITS
    digits = min(max(wanted, LEAST_DIGITS), MOST_DIGITS)
    return f"{mean:.{digits}f} ± {se:.{digits}f}"


def plot(path: Path, simulation: Simulation, measures: Measures) -> None:
    """Write a figure of how the errors fall from question to question."""
    questions = np.arange(1, simulation.queries + 1)
    panels = []
    for name in ("l1", "avg_regret", "wc_regret"):
        average = measures.average(name)
        line = Line(average.mean, average.se)
        panels.append(Panel(MEASURES[name], questions, [line], "questions", log=True))
    curves(path, title(simulation), panels)
