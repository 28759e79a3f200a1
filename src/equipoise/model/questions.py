"""A question as it is put to somebody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.checks import finite_array
from equipoise.model.comparisons import Comparison
from equipoise.model.evidence import Evidence
from equipoise.model.states import Response
from equipoise.model.tasks import Input, Output

Side = NDArray[np.float64] | Mapping[Input, Output]


@dataclass(frozen=True, eq=False)
class Question:
    """One question: two sides, what the priorities say of them, and why it was chosen.

    Paper: def:pc-query

    Attributes
    ----------
    id
        Its number in a session.
    first, second
        Features (m,) of either side, or the outputs of a `Comparison`; None where the question is
        known by its evidence only.
    evidence
        What each priority says; one row.
    bits
        How much the answer was expected to tell when the question was chosen, if it was.
    left
        Which side is to be shown on the left, or on top. Answers name the first or the second
        side, wherever it's shown.
    candidate
        Its place among the candidates it was chosen from, where these were given.
    repeats
        The id of the question that this one repeats on purpose, if it does.

    Examples
    --------
    >>> Question.of_features([0.9, 0.2], [0.4, 0.6]).evidence.favour
    array([[0.5, 0. ]])
    """

    id: int
    first: Side | None
    second: Side | None
    evidence: Evidence
    bits: float | None = None
    left: Response = Response.FIRST
    candidate: int | None = None
    repeats: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.evidence, Evidence) or len(self.evidence) != 1:
            raise ValueError(
                f"evidence is {self.evidence!r}, expected the evidence of one question"
            )

    @property
    def comparison(self) -> Comparison | None:
        """The question as a comparison, None where its sides are no outputs."""
        if isinstance(self.first, Mapping) and isinstance(self.second, Mapping):
            return Comparison(self.first, self.second)
        return None

    @classmethod
    def of_features(
        cls, first: ArrayLike, second: ArrayLike, id: int = 0, bits: float | None = None
    ) -> Question:
        """Return a question between two feature vectors (m,)."""
        left = finite_array(first, "first", (None,))
        right = finite_array(second, "second", left.shape)
        evidence = Evidence.from_features(np.array([[left, right]]))
        return cls(id, left, right, evidence, bits)

    @classmethod
    def of_comparison(
        cls, comparison: Comparison, evidence: Evidence, id: int = 0, bits: float | None = None
    ) -> Question:
        """Return a comparison as a question, with what the priorities say of it: one row."""
        return cls(id, comparison.first, comparison.second, evidence, bits)
