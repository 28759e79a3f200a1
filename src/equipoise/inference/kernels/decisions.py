"""What would be decided after an answer, compiled: the fast twin of `acquisition.regret`."""

from __future__ import annotations

import numpy as np

from equipoise.inference.kernels.answers import UNDECIDED, answer_probability
from equipoise.inference.kernels.compiling import compiled
from equipoise.inference.kernels.lanes import LANES, everywhere, load, store, total
from equipoise.inference.kernels.records import Array
from equipoise.inference.kernels.rows import copy_into


@compiled
def chances_of_answers(
    plus: Array,
    minus: Array,
    weights: Array,
    thetas: Array,
    link: int,
    offered: int,
    chances: Array,
) -> None:
    """Write the probability of every answer to every question by each draw, (n, answers, 8 b).

    Draws come in blocks of eight: `weights` (b, m, 8) and `thetas` (b, p, 8).
    """
    blocks, m = weights.shape[0], weights.shape[1]
    for q in range(plus.shape[0]):
        for b in range(blocks):
            r, kappa = everywhere(0.0), everywhere(0.0)
            for j in range(m):
                weight = load(weights, (b * m + j) * LANES)
                r += plus[q, j] * weight
                kappa += minus[q, j] * weight
            for a in range(offered):
                answer = UNDECIDED if offered == 3 and a == 2 else a
                p = answer_probability(answer, r, kappa, thetas[b], link, offered)
                store(chances, ((q * offered + a) * blocks + b) * LANES, p)


@compiled
def weights_by_answer(chances: Array, weights: Array, mass: Array, found: Array) -> None:
    """Write sums of weights over draws, by mass and the probability of an answer: (n, answers, m).

    `chances` is (n, answers, 8 b), `weights` (b, m, 8) and `mass` (b, 8).
    """
    blocks, m = weights.shape[0], weights.shape[1]
    for q in range(chances.shape[0]):
        for a in range(chances.shape[1]):
            start = (q * chances.shape[1] + a) * blocks
            for j in range(m):
                summed = everywhere(0.0)
                for b in range(blocks):
                    counts = load(mass, b * LANES) * load(chances, (start + b) * LANES)
                    summed += counts * load(weights, (b * m + j) * LANES)
                found[q, a, j] = total(summed)


@compiled
def worth_of_deciding(sums: Array, inputs: Array, found: Array) -> None:
    """Write what the best outputs are worth, over all answers to a question; (n,).

    `sums` is (n, answers, m), what weights come to by each answer. `inputs` has the features of k
    outputs at each of x inputs as (k, m, x): the inputs last, where they can be looked at together.
    """
    best, score = np.empty(inputs.shape[2]), np.empty(inputs.shape[2])
    for q in range(sums.shape[0]):
        worth = 0.0
        for a in range(sums.shape[1]):
            for y in range(inputs.shape[0]):
                for x in range(score.size):
                    score[x] = sums[q, a, 0] * inputs[y, 0, x]
                for j in range(1, inputs.shape[1]):
                    for x in range(score.size):
                        score[x] += sums[q, a, j] * inputs[y, j, x]
                if y == 0:
                    copy_into(best, score)
                for x in range(score.size):
                    best[x] = score[x] if score[x] > best[x] else best[x]
            for x in range(best.size):
                worth += best[x]
        found[q] = worth / best.size
