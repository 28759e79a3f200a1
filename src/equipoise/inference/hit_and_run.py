"""The paper's sampler: Metropolis-Hastings on the simplex, Metropolis within Gibbs for the rest.

`Chain` states the algorithm; `HitAndRun` runs its compiled twin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equipoise.inference.draws import ContradictionError, Draws, Problem
from equipoise.inference.feasible import feasible_point
from equipoise.inference.kernels.answers import MIXTURE, TAU_R
from equipoise.inference.kernels.hit_and_run import run_chain
from equipoise.inference.kernels.randomness import stream_from
from equipoise.inference.parameters import (
    LOG_SCALE_STEP,
    LOG_STEP,
    MEAN_STEP,
    NUMBERS,
    STEP,
)
from equipoise.inference.transcripts import Transcript
from equipoise.model.evidence import Evidence
from equipoise.model.noise import UnknownMixture
from equipoise.model.priors import Discrete, LogNormal, Prior
from equipoise.model.states import Response

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HitAndRun:
    """The paper's sampler: after every answer one chain, started where the last one was.

    Paper: alg:bald-template, alg:learn-tau, tab:bald-hyperparams

    Parameters
    ----------
    kept
        How many states of a chain are kept (N_post).
    burn_in
        How many are discarded before (B).

    Notes
    -----
    At the paper's sizes these chains are too short, and their draws overconfident; the page on
    samplers has by how much.

    Examples
    --------
    >>> HitAndRun(kept=20_000)
    HitAndRun(kept=20000, burn_in=200)
    """

    kept: int = 200
    burn_in: int = 200

    def __post_init__(self) -> None:
        for name in ("kept", "burn_in"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < (name == "kept"):
                raise ValueError(f"{name} is {value!r}, expected a whole number of states")

    def start(self, problem: Problem, rng: np.random.Generator) -> Draws:
        """Return draws from the prior."""
        weights = problem.prior.draw(rng, self.kept, problem.priorities)
        return Draws(weights, problem.parameters.draw(rng, self.kept), info={"distinct": 1.0})

    def update(
        self, draws: Draws, transcript: Transcript, problem: Problem, rng: np.random.Generator
    ) -> Draws:
        """Run a chain, from the latest of the given draws that all answers leave possible.

        Where they leave none, it starts at a point that the step gate allows, by linear programme.
        """
        weights = np.empty((self.kept, problem.priorities))
        rows = np.empty((self.kept, draws.rows.shape[1]))
        answered = transcript.answered(problem.parameters)
        beliefs, stream = problem.beliefs, stream_from(rng)

        def run(starts: Array, start_rows: Array) -> int:
            return run_chain(
                stream, answered, beliefs, starts, start_rows, self.burn_in, weights, rows
            )

        moves = run(draws.weights, draws.rows)
        if moves < 0:
            point, tau_r = feasible_point(problem, transcript, draws.rows[-1, TAU_R])
            start_rows = draws.rows.copy()
            start_rows[:, TAU_R] = tau_r
            moves = run(np.tile(point, (len(start_rows), 1)), start_rows)
        if moves < 0:
            raise ContradictionError
        # The first kept state counts as distinct even where it has not moved.
        return Draws(weights, rows, info={"distinct": max(moves, 1) / self.kept})


@dataclass
class Chain:
    """The sampler's chain as the paper states it: the readable twin of the compiled one.

    With the same numbers both go through the same states.

    Paper: alg:learn-tau, app:algo-details

    Parameters
    ----------
    evidence, answers
        The transcript.
    problem
        What is to be learned.
    weights, row
        The current state; shapes (m,) and (p,).
    """

    evidence: Evidence
    answers: Sequence[Response]
    problem: Problem
    weights: Array
    row: Array

    def log_likelihood(self, weights: Array, row: Array) -> float:
        """Return the log likelihood of all answers."""
        model = self.problem.parameters.model(row)
        predicted = model.predict(self.evidence, weights)
        given = [model.answers.index(answer) for answer in self.answers]
        with np.errstate(divide="ignore"):
            return float(np.log(predicted[np.arange(len(given)), given]).sum())

    def sweep(self, rng: np.random.Generator) -> None:
        """Move each part once, given the others."""
        self._move(rng, hit_and_run(self.weights, rng), self.row)  # alg:learn-tau (1)
        for name in NUMBERS:
            prior = self.problem.parameters.number_priors.get(name)
            if isinstance(prior, Discrete):
                self._draw(rng, name, prior)  # alg:learn-tau (3)
            elif prior is not None:
                proposal = self.row.copy()
                place = NUMBERS.index(name)
                proposal[place] = random_step(self.row[place], prior, rng)
                self._move(rng, self.weights, proposal)  # alg:learn-tau (2)
        if "noise" in self.problem.parameters.priors:
            self._sweep_mixture(rng)

    def _log_prior(self, weights: Array, row: Array) -> float:
        """Return the log prior density, of the logarithms where these are what moves."""
        total = float(self.problem.prior.log_density(weights))
        for name, prior in self.problem.parameters.priors.items():
            if isinstance(prior, UnknownMixture):
                _, means, scales = row[MIXTURE:].reshape(3, -1)
                total += _log_normal_density(means, prior.mean_sd)
                total += _log_normal_density(np.log(scales), prior.log_scale_sd)
                within = (prior.smallest_scale <= scales) & (scales <= prior.largest_scale)
                total += 0.0 if within.all() else -np.inf
            else:
                x = row[NUMBERS.index(name)]
                total += float(prior.log_density(x))
                total += math.log(x) if isinstance(prior, LogNormal) else 0.0
        return total

    def _move(self, rng: np.random.Generator, weights: Array, row: Array) -> None:
        """Accept a proposal with the Metropolis probability."""
        before = self.log_likelihood(self.weights, self.row) + self._log_prior(
            self.weights, self.row
        )
        after = self._log_prior(weights, row)
        if after > -np.inf:
            after += self.log_likelihood(weights, row)
        if math.log(1 - rng.random()) <= after - before:
            self.weights, self.row = weights, row

    def _draw(self, rng: np.random.Generator, name: str, prior: Discrete) -> None:
        """Draw a value from p_k, as the largest of log p_k with Gumbel noise."""
        place = NUMBERS.index(name)
        current = prior.values.index(self.row[place])
        others = [k for k in range(len(prior.values)) if k != current and prior.p[k] > 0]
        scores = {}
        for k in [current, *others]:
            row = self.row.copy()
            row[place] = prior.values[k]
            noise = -math.log(rng.standard_exponential())
            scores[k] = math.log(prior.p[k]) + self.log_likelihood(self.weights, row) + noise
        self.row = self.row.copy()
        self.row[place] = prior.values[max(scores, key=scores.__getitem__)]

    def _sweep_mixture(self, rng: np.random.Generator) -> None:
        """Move the mixture's weights, its means and its log scales."""
        components = self.problem.parameters.components
        alpha, mu, sigma = (
            slice(MIXTURE + part * components, MIXTURE + (part + 1) * components)
            for part in range(3)
        )
        for part in (alpha, mu, sigma):
            proposal = self.row.copy()
            if part is alpha:
                proposal[part] = hit_and_run(self.row[part], rng)
            elif part is mu:
                proposal[part] += MEAN_STEP * rng.standard_normal(components)
            else:
                proposal[part] *= np.exp(LOG_SCALE_STEP * rng.standard_normal(components))
            self._move(rng, self.weights, proposal)


