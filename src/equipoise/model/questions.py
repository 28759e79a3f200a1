"""A question as it is put to somebody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.evidence import Evidence
from equipoise.model.tasks import Input, Output

Side = NDArray[np.float64] | Mapping[Input, Output]


@dataclass(frozen=True)
class Question:
    """One question: two sides, what the priorities say of them, and why it was chosen.

    Paper: def:pc-query

    Attributes
    ----------
    id
        Its number in a session.
    first, second
        Features (m,) of either side, or the outputs of a `Comparison`.
    evidence
        What each priority says; one row.
    bits
        How much the answer was expected to tell when the question was chosen, if it was.

    Examples
    --------
    >>> Question.of_features([0.9, 0.2], [0.4, 0.6]).evidence.favour
    array([[0.5, 0. ]])
    """

    id: int
    first: Side
    second: Side
    evidence: Evidence
    bits: float | None = None

    @classmethod
    def of_features(
        cls, first: ArrayLike, second: ArrayLike, id: int = 0, bits: float | None = None
    ) -> Question:
        """Return a question between two feature vectors (m,)."""
        evidence = Evidence.from_features(np.array([[first, second]], dtype=np.float64))
        first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
        return cls(id, first, second, evidence, bits)
