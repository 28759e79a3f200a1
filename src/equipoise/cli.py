"""The command line: reads arguments, calls the library, prints."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Annotated

import typer

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


@app.command(epilog="Example: equipoise demo --epsilon 0.1 --json")
def demo(
    epsilon: Annotated[
        float, typer.Option(help="The weight of the family, above 0 and below 1/2.")
    ] = 0.1,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object and nothing else.")
    ] = False,
) -> None:
    """Work through the paper's two-person example: how a priority is lost in local questions."""
    from equipoise.experiments.erasure import erasure, story
    from equipoise.reports.terminal import print_story

    try:
        example = erasure(epsilon)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    if as_json:
        typer.echo(json.dumps(example.as_json()))
    else:
        print_story(story(example))


def main() -> None:
    """Run the command line."""
    app()
