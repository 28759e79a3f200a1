"""Moving a population of particles, compiled: each along lines that the others suggest.

Eight particles move at a time (`lanes`), along lines that only particles of other blocks decide: so
each of them leaves the posterior as it is, whatever the others do.
"""

from __future__ import annotations

import numpy as np

from equipoise.inference.kernels.answers import MIXTURE
from equipoise.inference.kernels.arithmetic import log
from equipoise.inference.kernels.compiling import compiled, compiled_inside
from equipoise.inference.kernels.lanes import LANES, choose, everywhere, load, store
from equipoise.inference.kernels.likelihood import KINDS
from equipoise.inference.kernels.lines import (
    dimensions,
    find_margins,
    hold_still,
    point_along_differences,
    point_along_mixture,
    point_along_numbers,
    point_along_pairs,
    point_anywhere,
)
from equipoise.inference.kernels.priors import DISCRETE
from equipoise.inference.kernels.randomness import Stream, uniform
from equipoise.inference.kernels.records import (
    Answered,
    Array,
    Asked,
    Beliefs,
    Block,
    Lines,
    Pending,
    Room,
)
from equipoise.inference.kernels.slices import follow, log_density, slice_along, step, uniforms

# Along the difference of two particles the slice is about this wide, divided by the root of the
# number of dimensions. A wider interval costs places to look at, a narrower one shortens moves.
REACH = 6.0
# Of a line along one number, in standard deviations.
REACH_ALONE = 5.0
# With more weights than a few, so many pairs for each of them are exchanged in a sweep.
FEW, PAIRS_EACH = 8, 0.5


