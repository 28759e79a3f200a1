"""The questions that remove most of what is possible."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equipoise.acquisition.pools import Pool, best
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters


@dataclass(frozen=True)
class VolumeRemoval:
    r"""Ask what removes most of the posterior's volume, whatever the answer.

    .. math:: 1 - \max_a \bar p_a, \qquad \bar p_a = \frac1N \sum_i R(a \mid q, \vartheta_i)

    is the least share of the volume that an answer is expected to remove (Sadigh et al. 2017,
    "Active Preference-Based Learning of Reward Functions"). It likes questions that are answered
    at random as much as informative ones, which is why BALD is the default.

    Examples
    --------
    >>> VolumeRemoval()
    VolumeRemoval()
    """

    def choose(
        self,
        pool: Pool,
        allowed: NDArray[np.bool_] | None,
        draws: Draws,
        parameters: Parameters,
        rng: np.random.Generator,
    ) -> tuple[int, float]:
        """Return the question whose likeliest answer is the least likely."""
        return best(
            lambda expected: 1 - expected.predicted.max(axis=1), pool, allowed, draws, parameters
        )
