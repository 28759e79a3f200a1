"""Statements of `sec:model`: from rules to gaps, evidence, states and answers."""

from __future__ import annotations

import math

import numpy as np

from equipoise.experiments.paper.conceptual_figures import SCENARIOS, trolley
from equipoise.experiments.statements.statement import (
    SEPARABLE,
    Generator,
    Statement,
    Written,
    aggregators,
    farthest,
    random_model,
    random_question,
    unless,
)
from equipoise.model.comparisons import local_comparisons
from equipoise.model.evidence import Evidence, evidence
from equipoise.model.gaps import projection_gaps
from equipoise.model.priorities import Size
from equipoise.model.responses import FourAnswers
from equipoise.model.rule_sets import all_rules, these_rules
from equipoise.model.rules import regret
from equipoise.model.states import Response, decisiveness, latent_state, valence
from equipoise.model.tasks import Task

SMALL = 1e-3


def projection(rng: Generator) -> float:
    """Return whether a projection changes the one output asked about."""
    _, task = random_model(rng)
    rules = list(all_rules(task))
    rule, question = rules[int(rng.integers(len(rules)))], random_question(rng, task)
    return unless(dict(rule.project(question.first)) == {**rule, **question.first})


def gaps(rng: Generator) -> float:
    """Return how far gaps are from differences of utilities, rule by rule."""
    model, task = random_model(rng)
    question, rules = random_question(rng, task), these_rules(task, list(all_rules(task)))
    return max(
        farthest(
            projection_gaps(priority, question, rules) / divisor,
            Written.out(priority, task).gaps(question),
        )
        for priority, divisor in zip(model.priorities, model.divisors(task), strict=True)
    )


def trolley_priorities() -> float:
    """Return how far the three utilities are from their formulas, counted by hand."""
    task, (size, family, shares) = trolley()
    off = 0.0
    for rule in all_rules(task):
        spared = {x: SCENARIOS[str(x)][str(y)] for x, y in rule.items()}
        sides = {x: list(SCENARIOS[str(x)].values()) for x in rule}
        most = np.mean([spared[x][0] == max(side[0] for side in sides[x]) for x in rule])
        kin = np.mean([spared[x][1] == max(side[1] for side in sides[x]) for x in rule])
        north = np.mean([spared[x][2] == "north" for x in rule])
        fair = -((north - 0.5) ** 2) - (1 - north - 0.5) ** 2
        alone = these_rules(task, [rule])
        values = [float(p.utilities(alone)[0]) for p in (size, family, shares)]
        off = max(off, farthest(values, [float(most), float(kin), float(fair)]))
    return off


def regrets(rng: Generator) -> float:
    """Return how far regret is from the best rule's aggregate utility less the rule's."""
    model, task = random_model(rng)
    rules = list(all_rules(task))
    tables = [Written.out(priority, task).values for priority in model.priorities]
    totals = [
        float(model.weights @ [table[tuple(rule.values())] for table in tables]) for rule in rules
    ]
    k = int(rng.integers(len(rules)))
    return farthest([regret(model, rules[k])], [max(totals) - totals[k]])


def aggregation(rng: Generator) -> float:
    """Return how much an aggregator depends on order, or moves a unanimous number."""
    z = rng.uniform(-1, 1, size=int(rng.integers(1, 20)))
    same = np.full(len(z), z[0])
    return max(
        max(abs(phi(z) - phi(rng.permutation(z))), abs(phi(same) - z[0]))
        for phi in aggregators(rng)
    )


def constant_gaps(rng: Generator) -> float:
    """Return how far a separable priority's aggregated gap is from its one gap."""
    phi = aggregators(rng)[int(rng.integers(3))]
    model, task = random_model(rng, SEPARABLE)
    question = random_question(rng, task)
    says = evidence(model.priorities, [question], task, aggregator=phi)
    deltas = [Written.out(priority, task).gaps(question) for priority in model.priorities]
    spread = max(float(np.ptp(delta)) for delta in deltas)
    found = says.favour[0] - says.against[0]
    return max(spread, farthest(found, [float(delta[0]) for delta in deltas]))


def scores(rng: Generator) -> float:
    """Return how far valence and decisiveness are from weighted positive parts, written out."""
    phi = aggregators(rng)[int(rng.integers(3))]
    model, task = random_model(rng, aggregator=phi)
    question = random_question(rng, task)
    says = evidence(model.priorities, [question], task, aggregator=phi)
    each = [Written.out(priority, task).gaps(question) for priority in model.priorities]
    plus = sum(w * max(phi(z), 0) for w, z in zip(model.weights, each, strict=True))
    minus = sum(w * max(phi(-z), 0) for w, z in zip(model.weights, each, strict=True))
    found = [valence(says, model.weights).item(), decisiveness(says, model.weights).item()]
    return farthest(found, [plus + minus, plus - minus])


