"""What is believed of an unknown number before any answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaln, xlog1py, xlogy

from equipoise.model.checks import finite_array, simplex_vector


@runtime_checkable
class Prior(Protocol):
    """The distribution of an unknown number."""

    @property
    def support(self) -> tuple[float, float]:
        """The least and the greatest value."""
        ...

    def log_density(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the log density at x, or the log probability where values are discrete."""
        ...

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        """Draw values; shape (size,)."""
        ...


@dataclass(frozen=True)
class Uniform:
    """Every value between a and b is as likely.

    Examples
    --------
    >>> Uniform(0, 2).log_density([1.0, 3.0])
    array([-0.69314718,        -inf])
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        if not _numbers(self.a, self.b) or not -math.inf < self.a < self.b < math.inf:
            raise ValueError(f"Uniform({self.a}, {self.b}): expected two numbers, a < b")

    @property
    def support(self) -> tuple[float, float]:
        """The ends a and b."""
        return self.a, self.b

    def log_density(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return -log(b - a) inside, -inf outside."""
        x = np.asarray(x, dtype=np.float64)
        inside = (x >= self.a) & (x <= self.b)
        return np.where(inside, -math.log(self.b - self.a), -np.inf)

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        """Draw values; shape (size,)."""
        return rng.uniform(self.a, self.b, size)


@dataclass(frozen=True)
class Beta:
    """A beta distribution on [0, 1].

    Examples
    --------
    >>> Beta(1, 1).log_density(0.3).item()
    0.0
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        if not _numbers(self.a, self.b) or not (0 < self.a < math.inf and 0 < self.b < math.inf):
            raise ValueError(f"Beta({self.a}, {self.b}): expected two positive numbers")

    @property
    def support(self) -> tuple[float, float]:
        """Zero and one."""
        return 0.0, 1.0

    def log_density(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the log density, -inf outside [0, 1]."""
        x = np.asarray(x, dtype=np.float64)
        inside = (x >= 0) & (x <= 1)
        y = np.where(inside, x, 0.5)
        density = xlogy(self.a - 1, y) + xlog1py(self.b - 1, -y) - betaln(self.a, self.b)
        return np.where(inside, density, -np.inf)

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        """Draw values; shape (size,)."""
        return rng.beta(self.a, self.b, size)


@dataclass(frozen=True)
class LogNormal:
    """A positive number whose logarithm is normal around that of the median.

    Examples
    --------
    >>> LogNormal(16, 0.55).log_density(-1.0).item()
    -inf
    """

    median: float
    sigma: float

    def __post_init__(self) -> None:
        if not _numbers(self.median, self.sigma) or not (
            0 < self.median < math.inf and 0 < self.sigma < math.inf
        ):
            raise ValueError(
                f"LogNormal({self.median}, {self.sigma}): expected two positive numbers"
            )

    @property
    def support(self) -> tuple[float, float]:
        """Zero and infinity."""
        return 0.0, math.inf

    def log_density(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the log density, -inf for what isn't positive."""
        x = np.asarray(x, dtype=np.float64)
        log = np.log(np.where(x > 0, x, 1.0))
        z = (log - math.log(self.median)) / self.sigma
        density = -0.5 * z**2 - log - math.log(self.sigma) - 0.5 * math.log(2 * math.pi)
        return np.where(x > 0, density, -np.inf)

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        """Draw values; shape (size,)."""
        return self.median * np.exp(self.sigma * rng.standard_normal(size))


@dataclass(frozen=True, init=False)
class Discrete:
    """One of a list of values, with probabilities p.

    Examples
    --------
    >>> Discrete([0.1, 0.2], [0.25, 0.75]).log_density([0.1, 0.3])
    array([-1.38629436,        -inf])
    """

    values: tuple[float, ...]
    p: tuple[float, ...]

    def __init__(self, values: ArrayLike, p: ArrayLike) -> None:
        listed = finite_array(values, "values", (None,))
        probabilities = simplex_vector(p, "p", len(listed))
        if len(np.unique(listed)) < len(listed):
            raise ValueError(f"values lists a number twice: {listed.tolist()}")
        object.__setattr__(self, "values", tuple(listed.tolist()))
        object.__setattr__(self, "p", tuple(probabilities.tolist()))

    @property
    def support(self) -> tuple[float, float]:
        """The least and the greatest value with a positive probability."""
        possible = [value for value, p in zip(self.values, self.p, strict=True) if p > 0]
        return min(possible), max(possible)

    def log_density(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the log probability, -inf for what is not in the list."""
        x = np.asarray(x, dtype=np.float64)
        with np.errstate(divide="ignore"):  # a value of probability 0 has -inf
            logs = np.log(self.p)
        matches = x[..., None] == np.array(self.values)
        found = np.where(matches, logs, -np.inf)
        return np.asarray(found.max(axis=-1))

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        """Draw values; shape (size,)."""
        return rng.choice(np.array(self.values), size=size, p=np.array(self.p))


def _numbers(*values: object) -> bool:
    return all(isinstance(value, Real) for value in values)
