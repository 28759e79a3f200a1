"""How much answers are expected to tell, compiled: the fast twin of `acquisition.information`."""

from __future__ import annotations

import numpy as np

from equipoise.inference.kernels.answers import (
    BETA,
    FIRST,
    LAPSE,
    LOGISTIC,
    SECOND,
    SLOPE,
    TAU_KAPPA,
    TAU_R,
    TINY,
    WIDTH,
    noise_above,
    noise_below,
)
from equipoise.inference.kernels.arithmetic import log, logistic
from equipoise.inference.kernels.compiling import compiled, compiled_inside
from equipoise.inference.kernels.records import Array
from equipoise.model.rounding import ROUNDING

LN2 = float(np.log(2.0))


@compiled
def expected_information(
    plus: Array,
    minus: Array,
    weights: Array,
    thetas: Array,
    mass: Array,
    link: int,
    offered: int,
    bits: Array,
    predicted: Array,
) -> None:
    """Write the information in bits, (n,), and the answers' probabilities, (n, 4), of questions.

    Draws stand in columns, with their mass (k,): `weights` (m, k) and `thetas` (p, k), so that the
    loops over draws do several at once; what is summed over draws is summed in order. An undecided
    answer stands in the third place.

    Paper: eq:bald
    """
    draws = weights.shape[1]
    r, kappa, gates = np.empty(draws), np.empty(draws), np.empty(draws)
    chances, entropies = np.empty((4, draws)), np.empty(draws)
    for q in range(plus.shape[0]):
        for i in range(draws):
            r[i], kappa[i] = 0.0, 0.0
        for j in range(weights.shape[0]):
            for i in range(draws):
                r[i] += plus[q, j] * weights[j, i]
                kappa[i] += minus[q, j] * weights[j, i]
        _beyond_band(r, kappa, thetas, link, chances)
        _open_gates(r, thetas, gates)
        _finish_chances(gates, thetas, offered, chances)
        _entropies(chances, entropies)
        left = _sum_over_draws(mass, chances, entropies, predicted[q])
        known = 0.0
        for a in range(4):
            known += _surprise(predicted[q, a])
        bits[q] = max(known - left, 0.0) / LN2


@compiled
def _beyond_band(r: Array, kappa: Array, thetas: Array, link: int, chances: Array) -> None:
    """Write the chances that kappa and noise are beyond the band, on either side."""
    if link == LOGISTIC:
        for i in range(r.size):
            band = thetas[TAU_KAPPA, i] * r[i] + thetas[WIDTH, i]
            chances[FIRST, i] = logistic(thetas[BETA, i] * (kappa[i] - band))
            chances[SECOND, i] = logistic(thetas[BETA, i] * (-band - kappa[i]))
        return
    theta = np.empty(thetas.shape[0])
    for i in range(r.size):
        for k in range(theta.size):
            theta[k] = thetas[k, i]
        band = theta[TAU_KAPPA] * r[i] + theta[WIDTH]
        chances[FIRST, i] = noise_above(band - kappa[i], theta, link)
        chances[SECOND, i] = noise_below(-band - kappa[i], theta, link)


@compiled_inside
def _open_gates(r: Array, thetas: Array, gates: Array) -> None:
    """Write g(r). A gate is a step in every draw, or in none."""
    if thetas[SLOPE, 0] == np.inf:
        for i in range(r.size):
            gates[i] = 1.0 if r[i] >= thetas[TAU_R, i] - ROUNDING else 0.0
    else:
        for i in range(r.size):
            gates[i] = logistic(thetas[SLOPE, i] * (r[i] - thetas[TAU_R, i]))


@compiled_inside
def _finish_chances(gates: Array, thetas: Array, offered: int, chances: Array) -> None:
    """Turn chances beyond the band into those of every answer: gate, undecided, lapse."""
    for i in range(gates.size):
        g = gates[i]
        within = max(1.0 - chances[FIRST, i] - chances[SECOND, i], 0.0)
        kept = 1.0 - thetas[LAPSE, i]
        lapse = thetas[LAPSE, i] / offered
        chances[0, i] = kept * g * chances[FIRST, i] + lapse
        chances[1, i] = kept * g * chances[SECOND, i] + lapse
        if offered == 4:
            chances[2, i] = kept * (1.0 - g) + lapse
            chances[3, i] = kept * g * within + lapse
        elif offered == 3:
            chances[2, i] = kept * (1.0 - g + g * within) + lapse
            chances[3, i] = 0.0
        else:
            chances[2, i] = 0.0
            chances[3, i] = 0.0


@compiled_inside
def _surprise(p: float) -> float:
    """Return -p log p."""
    return -p * log(max(p, TINY))


@compiled_inside
def _entropies(chances: Array, entropies: Array) -> None:
    for i in range(entropies.size):
        entropies[i] = _surprise(chances[0, i]) + _surprise(chances[1, i])
    for i in range(entropies.size):
        entropies[i] += _surprise(chances[2, i]) + _surprise(chances[3, i])


@compiled_inside
def _sum_over_draws(mass: Array, chances: Array, entropies: Array, totals: Array) -> float:
    """Write the mean of each answer's chances, and return that of entropies.

    All in one loop: five sums side by side take no longer than one.
    """
    entropy, first, second, third, fourth = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(entropies.size):
        entropy += mass[i] * entropies[i]
        first += mass[i] * chances[0, i]
        second += mass[i] * chances[1, i]
        third += mass[i] * chances[2, i]
        fourth += mass[i] * chances[3, i]
    totals[0], totals[1], totals[2], totals[3] = first, second, third, fourth
    return entropy
