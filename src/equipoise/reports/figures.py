"""Figures as SVG files: the same bytes for the same numbers, legible on white and on black.

Text stays text, so that it can be searched and read aloud. Each colour has a twin for readers
whose screen is dark; a style sheet in the file puts it in the other's place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Each on light ground, and on dark.
GROUND, INK, FAINT = ("#fdfdfc", "#15181c"), ("#26292e", "#e4e6e9"), ("#dcdee1", "#363b42")
LINES = (
    ("#0b62a4", "#6db6f2"),
    ("#c2540a", "#f5a25d"),
    ("#1a7f4b", "#5fcf95"),
    ("#9a3a8b", "#e394d6"),
    ("#6b5f00", "#d6c545"),
    ("#b3261e", "#ff8f87"),
    ("#4f5b66", "#aab4be"),
    ("#3f4bb8", "#a3acff"),
)
BAND_OPACITY = 0.2
PANEL_SIZE = (3.1, 2.7)  # inches
NAMES_A_ROW = 4
# On a logarithmic scale, how far below the least mean a band is still shown.
ROOM_BELOW = 2.0
# Powers of ten below it are labelled by their exponent.
SHORTEST_WRITTEN_OUT = 0.0005
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "equipoise",
    "font.size": 9.0,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Helvetica", "Arial", "sans-serif"],
    "text.color": INK[0],
    "axes.edgecolor": INK[0],
    "axes.labelcolor": INK[0],
    "axes.titlecolor": INK[0],
    "xtick.color": INK[0],
    "ytick.color": INK[0],
    "axes.facecolor": GROUND[0],
    "figure.facecolor": GROUND[0],
    "savefig.facecolor": GROUND[0],
    "grid.color": FAINT[0],
    "axes.spines.top": False,
    "axes.spines.right": False,
}


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
    """

    mean: ArrayLike
    se: ArrayLike | None = None
    label: str = ""


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
        At most eight, told apart by colour.
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
    for panel in panels:
        if len(panel.lines) > len(LINES):
            raise ValueError(
                f"a panel has {len(panel.lines)} lines, more than {len(LINES)} can't be told apart"
            )
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(SETTINGS):
        width, height = PANEL_SIZE
        figure = Figure((width * len(panels), height), layout="constrained")
        figure.suptitle(title, fontsize="large")
        for axes, panel in zip(
            figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True
        ):
            _draw(axes, panel)
        _legend(figure)
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    Path(path).write_text(_for_readers(text.getvalue(), title), encoding="utf-8")


def _draw(axes: Axes, panel: Panel) -> None:
    x = np.asarray(panel.x, np.float64)
    for (colour, _), line in zip(LINES, panel.lines, strict=False):
        mean = np.asarray(line.mean, np.float64)
        axes.plot(x, mean, color=colour, linewidth=1.6, label=line.label or None)
        if line.se is not None:
            se = np.asarray(line.se, np.float64)
            axes.fill_between(x, mean - se, mean + se, color=colour, alpha=BAND_OPACITY, lw=0)
    means = np.concatenate([np.asarray(line.mean, np.float64) for line in panel.lines])
    if panel.log and (means > 0).any():
        _logarithmic(axes, means[means > 0])
    axes.set_title(panel.title, fontsize="medium", loc="left")
    axes.set_xlabel(panel.x_label)
    axes.grid(visible=True, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(x=0.02)


def _legend(figure: Figure) -> None:
    """Name the lines once, below all panels."""
    named = {
        label: line
        for axes in figure.axes
        for line, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    if named:
        figure.legend(
            named.values(),
            named.keys(),
            loc="outside lower center",
            ncols=min(len(named), NAMES_A_ROW),
            frameon=False,
            fontsize="small",
        )


def _logarithmic(axes: Axes, positive: NDArray[np.float64]) -> None:
    """Make the vertical axis logarithmic; a band that reaches zero ends at its lower edge."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axes.set_yscale("log", nonpositive="clip")
    axes.set_ylim(positive.min() / ROOM_BELOW, positive.max() * ROOM_BELOW)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: power_text(value)))
    axes.yaxis.set_minor_formatter(NullFormatter())


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


def _for_readers(svg: str, title: str) -> str:
    """Return an SVG with a title for screen readers, and colours for dark screens."""
    rules = "".join(
        f'[style*="{name}: {light}"]{{{name}:{dark}!important}}'
        for light, dark in (GROUND, INK, FAINT, *LINES)
        for name in ("fill", "stroke")
    )
    style = f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
    opening = re.compile(r"<svg [^>]*")
    svg = opening.sub(lambda found: found[0] + ' role="img"', svg, count=1)
    start = svg.index(">", svg.index("<svg ")) + 1
    return f"{svg[:start]}\n <title>{escape(title)}</title>\n {style}{svg[start:]}"
