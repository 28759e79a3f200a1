"""The paper's Markov chains, compiled: the fast twin of `inference.hit_and_run`."""

from __future__ import annotations

import numpy as np

from equipoise.inference.kernels.answers import MIXTURE, SLOPE, TAU_R
from equipoise.inference.kernels.arithmetic import exp, log
from equipoise.inference.kernels.compiling import compiled, compiled_in_place, compiled_inside
from equipoise.inference.kernels.lanes import LANES
from equipoise.inference.kernels.likelihood import log_likelihood_above, sorted_by_answer
from equipoise.inference.kernels.priors import (
    DISCRETE,
    KNOWN,
    LOG_NORMAL,
    UNIFORM,
    log_dirichlet,
    log_prior,
)
from equipoise.inference.kernels.randomness import Stream, exponential, normal, uniform
from equipoise.inference.kernels.records import (
    Answered,
    Array,
    Beliefs,
    Chain,
    Codes,
    Margins,
    Memory,
    Told,
)
from equipoise.inference.kernels.rows import copy_into
from equipoise.model.rounding import ROUNDING


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
    rng: Stream,
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
    size = told.kinds.size + LANES
    chain = Chain(
        told.suspects,
        _copies(told.suspects, beliefs.values.shape[1]),
        Memory(np.empty(beliefs.values.shape), np.empty(beliefs.values.shape)),
        Margins(np.zeros(size), np.zeros(size)),
        Margins(np.zeros(size), np.zeros(size)),
        np.empty(starts.shape[1]),
        np.empty(starts.shape[1]),
        np.empty(start_thetas.shape[1]),
        np.empty(start_thetas.shape[1]),
        np.empty(size),
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
            chain.chances,
        )
        if likelihood > -np.inf:
            return _run(rng, told, beliefs, chain, likelihood, burn_in, kept_weights, kept_thetas)
    return -1


@compiled_inside
def _run(
    rng: Stream,
    told: Told,
    beliefs: Beliefs,
    chain: Chain,
    likelihood: float,
    burn_in: int,
    kept_weights: Array,
    kept_thetas: Array,
) -> int:
    """Run a chain from its state, whose log likelihood is given."""
    moves = 0
    for sweep in range(burn_in + kept_weights.shape[0]):
        moved = False
        found = _move_weights(rng, told, beliefs, chain, likelihood)
        if found > -np.inf:
            moved, likelihood = True, found
        for name in range(MIXTURE):
            kind, before = beliefs.numbers[name, 0], chain.theta[name]
            if kind == DISCRETE:
                likelihood = _draw_value(rng, name, told, beliefs, chain, likelihood)
            elif kind != KNOWN:
                likelihood = _step_number(rng, name, told, beliefs, chain, likelihood)
            moved = moved or chain.theta[name] != before
        for part in range(3 if beliefs.mixture.size else 0):
            found = _step_mixture(rng, part, told, beliefs, chain, likelihood)
            if found > -np.inf:
                moved, likelihood = True, found
        if sweep >= burn_in:
            copy_into(kept_weights[sweep - burn_in], chain.weights)
            copy_into(kept_thetas[sweep - burn_in], chain.theta)
            moves += moved
    return moves


@compiled_in_place
def _move_weights(
    rng: Stream, told: Told, beliefs: Beliefs, chain: Chain, likelihood: float
) -> float:
    """Move the weights by hit-and-run; return the log likelihood, or -inf if they stay."""
    propose_on_simplex(rng, chain.weights, chain.new_weights)
    floor = likelihood + log(1.0 - uniform(rng))
    floor += log_dirichlet(chain.weights, beliefs) - log_dirichlet(chain.new_weights, beliefs)
    found = log_likelihood_above(
        floor,
        chain.suspects,
        told,
        chain.new_margins,
        True,
        chain.new_weights,
        chain.theta,
        chain.chances,
    )
    if found > -np.inf:
        copy_into(chain.weights, chain.new_weights)
        copy_into(chain.margins.r, chain.new_margins.r)
        copy_into(chain.margins.kappa, chain.new_margins.kappa)
        forget(chain.memory, MIXTURE)
    return found


@compiled_inside
def _likelihood_of(theta: Array, floor: float, row: int, told: Told, chain: Chain) -> float:
    """Return the log likelihood of other numbers with the same weights, or -inf below the floor.

    `row` says which suspects are looked at first.
    """
    suspects = chain.suspects_still[row]
    return log_likelihood_above(
        floor, suspects, told, chain.margins, False, chain.weights, theta, chain.chances
    )


@compiled_inside
def forget(memory: Memory, but: int) -> None:
    """Forget the likelihoods of all numbers' values but those of one number."""
    for name in range(memory.exact.shape[0]):
        if name != but:
            for k in range(memory.exact.shape[1]):
                memory.exact[name, k] = np.nan
                memory.ceiling[name, k] = np.inf


