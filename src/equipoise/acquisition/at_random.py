"""Any question, to compare with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equipoise.acquisition.information import information
from equipoise.acquisition.pools import Pool
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters


@dataclass(frozen=True)
class Random:
    """Ask anything.

    Examples
    --------
    >>> Random()
    Random()
    """

    def choose(
        self,
        pool: Pool,
        allowed: NDArray[np.bool_] | None,
        draws: Draws,
        parameters: Parameters,
        rng: np.random.Generator,
    ) -> tuple[int, float]:
        """Return any question; each is as likely."""
        places = np.arange(len(pool)) if allowed is None else np.flatnonzero(allowed)
        place = int(places[rng.integers(len(places))])
        found = information(pool.evidence(np.array([place])), draws, parameters)
        return place, float(found.bits[0])
