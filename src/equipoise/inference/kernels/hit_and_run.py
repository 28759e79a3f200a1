"""The paper's Markov chains, compiled: the fast twin of `inference.hit_and_run`."""

from __future__ import annotations

import math

import numpy as np

from equipoise.inference.kernels.answers import MIXTURE, SLOPE, TAU_R
from equipoise.inference.kernels.arithmetic import exp, log
from equipoise.inference.kernels.compiling import compiled, compiled_inside
from equipoise.inference.kernels.likelihood import log_likelihood_above, sorted_by_answer
from equipoise.inference.kernels.records import (
    Answered,
    Array,
    Beliefs,
    Chain,
    Codes,
    Margins,
    Memory,
    Room,
    Told,
)
from equipoise.model.rounding import ROUNDING

# The kinds of priors on a number.
KNOWN, UNIFORM, BETA_PRIOR, LOG_NORMAL, DISCRETE = range(5)


@compiled_inside
def copy_into(target: Array, source: Array) -> None:
    """Copy one row into another."""
    # Numba takes seconds to compile `target[:] = source`, for an error message it may need.
    for i in range(target.size):
        target[i] = source[i]


@compiled
def _copies(row: Codes, count: int) -> Codes:
    """Return a row so many times; shape (count, n)."""
    rows = np.empty((count, row.size), dtype=np.int64)
    for k in range(count):
        for i in range(row.size):
            rows[k, i] = row[i]
    return rows


@compiled_inside
def _same_gates(r: Array, tau_r: float, other: float) -> bool:
    """Return whether a step gate lets the same questions through at either threshold."""
    differ = 0
    for i in range(r.size):
        differ += (r[i] >= tau_r - ROUNDING) != (r[i] >= other - ROUNDING)
    return differ == 0


@compiled
def run_chain(
    rng: np.random.Generator,
    answered: Answered,
    beliefs: Beliefs,
    starts: Array,
    start_thetas: Array,
    burn_in: int,
    kept_weights: Array,
    kept_thetas: Array,
) -> int:
    """Run a chain and return how many of the kept states differ from the one before.

    It begins at the last of the starts that has a positive likelihood; where there is none it does
    not begin, and -1 is returned. Each sweep moves the weights, then one after the other every
    unknown number, then the weights, means and log scales of a mixture. The states after the
    burn-in are written to `kept_weights` and `kept_thetas`.

    Paper: alg:bald-template (line 6), alg:learn-tau
    """
    told = sorted_by_answer(answered)
    n = told.kinds.size
    chain = Chain(
        told.suspects,
        _copies(told.suspects, beliefs.values.shape[1]),
        Memory(np.empty(beliefs.values.shape), np.empty(beliefs.values.shape)),
        Margins(np.zeros(n), np.zeros(n)),
        Margins(np.zeros(n), np.zeros(n)),
        np.empty(starts.shape[1]),
        np.empty(starts.shape[1]),
        np.empty(start_thetas.shape[1]),
        np.empty(start_thetas.shape[1]),
        Room(np.empty(n), np.empty(n)),
    )
    forget(chain.memory, MIXTURE)
    for start in range(len(starts) - 1, -1, -1):
        copy_into(chain.weights, starts[start])
        copy_into(chain.theta, start_thetas[start])
        likelihood = log_likelihood_above(
            -np.inf,
            chain.suspects,
            told,
            chain.margins,
            True,
            chain.weights,
            chain.theta,
            chain.room,
        )
        if likelihood > -np.inf:
            return _run(rng, told, beliefs, chain, likelihood, burn_in, kept_weights, kept_thetas)
    return -1


