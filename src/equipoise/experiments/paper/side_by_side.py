"""The same experiments run in several ways: the paper's, with better inference, a larger pool."""

from __future__ import annotations

import math
from collections.abc import Sequence

from equipoise.experiments.claims import Array, Statistic, after, in_the_end
from equipoise.experiments.paper.accuracy_figures import PEOPLE
from equipoise.experiments.paper.assertions import Assertion, Judged, judge
from equipoise.experiments.paper.runs import Conditions, Runs
from equipoise.experiments.paper.speed_figures import (
    AXES,
    LOOKS,
    QUESTIONS,
    Named,
    panel_of,
)
from equipoise.experiments.summaries import mean_and_error
from equipoise.reports.drawing import Drawing
from equipoise.reports.figures import Grid, LineStyle, Panel, curve_grid
from equipoise.reports.page import Rows

# Of each way of running, in order.
COLOURS: tuple[tuple[int, LineStyle], ...] = (
    (6, "solid"),
    (0, "solid"),
    (1, "dashed"),
    (3, "dotted"),
    (2, "dashdot"),
)
MEASURE = "l1"
MILESTONES = (25, 100)
ABSENT = "–"


def what_changes(first: Conditions, second: Conditions) -> str:
    """Return what one way of running has that another hasn't.

    Examples
    --------
    >>> what_changes(Conditions("paper", 50, 1), Conditions("smc", 50, 1))
    'better inference alone'
    >>> what_changes(Conditions("smc", 50, 1), Conditions("smc", 1000, 1))
    'a pool of 1000 instead of 50'
    """
    changes = []
    if first.sampler != second.sampler:
        changes.append("better inference" if second.sampler == "smc" else f"{second.sampler}")
    if first.pool != second.pool:
        changes.append(f"a pool of {second.pool} instead of {first.pool}")
    if first.seed != second.seed:
        changes.append("another seed")
    alone = " alone" if changes == ["better inference"] else ""
    return (" and ".join(changes) or "nothing") + alone


def names_of(ways: Sequence[Runs]) -> list[str]:
    """Return what each way is called in a legend."""
    short = [runs.conditions.short for runs in ways]
    return [
        name if short.count(name) == 1 else f"{name}, seed {runs.conditions.seed}"
        for name, runs in zip(short, ways, strict=True)
    ]


def errors_figure(title: str, ways: Sequence[Runs]) -> Drawing | None:
    """Return one error by question in each way, for every method run in two of them."""
    levels = sorted(set.union(*(set(runs.levels) for runs in ways)))
    methods = [
        method
        for method in LOOKS
        if sum(any(runs.speed(method, tau, tau) for tau in levels) for runs in ways) > 1
    ]
    if not methods:
        return None
    panels = [[_panel(ways, method, tau) for tau in levels] for method in methods]
    columns = [f"both thresholds {tau:g}" for tau in levels]
    return curve_grid(
        title, Grid(panels, methods, columns, QUESTIONS, AXES[MEASURE][0], share="all")
    )


def _panel(ways: Sequence[Runs], method: str, tau: float) -> Panel | None:
    drawn = [
        Named(outcome.measures.average(MEASURE), name, *look)
        for look, name, runs in zip(COLOURS, names_of(ways), ways, strict=False)
        if (outcome := runs.speed(method, tau, tau)) is not None
    ]
    return panel_of(drawn, MEASURE) if drawn else None


def speed_table(ways: Sequence[Runs]) -> Rows:
    """Return errors of the methods at equal thresholds, a column for each way."""
    levels = sorted(set.union(*(set(runs.levels) for runs in ways)))
    rows = []
    for tau in levels:
        for method in LOOKS:
            for questions in MILESTONES:
                for name in ("l1", "avg_regret"):
                    cells = [
                        _cell(runs, method, tau, after(name, questions), AXES[name][1])
                        for runs in ways
                    ]
                    if sum(cell != ABSENT for cell in cells) > 1:
                        what = f"{AXES[name][0]} after {questions}"
                        rows.append([f"({tau:g}, {tau:g})", method, what, *cells])
    head = ["thresholds", "method", "measure", *names_of(ways)]
    return Rows("Errors at equal thresholds, in each way", head, rows, folded=True)


def _cell(runs: Runs, method: str, tau: float, statistic: Statistic, unit: float) -> str:
    outcome = runs.speed(method, tau, tau)
    if outcome is None:
        return ABSENT
    try:
        return _written(unit * statistic(outcome))
    except IndexError:
        return ABSENT


def accuracy_table(ways: Sequence[Runs]) -> Rows:
    """Return the errors of the last estimates of people who must choose, a column a way."""
    rows = []
    for respondent in PEOPLE:
        for name in ("l1", "avg_regret", "wc_regret"):
            cells = []
            for runs in ways:
                outcome = runs.accuracy(respondent)
                values = None if outcome is None else AXES[name][1] * in_the_end(name)(outcome)
                cells.append(ABSENT if values is None else _written(values))
            if sum(cell != ABSENT for cell in cells) > 1:
                rows.append([respondent, AXES[name][0], *cells])
    head = ["person", "measure", *names_of(ways)]
    return Rows("People who must choose, in each way", head, rows)


def _written(values: Array) -> str:
    se = float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return mean_and_error(float(values.mean()), se)


def claims_table(assertions: Sequence[Assertion], ways: Sequence[Runs]) -> Rows:
    """Return what the paper says, and what came of it in each way that measured it."""
    rows = []
    for assertion in assertions:
        judged = [judge(assertion, runs) for runs in ways]
        if sum(one.measured is not None for one in judged) > 1:
            rows.append([assertion.says, paper_text(judged[0]), *map(measured_text, judged)])
    head = ["claim", "paper", *names_of(ways)]
    return Rows("The paper's claims, in each way", head, rows, folded=True)


def paper_text(judged: Judged) -> str:
    """Return what the paper says in a table's cell.

    Examples
    --------
    >>> one = Judged("id", "sec:speed", "says", [None, 0.0], None, None, None, None, "")
    >>> paper_text(one)
    'below 0'
    """
    if isinstance(judged.paper, float):
        return f"{judged.paper:.3g}"
    low, high = judged.paper
    if low is None:
        return f"below {high:.3g}"
    if high is None:
        return f"above {low:.3g}"
    return f"{low:.3g} to {high:.3g}"


def measured_text(judged: Judged) -> str:
    """Return what was measured in a table's cell."""
    if judged.measured is None or judged.se is None:
        return ABSENT
    digits = 3 if abs(judged.measured) >= 0.01 else 2
    return f"{judged.measured:.{digits}g} ± {judged.se:.1g}"
