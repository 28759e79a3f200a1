"""An experiment of one's own as a reader sees it: a line for each combination."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from equipoise.experiments.grids import Experiment
from equipoise.experiments.measures import MEASURES
from equipoise.experiments.results import DECLARED, plain, whole_file, write_csv, write_results
from equipoise.experiments.simulation import Simulation
from equipoise.experiments.store import Store
from equipoise.experiments.summaries import mean_and_error
from equipoise.reports.terminal import Table

# The columns of the table: measure, head, and in what unit.
COLUMNS = (
    ("l1", "l1 error", 1),
    ("avg_regret", "regret, %", 100),
    ("wc_regret", "at worst, %", 100),
)


def summary(experiment: Experiment, store: Store) -> list[dict[str, Any]]:
    """Return what came of each combination in the end, as plain data.

    Means and standard errors are over people, each with the last estimate of them.
    """
    return [_of(simulation, store) for simulation in experiment.study.simulations]


def _of(simulation: Simulation, store: Store) -> dict[str, Any]:
    measures = store.outcome(simulation).measures
    declared = simulation.declaration()
    found = {name: declared[name] for name in (*DECLARED, "people", "queries")}
    for name in MEASURES:
        average = measures.average(name)
        se = float(average.se[-1])
        found[name] = float(average.mean[-1])
        found[f"{name}_se"] = se if np.isfinite(se) else None
    found["asked_median"] = float(np.median(measures.asked))
    return found


def story(experiment: Experiment, found: Sequence[dict[str, Any]]) -> Iterator[str | Table]:
    """Iterate over the table of an experiment and the paragraph after it."""
    asked = {row["asked_median"] for row in found}
    varied = (*experiment.varied, *(("asked_median",) if len(asked) > 1 else ()))
    rows = [
        (
            *(_cell(row[key]) for key in varied),
            *(_average(row, name, unit) for name, _, unit in COLUMNS),
        )
        for row in found
    ]
    heads = ["asked" if key == "asked_median" else key for key in varied]
    yield Table(experiment.name, (*heads, *(head for _, head, _ in COLUMNS)), rows)
    yield (
        "Mean ± standard error over people, with the last estimate of each: after "
        + (f"{max(asked):g} questions." if len(asked) == 1 else "as many questions as were asked,")
        + ("" if len(asked) == 1 else " in the median.")
    )


def write_outputs(
    experiment: Experiment, found: Sequence[dict[str, Any]], store: Store, out: Path
) -> list[Path]:
    """Write the results, and the summary as CSV and as JSON; return the files."""
    results, table, data = (out / name for name in ("results.csv", "summary.csv", "summary.json"))
    write_results(results, store, [experiment.study])
    write_csv(table, tuple(found[0]), [[plain(value) for value in row.values()] for row in found])
    text = json.dumps(list(found), indent=1, allow_nan=False)
    with whole_file(data) as file:
        file.write(f"{text}\n")
    return [results, table, data]


def _cell(value: Any) -> str:
    if value is None:
        return "never"
    if isinstance(value, dict):  # a stopping rule with its numbers
        ((name, arguments),) = value.items()
        numbers = [f" {number:g}" for number in arguments.values() if isinstance(number, float)]
        return name + "".join(numbers[:1])
    return f"{value:g}" if isinstance(value, float) else str(value)


def _average(row: dict[str, Any], name: str, unit: float) -> str:
    se = row[f"{name}_se"]
    return mean_and_error(unit * row[name], float("nan") if se is None else unit * se)
