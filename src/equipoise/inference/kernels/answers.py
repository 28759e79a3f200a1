"""The response family, one answer at a time: the fast twin of `model.responses`.

A response model is here a row of numbers, `theta`, laid out as in `inference.parameters`, and two
codes: which noise, and how many answers are offered. Where eight response models are asked at once,
they are eight rows in columns, shape (p, 8), and `r` and `kappa` eight numbers each (`lanes`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from equipoise.inference.kernels.arithmetic import (
    exp,
    log,
    log_normal_cdf,
    logistic,
    normal_cdf,
)
from equipoise.inference.kernels.compiling import compiled_inline, compiled_inside
from equipoise.inference.kernels.lanes import choose, entry, leading
from equipoise.model.rounding import ROUNDING

Row = NDArray[np.float64]

# Places in theta. A step gate has an infinite slope. From MIXTURE on stand the weights, the means
# and the scales of a mixture, as many of each as it has components.
TAU_R, TAU_KAPPA, WIDTH, BETA, SLOPE, LAPSE, MIXTURE = range(7)
LOGISTIC, NORMAL, GAUSSIANS = range(3)
# Codes of answers, in the order of `Response`.
FIRST, SECOND, INDIFFERENT, CONFLICTED, UNDECIDED = range(5)
# Below this a product of probabilities is turned into a logarithm, and a probability is found as
# one: products of two such numbers are still normal.
TINY = 1e-150


@compiled_inline
def is_step(theta: Row) -> bool:
    """Return whether the gate is a step: in every row, or in none."""
    return leading(theta, SLOPE) == np.inf


@compiled_inline
def gate(r: float, theta: Row) -> float:
    """Return g(r), the probability that a valence is enough."""
    if is_step(theta):
        return choose(r >= entry(theta, TAU_R) - ROUNDING, 1.0, 0.0)
    return logistic(entry(theta, SLOPE) * (r - entry(theta, TAU_R)))


@compiled_inline
def noise_below(t: float, theta: Row, link: int) -> float:
    """Return G(t)."""
    if link == LOGISTIC:
        return logistic(entry(theta, BETA) * t)
    if link == NORMAL:
        return normal_cdf(entry(theta, BETA) * t)
    components = (theta.shape[0] - MIXTURE) // 3
    total = 0.0 * t
    for k in range(MIXTURE, MIXTURE + components):
        mean, scale = entry(theta, k + components), entry(theta, k + 2 * components)
        total += entry(theta, k) * normal_cdf((t - mean) / scale)
    return total


@compiled_inline
def noise_above(t: float, theta: Row, link: int) -> float:
    """Return 1 - G(t), precise where G is near one."""
    if link == LOGISTIC:
        return logistic(-(entry(theta, BETA) * t))
    if link == NORMAL:
        return normal_cdf(-(entry(theta, BETA) * t))
    components = (theta.shape[0] - MIXTURE) // 3
    total = 0.0 * t
    for k in range(MIXTURE, MIXTURE + components):
        mean, scale = entry(theta, k + components), entry(theta, k + 2 * components)
        total += entry(theta, k) * normal_cdf((mean - t) / scale)
    return total


@compiled_inline
def _logistic_within(band: float, far: float) -> float:
    """Return P(-band < x + noise < band) for logistic noise and x = far, or -far.

    (1 - e^-2band) / ((1 + e^(far - band)) (1 + e^(-far - band))), by two exponentials that neither
    overflow nor cancel; zero where both underflow.
    """
    a, b = exp(-band), exp(-far)
    return (1.0 - a * a) * b / (max(a + b, TINY) * (1.0 + a * b))


@compiled_inside
def _normal_within(low: float, high: float) -> float:
    """Return P(low < Z < high) for a standard normal Z, from the tail that keeps more digits."""
    above = low > 0.0
    low, high = choose(above, -high, low), choose(above, -low, high)
    return max(normal_cdf(high) - normal_cdf(low), 0.0)


@compiled_inside
def noise_within(band: float, kappa: float, theta: Row, link: int) -> float:
    """Return P(-band < kappa + noise < band)."""
    if link == LOGISTIC:
        return _logistic_within(entry(theta, BETA) * band, entry(theta, BETA) * abs(kappa))
    low, high = -band - kappa, band - kappa
    if link == NORMAL:
        return _normal_within(entry(theta, BETA) * low, entry(theta, BETA) * high)
    components = (theta.shape[0] - MIXTURE) // 3
    total = 0.0 * kappa
    for k in range(MIXTURE, MIXTURE + components):
        mean, scale = entry(theta, k + components), entry(theta, k + 2 * components)
        total += entry(theta, k) * _normal_within((low - mean) / scale, (high - mean) / scale)
    return total


@compiled_inside
def answer_probability(
    answer: int, r: float, kappa: float, theta: Row, link: int, offered: int
) -> float:
    """Return the probability of one answer; it may be rounded to zero where it's tiny."""
    g = gate(r, theta)
    band = entry(theta, TAU_KAPPA) * r + entry(theta, WIDTH)
    if answer == FIRST:
        p = g * noise_above(band - kappa, theta, link)
    elif answer == SECOND:
        p = g * noise_below(-band - kappa, theta, link)
    elif answer == INDIFFERENT:
        p = 1.0 - g
    else:
        p = g * noise_within(band, kappa, theta, link)
        if answer == UNDECIDED:
            p += 1.0 - g
    lapse = entry(theta, LAPSE)
    return (1.0 - lapse) * p + lapse / float(offered)


