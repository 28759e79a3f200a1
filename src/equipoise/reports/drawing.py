"""A drawing: one figure as SVG whose text stays text, as PNG, and as a part of a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from equipoise.reports.palette import NAMES, SETTINGS, TWINS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS_PER_INCH = 144
# A tenth of a device's pixel: more decimals are not seen, and are most of a file.
DECIMALS = 2


@dataclass(frozen=True, eq=False)
class Drawing:
    """One figure.

    Attributes
    ----------
    title
        What it shows, for whoever has it read aloud.
    svg
        As a file; it brings its colours for dark screens along.
    png
        The same as pixels, on light ground.
    """

    title: str
    svg: str
    png: bytes

    def write(self, folder: Path, name: str) -> list[Path]:
        """Write `name.svg` and `name.png`, and return the files."""
        as_text, as_pixels = folder / f"{name}.svg", folder / f"{name}.png"
        as_text.write_text(self.svg, encoding="utf-8")
        as_pixels.write_bytes(self.png)
        return [as_text, as_pixels]

    def inline(self, prefix: str) -> str:
        """Return it as a part of a page, in the page's colours.

        Parameters
        ----------
        prefix
            Goes before every name within, so that several drawings can share a page.
        """
        svg = re.sub(r"<style>.*?</style>|<!--.*?-->", "", self.svg, flags=re.DOTALL)
        svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
        svg = svg[svg.index("<svg ") :]
        svg = re.sub(r' xmlns(?::\w+)?="[^"]*"', "", svg).replace("xlink:href", "href")
        used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg))
        names = {name for pair in used for name in pair if name}
        svg = re.sub(
            r' id="([^"]+)"',
            lambda found: f' id="{prefix}-{found[1]}"' if found[1] in names else "",
            svg,
        )
        svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}-", svg)
        for colour, name in NAMES.items():
            svg = svg.replace(colour, f"var(--{name})")
        return svg


def draw(title: str, size: tuple[float, float], paint: Callable[[Figure], None]) -> Drawing:
    """Return what a function paints on an empty figure.

    Parameters
    ----------
    title
        What it shows.
    size
        Width and height, in inches.
    paint
        Paints.

    Examples
    --------
    >>> drawing = draw("A line", (2, 1), lambda figure: figure.subplots().plot([1, 2]) and None)
    >>> drawing.svg.count("<title>A line</title>"), drawing.png[1:4]
    (1, b'PNG')
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(SETTINGS):
        figure = Figure(size, layout="constrained")
        paint(figure)
        # Laying out takes longest: once for both files.
        layout = figure.get_layout_engine()
        if layout is not None:
            layout.execute(figure)
            figure.set_layout_engine("none")
        text, pixels = StringIO(), BytesIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        figure.savefig(pixels, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    return Drawing(title, _for_readers(text.getvalue(), title), pixels.getvalue())


def _for_readers(svg: str, title: str) -> str:
    """Return an SVG with a title for screen readers, and colours for dark screens."""
    svg = re.sub(r"<[^>]*>", lambda tag: _rounded(tag[0]), svg)
    rules = "".join(
        f'[style*="{name}: {light}"],[{name}="{light}"]{{{name}:{dark}!important}}'
        for light, dark in TWINS.items()
        for name in ("fill", "stroke")
    )
    style = f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
    opening = re.compile(r"<svg [^>]*")
    svg = opening.sub(lambda found: found[0] + ' role="img"', svg, count=1)
    start = svg.index(">", svg.index("<svg ")) + 1
    return f"{svg[:start]}\n <title>{escape(title)}</title>\n {style}{svg[start:]}"


def _rounded(tag: str) -> str:
    """Return a tag with few decimals. What stands between tags is read by people, and stays."""
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.{DECIMALS}f}", tag)