def random_evidence(rng: Generator) -> tuple[float, float]:
    """Return a valence, and a decisiveness that goes with it."""
    plus, minus = rng.random(2)
    return float(plus + minus), float(plus - minus)


def states(rng: Generator) -> float:
    """Return whether the state is that of the four cases."""
    r, kappa = random_evidence(rng)
    tau_r, tau_kappa = rng.random(2)
    if r < tau_r:
        expected = Response.INDIFFERENT
    elif abs(kappa) < tau_kappa * r:
        expected = Response.CONFLICTED
    else:
        expected = Response.FIRST if kappa > 0 else Response.SECOND
    return unless(latent_state(r, kappa, tau_r, tau_kappa).item() == expected)


def answers(rng: Generator) -> float:
    """Return how far the four probabilities are from their formulas, and their sum from one."""
    r, kappa = random_evidence(rng)
    tau_r, tau_kappa, beta = rng.random(), rng.random(), rng.uniform(0.5, 20)
    model = FourAnswers(tau_r=tau_r, tau_kappa=tau_kappa, beta=beta)
    found = model.probabilities(r, kappa)
    first, second = (_logistic(beta * (side - tau_kappa * r)) for side in (kappa, -kappa))
    expected = [first, second, 0.0, 1 - first - second] if r >= tau_r else [0.0, 0.0, 1.0, 0.0]
    return max(farthest(found, expected), abs(float(found.sum()) - 1))


def zero_thresholds(rng: Generator) -> float:
    """Return how likely indecision is at zero thresholds, and how far answers are from h."""
    r, kappa = random_evidence(rng)
    beta = rng.uniform(0.5, 20)
    found = FourAnswers(tau_r=0, tau_kappa=0, beta=beta).probabilities(r, kappa)
    state = latent_state(r, kappa, 0, 0).item()
    right = state == (Response.FIRST if kappa >= 0 else Response.SECOND)
    expected = [_logistic(beta * kappa), _logistic(-beta * kappa), 0.0, 0.0]
    return max(farthest(found, expected), unless(right))


def _logistic(t: float) -> float:
    return 1 / (1 + math.exp(-t))


def inactive() -> float:
    """Return what size says of two groups of three, who are as many."""
    task = Task({"x": ("these", "those"), "z": ("few", "many")})
    people = {"these": 3, "those": 3, "few": 1, "many": 2}
    size = Size(lambda x, y: people[str(y)])
    question = next(iter(local_comparisons(task)))
    says = evidence([size], [question], task, aggregator="maximum")
    return max(says.favour.item(), says.against.item())


def lexicographic_limit(rng: Generator) -> float:
    """Return whether with weights 1, eps, eps^2, ... the first priority with a gap decides."""
    gap = rng.integers(-1, 2, size=5).astype(np.float64)
    weights = SMALL ** np.arange(5)
    says = Evidence.from_features(np.array([[np.maximum(gap, 0), np.maximum(-gap, 0)]]))
    kappa = decisiveness(says, weights / weights.sum()).item()
    speaking = gap[gap != 0]
    return unless(np.sign(kappa) == (speaking[0] if len(speaking) else 0))


MODEL = (
    Statement("eq:projection", "a projection changes one output", at_random=projection),
    Statement("eq:local-evidence", "gaps are differences of utilities", at_random=gaps),
    Statement(
        "ex:trolley-priorities",
        "size, family and proportionality are as defined",
        instance=trolley_priorities,
    ),
    Statement("def:regret", "regret is what is lost to the best of all rules", at_random=regrets),
    Statement(
        "sec:rule-agg",
        "aggregators disregard order and keep what is unanimous",
        at_random=aggregation,
    ),
    Statement(
        "sec:rule-agg",
        "a perfectly separable priority keeps its one gap under any aggregator",
        at_random=constant_gaps,
    ),
    Statement(
        "eq:shorthand",
        "valence and decisiveness are the sum and the difference of weighted positive parts",
        at_random=scores,
    ),
    Statement(
        "def:threshold-response-model", "the state is that of the four cases", at_random=states
    ),
    Statement(
        "def:baseline-response-model",
        "the four probabilities are as defined and sum to one",
        at_random=answers,
    ),
    Statement(
        "lem:zero-thresh",
        "without thresholds there are two states, and two answers",
        at_random=zero_thresholds,
    ),
    Statement(
        "rem:behavioral-sciences",
        "an inactive priority adds nothing: size, between two groups of three",
        instance=inactive,
    ),
    Statement(
        "app:behavioral-science",
        "with weights 1, eps, eps², … the first priority with a gap decides",
        at_random=lexicographic_limit,
    ),
)
