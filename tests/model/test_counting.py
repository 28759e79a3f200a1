"""Counting sums in whole numbers, by packing and by recurrence."""

import itertools
import math
from collections import Counter

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
def test_both_ways_of_counting_list_every_way(places):
    """Packing and the recurrence give what going through all ways gives."""
    assert counting.count_sums(places) == listed(places)
    slot = math.prod(len(s) ** n for s, n in places.items()).bit_length() // 8 + 1
    assert counting._by_packing(places, slot) == listed(places)
    terms = counting._recurrence_terms(places, limit=10**6)
    assert counting._by_recurrence(places, terms) == listed(places)


def test_binomial_coefficients_of_a_thousand_coins():
    """A thousand coins: the binomial coefficients, exactly."""
    counts = counting.count_sums(Counter({(0, 1): 1000}))
    assert counts == [math.comb(1000, k) for k in range(1001)]


def test_many_kinds_of_places_are_counted_by_packing():
    """Where the recurrence would be long it isn't used, and the total is right all the same."""
    places = Counter({(0, k, k**2 % 97): 1 for k in range(1, 40)})
    assert counting._recurrence_terms(places, limit=50) is None
    counts = counting.count_sums(places)
    assert sum(counts) == 3**39
    assert len(counts) == counting.largest_sum(places) + 1


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
