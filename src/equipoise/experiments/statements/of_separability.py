"""Statements of `sec:insep` on learners: what is erased, and what is misread."""

from __future__ import annotations

import numpy as np

from equipoise.experiments.erasure import erasure
from equipoise.experiments.statements.statement import (
    SEPARABLE,
    Array,
    Generator,
    Statement,
    farthest,
    perfectly_inseparable,
    proportional,
    random_model,
    simplex,
    two_people,
    unless,
)
from equipoise.model.comparisons import local_comparisons
from equipoise.model.evidence import evidence
from equipoise.model.noise import LogisticNoise
from equipoise.model.priorities import LinearFeature, Priority
from equipoise.model.priority_model import PriorityModel
from equipoise.model.responses import TwoAnswers
from equipoise.model.rule_sets import all_rules, these_rules
from equipoise.model.rules import regret
from equipoise.model.srum import scores_of_model
from equipoise.model.states import decisiveness
from equipoise.model.tasks import Task
from equipoise.separability.rationalisations import separable_rationalisation

NEAR = 1e-9
# Some thousandths away from both ends, where the examples are stated.
SHARES = np.linspace(0.005, 0.495, 50)


def leanings(model: PriorityModel, task: Task) -> Array:
    """Return decisiveness at every local question; shape (questions,)."""
    questions = list(local_comparisons(task))
    says = evidence(model.priorities, questions, task, aggregator=model.aggregator)
    return decisiveness(says, model.weights)


def with_silent_priority(rng: Generator) -> tuple[PriorityModel, Task]:
    """Return somebody whose first priority is perfectly inseparable and the others separable."""
    instances = perfectly_inseparable()
    silent, task = instances[int(rng.integers(len(instances)))]
    others = [_feature(rng, task) for _ in range(int(rng.integers(1, 4)))]
    phi = ("average", "maximum")[int(rng.integers(2))]
    return PriorityModel([silent, *others], simplex(rng, 1 + len(others)), phi), task


def _feature(rng: Generator, task: Task) -> Priority:
    psi = {(x, y): float(rng.random()) for x, allowed in task.outputs.items() for y in allowed}
    return LinearFeature("feature", lambda x, y: psi[x, y])


def no_trace(rng: Generator) -> float:
    """Return how far decisiveness is from that without the silent priority, but for a factor."""
    model, task = with_silent_priority(rng)
    rest = 1 - float(model.weights[0])
    return farthest(leanings(model, task), rest * leanings(model.without([0]), task))


def erased(rng: Generator) -> float:
    """Return how far the scores that explain all answers are from those of the other priorities."""
    model, task = with_silent_priority(rng)
    scores = separable_rationalisation(model, task)
    if scores is None:
        return 1.0
    others, rest = scores_of_model(model.without([0]), task), 1 - float(model.weights[0])
    questions = list(local_comparisons(task))
    return farthest(
        [scores.difference(question) for question in questions],
        [rest * others.difference(question) for question in questions],
    )


def any_weight(rng: Generator) -> float:
    """Return how far decisiveness turns when the silent priority's weight is another."""
    model, task = with_silent_priority(rng)
    first, other = float(model.weights[0]), float(rng.uniform(0, 1))
    moved = np.append(other, (1 - other) * model.weights[1:] / (1 - first))
    twin = PriorityModel(model.priorities, moved, model.aggregator)
    return farthest(leanings(model, task) * (1 - other), leanings(twin, task) * (1 - first))


def same_best_rules(rng: Generator) -> float:
    """Return whether two separable models with proportional decisiveness choose alike."""
    model, task = random_model(rng, SEPARABLE)
    scores = separable_rationalisation(model, task)
    if scores is None:
        return 1.0
    rules = [rule for rule in all_rules(task) if rng.integers(2)] or list(all_rules(task))
    shift = {x: float(rng.random()) for x in task.inputs}
    factor = float(rng.uniform(0.1, 5))
    totals = np.array(
        [
            sum(factor * scores.values[x][task.code(x, y)] + shift[x] for x, y in rule.items())
            for rule in rules
        ]
    )
    utilities = model.utilities(these_rules(task, rules)) * factor
    best = [values > values.max() - NEAR for values in (totals, utilities)]
    return unless(np.array_equal(*best))