@compiled_inside
def _run(
    rng: np.random.Generator,
    told: Told,
    beliefs: Beliefs,
    chain: Chain,
    likelihood: float,
    burn_in: int,
    kept_weights: Array,
    kept_thetas: Array,
) -> int:
    """Run a chain from its state, whose log likelihood is given."""
    suspects, still, memory, margins, new_margins, weights, new_weights, theta, new_theta, room = (
        chain
    )
    moves = 0
    for sweep in range(burn_in + kept_weights.shape[0]):
        propose_on_simplex(rng, weights, new_weights)
        floor = likelihood + log(1.0 - rng.random())
        floor += _log_dirichlet(weights, beliefs) - _log_dirichlet(new_weights, beliefs)
        found = log_likelihood_above(
            floor, suspects, told, new_margins, True, new_weights, theta, room
        )
        moved = found > -np.inf
        if moved:
            likelihood = found
            weights, new_weights = new_weights, weights
            margins, new_margins = new_margins, margins
            forget(memory, MIXTURE)

        for name in range(MIXTURE):
            kind = beliefs.numbers[name, 0]
            if kind == KNOWN:
                continue
            before = theta[name]
            if kind == DISCRETE:
                likelihood = _draw_value(
                    rng,
                    name,
                    beliefs,
                    likelihood,
                    still,
                    memory,
                    told,
                    margins,
                    weights,
                    theta,
                    room,
                )
            else:
                likelihood = _step_number(
                    rng,
                    name,
                    beliefs,
                    likelihood,
                    still[0],
                    memory,
                    told,
                    margins,
                    weights,
                    theta,
                    room,
                )
            moved = moved or theta[name] != before
        if beliefs.mixture.size:
            found = _step_mixture(
                rng, beliefs, likelihood, still[0], told, margins, weights, theta, new_theta, room
            )
            if found != likelihood:
                moved, likelihood = True, found
                forget(memory, MIXTURE)

        if sweep >= burn_in:
            copy_into(kept_weights[sweep - burn_in], weights)
            copy_into(kept_thetas[sweep - burn_in], theta)
            moves += moved
    return moves


@compiled_inside
def forget(memory: Memory, but: int) -> None:
    """Forget the likelihoods of all numbers' values but those of one number."""
    for name in range(memory.exact.shape[0]):
        if name != but:
            for k in range(memory.exact.shape[1]):
                memory.exact[name, k] = np.nan
                memory.ceiling[name, k] = np.inf


@compiled_inside
def propose_on_simplex(rng: np.random.Generator, point: Array, proposal: Array) -> None:
    """Write a uniform point of a random chord through a point of the simplex."""
    size = point.size
    mean = 0.0
    for j in range(size):
        proposal[j] = rng.standard_normal()
        mean += proposal[j]
    mean /= size
    low, high = -np.inf, np.inf
    for j in range(size):
        proposal[j] -= mean  # onto the tangent space, where the sum is zero
        if proposal[j] > 0:
            low = max(low, -point[j] / proposal[j])
        elif proposal[j] < 0:
            high = min(high, -point[j] / proposal[j])
    step = low + (high - low) * rng.random()
    if not high > low:  # a single priority, or rounding
        step = 0.0
    total = 0.0
    for j in range(size):
        proposal[j] = max(point[j] + step * proposal[j], 0.0)
        total += proposal[j]
    for j in range(size):
        proposal[j] /= total


@compiled_inside
def _log_dirichlet(weights: Array, beliefs: Beliefs) -> float:
    """Return the log prior density of weights, up to a constant."""
    total = 0.0
    for j in range(weights.size):
        excess = beliefs.concentration[j] - 1.0
        if excess != 0:
            total += excess * (log(weights[j]) if weights[j] > 0 else -np.inf)
    return total


@compiled_inside
def _draw_value(
    rng: np.random.Generator,
    name: int,
    beliefs: Beliefs,
    likelihood: float,
    suspects: Codes,
    memory: Memory,
    told: Told,
    margins: Margins,
    weights: Array,
    theta: Array,
    room: Room,
) -> float:
    """Draw one of a number's values given all else; return its log likelihood.

    Each value has suspects of its own, a row each: a low one is ruled out by other answers than a
    high one. The largest of log probabilities, each with its own Gumbel noise, is a draw. So a
    value may be left as soon as it's known to stay below the largest so far. What was found of a
    value holds until something else changes, which most sweeps leave as it is.
    """
    values, log_chances = beliefs.values[name], beliefs.log_chances[name]
    exact, ceiling = memory.exact[name], memory.ceiling[name]
    best, greatest = theta[name], -np.inf
    for k in range(values.size):
        if values[k] == best and log_chances[k] > -np.inf:
            exact[k], ceiling[k] = likelihood, likelihood
            greatest = likelihood + log_chances[k] - log(rng.standard_exponential())
    current = best
    for k in range(values.size):
        if values[k] == current or log_chances[k] == -np.inf:
            continue
        bonus = log_chances[k] - log(rng.standard_exponential())
        if ceiling[k] <= greatest - bonus:
            continue
        found = exact[k]
        if np.isnan(found):
            theta[name] = values[k]
            found = log_likelihood_above(
                greatest - bonus, suspects[k], told, margins, False, weights, theta, room
            )
            if found > -np.inf:
                exact[k], ceiling[k] = found, found
            else:
                ceiling[k] = greatest - bonus
        if found + bonus > greatest:
            best, likelihood, greatest = values[k], found, found + bonus
    theta[name] = best
    if best != current:
        forget(memory, name)
    return likelihood