def hit_and_run(point: Array, rng: np.random.Generator) -> Array:
    """Return a uniform point of the chord through a point of the simplex in a random direction.

    The direction is a Gaussian one, projected on the simplex's tangent space.

    Examples
    --------
    >>> hit_and_run(np.array([0.2, 0.3, 0.5]), np.random.default_rng(1)).sum().round(12)
    np.float64(1.0)
    """
    direction = rng.standard_normal(len(point))
    direction -= direction.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = -point / direction
    low = ends[direction > 0].max(initial=-np.inf)
    high = ends[direction < 0].min(initial=np.inf)
    along = rng.random()
    if not 0 < high - low < np.inf:  # rounding, or a single priority
        return point
    moved = np.maximum(point + (low + (high - low) * along) * direction, 0)
    return np.asarray(moved / moved.sum())


def random_step(x: float, prior: Prior, rng: np.random.Generator) -> float:
    """Return a number moved by a small normal step, bounced off the ends of its support.

    The logarithm of a log-normal number moves.
    """
    step = rng.standard_normal()
    if isinstance(prior, LogNormal):
        return x * math.exp(LOG_STEP * step)
    low, high = prior.support
    width = high - low
    beyond = (x + STEP * width * step - low) % (2 * width)
    return low + min(beyond, 2 * width - beyond)


def _log_normal_density(x: Array, sd: float) -> float:
    """Return the log density of independent normal numbers around zero."""
    # Not by scipy.stats, which takes longer to import than all else here.
    return float(-0.5 * ((x / sd) ** 2).sum() - x.size * math.log(sd * math.sqrt(2 * math.pi)))
