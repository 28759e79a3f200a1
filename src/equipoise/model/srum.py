"""Score-based random utility models, and the perfectly separable models they are.

A score-based model gives every output at every input a score, and compares scores with noise.
Bradley-Terry (logistic noise) and Thurstone-Mosteller (normal noise) are of this kind.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.aggregation import Maximum
from equipoise.model.checks import finite_array
from equipoise.model.comparisons import Comparison, local_comparisons
from equipoise.model.noise import Noise
from equipoise.model.priorities import GapSum, Priority
from equipoise.model.priority_model import PriorityModel
from equipoise.model.rounding import ROUNDING, difference, first_best
from equipoise.model.rule_sets import RuleSet, all_rules, these_rules
from equipoise.model.tallies import tally
from equipoise.model.tasks import Input, Rule, Task


class Scores:
    r"""A local score function V: a non-negative score for every output at every input.

    Paper: def:score-rum

    Parameters
    ----------
    task
        The task whose outputs are scored.
    values
        For every input x, the scores V(x, y) of its outputs in order; shapes (outputs,).

    Examples
    --------
    >>> from equipoise.model.noise import LogisticNoise
    >>> scores = Scores(Task({"x": ("a", "b")}), {"x": [2.0, 1.0]})
    >>> round(scores.probability(Comparison.local("x", "a", "b"), LogisticNoise(1.0)), 3)
    0.731
    """

    def __init__(self, task: Task, values: Mapping[Input, ArrayLike]) -> None:
        self.task = task
        self.values: dict[Input, NDArray[np.float64]] = {}
        if not isinstance(values, Mapping) or set(values) != set(task.outputs):
            raise ValueError(
                f"values is {values!r}, expected a mapping that has scores for exactly the inputs "
                f"{task.inputs!r}"
            )
        for x, allowed in task.outputs.items():
            scores = finite_array(values[x], f"values[{x!r}]", (len(allowed),))
            if (scores < 0).any():
                raise ValueError(f"values[{x!r}] are {scores}, expected numbers of at least 0")
            self.values[x] = scores

    def difference(self, comparison: Comparison) -> float:
        """Return V(x, y) - V(x, y'), added up over the comparison's inputs."""
        sides = [
            math.fsum(self.values[x][self.task.code(x, y)] for x, y in side.items())
            for side in (comparison.first, comparison.second)
        ]
        return float(difference(*sides))

    def probability(self, comparison: Comparison, noise: Noise) -> float:
        r"""Return the probability of choosing the first side.

        .. math:: S_{h_\beta}(q; V)(y \succ y') = h_\beta(V(x, y) - V(x, y'))

        Paper: def:score-rum
        """
        return float(noise.sf(-self.difference(comparison)))

    def best_rule(self) -> Rule:
        """Return the rule of the greatest total score, the first output among equals."""
        return Rule(self.task, [int(first_best(self.values[x])) for x in self.task.inputs])


@dataclass(frozen=True)
class ScorePriority:
    r"""The one priority of a score-based model.

    .. math:: u_V(F) = \sum_x V(x, F(x))

    Paper: thm:score-rum-equivalence
    """

    scoring: Scores
    name: str = "score"

    def utilities(self, rules: RuleSet) -> NDArray[np.float64]:
        """Return u_V(F) for every rule F; shape (rules,)."""
        return rules.totals([scores[:, None] for scores in self.scoring.values.values()])[0]

    def scores(self, task: Task) -> list[NDArray[np.float64]]:
        """Return V(x, y) for every input x; shapes (outputs,)."""
        return list(self.scoring.values.values())

    def gap_sum(self, comparison: Comparison, task: Task) -> GapSum:
        """Return the difference of scores, which no background changes."""
        gap = self.scoring.difference(comparison)
        return GapSum.constant(gap)


def model_of_scores(scores: Scores) -> tuple[PriorityModel, float]:
    r"""Return the perfectly separable model of a score function, and its change of scale.

    The utility u_V may span more than one and is then divided by its range c. So answers by the
    scores at inverse temperature beta are answers by the model at c beta.

    Paper: thm:score-rum-equivalence (M_V)

    Examples
    --------
    >>> scores = Scores(Task({"x": ("a", "b")}), {"x": [3.0, 1.0]})
    >>> model, factor = model_of_scores(scores)
    >>> model, factor
    (<PriorityModel of score: 1; average>, 2.0)
    """
    model = PriorityModel([ScorePriority(scores)], [1.0])
    return model, model.divisors(scores.task)[0]


def scores_of_model(model: PriorityModel, task: Task, background: Rule | None = None) -> Scores:
    r"""Return the score function of a perfectly separable model.

    .. math:: V_M(x, y) = \sum_j \omega_j u_j(F^0_{x \to y}) + \text{a constant of } x

    for any background rule F0. The constant, which no difference sees, makes the least score at
    every input zero.

    Paper: thm:score-rum-equivalence (V_M)

    Parameters
    ----------
    model
        A model all of whose priorities are perfectly separable; anything else is refused.
    task
        The task.
    background
        F0; the first rule of the task when not given.

    Examples
    --------
    >>> from equipoise.model.priorities import Membership
    >>> family = PriorityModel([Membership(lambda x, y: y == "a")], [1.0])
    >>> scores_of_model(family, Task({"x": ("a", "b")})).values
    {'x': array([1., 0.])}
    """
    for priority in model.priorities:
        check_perfectly_separable(priority, task)
    start = background if background is not None else next(iter(all_rules(task)))
    values = {}
    for x, allowed in task.outputs.items():
        scores = model.utilities(these_rules(task, [start.project({x: y}) for y in allowed]))
        values[x] = scores - scores.min()
    return Scores(task, values)


def check_perfectly_separable(priority: Priority, task: Task) -> None:
    """Raise ValueError unless the priority's gap at each local comparison is one constant.

    Paper: sec:rule-agg (perfect separability)
    """
    for comparison in local_comparisons(task):
        extremes = tally(priority, comparison, task, Maximum())
        # The largest gap is the least one: max = -max of the negated gaps.
        if extremes.method == "sampled" or extremes.toward_first + extremes.toward_second > (
            ROUNDING * extremes.largest_gap
        ):
            raise ValueError(
                f"priority {priority.name!r} is not known to be perfectly separable: at "
                f"{comparison} its gap depends on the background rule"
            )
