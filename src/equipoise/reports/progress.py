"""A live progress bar on standard error, where that is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text


class RateColumn(ProgressColumn):
    """How many are done in a second, or how many seconds one takes."""

    def render(self, task: Task) -> Text:
        """Return the rate, or nothing while it isn't known."""
        return Text(rate_text(task.finished_speed or task.speed or 0.0), style="dim")


def rate_text(per_second: float) -> str:
    """Return a rate in words, with two digits.

    Examples
    --------
    >>> rate_text(12.34), rate_text(0.25), rate_text(0)
    ('12 a second', '4 s each', '')
    """
    if per_second <= 0:
        return ""
    return f"{per_second:.2g} a second" if per_second >= 1 else f"{1 / per_second:.2g} s each"


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Provide a function that is told how many are done; it shows nothing if nobody looks.

    Examples
    --------
    >>> with progress_bar("people", 2) as progress:
    ...     progress(1)
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda done: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
        TextColumn("left", style="dim"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