def exists_where_it_adds_up(rng: Generator) -> float:
    """Return whether there are scores exactly where least squares leave nothing over."""
    phi = ("average", "maximum")[int(rng.integers(2))]
    model, task = random_model(rng, aggregator=phi)
    kappa, design = leanings(model, task), _incidence(task)
    fitted = design @ np.linalg.lstsq(design, kappa, rcond=None)[0]
    explained = bool(np.abs(fitted - kappa).max(initial=0) < NEAR)
    return unless((separable_rationalisation(model, task) is not None) == explained)


def _incidence(task: Task) -> Array:
    """Return a row a question: one at its first output, minus one at its second."""
    columns = [(x, y) for x, allowed in task.outputs.items() for y in allowed]
    questions = list(local_comparisons(task))
    design = np.zeros((len(questions), len(columns)))
    for row, question in zip(design, questions, strict=True):
        for side, sign in ((question.first, 1), (question.second, -1)):
            for x, y in side.items():
                row[columns.index((x, y))] = sign
    return design


def consistent(rng: Generator) -> float:
    """Return how differently the scores found answer from the person, at any beta."""
    model, task = random_model(rng)  # under the average there always are scores
    scores, beta = separable_rationalisation(model, task), float(rng.uniform(1, 20))
    if scores is None:
        return 1.0
    questions = list(local_comparisons(task))
    says = evidence(model.priorities, questions, task)
    by_person = TwoAnswers(beta=beta).predict(says, model.weights)[:, 0]
    by_scores = [scores.probability(question, LogisticNoise(beta)) for question in questions]
    return farthest(by_person, by_scores)


def bad_recommendation() -> float:
    """Return how far regrets are from 1 - 3 eps/2 and 1 - eps/2, over eps below a half."""
    off = 0.0
    for epsilon in SHARES.tolist():
        example = erasure(epsilon)
        found = [example.chosen_regret, example.worst_regret]
        right = unless(example.chosen == "aa")
        off = max(off, right, farthest(found, [1 - 1.5 * epsilon, 1 - 0.5 * epsilon]))
    return off


def misreading(epsilon: float) -> tuple[float, float]:
    """Return the regret of the rule concluded from proportionality's traces, and of the worst.

    Paper: ex:inseparable-local-trace
    """
    task = two_people()
    model = PriorityModel([proportional(epsilon)], [1.0])
    scores = separable_rationalisation(model, task)
    if scores is None:
        raise RuntimeError("the forced answers of this person have no separable explanation")
    worst = max(regret(model, rule) for rule in all_rules(task))
    return regret(model, scores.best_rule()), worst


def misread() -> float:
    """Return how far regrets are from 1/2 - 2 eps and 1/2 + 2 eps, over eps below a quarter."""
    found = [misreading(epsilon) for epsilon in (SHARES / 2).tolist()]
    expected = [(0.5 - 2 * epsilon, 0.5 + 2 * epsilon) for epsilon in (SHARES / 2).tolist()]
    return farthest(np.ravel(found), np.ravel(expected))


SEPARABILITY = (
    Statement(
        "thm:scale-free-ind",
        "without its perfectly inseparable priorities a model answers the same, but for a factor",
        at_random=no_trace,
    ),
    Statement(
        "cor:erase",
        "the other priorities alone explain every forced answer",
        at_random=erased,
    ),
    Statement(
        "cor:non-ident",
        "a perfectly inseparable priority may have any weight below one",
        at_random=any_weight,
    ),
    Statement(
        "lem:psr-same-optimal-rules",
        "separable models that answer alike have the same best rules, of any set",
        at_random=same_best_rules,
    ),
    Statement(
        "def:perfect-sep-rationalization",
        "separable explanations exist exactly where decisiveness adds up",
        at_random=exists_where_it_adds_up,
    ),
    Statement(
        "def:separable-consistency",
        "the scores found answer as the person does",
        at_random=consistent,
    ),
    Statement(
        "ex:bad-rec",
        "egalitarianism erased: regret 1 - 3 eps/2, the worst rule's 1 - eps/2",
        instance=bad_recommendation,
    ),
    Statement(
        "ex:inseparable-local-trace",
        "proportionality misread: regret 1/2 - 2 eps, the worst rule's 1/2 + 2 eps",
        instance=misread,
    ),
)
