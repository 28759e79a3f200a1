"""Shares of a whole on a grid: in each cell a bar, cut into its parts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from equipoise.reports.drawing import Drawing, draw
from equipoise.reports.palette import GROUND, PARTS, SMALL

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLOCK = (3.0, 2.5)  # inches
MARGIN = (0.6, 0.9)
BLOCKS_A_ROW = 4
BAR = (0.88, 0.72)
# Each part's colour, and whether it's hatched: the one that is both, and the last, which is either
# of the two before it.
LOOKS = ((0, False), (1, False), (2, False), (3, True), (2, True))


@dataclass(frozen=True)
class Block:
    """One grid of bars.

    Attributes
    ----------
    title
        What stands above it.
    cells
        (row, column) -> the parts' shares, which sum to one; a cell that is not there stays empty.
    """

    title: str
    cells: Mapping[tuple[int, int], Sequence[float]]


@dataclass(frozen=True)
class Scale:
    """What the rows and columns of every block are.

    Attributes
    ----------
    parts
        The parts' names, at most five; those that are nowhere go unnamed.
    rows, columns
        What stands at each.
    row_label, column_label
        What stands at the two axes.
    """

    parts: Sequence[str]
    rows: Sequence[str]
    columns: Sequence[str]
    row_label: str
    column_label: str


def share_blocks(title: str, blocks: Sequence[Block], scale: Scale) -> Drawing:
    """Return a figure of blocks side by side; the first row is at the bottom.

    Examples
    --------
    >>> scale = Scale(["yes", "no"], ["0"], ["0", "1"], "rows", "columns")
    >>> "yes" in share_blocks("Shares", [Block("A", {(0, 1): [0.4, 0.6]})], scale).svg
    True
    """
    across = min(len(blocks), BLOCKS_A_ROW)
    down = math.ceil(len(blocks) / across)
    (width, height), (left, below) = BLOCK, MARGIN

    def paint(figure: Figure) -> None:
        from matplotlib.patches import Patch

        places = figure.subplots(down, across, squeeze=False)
        for k, axes in enumerate(places.ravel()):
            if k < len(blocks):
                _draw(axes, blocks[k], scale)
            else:
                axes.set_axis_off()
        figure.supxlabel(scale.column_label, fontsize="medium")
        figure.supylabel(scale.row_label, fontsize="medium")
        named: list[Artist] = [
            Patch(label=name, **_look(part))
            for part, name in enumerate(scale.parts)
            if any(cell[part] > 0 for block in blocks for cell in block.cells.values())
        ]
        figure.legend(
            handles=named,
            loc="outside upper center",
            ncols=len(named),
            frameon=False,
            fontsize=SMALL,
        )

    return draw(title, (left + width * across, below + height * down), paint)


def _look(part: int) -> dict[str, Any]:
    """Return how a part is filled; a gap of ground is left between parts."""
    colour, hatched = LOOKS[part]
    return {
        "facecolor": PARTS[colour][0],
        "edgecolor": GROUND[0],
        "linewidth": 0.8,
        "hatch": "////" if hatched else None,
    }


def _draw(axes: Axes, block: Block, scale: Scale) -> None:
    wide, high = BAR
    for (row, column), shares in block.cells.items():
        start = column - wide / 2
        for part, share in enumerate(shares):
            if share > 0:
                axes.barh(row, wide * share, high, left=start, **_look(part))
            start += wide * share
    axes.set_xticks(range(len(scale.columns)), scale.columns)
    axes.set_yticks(range(len(scale.rows)), scale.rows)
    axes.set_xlim(-0.6, len(scale.columns) - 0.4)
    axes.set_ylim(-0.6, len(scale.rows) - 0.4)
    axes.set_title(block.title, fontsize="medium", loc="left")
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
