"""Appendix `app:learn-tau`: learning the thresholds along with the weights."""

import numpy as np
import pytest
from agreement import Oracle
from scipy import stats

import equipoise as eq
from equipoise.experiments.methods import METHODS, Truth
from equipoise.inference.draws import Problem
from equipoise.inference.hit_and_run import HitAndRun, random_step
from equipoise.inference.kernels.hit_and_run import reflect
from equipoise.inference.parameters import Parameters
from equipoise.inference.transcripts import Transcript
from equipoise.inference.weights import Dirichlet

GAMMA_MAX, K_GAMMA, BETA = 0.95, 10, 10.0
TRUTH = Truth(tau_r=0.4, tau_kappa=0.4, beta=BETA)


def learner_model():
    """The response model that the paper's diamond learns under."""
    return METHODS["utilize-4-thresholds"].assumed(TRUTH)


def instance(dimensions, queries, seed):
    """A transcript of the paper's experiments: differences of features, and answers."""
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(dimensions))
    person = eq.Respondent(weights, METHODS["utilize-4-thresholds"].true(TRUTH))
    problem = Problem(dimensions, Parameters(learner_model()), Dirichlet(1))
    transcript, delta, answers = Transcript(dimensions), [], []
    for _ in range(queries):
        question = eq.Question.of_features(*rng.random((2, dimensions)))
        answers.append(person.answer(question, rng))
        delta.append(np.subtract(question.first, question.second))
        transcript.append(question.evidence, answers[-1])
    return problem, transcript, np.array(delta), answers


def test_alg_learn_tau_has_the_grid_and_the_priors_of_the_text():
    """Gamma has K values from 0 to its maximum, weighed by [u(1-u)]^(1/2); tau_r is uniform."""
    model = learner_model()
    gammas = [k * GAMMA_MAX / (K_GAMMA - 1) for k in range(K_GAMMA)]
    np.testing.assert_allclose(model.tau_kappa.values, gammas, atol=1e-12)
    weights = [(g / GAMMA_MAX * (1 - g / GAMMA_MAX)) ** 0.5 for g in gammas[:-1]] + [0.0]
    np.testing.assert_allclose(model.tau_kappa.p, np.array(weights) / sum(weights), atol=1e-12)
    assert model.tau_kappa.p[0] == model.tau_kappa.p[-1] == 0  # excludes both ends
    assert min(model.tau_kappa.p[1:-1]) > 0
    assert model.tau_r == eq.Uniform(0, 1)


@pytest.mark.parametrize(("proposed", "expected"), [(1.05, 0.95), (-0.05, 0.05), (0.3, 0.3)])
def test_alg_learn_tau_reflects_proposals_that_fall_outside(proposed, expected):
    """1.05 is mapped to 0.95, and -0.05 to 0.05; what lies within stays."""

    class Fixed:
        """Draws the one number with which the step ends where it's proposed to."""

        def standard_normal(self):
            return (proposed - 0.5) / 0.1  # sd of the proposal, tab:bald-hyperparams

    assert random_step(0.5, eq.Uniform(0, 1), Fixed()) == pytest.approx(expected)
    assert reflect(proposed, 0.0, 1.0) == pytest.approx(expected)


def test_alg_learn_tau_draws_gamma_given_all_else():
    """Step (3) draws each grid value as often as its p_k, written out, at the state's weights."""
    problem, transcript, delta, answers = instance(dimensions=5, queries=12, seed=1)
    rng = np.random.default_rng(2)
    sampler = HitAndRun(kept=20_000)
    draws = sampler.update(sampler.start(problem, rng), transcript, problem, rng)
    tau_r, gamma = (problem.parameters.column(n, draws.rows) for n in ("tau_r", "tau_kappa"))
    r, kappa = draws.weights @ abs(delta).T, draws.weights @ delta.T
    h = lambda t: 1 / (1 + np.exp(-BETA * t))  # noqa: E731
    a = []  # a_k = pi_0(gamma_k) L(omega, tau_r, gamma_k), for every state
    for gamma_k, prior in zip(*vars(learner_model().tau_kappa).values(), strict=True):
        band = gamma_k * r
        enough = r >= tau_r[:, None]
        chances = {
            "first": enough * (1 - h(band - kappa)),
            "second": enough * h(-band - kappa),
            "conflicted": enough * (h(band - kappa) - h(-band - kappa)),
            "indifferent": 1.0 - enough,
        }
        a.append(prior * np.prod([chances[y][:, s] for s, y in enumerate(answers)], axis=0))
    p = np.array(a) / np.sum(a, axis=0)
    for gamma_k, p_k in zip(learner_model().tau_kappa.values, p, strict=True):
        # Each state's gamma is drawn anew given its weights and tau_r: surprises are independent.
        surprise = ((gamma == gamma_k) - p_k).sum()
        spread = np.sqrt((p_k * (1 - p_k)).sum())
        assert abs(surprise) <= stats.norm.isf(1e-4 / 2 / K_GAMMA) * spread


def test_alg_learn_tau_moves_every_part_in_a_sweep():
    """Weights, tau_r and gamma all move, and never to where an answer is impossible."""
    problem, transcript, delta, answers = instance(dimensions=5, queries=12, seed=1)
    rng = np.random.default_rng(3)
    sampler = HitAndRun(kept=2000)
    draws = sampler.update(sampler.start(problem, rng), transcript, problem, rng)
    tau_r, gamma = (problem.parameters.column(n, draws.rows) for n in ("tau_r", "tau_kappa"))
    for chain in (draws.weights[:, 0], tau_r, gamma):
        assert (np.diff(chain) != 0).mean() > 0.01
    enough = draws.weights @ abs(delta).T >= tau_r[:, None]
    indifferent = np.array([answer == "indifferent" for answer in answers])
    assert (enough != indifferent).all()
    assert ((tau_r >= 0) & (tau_r <= 1)).all()


@pytest.mark.slow
def test_alg_learn_tau_agrees_with_the_grid_oracle():
    """Weights and both thresholds have the oracle's posterior, on the paper's priors."""
    problem, transcript, *_ = instance(dimensions=2, queries=8, seed=4)
    new = eq.Evidence.from_features(np.random.default_rng(5).random((4, 2, 2)))
    oracle = Oracle(problem, transcript, new, cells=120, number_cells=300)
    sampler = HitAndRun(kept=20_000, burn_in=1000)
    runs = [
        sampler.update(HitAndRun(1).start(problem, rng), transcript, problem, rng)
        for rng in np.random.default_rng(6).spawn(20)
    ]
    assert oracle.disagreements(runs) == {}
    forgetful = Transcript(2)  # a control that must fail: tau_r is not learned without answers
    runs = [
        sampler.update(HitAndRun(1).start(problem, rng), forgetful, problem, rng)
        for rng in np.random.default_rng(6).spawn(20)
    ]
    assert "mean of tau_r" in oracle.disagreements(runs)
