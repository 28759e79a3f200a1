"""Perfectly inseparable priorities leave no trace: statements tried on random people."""

import numpy as np
from hypothesis import given
from strategies import generators

import equipoise as eq
from equipoise.experiments.statements.of_separability import (
    any_weight,
    erased,
    leanings,
    no_trace,
    same_best_rules,
    with_silent_priority,
)


@given(generators())
def test_thm_scale_free_ind_answers_at_another_temperature_are_the_same(rng):
    """With the silent priority at beta, without it at beta times what weight is left."""
    assert no_trace(rng) < 1e-9
    model, task = with_silent_priority(rng)
    rest, beta = 1 - model.weights[0], 5.0
    both = [
        eq.TwoAnswers(beta=b).probabilities(np.abs(kappa), kappa)
        for b, kappa in (
            (beta, leanings(model, task)),
            (beta * rest, leanings(model.without([0]), task)),
        )
    ]
    np.testing.assert_allclose(*both, atol=1e-9)


@given(generators())
def test_cor_erase_the_other_priorities_explain_every_forced_answer(rng):
    """The scores found are theirs, up to the factor."""
    assert erased(rng) < 1e-9


@given(generators())
def test_cor_non_ident_the_silent_priority_may_have_any_weight(rng):
    """Below one: decisiveness keeps its direction."""
    assert any_weight(rng) < 1e-9


@given(generators())
def test_lem_psr_same_optimal_rules_whatever_explains_the_answers_chooses_alike(rng):
    """Scores stretched, and shifted input by input, have the same best rules of any subset."""
    assert same_best_rules(rng) == 0
