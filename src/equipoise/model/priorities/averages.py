"""Priorities that read a rule through averages over inputs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from equipoise.model.checks import finite_array, finite_number
from equipoise.model.comparisons import Comparison
from equipoise.model.priorities.protocol import GapSum
from equipoise.model.rounding import difference
from equipoise.model.rule_sets import RuleSet
from equipoise.model.tasks import Input, Output, Task

# A number for each input and output, such as a feature or a count.
CaseNumber = Callable[[Input, Output], float]


class AveragePriority(ABC):
    """A priority of the form u(F) = g(E_{x~D}[v(x, F(x))]), with v a vector of k quantities.

    Subclasses say what is averaged (`quantities`) and how the averages are judged (`judge`). With
    `steepness` they also bound what rounding can do.

    Examples
    --------
    >>> from equipoise.model.rule_sets import all_rules
    >>> class Spread(AveragePriority):
    ...     name = "spread of prices"
    ...     def quantities(self, x, outputs):
    ...         return np.array([[y, y**2] for y in outputs])
    ...     def judge(self, averages):
    ...         return averages[0] ** 2 - averages[1]  # minus the variance
    >>> task = Task({"x1": (0.0, 1.0), "x2": (0.0, 1.0)})
    >>> Spread().utilities(all_rules(task))
    array([ 0.  , -0.25, -0.25,  0.  ])
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """How people call it."""

    @abstractmethod
    def quantities(self, x: Input, outputs: Sequence[Output]) -> NDArray[np.float64]:
        """Return v(x, y) for each of the outputs; shape (outputs, k)."""

    @abstractmethod
    def judge(self, averages: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return g of the averages (k, rules); shape (rules,)."""

    @property
    def steepness(self) -> float:
        """How many times as far as the averages, at most, the judgement moves, where known."""
        return math.inf

    def tables(self, task: Task) -> list[NDArray[np.float64]]:
        """Return v times the mass of its input, for every input; shapes (outputs, k)."""
        # Found once for each task: every question about it needs them.
        known: WeakKeyDictionary[Task, list[NDArray[np.float64]]]
        known = self.__dict__.setdefault("_tables", WeakKeyDictionary())
        if task not in known:
            known[task] = [
                mass * self._checked_quantities(x, allowed)
                for (x, allowed), mass in zip(task.outputs.items(), task.masses, strict=True)
            ]
        return known[task]

    def _checked_quantities(self, x: Input, outputs: Sequence[Output]) -> NDArray[np.float64]:
        name = f"quantities of {self.name!r} at input {x!r}"
        return finite_array(self.quantities(x, outputs), name, (len(outputs), None))

    def utilities(self, rules: RuleSet) -> NDArray[np.float64]:
        """Return u(F) for every rule F; shape (rules,)."""
        averages = rules.totals(self.tables(rules.task)) / rules.task.total_mass
        return self.judge(averages)

    def gap_sum(self, comparison: Comparison, task: Task) -> GapSum:
        """Return the projection gap as a function of sums over the background."""
        tables = self.tables(task)
        first = side_total(tables, comparison.first, task)[:, None]
        second = side_total(tables, comparison.second, task)[:, None]

        def read(background: NDArray[np.float64]) -> NDArray[np.float64]:
            return difference(
                self.judge((background + first) / task.total_mass),
                self.judge((background + second) / task.total_mass),
            )

        return GapSum(
            width=len(first),
            parts=outside(tables, comparison, task),
            read=read,
            slope=2 * self.steepness / task.total_mass,
        )


class SeparablePriority(AveragePriority):
    """A priority u(F) = E_{x~D}[v(x, F(x))]: perfectly separable.

    Paper: sec:rule-agg

    Examples
    --------
    >>> class Cheap(SeparablePriority):
    ...     name = "cheap"
    ...     def case_scores(self, x, outputs):
    ...         return 1 - np.array(outputs)
    >>> task = Task({"x1": (0.2, 0.6), "x2": (0.5, 0.1)})
    >>> Cheap().scores(task)
    [array([0.4, 0.2]), array([0.25, 0.45])]
    """

    @abstractmethod
    def case_scores(self, x: Input, outputs: Sequence[Output]) -> NDArray[np.float64]:
        """Return v(x, y) for each of the outputs; shape (outputs,)."""

    def quantities(self, x: Input, outputs: Sequence[Output]) -> NDArray[np.float64]:
        """Return v(x, y) for each of the outputs; shape (outputs, 1)."""
        return self.case_scores(x, outputs)[:, None]

    def judge(self, averages: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the average itself."""
        return averages[0]

    @property
    def steepness(self) -> float:
        """The average itself moves by as much as it moves."""
        return 1.0

    def scores(self, task: Task) -> list[NDArray[np.float64]]:
        """Return D(x) v(x, y) for every input x; shapes (outputs,)."""
        return [table[:, 0] / task.total_mass for table in self.tables(task)]

    def gap_sum(self, comparison: Comparison, task: Task) -> GapSum:
        """Return the projection gap, which is the same over every background rule."""
        tables = self.tables(task)
        first, second = (
            side_total(tables, side, task) for side in (comparison.first, comparison.second)
        )
        return GapSum.constant(float(difference(first, second)[0]) / task.total_mass)


def case_numbers(
    number: CaseNumber, name: str, x: Input, outputs: Sequence[Output]
) -> NDArray[np.float64]:
    """Return a number for each output at an input, refusing what is none; shape (outputs,)."""
    return np.array(
        [finite_number(number(x, y), f"{name} of output {y!r} at input {x!r}") for y in outputs]
    )


def side_total(
    tables: list[NDArray[np.float64]], side: Mapping[Input, Output], task: Task
) -> NDArray[np.float64]:
    """Return the sum of the table rows that one side of a comparison picks; shape (k,)."""
    rows = [tables[task.position(x)][task.code(x, y)] for x, y in side.items()]
    return np.sum(rows, axis=0, dtype=np.float64)


def outside(
    tables: list[NDArray[np.float64]], comparison: Comparison, task: Task
) -> dict[Input, NDArray[np.float64]]:
    """Return the tables of the inputs that a comparison doesn't speak of."""
    return {
        x: table for x, table in zip(task.inputs, tables, strict=True) if x not in comparison.first
    }
