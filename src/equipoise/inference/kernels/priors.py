"""Densities of priors on weights and numbers, compiled; for one particle, or for eight."""

from __future__ import annotations

import numpy as np

from equipoise.inference.kernels.answers import MIXTURE
from equipoise.inference.kernels.arithmetic import log
from equipoise.inference.kernels.compiling import compiled_inside
from equipoise.inference.kernels.lanes import choose, entry
from equipoise.inference.kernels.records import Array, Beliefs

# The kinds of priors on a number.
KNOWN, UNIFORM, BETA_PRIOR, LOG_NORMAL, DISCRETE = range(5)
# The least positive number of which `log` is right.
SMALLEST_NORMAL = float(np.finfo(np.float64).tiny)


@compiled_inside
def _log_power(x: float, exponent: float) -> float:
    """Return the logarithm of x to a power other than zero.

    Where the power is negative zero counts as the least number there is: a particle at an infinite
    density would never move.
    """
    found = exponent * log(max(x, SMALLEST_NORMAL))
    return choose(x > 0.0, found, -np.inf) if exponent > 0 else found


@compiled_inside
def log_dirichlet(weights: Array, beliefs: Beliefs) -> float:
    """Return the log prior density of weights, up to a constant."""
    total = 0.0 * entry(weights, 0)
    for j in range(weights.shape[0]):
        if beliefs.concentration[j] != 1:
            total += _log_power(entry(weights, j), beliefs.concentration[j] - 1.0)
    return total


@compiled_inside
def log_prior(x: float, prior: Array) -> float:
    """Return the log density of an unknown number, up to a constant.

    That of a log-normal number is the density of its logarithm, which is what moves.
    """
    kind, a, b = prior[0], prior[1], prior[2]
    total = 0.0 * x
    if kind == BETA_PRIOR:
        if a != 1:
            total += _log_power(x, a - 1.0)
        if b != 1:
            total += _log_power(1.0 - x, b - 1.0)
    elif kind == LOG_NORMAL:
        z = (log(x) - log(a)) / b
        total -= 0.5 * z * z
    return total


@compiled_inside
def log_prior_density(weights: Array, theta: Array, beliefs: Beliefs) -> float:
    """Return the log prior density of everything that moves along lines, up to a constant.

    It's the density of the logarithm where that is what moves.
    """
    total = log_dirichlet(weights, beliefs)
    for name in range(MIXTURE):
        prior = beliefs.numbers[name]
        if prior[0] == BETA_PRIOR or prior[0] == LOG_NORMAL:
            total += log_prior(entry(theta, name), prior)
    if beliefs.mixture.size:
        components = (theta.shape[0] - MIXTURE) // 3
        for k in range(MIXTURE + components, MIXTURE + 2 * components):
            mean = entry(theta, k) / beliefs.mixture[0]
            log_scale = log(entry(theta, k + components)) / beliefs.mixture[1]
            total -= 0.5 * (mean * mean + log_scale * log_scale)
    return total
