"""Weights of priorities: what is refused where they meet evidence, and what passes."""

import re

import numpy as np
import pytest

import equipoise as eq

SAYS = eq.Evidence([[0.5, 0.0]], [[0.0, 0.4]])
CALLS = {
    "valence": lambda weights: eq.valence(SAYS, weights),
    "decisiveness": lambda weights: eq.decisiveness(SAYS, weights),
    "predict": lambda weights: eq.FourAnswers().predict(SAYS, weights),
    "aggregator": lambda weights: eq.LinearAggregator()([0.5, 0.1], weights),
    "factor": lambda weights: eq.LinearAggregator().factor(weights, 0),
    "own term": lambda weights: eq.LinearAggregator().own_term(weights, 0, 0.5),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([-0.5, 1.5], "weights[0] is -0.5, expected a number of at least 0"),
        ([np.nan, 1.0], "weights[0] is nan, expected a finite number"),
        ([1.0, np.nan], "weights[1] is nan, expected a finite number"),
        ([0.5, 0.6], "weights sum to 1.1, expected 1 (divide them by their sum)"),
        ([4, 5], "weights sum to 9, expected 1"),
        (["much", "little"], "weights must be an array of numbers"),
    ],
)
def test_weights_that_are_none_are_refused_wherever_they_meet_evidence(call, weights, message):
    """Negative, missing, or of another sum: one sentence, everywhere."""
    with pytest.raises(ValueError, match=re.escape(message)):
        CALLS[call](weights)


@pytest.mark.parametrize("call", [eq.valence, eq.decisiveness, eq.FourAnswers().predict])
def test_of_many_weights_the_one_that_is_wrong_is_named(call):
    """Rows of draws are held to the same, and the row is named."""
    with pytest.raises(ValueError, match=re.escape("weights[1] sum to 0.9, expected 1")):
        call(SAYS, [[0.5, 0.5], [0.5, 0.4]])
    with pytest.raises(ValueError, match=re.escape("weights[1][0] is -0.1, expected a number of")):
        call(SAYS, [[0.5, 0.5], [-0.1, 1.1]])
    with pytest.raises(ValueError, match=re.escape("weights[0, 1] is nan")):
        call(SAYS, [[0.5, np.nan], [0.5, 0.5]])


@pytest.mark.parametrize("weights", [[1.0], [[0.5, 0.3, 0.2]], np.ones((1, 1, 2)) / 2])
def test_weights_of_other_priorities_are_refused(weights):
    """The error says how many priorities there are."""
    with pytest.raises(ValueError, match=re.escape("expected (2,) or (any, 2): there are that ma")):
        eq.valence(SAYS, weights)


def test_draws_that_sum_to_one_but_for_rounding_pass():
    """Posterior draws are renormalised, and off by a few roundings."""
    draws = np.random.default_rng(0).dirichlet(np.ones(2), 100) * (1 + 1e-13)
    assert eq.valence(SAYS, draws).shape == (1, 100)
    np.testing.assert_allclose(
        eq.decisiveness(SAYS, draws)[0], [eq.decisiveness(SAYS, row).item() for row in draws]
    )
