"""The paper's definitions written out on plain dictionaries, to check the library against.

Slow and literal on purpose. Nothing here uses the library.
"""

import itertools
import math


def all_rules(outputs):
    """Every mapping from inputs to allowed outputs, the first input slowest."""
    return [dict(zip(outputs, ys, strict=True)) for ys in itertools.product(*outputs.values())]


def projected(rule, change):
    """F_{x -> y}, at all inputs of `change` at once."""
    return {**rule, **change}


def gaps(utility, outputs, first, second):
    """The projection gap over every background rule."""
    return [
        utility(projected(rule, first)) - utility(projected(rule, second))
        for rule in all_rules(outputs)
    ]


def average(values):
    """The mean."""
    return math.fsum(values) / len(values)


def percentile(values, p):
    """The p-th percentile, linear between the two nearest ranks."""
    ordered = sorted(values)
    position = (len(ordered) - 1) * p / 100
    low = math.floor(position)
    high = math.ceil(position)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


AGGREGATORS = {"average": average, "maximum": max}


def scores(utilities, weights, aggregate, outputs, first, second):
    """The directional evidence scores (s+, s-)."""
    plus = minus = 0.0
    for utility, weight in zip(utilities, weights, strict=True):
        plus += weight * max(0.0, aggregate(gaps(utility, outputs, first, second)))
        minus += weight * max(0.0, aggregate(gaps(utility, outputs, second, first)))
    return plus, minus


def latent_state(plus, minus, tau_r, tau_kappa):
    """The state of a question with these directional scores, in the paper's words."""
    r, kappa = plus + minus, plus - minus
    if r < tau_r:
        return "indifferent"
    if kappa >= tau_kappa * r:
        return "first"
    if -kappa >= tau_kappa * r:
        return "second"
    return "conflicted"


def expectation(weights, number):
    """E_{x ~ D}[number(x)]."""
    return math.fsum(weight * number(x) for x, weight in weights.items())


def linear_utility(weights, psi):
    """u(F) = E[psi(x, F(x))]."""
    return lambda rule: expectation(weights, lambda x: psi[x][rule[x]])


def best_choice_utility(weights, outputs, measure):
    """u(F) = Pr[F(x) in argmax_y measure(x, y)]."""
    return lambda rule: expectation(
        weights, lambda x: measure[x][rule[x]] == max(measure[x][y] for y in outputs[x])
    )


def proportionality_utility(weights, group, shares):
    """u(F) = -sum over groups of (Pr[F(x) goes to the group] - share)^2."""
    return lambda rule: (
        -sum(
            (expectation(weights, lambda x, g=g: g in group[x][rule[x]]) - share) ** 2
            for g, share in shares.items()
        )
    )


def egalitarianism_utility(weights, recipients, benefit):
    """u(F) = 2 min over recipients of E[benefit]."""
    return lambda rule: (
        2 * min(expectation(weights, lambda x, i=i: benefit[x][rule[x]][i]) for i in recipients)
    )


def equal_treatment_utility(counterparts):
    """u(F) = the share of counterpart pairs with F(x') = eta(F(x))."""
    return lambda rule: average([rule[other] == eta[rule[x]] for x, other, eta in counterparts])


def in_range(utility, outputs):
    """The utility divided by its range, where that exceeds one."""
    values = [utility(rule) for rule in all_rules(outputs)]
    width = max(values) - min(values)
    return (lambda rule: utility(rule) / width) if width > 1 else utility
