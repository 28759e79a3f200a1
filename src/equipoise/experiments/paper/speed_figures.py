"""The figures of `sec:speed` and its appendix: errors by question, and which answers came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from equipoise.experiments.claims import Outcome
from equipoise.experiments.measures import Average
from equipoise.experiments.paper.runs import Runs
from equipoise.model.states import Response
from equipoise.reports.drawing import Drawing
from equipoise.reports.figures import Grid, Line, LineStyle, Panel, curve_grid
from equipoise.reports.shares import Block, Scale, share_blocks

# Colour and style of each method; a method and its twin with unknown noise share a colour.
LOOKS: dict[str, tuple[int, LineStyle]] = {
    "utilize-4": (0, "solid"),
    "utilize-3": (2, "dashdot"),
    "utilize-4-thresholds": (3, "dotted"),
    "utilize-4-noise": (0, "dashed"),
    "ignore": (6, "solid"),
    "ignore-noise": (6, "dashed"),
    "correct": (1, "solid"),
    "correct-noise": (1, "dashed"),
}
FIVE = ("utilize-4", "utilize-3", "utilize-4-thresholds", "ignore", "correct")
THREE = ("utilize-4", "ignore", "correct")
EIGHT = tuple(LOOKS)
# What is on a vertical axis: name, unit, and whether logarithmic.
AXES = {
    "l1": ("l1 error", 1, True),
    "avg_regret": ("average regret, %", 100, True),
    "wc_regret": ("worst-case regret, %", 100, True),
    "cosine": ("cosine similarity", 1, False),
}
MEASURES_OF_THE_DIAGONAL = ("l1", "avg_regret", "wc_regret")
# Of a small panel, every so many questions are enough.
POINTS_A_LINE = 50
PARTS = ("first", "second", "indifferent", "conflicted", "undecided")
COLUMN_OF = {
    Response.FIRST: 0,
    Response.SECOND: 1,
    Response.INDIFFERENT: 2,
    Response.CONFLICTED: 3,
    Response.UNDECIDED: 4,
}
QUESTIONS = "questions"


def diagonal(title: str, runs: Runs, methods: Sequence[str]) -> Drawing | None:
    """Return three measures by question, at equal thresholds.

    Paper: fig:bald_6, fig:diag-summary
    """
    panels = [
        [panel(runs, name, methods, tau, tau) for tau in runs.levels]
        for name in MEASURES_OF_THE_DIAGONAL
    ]
    rows = [AXES[name][0] for name in MEASURES_OF_THE_DIAGONAL]
    columns = [f"both thresholds {tau:g}" for tau in runs.levels]
    return _grid(title, Grid(panels, rows, columns, QUESTIONS))


def full_grid(title: str, runs: Runs, name: str) -> Drawing | None:
    """Return one measure by question at every pair of thresholds, of all methods.

    Paper: fig:grid-l1, fig:grid-cos, fig:grid-avgreg, fig:grid-wcr
    """
    panels = [
        [panel(runs, name, EIGHT, tau_r, tau_kappa) for tau_kappa in runs.levels]
        for tau_r in runs.levels
    ]
    rows = [f"valence {tau:g}" for tau in runs.levels]
    columns = [f"decisiveness {tau:g}" for tau in runs.levels]
    return _grid(title, Grid(panels, rows, columns, QUESTIONS, AXES[name][0], share="all"))


def _grid(title: str, grid: Grid) -> Drawing | None:
    there = any(panel is not None for row in grid.panels for panel in row)
    return curve_grid(title, grid) if there else None


def panel(
    runs: Runs, name: str, methods: Sequence[str], tau_r: float, tau_kappa: float
) -> Panel | None:
    """Return the lines of methods at a pair of thresholds; None if none of them was run."""
    drawn = [
        Named(outcome.measures.average(name), method, *LOOKS[method])
        for method in methods
        if (outcome := runs.speed(method, tau_r, tau_kappa)) is not None
    ]
    return panel_of(drawn, name) if drawn else None


class Named(NamedTuple):
    """An average, and how its line looks."""

    average: Average
    name: str
    colour: int
    style: LineStyle


def panel_of(averages: Sequence[Named], name: str) -> Panel:
    """Return a panel of averages of one measure; the shorter ones end before."""
    _, unit, log = AXES[name]
    shown = thinned(max(len(one.average.mean) for one in averages))
    lines = []
    for average, label, colour, style in averages:
        inside = shown[shown < len(average.mean)]
        missing = np.full(len(shown) - len(inside), np.nan)
        mean = np.append(unit * average.mean[inside], missing)
        se = np.append(unit * average.se[inside], missing)
        lines.append(Line(mean, se, label, colour, style))
    return Panel("", shown + 1, lines, QUESTIONS, log)


def thinned(questions: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return which questions are drawn: all of a few, else the first, the last and some between.

    Examples
    --------
    >>> len(thinned(30)), thinned(100)[[0, 1, -1]]
    (30, array([ 0,  2, 99]))
    """
    step = max(1, round(questions / POINTS_A_LINE))
    return np.union1d(np.arange(0, questions, step), [questions - 1])


def responses(title: str, runs: Runs, methods: Sequence[str]) -> Drawing | None:
    """Return which answers each method was given, at every pair of thresholds.

    Paper: fig:respdist-main, fig:respdist-grid
    """
    levels = runs.levels
    blocks = []
    for method in methods:
        cells = {
            (row, column): answer_shares(outcome)
            for row, tau_r in enumerate(levels)
            for column, tau_kappa in enumerate(levels)
            if (outcome := runs.speed(method, tau_r, tau_kappa)) is not None
        }
        if cells:
            blocks.append(Block(method, cells))
    if not blocks:
        return None
    names = [f"{tau:g}" for tau in levels]
    scale = Scale(PARTS, names, names, "valence threshold", "decisiveness threshold")
    return share_blocks(title, blocks, scale)


def answer_shares(outcome: Outcome) -> list[float]:
    """Return the shares of the five answers, in order."""
    shares = [0.0] * len(PARTS)
    measures = outcome.measures
    for answer, share in zip(measures.answers, measures.shares.tolist(), strict=True):
        shares[COLUMN_OF[answer]] += share
    return shares
