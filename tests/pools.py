"""Pools of random questions to choose from, and draws to choose them by."""

import numpy as np

import equipoise as eq
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters


class Spied:
    """A pool that remembers how many questions were looked at together."""

    def __init__(self, evidence):
        self._evidence = evidence
        self.sizes = []

    def __len__(self):
        return len(self._evidence)

    def evidence(self, places):
        found = self._evidence.rows(places)
        self.sizes.append(len(found))
        return found


def random_evidence(rng, size=12, priorities=4):
    """Evidence in which some priorities are silent and some speak for both sides at once."""
    favour, against = rng.random((2, size, priorities))
    kind = rng.integers(4, size=(size, priorities))
    return eq.Evidence(np.where(kind % 2, favour, 0), np.where(kind > 1, against, 0))


def prior_draws(model, rng, size=30, priorities=4):
    """Equally likely draws from the prior, with the response model they are of."""
    parameters = Parameters(model)
    weights = rng.dirichlet(np.ones(priorities), size)
    return Draws(weights, parameters.draw(rng, size)), parameters


def weighed_draws(model, rng, size=30, priorities=4):
    """Draws from the prior of which not all are as likely, and some perhaps impossible."""
    draws, parameters = prior_draws(model, rng, size, priorities)
    mass = rng.dirichlet(np.ones(size)) * (rng.random(size) < 0.8)
    mass = mass / mass.sum() if mass.sum() > 0 else np.full(size, 1 / size)
    return Draws(draws.weights, draws.rows, mass), parameters


def choose(acquisition, evidence, draws, parameters, allowed=None, seed=1):
    """The place and bits of a question; a generator of its own."""
    pool = evidence if isinstance(evidence, Spied) else Spied(evidence)
    return acquisition.choose(pool, allowed, draws, parameters, np.random.default_rng(seed))


def entropy(probabilities):
    """Shannon's, in bits; what never happens counts nothing."""
    return -sum(p * np.log2(p) for p in probabilities if p > 0)


def chances(favour, against, draws, parameters):
    """The probability of each answer to one question, one draw at a time; (draws, answers)."""
    found = []
    for weights, row in zip(draws.weights, draws.rows, strict=True):
        toward, away = favour @ weights, against @ weights
        found.append(parameters.model(row).probabilities(toward + away, toward - away))
    return np.array(found)
