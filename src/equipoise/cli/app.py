"""The program: what belongs to no command."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

INTERRUPTED = 130  # what shells expect of a program that Ctrl-C ended

app = typer.Typer(
    help="Learn how one person wants a decision rule to behave, and where they are torn.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("equipoise"))
        raise typer.Exit


@app.callback()
def options(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Take the options that belong to no command."""


def main() -> None:
    """Run the command line."""
    app()
