"""Noise on the margin between two sides: logistic, normal, or a mixture of Gaussians."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from numbers import Real
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, ndtr, ndtri

from equipoise.model.checks import finite_array, simplex_vector


class Noise(Protocol):
    """A distribution of noise on the margin, by its distribution function."""

    def cdf(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return G(t) = P(noise <= t)."""
        ...

    def sf(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return 1 - G(t), precise where G is near one."""
        ...

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one number from it."""
        ...


@dataclass(frozen=True)
class _Scaled(ABC):
    """Symmetric noise with an inverse temperature."""

    beta: float

    def __post_init__(self) -> None:
        if not isinstance(self.beta, Real) or not 0 < self.beta < math.inf:
            raise ValueError(f"beta is {self.beta!r}, expected a positive number")

    @abstractmethod
    def cdf(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return G(t)."""

    def sf(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return 1 - G(t) = G(-t)."""
        return self.cdf(-np.asarray(t))

    @abstractmethod
    def sample(self, rng: np.random.Generator) -> float:
        """Draw one number from it."""


@dataclass(frozen=True)
class LogisticNoise(_Scaled):
    r"""Logistic noise with inverse temperature beta.

    .. math:: G(t) = h_\beta(t) = \frac{1}{1 + e^{-\beta t}}

    Paper: sec:complete-response-model (link function), def:score-rum (Bradley-Terry)

    Examples
    --------
    >>> LogisticNoise(2.0).cdf(0.5).round(3)
    np.float64(0.731)
    """

    def cdf(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return G(t)."""
        return np.asarray(expit(self.beta * np.asarray(t)))

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one number from it."""
        return rng.logistic() / self.beta


@dataclass(frozen=True)
class NormalNoise(_Scaled):
    r"""Normal noise with inverse temperature beta.

    .. math:: G(t) = h_\beta(t) = \Phi(\beta t)

    Paper: sec:complete-response-model (link function), def:score-rum (Thurstone-Mosteller)

    Examples
    --------
    >>> NormalNoise(2.0).cdf(0.5).round(3)
    np.float64(0.841)
    """

    def cdf(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return G(t)."""
        return np.asarray(ndtr(self.beta * np.asarray(t)))

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one number from it."""
        return rng.standard_normal() / self.beta


@dataclass(frozen=True, init=False)
class GaussianMixture:
    r"""Noise that is a mixture of Gaussians, not necessarily symmetric.

    .. math:: G(t) = \sum_k \alpha_k \Phi\Big(\frac{t - \mu_k}{\sigma_k}\Big)

    Paper: app:algo-details

    Parameters
    ----------
    weights, means, scales
        alpha, mu and sigma; shape (K,) each.

    Examples
    --------
    >>> GaussianMixture([0.5, 0.5], [-1, 1], [1, 1]).cdf(0.0).item()
    0.5
    """

    weights: tuple[float, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]

    def __init__(self, weights: ArrayLike, means: ArrayLike, scales: ArrayLike) -> None:
        alpha = simplex_vector(weights, "weights")
        mu = finite_array(means, "means", alpha.shape)
        sigma = finite_array(scales, "scales", alpha.shape)
        if (sigma <= 0).any():
            raise ValueError(f"scales are {sigma}, expected numbers above 0")
        # Plain numbers, so that equal mixtures compare and hash as equal.
        object.__setattr__(self, "weights", tuple(alpha.tolist()))
        object.__setattr__(self, "means", tuple(mu.tolist()))
        object.__setattr__(self, "scales", tuple(sigma.tolist()))

    def _parts(self) -> tuple[NDArray[np.float64], ...]:
        return np.array(self.weights), np.array(self.means), np.array(self.scales)

    @staticmethod
    def unknown(components: int = 3) -> UnknownMixture:
        """Return a mixture that is to be learned, under the paper's prior."""
        return UnknownMixture(components)

    def cdf(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return G(t)."""
        weights, means, scales = self._parts()
        return np.asarray(ndtr((np.asarray(t)[..., None] - means) / scales) @ weights)

    def sf(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return 1 - G(t)."""
        weights, means, scales = self._parts()
        return np.asarray(ndtr((means - np.asarray(t)[..., None]) / scales) @ weights)

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one number from it: of one component, which its weight chooses."""
        k = rng.choice(len(self.weights), p=self.weights)
        return rng.normal(self.means[k], self.scales[k])


@dataclass(frozen=True)
class UnknownMixture:
    """A Gaussian mixture to be learned.

    Uniform weights on the simplex; means N(0, mean_sd^2); log scales N(0, log_scale_sd^2), the
    scales truncated to [smallest_scale, largest_scale].

    Paper: app:algo-details, tab:bald-hyperparams (which gives the bounds but not the prior's
    centres and spreads; see the page on decisions)
    """

    components: int = 3
    mean_sd: float = 1.0
    log_scale_sd: float = 1.0
    smallest_scale: float = 0.05
    largest_scale: float = 5.0

    def __post_init__(self) -> None:
        if not isinstance(self.components, int) or self.components < 1:
            raise ValueError(f"components is {self.components!r}, expected at least 1")
        if not (self.mean_sd > 0 and self.log_scale_sd > 0):
            raise ValueError(
                f"mean_sd and log_scale_sd are {self.mean_sd} and {self.log_scale_sd}, expected "
                "positive numbers"
            )
        if not 0 < self.smallest_scale < self.largest_scale:
            raise ValueError(
                f"scales lie between {self.smallest_scale} and {self.largest_scale}, expected "
                "a positive number and a larger one"
            )

    def sample(self, rng: np.random.Generator) -> GaussianMixture:
        """Draw a mixture from the prior."""
        bounds = np.log([self.smallest_scale, self.largest_scale]) / self.log_scale_sd
        low, high = (float(share) for share in ndtr(bounds))
        quantiles = rng.uniform(low, high, self.components)
        return GaussianMixture(
            rng.dirichlet(np.ones(self.components)),
            rng.normal(0, self.mean_sd, self.components),
            np.exp(self.log_scale_sd * ndtri(quantiles)),
        )


def between(noise: Noise, low: ArrayLike, high: ArrayLike) -> NDArray[np.float64]:
    """Return P(low < noise <= high), from whichever tail keeps more digits.

    Examples
    --------
    >>> f"{between(LogisticNoise(1.0), 40.0, 41.0):.3g}"
    '2.69e-18'
    """
    below = noise.cdf(low)
    from_left = noise.cdf(high) - below
    from_right = noise.sf(low) - noise.sf(high)
    return np.maximum(np.where(below > 1 / 2, from_right, from_left), 0.0)
