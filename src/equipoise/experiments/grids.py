"""Experiments of one's own, read from a file: every combination of what it lists."""

from __future__ import annotations

import hashlib
import itertools
import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any, get_args

from equipoise.acquisition import ACQUISITIONS
from equipoise.experiments.methods import METHODS
from equipoise.experiments.names import nearest
from equipoise.experiments.simulation import Behaviour, Simulation
from equipoise.experiments.studies import Study
from equipoise.learner.settings import SAMPLERS
from equipoise.learner.stopping import rule_typed

FORMAT = 1
NEVER = "never"  # asking stops only after the last question
# More is a slip of the pen: a list too many, or a zero.
MOST_RUNS = 1_000_000


@dataclass(frozen=True)
class Experiment:
    """An experiment of one's own.

    Attributes
    ----------
    name
        What it's called.
    study
        Its simulations: every combination.
    varied
        The keys that have more than one value, in the order of the file.
    """

    name: str
    study: Study
    varied: tuple[str, ...]

    @property
    def identity(self) -> dict[str, Any]:
        """What tells its folder from those of other studies; with more people it's the same."""
        declared = [simulation.declaration() for simulation in self.study.simulations]
        for declaration in declared:
            del declaration["people"]
        text = json.dumps(declared, sort_keys=True)
        return {
            "command": "experiment",
            "name": self.name,
            **{key: _distinct(declaration[key] for declaration in declared) for key in declared[0]},
            "combinations": hashlib.sha256(text.encode()).hexdigest(),
        }


def read_experiment(path: Path) -> Experiment:
    """Return the experiment that a file declares.

    Parameters
    ----------
    path
        A TOML file; `docs/experiments.md` says what may be in it.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path} can't be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} isn't TOML: {error}") from error
    try:
        return experiment_from_data(data, path.stem)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def experiment_from_data(data: Mapping[str, Any], name: str = "experiment") -> Experiment:
    """Return the experiment that plain data declare.

    Examples
    --------
    >>> data = {"format": 1, "method": ["correct", "utilize-4"], "tau_r": 0.4, "tau_kappa": 0.4}
    >>> experiment = experiment_from_data(data)
    >>> len(experiment.study.simulations), experiment.varied
    (2, ('method',))
    """
    grids = data.get("grid", [{}])
    if not isinstance(grids, list) or not all(isinstance(grid, Mapping) for grid in grids):
        raise ValueError("grid is no list of tables, expected `[[grid]]` above each")
    shared = {key: value for key, value in data.items() if key not in ("format", "name", "grid")}
    if data.get("format") != FORMAT:
        raise ValueError(f"format is {data.get('format')!r}, expected `format = {FORMAT}`")
    if not isinstance(data.get("name", name), str):
        raise ValueError(f"name is {data['name']!r}, expected a text")
    title = data.get("name", name)
    lists = [_lists({**shared, **grid}, [*shared, *grid]) for grid in grids]
    _refuse_too_many(lists)
    simulations: dict[Simulation, None] = {}  # a combination that two grids share is one
    for values in lists:
        simulations |= dict.fromkeys(_combined(values))
    return Experiment(title, Study(title, tuple(simulations)), _varied(lists))


def _lists(data: Mapping[str, Any], order: list[str]) -> dict[str, list[Any]]:
    """Return the values of every key, each checked for what it is."""
    for key in order:
        if key == "questions":
            raise ValueError("there is no key 'questions', did you mean 'queries'?")
        if key not in KEYS:
            raise ValueError(f"there is no key {key!r}{nearest(key, KEYS)}")
    for key in ("method", "tau_r", "tau_kappa"):
        if key not in data:
            raise ValueError(f"{key} is missing, expected {EXPECTED[KEYS[key]]} or a list of them")
    lists = {}
    for key in dict.fromkeys(order):
        values = data[key] if isinstance(data[key], list) else [data[key]]
        if not values:
            raise ValueError(f"{key} is an empty list, expected at least one value")
        lists[key] = [KEYS[key](key, value) for value in values]
    return lists


def _combined(lists: Mapping[str, list[Any]]) -> Iterator[Simulation]:
    for values in itertools.product(*lists.values()):
        yield Simulation(**dict(zip(lists, values, strict=True)))


def _varied(lists: list[dict[str, list[Any]]]) -> tuple[str, ...]:
    """Return the keys whose value isn't the same everywhere."""
    keys = dict.fromkeys(key for values in lists for key in values)
    default = {key: getattr(Simulation, key, None) for key in keys}
    return tuple(
        key
        for key in keys
        if len({str(v) for values in lists for v in values.get(key, [default[key]])}) > 1
    )


def _distinct(values: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def _refuse_too_many(lists: list[dict[str, list[Any]]]) -> None:
    runs = 0
    for values in lists:
        people = sum(values.get("people", [Simulation.people]))
        others = 1
        for key, of_key in values.items():
            others *= len(of_key) if key != "people" else 1
        runs += people * others
    if runs > MOST_RUNS:
        raise ValueError(
            f"that is {runs:,} people to learn, expected at most {MOST_RUNS:,}: shorten a list, or "
            "split the file"
        )


# What each key may be.


def _text(names: Callable[[], list[str]]) -> Callable[[str, Any], str]:
    def checked(key: str, value: Any) -> str:
        if not isinstance(value, str) or value not in names():
            raise ValueError(f"{key} is {value!r}{nearest(str(value), names())}")
        return value

    return checked


def _number(key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{key} is {value!r}, expected {EXPECTED[_number]}")
    return float(value)


def _whole(key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{key} is {value!r}, expected {EXPECTED[_whole]}")
    return value


def _stop(key: str, value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError(f'{key} is {value!r}, expected a text such as "still" or "width=0.1"')
    return None if value == NEVER else rule_typed(value)


_method = _text(lambda: list(METHODS))

KEYS: dict[str, Callable[[str, Any], Any]] = {
    "method": _method,
    "respondent": _text(lambda: list(get_args(Behaviour))),
    "tau_r": _number,
    "tau_kappa": _number,
    "beta": _number,
    "lapse": _number,
    "dimensions": _whole,
    "concentration": _number,
    "people": _whole,
    "queries": _whole,
    "stop": _stop,
    "sampler": _text(lambda: list(SAMPLERS)),
    "pool": _whole,
    "acquisition": _text(lambda: list(ACQUISITIONS)),
    "seed": _whole,
}
EXPECTED: dict[Callable[[str, Any], Any], str] = {
    _method: "the name of a method",
    _number: "a number",
    _whole: "a whole number",
}
