"""Draws with a mass, and the choice of some of them."""

import numpy as np
import pytest
from hypothesis import given
from strategies import generators

from equipoise.inference.draws import Draws


def draws_of(mass):
    """Draws that can be told apart, with masses."""
    count = len(mass)
    return Draws(np.arange(count)[:, None] * np.ones(2), np.zeros((count, 0)), np.array(mass))


def times(found, count):
    """How often each of so many draws is there."""
    return np.bincount(found.weights[:, 0].astype(int), minlength=count)


def test_without_masses_all_are_as_likely():
    """Each has its share, and one that isn't given sums to one as well."""
    np.testing.assert_array_equal(Draws(np.ones((4, 2)), np.zeros((4, 1))).mass, 0.25)


@given(generators())
def test_by_mass_each_comes_as_often_as_its_mass_says(rng):
    """So often, rounded up or down; what has no mass never comes; all are as likely after."""
    mass = rng.dirichlet(np.ones(6)) * rng.integers(0, 2, 6)
    mass = np.append(mass, 1.0) / (mass.sum() + 1.0)
    count = int(rng.integers(1, 50))
    found = draws_of(mass).by_mass(count, rng.random())
    often = times(found, 7)
    assert len(found) == count
    assert (abs(often - mass * count) < 1 + 1e-9).all()
    assert often[mass == 0].sum() == 0
    np.testing.assert_allclose(found.mass, 1 / count)


def test_by_mass_at_a_random_offset_every_draw_comes_as_often_on_average():
    """Over offsets between zero and one, the average is the mass times the number."""
    mass = np.array([0.02, 0.31, 0.0, 0.27, 0.4])
    offsets = (np.arange(1000) + 0.5) / 1000
    often = [times(draws_of(mass).by_mass(7, along), 5) for along in offsets]
    np.testing.assert_allclose(np.mean(often, axis=0), 7 * mass, atol=0.01)


@pytest.mark.parametrize("mass", [[0.25] * 4, [0.1, 0.2, 0.3, 0.4]])
def test_as_many_as_wanted_are_chosen_by_chance(mass):
    """Where all are as likely none comes twice; by mass each has its chance."""
    rng = np.random.default_rng(1)
    chosen = [draws_of(mass).chosen(2, rng) for _ in range(4000)]
    often = np.array([times(draws, 4) for draws in chosen])
    if len(set(mass)) == 1:
        assert often.max() == 1
    # Four standard deviations of a count, at most: systematic draws vary less.
    expected = 8000 * np.array(mass)
    assert (abs(often.sum(axis=0) - expected) < 4 * np.sqrt(expected)).all()
