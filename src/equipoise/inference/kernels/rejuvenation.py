"""Moving a population of particles, compiled: each along lines that the others suggest."""

from __future__ import annotations

import numpy as np

from equipoise.inference.kernels.answers import MIXTURE
from equipoise.inference.kernels.arithmetic import log
from equipoise.inference.kernels.compiling import compiled, compiled_inside
from equipoise.inference.kernels.likelihood import sorted_by_answer
from equipoise.inference.kernels.lines import (
    LIKELIHOOD,
    PRIOR,
    become,
    find_margins,
    settle,
    slice_along,
)
from equipoise.inference.kernels.priors import DISCRETE, KNOWN, LOG_NORMAL
from equipoise.inference.kernels.randomness import Stream, normal, uniform
from equipoise.inference.kernels.records import (
    Answered,
    Array,
    Beliefs,
    Line,
    Margins,
    Particle,
    Pending,
    Room,
    Told,
)
from equipoise.inference.kernels.rows import copy_into

# Along the difference of two particles the slice is about this wide, divided by the root of the
# number of dimensions. A wider interval costs places to look at, a narrower one shortens moves.
REACH = 6.0
# Of a line along one number, in standard deviations.
REACH_ALONE = 5.0


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
    """Move every particle in place, and return how many places were looked at.

    Each goes along some lines: differences of two others, a random direction of the weights, one
    of the unknown numbers, one part of an unknown mixture; and to another value of each number on a
    grid. All leave the posterior as it is, whatever the others are.

    `spread` has standard deviations of weights and numbers; shape (m + p,).
    """
    told = sorted_by_answer(answered)
    n, m, p = told.kinds.size, weights.shape[1], thetas.shape[1]
    old = Particle(np.empty(m), np.empty(p), Margins(np.empty(n), np.empty(n)), np.empty(2))
    new = Particle(np.empty(m), np.empty(p), Margins(np.empty(n), np.empty(n)), np.empty(2))
    line = Line(np.empty(m), np.empty(p), Margins(np.empty(n), np.empty(n)))
    room = Room(np.empty(n), np.empty(n))
    ends = np.empty(2)
    looked = 0
    for i in range(weights.shape[0]):
        looked += _move(
            rng,
            i,
            told,
            pending,
            beliefs,
            spread,
            differences,
            weights,
            thetas,
            old,
            new,
            line,
            ends,
            room,
        )
    return looked


@compiled_inside
def _move(
    rng: Stream,
    i: int,
    told: Told,
    pending: Pending,
    beliefs: Beliefs,
    spread: Array,
    differences: int,
    weights: Array,
    thetas: Array,
    old: Particle,
    new: Particle,
    line: Line,
    ends: Array,
    room: Room,
) -> int:
    """Move one particle, and return how many places were looked at."""
    looked = 0
    copy_into(old.weights, weights[i])
    copy_into(old.theta, thetas[i])
    find_margins(told.plus, told.minus, old.weights, old.margins)
    settle(-np.inf, told, pending, beliefs, False, old.margins, old, room)
    for move in range(differences + 3):
        weights_move = move <= differences
        if move < differences:
            there = _point_along_difference(rng, i, beliefs, weights, thetas, line)
            reach = REACH / np.sqrt(_dimensions(beliefs, line))
        elif move == differences:
            there = _point_anywhere(rng, spread, line)
            reach = np.inf
        else:
            there = _point_along_part(rng, move == differences + 1, beliefs, spread, line)
            reach = REACH_ALONE
        if there and weights_move:
            find_margins(told.plus, told.minus, line.weights, line.margins)
        if there:
            looked += slice_along(
                rng,
                reach,
                weights_move,
                line,
                told,
                pending,
                beliefs,
                old,
                new,
                ends,
                room,
            )
    for name in range(MIXTURE):
        if beliefs.numbers[name, 0] == DISCRETE:
            looked += _hop(rng, name, told, pending, beliefs, old, new, room)
    copy_into(weights[i], old.weights)
    copy_into(thetas[i], old.theta)
    return looked


@compiled_inside
def _moves(kind: float) -> bool:
    """Return whether a number with a prior of this kind moves along lines."""
    return kind not in (KNOWN, DISCRETE)


@compiled_inside
def _dimensions(beliefs: Beliefs, line: Line) -> int:
    """Return how many dimensions differences of particles have."""
    found = line.weights.size - 1
    for name in range(MIXTURE):
        found += 1 if _moves(beliefs.numbers[name, 0]) else 0
    if beliefs.mixture.size:
        found += line.theta.size - MIXTURE - 1
    return max(found, 1)


@compiled_inside
def _hold_still(line: Line) -> None:
    for j in range(line.weights.size):
        line.weights[j] = 0.0
    for k in range(line.theta.size):
        line.theta[k] = 0.0


