"""Lines through eight particles: in which directions, and how far they go, compiled."""

from __future__ import annotations

import numpy as np

from equipoise.inference.kernels.answers import (
    INDIFFERENT,
    LAPSE,
    MIXTURE,
    TAU_KAPPA,
    TAU_R,
    UNDECIDED,
    WIDTH,
    is_step,
)
from equipoise.inference.kernels.arithmetic import log
from equipoise.inference.kernels.compiling import compiled_inside
from equipoise.inference.kernels.lanes import (
    LANES,
    any_of,
    choose,
    entry,
    everywhere,
    leading,
    load,
    store,
)
from equipoise.inference.kernels.priors import (
    BETA_PRIOR,
    DISCRETE,
    KNOWN,
    LOG_NORMAL,
    UNIFORM,
)
from equipoise.inference.kernels.randomness import Stream, normal, uniform
from equipoise.inference.kernels.records import Array, Asked, Beliefs, Block, Lines, Room

# Directions.


@compiled_inside
def moves(kind: float) -> bool:
    """Return whether a number with a prior of this kind moves along lines."""
    return kind not in (KNOWN, DISCRETE)


@compiled_inside
def dimensions(m: int, p: int, beliefs: Beliefs) -> int:
    """Return how many dimensions differences of particles have."""
    found = m - 1
    for name in range(MIXTURE):
        found += 1 if moves(beliefs.numbers[name, 0]) else 0
    if beliefs.mixture.size:
        found += p - MIXTURE - 1
    return max(found, 1)


@compiled_inside
def hold_still(lines: Lines) -> None:
    """Point lines nowhere."""
    lines.weights[:] = 0.0
    lines.theta[:] = 0.0


@compiled_inside
def _another(rng: Stream, count: int, block: int, one: int) -> int:
    """Return a particle of another block, and another than `one`.

    Those of the same block move at the same time, and must not depend on each other.
    """
    begin = block * LANES
    others = count - min(LANES, count - begin)
    found = one
    while found == one:
        found = min(int(uniform(rng) * others), others - 1)
        if found >= begin:
            found += LANES
    return found


@compiled_inside
def point_along_differences(
    rng: Stream,
    block: int,
    beliefs: Beliefs,
    weights: Array,
    thetas: Array,
    lines: Lines,
    room: Room,
) -> None:
    """Point each line along the difference of two particles of other blocks.

    The sum of weights must not change: rounding in differences, stretched by every step, would
    soon be all there is.
    """
    hold_still(lines)
    m, p = weights.shape[1], thetas.shape[1]
    for lane in range(LANES):
        a = _another(rng, weights.shape[0], block, -1)
        b = _another(rng, weights.shape[0], block, a)
        for j in range(m):
            room.one[j, lane], room.other[j, lane] = weights[a, j], weights[b, j]
        for k in range(p):
            room.one[m + k, lane], room.other[m + k, lane] = thetas[a, k], thetas[b, k]
    for j in range(m):
        store(lines.weights, j * LANES, entry(room.one, j) - entry(room.other, j))
    _centre(lines.weights, 0, m)
    for name in range(MIXTURE):
        kind, one, other = beliefs.numbers[name, 0], room.one, room.other
        if kind == LOG_NORMAL:
            ratio = entry(one, m + name) / entry(other, m + name)
            store(lines.theta, name * LANES, log(ratio))
        elif moves(kind):
            store(lines.theta, name * LANES, entry(one, m + name) - entry(other, m + name))
    if beliefs.mixture.size:
        components = (p - MIXTURE) // 3
        for k in range(MIXTURE, MIXTURE + 2 * components):
            store(lines.theta, k * LANES, entry(room.one, m + k) - entry(room.other, m + k))
        _centre(lines.theta, MIXTURE, MIXTURE + components)
        for k in range(MIXTURE + 2 * components, p):
            store(lines.theta, k * LANES, log(entry(room.one, m + k) / entry(room.other, m + k)))


@compiled_inside
def _centre(columns: Array, begin: int, end: int) -> None:
    """Take the mean of some rows from each of them."""
    mean = everywhere(0.0)
    for j in range(begin, end):
        mean += entry(columns, j)
    mean /= float(end - begin)
    for j in range(begin, end):
        store(columns, j * LANES, entry(columns, j) - mean)


