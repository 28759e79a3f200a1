"""Where the random choices of a session come from."""

from __future__ import annotations

import hashlib
from typing import Literal

import numpy as np

PURPOSES = {"ask": 0, "update": 1}
POOL_SIZE = 4  # words of a SeedSequence's pool


class Streams:
    """A generator for every step of a session: the same seed and session give the same ones.

    What is drawn at one step never depends on what was drawn at another, so a session that is
    read back from its log goes on as if it had never stopped.

    Parameters
    ----------
    seed
        Of the study.
    session
        Whose session it is.

    Examples
    --------
    >>> Streams(7, "p17").at("ask", 3).random() == Streams(7, "p17").at("ask", 3).random()
    True
    """

    def __init__(self, seed: int, session: str) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise ValueError(f"seed is {seed!r}, expected a whole number of at least 0")
        if not isinstance(session, str):
            raise ValueError(f"session is {session!r}, expected a text")
        self.seed = int(seed)
        of_session = np.frombuffer(
            hashlib.sha256(session.encode(errors="surrogatepass")).digest(), dtype="<u4"
        )
        self._entropy = np.concatenate([_seed_words(self.seed), of_session, [0, 0]]).astype("<u4")

    def at(self, purpose: Literal["ask", "update"], step: int) -> np.random.Generator:
        """Return the generator for one purpose at one step.

        It's that of `SeedSequence(seed, spawn_key=(*words of the session, purpose, step))`, put
        together here as a whole, which takes half the time.
        """
        entropy = self._entropy.copy()
        entropy[-2:] = PURPOSES[purpose], step
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))


def _seed_words(seed: int) -> list[int]:
    """Return a seed in words of 32 bits, the low ones first, at least as many as a pool has."""
    words = [seed >> shift & 0xFFFFFFFF for shift in range(0, max(seed.bit_length(), 1), 32)]
    return words + [0] * (POOL_SIZE - len(words))