@compiled_inside
def _step_number(
    rng: np.random.Generator,
    name: int,
    beliefs: Beliefs,
    likelihood: float,
    suspects: Codes,
    memory: Memory,
    told: Told,
    margins: Margins,
    weights: Array,
    theta: Array,
    room: Room,
) -> float:
    """Move a number by a random step, if that's accepted; return the log likelihood."""
    prior, before = beliefs.numbers[name], theta[name]
    size = prior[3] * rng.standard_normal()
    if prior[0] == LOG_NORMAL:
        theta[name] = before * exp(size)
    else:
        low, high = (prior[1], prior[2]) if prior[0] == UNIFORM else (0.0, 1.0)
        theta[name] = reflect(before + size, low, high)
    floor = likelihood + log(1.0 - rng.random())
    floor += _log_prior(before, prior) - _log_prior(theta[name], prior)
    if name == TAU_R and theta[SLOPE] == np.inf and _same_gates(margins.r, before, theta[name]):
        if likelihood < floor:  # nothing changes but the prior
            theta[name] = before
        return likelihood
    found = log_likelihood_above(floor, suspects, told, margins, False, weights, theta, room)
    if found > -np.inf:
        forget(memory, MIXTURE)
        return found
    theta[name] = before
    return likelihood


@compiled_inside
def reflect(x: float, low: float, high: float) -> float:
    """Return x bounced off the ends of an interval until it lies within."""
    width = high - low
    beyond = (x - low) % (2.0 * width)
    return low + min(beyond, 2.0 * width - beyond)


@compiled_inside
def _log_prior(x: float, prior: Array) -> float:
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
def _step_mixture(
    rng: np.random.Generator,
    beliefs: Beliefs,
    likelihood: float,
    suspects: Codes,
    told: Told,
    margins: Margins,
    weights: Array,
    theta: Array,
    new_theta: Array,
    room: Room,
) -> float:
    """Move a mixture's weights by hit-and-run, its means, then its log scales by random steps."""
    mean_sd, log_scale_sd = beliefs.mixture[0], beliefs.mixture[1]
    least, greatest = beliefs.mixture[2], beliefs.mixture[3]
    mean_step, scale_step = beliefs.mixture[4], beliefs.mixture[5]
    components = (theta.size - MIXTURE) // 3
    means, scales = MIXTURE + components, MIXTURE + 2 * components
    for block in range(3):
        copy_into(new_theta, theta)
        gain, allowed = 0.0, True  # in log prior; scales have bounds
        if block == 0:
            propose_on_simplex(rng, theta[MIXTURE:means], new_theta[MIXTURE:means])
        elif block == 1:
            for k in range(means, scales):
                new_theta[k] = theta[k] + mean_step * rng.standard_normal()
                gain += 0.5 * (theta[k] ** 2 - new_theta[k] ** 2) / mean_sd**2
        else:
            for k in range(scales, theta.size):
                before = log(theta[k])
                after = before + scale_step * rng.standard_normal()
                new_theta[k] = exp(after)
                gain += 0.5 * (before**2 - after**2) / log_scale_sd**2
                allowed = allowed and least <= after <= greatest
        floor = likelihood + log(1.0 - rng.random()) - gain
        if allowed:
            found = log_likelihood_above(
                floor, suspects, told, margins, False, weights, new_theta, room
            )
            if found > -np.inf:
                likelihood = found
                copy_into(theta, new_theta)
    return likelihood
