"""Perfectly separable models that explain somebody's forced answers."""

from __future__ import annotations

import itertools

import numpy as np

from equipoise.model.comparisons import Comparison, local_comparisons
from equipoise.model.evidence import evidence
from equipoise.model.priority_model import PriorityModel
from equipoise.model.srum import Scores
from equipoise.model.states import decisiveness
from equipoise.model.tasks import Task

# Decisiveness that adds up but for this is taken to add up.
ADDS_UP = 1e-9


def separable_rationalisation(model: PriorityModel, task: Task) -> Scores | None:
    r"""Return scores that explain all forced answers to local questions, or None.

    Forced answers, however many, reveal the decisiveness of each question up to one factor.
    Scores explain them exactly if :math:`V(x, y) - V(x, y') = \kappa(y, y'; x)` throughout. That
    can be had if and only if decisiveness adds up: from y to y'' as from y to y' to y''.

    Whoever takes the person to be perfectly separable concludes these scores, and their best
    rule. They are unique up to a constant at each input and one factor.

    Paper: def:perfect-sep-rationalization, def:separable-consistency

    Examples
    --------
    >>> from equipoise.model.priorities import Egalitarianism, Membership
    >>> task = Task({"x1": ("a", "b"), "x2": ("a", "b")})
    >>> equal = Egalitarianism(["a", "b"], lambda i, x, y: float(y == i))
    >>> family = Membership(lambda x, y: y == "a")
    >>> scores = separable_rationalisation(PriorityModel([equal, family], [0.9, 0.1]), task)
    >>> dict(scores.best_rule())
    {'x1': 'a', 'x2': 'a'}
    """
    questions = list(local_comparisons(task))
    says = evidence(
        model.priorities,
        questions,
        task,
        aggregator=model.aggregator,
        unit_range=model.unit_range,
    )
    kappa = dict(zip(questions, decisiveness(says, model.weights).tolist(), strict=True))
    values = {}
    for x, allowed in task.outputs.items():
        above_last = [kappa.get(Comparison.local(x, y, allowed[-1]), 0.0) for y in allowed]
        for (i, y), (k, other) in itertools.combinations(enumerate(allowed), 2):
            if abs(above_last[i] - above_last[k] - kappa[Comparison.local(x, y, other)]) > ADDS_UP:
                return None
        values[x] = np.array(above_last) - min(above_last)
    return Scores(task, values)
