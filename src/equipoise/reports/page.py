"""One page that needs nothing else: text, figures and tables in a single HTML file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files

from equipoise.reports.drawing import Drawing
from equipoise.reports.palette import FAINT, GROUND, INK, NAMES, TWINS

# Letters that are kept on one line.
SHORT = 20
# Colours that the page has already.
OWN = {GROUND[0], INK[0], FAINT[0]}


@dataclass(frozen=True)
class Rows:
    """A table; on a phone each row stands by itself.

    Attributes
    ----------
    title
        What the table shows.
    columns
        The head of each column.
    rows
        Text.
    marks
        Of each row: "good", "bad", "none", or nothing. None marks no row.
    marked
        The column that says so.
    folded
        Whether it's opened by a click.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    marks: Sequence[str] | None = None
    marked: int = -1
    folded: bool = False


@dataclass(frozen=True)
class Note:
    """A remark that stands out.

    Attributes
    ----------
    text
        What it says.
    warns
        Whether something is missing or otherwise than it should be.
    """

    text: str
    warns: bool = False


@dataclass(frozen=True)
class Exhibit:
    """A figure beside what it shows.

    Attributes
    ----------
    anchor
        Its name within the page.
    title
        What it's called.
    drawing
        The figure, or why there is none.
    caption
        What it shows.
    table
        What it bears out.
    """

    anchor: str
    title: str
    drawing: Drawing | str
    caption: str
    table: Rows | None = None


Part = str | Rows | Note | Exhibit


@dataclass(frozen=True)
class Section:
    """A part of a page: paragraphs, tables, remarks, figures, in order."""

    anchor: str
    title: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Page:
    """A page.

    Attributes
    ----------
    title
        Its name.
    lead
        Paragraphs and remarks below the name.
    counts
        Numbers at the top: what they count, and "good", "bad" or "none".
    sections
        The parts.
    foot
        What stands at the end.
    """

    title: str
    lead: Sequence[str | Note]
    sections: Sequence[Section]
    counts: Sequence[tuple[str, str]] = field(default_factory=list)
    foot: str = ""


def page_html(page: Page) -> str:
    """Return a page as one file.

    Text may hold `code` between backticks; everything else is shown as it is.

    Examples
    --------
    >>> text = page_html(Page("Title", ["A < b"], [Section("one", "One", ["`x`"])]))
    >>> "A &lt; b" in text, "<code>x</code>" in text, "http" in text
    (True, True, False)
    """
    counts = "".join(
        f'<span class="count {mark}">{_text(what)}</span>' for what, mark in page.counts
    )
    links = "".join(
        f'<li><a href="#{section.anchor}">{_text(section.title)}</a></li>'
        for section in page.sections
    )
    body = [
        "<header>",
        f"<h1>{_text(page.title)}</h1>",
        *(_part(part) for part in page.lead),
        f'<p class="counts">{counts}</p>' if counts else "",
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>',
        "</header>",
        "<main>",
        *(_section(section) for section in page.sections),
        "</main>",
        f"<footer><p>{_text(page.foot)}</p></footer>" if page.foot else "",
    ]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_text(page.title)}</title>",
            f"<style>\n{_style()}</style>",
            "</head>",
            "<body>",
            *filter(None, body),
            "</body>",
            "</html>",
            "",
        ]
    )


def _style() -> str:
    """Return the style sheet, with the figures' colours."""
    sheet = files("equipoise.reports").joinpath("page.css").read_text(encoding="utf-8")
    colours = [(name, light) for light, name in NAMES.items() if light not in OWN]
    light = " ".join(f"--{name}: {colour};" for name, colour in colours)
    dark = " ".join(f"--{name}: {TWINS[colour]};" for name, colour in colours)
    return sheet.replace("/* light colours */", light).replace("/* dark colours */", dark)


def _text(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


def _section(section: Section) -> str:
    parts = "\n".join(_part(part) for part in section.parts)
    title = f'<h2 id="{section.anchor}">{_text(section.title)}</h2>'
    return f"<section>\n{title}\n{parts}\n</section>"


def _part(part: Part) -> str:
    if isinstance(part, str):
        return f"<p>{_text(part)}</p>"
    if isinstance(part, Note):
        return f'<p class="note{" warn" if part.warns else ""}">{_text(part.text)}</p>'
    if isinstance(part, Rows):
        return f'<div class="card">{_rows(part)}</div>'
    return _exhibit(part)


def _exhibit(exhibit: Exhibit) -> str:
    if isinstance(exhibit.drawing, str):
        shown = _part(Note(exhibit.drawing, warns=True))
    else:
        shown = (
            f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(exhibit.title)}">'
            f"{exhibit.drawing.inline(exhibit.anchor)}</div>"
            '<p class="hint">Wider than the screen: scroll sideways.</p>'
        )
    table = _rows(exhibit.table) if exhibit.table else ""
    return (
        f'<div class="card" id="{exhibit.anchor}">\n<h3>{_text(exhibit.title)}</h3>\n'
        f"<figure>{shown}<figcaption>{_text(exhibit.caption)}</figcaption></figure>\n{table}</div>"
    )


def _rows(table: Rows) -> str:
    marks: Iterable[str] = table.marks or [""] * len(table.rows)
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in table.columns)
    body = "\n".join(
        f'<tr class="{mark}">{_cells(table, row)}</tr>'
        for row, mark in zip(table.rows, marks, strict=True)
    )
    caption = "" if table.folded else f"<caption>{_text(table.title)}</caption>"
    text = f"<table>{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
    if table.folded:
        return f"<details><summary>{_text(table.title)}</summary>{text}</details>"
    return text


def _cells(table: Rows, row: Sequence[str]) -> str:
    marked = table.marked % len(row) if table.marks else None
    cells = []
    for k, (name, cell) in enumerate(zip(table.columns, row, strict=True)):
        kinds = ["mark"] * (k == marked) + ["short"] * (k > 0 and len(cell) <= SHORT)
        kind = f' class="{" ".join(kinds)}"' if kinds else ""
        cells.append(f'<td data-head="{escape(name)}"{kind}>{_text(cell)}</td>')
    return "".join(cells)
