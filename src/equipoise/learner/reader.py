"""Comparisons read through priorities, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from equipoise.model.aggregation import RuleAggregator
from equipoise.model.comparisons import Comparison
from equipoise.model.evidence import Account, Evidence, evidence
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
        # For each priority what was found: favour and against, and how.
        self._found: list[dict[Comparison, tuple[NDArray[np.float64], Account]]] = [
            {} for _ in priorities
        ]

    def with_priority(self, priority: Priority) -> Reader:
        """Return a reader with one more priority, which remembers what this one does."""
        more = Reader(self.task, (*self.priorities, priority), self.aggregator, self.scale)
        more._found[:-1] = self._found
        return more

    def read(self, comparisons: Sequence[Comparison]) -> Evidence:
        """Return what each priority says about each comparison.

        Of a single one also how it was found; of many, this would take longer than all else.
        """
        columns = []
        for priority, found in zip(self.priorities, self._found, strict=True):
            new = [comparison for comparison in comparisons if comparison not in found]
            if new:
                says = evidence(
                    [priority], new, self.task, aggregator=self.aggregator, scale=self.scale
                )
                sides = np.column_stack([says.favour, says.against])
                for place, comparison in enumerate(new):
                    found[comparison] = sides[place], says.accounts[0].row(place)
            columns.append([found[comparison][0] for comparison in comparisons])
        sides = np.array(columns).reshape(len(columns), -1, 2)  # also where none were asked for
        single = len(comparisons) == 1
        accounts = tuple(found[comparisons[0]][1] for found in self._found) if single else ()
        return Evidence(sides[:, :, 0].T, sides[:, :, 1].T, accounts)

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
        return {
            id: self.read([comparison]) for id, comparison in zip(asked, comparisons, strict=True)
        }
