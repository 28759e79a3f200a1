"""What a statement is, and small random instances to try it on."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equipoise.model.aggregation import Maximum, RuleAggregator, rule_aggregator
from equipoise.model.comparisons import Comparison
from equipoise.model.percentiles import Percentile
from equipoise.model.priorities import (
    Egalitarianism,
    EqualTreatment,
    LinearFeature,
    Membership,
    Priority,
    Proportionality,
    Size,
)
from equipoise.model.priority_model import PriorityModel
from equipoise.model.rule_sets import all_rules, these_rules
from equipoise.model.tasks import Output, Task

Array = NDArray[np.float64]
Generator = np.random.Generator
Deviation = Callable[[], float]
RandomDeviation = Callable[[Generator], float]

# Rounding in sums of a few dozen numbers stays far below; a wrong formula doesn't.
TOLERANCE = 1e-9
TRIALS = 30


@dataclass(frozen=True)
class Statement:
    """Something that the paper states, and how far it is from true.

    Attributes
    ----------
    label
        The paper's label.
    says
        What must hold, in our own words.
    instance
        Returns the deviation on the paper's own instance, if it has one.
    at_random
        Returns the deviation on an instance drawn with a generator, if it's about many.
    """

    label: str
    says: str
    instance: Deviation | None = None
    at_random: RandomDeviation | None = None


def aggregators(rng: Generator) -> list[RuleAggregator]:
    """Return the paper's rule aggregators, with a random percentile."""
    return [rule_aggregator("average"), Maximum(), Percentile(float(rng.uniform(0, 100)))]


def farthest(values: Sequence[float] | Array, others: Sequence[float] | Array) -> float:
    """Return the largest distance between two lists of numbers; infinite if it isn't a number."""
    off = np.abs(np.asarray(values, np.float64) - np.asarray(others, np.float64))
    return float(np.nan_to_num(off, nan=np.inf).max(initial=0.0))


def unless(holds: bool | np.bool_) -> float:
    """Return zero if something holds, else one."""
    return 0.0 if holds else 1.0


def simplex(rng: Generator, size: int) -> Array:
    """Return random weights, all above zero."""
    return rng.dirichlet(np.ones(size))


def random_task(rng: Generator) -> Task:
    """Return a task of two to four inputs with two or three outputs each."""
    count = int(rng.integers(2, 5))
    outputs = {f"x{i}": tuple("abc"[: rng.integers(2, 4)]) for i in range(count)}
    parts = rng.integers(1, 5, size=count)
    weights = {x: int(p) / int(parts.sum()) for x, p in zip(outputs, parts, strict=True)}
    return Task(outputs, weights)


def _linear(rng: Generator, task: Task) -> Priority:
    psi = {x: {y: float(rng.random()) for y in allowed} for x, allowed in task.outputs.items()}
    return LinearFeature("feature", lambda x, y: psi[x][y])


def _size(rng: Generator, task: Task) -> Priority:
    count = {x: {y: int(rng.integers(4)) for y in own} for x, own in task.outputs.items()}
    return Size(lambda x, y: count[x][y])


def _family(rng: Generator, task: Task) -> Priority:
    member = {x: {y: bool(rng.integers(2)) for y in own} for x, own in task.outputs.items()}
    return Membership(lambda x, y: member[x][y])


def _proportionality(rng: Generator, task: Task) -> Priority:
    group = {x: {y: str(rng.choice(["n", "s"])) for y in own} for x, own in task.outputs.items()}
    share = float(rng.random())
    return Proportionality(lambda x, y: group[x][y], {"n": share, "s": 1 - share})


def _egalitarianism(rng: Generator, task: Task) -> Priority:
    gain = {
        (i, x, y): float(rng.integers(5)) / 4
        for x, allowed in task.outputs.items()
        for y in allowed
        for i in "pq"
    }
    return Egalitarianism("pq", lambda i, x, y: gain[i, x, y])


def _equal_treatment(rng: Generator, task: Task) -> Priority:
    pairs = [
        (x, z, dict(zip(task.outputs[x], task.outputs[z], strict=True)))
        for x, z in itertools.combinations(task.inputs, 2)
        if len(task.outputs[x]) == len(task.outputs[z])
    ]
    return EqualTreatment(pairs) if pairs else _linear(rng, task)


Kind = Callable[[Generator, Task], Priority]
SEPARABLE: tuple[Kind, ...] = (_linear, _size, _family)
ALL_KINDS: tuple[Kind, ...] = (*SEPARABLE, _proportionality, _egalitarianism, _equal_treatment)


def random_model(
    rng: Generator,
    kinds: Sequence[Kind] = ALL_KINDS,
    aggregator: str | RuleAggregator = "average",
) -> tuple[PriorityModel, Task]:
    """Return somebody with one to four random priorities, and a task."""
    task = random_task(rng)
    priorities = [
        kinds[int(rng.integers(len(kinds)))](rng, task) for _ in range(rng.integers(1, 5))
    ]
    return PriorityModel(priorities, simplex(rng, len(priorities)), aggregator), task


def random_question(rng: Generator, task: Task) -> Comparison:
    """Return a local question."""
    x = task.inputs[int(rng.integers(len(task.inputs)))]
    y, other = rng.choice(len(task.outputs[x]), 2, replace=False)
    return Comparison.local(x, task.outputs[x][y], task.outputs[x][other])


@dataclass(frozen=True)
class Written:
    """A priority as a table of all rules, with everything found by looking.

    Attributes
    ----------
    task
        The task.
    values
        The utility of each rule, by its outputs in order.
    """

    task: Task
    values: Mapping[tuple[Output, ...], float]

    @classmethod
    def out(cls, priority: Priority, task: Task) -> Written:
        """Write a priority out; utilities that span more than one are divided by their range."""
        rules = list(all_rules(task))
        found = priority.utilities(these_rules(task, rules))
        values = found / max(1.0, float(np.ptp(found)))
        return cls(task, {tuple(f.values()): float(u) for f, u in zip(rules, values, strict=True)})

    def gaps(self, question: Comparison) -> Array:
        """Return the gap over each background rule, in the order of the rules."""
        ((x, y),), ((_, other),) = question.first.items(), question.second.items()
        place = self.task.position(x)
        return np.array([self._at(f, place, y) - self._at(f, place, other) for f in self.values])

    def _at(self, rule: tuple[Output, ...], place: int, y: Output) -> float:
        return self.values[(*rule[:place], y, *rule[place + 1 :])]


def two_people() -> Task:
    """Return the task of the paper's small examples: two goods, each to a or to b."""
    return Task({"x1": ("a", "b"), "x2": ("a", "b")})


def egalitarian() -> Egalitarianism:
    """Return egalitarianism for two people who gain one from a good."""
    return Egalitarianism(["a", "b"], lambda i, x, y: float(y == i))


def proportional(epsilon: float = 0.0) -> Proportionality:
    """Return proportionality with half for each, or a little more for a."""
    return Proportionality(lambda x, y: y, {"a": 0.5 + epsilon, "b": 0.5 - epsilon})


def alike() -> tuple[Task, EqualTreatment]:
    """Return the task in which a and a' are counterparts, and equal treatment of them."""
    task = Task({"ab": ("a", "b"), "a'b": ("a'", "b")})
    return task, EqualTreatment([("ab", "a'b", {"a": "a'", "b": "b"})])


def perfectly_inseparable() -> list[tuple[Priority, Task]]:
    """Return the paper's three instances of perfect inseparability."""
    task, equal_treatment = alike()
    return [
        (egalitarian(), two_people()),
        (proportional(), two_people()),
        (equal_treatment, task),
    ]
