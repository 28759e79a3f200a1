"""What is believed of weights before any answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

from equipoise.model.checks import finite_array


@dataclass(frozen=True, init=False)
class Dirichlet:
    r"""A Dirichlet distribution over weights; with one everywhere, all weights are as likely.

    .. math:: p(\omega) \propto \prod_j \omega_j^{\alpha_j - 1}

    Paper: app:algo-details

    Parameters
    ----------
    concentration
        alpha: one number for every priority, or one for all of them.

    Examples
    --------
    >>> Dirichlet(1).over(3)
    array([1., 1., 1.])
    """

    concentration: tuple[float, ...]

    def __init__(self, concentration: float | list[float] | tuple[float, ...]) -> None:
        alpha = finite_array(np.atleast_1d(concentration), "concentration", (None,))
        if (alpha <= 0).any() or alpha.size == 0:
            raise ValueError(f"concentration is {concentration!r}, expected numbers above 0")
        object.__setattr__(self, "concentration", tuple(alpha.tolist()))

    def over(self, priorities: int) -> NDArray[np.float64]:
        """Return alpha for so many priorities; shape (m,)."""
        if len(self.concentration) not in (1, priorities):
            raise ValueError(
                f"the prior has {len(self.concentration)} concentrations for {priorities} "
                "priorities, expected one for each, or one for all"
            )
        return np.array(self.concentration * (priorities // len(self.concentration)))

    def draw(self, rng: np.random.Generator, size: int, priorities: int) -> NDArray[np.float64]:
        """Draw weights; shape (size, m)."""
        return rng.dirichlet(self.over(priorities), size)

    def log_density(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the log density of weights (..., m)."""
        alpha = self.over(weights.shape[-1])
        constant = gammaln(alpha.sum()) - gammaln(alpha).sum()
        return np.asarray(constant + xlogy(alpha - 1, weights).sum(axis=-1))
