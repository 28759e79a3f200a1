"""Size and family: how often the rule picks an output that is best by one measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from equipoise.model.checks import function_argument
from equipoise.model.priorities.averages import CaseNumber, SeparablePriority, case_numbers
from equipoise.model.tasks import Input, Output


class Size(SeparablePriority):
    r"""How often the rule picks an output with the largest count.

    .. math:: u(F) = \Pr_{x \sim D}[F(x) \in \arg\max_{y \in Y(x)} n(x, y)]

    Paper: ex:trolley-priorities

    Parameters
    ----------
    count
        n(x, y), such as how many people output y saves at input x.
    name
        How people call it.

    Examples
    --------
    >>> from equipoise.model.priorities import utility
    >>> from equipoise.model.tasks import Task
    >>> size = Size(lambda x, y: {"mother": 1, "strangers": 1000}[y])
    >>> utility(size, Task({"x": ("mother", "strangers")}).rule({"x": "strangers"}))
    1.0
    """

    def __init__(self, count: CaseNumber, name: str = "size") -> None:
        self._count = function_argument(count, "count")
        self._name = name

    @property
    def name(self) -> str:
        """How people call it."""
        return self._name

    def case_scores(self, x: Input, outputs: Sequence[Output]) -> NDArray[np.float64]:
        """Return 1 for each output with the largest count at x, else 0; shape (outputs,)."""
        counts = case_numbers(self._count, f"count of {self.name!r}", x, outputs)
        return (counts == counts.max()).astype(np.float64)


class Membership(Size):
    r"""How often the rule picks an output with a member, such as one of the family.

    .. math:: u(F) = \Pr_{x \sim D}[F(x) \in \arg\max_{y \in Y(x)} 1\{y \text{ has a member}\}]

    Where no output has a member, or all have, every choice is as good.

    Paper: ex:trolley-priorities

    Parameters
    ----------
    member
        Whether output y at input x has a member.
    name
        How people call it.

    Examples
    --------
    >>> from equipoise.model.priorities import utility
    >>> from equipoise.model.tasks import Task
    >>> family = Membership(lambda x, y: y == "mother")
    >>> utility(family, Task({"x": ("mother", "strangers")}).rule({"x": "strangers"}))
    0.0
    """

    def __init__(self, member: Callable[[Input, Output], bool], name: str = "family") -> None:
        function_argument(member, "member")
        super().__init__(lambda x, y: float(bool(member(x, y))), name)
