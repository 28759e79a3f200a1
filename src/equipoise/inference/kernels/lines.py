"""Lines through a particle: how far they go, and a slice move along them, compiled."""

from __future__ import annotations

import numpy as np

from equipoise.inference.kernels.answers import (
    INDIFFERENT,
    LAPSE,
    MIXTURE,
    SLOPE,
    TAU_KAPPA,
    TAU_R,
    UNDECIDED,
    WIDTH,
    gate,
    log_answer_probability,
)
from equipoise.inference.kernels.arithmetic import exp, log
from equipoise.inference.kernels.compiling import compiled_in_place, compiled_inside
from equipoise.inference.kernels.likelihood import log_likelihood
from equipoise.inference.kernels.priors import (
    BETA_PRIOR,
    LOG_NORMAL,
    UNIFORM,
    log_prior_density,
)
from equipoise.inference.kernels.randomness import Stream, uniform
from equipoise.inference.kernels.records import (
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

# Places in a particle's score.
LIKELIHOOD, PRIOR = range(2)
# A slice that shrank this often has its ends closer together than numbers can tell.
MOST_STEPS = 60


@compiled_inside
def find_margins(plus: Array, minus: Array, weights: Array, margins: Margins) -> None:
    """Write what weights, or a change of them, come to at every answer; plus and minus (m, n)."""
    r, kappa = margins.r, margins.kappa
    for i in range(r.size):
        r[i], kappa[i] = 0.0, 0.0
    for j in range(weights.size):
        weight = weights[j]
        for i in range(r.size):
            r[i] += plus[j, i] * weight
            kappa[i] += minus[j, i] * weight


@compiled_inside
def needs_valence(kind: int, theta: Array) -> float:
    """Return on which side of a step gate valence must be: 1 above, -1 below, 0 on either.

    An undecided answer needs a low one where there is no band, so that nobody is conflicted.
    """
    if kind == INDIFFERENT:
        return -1.0
    if kind == UNDECIDED:
        return -1.0 if theta[TAU_KAPPA] == 0 and theta[WIDTH] == 0 else 0.0
    return 1.0


@compiled_inside
def _within(at: float, by: float, low: float, high: float, ends: Array) -> None:
    """Shorten a line to where a number that moves by so much a step stays within bounds."""
    if by > 0:
        ends[0] = max(ends[0], (low - at) / by)
        ends[1] = min(ends[1], (high - at) / by)
    elif by < 0:
        ends[0] = max(ends[0], (high - at) / by)
        ends[1] = min(ends[1], (low - at) / by)


@compiled_inside
def _within_gate(
    side: float, moved: bool, c: Array, by: Array, tau: float, dtau: float, ends: Array
) -> None:
    """Shorten a line to where valences c + t by stay on one side of the threshold."""
    low, high = ends[0], ends[1]
    for i in range(c.size):
        above, slope = side * (c[i] - tau), side * ((by[i] if moved else 0.0) - dtau)
        # Rarely is an end moved, and only then is there a division.
        if above + slope * low < 0 and slope > 0:
            low = -above / slope
        if above + slope * high < 0 and slope < 0:
            high = -above / slope
    ends[0], ends[1] = low, high


@compiled_in_place
def cut(
    moved: bool,
    line: Line,
    particle: Particle,
    told: Told,
    pending: Pending,
    beliefs: Beliefs,
    ends: Array,
) -> None:
    """Write the steps at which a line leaves what is possible.

    Weights stay on the simplex, numbers in their support; and where a step gate and no lapse rule
    answers out, valences stay on their side of tau_r, exactly.
    """
    ends[0], ends[1] = -np.inf, np.inf
    theta = particle.theta
    for j in range(line.weights.size):
        _within(particle.weights[j], line.weights[j], 0.0, np.inf, ends)
    for name in range(MIXTURE):
        prior = beliefs.numbers[name]
        if prior[0] == UNIFORM:
            _within(theta[name], line.theta[name], prior[1], prior[2], ends)
        elif prior[0] == BETA_PRIOR:
            _within(theta[name], line.theta[name], 0.0, 1.0, ends)
    components = (theta.size - MIXTURE) // 3 if beliefs.mixture.size else 0
    for k in range(MIXTURE, MIXTURE + components):
        _within(theta[k], line.theta[k], 0.0, np.inf, ends)
        scale = k + 2 * components
        least, greatest = beliefs.mixture[2], beliefs.mixture[3]
        _within(log(theta[scale]), line.theta[scale], least, greatest, ends)
    exact = theta[SLOPE] == np.inf and theta[LAPSE] == 0
    if exact and beliefs.numbers[TAU_R, 0] != LOG_NORMAL:
        _cut_by_gate(moved, line, particle, told, pending, ends)
    # Rounding may leave a particle a little beyond an end.
    ends[0], ends[1] = min(ends[0], 0.0), max(ends[1], 0.0)


@compiled_inside
def _cut_by_gate(
    moved: bool, line: Line, particle: Particle, told: Told, pending: Pending, ends: Array
) -> None:
    theta, tau, dtau = particle.theta, particle.theta[TAU_R], line.theta[TAU_R]
    if (tau == 0 or not moved) and dtau == 0:  # valence is never below zero, or stays as it is
        return
    for kind in range(UNDECIDED + 1):
        begin, end = told.begins[kind], told.begins[kind + 1]
        side = needs_valence(kind, theta)
        if begin < end and side != 0:
            r, by = particle.margins.r[begin:end], line.margins.r[begin:end]
            _within_gate(side, moved, r, by, tau, dtau, ends)
    side = needs_valence(pending.kind, theta)
    if pending.waits and side != 0:
        c, by = -tau + side * pending.slack, -dtau
        for j in range(pending.plus.size):
            c += pending.plus[j] * particle.weights[j]
            by += pending.plus[j] * line.weights[j]
        _within(side * c, side * by, 0.0, np.inf, ends)


@compiled_inside
def log_pending(pending: Pending, weights: Array, theta: Array, told: Told) -> float:
    """Return what the log probability of an answer that waits counts now."""
    if not pending.waits:
        return 0.0
    r, kappa = 0.0, 0.0
    for j in range(weights.size):
        r += pending.plus[j] * weights[j]
        kappa += pending.minus[j] * weights[j]
    tau_r = theta[TAU_R]
    theta[TAU_R] = tau_r - needs_valence(pending.kind, theta) * pending.slack
    if pending.power > 0:
        found = pending.power * log_answer_probability(
            pending.kind, r, kappa, theta, told.link, told.offered
        )
    else:
        found = _log_gate(pending.kind, r, theta)
    theta[TAU_R] = tau_r
    return found


@compiled_inside
def _log_gate(kind: int, r: float, theta: Array) -> float:
    """Return zero where a step gate leaves an answer possible, and -inf where it doesn't."""
    side = needs_valence(kind, theta)
    if theta[SLOPE] < np.inf or theta[LAPSE] > 0 or side == 0:
        return 0.0
    return 0.0 if (gate(r, theta) > 0) == (side > 0) else -np.inf


@compiled_in_place
def _step(
    t: float, line: Line, beliefs: Beliefs, moved: bool, old: Particle, new: Particle
) -> None:
    """Write where a step leads."""
    total = 0.0
    for j in range(old.weights.size):
        new.weights[j] = max(old.weights[j] + t * line.weights[j], 0.0)
        total += new.weights[j]
    for j in range(old.weights.size):
        new.weights[j] /= total
    for name in range(MIXTURE):
        by = line.theta[name]
        if beliefs.numbers[name, 0] == LOG_NORMAL:
            new.theta[name] = old.theta[name] * exp(t * by)
        else:
            new.theta[name] = old.theta[name] + t * by if by != 0 else old.theta[name]
    _step_mixture(t, line, beliefs, old, new)
    if moved:
        r, kappa = old.margins.r, old.margins.kappa
        new_r, new_kappa = new.margins.r, new.margins.kappa
        by_r, by_kappa = line.margins.r, line.margins.kappa
        for i in range(r.size):
            new_r[i] = r[i] + t * by_r[i]
            new_kappa[i] = kappa[i] + t * by_kappa[i]


@compiled_inside
def _step_mixture(t: float, line: Line, beliefs: Beliefs, old: Particle, new: Particle) -> None:
    components = (old.theta.size - MIXTURE) // 3
    if not beliefs.mixture.size:
        for k in range(MIXTURE, old.theta.size):
            new.theta[k] = old.theta[k]
        return
    total = 0.0
    for k in range(MIXTURE, MIXTURE + components):
        new.theta[k] = max(old.theta[k] + t * line.theta[k], 0.0)
        total += new.theta[k]
        mean, scale = k + components, k + 2 * components
        new.theta[mean] = old.theta[mean] + t * line.theta[mean]
        new.theta[scale] = old.theta[scale] * exp(t * line.theta[scale])
    for k in range(MIXTURE, MIXTURE + components):
        new.theta[k] /= total


@compiled_in_place
def settle(
    level: float,
    told: Told,
    pending: Pending,
    beliefs: Beliefs,
    moved: bool,
    margins: Margins,
    particle: Particle,
    room: Room,
) -> bool:
    """Write a particle's score, and return whether likelihood and prior reach a level together."""
    prior = log_prior_density(particle.weights, particle.theta, beliefs)
    waiting = log_pending(pending, particle.weights, particle.theta, told)
    if prior + waiting == -np.inf:
        return False
    floor = level - prior - waiting
    found = log_likelihood(floor, told, margins, particle.theta, room)
    particle.score[LIKELIHOOD], particle.score[PRIOR] = found + waiting, prior
    return found > -np.inf


@compiled_in_place
def become(old: Particle, new: Particle, moved: bool) -> None:
    """Put a particle where it may go."""
    copy_into(old.weights, new.weights)
    copy_into(old.theta, new.theta)
    copy_into(old.score, new.score)
    if moved:
        copy_into(old.margins.r, new.margins.r)
        copy_into(old.margins.kappa, new.margins.kappa)


@compiled_in_place
def slice_along(
    rng: Stream,
    reach: float,
    moved: bool,
    line: Line,
    told: Told,
    pending: Pending,
    beliefs: Beliefs,
    old: Particle,
    new: Particle,
    ends: Array,
    room: Room,
) -> int:
    """Move a particle along a line by a slice, and return how many places were looked at.

    The slice is what reaches a random level below the particle's own density. Places are drawn
    from an interval of width `reach` laid at random around the particle, which shrinks towards it
    until one lies in the slice (Neal 2003, "Slice sampling", without stepping out).

    `moved` says whether the line changes weights; where it doesn't, margins stay.
    """
    cut(moved, line, old, told, pending, beliefs, ends)
    left, right = ends[0], ends[1]
    if reach < np.inf:
        begin = -reach * uniform(rng)
        left, right = max(left, begin), min(right, begin + reach)
    level = old.score[LIKELIHOOD] + old.score[PRIOR] + log(1.0 - uniform(rng))
    for place in range(MOST_STEPS):
        if not right > left:
            return place
        t = left + (right - left) * uniform(rng)
        _step(t, line, beliefs, moved, old, new)
        margins = new.margins if moved else old.margins
        if settle(level, told, pending, beliefs, moved, margins, new, room):
            become(old, new, moved)
            return place + 1
        if t < 0:
            left = t
        else:
            right = t
    return MOST_STEPS
