"""Two questions at a time: an experiment in looking ahead."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from equipoise.acquisition.information import Blocks, information
from equipoise.acquisition.pools import Places, Pool, shortlist
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters

Array = NDArray[np.float64]

# With how many draws the question after the next is judged.
DRAWS_AHEAD = 256


@dataclass(frozen=True)
class TwoSteps:
    r"""Ask what is expected to tell most together with the question after it: an experiment.

    .. math::
        I(q) + \sum_a \bar p_a \max_{q'} I(q' \mid q, a)

    where I is the information of `eq:bald`, :math:`\bar p_a` the probability of an answer, and
    :math:`I(q' \mid q, a)` the information in q' once a is known. A greedy choice may ask a
    question that leaves only poor ones behind; this one sees that coming, one question ahead. It's
    an experiment and no recommendation: the page on questions in the docs measures what it gains,
    and how much longer it takes.

    Only the few questions that tell most are looked ahead from. The one after it is looked for
    among some of the questions only, half of them those that tell most now, half by chance.

    Parameters
    ----------
    first
        From how many questions it looks ahead.
    second
        Among how many the question after is looked for.

    Examples
    --------
    >>> TwoSteps()
    TwoSteps(first=8, second=40)
    """

    first: int = 8
    second: int = 40

    def __post_init__(self) -> None:
        for name in ("first", "second"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"{name} is {value!r}, expected a positive whole number")

    def choose(
        self,
        pool: Pool,
        allowed: NDArray[np.bool_] | None,
        draws: Draws,
        parameters: Parameters,
        rng: np.random.Generator,
    ) -> tuple[int, float]:
        """Return the question that tells most together with the one after it."""
        most = max(self.first, self.second // 2)
        listed = shortlist(lambda found: found.bits, pool, allowed, draws, parameters, most=most)
        bits = information(pool.evidence(listed), draws, parameters).bits
        order = np.argsort(-bits, kind="stable")
        first = np.sort(order[: self.first])
        after = np.union1d(
            listed[order[: self.second // 2]],
            _any(self.second - self.second // 2, len(pool), allowed, rng),
        )
        fewer = draws.at_most(DRAWS_AHEAD)
        ahead = _ahead(listed[first], after, pool, fewer, parameters)
        best = first[np.argmax(bits[first] + ahead)]
        return int(listed[best]), float(bits[best])


def _any(
    count: int, length: int, allowed: NDArray[np.bool_] | None, rng: np.random.Generator
) -> Places:
    """Return so many places at most, by chance."""
    places = np.arange(length) if allowed is None else np.flatnonzero(allowed)
    return rng.choice(places, min(count, len(places)), replace=False, shuffle=False)


def _ahead(
    places: Places, after: Places, pool: Pool, draws: Draws, parameters: Parameters
) -> Array:
    """Return the bits expected of the best question after each of some; shape (n,)."""
    evidence, later = pool.evidence(places), pool.evidence(after)
    blocks = Blocks(draws, parameters)
    chances, expected = blocks.chances(evidence), blocks.expect(evidence).predicted
    found = np.zeros(len(places))
    for q, place in enumerate(places):
        others = later.rows(np.flatnonzero(after != place))
        if not len(others):  # it's the last question there is
            continue
        for a in np.flatnonzero(expected[q] > 0):
            mass = draws.mass * chances[q, a] / expected[q, a]
            told = information(others, replace(draws, mass=mass), parameters)
            found[q] += expected[q, a] * told.bits.max()
    return found
