"""Studies in a folder: planned, run, interrupted, continued, and merged from several machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from equipoise.experiments.costs import duration_text, planned_seconds
from equipoise.experiments.jobs import Job, jobs_of
from equipoise.experiments.problems import RunsMissingError, StudyError
from equipoise.experiments.runner import Way, run_missing, shard
from equipoise.experiments.running import Progress
from equipoise.experiments.store import Store
from equipoise.experiments.studies import Study
from equipoise.reports.terminal import Table

RUNS = "runs.sqlite"

ProgressBar = Callable[[str, int], AbstractContextManager[Progress]]


@dataclass(frozen=True)
class Campaign:
    """What is to be run in a folder.

    Attributes
    ----------
    about
        What tells the folder from those of other studies, as plain data.
    studies
        The studies.
    shard
        Which part of how many, if not all: (i, n), counted from one.
    """

    about: dict[str, Any]
    studies: tuple[Study, ...]
    shard: tuple[int, int] | None = None

    def file(self, out: Path) -> Path:
        """Return where in a folder the runs are kept."""
        if self.shard is None:
            return out / RUNS
        i, n = self.shard
        return out / f"runs-{i}-of-{n}.sqlite"

    def jobs(self) -> list[Job]:
        """Return what there is to do."""
        simulations = [simulation for study in self.studies for simulation in study.simulations]
        return jobs_of(simulations) if self.shard is None else shard(simulations, *self.shard)

    def missing(self, store: Store) -> list[Job]:
        """Return what there still is to do."""
        return store.without(self.jobs())

    def open(self, out: Path) -> Store:
        """Return the store in a folder, both made if they aren't there."""
        make_folder(out)
        return Store(self.file(out), self.about)

    def run(self, store: Store, way: Way, progress_bar: ProgressBar) -> int:
        """Run what is missing, and return how many runs that was."""
        store.plan(self.studies)
        missing = self.missing(store)
        with progress_bar("runs", len(missing)) as progress:
            run_missing(store, missing, way, progress)
        return len(missing)

    def plans(self, out: Path) -> list[Plan]:
        """Return what each study still takes, changing nothing."""
        if not self.file(out).is_file():
            return self._plans({}, self.jobs())
        with Store(self.file(out), self.about) as store:
            return self._plans(store.seconds(self.jobs()), self.missing(store))

    def _plans(self, took: dict[Job, float], missing: list[Job]) -> list[Plan]:
        jobs, left = self.jobs(), dict(zip(missing, planned_seconds(missing, took), strict=True))
        plans = []
        for study in self.studies:
            simulations = set(study.simulations)
            own = [job for job in jobs if job.simulation in simulations]
            todo = [left[job] for job in own if job in left]
            plans.append(Plan(study, len(own), len(own) - len(todo), sum(todo)))
        return plans


@dataclass(frozen=True)
class Plan:
    """What a study takes.

    Attributes
    ----------
    study
        The study.
    runs, done
        How many runs it has, and how many of them are done.
    seconds
        How long the others are thought to take on one core.
    """

    study: Study
    runs: int
    done: int
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "study": self.study.name,
            "experiments": len(self.study.simulations),
            "runs": self.runs,
            "done": self.done,
            "seconds_on_one_core": round(self.seconds, 1),
        }


def story(plans: Sequence[Plan], workers: int) -> Iterator[str | Table]:
    """Iterate over what a dry run prints."""
    rows = [
        (
            plan.study.name,
            float(len(plan.study.simulations)),
            float(plan.runs),
            float(plan.done),
            duration_text(plan.seconds / workers),
        )
        for plan in plans
    ]
    yield Table("What there is to run", ("study", "experiments", "runs", "done", "left"), rows)
    seconds = sum(plan.seconds for plan in plans) / workers
    by = "1 process" if workers == 1 else f"{workers} processes"
    yield f"About {duration_text(seconds)} by {by} on idle cores. Nothing was run."


def finished(store: Store) -> list[Study]:
    """Return the studies of a store of which nothing is missing."""
    return [study for study in store.studies if not store.missing(study.simulations)]


def counted(store: Store) -> tuple[int, int]:
    """Return how many of the runs that were planned are done, and how many there are."""
    jobs = [job for study in store.studies for job in jobs_of(study.simulations)]
    return len(jobs) - len(store.without(jobs)), len(jobs)


def merge(folders: Sequence[Path], out: Path) -> Store:
    """Return the store in a folder, with all runs that are in some folders.

    The folders may come from different machines and overlap; they must be of the same study.
    """
    if not folders:
        raise RunsMissingError("there is nothing to merge: name the folders of the parts")
    target, sources = out / RUNS, []
    for folder in folders:
        found = sorted(folder.glob("runs*.sqlite"))
        if not found:
            raise RunsMissingError(f"there are no runs in {folder}")
        sources += [path for path in found if path.resolve() != target.resolve()]
    if not sources:
        return Store(target)
    with Store(sources[0]) as first:
        about = first.about
    make_folder(out)
    store = Store(target, about)
    try:
        for source in sources:
            with Store(source) as part:
                store.absorb(part)
    except BaseException:
        store.close()
        raise
    return store


def make_folder(out: Path) -> None:
    """Make a folder if it isn't there."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StudyError(f"the folder {out} can't be made: {error.strerror or error}") from error


def shard_typed(text: str) -> tuple[int, int]:
    """Return the part that is typed as i/n.

    Examples
    --------
    >>> shard_typed("2/4")
    (2, 4)
    """
    i, _, n = text.partition("/")
    if not (i.isdecimal() and n.isdecimal() and 1 <= int(i) <= int(n)):
        raise ValueError(f"shard is {text!r}, expected i/n such as 1/4, with i from 1 to n")
    return int(i), int(n)
