"""Lines with bands: panels side by side, and grids of panels that share their axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.reports.drawing import Drawing, draw
from equipoise.reports.palette import LINES, SMALL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LineStyle = Literal["solid", "dashed", "dotted", "dashdot"]

BAND_OPACITY = 0.2
PANEL_SIZE = (3.1, 2.7)  # inches
SMALL_PANEL = (2.2, 1.9)
MARGIN = (1.0, 1.3)  # what labels and the legend take
NAMES_A_ROW, NAMES_A_COLUMN = 4, 1.7
# On a logarithmic scale, how far below the least mean a band is still shown.
ROOM_BELOW = 2.0
# And below what share of the greatest mean nothing is.
LEAST_SHOWN = 1e-4
# With less than this between the greatest and the least, 2 and 5 times powers of ten are labelled.
FEW_DECADES = 50.0
# Powers of ten below it are labelled by their exponent.
SHORTEST_WRITTEN_OUT = 0.0005
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, eq=False)
class Line:
    """A line with a band around it.

    Attributes
    ----------
    mean
        Shape (n,).
    se
        Half the width of the band; shape (n,). None, or what isn't a number, draws no band.
    label
        What the legend calls it, the same in every panel; nothing if empty.
    colour
        Which of the eight colours; the line's place among those of its panel if None.
    style
        Solid, or interrupted in one of three ways.
    """

    mean: ArrayLike
    se: ArrayLike | None = None
    label: str = ""
    colour: int | None = None
    style: LineStyle = "solid"


@dataclass(frozen=True, eq=False)
class Panel:
    """One plot of a figure.

    Attributes
    ----------
    title
        What is on the vertical axis.
    x
        Shape (n,), shared by all lines.
    lines
        At most eight, told apart by colour or style.
    x_label
        What is on the horizontal axis.
    log
        Whether the vertical axis is logarithmic, where any mean is above zero.
    """

    title: str
    x: ArrayLike
    lines: Sequence[Line]
    x_label: str = ""
    log: bool = False


def curves(path: str | Path, title: str, panels: Sequence[Panel]) -> None:
    """Write a figure of panels side by side, lines with bands, to an SVG file.

    Examples
    --------
    >>> import tempfile
    >>> panel = Panel("error", [1, 2, 3], [Line([0.9, 0.5, 0.2], [0.1, 0.1, 0.05])], "questions")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     curves(Path(folder, "error.svg"), "An example", [panel])
    ...     "questions" in Path(folder, "error.svg").read_text(encoding="utf-8")
    True
    """
    Path(path).write_text(curve_row(title, panels, headed=True).svg, encoding="utf-8")


def curve_row(title: str, panels: Sequence[Panel], *, headed: bool = False) -> Drawing:
    """Return a figure of panels side by side, lines with bands; its title above them if headed."""
    for panel in panels:
        if len(panel.lines) > len(LINES):
            raise ValueError(
                f"a panel has {len(panel.lines)} lines, more than {len(LINES)} can't be told apart"
            )
    width, height = PANEL_SIZE

    def paint(figure: Figure) -> None:
        if headed:
            figure.suptitle(title, fontsize="large")
        places = figure.subplots(1, len(panels), squeeze=False)[0]
        for axes, panel in zip(places, panels, strict=True):
            _draw(axes, panel)
            axes.set_title(panel.title, fontsize="medium", loc="left")
            axes.set_xlabel(panel.x_label)
            means = _means([panel])
            if panel.log and (means > 0).any():
                _logarithmic(axes, means[means > 0])
        _legend(figure)

    return draw(title, (width * len(panels), height), paint)


@dataclass(frozen=True, eq=False)
class Grid:
    """Panels in rows and columns.

    Attributes
    ----------
    panels
        Row by row; a panel that is None stays empty.
    rows
        What stands to the left of each row.
    columns
        What stands above each column.
    x_label
        What is on every horizontal axis.
    y_label
        What is on every vertical axis, if the rows' names don't say it.
    share
        Whether vertical axes are the same in each row or in all panels.
    """

    panels: Sequence[Sequence[Panel | None]]
    rows: Sequence[str]
    columns: Sequence[str]
    x_label: str
    y_label: str = ""
    share: Literal["row", "all"] = "row"


def curve_grid(title: str, grid: Grid) -> Drawing:
    """Return a figure of panels in rows and columns, lines with bands.

    Examples
    --------
    >>> panel = Panel("", [1, 2, 3], [Line([0.9, 0.5, 0.2], [0.1, 0.1, 0.05], "one")])
    >>> drawing = curve_grid("Errors", Grid([[panel, panel]], ["error"], ["low", "high"], "n"))
    >>> "low" in drawing.svg and "error" in drawing.svg
    True
    """
    rows, columns = len(grid.rows), len(grid.columns)
    (width, height), (left, below) = SMALL_PANEL, MARGIN

    def paint(figure: Figure) -> None:
        places = figure.subplots(rows, columns, squeeze=False, sharex=True)
        for axes_row, panels in zip(places, grid.panels, strict=True):
            for axes, panel in zip(axes_row, panels, strict=True):
                if panel is None:
                    axes.set_axis_off()
                else:
                    _draw(axes, panel)
        groups = [list(places.ravel())] if grid.share == "all" else [list(row) for row in places]
        drawn = [grid.panels] if grid.share == "all" else [[row] for row in grid.panels]
        for group, part in zip(groups, drawn, strict=True):
            _same_axis(group, [panel for row in part for panel in row if panel is not None])
        for axes, name in zip(places[0], grid.columns, strict=True):
            axes.set_title(name, fontsize="medium")
        for axes, name in zip(places[:, 0], grid.rows, strict=True):
            axes.set_ylabel(name)
        for axes in places[:, 1:].ravel():
            axes.tick_params(labelleft=False)
        figure.supxlabel(grid.x_label, fontsize="medium")
        if grid.y_label:
            figure.supylabel(grid.y_label, fontsize="medium")
        _legend(figure, "outside upper center", columns * NAMES_A_COLUMN)

    return draw(title, (left + width * columns, below + height * rows), paint)


def _same_axis(group: Sequence[Axes], panels: Sequence[Panel]) -> None:
    """Give panels the same vertical axis."""
    means = _means(panels)
    positive = means[means > 0]
    log = bool(panels) and panels[0].log and positive.size > 0
    if not log:
        limits = [axes.get_ylim() for axes in group if axes.axison]
    for axes in group:
        if not axes.axison:
            continue
        if log:
            _logarithmic(axes, positive)
        else:
            axes.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))


def _means(panels: Sequence[Panel]) -> NDArray[np.float64]:
    """Return all means that are numbers."""
    parts = [np.asarray(line.mean, np.float64) for panel in panels for line in panel.lines]
    means = np.concatenate(parts) if parts else np.empty(0)
    return means[np.isfinite(means)]


def _draw(axes: Axes, panel: Panel) -> None:
    x = np.asarray(panel.x, np.float64)
    for place, line in enumerate(panel.lines):
        colour, _ = LINES[place if line.colour is None else line.colour]
        mean = np.asarray(line.mean, np.float64)
        label = line.label or None
        axes.plot(x, mean, color=colour, linewidth=1.6, linestyle=line.style, label=label)
        if line.se is not None:
            se = np.asarray(line.se, np.float64)
            axes.fill_between(x, mean - se, mean + se, color=colour, alpha=BAND_OPACITY, lw=0)
    axes.grid(visible=True, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(x=0.02)


def _legend(
    figure: Figure,
    where: Literal["outside lower center", "outside upper center"] = "outside lower center",
    names_a_row: float = NAMES_A_ROW,
) -> None:
    """Name the lines once, below or above all panels."""
    named = {
        label: line
        for axes in figure.axes
        for line, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    if named:
        figure.legend(
            named.values(),
            named.keys(),
            loc=where,
            ncols=min(len(named), int(names_a_row)),
            frameon=False,
            fontsize=SMALL,
            handlelength=3,
        )


def _logarithmic(axes: Axes, positive: NDArray[np.float64]) -> None:
    """Make the vertical axis logarithmic; a band that reaches zero ends at its lower edge."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axes.set_yscale("log", nonpositive="clip")
    lowest = max(positive.min(), positive.max() * LEAST_SHOWN)
    axes.set_ylim(lowest / ROOM_BELOW, positive.max() * ROOM_BELOW)
    close = positive.max() / lowest < FEW_DECADES and lowest > ROOM_BELOW * SHORTEST_WRITTEN_OUT
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if close else (1,)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: power_text(value)))
    axes.yaxis.set_minor_locator(NullLocator())


def power_text(value: float) -> str:
    """Return a power of ten as a label: short ones written out.

    Examples
    --------
    >>> print(power_text(10), power_text(0.001), power_text(1e-5))
    10 0.001 10⁻⁵
    """
    if SHORTEST_WRITTEN_OUT <= value < 1 / SHORTEST_WRITTEN_OUT:
        return f"{value:g}"
    return "10" + f"{np.log10(value):.0f}".translate(SUPERSCRIPTS)
