"""Section `sec:speed`, and `app:algo-details`: active learning, and its settings."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from scipy import stats

import equipoise as eq
from equipoise.acquisition import Bald
from equipoise.experiments.claims import CLAIMS
from equipoise.experiments.methods import METHODS, Truth, grid_prior
from equipoise.experiments.simulation import Simulation, learn_person
from equipoise.inference.hit_and_run import HitAndRun
from equipoise.inference.parameters import LOG_SCALE_STEP, MEAN_STEP, STEP
from equipoise.learner import Learner
from equipoise.learner.settings import SAMPLERS
from equipoise.model.responses import TWO

SETTINGS = Simulation("utilize-4", tau_r=0.4, tau_kappa=0.4, sampler="paper")
TRUTH = Truth(0.4, 0.4, beta=10)


@dataclass
class Recorded:
    """The paper's sampler, and what it was given and made."""

    sampler: HitAndRun = field(default_factory=HitAndRun)
    lengths: list = field(default_factory=list)
    draws: list = field(default_factory=list)

    def start(self, problem, rng):
        """Draw from the prior."""
        self.draws.append(self.sampler.start(problem, rng))
        return self.draws[-1]

    def update(self, draws, transcript, problem, rng):
        """Sample the posterior."""
        assert draws is self.draws[-1]
        self.lengths.append(len(transcript))
        self.draws.append(self.sampler.update(draws, transcript, problem, rng))
        return self.draws[-1]


@dataclass
class Watched:
    """BALD, and from what it chose."""

    bald: Bald
    pools: list = field(default_factory=list)
    chosen: list = field(default_factory=list)

    def choose(self, pool, allowed, draws, parameters, rng):
        """Choose, and remember."""
        self.pools.append(pool.evidence(slice(None)))
        place, bits = self.bald.choose(pool, allowed, draws, parameters, rng)
        self.chosen.append((place, bits))
        return place, bits


def bald_by_definition(model, says, weights):
    """The score of every question: entropy of the mean answer, less the mean entropy, in bits."""

    def entropy(p):
        return -np.where(p > 0, p * np.log2(np.where(p > 0, p, 1)), 0).sum(axis=-1)

    answers = np.array([model.predict(says, omega) for omega in weights])
    return entropy(answers.mean(axis=0)) - entropy(answers).mean(axis=0)


def test_tab_bald_hyperparams_of_the_experiment():
    """d, T, C, the concentration of true weights and beta are what a simulation starts from."""
    assert SETTINGS.dimensions == 5
    assert SETTINGS.queries == 100
    assert SETTINGS.pool == 50
    assert SETTINGS.concentration == 0.2
    assert SETTINGS.beta == 10
    assert SETTINGS.people == 40
    assert SETTINGS.inputs().shape == (300, 5, 5)


def test_tab_bald_hyperparams_of_the_sampler():
    """N_post and B, and how far random steps go, are the paper's sampler's own."""
    assert SAMPLERS["paper"]() == HitAndRun(kept=200, burn_in=200)
    learner = Learner(5, eq.TwoAnswers(), seed=1, sampler=SETTINGS.sampler)
    assert learner.log()[0]["declaration"]["sampler"] == {"paper": {"kept": 200, "burn_in": 200}}
    assert STEP == 0.1
    assert (MEAN_STEP, LOG_SCALE_STEP) == (0.3, 0.3)


def test_the_papers_numbers_are_compared_with_those_of_its_own_sampler():
    """Every claim of sec:speed and sec:accuracy is about an experiment by the paper's sampler."""
    assert {claim.experiment.sampler for claim in CLAIMS} == {"paper"}


@pytest.mark.parametrize("name", METHODS)
def test_tab_bald_hyperparams_of_each_method(name):
    """N_BALD is 50, and 30 where noise is learned: three Gaussians with scales in [0.05, 5]."""
    method = METHODS[name]
    assert method.draws == (30 if name.endswith("-noise") else 50)
    noise = method.assumed(TRUTH).noise
    if name.endswith("-noise"):
        assert noise.components == 3
        assert (noise.smallest_scale, noise.largest_scale) == (0.05, 5.0)
    else:
        assert noise == "logistic"


