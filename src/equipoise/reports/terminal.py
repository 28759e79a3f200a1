"""Tables and text for a terminal; plain where the output is not one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

# Longer lines are hard to follow.
READABLE_WIDTH = 88


@dataclass(frozen=True)
class Table:
    """A table with a title; numbers stand to the right.

    Attributes
    ----------
    title
        What the table shows.
    columns
        The head of each column.
    rows
        Text or numbers; numbers are shown with at most four decimals.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str | float]]

    def print_to(self, console: Console) -> None:
        """Print the table."""
        table = RichTable(box=None)
        for i, column in enumerate(self.columns):
            numeric = all(not isinstance(row[i], str) for row in self.rows)
            table.add_column(column, justify="right" if numeric else "left", header_style="dim")
        for row in self.rows:
            table.add_row(*(Text(number_text(cell)) for cell in row))
        console.print(Text(self.title, style="bold"))
        console.print(table)
        console.print()


def print_story(parts: Iterable[str | Table]) -> None:
    """Print paragraphs and tables to standard output, paragraphs no wider than is readable."""
    console = Console(highlight=False)
    for part in parts:
        if isinstance(part, Table):
            part.print_to(console)
        else:
            console.print(Text(part), width=min(console.width, READABLE_WIDTH))
            console.print()


def number_text(cell: str | float) -> str:
    """Return text as it is, and a number with at most four decimals.

    Examples
    --------
    >>> number_text(0.5), number_text(-0.0), number_text(1 / 3)
    ('0.5', '0', '0.3333')
    """
    if isinstance(cell, str):
        return cell
    text = f"{cell:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
