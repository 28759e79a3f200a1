"""Diagrams: things ranked in levels, and the way from dots to a place on a map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from equipoise.reports.drawing import Drawing, draw
from equipoise.reports.palette import GROUND, INK, LINES, PARTS, SMALL
from equipoise.reports.points import DotRow, draw_dots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEVEL_ROW = (7.6, 1.15)  # inches
WAY = (13.0, 4.0)
LARGEST_CIRCLE, LEAST_CIRCLE = 1500.0, 260.0  # square points
MAP_OPACITY = 0.35


@dataclass(frozen=True)
class Levels:
    """A weak order: how many things stand on each level.

    Attributes
    ----------
    name
        Whose order it is.
    counts
        How many things there are on each level, the best first.
    marks
        Written below each level.
    """

    name: str
    counts: Sequence[int]
    marks: Sequence[str]


def level_rows(title: str, rows: Sequence[Levels], best: str, worst: str) -> Drawing:
    """Return a figure of orders below each other: a circle a level, larger for more things.

    Examples
    --------
    >>> "size" in level_rows("Orders", [Levels("size", [1, 3], ["1", "0"])], "best", "worst").svg
    True
    """
    width, each = LEVEL_ROW

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        largest = max(max(row.counts) for row in rows)
        for place, row in enumerate(rows):
            _levels(axes, row, place, largest)
        axes.set_yticks(range(len(rows)), [row.name for row in rows])
        axes.set_xticks([0, 1], [best, worst])
        axes.set_xlim(-0.1, 1.1)
        axes.set_ylim(len(rows) - 0.45, -0.55)
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)

    return draw(title, (width, 0.6 + each * len(rows)), paint)


def _levels(axes: Axes, row: Levels, place: int, largest: int) -> None:
    x = np.linspace(0, 1, len(row.counts)) if len(row.counts) > 1 else np.array([0.5])
    axes.plot([x[0], x[-1]], [place, place], color=INK[0], linewidth=1, zorder=1)
    share = np.asarray(row.counts) / largest
    areas = LEAST_CIRCLE + (LARGEST_CIRCLE - LEAST_CIRCLE) * share
    axes.scatter(x, [place] * len(x), s=areas, color=GROUND[0], edgecolor=LINES[0][0], zorder=2)
    for where, count, mark in zip(x, row.counts, row.marks, strict=True):
        axes.text(where, place, str(count), ha="center", va="center", zorder=3)
        axes.annotate(
            mark,
            (where, place),
            xytext=(0, -29),
            textcoords="offset points",
            ha="center",
            fontsize=SMALL,
        )


@dataclass(frozen=True, eq=False)
class Map:
    """A plane divided into regions, and a place on it.

    Attributes
    ----------
    names
        The regions' names, at most four.
    codes
        Which region each point of the plane belongs to, the vertical axis first; shape (n, n).
    extent
        Up to where both axes go, from zero.
    place
        (x, y).
    labels
        What is on the two axes.
    """

    names: Sequence[str]
    codes: NDArray[np.intp]
    extent: float
    place: tuple[float, float]
    labels: tuple[str, str]


@dataclass(frozen=True)
class Opposed:
    """What is said for and against, by one or by all."""

    name: str
    favour: float
    against: float


@dataclass(frozen=True, eq=False)
class Way:
    """From dots to evidence to a place on a map.

    Attributes
    ----------
    dots
        The first step.
    dots_label, bars_label
        What is on the horizontal axes of the first two steps.
    bars
        The second.
    map
        The third.
    titles
        Of the three.
    """

    dots: Sequence[DotRow]
    dots_label: str
    bars: Sequence[Opposed]
    bars_label: str
    map: Map
    titles: tuple[str, str, str]


def way(title: str, steps: Way) -> Drawing:
    """Return a figure of three steps, from left to right."""

    def paint(figure: Figure) -> None:
        first, second, third = figure.subplots(1, 3, width_ratios=[1.1, 1.1, 1])
        draw_dots(first, steps.dots, steps.dots_label)
        _opposed(second, steps.bars, steps.bars_label)
        _map(third, steps.map)
        for axes, name in zip((first, second, third), steps.titles, strict=True):
            axes.set_title(name, fontsize="medium", loc="left")

    return draw(title, WAY, paint)


def _opposed(axes: Axes, bars: Sequence[Opposed], label: str) -> None:
    """Draw for to the right of zero, and against to the left."""
    for place, bar in enumerate(bars):
        axes.barh(place, bar.favour, 0.5, color=PARTS[0][0])
        axes.barh(place, -bar.against, 0.5, color=PARTS[1][0])
        for value, side in ((bar.favour, 1), (bar.against, -1)):
            axes.annotate(
                f"{value:.2g}",
                (side * value, place),
                xytext=(side * 5, 0),
                textcoords="offset points",
                ha="left" if side > 0 else "right",
                va="center",
                fontsize=SMALL,
            )
    axes.axvline(0, color=INK[0], linewidth=0.8)
    largest = max(max(bar.favour, bar.against) for bar in bars) or 1.0
    axes.set_xlim(-1.35 * largest, 1.35 * largest)
    axes.xaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    axes.set_yticks(range(len(bars)), [bar.name for bar in bars])
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.set_xlabel(label)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _map(axes: Axes, regions: Map) -> None:
    size = len(regions.codes)
    ticks = np.linspace(0, regions.extent, size)
    for code, name in enumerate(regions.names):
        inside = regions.codes == code
        if not inside.any():
            continue
        colour = PARTS[code][0]
        axes.contourf(
            ticks, ticks, inside.astype(float), [0.5, 1.5], colors=[colour], alpha=MAP_OPACITY
        )
        down, across = np.nonzero(inside)
        axes.text(
            ticks[int(np.median(across))],
            ticks[int(np.median(down))],
            name,
            ha="center",
            va="center",
            fontsize=SMALL,
        )
    axes.plot(*regions.place, color=INK[0], marker="o", markersize=8)
    axes.set_xlabel(regions.labels[0])
    axes.set_ylabel(regions.labels[1])
    axes.set_aspect("equal")
