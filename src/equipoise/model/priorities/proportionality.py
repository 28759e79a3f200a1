"""Proportionality: every group should receive its share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equipoise.model.checks import function_argument, number_between
from equipoise.model.comparisons import Comparison
from equipoise.model.priorities.averages import AveragePriority, outside, side_total
from equipoise.model.priorities.protocol import GapSum
from equipoise.model.rounding import difference
from equipoise.model.tasks import Input, Output, Task

Group = Hashable
Groups = Group | Collection[Group] | None


class Proportionality(AveragePriority):
    r"""How near each group's share of the decisions is to its ideal share.

    .. math::
        u(F) = -\sum_\ell
            \big(\Pr_{x \sim D}[F(x) \text{ goes to } G_\ell] - \alpha_\ell\big)^2

    Paper: ex:prop, ex:trolley-priorities

    Parameters
    ----------
    group
        The group that output y at input x goes to: a name, several names, or None. Names that
        have no share don't count.
    shares
        alpha: the ideal share in [0, 1] of each group.
    name
        How people call it.

    Examples
    --------
    >>> from equipoise.model.priorities import utility
    >>> task = Task({"x1": ("a", "b"), "x2": ("a", "b")})
    >>> fair = Proportionality(lambda x, y: y, {"a": 0.5, "b": 0.5})
    >>> utility(fair, task.rule({"x1": "a", "x2": "a"}))
    -0.5
    """

    def __init__(
        self,
        group: Callable[[Input, Output], Groups],
        shares: Mapping[Any, float],
        name: str = "proportionality",
    ) -> None:
        if not isinstance(shares, Mapping):
            raise ValueError(f"shares is {shares!r}, expected a mapping from groups to shares")
        if not shares:
            raise ValueError("shares is empty: proportionality needs at least one group")
        self._group = function_argument(group, "group")
        self._groups = tuple(shares)
        self._ideal = np.array(
            [number_between(share, f"shares[{g!r}]", 0, 1) for g, share in shares.items()]
        )
        self._name = name

    @property
    def name(self) -> str:
        """How people call it."""
        return self._name

    def quantities(self, x: Input, outputs: Sequence[Output]) -> NDArray[np.float64]:
        """Return 1 for each output and group that it goes to, else 0; shape (outputs, groups)."""
        served = [self._names(self._group(x, y)) for y in outputs]
        return np.array([[float(g in names) for g in self._groups] for names in served])

    def _names(self, groups: Groups) -> Collection[Group]:
        """Return the names of groups, given as one name, as several, or as None."""
        if groups is None:
            return ()
        if isinstance(groups, Hashable) and groups in self._groups:
            return (groups,)  # also where the name is itself a tuple
        return (
            (groups,) if isinstance(groups, str) or not isinstance(groups, Collection) else groups
        )

    def judge(self, averages: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return minus the squared distance of the shares (groups, rules) from the ideal ones."""
        return -((averages - self._ideal[:, None]) ** 2).sum(axis=0)  # ex:prop

    def range_bound(self, task: Task) -> float:
        """Return a proven bound on u(F) - u(F').

        The squared distance is convex in the shares, and the shares are an average over inputs,
        so it is at most the average over inputs of the largest distance there. Group by group,
        each share lies between its least and its greatest.
        """
        rows = [self.quantities(x, allowed) for x, allowed in task.outputs.items()]
        jensen = sum(
            weight * ((row - self._ideal) ** 2).sum(axis=1).max()
            for row, weight in zip(rows, task.weights, strict=True)
        )
        weights = task.weights[:, None]
        low = (weights * np.array([row.min(axis=0) for row in rows])).sum(axis=0)
        high = (weights * np.array([row.max(axis=0) for row in rows])).sum(axis=0)
        farthest = np.maximum((low - self._ideal) ** 2, (high - self._ideal) ** 2).sum()
        nearest = ((np.clip(self._ideal, low, high) - self._ideal) ** 2).sum()
        return float(min(jensen, farthest) - nearest)

    def gap_sum(self, comparison: Comparison, task: Task) -> GapSum:
        r"""Return the projection gap, linear in the background's group counts.

        With shares b + f on one side and b + s on the other, where b is the background's part,

        .. math:: \sum_\ell (b_\ell + s_\ell - \alpha_\ell)^2
            - (b_\ell + f_\ell - \alpha_\ell)^2
            = \sum_\ell (s_\ell - f_\ell)
              (f_\ell + s_\ell - 2 \alpha_\ell + 2 b_\ell),

        so the one number sum over groups of (s - f) b is all that the gap needs of it.
        """
        tables = self.tables(task)
        total = task.total_mass
        first = side_total(tables, comparison.first, task)
        second = side_total(tables, comparison.second, task)
        change = second - first
        alone = float(change @ ((first + second) / total - 2 * self._ideal)) / total
        parts = {
            x: (table @ change)[:, None] for x, table in outside(tables, comparison, task).items()
        }
        return GapSum(
            width=1,
            parts=parts,
            read=lambda sums: difference(alone, -2 * sums[0] / total**2),
            slope=2 / total**2,
            affine=True,
        )