def test_tab_bald_hyperparams_of_the_grid_of_thresholds():
    """K_gamma is 10, gamma_max 0.95."""
    assert len(grid_prior().values) == 10
    assert max(grid_prior().values) == 0.95


def test_tab_bald_hyperparams_true_weights_are_dirichlet():
    """Each weight is Beta(0.2, 0.8), at alpha 1e-4 over 2,000 people."""
    weights = np.array([SETTINGS.person(k).weights for k in range(2000)])
    for j in range(5):
        assert stats.kstest(weights[:, j], stats.beta(0.2, 0.8).cdf).pvalue > 1e-4


def test_tab_bald_hyperparams_questions_are_uniform():
    """Features of both sides of a random question are uniform on [0, 1], at alpha 1e-4."""
    learner = Learner(5, eq.TwoAnswers(), seed=1, acquisition="random", pool=1)
    sides = []
    for _ in range(400):
        question = learner.ask()
        sides.append((question.first, question.second))
        learner.skip()
    assert stats.kstest(np.ravel(sides), stats.uniform.cdf).pvalue > 1e-4


def test_alg_bald_template_line_by_line():
    """A pool of C, the best of it asked, the answer kept, the posterior sampled from all so far."""
    model = eq.FourAnswers(tau_r=0.4, tau_kappa=0.4, beta=10)
    person = eq.Respondent(np.full(5, 0.2), model)
    sampler, acquisition = Recorded(), Watched(Bald(None))
    rng = np.random.default_rng(2)
    learner = Learner(5, model, seed=1, sampler=sampler, acquisition=acquisition, pool=50)
    for t in range(1, 9):
        before = sampler.draws[-1]
        question = learner.ask()
        pool, (place, bits) = acquisition.pools[-1], acquisition.chosen[-1]
        assert pool.favour.shape == (50, 5)  # (1)
        scores = bald_by_definition(model, pool, before.weights)  # (2)
        assert place == scores.argmax()  # (3)
        assert bits == pytest.approx(scores.max(), abs=1e-9)
        np.testing.assert_array_equal(question.evidence.favour[0], pool.favour[place])
        learner.tell(question, person.answer(question, rng))  # (4)
        assert sampler.lengths == list(range(1, t + 1))  # (5): one answer more every time
        assert len(sampler.draws) == t + 1  # (6)
        assert len(sampler.draws[-1]) == 200
        np.testing.assert_allclose(
            learner.posterior.mean(), sampler.draws[-1].weights.mean(axis=0), atol=1e-12
        )


def test_alg_bald_template_pools_are_drawn_anew():
    """No candidate of one round is there in the next."""
    acquisition = Watched(Bald(50))
    model = eq.TwoAnswers()
    learner = Learner(5, model, seed=1, sampler="paper", acquisition=acquisition, pool=50)
    for _ in range(3):
        learner.tell(learner.ask(), "first")
    seen = np.concatenate([pool.favour - pool.against for pool in acquisition.pools])
    assert len(np.unique(seen, axis=0)) == 150


@pytest.mark.parametrize("method", ["utilize-4", "ignore", "correct"])
def test_alg_bald_template_retains_what_the_method_says(method):
    """Line (5): all answers, or the decisive ones; the output is the last posterior mean."""
    sampler = Recorded()
    simulation = Simulation(method, 0.6, 0.6, queries=25, sampler=sampler)
    course = learn_person(simulation, 0)
    retained = [a for a in course.responses if method != "ignore" or a in TWO]
    assert sampler.lengths == list(range(1, len(retained) + 1))
    assert (len(retained) < 25) == (method == "ignore")
    last = sampler.draws[-1].weights.mean(axis=0)
    np.testing.assert_allclose(course.estimates[-1], last, atol=1e-12)


def test_alg_bald_template_learns():
    """After forty questions the weights of three people are known to within a tenth."""
    simulation = replace(SETTINGS, people=3, queries=40)
    for k in range(3):
        course = learn_person(simulation, k)
        error = np.abs(course.estimates - course.person.weights).sum(axis=1)
        assert error[-1] < 0.1 < error[0]
