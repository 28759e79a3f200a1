"""Where the random choices of a session come from."""

from __future__ import annotations

import hashlib
from typing import Literal

import numpy as np

PURPOSES = {"ask": 0, "update": 1}


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
        digest = hashlib.sha256(session.encode()).digest()
        self._words = tuple(np.frombuffer(digest, dtype="<u4").tolist())

    def at(self, purpose: Literal["ask", "update"], step: int) -> np.random.Generator:
        """Return the generator for one purpose at one step."""
        key = (*self._words, PURPOSES[purpose], step)
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))
