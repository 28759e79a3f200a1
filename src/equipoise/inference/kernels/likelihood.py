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
from equipoise.inference.kernels.records import Answered, Array, Codes, Margins


@compiled_inside
def log_likelihood_above(
    floor: float,
    order: Codes,
    answered: Answered,
    margins: Margins,
    moved: bool,
    weights: Array,
    theta: Array,
) -> float:
    """Return the log likelihood of all answers, or -inf if it's below `floor`.

    Every factor is at most one. So the product may be left as soon as it falls below the floor,
    which for most proposals it does after a few answers. The answer that ruled a proposal out moves
    halfway to the front of `order`: it's likely to rule out the next one too.

    Where the weights `moved`, the margins are found anew, of as many answers as are looked at;
    otherwise they are taken as they stand.
    """
    r, kappa = margins.r, margins.kappa
    total, product = 0.0, 1.0
    limit = exp(min(floor, LARGEST))
    for place in range(answered.answers.size):
        i = order[place]
        if moved:
            valence, decisiveness = 0.0, 0.0
            for j in range(weights.size):
                valence += answered.plus[i, j] * weights[j]
                decisiveness += answered.minus[i, j] * weights[j]
            r[i], kappa[i] = valence, decisiveness
        answer = answered.answers[i]
        p = answer_probability(answer, r[i], kappa[i], theta, answered.link, answered.offered)
        if p < TINY:
            total += log_answer_probability(
                answer, r[i], kappa[i], theta, answered.link, answered.offered
            )
            limit = exp(min(floor - total, LARGEST))
        else:
            product *= p
            if product < TINY:
                total += log(product)
                product = 1.0
                limit = exp(min(floor - total, LARGEST))
        if product < limit or total == -np.inf:
            order[place], order[place // 2] = order[place // 2], order[place]
            return -np.inf
    return total + log(product)


@compiled
def latest_first(count: int) -> Codes:
    """Return the order from the latest answer, which says most, to the first."""
    order = np.empty(count, dtype=np.int64)
    for i in range(count):
        order[i] = count - 1 - i
    return order
