"""How much answers are expected to tell, compiled: the fast twin of `acquisition.information`."""

from __future__ import annotations

import numpy as np

from equipoise.inference.kernels.answers import (
    LAPSE,
    TAU_KAPPA,
    TINY,
    WIDTH,
    gate,
    noise_above,
    noise_below,
)
from equipoise.inference.kernels.arithmetic import log
from equipoise.inference.kernels.compiling import compiled, compiled_inline, compiled_inside
from equipoise.inference.kernels.lanes import LANES, entry, everywhere, load, total
from equipoise.inference.kernels.randomness import Stream, normal
from equipoise.inference.kernels.records import Array
from equipoise.inference.kernels.rows import copy_into

LN2 = float(np.log(2.0))
# The first step of a climb, and by what a step is stretched after one that led up, or one that
# didn't: they balance where one in five leads up.
FIRST_STEP, LONGER, SHORTER = 0.1, 1.5, 1.5**-0.25


@compiled_inline
def _surprise(p: float) -> float:
    """Return -p log p."""
    return -p * log(max(p, TINY))


@compiled_inside
def _information(
    plus: Array,
    minus: Array,
    weights: Array,
    thetas: Array,
    mass: Array,
    link: int,
    offered: int,
    predicted: Array,
) -> float:
    """Return the information in the answer to one question, and write its probabilities, (4,)."""
    entropy, first, second = everywhere(0.0), everywhere(0.0), everywhere(0.0)
    third, fourth = everywhere(0.0), everywhere(0.0)
    for b in range(weights.shape[0]):
        r, kappa = everywhere(0.0), everywhere(0.0)
        for j in range(weights.shape[1]):
            weight = load(weights, (b * weights.shape[1] + j) * LANES)
            r += plus[j] * weight
            kappa += minus[j] * weight
        theta = thetas[b]
        g, band = gate(r, theta), entry(theta, TAU_KAPPA) * r + entry(theta, WIDTH)
        above = noise_above(band - kappa, theta, link)
        below = noise_below(-band - kappa, theta, link)
        within = max(1.0 - above - below, 0.0)
        lapse = entry(theta, LAPSE)
        kept, lapse = 1.0 - lapse, lapse / float(offered)
        counts = load(mass, b * LANES)
        p = kept * (g * above) + lapse
        first += counts * p
        left = _surprise(p)
        p = kept * (g * below) + lapse
        second += counts * p
        left += _surprise(p)
        if offered > 2:
            p = 1.0 - g if offered == 4 else 1.0 - g + g * within
            p = kept * p + lapse
            third += counts * p
            left += _surprise(p)
        if offered == 4:
            p = kept * (g * within) + lapse
            fourth += counts * p
            left += _surprise(p)
        entropy += counts * left
    predicted[0], predicted[1] = total(first), total(second)
    predicted[2], predicted[3] = total(third), total(fourth)
    known = 0.0
    for a in range(offered):
        known += _surprise(predicted[a])
    return max(known - total(entropy), 0.0) / LN2


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

    Draws come in blocks of eight: `weights` (b, m, 8), `thetas` (b, p, 8), and their mass (b, 8).
    An undecided answer stands in the third place.

    Paper: eq:bald
    """
    for q in range(plus.shape[0]):
        bits[q] = _information(
            plus[q], minus[q], weights, thetas, mass, link, offered, predicted[q]
        )


@compiled
def climb(
    rng: Stream,
    difference: Array,
    steps: int,
    weights: Array,
    thetas: Array,
    mass: Array,
    link: int,
    offered: int,
) -> None:
    """Move a difference of features in [-1, 1], (m,), to where the answer tells more.

    It goes by random steps, which are longer after one that led up, and shorter after one that
    didn't (Rechenberg's rule of one in five).
    """
    plus, minus, predicted = np.abs(difference), difference.copy(), np.empty(4)
    best = _information(plus, minus, weights, thetas, mass, link, offered, predicted)
    size = FIRST_STEP
    for _ in range(steps):
        for j in range(difference.size):
            minus[j] = min(max(difference[j] + size * normal(rng), -1.0), 1.0)
            plus[j] = abs(minus[j])
        found = _information(plus, minus, weights, thetas, mass, link, offered, predicted)
        if found > best:
            best = found
            copy_into(difference, minus)
            size *= LONGER
        else:
            size *= SHORTER
