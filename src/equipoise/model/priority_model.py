"""A person: several priorities and how much each of them matters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.aggregation import RuleAggregator, rule_aggregator
from equipoise.model.checks import simplex_vector
from equipoise.model.priorities import (
    Priority,
    checked_priorities,
    checked_utilities,
    utility_range,
)
from equipoise.model.rule_sets import RuleSet, these_rules
from equipoise.model.tasks import Rule, Task, checked_rule


class PriorityModel:
    """The priorities, weights and rule aggregator of one person.

    Paper: sec:pluralistic

    Parameters
    ----------
    priorities
        The m priorities.
    weights
        Their weights, non-negative and summing to one; shape (m,).
    aggregator
        How gaps over background rules become one number: "average", "maximum",
        `Percentile(p)` or another `RuleAggregator`.
    unit_range
        Whether every utility is rescaled to a range of exactly one. By default only a utility
        whose range exceeds one is divided, by its range or a proven bound on it.

    Examples
    --------
    >>> from equipoise.model.priorities import Membership
    >>> task = Task({"x1": ("a", "b"), "x2": ("a", "b")})
    >>> model = PriorityModel([Membership(lambda x, y: y == "a")], [1.0])
    >>> model.utility(task.rule({"x1": "a", "x2": "b"}))
    0.5
    """

    def __init__(
        self,
        priorities: Sequence[Priority],
        weights: ArrayLike,
        aggregator: str | RuleAggregator = "average",
        *,
        unit_range: bool = False,
    ) -> None:
        if not priorities:
            raise ValueError("priorities is empty, expected at least one priority")
        self.priorities = checked_priorities(priorities)
        self.weights = simplex_vector(weights, "weights", len(self.priorities))
        self.aggregator = rule_aggregator(aggregator)
        self.unit_range = unit_range
        self._divisors: WeakKeyDictionary[Task, list[float]] = WeakKeyDictionary()

    def __repr__(self) -> str:
        weights = ", ".join(
            f"{priority.name}: {weight:.4g}"
            for priority, weight in zip(self.priorities, self.weights, strict=True)
        )
        return f"<PriorityModel of {weights}; {self.aggregator.name}>"

    def priority_utilities(self, rules: RuleSet) -> NDArray[np.float64]:
        """Return u_j(F) of every priority and rule, in range; shape (m, rules)."""
        return np.array(
            [
                checked_utilities(priority, rules) / divisor
                for priority, divisor in zip(
                    self.priorities, self.divisors(rules.task), strict=True
                )
            ]
        )

    def divisors(self, task: Task) -> list[float]:
        """Return what each priority's utility is divided by on a task."""
        # Finding a range may mean looking at every rule: once for each task is enough.
        if task not in self._divisors:
            self._divisors[task] = [
                utility_range(priority, task).divisor(self.unit_range)
                for priority in self.priorities
            ]
        return self._divisors[task]

    def utilities(self, rules: RuleSet) -> NDArray[np.float64]:
        r"""Return the aggregate utility of every rule; shape (rules,).

        .. math:: U_M(F) = \sum_j \omega_j u_j(F)

        Paper: sec:pluralistic
        """
        return self.weights @ self.priority_utilities(rules)

    def utility(self, rule: Rule) -> float:
        """Return the aggregate utility of one rule."""
        return float(self.utilities(these_rules(checked_rule(rule).task, [rule]))[0])

    def without(self, removed: Collection[int]) -> PriorityModel:
        """Return the model without some priorities, the other weights rescaled to sum to one.

        Paper: thm:scale-free-ind (M with priorities J' removed)
        """
        for j in removed:
            if j not in range(len(self.priorities)):
                raise ValueError(
                    f"removed has {j!r}, expected places of priorities from 0 to "
                    f"{len(self.priorities) - 1}"
                )
        kept = [j for j in range(len(self.priorities)) if j not in removed]
        if not kept:
            raise ValueError("removing every priority leaves no model")
        mass = self.weights[kept].sum()
        if mass == 0:
            raise ValueError("the remaining priorities all have weight 0, they can't be rescaled")
        return PriorityModel(
            [self.priorities[j] for j in kept],
            self.weights[kept] / mass,
            self.aggregator,
            unit_range=self.unit_range,
        )


def checked_model(model: PriorityModel) -> PriorityModel:
    """Return `model` if it is one."""
    if not isinstance(model, PriorityModel):
        raise ValueError(
            f"model is {model!r}, expected a person: `PriorityModel(priorities, weights)`"
        )
    return model
