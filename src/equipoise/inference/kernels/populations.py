"""What is asked of all particles together, compiled: with sums in a fixed order."""

from __future__ import annotations

import numpy as np

from equipoise.inference.kernels.answers import MIXTURE, TAU_R, log_answer_probability
from equipoise.inference.kernels.arithmetic import exp, log
from equipoise.inference.kernels.compiling import compiled, compiled_inside
from equipoise.inference.kernels.priors import KNOWN, LOG_NORMAL
from equipoise.inference.kernels.records import Array, Beliefs, Codes, Pending


@compiled
def answer_chances(
    pending: Pending, weights: Array, thetas: Array, link: int, offered: int
) -> Array:
    """Return the log probability of an answer that waits, to each particle."""
    found = np.empty(weights.shape[0])
    for i in range(weights.shape[0]):
        r, kappa = 0.0, 0.0
        for j in range(weights.shape[1]):
            r += pending.plus[j] * weights[i, j]
            kappa += pending.minus[j] * weights[i, j]
        found[i] = log_answer_probability(pending.kind, r, kappa, thetas[i], link, offered)
    return found


@compiled
def missed_gate(pending: Pending, side: int, weights: Array, thetas: Array) -> Array:
    """Return by how much the valence of each particle is on the wrong side of a step gate."""
    missed = np.empty(weights.shape[0])
    for i in range(weights.shape[0]):
        r = 0.0
        for j in range(weights.shape[1]):
            r += pending.plus[j] * weights[i, j]
        missed[i] = side * (thetas[i, TAU_R] - r)
    return missed


@compiled
def reweigh(mass: Array, log_chances: Array, power: float, reweighed: Array) -> float:
    """Write masses in proportion to mass times chance to a power; return the log of their sum.

    That of nothing at all is -inf; then nothing is written.
    """
    greatest, total = -np.inf, 0.0
    for i in range(mass.size):
        if mass[i] > 0:
            greatest = max(greatest, log_chances[i])
    if greatest == -np.inf:
        return greatest
    for i in range(mass.size):
        reweighed[i] = mass[i] * exp(power * (log_chances[i] - greatest))
        total += reweighed[i]
    for i in range(mass.size):
        reweighed[i] /= total
    return log(total) + power * greatest


@compiled
def effective_particles(mass: Array) -> float:
    """Return how many equally likely particles so many of different masses are worth."""
    total = 0.0
    for i in range(mass.size):
        total += mass[i] * mass[i]
    return 1.0 / total


@compiled
def drawn_by_mass(mass: Array, count: int, along: float, places: Codes) -> None:
    """Write places drawn by systematic resampling; `along` is uniform between zero and one."""
    i, reached = 0, mass[0]
    for k in range(count):
        wanted = (k + along) / count
        while reached < wanted and i < mass.size - 1:
            i += 1
            reached += mass[i]
        places[k] = i


@compiled
def displacement(
    beliefs: Beliefs, spread: Array, weights: Array, thetas: Array, weights_now: Array, now: Array
) -> float:
    """Return by how much particles moved: zero for not at all, one for independent ones.

    It's the least of two means, over weights and over unknown numbers. A mixture's components may
    change places, so how far they moved says nothing.
    """
    m = weights.shape[1]
    of_weights, of_numbers, some, others = 0.0, 0.0, 0, 0
    for j in range(m):
        if spread[j] > 0:
            of_weights += _moved(weights[:, j], weights_now[:, j], spread[j], False)
            some += 1
    for name in range(MIXTURE):
        kind = beliefs.numbers[name, 0]
        if kind != KNOWN and spread[m + name] > 0:
            logs = kind == LOG_NORMAL
            of_numbers += _moved(thetas[:, name], now[:, name], spread[m + name], logs)
            others += 1
    moved = of_weights / some if some > 0 else 1.0
    return min(moved, of_numbers / others if others > 0 else 1.0)


@compiled_inside
def _moved(before: Array, after: Array, spread: float, logs: bool) -> float:
    squares = 0.0
    for i in range(before.size):
        by = log(after[i] / before[i]) if logs else after[i] - before[i]
        squares += by * by
    return squares / before.size / (2.0 * spread * spread)


@compiled
def spreads(beliefs: Beliefs, weights: Array, thetas: Array) -> Array:
    """Return standard deviations of weights and numbers, each as it moves; shape (m + p,)."""
    count, m, p = weights.shape[0], weights.shape[1], thetas.shape[1]
    found = np.zeros(m + p)
    column = np.empty(count)
    for j in range(m + p):
        for i in range(count):
            column[i] = weights[i, j] if j < m else thetas[i, j - m]
        if j >= m and _moves_by_log(j - m, beliefs, p):
            for i in range(count):
                column[i] = log(column[i])
        found[j] = _deviation(column)
    return found


@compiled_inside
def _moves_by_log(k: int, beliefs: Beliefs, p: int) -> bool:
    """Return whether the logarithm of a number moves."""
    if k < MIXTURE:
        return beliefs.numbers[k, 0] == LOG_NORMAL
    return beliefs.mixture.size > 0 and k >= MIXTURE + 2 * ((p - MIXTURE) // 3)


@compiled_inside
def _deviation(column: Array) -> float:
    mean, total = 0.0, 0.0
    for i in range(column.size):
        mean += column[i]
    mean /= column.size
    for i in range(column.size):
        total += (column[i] - mean) ** 2
    return np.sqrt(total / column.size)
