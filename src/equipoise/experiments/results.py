"""Results as a table to open anywhere: a row for each run and checkpoint."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from equipoise.experiments.measures import MEASURES
from equipoise.experiments.problems import StudyError
from equipoise.experiments.simulation import Simulation
from equipoise.experiments.store import Store
from equipoise.experiments.studies import Study
from equipoise.model.states import Response

# After how many questions there is a row, besides the last.
CHECKPOINTS = (1, 2, 5, 10, 25, 50, 100, 200, 500, 1000)
# What a row says of the experiment.
DECLARED = (
    "method",
    "respondent",
    "tau_r",
    "tau_kappa",
    "beta",
    "lapse",
    "sampler",
    "pool",
    "acquisition",
    "stop",
    "dimensions",
    "concentration",
    "seed",
)
# Every column and what it holds.
COLUMNS = {
    "study": "the study that the experiment belongs to",
    **{name: f"the experiment's `{name}`" for name in DECLARED},
    "person": "who was learned, counted from zero",
    "asked": "how many questions they were asked in the end",
    "question": "after how many questions the row holds",
    **{name: what for name, what in MEASURES.items()},
    "distinct": "the share of the sampler's states that differ from the one before",
    **{str(response): f"how often the answer was {response} until then" for response in Response},
}


def rows(store: Store, studies: Iterable[Study]) -> Iterator[list[Any]]:
    """Iterate over the rows of all experiments, in the order of `COLUMNS`."""
    for study in studies:
        for simulation in study.simulations:
            yield from _rows(study.name, simulation, store)


def _rows(study: str, simulation: Simulation, store: Store) -> Iterator[list[Any]]:
    declared = simulation.declaration()
    same = [study, *(plain(declared[name]) for name in DECLARED)]
    outcome = store.outcome(simulation)
    for k, course in enumerate(outcome.courses):
        asked = len(course.responses)
        for t in checkpoints(asked):
            yield [
                *same,
                k,
                asked,
                t,
                *(float(getattr(outcome.measures, name)[k, t - 1]) for name in MEASURES),
                float(course.distinct[t - 1]),
                *(course.responses[:t].count(response) for response in Response),
            ]


def checkpoints(asked: int) -> list[int]:
    """Return after how many questions there is a row, of somebody who was asked so many.

    Examples
    --------
    >>> checkpoints(30)
    [1, 2, 5, 10, 25, 30]
    """
    return [t for t in CHECKPOINTS if t < asked] + [asked]


def write_results(path: Path, store: Store, studies: Iterable[Study]) -> None:
    """Write results as CSV; the file is there as a whole or not at all."""
    write_csv(path, tuple(COLUMNS), rows(store, studies))


def write_csv(path: Path, head: Sequence[str], lines: Iterable[Sequence[Any]]) -> None:
    """Write a table as CSV; the file is there as a whole or not at all."""
    with whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(lines)


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Provide a file to write, which takes its place when all is written."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            yield file
        os.replace(part, path)
    except OSError as error:
        raise StudyError(
            f"{path} could not be written ({error}): the runs are kept, and the same command "
            "writes it again"
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def plain(value: Any) -> Any:
    """Return plain data as a cell has them: a table as JSON, nothing where there is none."""
    if value is None:
        return ""
    return value if isinstance(value, str | int | float) else json.dumps(value)
