"""Sums of one step at each place: which occur, what share of all ways leads to each, how many ways.

The number of ways to reach the sum s is the coefficient of z^s in a product of polynomials, one
for each place: sum over its steps of z^step. Place by place it's multiplied out here, in three
arithmetics. Bits tell which coefficients aren't zero; floating point, what part of all ways they
are; whole numbers of any size, all there is to tell, at length.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Steps = tuple[int, ...]  # from 0 on, 0 among them
Places = Counter[Steps]  # for each kind of place, its steps and how many places are so

# How much a sum of two floats, or a quotient, is off at most, as a part of itself.
_UNIT_ROUNDOFF = 2.0**-53
# More than all that is lost below the least of floating point's numbers, about 10^-308.
_UNDERFLOW = 1e-290
# Shares that are given up. It's an event at 11 standard deviations, and where most sums are.
_NEXT_TO_NONE = 1e-30
# Large whole numbers are kept in words of 64 bits, of which this many are their own: while places
# are multiplied in, the rest has room for what will be carried.
_LIMB = 32
_OWN_BITS = np.uint64(2**_LIMB - 1)


class Shares(NamedTuple):
    """What share of all ways leads to each sum, as far as floating point tells.

    Attributes
    ----------
    each
        The shares; shape (sums,).
    off
        How far each of them may be off at most, as a part of itself.
    lost
        The share of all ways that is missing in all of them together, at most.
    """

    each: NDArray[np.float64]
    off: float
    lost: float


def occurring_sums(places: Places) -> NDArray[np.intp]:
    """Return the sums that can be reached, in order.

    Examples
    --------
    >>> occurring_sums(Counter({(0, 2): 1, (0, 5): 2}))
    array([ 0,  2,  5,  7, 10, 12])
    """
    reached = 1  # bit s: whether the sum s can be reached
    for steps in places.elements():
        reached = functools.reduce(operator.or_, [reached << step for step in set(steps)])
    data = np.frombuffer(reached.to_bytes(reached.bit_length() // 8 + 1, "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(data, bitorder="little"))


def shares_of_sums(places: Places) -> Shares:
    """Return what share of all ways leads to each sum 0, 1, ..., the largest.

    Nothing is ever subtracted, so what roundings do to a share adds up to a small part of it. Sums
    far out, to which next to no ways lead, are given up, and told what went with them.

    Examples
    --------
    >>> shares_of_sums(Counter({(0, 1): 2})).each
    array([0.25, 0.5 , 0.25])
    """
    length = largest_sum(places) + 1
    row, spare = np.zeros(length), np.empty(length)
    row[0] = 1.0
    first, reached = 0, 1  # the row holds the shares of so many sums from the first on
    roundings, lost = 0, _UNDERFLOW
    for batch in _batches(places):
        row, spare, reached = _multiply_all(row, batch, reached, spare)
        row[:reached] /= math.prod(map(len, batch))
        roundings += sum(len(steps) - 1 for steps in batch) + 1
        kept = np.flatnonzero(row[:reached] >= _NEXT_TO_NONE)
        low, high = int(kept[0]), int(kept[-1]) + 1
        lost += float(row[:low].sum() + row[high:reached].sum())
        row[: high - low] = row[low:high]
        first, reached = first + low, high - low
    each = np.zeros(length)
    each[first : first + reached] = row[:reached]
    return Shares(each, math.expm1(roundings * _UNIT_ROUNDOFF), lost)


def count_sums(places: Places) -> list[int]:
    """Return how many ways lead to each sum 0, 1, ..., the largest.

    Examples
    --------
    Two coins, then a die with faces 0 and 3:

    >>> count_sums(Counter({(0, 1): 2, (0, 3): 1}))
    [1, 2, 1, 1, 2, 1]
    """
    ways = math.prod(len(steps) ** number for steps, number in places.items())
    limbs = np.zeros((_limbs(ways), largest_sum(places) + 1), dtype=np.uint64)
    limbs[0, 0] = 1
    spare = np.empty_like(limbs[0])
    reached, so_far = 1, 1
    for batch in _batches(places):
        # Limb by limb, each with all places of the batch: one stays in a core's cache.
        for limb in limbs[: _limbs(so_far)]:
            product, _, length = _multiply_all(limb, batch, reached, spare)
            if product is spare:
                limb[:length] = spare[:length]
        reached += sum(max(steps) for steps in batch)
        so_far *= math.prod(map(len, batch))
        _carry(limbs[: _limbs(so_far), :reached])
    size = len(limbs) * _LIMB // 8
    data = limbs.T.astype(f"<u{_LIMB // 8}").tobytes()
    return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]


def largest_sum(places: Places) -> int:
    """Return the largest sum that can be reached."""
    return sum(max(steps) * number for steps, number in places.items())


def _in_order(places: Places) -> Iterator[Steps]:
    """Iterate over all places, those with long steps last: until then the sums stay few."""
    for steps in sorted(places, key=max):
        yield from itertools.repeat(steps, places[steps])


def _batches(places: Places) -> Iterator[list[Steps]]:
    """Split the places so that no coefficient of a batch exceeds a limb's own bits."""
    batch: list[Steps] = []
    ways = 1
    for steps in _in_order(places):
        ways *= len(steps)
        if ways > _OWN_BITS and batch:
            yield batch
            batch, ways = [], len(steps)
        batch.append(steps)
    yield batch


def _multiply(row: NDArray[Any], steps: Steps, reached: int, product: NDArray[Any]) -> int:
    """Write the product of a polynomial and a place's one; return how many terms that has."""
    product[:reached] = row[:reached]  # the step 0
    product[reached : reached + max(steps)] = 0
    for step in sorted(steps)[1:]:
        product[step : step + reached] += row[:reached]
    return reached + max(steps)


def _multiply_all(
    row: NDArray[Any], batch: list[Steps], reached: int, spare: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], int]:
    """Multiply with all of a batch, to and fro; return the product, the other row, the terms."""
    for steps in batch:
        reached = _multiply(row, steps, reached, spare)
        row, spare = spare, row
    return row, spare, reached


def _carry(limbs: NDArray[np.uint64]) -> None:
    """Move what exceeds a limb's own bits to the next."""
    for i in range(len(limbs) - 1):
        limbs[i + 1] += limbs[i] >> np.uint64(_LIMB)
        limbs[i] &= _OWN_BITS


def _limbs(number: int) -> int:
    return number.bit_length() // _LIMB + 1
