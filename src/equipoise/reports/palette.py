"""Colours, each with its twin for dark screens, and what Matplotlib is told to begin with."""

from __future__ import annotations

from typing import Any

# Each on light ground, and on dark.
GROUND, INK, FAINT = ("#fdfdfc", "#15181c"), ("#26292e", "#e4e6e9"), ("#dcdee1", "#363b42")
LINES = (
    ("#0b62a4", "#6db6f2"),
    ("#c2540a", "#f5a25d"),
    ("#11878c", "#5fcdd2"),
    ("#9a3a8b", "#e394d6"),
    ("#6b5f00", "#d6c545"),
    ("#b3261e", "#ff8f87"),
    ("#4f5b66", "#aab4be"),
    ("#3f4bb8", "#a3acff"),
)
# Parts of a whole: two that are opposed, one that is neither, one that is both (drawn hatched).
PARTS = (
    ("#0a5763", "#7fcbd4"),
    ("#4f95a1", "#3f8390"),
    ("#8c8675", "#a39c88"),
    ("#8e3b63", "#d683ab"),
)
# What a page that holds a figure calls each of them.
NAMES = {
    GROUND[0]: "surface",
    INK[0]: "ink",
    FAINT[0]: "line",
    **{light: f"line-{k}" for k, (light, _) in enumerate(LINES)},
    **{light: f"part-{k}" for k, (light, _) in enumerate(PARTS)},
}
TWINS = dict((GROUND, INK, FAINT, *LINES, *PARTS))
# Points: what is written small, such as the names in a legend.
SMALL = 9.5
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "equipoise",
    "font.size": 10.5,
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
