"""Moving eight particles along their lines by slice sampling, compiled."""

from __future__ import annotations

import numpy as np

from equipoise.inference.kernels.answers import (
    LAPSE,
    MIXTURE,
    TINY,
    answer_probability,
    gate,
    is_step,
    log_answer_probability,
)
from equipoise.inference.kernels.arithmetic import exp, log
from equipoise.inference.kernels.compiling import compiled_inside
from equipoise.inference.kernels.lanes import (
    LANES,
    any_of,
    choose,
    entry,
    everywhere,
    load,
    store,
)
from equipoise.inference.kernels.likelihood import KINDS
from equipoise.inference.kernels.lines import cut, needs_valence
from equipoise.inference.kernels.priors import KNOWN, LOG_NORMAL, log_prior_density
from equipoise.inference.kernels.randomness import Stream, uniform
from equipoise.inference.kernels.records import Array, Asked, Beliefs, Block, Lines, Room

# A slice that shrank this often has its ends closer together than numbers can tell.
MOST_LOOKS = 60


@compiled_inside
def uniforms(rng: Stream, room: Room) -> float:
    """Return eight uniform numbers."""
    for lane in range(LANES):
        room.numbers[lane] = uniform(rng)
    return load(room.numbers, 0)


@compiled_inside
def step(t: float, lines: Lines, beliefs: Beliefs, block: Block, room: Room) -> None:
    """Write where steps lead: weights and numbers."""
    total = everywhere(0.0)
    for j in range(block.weights.shape[0]):
        weight = max(entry(block.weights, j) + t * entry(lines.weights, j), 0.0)
        store(room.weights, j * LANES, weight)
        total += weight
    for j in range(block.weights.shape[0]):
        store(room.weights, j * LANES, entry(room.weights, j) / total)
    for name in range(MIXTURE):
        at, by = entry(block.theta, name), entry(lines.theta, name)
        if beliefs.numbers[name, 0] == LOG_NORMAL:
            at *= exp(t * by)
        elif beliefs.numbers[name, 0] != KNOWN:
            at = choose(by == 0.0, at, at + t * by)
        store(room.theta, name * LANES, at)
    if beliefs.mixture.size:
        _step_mixture(t, lines, block, room)
    else:
        for k in range(MIXTURE, block.theta.shape[0]):
            store(room.theta, k * LANES, entry(block.theta, k))


@compiled_inside
def _step_mixture(t: float, lines: Lines, block: Block, room: Room) -> None:
    components = (block.theta.shape[0] - MIXTURE) // 3
    total = everywhere(0.0)
    for k in range(MIXTURE, MIXTURE + components):
        weight = max(entry(block.theta, k) + t * entry(lines.theta, k), 0.0)
        store(room.theta, k * LANES, weight)
        total += weight
        mean, scale = k + components, k + 2 * components
        store(room.theta, mean * LANES, entry(block.theta, mean) + t * entry(lines.theta, mean))
        stretched = entry(block.theta, scale) * exp(t * entry(lines.theta, scale))
        store(room.theta, scale * LANES, stretched)
    for k in range(MIXTURE, MIXTURE + components):
        store(room.theta, k * LANES, entry(room.theta, k) / total)


@compiled_inside
def log_density(
    t: float, lines: Lines, block: Block, asked: Asked, beliefs: Beliefs, room: Room
) -> float:
    """Return the log posterior density of where steps led, up to a constant."""
    theta, begins = room.theta, asked.begins
    store(room.steps, 0, t)
    total = log_prior_density(room.weights, theta, beliefs)
    product = everywhere(1.0)
    for kind in range(KINDS):
        for start in range(begins[kind], begins[kind + 1], LANES):
            stop = min(start + LANES, begins[kind + 1])
            part = everywhere(1.0)
            for i in range(start, stop):
                r = entry(block.r, i) + t * entry(lines.r, i)
                kappa = entry(block.kappa, i) + t * entry(lines.kappa, i)
                part *= answer_probability(kind, r, kappa, theta, asked.link, asked.offered)
            small = part < TINY
            if any_of(small):
                total += _logs_of_small(kind, start, stop, part, lines, block, asked, room)
                part = choose(small, 1.0, part)
            product *= part
            small = product < TINY
            if any_of(small):
                total += choose(small, log(product), 0.0)
                product = choose(small, 1.0, product)
    if asked.pending.waits:
        total += _log_pending(t, lines, block, asked, beliefs, room)
    return total + log(product)


