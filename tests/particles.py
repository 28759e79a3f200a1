"""Particles to test: independent runs of them, and what must hold of each."""

import numpy as np
import pytest
from questionnaires import learned_in_order

RUNS = 20
# Rounding in a sum of a few weights.
ROUNDED = 1e-14


def runs(sampler, problem, transcript):
    """What independent runs of a sampler return after each answer."""
    for rng in np.random.default_rng(2).spawn(RUNS):
        yield list(learned_in_order(sampler, problem, transcript, rng))


def chances(problem, asked, answers, draws):
    """The probability of each answer at each draw that has a mass; shape (draws, answers)."""
    given = [problem.parameters.responses.answers.index(answer) for answer in answers]
    some = draws.some(np.flatnonzero(draws.mass > 0))
    return np.array(
        [
            problem.parameters.model(row).predict(asked, weights)[range(len(given)), given]
            for weights, row in zip(some.weights, some.rows, strict=True)
        ]
    )


def assert_sound(draws, problem):
    """Draws are weights, masses and numbers that may be."""
    assert (draws.weights >= 0).all()  # which NaN is not
    np.testing.assert_allclose(draws.weights.sum(axis=1), 1, rtol=0, atol=ROUNDED)
    assert (draws.mass >= 0).all()
    assert draws.mass.sum() == pytest.approx(1, abs=ROUNDED * len(draws))
    parameters = problem.parameters
    for name, prior in parameters.number_priors.items():
        assert np.isfinite(prior.log_density(parameters.column(name, draws.rows))).all()
    known = np.isfinite(parameters.known)
    np.testing.assert_array_equal(
        draws.rows[:, known], np.tile(parameters.known[known], (len(draws), 1))
    )
    if "noise" in parameters.priors:
        mixture, (weights, _, scales) = (
            parameters.priors["noise"],
            parameters.column("noise", draws.rows).transpose(1, 0, 2),
        )
        np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=0, atol=ROUNDED)
        assert (weights >= 0).all()
        # Logarithms move, so that rounding may take a scale a little beyond its bounds.
        assert (scales >= mixture.smallest_scale * (1 - ROUNDED)).all()
        assert (scales <= mixture.largest_scale * (1 + ROUNDED)).all()
