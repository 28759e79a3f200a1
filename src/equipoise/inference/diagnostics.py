"""How far draws can be trusted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def effective_size(chain: NDArray[np.float64]) -> float:
    """Return how many independent draws the states of a chain (n,) are worth.

    A chain that never moved is worth one; so is one too short to tell.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> 800 < effective_size(rng.standard_normal(1000)) < 1200
    True
    >>> effective_size(np.ones(1000))
    1.0
    """
    # Of four states or fewer no autocorrelation can be made out.
    if len(chain) <= 4 or np.ptp(chain) == 0:
        return 1.0
    from arviz_stats.base import array_stats  # type: ignore[attr-defined]

    return float(array_stats.ess(chain, chain_axis=None, draw_axis=-1, method="bulk"))  # type: ignore[no-untyped-call]
