"""Statements on choosing questions."""

from __future__ import annotations

import numpy as np

from equipoise.acquisition.information import information
from equipoise.experiments.statements.statement import Array, Generator, Statement, farthest
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters
from equipoise.model.evidence import Evidence
from equipoise.model.responses import FourAnswers

PRIORITIES, QUESTIONS, DRAWS = 4, 5, 20


def expected_bits(rng: Generator) -> float:
    """Return how far information is from the entropy of the mean less the mean of entropies."""
    model = FourAnswers(
        tau_r=float(rng.uniform(0, 0.5)),
        tau_kappa=float(rng.uniform(0, 0.9)),
        beta=float(rng.uniform(0.5, 20)),
    )
    parameters = Parameters(model)
    weights = rng.dirichlet(np.ones(PRIORITIES), DRAWS)
    says = Evidence.from_features(rng.random((QUESTIONS, 2, PRIORITIES)))
    found = information(says, Draws(weights, parameters.draw(rng, DRAWS)), parameters).bits
    answers = np.array([model.predict(says, omega) for omega in weights])
    expected = _entropy(answers.mean(axis=0)) - _entropy(answers).mean(axis=0)
    return farthest(found, expected)


def _entropy(p: Array) -> Array:
    return -np.where(p > 0, p * np.log2(np.where(p > 0, p, 1)), 0).sum(axis=-1)


QUESTIONS_ASKED = (
    Statement(
        "eq:bald",
        "a question's score is the entropy of the mean answer less the mean entropy",
        at_random=expected_bits,
    ),
)
