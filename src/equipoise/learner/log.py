"""Event logs: a session as lines of JSON, one event each."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from equipoise.model.comparisons import Comparison
from equipoise.model.questions import Side
from equipoise.model.tasks import Task

VERSION = 1
Event = dict[str, Any]


def write_log(events: Iterable[Mapping[str, Any]], path: str | Path) -> None:
    """Write a log to a file, one event a line; an existing file is replaced only when all is there.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "p17.jsonl")
    >>> write_log([{"v": 1, "n": 0, "event": "started"}], path)
    >>> read_log(path)
    [{'v': 1, 'n': 0, 'event': 'started'}]
    """
    target = Path(path)
    beside = target.with_name(f"{target.name}.part")
    lines = [json.dumps(event, allow_nan=False) + "\n" for event in events]
    with beside.open("w", encoding="utf-8") as file:
        file.writelines(lines)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(target)


def read_log(path: str | Path) -> list[Event]:
    r"""Read a log from a file.

    A last line that was cut off is left out, with a warning: the session goes on from the last
    whole event.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "p17.jsonl")
    >>> _ = path.write_text('{"v": 1, "n": 0, "event": "started"}\n{"v": 1, "n":')
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     len(read_log(path))
    1
    """
    lines = Path(path).read_bytes().split(b"\n")
    while lines and not lines[-1].strip():
        lines.pop()
    events: list[Event] = []
    for number, line in enumerate(lines, start=1):
        try:
            event = json.loads(line)
        except ValueError as error:
            if number < len(lines):
                raise ValueError(f"{path}, line {number} is not JSON: {error}") from error
            kept = (
                f"the log is read up to the last whole event, line {number - 1}"
                if events
                else "no event is whole"
            )
            warnings.warn(f"{path}, line {number} was cut off in the middle; {kept}", stacklevel=2)
            break
        if not isinstance(event, dict):
            raise ValueError(f"{path}, line {number} is {event!r}, expected a JSON object")
        events.append(event)
    return events


Fields = dict[str, type | tuple[type, ...]]
SIDE = (list, type(None))
NUMBER = (int, float)

# What every kind of event says; kinds that aren't here are kept and passed over.
FIELDS: dict[str, Fields] = {
    "started": {"session": str, "seed": int, "declaration": dict},
    "asked": {"question": int, "first": SIDE, "second": SIDE},
    "answered": {"question": int, "response": str},
    "undone": {"question": int},
    "skipped": {"question": int},
    "priority_added": {"priority": dict},
}
# What those events say too, some of them.
OPTIONAL: Fields = {
    "left": str,
    "bits": (*NUMBER, type(None)),
    "candidate": int,
    "repeats": int,
}
# What stands in the fields that are tables.
INSIDE: dict[str, Fields] = {
    "declaration": {
        "priorities": (int, list),
        "responses": dict,
        "prior": dict,
        "sampler": dict,
        "acquisition": dict,
        "pool": int,
        "aggregator": (str, dict),
        "scale": (*NUMBER, str),
        "repeats": NUMBER,
        "swap": bool,
    },
    "responses": {"answers": list},
    "prior": {"dirichlet": list},
    "priority": {"name": str},
}


def checked_log(log: Iterable[Mapping[str, Any]]) -> list[Event]:
    """Return the events of a log, refusing a newer format and events that lack something."""
    if isinstance(log, str | Path | Mapping) or not isinstance(log, Iterable):
        raise ValueError(
            f"log is {log!r}, expected a list of events: `read_log(path)` has those of a file"
        )
    events = []
    for place, event in enumerate(log):
        if not isinstance(event, Mapping):
            raise ValueError(f"event {place} is {event!r}, expected a JSON object")
        events.append(dict(event))
    if not events:
        raise ValueError("the log is empty, expected a 'started' event at least")
    for place, event in enumerate(events):
        kind, version = event.get("event"), event.get("v")
        where = f"event {place} ({kind})"
        _check_fields({"n": place, **event}, {"event": str, "n": int}, where)
        if not isinstance(version, int) or version < 1:
            raise ValueError(f"{where} has v = {version!r}, expected the number of a format")
        if version > VERSION:
            raise ValueError(
                f"{where} is in format {version}, this version of Equipoise reads up to format "
                f"{VERSION}: install a newer one"
            )
        if (kind == "started") != (place == 0):
            raise ValueError(f"{where}: a log has one 'started' event, and it comes first")
        if kind in FIELDS:
            too = {field: kinds for field, kinds in OPTIONAL.items() if field in event}
            _check_fields(event, FIELDS[kind] | too, where)
    return events


def _check_fields(data: Mapping[str, Any], fields: Fields, where: str) -> None:
    for field, kinds in fields.items():
        if field not in data:
            raise ValueError(f"{where} has no {field!r}, so the log can't be read")
        if not isinstance(data[field], kinds):
            raise ValueError(f"{where} has {field} = {data[field]!r}: it can't be read")
        if field in INSIDE:
            _check_fields(data[field], INSIDE[field], f"{where}: its {field}")


def side_as_data(side: Side | None) -> Any:
    """Return a side as plain data: features, pairs of input and output, or nothing."""
    if side is None:
        return None
    if isinstance(side, np.ndarray):
        return side.tolist()
    return [[_written(x), _written(y)] for x, y in side.items()]


def comparison_reader(task: Task) -> Callable[[Any, Any], Comparison]:
    """Return a function that makes comparisons of a task from the plain data of their sides."""
    inputs = {_key(_written(x)): x for x in task.inputs}
    outputs = {key: {_key(_written(y)): y for y in task.outputs[x]} for key, x in inputs.items()}

    def side(pairs: Any) -> dict[Any, Any]:
        found = {}
        for x, y in pairs:
            if _key(x) not in inputs or _key(y) not in outputs[_key(x)]:
                raise ValueError(f"the log has output {y!r} at input {x!r}, which the task has not")
            found[inputs[_key(x)]] = outputs[_key(x)][_key(y)]
        return found

    return lambda first, second: Comparison(side(first), side(second))


def _written(value: Any) -> Any:
    """Return an input or output as it stands in a log."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple):
        return [_written(part) for part in value]
    if isinstance(value, frozenset):  # in an order that's the same in every process
        return {"set": sorted(map(_written, value), key=_key)}
    return value if value is None or isinstance(value, str | int | float) else repr(value)


def _key(data: Any) -> str:
    return json.dumps(data)
