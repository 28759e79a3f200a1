"""The figures of `sec:accuracy` and its appendix: people who are torn and must choose a side."""

from __future__ import annotations

import math

from equipoise.experiments.claims import Statistic, extra_on_top, in_the_end, toward_profile
from equipoise.experiments.paper.runs import Runs
from equipoise.experiments.summaries import mean_and_error
from equipoise.reports.drawing import Drawing
from equipoise.reports.points import Point, PointPanel, point_row

# Who it is, and in which colour: whoever answers as the learner assumes, and the three who don't.
PEOPLE = {"correct": 6, "fifty-fifty": 0, "lexicographic": 1, "self-similar": 3}


def three_panels(title: str, runs: Runs) -> Drawing | None:
    """Return the errors of the last estimates, of all four kinds of people.

    Paper: fig:threepanel
    """
    panels = [
        _panel(runs, "(a) l1 error", in_the_end("l1"), 1),
        _panel(runs, "(b) average regret, %", in_the_end("avg_regret"), 100),
        _panel(runs, "(c) worst-case regret, %", in_the_end("wc_regret"), 100),
    ]
    return _figure(title, panels)


def directions(title: str, runs: Runs) -> Drawing | None:
    """Return in which direction the last estimates err.

    Paper: fig:biasdecomp
    """
    panels = [
        _panel(runs, "(a) extra weight on the top priority", extra_on_top, 1),
        _panel(runs, "(b) error along the own features", toward_profile, 1),
    ]
    return _figure(title, panels)


def cosines(title: str, runs: Runs) -> Drawing | None:
    """Return how much the last estimates point the way of the true weights.

    Paper: fig:cosine
    """
    return _figure(title, [_panel(runs, "cosine similarity", in_the_end("cosine"), 1, False)])


def _figure(title: str, panels: list[PointPanel]) -> Drawing | None:
    return point_row(title, panels) if panels[0].points else None


def _panel(
    runs: Runs, title: str, statistic: Statistic, unit: float, from_zero: bool = True
) -> PointPanel:
    points = []
    for respondent, colour in PEOPLE.items():
        outcome = runs.accuracy(respondent)
        if outcome is None:
            continue
        values = unit * statistic(outcome)
        mean = float(values.mean())
        many = len(values) > 1
        se = float(values.std(ddof=1)) / math.sqrt(len(values)) if many else math.nan
        points.append(Point(respondent, mean, se, mean_and_error(mean, se), colour))
    return PointPanel(title, points, from_zero)
