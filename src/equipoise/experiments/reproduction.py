"""The paper's experiments: what can be reproduced, and what is written of it."""

from __future__ import annotations

from pathlib import Path

from equipoise.experiments.campaigns import Campaign, finished, shard_typed
from equipoise.experiments.names import nearest
from equipoise.experiments.problems import StudyError
from equipoise.experiments.report import write_report
from equipoise.experiments.results import write_results
from equipoise.experiments.store import Store
from equipoise.experiments.studies import papers
from equipoise.learner.settings import SAMPLERS

PARTS = ("all", "speed", "accuracy", "theory")
MERGE = "merge"
LATER = {
    "interviews": "the interviews can't be reproduced yet: their figure joins together with the "
    "commands that code interviews"
}


def campaign(
    part: str = "all", *, quick: bool = False, sampler: str = "paper", shard: str | None = None
) -> Campaign:
    """Return what is to be run for a part of the paper.

    Parameters
    ----------
    part
        One of `PARTS`.
    quick
        Whether few people and thresholds do.
    sampler
        "paper"; or "smc", for both.
    shard
        Which part of how many, typed as i/n.

    Examples
    --------
    >>> [study.name for study in campaign("all").studies]
    ['speed', 'accuracy']
    >>> campaign("sped")
    Traceback (most recent call last):
    ValueError: part is 'sped', did you mean 'speed'? Expected one of all, speed, ...
    """
    if part in LATER:
        raise StudyError(LATER[part])
    if part not in PARTS:
        raise ValueError(f"part is {part!r}{nearest(part, (*PARTS, *LATER, MERGE))}")
    if sampler not in SAMPLERS:
        raise ValueError(f"sampler is {sampler!r}{nearest(sampler, SAMPLERS)}")
    return Campaign(
        {"command": "reproduce", "quick": quick},
        tuple(papers(part, quick=quick, sampler=sampler)),
        None if shard is None else shard_typed(shard),
    )


def write_outputs(store: Store, out: Path) -> list[Path]:
    """Write what follows from what a store has, and return the files: a report, and results.

    The report says of everything that was planned what is missing.
    """
    studies, results, written = finished(store), out / "results.csv", []
    if studies:
        write_results(results, store, studies)
        written.append(results)
    try:
        return [*write_report(store.outcome, store.studies, out), *written]
    except OSError as error:
        raise StudyError(
            f"the report could not be written ({error}): the runs are kept, and the same command "
            "writes it again"
        ) from error