@compiled_inside
def propose_on_simplex(rng: Stream, point: Array, proposal: Array) -> None:
    """Write a uniform point of a random chord through a point of the simplex."""
    size = point.size
    mean = 0.0
    for j in range(size):
        proposal[j] = normal(rng)
        mean += proposal[j]
    mean /= size
    low, high = -np.inf, np.inf
    for j in range(size):
        proposal[j] -= mean  # onto the tangent space, where the sum is zero
        if proposal[j] > 0:
            low = max(low, -point[j] / proposal[j])
        elif proposal[j] < 0:
            high = min(high, -point[j] / proposal[j])
    step = low + (high - low) * uniform(rng)
    if not 0 < high - low < np.inf:  # rounding, or a single priority
        step = 0.0
    total = 0.0
    for j in range(size):
        proposal[j] = max(point[j] + step * proposal[j], 0.0)
        total += proposal[j]
    for j in range(size):
        proposal[j] /= total


@compiled_in_place
def _draw_value(
    rng: Stream,
    name: int,
    told: Told,
    beliefs: Beliefs,
    chain: Chain,
    likelihood: float,
) -> float:
    """Draw one of a number's values given all else; return its log likelihood.

    The largest of log probabilities, each with its own Gumbel noise, is a draw. So a value may be
    left as soon as it's known to stay below the largest so far. What was found of a value holds
    until something else changes, which most sweeps leave as it is. Each value has suspects of its
    own: a low one is ruled out by other answers than a high one.
    """
    values, log_chances, theta = beliefs.values[name], beliefs.log_chances[name], chain.theta
    exact, ceiling = chain.memory.exact[name], chain.memory.ceiling[name]
    current, greatest = theta[name], -np.inf
    for k in range(values.size):
        if values[k] == current and log_chances[k] > -np.inf:
            exact[k], ceiling[k] = likelihood, likelihood
            greatest = likelihood + log_chances[k] - log(exponential(rng))
    best = current
    for k in range(values.size):
        if values[k] == current or log_chances[k] == -np.inf:
            continue
        bonus = log_chances[k] - log(exponential(rng))
        if ceiling[k] <= greatest - bonus:
            continue
        if np.isnan(exact[k]):
            theta[name] = values[k]
            found = _likelihood_of(theta, greatest - bonus, k, told, chain)
            if found == -np.inf:
                ceiling[k] = greatest - bonus
                continue
            exact[k], ceiling[k] = found, found
        if exact[k] + bonus > greatest:
            best, likelihood, greatest = values[k], exact[k], exact[k] + bonus
    theta[name] = best
    if best != current:
        forget(chain.memory, name)
    return likelihood


@compiled_in_place
def _step_number(
    rng: Stream,
    name: int,
    told: Told,
    beliefs: Beliefs,
    chain: Chain,
    likelihood: float,
) -> float:
    """Move a number by a random step, if that's accepted; return the log likelihood."""
    prior, theta, before = beliefs.numbers[name], chain.theta, chain.theta[name]
    size = prior[3] * normal(rng)
    if prior[0] == LOG_NORMAL:
        theta[name] = before * exp(size)
    else:
        low, high = (prior[1], prior[2]) if prior[0] == UNIFORM else (0.0, 1.0)
        theta[name] = reflect(before + size, low, high)
    floor = likelihood + log(1.0 - uniform(rng))
    floor += log_prior(before, prior) - log_prior(theta[name], prior)
    step_gate = theta[SLOPE] == np.inf
    if name == TAU_R and step_gate and _same_gates(chain.margins.r, before, theta[name]):
        if likelihood < floor:  # nothing changes but the prior
            theta[name] = before
        return likelihood
    found = _likelihood_of(theta, floor, 0, told, chain)
    if found > -np.inf:
        forget(chain.memory, MIXTURE)
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
def _step_mixture(
    rng: Stream,
    part: int,
    told: Told,
    beliefs: Beliefs,
    chain: Chain,
    likelihood: float,
) -> float:
    """Move a part of a mixture; return the log likelihood, or -inf if it stays.

    Its weights (0) move by hit-and-run, its means (1) and log scales (2) by random steps.
    """
    theta, proposal = chain.theta, chain.new_theta
    components = (theta.size - MIXTURE) // 3
    begin = MIXTURE + part * components
    copy_into(proposal, theta)
    gain = 0.0  # in log prior
    if part == 0:
        end = begin + components
        propose_on_simplex(rng, theta[begin:end], proposal[begin:end])
    else:
        for k in range(begin, begin + components):
            gain += _step_component(rng, k, part == 2, beliefs.mixture, theta, proposal)
    floor = likelihood + log(1.0 - uniform(rng)) - gain
    if gain == -np.inf:
        return -np.inf
    found = _likelihood_of(proposal, floor, 0, told, chain)
    if found > -np.inf:
        copy_into(theta, proposal)
        forget(chain.memory, MIXTURE)
    return found


@compiled_inside
def _step_component(
    rng: Stream, k: int, scale: bool, prior: Array, theta: Array, proposal: Array
) -> float:
    """Propose a mean, or a scale, and return what it gains in log prior; out of bounds, -inf."""
    mean_sd, log_scale_sd, mean_step, scale_step = prior[0], prior[1], prior[4], prior[5]
    least, greatest = prior[2], prior[3]
    if not scale:
        proposal[k] = theta[k] + mean_step * normal(rng)
        return 0.5 * (theta[k] ** 2 - proposal[k] ** 2) / mean_sd**2
    before = log(theta[k])
    after = before + scale_step * normal(rng)
    proposal[k] = exp(after)
    if not least <= after <= greatest:
        return -np.inf
    return 0.5 * (before**2 - after**2) / log_scale_sd**2
