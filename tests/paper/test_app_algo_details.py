"""The score of a question, `app:algo-details`."""

from hypothesis import given
from strategies import generators

from equipoise.experiments.statements.of_questions import expected_bits


@given(generators())
def test_eq_bald_is_entropy_of_the_mean_less_mean_entropy(rng):
    """In bits, for the compiled score as for the definition."""
    assert expected_bits(rng) < 1e-9
