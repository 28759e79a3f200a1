"""Means with error bars, and dots on a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from equipoise.reports.drawing import Drawing, draw
from equipoise.reports.palette import GROUND, INK, LINES, SMALL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINT_PANEL = (3.4, 0.42, 1.0)  # inches: width, height of a point, and of the rest
DOT_ROW = (6.6, 0.85, 1.0)
NAMES_TAKE = 1.3
# Values nearer than this are drawn in one place, above each other.
SAME_PLACE = 1e-9
# Of the distance between rows: how far dots stand above each other, how high they reach, and how
# far those of the largest size (points) may stand without touching.
STEP_UP, TALLEST, TOUCHING = 0.16, 0.72, 0.13
LARGEST_DOT = 6.5


@dataclass(frozen=True)
class Point:
    """A mean, its standard error, and how the figure writes it.

    Attributes
    ----------
    name
        What it is the mean of.
    mean, se
        Where it stands, and half the length of its bar; one that isn't a number has no bar.
    text
        Written beside it.
    colour
        Which of the eight colours.
    """

    name: str
    mean: float
    se: float
    text: str
    colour: int = 0


@dataclass(frozen=True)
class PointPanel:
    """Points below each other.

    Attributes
    ----------
    title
        What is on the horizontal axis.
    points
        From top to bottom; the same names in every panel of a figure.
    from_zero
        Whether zero is on the axis, as a line.
    """

    title: str
    points: Sequence[Point]
    from_zero: bool = True


def point_row(title: str, panels: Sequence[PointPanel]) -> Drawing:
    """Return a figure of panels side by side, means with a bar of one standard error either way.

    Examples
    --------
    >>> panel = PointPanel("error", [Point("one", 0.2, 0.1, "0.20"), Point("two", 0.4, 0.1, "")])
    >>> "two" in point_row("Errors", [panel]).svg
    True
    """
    width, each, rest = POINT_PANEL
    size = (NAMES_TAKE + width * len(panels), rest + each * len(panels[0].points))

    def paint(figure: Figure) -> None:
        places = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
        for axes, panel in zip(places, panels, strict=True):
            _points(axes, panel)
        names = [point.name for point in panels[0].points]
        places[0].set_yticks(range(len(names)), names)
        places[0].set_ylim(len(names) - 0.4, -0.6)

    return draw(title, size, paint)


def _points(axes: Axes, panel: PointPanel) -> None:
    if panel.from_zero:
        axes.axvline(0, color=INK[0], linewidth=0.8)
        axes.spines["left"].set_visible(False)
    for place, point in enumerate(panel.points):
        colour, _ = LINES[point.colour]
        if np.isfinite(point.se):
            ends = [point.mean - point.se, point.mean + point.se]
            axes.plot(ends, [place, place], color=colour, linewidth=2)
        axes.plot([point.mean], [place], color=colour, marker="o", markersize=7)
        axes.annotate(
            point.text,
            (point.mean, place),
            xytext=(0, 7),
            textcoords="offset points",
            ha="center",
            fontsize=SMALL,
            bbox={"facecolor": GROUND[0], "edgecolor": "none", "pad": 0.5},
        )
    axes.set_title(panel.title, fontsize="medium", loc="left")
    axes.grid(visible=True, axis="x", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(x=0.18)
    axes.locator_params(axis="x", nbins=5)
    axes.tick_params(axis="y", length=0)


@dataclass(frozen=True, eq=False)
class DotRow:
    """Values on a line, a dot each; equal ones above each other.

    Attributes
    ----------
    name
        What stands to the left.
    remark
        What stands to the right.
    values
        Shape (n,).
    """

    name: str
    remark: str
    values: ArrayLike


def dot_rows(title: str, rows: Sequence[DotRow], x_label: str) -> Drawing:
    """Return a figure of values on lines below each other, around zero.

    Examples
    --------
    >>> "left" in dot_rows("Dots", [DotRow("left", "both", [-1.0, -1.0])], "value").svg
    True
    """
    width, each, rest = DOT_ROW

    def paint(figure: Figure) -> None:
        draw_dots(figure.subplots(), rows, x_label)

    return draw(title, (width, rest + each * len(rows)), paint)


def draw_dots(axes: Axes, rows: Sequence[DotRow], x_label: str) -> None:
    """Draw lines of dots below each other."""
    largest = max(float(np.abs(np.asarray(row.values)).max()) for row in rows) or 1.0
    axes.axvline(0, color=INK[0], linewidth=0.8)
    for place, row in enumerate(rows):
        axes.axhline(place, color=INK[0], linewidth=0.4)
        values = np.asarray(row.values, np.float64)
        for value, count in sorted(Counter(np.round(values / SAME_PLACE)).items()):
            x = value * SAME_PLACE
            colour, _ = LINES[0 if x > 0 else 1 if x < 0 else 6]
            step = min(STEP_UP, TALLEST / count)
            size = min(LARGEST_DOT, LARGEST_DOT * step / TOUCHING)
            heights = place - step * np.arange(count)
            axes.plot([x] * count, heights, color=colour, marker="o", markersize=size, ls="")
        if row.remark:
            axes.annotate(
                row.remark,
                (1, place),
                xycoords=("axes fraction", "data"),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                fontsize=SMALL,
            )
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.set_ylim(len(rows) - 0.6, -0.85)
    axes.set_xlim(-1.15 * largest, 1.15 * largest)
    axes.set_xlabel(x_label)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
