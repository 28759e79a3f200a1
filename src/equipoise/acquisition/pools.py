"""Pools of questions, and the best of a pool, however large it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from equipoise.acquisition.information import Expectation, information
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters
from equipoise.model.evidence import Evidence

Array = NDArray[np.float64]
Places = NDArray[np.intp]

# Up to so many pairs of a question and a draw are simply all looked at.
LOOKED_AT = 50_000
# More questions than that are screened: all of them with few draws, in chunks; of these an eighth,
# or so many, with some more; and the finalists with all draws.
CHUNK = 8192
FEW_DRAWS, LEAST_KEPT, MOST_KEPT = 16, 125, 1000
MORE_DRAWS, FINALISTS = 128, 16


class Pool(Protocol):
    """Questions that may be asked, any number of them."""

    def __len__(self) -> int: ...

    def evidence(self, places: slice | NDArray[np.intp]) -> Evidence:
        """Return what the priorities say of some of the questions."""
        ...


class Acquisition(Protocol):
    """A way to choose the next question."""

    def choose(
        self,
        pool: Pool,
        allowed: NDArray[np.bool_] | None,
        draws: Draws,
        parameters: Parameters,
        rng: np.random.Generator,
    ) -> tuple[int, float]:
        """Return the place of the question to ask, and the bits expected of its answer.

        Where `allowed` is given, it must be one of these; there is at least one.
        """
        ...


@runtime_checkable
class Improving(Protocol):
    """An acquisition that improves a question about features, where any may be asked."""

    def improve(
        self, sides: Array, draws: Draws, parameters: Parameters, rng: np.random.Generator
    ) -> tuple[Array, float]:
        """Return better sides than those chosen, (2, m) in [0, 1], and the bits expected."""
        ...


def best(
    score: Callable[[Expectation], Array],
    pool: Pool,
    allowed: NDArray[np.bool_] | None,
    draws: Draws,
    parameters: Parameters,
) -> tuple[int, float]:
    """Return the first of the questions with the highest score, and its bits."""
    places = finalists(score, pool, allowed, draws, parameters)
    expected = information(pool.evidence(places), draws, parameters)
    first = int(np.argmax(score(expected)))
    return int(places[first]), float(expected.bits[first])


def finalists(
    score: Callable[[Expectation], Array],
    pool: Pool,
    allowed: NDArray[np.bool_] | None,
    draws: Draws,
    parameters: Parameters,
    *,
    most: int = FINALISTS,
) -> Places:
    """Return the places of the questions worth looking at with all draws, in order.

    They are so many at most, but for pools so small that all are.

    The evidence of a large pool is made in chunks, and of all the rest only places are kept: so
    that a million questions need no more memory than some thousand.
    """
    count = len(pool) if allowed is None else int(np.count_nonzero(allowed))
    if count * len(draws) <= LOOKED_AT:
        return np.arange(len(pool)) if allowed is None else np.flatnonzero(allowed)
    kept = max(min(max(count // 8, LEAST_KEPT), MOST_KEPT), most)
    few = draws.at_most(FEW_DRAWS)
    places, scores = np.empty(0, dtype=np.intp), np.empty(0)
    for chunk in _chunks(len(pool), allowed):
        found = score(information(pool.evidence(chunk), few, parameters))
        places, scores = _highest(
            np.concatenate([places, chunk]), np.concatenate([scores, found]), kept
        )
    more = information(pool.evidence(places), draws.at_most(MORE_DRAWS), parameters)
    return _highest(places, score(more), most)[0]


def shortlist(
    score: Callable[[Expectation], Array],
    pool: Pool,
    allowed: NDArray[np.bool_] | None,
    draws: Draws,
    parameters: Parameters,
    *,
    most: int,
) -> Places:
    """Return the places of so many questions at most, those with the highest scores, in order."""
    places = finalists(score, pool, allowed, draws, parameters, most=most)
    if len(places) <= most:
        return places
    expected = information(pool.evidence(places), draws, parameters)
    return _highest(places, score(expected), most)[0]


def _chunks(length: int, allowed: NDArray[np.bool_] | None) -> Iterator[Places]:
    for start in range(0, length, CHUNK):
        chunk = np.arange(start, min(start + CHUNK, length))
        yield chunk if allowed is None else chunk[allowed[chunk]]


def _highest(places: Places, scores: Array, count: int) -> tuple[Places, Array]:
    """Return the places with the highest scores, the first of equals, in order of place."""
    order = np.sort(np.argsort(-scores, kind="stable")[:count])
    return places[order], scores[order]
