"""The questions whose answers are expected to tell most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equipoise.acquisition.information import Blocks, information
from equipoise.acquisition.pools import Pool, best
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters
from equipoise.model.evidence import Evidence

Array = NDArray[np.float64]

# With how many draws a move is judged. The result is judged with all.
CLIMBING_DRAWS = 256


@dataclass(frozen=True)
class Bald:
    """Ask what is expected to tell most.

    Paper: alg:bald-template (lines 2 and 3), eq:bald

    Parameters
    ----------
    draws
        How many of the posterior's draws are averaged over (N_BALD); all of them if None.

    Examples
    --------
    >>> Bald(50)
    Bald(draws=50)
    """

    draws: int | None = None

    def __post_init__(self) -> None:
        wrong = isinstance(self.draws, bool) or not isinstance(self.draws, int) or self.draws < 1
        if self.draws is not None and wrong:
            raise ValueError(f"draws is {self.draws!r}, expected a positive whole number, or None")

    def choose(
        self,
        pool: Pool,
        allowed: NDArray[np.bool_] | None,
        draws: Draws,
        parameters: Parameters,
        rng: np.random.Generator,
    ) -> tuple[int, float]:
        """Return the question with the most information."""
        if self.draws is not None and self.draws < len(draws):
            draws = draws.chosen(self.draws, rng)
        return best(lambda expected: expected.bits, pool, allowed, draws, parameters)


@dataclass(frozen=True)
class ContinuousBald:
    """Ask what is expected to tell most of all questions about features, not of a pool alone.

    The best of the pool is moved through the feature box, to where its answer tells more. A
    catalogue is as it is: of one, the best is asked.

    Parameters
    ----------
    steps
        How many moves are tried.

    Examples
    --------
    >>> ContinuousBald()
    ContinuousBald(steps=60)
    """

    steps: int = 60

    def __post_init__(self) -> None:
        if isinstance(self.steps, bool) or not isinstance(self.steps, int) or self.steps < 0:
            raise ValueError(f"steps is {self.steps!r}, expected a whole number of at least 0")

    def choose(
        self,
        pool: Pool,
        allowed: NDArray[np.bool_] | None,
        draws: Draws,
        parameters: Parameters,
        rng: np.random.Generator,
    ) -> tuple[int, float]:
        """Return the question of the pool with the most information."""
        return Bald().choose(pool, allowed, draws, parameters, rng)

    def improve(
        self, sides: Array, draws: Draws, parameters: Parameters, rng: np.random.Generator
    ) -> tuple[Array, float]:
        """Return the sides moved to where the answer tells more, and the bits expected there.

        Only their difference counts. It changes around the middle of the two, unless a side would
        leave the box.
        """
        blocks = Blocks(draws.at_most(CLIMBING_DRAWS), parameters)
        difference = sides[0] - sides[1]
        blocks.climb(difference, self.steps, rng)
        half = np.abs(difference) / 2
        middle = np.clip(sides.mean(axis=0), half, 1 - half)
        # What rounding leaves outside is put back.
        moved = np.clip(middle + np.outer([0.5, -0.5], difference), 0, 1)
        both = information(Evidence.from_features(np.stack([sides, moved])), draws, parameters)
        better = int(both.bits[1] > both.bits[0])
        return (sides, moved)[better], float(both.bits[better])
