"""Many experiments: the paper's, and one's own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.cli.app import INTERRUPTED, app

if TYPE_CHECKING:
    from equipoise.experiments.campaigns import Campaign
    from equipoise.experiments.runner import Way
    from equipoise.experiments.store import Store

Out = Annotated[Path, typer.Option(metavar="DIR", help="Where everything goes, runs included.")]
Workers = Annotated[
    int | None, typer.Option(min=1, help="How many processes; if not given, one a core.")
]
Cluster = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Run on the dask.distributed cluster there."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what there is to run and how long it takes.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


@app.command(
    epilog="Example: equipoise reproduce all --out paper. In two parts, maybe on two machines: "
    "equipoise reproduce all --out one --shard 1/2, the same with --out two --shard 2/2, then "
    "equipoise reproduce merge one two --out paper."
)
def reproduce(
    *,
    part: Annotated[
        str,
        typer.Argument(
            metavar="[PART]",
            help="What to reproduce: all, speed, accuracy, theory or interviews; or merge.",
        ),
    ] = "all",
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[DIR...]", help="For merge: the folders of the parts."),
    ] = None,
    out: Out,
    quick: Annotated[
        bool, typer.Option("--quick", help="Eight people and few thresholds: under a minute.")
    ] = False,
    workers: Workers = None,
    dask: Cluster = None,
    sampler: Annotated[
        str, typer.Option(help="paper; or smc, which runs both to be seen side by side.")
    ] = "paper",
    shard: Annotated[
        str | None, typer.Option(metavar="i/n", help="Run only the i-th of n parts.")
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Reproduce the paper's experiments. Interrupted and started again, it continues."""
    from equipoise.experiments import campaigns, reproduction

    way = _way(dask, workers)
    with _problems_in_a_sentence():
        if part == reproduction.MERGE:
            store = campaigns.merge(folders or [], out)
            _finish(store, out, as_json)
            return
        if folders:
            raise typer.BadParameter(f"{folders[0]} is one too many: only merge takes folders")
        try:
            campaign = reproduction.campaign(part, quick=quick, sampler=sampler, shard=shard)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error
        if dry_run:
            _show_plans(campaign, out, workers, as_json)
            return
        store = _run(campaign, out, way)
        if campaign.shard is None:
            _finish(store, out, as_json)
        else:
            _finish_shard(store, campaign, as_json)


@app.command(epilog="Example: equipoise experiment examples/ten_priorities.toml --out ten")
def experiment(
    *,
    file: Annotated[Path, typer.Argument(metavar="EXPERIMENT.toml", help="What to run.")],
    out: Out,
    workers: Workers = None,
    dask: Cluster = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Run an experiment of one's own. Interrupted and started again, it continues."""
    from equipoise.experiments import grid_summaries
    from equipoise.experiments.campaigns import Campaign
    from equipoise.experiments.grids import read_experiment
    from equipoise.reports.terminal import print_story

    way = _way(dask, workers)
    try:
        own = read_experiment(file)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    campaign = Campaign(own.identity, (own.study,))
    with _problems_in_a_sentence():
        if dry_run:
            _show_plans(campaign, out, workers, as_json)
            return
        with _run(campaign, out, way) as store:
            found = grid_summaries.summary(own, store)
            files = grid_summaries.write_outputs(own, found, store, out)
    if as_json:
        told = {"name": own.name, "summary": found, "files": _names(files)}
        typer.echo(json.dumps(told, allow_nan=False))
    else:
        print_story(grid_summaries.story(own, found))
        print_story([f"Wrote {', '.join(_names(files))}."])


def _way(dask: str | None, workers: int | None) -> Way:
    """Return how the work is done."""
    from equipoise.experiments.cluster import on_cluster
    from equipoise.experiments.runner import on_cores

    if dask is None:
        return on_cores(workers or os.cpu_count() or 1)
    if workers is not None:
        raise typer.BadParameter("--workers is for this machine, and --dask for another")
    return on_cluster(dask)


@contextmanager
def _problems_in_a_sentence() -> Iterator[None]:
    """End with the sentence that a study's problem is told in."""
    from equipoise.experiments.problems import StudyError

    try:
        yield
    except StudyError as error:
        text = str(error)
        typer.echo(f"{text[0].upper()}{text[1:]}.", err=True)
        raise typer.Exit(1) from error


def _show_plans(campaign: Campaign, out: Path, workers: int | None, as_json: bool) -> None:
    from equipoise.experiments.campaigns import story
    from equipoise.reports.terminal import print_story

    plans, count = campaign.plans(out), workers or os.cpu_count() or 1
    if as_json:
        typer.echo(json.dumps({"studies": [plan.as_json() for plan in plans], "workers": count}))
    else:
        print_story(story(plans, count))


def _run(campaign: Campaign, out: Path, way: Way) -> Store:
    """Run what is missing; an interrupt says what is done, and that nothing of it is lost."""
    from equipoise.reports.progress import progress_bar

    store = campaign.open(out)
    try:
        campaign.run(store, way, progress_bar)
    except KeyboardInterrupt:
        runs = len(campaign.jobs())
        done = runs - len(campaign.missing(store))
        typer.echo(
            f"Interrupted: {done:,} of {runs:,} runs are done and kept in {out}, the same command "
            "continues.",
            err=True,
        )
        raise typer.Exit(INTERRUPTED) from None
    return store


def _finish(store: Store, out: Path, as_json: bool) -> None:
    """Write what follows from finished runs, and say what is missing if anything is."""
    from equipoise.experiments.campaigns import counted
    from equipoise.experiments.reproduction import write_outputs
    from equipoise.reports.terminal import print_story

    with store:
        files = write_outputs(store, out)
        done, runs = counted(store)
    if as_json:
        told = {"out": str(out), "runs": runs, "done": done, "files": _names(files)}
        typer.echo(json.dumps(told))
    else:
        wrote = f" Wrote {', '.join(_names(files))}." if files else ""
        print_story([f"{done:,} of {runs:,} runs are done.{wrote}"])
    if done < runs:
        typer.echo(
            f"{runs - done:,} runs are missing, and what follows from them: `equipoise reproduce` "
            f"with --out {out} continues.",
            err=True,
        )
        raise typer.Exit(1)


def _finish_shard(store: Store, campaign: Campaign, as_json: bool) -> None:
    from equipoise.reports.terminal import print_story

    with store:
        runs = len(campaign.jobs())
    if as_json:
        typer.echo(json.dumps({"runs": runs, "done": runs, "files": [str(store.path)]}))
    else:
        print_story(
            [
                f"{runs:,} runs are done and kept in {store.path}. When all parts are, `equipoise "
                "reproduce merge` with their folders writes what follows."
            ]
        )


def _names(files: Iterable[Path]) -> list[str]:
    return [str(file) for file in files]