@compiled_inside
def _another(rng: Stream, count: int, one: int, other: int) -> int:
    """Return a place that is neither of two."""
    found = one
    while found in (one, other):
        found = min(int(uniform(rng) * count), count - 1)
    return found


@compiled_inside
def _point_along_difference(
    rng: Stream, i: int, beliefs: Beliefs, weights: Array, thetas: Array, line: Line
) -> bool:
    """Point a line along the difference of two particles other than the i-th, unless it's nothing.

    The sum of weights must not change: rounding in differences, stretched by every step, would
    soon be all there is.
    """
    _hold_still(line)
    count, differs = weights.shape[0], False
    if count < 3:
        return differs
    a = _another(rng, count, i, i)
    b = _another(rng, count, i, a)
    for j in range(line.weights.size):
        line.weights[j] = weights[a, j] - weights[b, j]
        differs = differs or line.weights[j] != 0
    _centre(line.weights)
    for name in range(MIXTURE):
        kind = beliefs.numbers[name, 0]
        if kind == LOG_NORMAL:
            line.theta[name] = log(thetas[a, name] / thetas[b, name])
        elif _moves(kind):
            line.theta[name] = thetas[a, name] - thetas[b, name]
    if beliefs.mixture.size:
        components = (line.theta.size - MIXTURE) // 3
        for k in range(MIXTURE, MIXTURE + 2 * components):
            line.theta[k] = thetas[a, k] - thetas[b, k]
        _centre(line.theta[MIXTURE : MIXTURE + components])
        for k in range(MIXTURE + 2 * components, line.theta.size):
            line.theta[k] = log(thetas[a, k] / thetas[b, k])
    return differs


@compiled_inside
def _centre(row: Array) -> None:
    mean = 0.0
    for j in range(row.size):
        mean += row[j]
    mean /= row.size
    for j in range(row.size):
        row[j] -= mean


@compiled_inside
def _point_anywhere(rng: Stream, spread: Array, line: Line) -> bool:
    """Point a line in a random direction of the weights, in proportion to their spread."""
    _hold_still(line)
    total, spreads = 0.0, 0.0
    for j in range(line.weights.size):
        line.weights[j] = spread[j] * normal(rng)
        total += line.weights[j]
        spreads += spread[j]
    for j in range(line.weights.size):
        line.weights[j] -= total * (spread[j] / spreads)
    _centre(line.weights)
    return line.weights.size > 1


@compiled_inside
def _point_along_part(
    rng: Stream, numbers: bool, beliefs: Beliefs, spread: Array, line: Line
) -> bool:
    """Point a line along an unknown number, or a part of an unknown mixture, if there is one."""
    _hold_still(line)
    if numbers:
        return _point_along_number(rng, beliefs, spread, line)
    if beliefs.mixture.size:
        _point_along_mixture(rng, spread, line)
    return beliefs.mixture.size > 0


@compiled_inside
def _point_along_number(rng: Stream, beliefs: Beliefs, spread: Array, line: Line) -> bool:
    count = 0
    for name in range(MIXTURE):
        count += 1 if _moves(beliefs.numbers[name, 0]) else 0
    chosen = int(uniform(rng) * count)
    for name in range(MIXTURE):
        if _moves(beliefs.numbers[name, 0]):
            if chosen == 0:
                line.theta[name] = spread[line.weights.size + name]
            chosen -= 1
    return count > 0


@compiled_inside
def _point_along_mixture(rng: Stream, spread: Array, line: Line) -> None:
    """Point a line in a random direction of a mixture's weights, means or log scales."""
    components = (line.theta.size - MIXTURE) // 3
    part = int(uniform(rng) * 3)
    begin = MIXTURE + part * components
    for k in range(begin, begin + components):
        line.theta[k] = spread[line.weights.size + k] * normal(rng)
    if part == 0:
        _centre(line.theta[begin : begin + components])


@compiled_inside
def _hop(
    rng: Stream,
    name: int,
    told: Told,
    pending: Pending,
    beliefs: Beliefs,
    old: Particle,
    new: Particle,
    room: Room,
) -> int:
    """Propose another value of a number on a grid: a neighbour or any, each half of the time."""
    values, chances = beliefs.values[name], beliefs.log_chances[name]
    count, at = 0, 0
    for k in range(values.size):
        if values[k] == values[k]:  # the others are NaN
            count += 1
            at = k if values[k] == old.theta[name] else at
    to = at + (1 if uniform(rng) < 0.5 else -1)
    if uniform(rng) < 0.5:
        to = int(uniform(rng) * count)
    if to < 0 or to >= count or to == at or chances[to] == -np.inf:
        return 0
    copy_into(new.weights, old.weights)
    copy_into(new.theta, old.theta)
    new.theta[name] = values[to]
    level = old.score[LIKELIHOOD] + old.score[PRIOR] + chances[at] - chances[to]
    level += log(1.0 - uniform(rng))
    if settle(level, told, pending, beliefs, False, old.margins, new, room):
        become(old, new, False)
    return 1