@compiled_inside
def point_anywhere(rng: Stream, spread: Array, lines: Lines) -> None:
    """Point each line in a random direction of the weights, in proportion to their spread."""
    hold_still(lines)
    m = lines.weights.shape[0]
    for j in range(m):
        for lane in range(LANES):
            lines.weights[j, lane] = spread[j] * normal(rng)
    total, spreads = everywhere(0.0), 0.0
    for j in range(m):
        total += entry(lines.weights, j)
        spreads += spread[j]
    for j in range(m):
        store(lines.weights, j * LANES, entry(lines.weights, j) - total * (spread[j] / spreads))
    _centre(lines.weights, 0, m)


@compiled_inside
def point_along_pairs(rng: Stream, asked: Asked, lines: Lines) -> None:
    """Point each line to where one weight is exchanged for another; write their margins, too.

    With many weights, this is how a particle gets anywhere; and it takes little time.
    """
    hold_still(lines)
    m = lines.weights.shape[0]
    for lane in range(LANES):
        one = min(int(uniform(rng) * m), m - 1)
        other = min(int(uniform(rng) * (m - 1)), m - 2)
        other += other >= one
        lines.weights[one, lane], lines.weights[other, lane] = 1.0, -1.0
        for i in range(asked.plus.shape[0]):
            lines.r[i, lane] = asked.plus[i, one] - asked.plus[i, other]
            lines.kappa[i, lane] = asked.minus[i, one] - asked.minus[i, other]


@compiled_inside
def point_along_numbers(rng: Stream, beliefs: Beliefs, spread: Array, lines: Lines) -> bool:
    """Point each line along one of the unknown numbers, if there are any."""
    hold_still(lines)
    m, count = lines.weights.shape[0], 0
    for name in range(MIXTURE):
        count += 1 if moves(beliefs.numbers[name, 0]) else 0
    if count == 0:
        return False
    for lane in range(LANES):
        chosen = int(uniform(rng) * count)
        for name in range(MIXTURE):
            if moves(beliefs.numbers[name, 0]):
                if chosen == 0:
                    lines.theta[name, lane] = spread[m + name]
                chosen -= 1
    return True


@compiled_inside
def point_along_mixture(rng: Stream, beliefs: Beliefs, spread: Array, lines: Lines) -> bool:
    """Point each line in a random direction of a mixture's weights, means or log scales."""
    hold_still(lines)
    if not beliefs.mixture.size:
        return False
    m = lines.weights.shape[0]
    components = (lines.theta.shape[0] - MIXTURE) // 3
    for lane in range(LANES):
        begin = MIXTURE + int(uniform(rng) * 3) * components
        mean = 0.0
        for k in range(begin, begin + components):
            lines.theta[k, lane] = spread[m + k] * normal(rng)
            mean += lines.theta[k, lane] / components
        if begin == MIXTURE:
            for k in range(begin, begin + components):
                lines.theta[k, lane] -= mean
    return True


@compiled_inside
def find_margins(asked: Asked, weights: Array, r: Array, kappa: Array) -> None:
    """Write what weights, or changes of them, come to at every question."""
    for i in range(asked.plus.shape[0]):
        plus, minus = everywhere(0.0), everywhere(0.0)
        for j in range(weights.shape[0]):
            weight = entry(weights, j)
            plus += asked.plus[i, j] * weight
            minus += asked.minus[i, j] * weight
        store(r, i * LANES, plus)
        store(kappa, i * LANES, minus)


# How far.


@compiled_inside
def known_zero(name: int, theta: Array, beliefs: Beliefs) -> bool:
    """Return whether a number is known to be zero, in every particle."""
    return beliefs.numbers[name, 0] == KNOWN and leading(theta, name) == 0


