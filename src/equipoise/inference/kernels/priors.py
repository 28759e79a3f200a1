"""The densities of the priors, compiled: the fast twin of those in `model` and `inference`."""

from __future__ import annotations

import math

import numpy as np

from equipoise.inference.kernels.answers import MIXTURE
from equipoise.inference.kernels.arithmetic import log
from equipoise.inference.kernels.compiling import compiled_inside
from equipoise.inference.kernels.records import Array, Beliefs

# The kinds of priors on a number.
KNOWN, UNIFORM, BETA_PRIOR, LOG_NORMAL, DISCRETE = range(5)


@compiled_inside
def log_dirichlet(weights: Array, beliefs: Beliefs) -> float:
    """Return the log prior density of weights, up to a constant."""
    total = 0.0
    for j in range(weights.size):
        excess = beliefs.concentration[j] - 1.0
        if excess != 0:
            total += excess * (log(weights[j]) if weights[j] > 0 else -np.inf)
    return total


@compiled_inside
def log_prior(x: float, prior: Array) -> float:
    """Return the log density of an unknown number, up to a constant.

    That of a log-normal number is the density of its logarithm, which is what moves.
    """
    kind, a, b = prior[0], prior[1], prior[2]
    if kind == BETA_PRIOR:
        left = (a - 1.0) * (log(x) if x > 0 else -np.inf) if a != 1 else 0.0
        right = (b - 1.0) * (log(1.0 - x) if x < 1 else -np.inf) if b != 1 else 0.0
        return left + right
    if kind == LOG_NORMAL:
        z = (log(x) - math.log(a)) / b
        return -0.5 * z * z
    return 0.0


@compiled_inside
def log_prior_density(weights: Array, theta: Array, beliefs: Beliefs) -> float:
    """Return the log prior density of everything unknown, up to a constant.

    It's the density of the logarithm where that is what moves.
    """
    total = log_dirichlet(weights, beliefs)
    for name in range(MIXTURE):
        prior = beliefs.numbers[name]
        if prior[0] == BETA_PRIOR or prior[0] == LOG_NORMAL:
            total += log_prior(theta[name], prior)
    if beliefs.mixture.size:
        components = (theta.size - MIXTURE) // 3
        for k in range(MIXTURE + components, MIXTURE + 2 * components):
            total -= 0.5 * (theta[k] / beliefs.mixture[0]) ** 2
            total -= 0.5 * (log(theta[k + components]) / beliefs.mixture[1]) ** 2
    return total
