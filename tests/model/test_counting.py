"""Sums of steps: which occur, in what share of the ways, in how many ways."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from equipoise.model import counting
from equipoise.model.lattice import common_unit

STEPS = st.lists(st.integers(0, 6), min_size=0, max_size=3).map(lambda more: (0, *sorted(more)))
PLACES = st.dictionaries(STEPS, st.integers(1, 3), min_size=1, max_size=3).map(Counter)


def listed(places):
    """How many ways lead to each sum, by going through all of them."""
    ways = Counter(map(sum, itertools.product(*places.elements())))
    return [ways[total] for total in range(max(ways) + 1)]


@given(PLACES)
def test_every_way_is_counted(places):
    """In bits, in floating point and in whole numbers: what going through all ways gives."""
    ways = listed(places)
    assert counting.count_sums(places) == ways
    assert counting.occurring_sums(places).tolist() == [s for s, n in enumerate(ways) if n]
    shares = counting.shares_of_sums(places)
    for share, n in zip(shares.each.tolist(), ways, strict=True):
        exact = Fraction(n, sum(ways))
        assert abs(Fraction(share) - exact) <= Fraction(shares.off) * exact
    assert shares.lost < 1e-280


def test_binomial_coefficients_of_a_thousand_coins():
    """A thousand coins: the binomial coefficients, exactly."""
    exact = [math.comb(1000, k) for k in range(1001)]
    assert counting.count_sums(Counter({(0, 1): 1000})) == exact


def test_shares_are_as_near_as_they_say_and_what_is_missing_is_told():
    """Places of all kinds: every share within its bound, and together all but what was given up."""
    places = Counter((0, k, 2 * k) for k in range(1, 50) for _ in range(12))
    shares = counting.shares_of_sums(places)
    ways = sum(places.values())
    off, lost = Fraction(shares.off), Fraction(shares.lost)
    missing = Fraction(0)
    for share, n in zip(shares.each.tolist(), counting.count_sums(places), strict=True):
        exact = Fraction(n, 3**ways)
        assert exact * (1 - off) - lost <= Fraction(share) <= exact * (1 + off)
        missing += exact * (1 - off) - Fraction(share)
    assert missing <= lost
    assert shares.off < 2e-13
    assert 1e-40 < shares.lost < 1e-25


def test_places_with_very_many_steps_are_counted():
    """More ways at one place than a limb has room for: it's multiplied in alone."""
    places = Counter({tuple(range(70_000)): 1, (0, 1): 40})
    counts = counting.count_sums(places)
    assert sum(counts) == 70_000 * 2**40
    assert counts[40:70_000] == [2**40] * (70_000 - 40)


def test_no_places_have_one_way():
    """Nothing to choose: the sum is zero, in one way."""
    assert counting.count_sums(Counter()) == [1]
    assert counting.occurring_sums(Counter()).tolist() == [0]
    assert counting.shares_of_sums(Counter()).each.tolist() == [1.0]


@given(
    st.integers(1, 1000), st.lists(st.integers(0, 500), min_size=1, max_size=8), st.integers(0, 3)
)
def test_common_unit_finds_the_fraction(denominator, numerators, ulps):
    """Whole multiples of a unit are recognised, also a few roundings off."""
    values = np.array(numerators) / denominator
    for _ in range(ulps):
        values = np.nextafter(values, np.inf, where=values > 0, out=values.copy())
    unit = common_unit(values)
    for value, numerator in zip(values, numerators, strict=True):
        multiple = round(value / float(unit))
        assert multiple * unit * denominator == pytest.approx(numerator, abs=1e-9)
        assert value == pytest.approx(multiple * float(unit), rel=1e-12)


@pytest.mark.parametrize("values", [[1, 2**0.5], [math.pi], [1 / 999_983, 1 / 999_979]])
def test_common_unit_refuses_what_is_no_fraction(values):
    """Irrational numbers, and fractions whose common denominator is too large."""
    assert common_unit(np.array(values, dtype=float)) is None
