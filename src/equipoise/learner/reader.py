"""Comparisons read through priorities, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from equipoise.model.aggregation import RuleAggregator
from equipoise.model.comparisons import Comparison
from equipoise.model.evidence import Evidence, evidence
from equipoise.model.priorities import Priority
from equipoise.model.questions import Question
from equipoise.model.tasks import Task

Scale = float | Literal["per-input"]


class Reader:
    """What priorities say of comparisons; it remembers, as finding out may take long.

    Parameters
    ----------
    task, priorities, aggregator, scale
        As for `evidence`.

    Examples
    --------
    >>> from equipoise.model.aggregation import Average
    >>> from equipoise.model.priorities import Size
    >>> task = Task({"x": ("a", "b")})
    >>> reader = Reader(task, [Size(lambda x, y: y == "a")], Average(), "per-input")
    >>> reader.read([Comparison.local("x", "a", "b")]).favour
    array([[1.]])
    """

    def __init__(
        self, task: Task, priorities: Sequence[Priority], aggregator: RuleAggregator, scale: Scale
    ) -> None:
        self.task, self.aggregator, self.scale = task, aggregator, scale
        self.priorities = tuple(priorities)
        # For each priority what was found: favour and against.
        self._found: list[dict[Comparison, NDArray[np.float64]]] = [{} for _ in priorities]

    def with_priority(self, priority: Priority) -> Reader:
        """Return a reader with one more priority, which remembers what this one does."""
        more = Reader(self.task, (*self.priorities, priority), self.aggregator, self.scale)
        more._found[:-1] = self._found
        return more

    def read(self, comparisons: Sequence[Comparison]) -> Evidence:
        """Return what each priority says about each comparison."""
        columns = []
        for priority, found in zip(self.priorities, self._found, strict=True):
            new = [comparison for comparison in comparisons if comparison not in found]
            if new:
                says = evidence(
                    [priority], new, self.task, aggregator=self.aggregator, scale=self.scale
                )
                sides = np.column_stack([says.favour, says.against])
                found.update(zip(new, sides, strict=True))
            columns.append([found[comparison] for comparison in comparisons])
        sides = np.array(columns).reshape(len(columns), -1, 2)  # also where none were asked for
        return Evidence(sides[:, :, 0].T, sides[:, :, 1].T)

    def anew(self, asked: Mapping[int, Question]) -> dict[int, Evidence]:
        """Return what the priorities say of questions that were asked, by id."""
        comparisons = []
        for id, question in asked.items():
            if question.comparison is None:
                raise ValueError(
                    f"question {id} is known by its evidence only, so what another priority says "
                    "of it can't be found out"
                )
            comparisons.append(question.comparison)
        says = self.read(comparisons)
        return {id: says.rows([place]) for place, id in enumerate(asked)}
