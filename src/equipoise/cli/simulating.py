"""What one learner does: the worked example, and one experiment."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.cli.app import INTERRUPTED, app

if TYPE_CHECKING:
    from equipoise.learner import StoppingRule


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


def _figure_path(path: Path | None) -> Path | None:
    """Return where a figure is to go, refusing what can't be written there before the work."""
    if path is None:
        return None
    if path.suffix != ".svg":
        raise typer.BadParameter(f"{path} isn't an SVG file, expected a name that ends in .svg")
    if not path.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {path.parent}, make it first")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise typer.BadParameter(f"{path} can't be written")
    return path


def _stopping_rule(stop: bool, stop_when: str | None) -> StoppingRule | None:
    """Return when to stop asking somebody, if ever."""
    from equipoise.learner.stopping import rule_typed

    if stop and stop_when is not None:
        raise ValueError("--stop is the rule --stop-when still, expected only one of them")
    typed = "still" if stop else stop_when
    return None if typed is None else rule_typed(typed)


@contextmanager
def _ends_in_a_sentence() -> Iterator[None]:
    """End at an interrupt from the keyboard as shells expect it."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("Interrupted: stopped, and nothing was written.", err=True)
        raise typer.Exit(INTERRUPTED) from None


@app.command(
    epilog="Example: equipoise simulate --method utilize-4 --tau-r 0.4 --tau-kappa 0.4 --people 40 "
    "--queries 100 --seed 1 --plot errors.svg"
)
@_ends_in_a_sentence()
def simulate(
    *,
    method: Annotated[
        str,
        typer.Option(
            help="How to learn: correct, ignore, utilize-3, utilize-4, utilize-4-thresholds, "
            "correct-noise, ignore-noise or utilize-4-noise."
        ),
    ] = "utilize-4",
    tau_r: Annotated[float, typer.Option(help="The true threshold on valence, 0 to 1.")] = 0.4,
    tau_kappa: Annotated[
        float, typer.Option(help="The true threshold on decisiveness, 0 to 1.")
    ] = 0.4,
    people: Annotated[int, typer.Option(help="How many people.")] = 40,
    queries: Annotated[int, typer.Option(help="How many questions each is asked.")] = 100,
    seed: Annotated[int, typer.Option(help="Of people, answers and questions; of at least 0.")] = 1,
    sampler: Annotated[
        str, typer.Option(help="How the posterior is sampled: smc, or paper, as in the paper.")
    ] = "smc",
    pool: Annotated[int, typer.Option(help="From how many random questions each is chosen.")] = 50,
    acquisition: Annotated[
        str,
        typer.Option(
            help="How each is chosen: bald, continuous, regret, two-steps, volume-removal or "
            "random."
        ),
    ] = "bald",
    beta: Annotated[float, typer.Option(help="How steadily people answer, above 0.")] = 10.0,
    lapse: Annotated[
        float, typer.Option(help="Which share of answers is given at random, 0 to 1.")
    ] = 0.0,
    dimensions: Annotated[int, typer.Option(help="How many features there are.")] = 5,
    respondent: Annotated[
        str,
        typer.Option(
            help="What people do who are torn and have to choose: correct (nothing odd), "
            "fifty-fifty, lexicographic or self-similar."
        ),
    ] = "correct",
    stop: Annotated[
        bool,
        typer.Option(
            "--stop",
            help="Stop asking somebody when five answers in a row hardly move the estimate; the "
            "same as --stop-when still.",
        ),
    ] = False,
    stop_when: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Stop asking somebody earlier: still, questions=20, width=0.1 (90% intervals of "
            "weights), regret=0.01 (expected on average) or worst-regret=0.1 (with a probability "
            "of 95%).",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(callback=_figure_path, metavar="FILE.svg", help="Draw the errors."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, help="How many processes; if not given, one a core where that is faster."
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object and nothing else.")
    ] = False,
) -> None:
    """Simulate people who are asked question by question, and how well each is learned."""
    from equipoise.experiments import summaries
    from equipoise.experiments.measures import measure
    from equipoise.experiments.running import run_on_cores
    from equipoise.experiments.simulation import Simulation
    from equipoise.reports.progress import progress_bar
    from equipoise.reports.terminal import print_story

    try:
        simulation = Simulation(
            method=method,
            tau_r=tau_r,
            tau_kappa=tau_kappa,
            people=people,
            queries=queries,
            seed=seed,
            sampler=sampler,
            pool=pool,
            acquisition=acquisition,
            beta=beta,
            lapse=lapse,
            dimensions=dimensions,
            respondent=respondent,  # type: ignore[arg-type]  # which it refuses if it isn't one
            stop=_stopping_rule(stop, stop_when),
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    start = time.perf_counter()
    with progress_bar("people", people) as progress:
        measures = measure(simulation, run_on_cores(simulation, progress, workers))
    seconds = time.perf_counter() - start
    if as_json:
        found = {**simulation.declaration(), **measures.as_json(), "seconds": seconds}
        typer.echo(json.dumps(found, allow_nan=False))
    else:
        print_story(summaries.story(simulation, measures, seconds))
    if plot is not None:
        try:
            summaries.plot(plot, simulation, measures)
        except OSError as error:  # a full disk, a folder that is gone by now
            typer.echo(f"The figure could not be written: {error}", err=True)
            raise typer.Exit(1) from error
