"""The likelihood of a transcript, given up as soon as it's known to be too small."""

from __future__ import annotations

import numpy as np

from equipoise.inference.kernels.answers import (
    TINY,
    answer_probability,
    log_answer_probability,
)
from equipoise.inference.kernels.arithmetic import LARGEST, exp, log
from equipoise.inference.kernels.compiling import compiled, compiled_inside
from equipoise.inference.kernels.lanes import LANES, load, store
from equipoise.inference.kernels.records import Answered, Array, Codes, Margins, Told

# How many answers are looked at one by one before all of them are. With fewer, more proposals have
# to be looked at whole; with more, one by one takes longer than all together.
SUSPECTS = 3
KINDS = 5  # of answers


@compiled
def sorted_by_answer(answered: Answered) -> Told:
    """Return the answers with those of a kind next to each other, which is quicker to go through.

    The first suspects are the latest answers, which say most.
    """
    n, m = answered.plus.shape
    plus, minus = np.empty((m, n)), np.empty((m, n))
    begins = np.zeros(KINDS + 1, dtype=np.int64)
    for i in range(n):
        begins[answered.answers[i] + 1] += 1
    for kind in range(KINDS):
        begins[kind + 1] += begins[kind]
    free = begins.copy()
    suspects = np.empty(min(n, SUSPECTS), dtype=np.int64)
    for i in range(n):
        place = free[answered.answers[i]]
        free[answered.answers[i]] += 1
        for j in range(m):
            plus[j, place] = answered.plus[i, j]
            minus[j, place] = answered.minus[i, j]
        if n - 1 - i < suspects.size:
            suspects[n - 1 - i] = place
    kinds = np.empty(n, dtype=np.int64)
    for kind in range(KINDS):
        for i in range(begins[kind], begins[kind + 1]):
            kinds[i] = kind
    return Told(plus, minus, kinds, begins, answered.link, answered.offered, suspects)


@compiled_inside
def log_likelihood_above(
    floor: float,
    suspects: Codes,
    told: Told,
    margins: Margins,
    moved: bool,
    weights: Array,
    theta: Array,
    chances: Array,
) -> float:
    """Return the log likelihood of all answers, or -inf if it's below `floor`.

    Every factor is at most one. So the product may be left as soon as it falls below the floor,
    which for most proposals it does after a few answers: the suspects, those that ruled out
    earlier proposals.

    Where the weights `moved`, the margins are found anew; otherwise they are taken as they stand.
    Answers are looked at by eights, so there must be room for some more in `margins` and `chances`.
    """
    limit = exp(min(floor, LARGEST))
    if _ruled_out_by_suspects(limit, suspects, told, margins, moved, weights, theta):
        return -np.inf
    if moved:
        find_margins(told.plus, told.minus, weights, margins)
    total, product = 0.0, 1.0
    least, culprit = np.inf, 0
    for kind in range(KINDS):
        begin, end = told.begins[kind], told.begins[kind + 1]
        if begin == end:
            continue
        for i in range(begin, end, LANES):
            r, kappa = load(margins.r, i), load(margins.kappa, i)
            chance = answer_probability(kind, r, kappa, theta, told.link, told.offered)
            store(chances, i, chance)
        for i in range(begin, end):
            p = chances[i]
            if p < least:
                least, culprit = p, i
            if p < TINY:
                total += log_answer_probability(
                    kind, margins.r[i], margins.kappa[i], theta, told.link, told.offered
                )
                limit = exp(min(floor - total, LARGEST))
            else:
                product *= p
                if product < TINY:
                    total += log(product)
                    product = 1.0
                    limit = exp(min(floor - total, LARGEST))
        if product < limit or total == -np.inf:
            _suspect(culprit, suspects)
            return -np.inf
    return total + log(product)


@compiled_inside
def _ruled_out_by_suspects(
    limit: float,
    suspects: Codes,
    told: Told,
    margins: Margins,
    moved: bool,
    weights: Array,
    theta: Array,
) -> bool:
    """Return whether the product over the suspects alone is below the limit.

    The one that made it so moves halfway to the front.
    """
    product = 1.0
    for place in range(suspects.size):
        i = suspects[place]
        r, kappa = 0.0, 0.0
        if moved:
            for j in range(weights.size):
                r += told.plus[j, i] * weights[j]
                kappa += told.minus[j, i] * weights[j]
        else:
            r, kappa = margins.r[i], margins.kappa[i]
        product *= answer_probability(told.kinds[i], r, kappa, theta, told.link, told.offered)
        if product < limit:
            suspects[place], suspects[place // 2] = suspects[place // 2], suspects[place]
            return True
        if product < TINY:  # too small to go on with; all together tell
            return False
    return False


@compiled_inside
def _suspect(culprit: int, suspects: Codes) -> None:
    """Put an answer among the suspects, in place of the last."""
    for place in range(suspects.size):
        if suspects[place] == culprit:
            return
    suspects[suspects.size - 1] = culprit


@compiled_inside
def find_margins(plus: Array, minus: Array, weights: Array, margins: Margins) -> None:
    """Write what weights, or a change of them, come to at every answer; plus and minus (m, n)."""
    r, kappa, answers = margins.r, margins.kappa, plus.shape[1]
    for i in range(answers):
        r[i], kappa[i] = 0.0, 0.0
    for j in range(weights.size):
        weight = weights[j]
        for i in range(answers):
            r[i] += plus[j, i] * weight
            kappa[i] += minus[j, i] * weight
