"""How a session is run, as objects and as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any

import numpy as np

from equipoise.acquisition import ACQUISITIONS, Acquisition
from equipoise.declarations import (
    aggregator_as_data,
    aggregator_from_data,
    responses_as_data,
    responses_from_data,
)
from equipoise.inference.draws import Sampler
from equipoise.inference.hit_and_run import HitAndRun
from equipoise.inference.smc import SMC
from equipoise.inference.weights import Dirichlet
from equipoise.learner.reader import Reader, Scale
from equipoise.model.aggregation import RuleAggregator, rule_aggregator
from equipoise.model.checks import number_between
from equipoise.model.priorities import Priority, checked_priorities
from equipoise.model.responses import ResponseModel
from equipoise.model.tasks import Task

SAMPLERS: dict[str, type[SMC] | type[HitAndRun]] = {"smc": SMC, "paper": HitAndRun}

PARTICLES = SMC().particles


@dataclass(frozen=True)
class Settings:
    """How a session is run.

    Attributes
    ----------
    responses, prior, sampler, acquisition, pool, aggregator, scale, repeats, swap
        As for a `Learner`.
    """

    responses: ResponseModel
    prior: Dirichlet
    sampler: Sampler
    acquisition: Acquisition
    pool: int
    aggregator: RuleAggregator
    scale: Scale
    repeats: float
    swap: bool

    @classmethod
    def checked(
        cls,
        *,
        responses: ResponseModel,
        prior: Dirichlet,
        sampler: Sampler,
        acquisition: str | Acquisition,
        pool: int,
        aggregator: str | RuleAggregator,
        scale: Scale,
        repeats: float,
        swap: bool,
    ) -> Settings:
        """Return settings, refusing what can't be one."""
        if not isinstance(prior, Dirichlet):
            raise ValueError(f"prior is {prior!r}, expected a Dirichlet")
        if isinstance(pool, bool) or not isinstance(pool, int) or pool < 1:
            raise ValueError(f"pool is {pool!r}, expected a positive whole number of questions")
        if not isinstance(swap, bool):
            raise ValueError(f"swap is {swap!r}, expected True or False")
        if scale != "per-input" and not (isinstance(scale, Real) and scale > 0):
            raise ValueError(f"scale is {scale!r}, expected a positive number or 'per-input'")
        return cls(
            responses,
            prior,
            sampler,
            _named(acquisition, "acquisition", ACQUISITIONS, "choose"),
            pool,
            rule_aggregator(aggregator),
            scale,
            number_between(repeats, "repeats", 0, 1),
            swap,
        )

    def feature_names(self, count: int | np.integer, task: Task | None) -> list[str]:
        """Return names for features, refusing what only priorities of a task have."""
        if isinstance(count, bool) or count < 1:
            raise ValueError(f"priorities is {count}, expected at least one")
        if task is not None:
            raise ValueError(
                f"priorities is {count}, a number of features, and these have no task: give a "
                "list of priorities with it"
            )
        if self.aggregator.name != "average" or self.scale != "per-input":
            raise ValueError(
                "aggregator and scale are for priorities over a task's rules: a difference of "
                "features is evidence as it is"
            )
        return [f"feature {j + 1}" for j in range(count)]

    def reader(self, priorities: Sequence[Priority], task: Task | None) -> Reader:
        """Return what reads comparisons of a task through priorities."""
        listed = checked_priorities(priorities)
        if not listed:
            raise ValueError("priorities is empty, expected at least one")
        if not isinstance(task, Task):
            raise ValueError(f"task is {task!r}, expected the Task that the priorities are about")
        return Reader(task, listed, self.aggregator, self.scale)

    def as_data(self) -> dict[str, Any]:
        """Return them as plain data; of what is one's own, only the name is written down."""
        return {
            "responses": responses_as_data(self.responses),
            "prior": {"dirichlet": list(self.prior.concentration)},
            "sampler": named_data(self.sampler, SAMPLERS),
            "acquisition": named_data(self.acquisition, ACQUISITIONS),
            "pool": self.pool,
            "aggregator": aggregator_as_data(self.aggregator),
            "scale": self.scale,
            "repeats": self.repeats,
            "swap": self.swap,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any], **own: Any) -> Settings:
        """Return the settings that plain data stand for; `own` objects come in their place."""
        values = {name: data[name] for name in ("pool", "scale", "repeats", "swap")}
        return cls.checked(
            responses=responses_from_data(data["responses"]),
            prior=Dirichlet(data["prior"]["dirichlet"]),
            sampler=own.get("sampler") or _from_data(data["sampler"], SAMPLERS),
            acquisition=own.get("acquisition") or _from_data(data["acquisition"], ACQUISITIONS),
            aggregator=own.get("aggregator") or aggregator_from_data(data["aggregator"]),
            **values,
        )


def sampler_named(sampler: str | Sampler, particles: int = PARTICLES) -> Sampler:
    """Return the sampler of a name, with so many particles if it's "smc", or the object itself."""
    if sampler == "smc":
        return SMC(particles)
    if particles != PARTICLES:
        raise ValueError(
            f"particles is {particles!r}, but sampler is {sampler!r}: particles are for 'smc'"
        )
    named: Sampler = _named(sampler, "sampler", SAMPLERS, "update")
    return named


def _named(value: Any, name: str, table: Mapping[str, type], method: str) -> Any:
    """Return what a table has under a name, with its defaults, or the object itself."""
    if isinstance(value, str) and value in table:
        return table[value]()
    if isinstance(value, str | type) or not callable(getattr(value, method, None)):
        raise ValueError(
            f"{name} is {value!r}, expected {' or '.join(map(repr, table))}, or an object with a "
            f"method `{method}`"
        )
    return value


def named_data(value: Any, table: Mapping[str, type]) -> dict[str, Any]:
    """Return the name and the arguments of what a table has; of one's own, only its name."""
    for name, kind in table.items():
        if type(value) is kind:
            arguments: dict[str, Any] = asdict(value)  # type: ignore[call-overload]
            return {name: {key: _listed(found) for key, found in arguments.items()}}
    return {"own": type(value).__name__}


def _listed(value: Any) -> Any:
    """Return tuples as lists, as JSON reads them back."""
    return [_listed(part) for part in value] if isinstance(value, tuple | list) else value


def _from_data(data: Mapping[str, Any], table: Mapping[str, type]) -> Any:
    if len(data) != 1:
        raise ValueError(f"the log has {dict(data)!r}, expected one of {', '.join(table)}")
    ((name, arguments),) = data.items()
    if name not in table:
        raise ValueError(
            f"the log was made with {name} = {arguments!r}, which is not among "
            f"{', '.join(table)}: give the object to `replay`"
        )
    try:
        return table[name](**arguments)
    except TypeError as error:
        raise ValueError(f"the log has {name} = {arguments!r}, which can't be: {error}") from error


def checked_names(names: Sequence[str]) -> list[str]:
    """Return the names of priorities, refusing one that stands twice."""
    for name in names:
        if list(names).count(name) > 1:
            raise ValueError(
                f"two priorities are named {name!r}: a log can't tell them apart, name them anew"
            )
    return list(names)
