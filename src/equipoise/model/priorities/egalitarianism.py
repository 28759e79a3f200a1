"""Egalitarianism: nobody should receive too little in the long run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equipoise.model.checks import function_argument
from equipoise.model.priorities.averages import AveragePriority, case_numbers
from equipoise.model.tasks import Input, Output, Task


class Egalitarianism(AveragePriority):
    r"""Twice the average benefit of whoever benefits least.

    .. math:: u(F) = 2 \min_{i \in N} \mathbb{E}_{x \sim D}[v_i(x, F(x))]

    Paper: def:egal

    Parameters
    ----------
    recipients
        N: everyone whose benefit counts.
    benefit
        v_i(x, y), called as `benefit(i, x, y)`: what recipient i gains from output y at input x.
    name
        How people call it.

    Examples
    --------
    >>> from equipoise.model.priorities import utility
    >>> task = Task({"x1": ("a", "b"), "x2": ("a", "b")})
    >>> equal = Egalitarianism(["a", "b"], lambda i, x, y: float(y == i))
    >>> utility(equal, task.rule({"x1": "a", "x2": "b"}))
    1.0
    """

    def __init__(
        self,
        recipients: Sequence[Any],
        benefit: Callable[[Any, Input, Output], float],
        name: str = "egalitarianism",
    ) -> None:
        if not recipients:
            raise ValueError("recipients is empty: egalitarianism needs at least one recipient")
        self._recipients = tuple(recipients)
        if len(set(self._recipients)) < len(self._recipients):
            raise ValueError(f"recipients lists somebody twice: {self._recipients!r}")
        self._benefit = function_argument(benefit, "benefit")
        self._name = name

    @property
    def name(self) -> str:
        """How people call it."""
        return self._name

    def quantities(self, x: Input, outputs: Sequence[Output]) -> NDArray[np.float64]:
        """Return the benefit of each output to each recipient; shape (outputs, recipients)."""
        columns = [
            case_numbers(partial(self._benefit, i), f"benefit of {i!r}", x, outputs)
            for i in self._recipients
        ]
        return np.stack(columns, axis=1)

    def judge(self, averages: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return twice the least of the average benefits (recipients, rules)."""
        return 2 * averages.min(axis=0)  # def:egal

    @property
    def steepness(self) -> float:
        """A minimum moves by at most as much as what it is taken of, here doubled."""
        return 2.0

    def range_bound(self, task: Task) -> float:
        """Return a proven bound on u(F) - u(F').

        The least benefit is at most each recipient's greatest possible one, and at most the
        mean over recipients. It is at least the least of the recipients' smallest possible ones.
        """
        rows = [self.quantities(x, allowed) for x, allowed in task.outputs.items()]
        weights = task.weights
        greatest = weights @ np.array([row.max(axis=0) for row in rows])
        smallest = weights @ np.array([row.min(axis=0) for row in rows])
        mean = float(weights @ np.array([row.mean(axis=1).max() for row in rows]))
        return float(2 * (min(greatest.min(), mean) - smallest.min()))
