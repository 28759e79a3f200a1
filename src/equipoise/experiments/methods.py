"""The methods that are compared: what each learns, assumes, is told and keeps."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from equipoise.acquisition import Bald
from equipoise.model.noise import GaussianMixture
from equipoise.model.priors import Discrete, Uniform
from equipoise.model.responses import TWO, FourAnswers, ResponseModel, ThreeAnswers, TwoAnswers
from equipoise.model.states import Response

# tab:bald-hyperparams
DRAWS_A_SCORE, DRAWS_A_SCORE_WITH_NOISE = 50, 30
NOISE_COMPONENTS = 3
GRID_SIZE, LARGEST_ON_GRID = 10, 0.95
# The true thresholds of the experiments: every pair (tau_r, tau_kappa).
LEVELS = (0.0, 0.2, 0.4, 0.6, 0.8)
THRESHOLD_PAIRS = tuple(itertools.product(LEVELS, LEVELS))


@dataclass(frozen=True)
class Truth:
    """How somebody really answers: the true thresholds, inverse temperature and share of lapses."""

    tau_r: float
    tau_kappa: float
    beta: float
    lapse: float = 0.0


ModelOf = Callable[[Truth], ResponseModel]


@dataclass(frozen=True)
class Method:
    """One way of learning.

    Paper: app:algo-details (Method specifications)

    Attributes
    ----------
    name
        How it's called.
    learned
        What is unknown to the learner.
    assumed
        R: the response model that the learner assumes, from the truth.
    true
        R*: the response model that answers come from.
    kept
        The answers that are learned from. The others count as asked, and are dropped.
    draws
        Of how many draws a score is the average (N_BALD).
    """

    name: str
    learned: str
    assumed: ModelOf
    true: ModelOf
    kept: tuple[Response, ...] = tuple(Response)
    draws: int = DRAWS_A_SCORE

    @property
    def acquisition(self) -> Bald:
        """How it chooses questions."""
        return Bald(self.draws)


def grid_prior() -> Discrete:
    r"""Return the prior on tau_kappa: ten values from 0 to 0.95, the two ends excluded.

    .. math:: \pi_0(\gamma) \propto [u(1-u)]^{1/2}, \quad u = \gamma / \gamma_{\max}

    Paper: app:learn-tau

    Examples
    --------
    >>> prior = grid_prior()
    >>> len(prior.values), prior.p[0], prior.p[-1]
    (10, 0.0, 0.0)
    """
    u = np.linspace(0, 1, GRID_SIZE)
    mass = np.sqrt(u * (1 - u))
    return Discrete(LARGEST_ON_GRID * u, mass / mass.sum())


def _two(truth: Truth) -> ResponseModel:
    return TwoAnswers(beta=truth.beta, lapse=truth.lapse)


def _three(truth: Truth) -> ResponseModel:
    return ThreeAnswers(**vars(truth))


def _four(truth: Truth) -> ResponseModel:
    return FourAnswers(**vars(truth))


def _thresholds_unknown(truth: Truth) -> ResponseModel:
    return replace(_four(truth), tau_r=Uniform(0, 1), tau_kappa=grid_prior())


def _two_noise_unknown(truth: Truth) -> ResponseModel:
    return TwoAnswers(noise=GaussianMixture.unknown(NOISE_COMPONENTS), lapse=truth.lapse)


def _four_noise_unknown(truth: Truth) -> ResponseModel:
    return replace(_four(truth), noise=GaussianMixture.unknown(NOISE_COMPONENTS))


WEIGHTS, WITH_NOISE = "weights", "weights, noise"
NOISY = DRAWS_A_SCORE_WITH_NOISE

METHODS = {
    method.name: method
    for method in (
        Method("correct", WEIGHTS, _two, _two),
        Method("ignore", WEIGHTS, _two, _four, TWO),
        Method("utilize-3", WEIGHTS, _three, _three),
        Method("utilize-4", WEIGHTS, _four, _four),
        Method("utilize-4-thresholds", "weights, thresholds", _thresholds_unknown, _four),
        Method("correct-noise", WITH_NOISE, _two_noise_unknown, _two, draws=NOISY),
        Method("ignore-noise", WITH_NOISE, _two_noise_unknown, _four, TWO, draws=NOISY),
        Method("utilize-4-noise", WITH_NOISE, _four_noise_unknown, _four, draws=NOISY),
    )
}
