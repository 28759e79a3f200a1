"""The answers to learn from, as arrays that grow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from equipoise.inference.kernels.records import Answered
from equipoise.inference.parameters import CODES, Parameters
from equipoise.model.evidence import Evidence
from equipoise.model.states import Response

FIRST_CAPACITY = 64


class Transcript:
    """What was asked, as evidence, and answered.

    Parameters
    ----------
    priorities
        How many priorities the evidence is about.

    Examples
    --------
    >>> transcript = Transcript(2)
    >>> transcript.append(Evidence([[0.5, 0.0]], [[0.0, 0.4]]), Response.FIRST)
    >>> len(transcript), transcript.minus
    (1, array([[ 0.5, -0.4]]))
    """

    def __init__(self, priorities: int) -> None:
        self._length = 0
        self._plus = np.empty((FIRST_CAPACITY, priorities))
        self._minus = np.empty((FIRST_CAPACITY, priorities))
        self._codes = np.empty(FIRST_CAPACITY, dtype=np.int64)

    def __len__(self) -> int:
        return self._length

    def append(self, evidence: Evidence, answer: Response) -> None:
        """Add one answer."""
        if self._length == len(self._codes):
            self._plus = np.concatenate([self._plus, np.empty_like(self._plus)])
            self._minus = np.concatenate([self._minus, np.empty_like(self._minus)])
            self._codes = np.concatenate([self._codes, np.empty_like(self._codes)])
        self._plus[self._length] = evidence.favour[0] + evidence.against[0]
        self._minus[self._length] = evidence.favour[0] - evidence.against[0]
        self._codes[self._length] = CODES[answer]
        self._length += 1

    def cut(self, length: int) -> None:
        """Forget all but so many of the first answers."""
        self._length = length

    @property
    def plus(self) -> NDArray[np.float64]:
        """Favour + against of every question; shape (n, m). Times weights, it's the valence."""
        return self._plus[: self._length]

    @property
    def minus(self) -> NDArray[np.float64]:
        """Favour - against of every question; shape (n, m). Times weights, the decisiveness."""
        return self._minus[: self._length]

    @property
    def codes(self) -> NDArray[np.int64]:
        """The places of the answers in `Response`; shape (n,)."""
        return self._codes[: self._length]

    def answered(self, parameters: Parameters) -> Answered:
        """Return it as kernels have it."""
        return Answered(self.plus, self.minus, self.codes, parameters.link, parameters.offered)