@compiled
def rejuvenate(
    rng: Stream,
    answered: Answered,
    pending: Pending,
    beliefs: Beliefs,
    spread: Array,
    differences: int,
    weights: Array,
    thetas: Array,
) -> int:
    """Move every particle in place, and return how often eight of them were looked at.

    Each goes along some lines: differences of two others, a random direction of the weights, one
    of the unknown numbers, one part of an unknown mixture; and to another value of each number on a
    grid. All leave the posterior as it is, whatever the others are.

    `spread` has standard deviations of weights and numbers; shape (m + p,).
    """
    asked = _by_kind(answered, pending)
    rows, m, p = asked.plus.shape[0], weights.shape[1], thetas.shape[1]
    block = Block(
        np.empty((m, LANES)),
        np.empty((p, LANES)),
        np.empty((rows, LANES)),
        np.empty((rows, LANES)),
        np.empty(LANES),
    )
    lines = Lines(
        np.empty((m, LANES)),
        np.empty((p, LANES)),
        np.empty((rows, LANES)),
        np.empty((rows, LANES)),
        np.empty((2, LANES)),
    )
    room = Room(
        np.empty((m, LANES)),
        np.empty((p, LANES)),
        np.empty((m + p, LANES)),
        np.empty((m + p, LANES)),
        np.empty(LANES),
        np.empty(LANES),
        np.empty(p),
    )
    looks = 0
    for k in range((weights.shape[0] + LANES - 1) // LANES):
        _begin(k, weights, thetas, lines, block, asked, beliefs, room)
        looks += _move(
            rng, k, differences, spread, weights, thetas, lines, block, asked, beliefs, room
        )
        for lane in range(min(LANES, weights.shape[0] - k * LANES)):
            i = k * LANES + lane
            for j in range(m):
                weights[i, j] = block.weights[j, lane]
            for j in range(p):
                thetas[i, j] = block.theta[j, lane]
    return looks


@compiled
def _by_kind(answered: Answered, pending: Pending) -> Asked:
    """Return the answers with those of a kind next to each other, and the one that waits."""
    n, m = answered.plus.shape
    plus, minus = np.empty((n + 1, m)), np.empty((n + 1, m))
    begins = np.zeros(KINDS + 1, dtype=np.int64)
    for i in range(n):
        begins[answered.answers[i] + 1] += 1
    for kind in range(KINDS):
        begins[kind + 1] += begins[kind]
    free = begins.copy()
    for i in range(n):
        place = free[answered.answers[i]]
        free[answered.answers[i]] += 1
        for j in range(m):
            plus[place, j] = answered.plus[i, j]
            minus[place, j] = answered.minus[i, j]
    for j in range(m):
        plus[n, j], minus[n, j] = pending.plus[j], pending.minus[j]
    return Asked(plus, minus, begins, pending, answered.link, answered.offered)


@compiled_inside
def _begin(
    k: int,
    weights: Array,
    thetas: Array,
    lines: Lines,
    block: Block,
    asked: Asked,
    beliefs: Beliefs,
    room: Room,
) -> None:
    """Take eight particles up; where fewer are left, the last one several times."""
    last = weights.shape[0] - 1
    for lane in range(LANES):
        i = min(k * LANES + lane, last)
        for j in range(weights.shape[1]):
            block.weights[j, lane] = weights[i, j]
        for j in range(thetas.shape[1]):
            block.theta[j, lane] = thetas[i, j]
    find_margins(asked, block.weights, block.r, block.kappa)
    hold_still(lines)
    lines.r[:] = 0.0
    lines.kappa[:] = 0.0
    step(everywhere(0.0), lines, beliefs, block, room)
    store(block.score, 0, log_density(everywhere(0.0), lines, block, asked, beliefs, room))


@compiled_inside
def _move(
    rng: Stream,
    k: int,
    differences: int,
    spread: Array,
    weights: Array,
    thetas: Array,
    lines: Lines,
    block: Block,
    asked: Asked,
    beliefs: Beliefs,
    room: Room,
) -> int:
    """Move eight particles, and return how often they were looked at."""
    looks = 0
    reach = REACH / np.sqrt(dimensions(weights.shape[1], thetas.shape[1], beliefs))
    for move in range(differences + 1):
        if move < differences:
            point_along_differences(rng, k, beliefs, weights, thetas, lines, room)
        else:
            point_anywhere(rng, spread, lines)
            reach = np.inf
        find_margins(asked, lines.weights, lines.r, lines.kappa)
        looks += slice_along(rng, reach, lines, block, asked, beliefs, room)
    for _ in range(int(PAIRS_EACH * weights.shape[1]) if weights.shape[1] > FEW else 0):
        point_along_pairs(rng, asked, lines)
        looks += slice_along(rng, np.inf, lines, block, asked, beliefs, room)
    lines.r[:] = 0.0
    lines.kappa[:] = 0.0
    if point_along_numbers(rng, beliefs, spread, lines):
        looks += slice_along(rng, REACH_ALONE, lines, block, asked, beliefs, room)
    if point_along_mixture(rng, beliefs, spread, lines):
        looks += slice_along(rng, REACH_ALONE, lines, block, asked, beliefs, room)
    hold_still(lines)
    for name in range(MIXTURE):
        if beliefs.numbers[name, 0] == DISCRETE:
            _hop(rng, name, lines, block, asked, beliefs, room)
            looks += 1
    return looks


@compiled_inside
def _hop(
    rng: Stream,
    name: int,
    lines: Lines,
    block: Block,
    asked: Asked,
    beliefs: Beliefs,
    room: Room,
) -> None:
    """Propose another value of a number on a grid: a neighbour or any, each half of the time."""
    values, chances = beliefs.values[name], beliefs.log_chances[name]
    count = 0
    for k in range(values.size):
        count += values[k] == values[k]  # the others are NaN
    nowhere = everywhere(0.0)
    step(nowhere, lines, beliefs, block, room)
    for lane in range(LANES):
        at = 0
        for k in range(count):
            at = k if values[k] == block.theta[name, lane] else at
        to = at + (1 if uniform(rng) < 0.5 else -1)
        if uniform(rng) < 0.5:
            to = int(uniform(rng) * count)
        room.numbers[lane] = -np.inf
        if 0 <= to < count and chances[to] > -np.inf:
            room.theta[name, lane] = values[to]
            room.numbers[lane] = chances[to] - chances[at]
    gain = load(room.numbers, 0)
    possible = gain > -np.inf
    score = load(block.score, 0)
    level = score + log(1.0 - uniforms(rng, room))
    found = log_density(nowhere, lines, block, asked, beliefs, room)
    accepted = possible & (found + choose(possible, gain, 0.0) >= level)
    store(block.score, 0, choose(accepted, found, score))
    value = choose(accepted, load(room.theta, name * LANES), load(block.theta, name * LANES))
    store(room.theta, name * LANES, value)
    follow(nowhere, lines, block, room)
