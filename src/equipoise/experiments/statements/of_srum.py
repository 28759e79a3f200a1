"""Statements of `sec:SRUM`: score-based models are the separable ones without thresholds."""

from __future__ import annotations

import numpy as np

from equipoise.experiments.statements.statement import (
    SEPARABLE,
    Generator,
    Statement,
    Written,
    aggregators,
    farthest,
    random_model,
    random_question,
    simplex,
    unless,
)
from equipoise.model.comparisons import local_comparisons
from equipoise.model.evidence import Evidence, evidence
from equipoise.model.noise import LogisticNoise, Noise, NormalNoise
from equipoise.model.priority_model import PriorityModel
from equipoise.model.responses import TwoAnswers
from equipoise.model.rule_sets import all_rules, these_rules
from equipoise.model.srum import Scores, model_of_scores, scores_of_model
from equipoise.model.states import decisiveness
from equipoise.model.tasks import Task

NEAR = 1e-9


def lone_gaps(rng: Generator) -> float:
    """Return how far a separable model's decisiveness is from its weighted constant gaps."""
    model, task = random_model(rng, SEPARABLE)
    question = random_question(rng, task)
    deltas = [Written.out(priority, task).gaps(question)[0] for priority in model.priorities]
    phi = aggregators(rng)[int(rng.integers(3))]
    says = evidence(model.priorities, [question], task, aggregator=phi)
    return farthest(decisiveness(says, model.weights), [float(model.weights @ deltas)])


def positive_parts(rng: Generator) -> float:
    """Return how far positive less negative parts are from the numbers themselves."""
    gap, weights = rng.uniform(-1, 1, size=4), simplex(rng, 4)
    says = Evidence.from_features(np.array([[np.maximum(gap, 0), np.maximum(-gap, 0)]]))
    return farthest(decisiveness(says, weights), [float(weights @ gap)])


def compared_scores(rng: Generator) -> float:
    """Return how far the probabilities of a score-based model are from h of the difference."""
    scores, task = _random_scores(rng)
    beta = rng.uniform(0.5, 5)
    question = random_question(rng, task)
    ((x, y),), ((_, other),) = question.first.items(), question.second.items()
    own = dict(zip(task.outputs[x], scores.values[x].tolist(), strict=True))
    expected = 1 / (1 + np.exp(-beta * (own[y] - own[other])))
    return farthest([scores.probability(question, LogisticNoise(beta))], [float(expected)])


def scores_to_model(rng: Generator) -> float:
    """Return how differently a score function and its model answer, and choose rules."""
    scores, task = _random_scores(rng)
    model, factor = model_of_scores(scores)
    return _apart(rng, scores, model, factor, task)


def model_to_scores(rng: Generator) -> float:
    """Return how differently a separable model and its score function answer, and choose rules."""
    model, task = random_model(rng, SEPARABLE)
    rules = list(all_rules(task))
    background = rules[int(rng.integers(len(rules)))]
    return _apart(rng, scores_of_model(model, task, background), model, 1.0, task)


def _random_scores(rng: Generator) -> tuple[Scores, Task]:
    _, task = random_model(rng)
    values = {x: 3 * rng.random(len(allowed)) for x, allowed in task.outputs.items()}
    return Scores(task, values), task


def _apart(
    rng: Generator, scores: Scores, model: PriorityModel, factor: float, task: Task
) -> float:
    """Return how far answers are apart; one if the best rules of a random subset differ."""
    beta = float(rng.uniform(0.5, 5))
    normal = bool(rng.integers(2))
    noise: Noise = NormalNoise(beta) if normal else LogisticNoise(beta)
    forced = TwoAnswers(beta=beta * factor, noise="normal" if normal else "logistic")
    questions = list(local_comparisons(task))
    says = evidence(model.priorities, questions, task)
    by_model = forced.predict(says, model.weights)[:, 0]
    by_scores = [scores.probability(question, noise) for question in questions]
    rules = [rule for rule in all_rules(task) if rng.integers(2)] or list(all_rules(task))
    totals = np.array(
        [sum(scores.values[x][task.code(x, y)] for x, y in rule.items()) for rule in rules]
    )
    utilities = model.utilities(these_rules(task, rules))
    best = [values > values.max() - NEAR for values in (totals, utilities * factor)]
    return max(farthest(by_model, by_scores), unless(np.array_equal(*best)))


SRUM = (
    Statement(
        "lem:lin-agg-gap",
        "decisiveness of a separable model is the weighted sum of its gaps",
        at_random=lone_gaps,
    ),
    Statement(
        "eq:simplified-scores",
        "positive less negative parts are the numbers themselves",
        at_random=positive_parts,
    ),
    Statement(
        "def:score-rum", "scores are compared through the link function", at_random=compared_scores
    ),
    Statement(
        "thm:score-rum-equivalence",
        "every score function is a separable model: the same answers, the same best rules",
        at_random=scores_to_model,
    ),
    Statement(
        "thm:score-rum-equivalence",
        "every separable model is a score function: the same answers, the same best rules",
        at_random=model_to_scores,
    ),
)