@compiled_inside
def _log_logistic(x: float) -> float:
    return x - log(1.0 + exp(x)) if x < 0 else -log(1.0 + exp(-x))


@compiled_inside
def _log_difference(larger: float, smaller: float) -> float:
    """Return log(e^larger - e^smaller)."""
    share = 1.0 - exp(smaller - larger)
    return larger + log(share) if share > 0 else -np.inf


@compiled_inside
def _log_noise_below(t: float, theta: Row, link: int) -> float:
    """Return log G(t)."""
    if link == LOGISTIC:
        return _log_logistic(theta[BETA] * t)
    if link == NORMAL:
        return log_normal_cdf(theta[BETA] * t)
    return _log_mixture(t, 1.0, theta)


@compiled_inside
def _log_noise_above(t: float, theta: Row, link: int) -> float:
    """Return log(1 - G(t))."""
    if link == LOGISTIC:
        return _log_logistic(-theta[BETA] * t)
    if link == NORMAL:
        return log_normal_cdf(-theta[BETA] * t)
    return _log_mixture(t, -1.0, theta)


@compiled_inside
def _log_mixture(t: float, sign: float, theta: Row) -> float:
    """Return log G(t) of a mixture where sign is 1, and log(1 - G(t)) where it's -1."""
    components = (theta.size - MIXTURE) // 3
    largest = -np.inf
    for k in range(MIXTURE, MIXTURE + components):
        z = sign * (t - theta[k + components]) / theta[k + 2 * components]
        if theta[k] > 0:
            largest = max(largest, log(theta[k]) + log_normal_cdf(z))
    total = 0.0
    for k in range(MIXTURE, MIXTURE + components):
        z = sign * (t - theta[k + components]) / theta[k + 2 * components]
        if theta[k] > 0:
            total += exp(log(theta[k]) + log_normal_cdf(z) - largest)
    return largest + log(total)


@compiled_inside
def log_answer_probability(
    answer: int, r: float, kappa: float, theta: Row, link: int, offered: int
) -> float:
    """Return the logarithm of an answer's probability, also where that is rounded to zero."""
    p = answer_probability(answer, r, kappa, theta, link, offered)
    if p >= TINY:
        return log(p)
    if theta[LAPSE] > 0:  # then the lapse is all that's left of it
        return log(max(theta[LAPSE] / offered, TINY))
    step = theta[SLOPE] == np.inf
    log_gate = _log_logistic(theta[SLOPE] * (r - theta[TAU_R])) if not step else 0.0
    if answer == INDIFFERENT:
        return -np.inf if step else _log_logistic(theta[SLOPE] * (theta[TAU_R] - r))
    if step and gate(r, theta) == 0:
        return -np.inf
    band = theta[TAU_KAPPA] * r + theta[WIDTH]
    low, high = -band - kappa, band - kappa
    if answer == FIRST:
        return log_gate + _log_noise_above(high, theta, link)
    if answer == SECOND:
        return log_gate + _log_noise_below(low, theta, link)
    if low > 0:
        within = _log_difference(
            _log_noise_above(low, theta, link), _log_noise_above(high, theta, link)
        )
    else:
        within = _log_difference(
            _log_noise_below(high, theta, link), _log_noise_below(low, theta, link)
        )
    return log_gate + within
