"""How many ways there are to reach each sum, one step taken at each place, in whole numbers.

The number of ways to reach the sum s is the coefficient of z^s in a product of polynomials, one
for each place: sum over its steps of z^step.
"""

from __future__ import annotations

import math
from collections import Counter

Steps = tuple[int, ...]
Polynomial = dict[int, int]  # from exponent to coefficient, zeros left out

# A term of the recurrence costs about as long as adding this many bytes of packed counts.
_BYTES_PER_TERM = 600


def count_sums(places: Counter[Steps]) -> list[int]:
    """Return how many ways lead to each sum 0, 1, ..., the largest.

    Parameters
    ----------
    places
        For each kind of place, its steps (from 0 on, 0 among them) and how many places are so.

    Examples
    --------
    Two coins, then a die with faces 0 and 3:

    >>> count_sums(Counter({(0, 1): 2, (0, 3): 1}))
    [1, 2, 1, 1, 2, 1]
    """
    ways = math.prod(len(steps) ** number for steps, number in places.items())
    slot = ways.bit_length() // 8 + 1
    additions = sum(len(steps) * number for steps, number in places.items())
    terms = _recurrence_terms(places, limit=additions * slot // _BYTES_PER_TERM)
    if terms is None:
        return _by_packing(places, slot)
    return _by_recurrence(places, terms)


def largest_sum(places: Counter[Steps]) -> int:
    """Return the largest sum that can be reached."""
    return sum(max(steps) * number for steps, number in places.items())


def _by_packing(places: Counter[Steps], slot: int) -> list[int]:
    """Multiply the polynomials at z = 2^(8 slot): one large number, a coefficient every `slot`."""
    packed = 1
    for steps, number in places.items():
        for _ in range(number):
            packed = sum(packed << (8 * slot * step) for step in steps)
    length = largest_sum(places) + 1
    data = packed.to_bytes(length * slot, "little")
    return [int.from_bytes(data[i : i + slot], "little") for i in range(0, len(data), slot)]


def _recurrence_terms(places: Counter[Steps], limit: int) -> tuple[Polynomial, Polynomial] | None:
    """Return D and E with D P' = E P for the product P, or None beyond `limit` terms.

    P = prod p_t^n_t has P'/P = sum n_t p_t'/p_t. So D = prod p_t and
    E = sum over t of n_t p_t' times the other p_s.
    """
    product: Polynomial = {0: 1}
    slope: Polynomial = {}
    for steps, number in places.items():
        factor = dict(Counter(steps))
        derivative = {e - 1: number * e * c for e, c in factor.items() if e > 0}
        slope = _plus(_times(slope, factor), _times(product, derivative))
        product = _times(product, factor)
        if len(product) + len(slope) > limit:
            return None
    return product, slope


def _by_recurrence(places: Counter[Steps], terms: tuple[Polynomial, Polynomial]) -> list[int]:
    """Compare coefficients of z^(s-1) in D P' = E P: each is found from those before it."""
    product, slope = terms
    back = sorted({e for e in product if e > 0} | {e + 1 for e in slope})
    triples = [(j, slope.get(j - 1, 0), product.get(j, 0)) for j in back]
    counts = [math.prod(steps.count(0) ** number for steps, number in places.items())]
    for s in range(1, largest_sum(places) + 1):
        total = sum((e - (s - j) * d) * counts[s - j] for j, e, d in triples if j <= s)
        counts.append(total // (s * product[0]))
    return counts


def _times(first: Polynomial, second: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for e, c in first.items():
        for f, d in second.items():
            result[e + f] = result.get(e + f, 0) + c * d
    return result


def _plus(first: Polynomial, second: Polynomial) -> Polynomial:
    return {e: first.get(e, 0) + second.get(e, 0) for e in first.keys() | second.keys()}
