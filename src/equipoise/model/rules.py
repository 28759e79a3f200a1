"""The rules that a person's priorities imply, and what another rule costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from equipoise.model.checks import magnitude
from equipoise.model.priorities import Separable
from equipoise.model.priority_model import PriorityModel, checked_model
from equipoise.model.rounding import ROUNDING, first_best
from equipoise.model.rule_sets import RuleBox, all_rules
from equipoise.model.tasks import Rule, Task, checked_rule, checked_task

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
    for higher, rules, places in _best_so_far(checked_model(model), checked_task(task)):
        if higher:
            best.clear()
        best.extend(rules[i] for i in places.tolist())
    return best


def _best_so_far(
    model: PriorityModel, task: Task
) -> Iterator[tuple[bool, RuleBox, NDArray[np.intp]]]:
    """Look at every rule, and iterate over those that nothing before them excels.

    They come in parts: whether they excel all before, and the places of the best in a box.
    """
    if task.rule_count > LARGEST_SEARCH:
        raise ValueError(
            f"the task has {magnitude(task.rule_count)} rules, too many to look at each for the "
            "best one; it's found without looking only where all priorities are separable"
        )
    greatest = -np.inf
    for rules in all_rules(task).chunks():
        utilities = model.utilities(rules)
        higher = bool(utilities.max() > greatest + ROUNDING)
        greatest = utilities.max() if higher else greatest
        places = np.flatnonzero(utilities >= greatest - ROUNDING)
        if places.size:
            yield higher, rules, places


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
    checked_task(task)
    priorities = checked_model(model).priorities
    separable = [priority for priority in priorities if isinstance(priority, Separable)]
    if len(separable) == len(priorities):
        return _best_input_by_input(model, separable, task)
    best = None
    for higher, rules, places in _best_so_far(model, task):
        if higher:
            best = rules[int(places[0])]
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
    return checked_model(model).utility(best_rule(model, rule.task)) - model.utility(rule)
