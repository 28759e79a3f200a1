"""Statements of `sec:tech`: linear priorities, their rules, and what regret is."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from equipoise.experiments.statements.statement import (
    Array,
    Generator,
    Statement,
    farthest,
    simplex,
    unless,
)
from equipoise.model.comparisons import Comparison, local_comparisons
from equipoise.model.evidence import Evidence, evidence
from equipoise.model.gaps import projection_gaps
from equipoise.model.linear_rules import average_regret, linear_choices, worst_case_regret
from equipoise.model.priorities import LinearFeature, linear_features
from equipoise.model.priority_model import PriorityModel
from equipoise.model.responses import TwoAnswers
from equipoise.model.rule_sets import all_rules, these_rules
from equipoise.model.tasks import Task

NEAR = 1e-9


def random_linear(rng: Generator) -> tuple[Task, Array, list[LinearFeature]]:
    """Return a task, its features (n, k, d), and a priority for each of d features."""
    n, k, d = (int(rng.integers(*span)) for span in ((1, 5), (2, 4), (1, 5)))
    psi = rng.random((n, k, d))
    task = Task({x: tuple(range(k)) for x in range(n)})
    names = [f"feature {j}" for j in range(d)]
    return task, psi, list(linear_features(names, dict(enumerate(psi)), task))


def features(rng: Generator) -> float:
    """Return how far gaps are from differences of features over |X|, at any background."""
    task, psi, priorities = random_linear(rng)
    x, (y, other) = int(rng.integers(len(psi))), rng.choice(psi.shape[1], 2, replace=False)
    question = Comparison.local(x, int(y), int(other))
    rules = these_rules(task, list(all_rules(task)))
    expected = (psi[x, y] - psi[x, other]) / len(psi)
    return max(
        farthest(projection_gaps(priority, question, rules), np.full(len(rules), gap))
        for priority, gap in zip(priorities, expected, strict=True)
    )


def per_input(rng: Generator) -> float:
    """Return how far evidence at the experiments' scale is from differences of features."""
    task, psi, priorities = random_linear(rng)
    says = evidence(priorities, [Comparison.local(0, 0, 1)], task, scale="per-input")
    plain = Evidence.from_features(psi[None, 0, :2])
    return farthest(says.favour - says.against, plain.favour - plain.against)


def best_rule(rng: Generator) -> float:
    """Return what the linear rule of the true weights loses to the best of all rules."""
    task, psi, priorities = random_linear(rng)
    omega = simplex(rng, len(priorities))
    chosen = linear_choices(omega, psi).tolist()
    model = PriorityModel(priorities, omega)
    best = float(model.utilities(all_rules(task)).max())
    return abs(best - model.utility(task.rule(dict(enumerate(chosen)))))


def linear_scores(rng: Generator) -> float:
    """Return how far theta at beta answers from theta/|theta| at beta |X| |theta|."""
    task, psi, priorities = random_linear(rng)
    theta, beta = 3 * rng.random(len(priorities)) + 0.01, float(rng.uniform(0.5, 10))
    size, scores = float(theta.sum()), psi @ theta
    questions = list(local_comparisons(task))
    says = evidence(priorities, questions, task)
    found = TwoAnswers(beta=beta * len(psi) * size).predict(says, theta / size)[:, 0]
    margins = []
    for question in questions:
        ((x, y),), ((_, other),) = question.first.items(), question.second.items()
        margins.append(scores[task.position(x), y] - scores[task.position(x), other])
    utilities = PriorityModel(priorities, theta / size).utilities(all_rules(task))
    totals = [float(sum(scores[x, y] for x, y in rule.items())) for rule in all_rules(task)]
    answers = farthest(found, 1 / (1 + np.exp(-beta * np.array(margins))))
    return max(answers, farthest(utilities * len(psi) * size, totals))


def close_weights(rng: Generator) -> float:
    """Return by how much regret exceeds twice the distance of the weights, on any set of rules."""
    task, _, priorities = random_linear(rng)
    true, other = simplex(rng, len(priorities)), simplex(rng, len(priorities))
    share = rng.random()
    learned = share * true + (1 - share) * other
    rules = [rule for rule in all_rules(task) if rng.integers(2)] or list(all_rules(task))
    subset = these_rules(task, rules)
    truly = PriorityModel(priorities, true).utilities(subset)
    chosen = int(PriorityModel(priorities, learned).utilities(subset).argmax())
    return max(0.0, float(truly.max() - truly[chosen] - 2 * np.abs(learned - true).sum()))


def ratio_of_sums(rng: Generator) -> float:
    """Return how far average regret is from regrets over ranges, added up input by input."""
    psi, true, learned = rng.random((6, 4, 3)), simplex(rng, 3), simplex(rng, 3)
    lost = available = 0.0
    for candidates in psi:
        values, scores = candidates @ true, candidates @ learned
        lost += values.max() - values[int(scores.argmax())]
        available += values.max() - values.min()
    return farthest([average_regret(true, learned, psi)], [lost / available])


def worst_case(rng: Generator) -> float:
    """Return how far the worst case is from the linear programme's; one if an input is worse."""
    size = int(rng.integers(2, 7))
    true, learned = simplex(rng, size), simplex(rng, size)
    worst = worst_case_regret(true, learned)
    solved = linprog(-true, A_ub=[learned], b_ub=[0.0], bounds=[(-1, 1)] * size)
    candidates = rng.random((50, 5, size))
    picked = linear_choices(learned, candidates)
    values = candidates @ true
    lost = values.max(axis=1) - values[np.arange(len(values)), picked]
    return max(abs(worst + float(solved.fun or 0.0)), unless((lost <= worst + NEAR).all()))


LINEAR = (
    Statement(
        "def:linear-perfectly-separable-model",
        "a feature's gap is its difference over the number of inputs, at any background",
        at_random=features,
    ),
    Statement(
        "sec:tech",
        "at the experiments' scale evidence is the difference of features",
        at_random=per_input,
    ),
    Statement(
        "prop:linear-rule-is-aggregate-optimal",
        "no rule is better than the linear rule of the true weights",
        at_random=best_rule,
    ),
    Statement(
        "thm:linear-srum-relationship",
        "linear scores answer as a linear model at another beta, with the same rules",
        at_random=linear_scores,
    ),
    Statement(
        "lem:weight-recovery-rule-recovery",
        "weights within eps lose at most 2 eps, on any set of rules",
        at_random=close_weights,
    ),
    Statement(
        "app:regret-computation",
        "average regret is a ratio of sums over inputs",
        at_random=ratio_of_sums,
    ),
    Statement(
        "lem:wc-regret-pairwise",
        "worst-case regret solves the linear programme, and no input does worse",
        at_random=worst_case,
    ),
)
