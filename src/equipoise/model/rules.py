"""The rules that a person's priorities imply, and what another rule costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from equipoise.model.checks import magnitude
from equipoise.model.priorities import Separable
from equipoise.model.priority_model import PriorityModel
from equipoise.model.rounding import ROUNDING, first_best
from equipoise.model.rule_sets import RuleBox, all_rules
from equipoise.model.tasks import Rule, Task, checked_rule

# Looking at more rules than this takes minutes.
LARGEST_SEARCH = 10**8


def best_rules(model: PriorityModel, task: Task) -> list[Rule]:
    r"""Return all rules of the greatest aggregate utility, by looking at every rule.

    .. math:: \arg\max_{F \in \mathcal F} U_M(F)

    Paper: sec:pluralistic (aggregate-optimal rules)

    Examples
    --------
    >>> from equipoise.model.priorities import Egalitarianism
    >>> task = Task({"x1": ("a", "b"), "x2": ("a", "b")})
    >>> equal = Egalitarianism(["a", "b"], lambda i, x, y: float(y == i))
    >>> [tuple(rule.values()) for rule in best_rules(PriorityModel([equal], [1.0]), task)]
    [('a', 'b'), ('b', 'a')]
    """
    best: list[Rule] = []
    greatest = -np.inf
    for rules, utilities in _searched(model, task):
        if utilities.max() > greatest + ROUNDING:
            greatest, best = utilities.max(), []
        winners = set(np.flatnonzero(utilities >= greatest - ROUNDING).tolist())
        best += [rule for i, rule in enumerate(rules) if i in winners] if winners else []
    return best


def _searched(model: PriorityModel, task: Task) -> Iterator[tuple[RuleBox, NDArray[np.float64]]]:
    """Iterate over all rules in chunks, with their aggregate utilities."""
    if task.rule_count > LARGEST_SEARCH:
        raise ValueError(
            f"the task has {magnitude(task.rule_count)} rules, too many to look at each for the "
            "best one; it's found without looking only where all priorities are separable"
        )
    for rules in all_rules(task).chunks():
        yield rules, model.utilities(rules)


def best_rule(model: PriorityModel, task: Task) -> Rule:
    """Return the first rule of the greatest aggregate utility.

    Where every priority is a sum over inputs, it's found input by input; else by looking at
    every rule.

    Paper: sec:pluralistic, prop:linear-rule-is-aggregate-optimal

    Examples
    --------
    >>> from equipoise.model.priorities import Size
    >>> task = Task({x: (0, 1, 2) for x in range(1000)})
    >>> best_rule(PriorityModel([Size(lambda x, y: y == x % 3)], [1.0]), task)[7]
    1
    """
    separable = [priority for priority in model.priorities if isinstance(priority, Separable)]
    if len(separable) == len(model.priorities):
        return _best_input_by_input(model, separable, task)
    best, greatest = None, -np.inf
    for rules, utilities in _searched(model, task):
        if utilities.max() > greatest + ROUNDING:
            greatest = utilities.max()
            best = rules[int(first_best(utilities))]
    assert best is not None  # a task has at least one rule
    return best


def _best_input_by_input(model: PriorityModel, priorities: Sequence[Separable], task: Task) -> Rule:
    totals = [np.zeros(len(allowed)) for allowed in task.outputs.values()]
    for priority, factor in zip(priorities, model.weights / model.divisors(task), strict=True):
        for total, scores in zip(totals, priority.scores(task), strict=True):
            np.add(total, factor * scores, out=total)
    codes = [int(first_best(total)) for total in totals]
    return Rule(task, codes)


def regret(model: PriorityModel, rule: Rule) -> float:
    """Return how much aggregate utility a rule gives up against the best one.

    .. math:: U_M(F^*) - U_M(F)

    Paper: def:regret

    Examples
    --------
    >>> from equipoise.model.priorities import Membership
    >>> task = Task({"x1": ("a", "b"), "x2": ("a", "b")})
    >>> family = PriorityModel([Membership(lambda x, y: y == "a")], [1.0])
    >>> regret(family, task.rule({"x1": "a", "x2": "b"}))
    0.5
    """
    checked_rule(rule)
    return model.utility(best_rule(model, rule.task)) - model.utility(rule)
