"""Statements on people who must choose a side, on pooled answers, and on whole rules."""

from __future__ import annotations

import math

import numpy as np

from equipoise.experiments.statements.statement import (
    SEPARABLE,
    Array,
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
from equipoise.model.questions import Question
from equipoise.model.respondents import Indecision, Respondent
from equipoise.model.responses import FourAnswers, ThreeAnswers
from equipoise.model.rule_sets import all_rules
from equipoise.model.states import latent_state, relation, state

TAU = 0.25


def _chance(rng: Generator, kind: Indecision) -> tuple[float, float, Array, Array, Array, Array]:
    """Return the chance of the first side, that of the decided, and sides, weights, profile."""
    first, second, profile = rng.random((3, 4))
    weights, beta = simplex(rng, 4), float(rng.uniform(0.5, 20))
    responses = FourAnswers(tau_r=TAU, tau_kappa=TAU, beta=beta)
    person = Respondent(weights, responses, kind, profile)
    found = float(person.probabilities(Question.of_features(first, second))[0])
    gap = first - second
    r, kappa = float(weights @ np.abs(gap)), float(weights @ gap)
    torn = r < TAU or abs(kappa) < TAU * r
    decided = math.nan if torn else 1 / (1 + math.exp(-beta * kappa))
    return found, decided, first, second, weights, profile


def fifty_fifty(rng: Generator) -> float:
    """Return how far somebody who flips a coin when torn is from doing so."""
    found, decided, *_ = _chance(rng, "fifty-fifty")
    return farthest([found], [0.5 if math.isnan(decided) else decided])


def lexicographic(rng: Generator) -> float:
    """Return how far somebody who follows the weightiest priority when torn is from doing so."""
    found, decided, first, second, weights, _ = _chance(rng, "lexicographic")
    top = int(weights.argmax())
    return farthest([found], [float(first[top] > second[top]) if math.isnan(decided) else decided])


def self_similar(rng: Generator) -> float:
    """Return how far somebody who follows the nearer side when torn is from doing so."""
    found, decided, first, second, _, profile = _chance(rng, "self-similar")
    nearer = math.dist(first, profile) < math.dist(second, profile)
    return farthest([found], [float(nearer) if math.isnan(decided) else decided])


def pooled(rng: Generator) -> float:
    """Return how far three answers are from four of which two are pooled."""
    plus, minus = rng.random(2)
    tau_r, tau_kappa, beta = rng.random(), rng.random(), float(rng.uniform(0.5, 20))
    three, (first, second, *undecided) = (
        kind(tau_r=tau_r, tau_kappa=tau_kappa, beta=beta).probabilities(plus + minus, plus - minus)
        for kind in (ThreeAnswers, FourAnswers)
    )
    return farthest(three, [float(first), float(second), float(sum(undecided))])


def rules(rng: Generator) -> float:
    """Return whether the relation of two rules is that of their utilities' differences."""
    model, task = random_model(rng)
    every = list(all_rules(task))
    one, other = (every[int(k)] for k in rng.integers(len(every), size=2))
    tau_r, tau_kappa = rng.random(2)
    gaps = np.array(
        [
            table[tuple(one.values())] - table[tuple(other.values())]
            for table in (Written.out(priority, task).values for priority in model.priorities)
        ]
    )
    r, kappa = float(model.weights @ np.abs(gaps)), float(model.weights @ gaps)
    expected = latent_state(r, kappa, tau_r, tau_kappa).item()
    return unless(relation(model, one, other, tau_r, tau_kappa) == expected)


def question_and_rules(rng: Generator) -> float:
    """Return whether a separable person's state at a question is that of its projections."""
    model, task = random_model(rng, SEPARABLE, aggregators(rng)[int(rng.integers(3))])
    question, every = random_question(rng, task), list(all_rules(task))
    background = every[int(rng.integers(len(every)))]
    tau_r, tau_kappa = rng.random(2)
    sides = [background.project(side) for side in (question.first, question.second)]
    asked = state(model, question, task, tau_r, tau_kappa)
    return unless(asked == relation(model, sides[0], sides[1], tau_r, tau_kappa))


PEOPLE = (
    Statement(
        "def:random-under-indecision",
        "50/50: a coin when torn, zero thresholds when not",
        at_random=fifty_fifty,
    ),
    Statement(
        "def:lex",
        "lexicographic: the weightiest priority decides when torn",
        at_random=lexicographic,
    ),
    Statement("def:biased", "self-similar: the nearer side when torn", at_random=self_similar),
    Statement(
        "def:generic-indecision",
        "undecided is indifferent and conflicted together",
        at_random=pooled,
    ),
    Statement(
        "def:rule-level-latent-relation",
        "two rules relate as differences of utilities say",
        at_random=rules,
    ),
    Statement(
        "lem:query-rule-latent-equivalence",
        "for a separable person a question's state is its projections' relation",
        at_random=question_and_rules,
    ),
)