@compiled_inside
def _logs_of_small(
    kind: int,
    start: int,
    stop: int,
    part: float,
    lines: Lines,
    block: Block,
    asked: Asked,
    room: Room,
) -> float:
    """Return the log probability of some answers for those particles to which it's tiny."""
    store(room.numbers, 0, part)
    for lane in range(LANES):
        if room.numbers[lane] >= TINY:
            room.numbers[lane] = 0.0
            continue
        _take_row(room, lane)
        found, t = 0.0, room.steps[lane]
        for i in range(start, stop):
            r = block.r[i, lane] + t * lines.r[i, lane]
            kappa = block.kappa[i, lane] + t * lines.kappa[i, lane]
            if found > -np.inf:
                found += log_answer_probability(kind, r, kappa, room.row, asked.link, asked.offered)
        room.numbers[lane] = found
    return load(room.numbers, 0)


@compiled_inside
def _take_row(room: Room, lane: int) -> None:
    """Write the numbers of one particle into a row."""
    for k in range(room.row.size):
        room.row[k] = room.theta[k, lane]


@compiled_inside
def _log_pending(
    t: float, lines: Lines, block: Block, asked: Asked, beliefs: Beliefs, room: Room
) -> float:
    """Return what the log probability of the answer that waits counts."""
    last, pending = asked.plus.shape[0] - 1, asked.pending
    r = entry(block.r, last) + t * entry(lines.r, last)
    kappa = entry(block.kappa, last) + t * entry(lines.kappa, last)
    if pending.power == 0:
        return log_gate(pending.kind, r, pending.slack, room.theta, beliefs)
    chance = answer_probability(pending.kind, r, kappa, room.theta, asked.link, asked.offered)
    found = log(max(chance, TINY))
    if any_of(chance < TINY):
        found = choose(
            chance < TINY,
            _logs_of_small(pending.kind, last, last + 1, chance, lines, block, asked, room),
            found,
        )
    return pending.power * found


@compiled_inside
def log_gate(kind: int, r: float, slack: float, theta: Array, beliefs: Beliefs) -> float:
    """Return zero where a step gate leaves an answer possible, and -inf where it doesn't.

    A valence may be on the wrong side by some slack.
    """
    side = needs_valence(kind, theta, beliefs)
    if not is_step(theta) or side == 0:
        return 0.0 * r
    passed = gate(r + side * slack, theta)
    possible = passed if side > 0 else 1.0 - passed
    return choose((possible > 0.0) | (entry(theta, LAPSE) > 0.0), 0.0 * r, -np.inf)


@compiled_inside
def slice_along(
    rng: Stream,
    reach: float,
    lines: Lines,
    block: Block,
    asked: Asked,
    beliefs: Beliefs,
    room: Room,
) -> int:
    """Move eight particles along their lines by a slice each; return how often all were looked at.

    The slice is what reaches a random level below a particle's own density. Places are drawn from
    an interval of width `reach` laid at random around the particle, which shrinks towards it until
    one lies in the slice (Neal 2003, "Slice sampling", without stepping out).
    """
    cut(lines, block, asked, beliefs)
    left, right = load(lines.ends, 0), load(lines.ends, LANES)
    if reach < np.inf:
        begin = -reach * uniforms(rng, room)
        left, right = max(left, begin), min(right, begin + reach)
    moving = (right > left) & (right - left < np.inf)
    score = load(block.score, 0)
    level = score + log(1.0 - uniforms(rng, room))
    settled, looks = everywhere(0.0), 0
    while looks < MOST_LOOKS and any_of(moving):
        looks += 1
        t = choose(moving, left + (right - left) * uniforms(rng, room), settled)
        step(t, lines, beliefs, block, room)
        found = log_density(t, lines, block, asked, beliefs, room)
        inside = moving & (found >= level)
        settled, score = choose(inside, t, settled), choose(inside, found, score)
        left, right = choose(t < 0.0, t, left), choose(t < 0.0, right, t)
        moving = moving & (found < level) & (right > left)
    step(settled, lines, beliefs, block, room)
    follow(settled, lines, block, room)
    store(block.score, 0, score)
    return looks


@compiled_inside
def follow(t: float, lines: Lines, block: Block, room: Room) -> None:
    """Put particles where steps led."""
    for j in range(block.weights.shape[0]):
        store(block.weights, j * LANES, entry(room.weights, j))
    for k in range(block.theta.shape[0]):
        store(block.theta, k * LANES, entry(room.theta, k))
    for i in range(block.r.shape[0]):
        store(block.r, i * LANES, entry(block.r, i) + t * entry(lines.r, i))
        store(block.kappa, i * LANES, entry(block.kappa, i) + t * entry(lines.kappa, i))
