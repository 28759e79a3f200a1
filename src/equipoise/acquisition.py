"""How informative is a question: BALD and the others, over pools of any size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from equipoise.inference.draws import Draws
from equipoise.inference.kernels.information import expected_information
from equipoise.inference.parameters import Parameters
from equipoise.model.evidence import Evidence

Array = NDArray[np.float64]

# A pool larger than this is first scored with few draws, in chunks; this many of its best
# questions are then scored with all of them.
SHORTLIST = 1000
CHUNK = 8192
SCREENING_DRAWS = 16


@dataclass(frozen=True)
class Expectation:
    """What the answers to n questions are expected to be, and to tell.

    Attributes
    ----------
    bits
        The information in each; shape (n,).
    predicted
        The probability of each answer; shape (n, answers).
    """

    bits: Array
    predicted: Array


def information(evidence: Evidence, draws: Draws, parameters: Parameters) -> Expectation:
    r"""Return how much the answer to each question is expected to tell, in bits.

    .. math::
        \mathrm{Ent}\Big(\frac1N \sum_i R(\cdot \mid q, \vartheta_i)\Big)
        - \frac1N \sum_i \mathrm{Ent}(R(\cdot \mid q, \vartheta_i))

    Paper: eq:bald

    Parameters
    ----------
    evidence
        What the priorities say of n questions.
    draws
        The draws of everything unknown to average over.
    parameters
        The response model that the draws are of.
    """
    return _Columns(draws, parameters).expect(evidence)


class _Columns:
    """Draws as the kernel has them: in columns."""

    def __init__(self, draws: Draws, parameters: Parameters) -> None:
        self.weights = np.ascontiguousarray(draws.weights.T)
        self.thetas = np.ascontiguousarray(draws.rows.T)
        self.mass = draws.mass
        self.link, self.offered = parameters.link, parameters.offered

    def expect(self, evidence: Evidence) -> Expectation:
        """Return what the answers are expected to be, and to tell."""
        plus = evidence.favour + evidence.against
        minus = evidence.favour - evidence.against
        bits, predicted = np.empty(len(plus)), np.empty((len(plus), 4))
        expected_information(
            plus,
            minus,
            self.weights,
            self.thetas,
            self.mass,
            self.link,
            self.offered,
            bits,
            predicted,
        )
        return Expectation(bits, predicted[:, : self.offered])


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
        return _best(lambda expected: expected.bits, pool, allowed, draws, parameters)


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
        return _best(
            lambda expected: 1 - expected.predicted.max(axis=1), pool, allowed, draws, parameters
        )


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


def _best(
    score: Callable[[Expectation], Array],
    pool: Pool,
    allowed: NDArray[np.bool_] | None,
    draws: Draws,
    parameters: Parameters,
) -> tuple[int, float]:
    """Return the first of the questions with the highest score, and its bits.

    A large pool is screened: its evidence is made in chunks, scored with a few draws spread over
    all there are, and only a shortlist is scored with all of them.
    """
    if allowed is None and len(pool) <= SHORTLIST:
        expected = information(pool.evidence(slice(None)), draws, parameters)
        best = int(np.argmax(score(expected)))
        return best, float(expected.bits[best])
    places = np.arange(len(pool)) if allowed is None else np.flatnonzero(allowed)
    if len(places) > SHORTLIST:
        few = draws.by_mass(SCREENING_DRAWS)
        columns = _Columns(few, parameters)
        chunks = [places[start : start + CHUNK] for start in range(0, len(places), CHUNK)]
        scores = [score(columns.expect(pool.evidence(chunk))) for chunk in chunks]
        order = np.argsort(-np.concatenate(scores), kind="stable")
        places = np.sort(places[order[:SHORTLIST]])
    expected = information(pool.evidence(places), draws, parameters)
    best = int(np.argmax(score(expected)))
    return int(places[best]), float(expected.bits[best])


ACQUISITIONS: dict[str, type[Bald] | type[VolumeRemoval] | type[Random]] = {
    "bald": Bald,
    "volume-removal": VolumeRemoval,
    "random": Random,
}
