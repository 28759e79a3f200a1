"""Statements of `sec:insep` on priorities: which of them look across inputs, and how."""

from __future__ import annotations

import itertools

import numpy as np

from equipoise.experiments.statements.statement import (
    Generator,
    Statement,
    Written,
    aggregators,
    alike,
    egalitarian,
    farthest,
    perfectly_inseparable,
    proportional,
    random_model,
    random_question,
    simplex,
    two_people,
    unless,
)
from equipoise.model.aggregation import LinearAggregator
from equipoise.model.comparisons import local_comparisons
from equipoise.model.evidence import evidence
from equipoise.model.gaps import projection_gaps
from equipoise.model.priorities import Egalitarianism, Priority
from equipoise.model.rule_sets import all_rules, these_rules
from equipoise.model.tasks import Task

NEAR = 1e-9


def _printed(
    priority: Priority, task: Task, best: tuple[str, str], values: tuple[float, float]
) -> float:
    """Return how far utilities are from printed ones, and the gaps from two even halves.

    Paper: def:insep

    Parameters
    ----------
    priority, task
        The instance.
    best
        The two best rules, by their outputs joined.
    values
        The utility of these two, and of the other two.
    """
    rules = list(all_rules(task))
    found = priority.utilities(these_rules(task, rules))
    expected = [values[0 if "".join(map(str, r.values())) in best else 1] for r in rules]
    off = farthest(found, expected)
    delta = values[0] - values[1]
    for question in local_comparisons(task):
        gaps = projection_gaps(priority, question, these_rules(task, rules))
        off = max(off, farthest(np.sort(gaps), [-delta, -delta, delta, delta]))
    return off


def printed_egalitarianism() -> float:
    """Return the deviation from u = 1 for ab and ba, 0 for aa and bb, and delta = 1."""
    return _printed(egalitarian(), two_people(), ("ab", "ba"), (1.0, 0.0))


def printed_proportionality() -> float:
    """Return the deviation from u = 0 for ab and ba, -1/2 for aa and bb, and delta = 1/2."""
    return _printed(proportional(), two_people(), ("ab", "ba"), (0.0, -0.5))


def printed_equal_treatment() -> float:
    """Return the deviation from u = 1 for aa' and bb, 0 for the others, and delta = 1."""
    task, equal_treatment = alike()
    return _printed(equal_treatment, task, ("aa'", "bb"), (1.0, 0.0))


def always_both_ways(rng: Generator) -> float:
    """Return whether egalitarianism has a background for either side, at every question."""
    people = "abcd"[: int(rng.integers(3, 5))]
    items = range(int(rng.integers(1, 3)) if len(people) == 3 else 1)
    inputs = [(a, b, k) for a, b in itertools.combinations(people, 2) for k in items]
    parts = rng.integers(1, 4, size=len(inputs))
    weights = {x: int(p) / int(parts.sum()) for x, p in zip(inputs, parts, strict=True)}
    task = Task({x: x[:2] for x in inputs}, weights)
    gain = {(x, i): float(rng.random()) + 0.1 for x in inputs for i in people}
    priority = Egalitarianism(people, lambda i, x, y: gain[x, i] * (y == i))
    says = evidence([priority], list(local_comparisons(task)), task, aggregator="maximum")
    return unless((says.favour > NEAR).all() and (says.against > NEAR).all())


def maximum_sees_both(rng: Generator) -> float:
    """Return whether the maximum speaks for both sides exactly where backgrounds disagree."""
    model, task = random_model(rng)
    question = random_question(rng, task)
    says = evidence(model.priorities, [question], task, aggregator="maximum")
    both = (says.favour[0] > NEAR) & (says.against[0] > NEAR)
    gaps = [Written.out(priority, task).gaps(question) for priority in model.priorities]
    disagree = [bool((g > NEAR).any() and (g < -NEAR).any()) for g in gaps]
    return unless(both.tolist() == disagree)


def silent(rng: Generator) -> float:
    """Return by how much a perfectly inseparable priority speaks more for one side."""
    off = 0.0
    for phi in aggregators(rng):
        for priority, task in perfectly_inseparable():
            says = evidence([priority], list(local_comparisons(task)), task, aggregator=phi)
            off = max(off, farthest(says.favour[:, 0], says.against[:, 0]))
    return off


def scale_preserving(rng: Generator) -> float:
    """Return how far the linear aggregator is from c phi(the others, rescaled) + A(z_j)."""
    phi, size = LinearAggregator(), int(rng.integers(2, 6))
    weights, z, j = simplex(rng, size), rng.uniform(-1, 1, size), int(rng.integers(size))
    others = np.delete(weights, j)
    rest = phi(np.delete(z, j), others / others.sum())
    parts = phi.factor(weights, j) * rest + phi.own_term(weights, j, float(z[j]))
    return farthest([phi(z, weights)], [parts])


PRIORITIES = (
    Statement(
        "prop:egal",
        "egalitarianism, two people: utilities as printed, perfectly inseparable with gap 1",
        instance=printed_egalitarianism,
    ),
    Statement(
        "prop:prop",
        "proportionality, half each: utilities as printed, perfectly inseparable with gap 1/2",
        instance=printed_proportionality,
    ),
    Statement(
        "prop:eq",
        "equal treatment of a pair: utilities as printed, perfectly inseparable with gap 1",
        instance=printed_equal_treatment,
    ),
    Statement(
        "prop:egal-insep",
        "with three people or more, egalitarianism is inseparable at every question",
        at_random=always_both_ways,
    ),
    Statement(
        "def:insep",
        "the maximum speaks for both sides exactly where a priority is inseparable",
        at_random=maximum_sees_both,
    ),
    Statement(
        "lem:insep-silent",
        "what is perfectly inseparable says as much for either side, under any aggregator",
        at_random=silent,
    ),
    Statement(
        "def:scale-pres",
        "the linear aggregator preserves scale, with c = 1 - weight",
        at_random=scale_preserving,
    ),
)