@compiled_inside
def needs_valence(kind: int, theta: Array, beliefs: Beliefs) -> float:
    """Return on which side of a step gate valence must be: 1 above, -1 below, 0 on either.

    An undecided answer needs a low one where there is no band, so that nobody is conflicted.
    """
    if kind == INDIFFERENT:
        return -1.0
    if kind == UNDECIDED:
        band = not (known_zero(TAU_KAPPA, theta, beliefs) and known_zero(WIDTH, theta, beliefs))
        return 0.0 if band else -1.0
    return 1.0


@compiled_inside
def _shorten(at: float, by: float, low: float, high: float, ends: Array) -> None:
    """Shorten lines to where a number that moves by so much a step stays within bounds."""
    to_low, to_high = (low - at) / by, (high - at) / by
    up, down = by > 0.0, by < 0.0
    begin = choose(up, to_low, choose(down, to_high, -np.inf))
    end = choose(up, to_high, choose(down, to_low, np.inf))
    store(ends, 0, max(load(ends, 0), begin))
    store(ends, LANES, min(load(ends, LANES), end))


@compiled_inside
def cut(lines: Lines, block: Block, asked: Asked, beliefs: Beliefs) -> None:
    """Write the steps at which lines leave what is possible.

    Weights stay on the simplex, numbers in their support; and where a step gate and no lapse rule
    answers out, valences stay on their side of tau_r, exactly.
    """
    ends, theta = lines.ends, block.theta
    store(ends, 0, everywhere(-np.inf))
    store(ends, LANES, everywhere(np.inf))
    for j in range(block.weights.shape[0]):
        _shorten(entry(block.weights, j), entry(lines.weights, j), 0.0, np.inf, ends)
    for name in range(MIXTURE):
        prior = beliefs.numbers[name]
        if prior[0] == UNIFORM:
            _shorten(entry(theta, name), entry(lines.theta, name), prior[1], prior[2], ends)
        elif prior[0] == BETA_PRIOR:
            _shorten(entry(theta, name), entry(lines.theta, name), 0.0, 1.0, ends)
    components = (theta.shape[0] - MIXTURE) // 3 if beliefs.mixture.size else 0
    for k in range(MIXTURE, MIXTURE + components):
        _shorten(entry(theta, k), entry(lines.theta, k), 0.0, np.inf, ends)
        scale = k + 2 * components
        least, greatest = beliefs.mixture[2], beliefs.mixture[3]
        _shorten(log(entry(theta, scale)), entry(lines.theta, scale), least, greatest, ends)
    # The logarithm of a threshold moves on a line on which valences don't end at a place.
    by_itself = beliefs.numbers[TAU_R, 0] != LOG_NORMAL
    if by_itself and is_step(theta) and known_zero(LAPSE, theta, beliefs):
        _cut_by_gate(lines, block, asked, beliefs)
    # Rounding may leave a particle a little beyond an end; a line that points nowhere has none.
    store(ends, 0, min(load(ends, 0), 0.0))
    store(ends, LANES, max(load(ends, LANES), 0.0))


@compiled_inside
def _cut_by_gate(lines: Lines, block: Block, asked: Asked, beliefs: Beliefs) -> None:
    tau, dtau = entry(block.theta, TAU_R), entry(lines.theta, TAU_R)
    low, high = load(lines.ends, 0), load(lines.ends, LANES)
    for kind in range(UNDECIDED + 1):
        side = needs_valence(kind, block.theta, beliefs)
        if side == 0:
            continue
        for i in range(asked.begins[kind], asked.begins[kind + 1]):
            above = side * (entry(block.r, i) - tau)
            slope = side * (entry(lines.r, i) - dtau)
            # Rarely is an end moved, and only then is there a division.
            under, over = above + slope * low < 0.0, above + slope * high < 0.0
            if any_of(under | over):
                low = choose(under & (slope > 0.0), -above / slope, low)
                high = choose(over & (slope < 0.0), -above / slope, high)
    store(lines.ends, 0, low)
    store(lines.ends, LANES, high)
    pending, last = asked.pending, asked.plus.shape[0] - 1
    side = needs_valence(pending.kind, block.theta, beliefs)
    if pending.waits and side != 0:
        above = side * (entry(block.r, last) - tau) + pending.slack
        _shorten(above, side * (entry(lines.r, last) - dtau), 0.0, np.inf, lines.ends)
