"""The grid oracle against closed forms, against integrals, and against itself."""

import numpy as np
import pytest
from questionnaires import problem_of, random_questions, transcript_of
from scipy import integrate, stats

from equipoise.inference.grid import grid_posterior
from equipoise.inference.transcripts import Transcript
from equipoise.inference.weights import Dirichlet
from equipoise.model.evidence import Evidence
from equipoise.model.noise import GaussianMixture
from equipoise.model.priors import Beta, Discrete, LogNormal, Uniform
from equipoise.model.responses import (
    FourAnswers,
    LogisticGate,
    PeopleAnswers,
    ThreeAnswers,
    TwoAnswers,
)
from equipoise.model.states import Response

FIRST, SECOND, INDIFFERENT, CONFLICTED, UNDECIDED = Response


@pytest.mark.parametrize("alpha", [[1, 1], [2, 5], [0.2, 0.4], [1, 1, 1], [2, 1, 3], [0.5, 0.5, 1]])
def test_without_answers_weights_keep_the_moments_and_intervals_of_their_prior(alpha):
    """Means, spreads and quantiles are those of the Dirichlet distribution; the evidence is 1."""
    found = grid_posterior(
        problem_of(TwoAnswers(), len(alpha), alpha), Transcript(len(alpha)), cells=300
    )
    total = sum(alpha)
    for j, a in enumerate(alpha):
        marginal = stats.beta(a, total - a)
        assert found.mean()[j] == pytest.approx(marginal.mean(), abs=1e-3)
        assert found.sd()[j] == pytest.approx(marginal.std(), abs=1e-3)
        np.testing.assert_allclose(found.interval(0.8)[j], marginal.interval(0.8), atol=3e-3)
    assert found.log_evidence == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("prior", "exact"),
    [
        (Uniform(0.2, 0.8), stats.uniform(0.2, 0.6)),
        (Beta(2, 5), stats.beta(2, 5)),
        (LogNormal(10, 0.5), stats.lognorm(0.5, scale=10)),
    ],
)
def test_without_answers_numbers_keep_their_prior(prior, exact):
    """Means, spreads and quantiles of an unknown number are those of its prior."""
    name = "beta" if isinstance(prior, LogNormal) else "tau_r"
    found = grid_posterior(problem_of(FourAnswers(**{name: prior})), Transcript(2), 10, 2000)
    assert found.mean(name) == pytest.approx(exact.mean(), rel=1e-3)
    assert found.sd(name) == pytest.approx(exact.std(), rel=1e-2)
    np.testing.assert_allclose(found.interval(0.9, name), exact.interval(0.9), rtol=1e-3)


def test_a_discrete_number_has_the_values_and_chances_of_its_prior():
    """Its mean is that of the list, and the ends of its interval are values in the list."""
    prior = Discrete([0.1, 0.2, 0.7, 0.9], [0.02, 0.5, 0.4, 0.08])
    found = grid_posterior(problem_of(FourAnswers(tau_kappa=prior)), Transcript(2))
    assert found.mean("tau_kappa") == pytest.approx(np.dot(prior.values, prior.p))
    assert found.interval(0.9, "tau_kappa").tolist() == [0.2, 0.9]


SMOOTH = {
    "two answers": (TwoAnswers(beta=4), [FIRST, SECOND]),
    "normal noise": (TwoAnswers(noise="normal", beta=3), [FIRST, SECOND]),
    "a mixture": (TwoAnswers(noise=GaussianMixture([0.3, 0.7], [0.2, -0.1], [0.4, 0.2])), [FIRST]),
    "three answers": (ThreeAnswers(tau_kappa=0.3, width=0.1, beta=5), [UNDECIDED, FIRST]),
    "four answers": (
        FourAnswers(tau_r=0.3, tau_kappa=0.3, gate=LogisticGate(12), lapse=0.05),
        [INDIFFERENT, CONFLICTED],
    ),
}


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("alpha", [[1.0, 1.0], [2.0, 3.0]])
def test_one_weight_agrees_with_numerical_integration(name, alpha):
    """With two priorities, evidence and mean are the integrals along the simplex."""
    responses, answers = SMOOTH[name]
    asked = random_questions(np.random.default_rng(3), len(answers), 2)

    def likelihood(w):
        predicted = responses.predict(asked, [w, 1 - w])
        given = [responses.answers.index(answer) for answer in answers]
        return predicted[range(len(answers)), given].prod()

    prior = stats.beta(*alpha)
    evidence = integrate.quad(lambda w: prior.pdf(w) * likelihood(w), 0, 1)[0]
    mean = integrate.quad(lambda w: w * prior.pdf(w) * likelihood(w), 0, 1)[0] / evidence
    found = grid_posterior(
        problem_of(responses, 2, alpha), transcript_of(asked, answers), cells=1000
    )
    assert found.log_evidence == pytest.approx(np.log(evidence), abs=1e-5)
    assert found.mean()[0] == pytest.approx(mean, abs=1e-5)


@pytest.mark.parametrize("alpha", [[1.0, 1.0, 1.0], [2.0, 1.0, 3.0]])
def test_two_weights_agree_with_numerical_integration(alpha):
    """With three priorities, evidence and means are the integrals over the simplex."""
    responses, answers = SMOOTH["four answers"]
    asked = random_questions(np.random.default_rng(4), 2, 3)

    def density(w2, w1):
        w = np.array([w1, w2, max(1 - w1 - w2, 0)])
        predicted = responses.predict(asked, w)
        prior = np.exp(Dirichlet(alpha).log_density(w))
        return prior * predicted[0, 2] * predicted[1, 3]

    def integral(f):
        return integrate.dblquad(f, 0, 1, 0, lambda w1: 1 - w1, epsabs=1e-7)[0]

    evidence = integral(density)
    means = [
        integral(lambda w2, w1: w1 * density(w2, w1)) / evidence,
        integral(lambda w2, w1: w2 * density(w2, w1)) / evidence,
    ]
    found = grid_posterior(
        problem_of(responses, 3, alpha), transcript_of(asked, answers), cells=250
    )
    assert found.log_evidence == pytest.approx(np.log(evidence), abs=1e-3)
    np.testing.assert_allclose(found.mean()[:2], means, atol=5e-4)


def test_an_unknown_number_agrees_with_numerical_integration():
    """With one priority and one unknown number, its posterior is an integral over its prior."""
    responses = TwoAnswers(beta=LogNormal(3, 0.7))
    asked = Evidence([[0.6], [0.0]], [[0.0], [0.4]])
    found = grid_posterior(
        problem_of(responses, 1), transcript_of(asked, [FIRST, FIRST]), number_cells=4000
    )
    prior = stats.lognorm(0.7, scale=3)

    def density(beta):
        return prior.pdf(beta) / ((1 + np.exp(-0.6 * beta)) * (1 + np.exp(0.4 * beta)))

    evidence = integrate.quad(density, 0, 300, points=[1, 10, 50])[0]
    mean = integrate.quad(lambda b: b * density(b), 0, 300, points=[1, 10, 50])[0] / evidence
    assert found.log_evidence == pytest.approx(np.log(evidence), abs=1e-4)
    assert found.mean("beta") == pytest.approx(mean, rel=1e-3)


def test_a_threshold_known_to_lie_between_two_valences_is_uniform_between_them():
    """One indifferent and one decisive answer cut tau_r's prior to an interval, exactly."""
    asked = Evidence([[0.3], [0.7]], [[0.0], [0.0]])
    problem = problem_of(FourAnswers(tau_r=Uniform(0, 1), beta=500), 1)
    found = grid_posterior(problem, transcript_of(asked, [INDIFFERENT, FIRST]), number_cells=5000)
    assert found.mean("tau_r") == pytest.approx(0.5, abs=1e-3)
    np.testing.assert_allclose(found.interval(0.5, "tau_r"), [0.4, 0.6], atol=1e-3)
    assert found.log_evidence == pytest.approx(np.log(0.4), abs=1e-3)


CONVERGING = {
    # Halving the cells of a smooth likelihood leaves a quarter of the error, or at most half of it
    # for other priors; a step gate's errors are as large as the docstring says.
    "soft": (FourAnswers(tau_r=0.3, tau_kappa=0.3, gate=LogisticGate(12)), 1.0, 0.4),
    "soft, another prior": (FourAnswers(tau_kappa=0.3, gate=LogisticGate(12)), [2, 1, 3], 0.6),
}


@pytest.mark.parametrize("name", CONVERGING)
def test_a_finer_grid_is_nearer_to_the_limit(name):
    """Twice as many cells leave at most a stated share of the error."""
    responses, alpha, share = CONVERGING[name]
    rng = np.random.default_rng(8)
    transcript = transcript_of(random_questions(rng, 3, 3), [FIRST, CONFLICTED, SECOND])
    coarse, fine, finest = (
        grid_posterior(problem_of(responses, 3, alpha), transcript, cells).mean()
        for cells in (16, 32, 256)
    )
    assert abs(fine - finest).max() < share * abs(coarse - finest).max()


@pytest.mark.parametrize(("priorities", "cells"), [(2, 100), (2, 101), (3, 100), (3, 101)])
def test_a_step_gate_is_off_by_no_more_than_the_docstring_says(priorities, cells):
    """Means are within half a cell of those on a grid many times as fine."""
    rng = np.random.default_rng(9)
    responses = FourAnswers(tau_r=0.3, tau_kappa=0.3)
    weights = rng.dirichlet(np.ones(priorities))
    finest_cells = {2: 100_000, 3: 600}[priorities]
    for _ in range(4):
        asked = random_questions(rng, 6, priorities)
        chances = responses.predict(asked, weights)
        answers = [responses.answers[np.argmax(p)] for p in chances]
        transcript = transcript_of(asked, answers)
        problem = problem_of(responses, priorities)
        found, finest = (grid_posterior(problem, transcript, n) for n in (cells, finest_cells))
        assert abs(found.mean() - finest.mean()).max() < 1 / (2 * cells)
        assert abs(found.interval() - finest.interval()).max() < 1.5 / cells


@pytest.mark.parametrize("alpha", [[1.0, 1.0, 1.0], [0.5, 2.0, 1.0]])
def test_permuting_priorities_permutes_the_posterior(alpha):
    """With priorities and prior in another order, so are the means; all else stays."""
    rng = np.random.default_rng(10)
    order = [2, 0, 1]
    responses = FourAnswers(tau_r=Beta(2, 4), tau_kappa=0.3, gate=LogisticGate(12))
    asked, new = random_questions(rng, 3, 3), random_questions(rng, 2, 3)
    answers = [FIRST, CONFLICTED, INDIFFERENT]

    def posterior(order):
        moved = Evidence(asked.favour[:, order], asked.against[:, order])
        problem = problem_of(responses, 3, [alpha[j] for j in order])
        found = grid_posterior(problem, transcript_of(moved, answers), 80, 10)
        return found, found.predict(Evidence(new.favour[:, order], new.against[:, order]))

    (plain, predicted), (permuted, predicted_permuted) = posterior([0, 1, 2]), posterior(order)
    # Triangles lie alike in every order; breaking off weight by weight depends on it a little.
    atol = 1e-9 if alpha == [1.0, 1.0, 1.0] else 2e-3
    np.testing.assert_allclose(permuted.mean(), plain.mean()[order], atol=atol)
    np.testing.assert_allclose(permuted.interval(), plain.interval()[order], atol=10 * atol)
    np.testing.assert_allclose(predicted_permuted, predicted, atol=atol)
    assert permuted.mean("tau_r") == pytest.approx(plain.mean("tau_r"), abs=atol)
    assert permuted.log_evidence == pytest.approx(plain.log_evidence, abs=5 * atol)


@pytest.mark.parametrize(
    ("responses", "answers"),
    [
        (
            FourAnswers(tau_r=Uniform(0, 1), tau_kappa=Discrete([0.1, 0.4], [0.3, 0.7])),
            [FIRST, INDIFFERENT, CONFLICTED, INDIFFERENT],
        ),
        (ThreeAnswers(tau_r=0.2, width=Beta(1, 5)), [UNDECIDED, FIRST, UNDECIDED]),
        (TwoAnswers(lapse=0.1), [FIRST, SECOND, SECOND]),
    ],
)
def test_log_evidence_is_the_sum_of_log_predictive_probabilities(responses, answers):
    """Along the answers, each is predicted from those before it: the chain rule, exactly."""
    asked = random_questions(np.random.default_rng(0), len(answers), 2)
    problem, total = problem_of(responses), 0.0
    for i, answer in enumerate(answers):
        before = transcript_of(asked, answers[:i])
        question = Evidence(asked.favour[i : i + 1], asked.against[i : i + 1])
        predicted = grid_posterior(problem, before).predict(question)
        assert predicted.sum() == pytest.approx(1)
        total += np.log(predicted[0, responses.answers.index(answer)])
    found = grid_posterior(problem, transcript_of(asked, answers))
    assert found.log_evidence == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize("priorities", [2, 3])
def test_a_grid_on_the_part_that_matters_says_the_same(priorities):
    """Where all mass lies in a part of the simplex, a grid on that part finds the same."""
    rng = np.random.default_rng(6)
    responses = TwoAnswers(beta=60)
    weights = np.array([0.5, 0.3, 0.2])[:priorities] / [0.8, 1.0][priorities - 2]
    asked = random_questions(rng, 12, priorities)
    chances = responses.predict(asked, weights)
    transcript = transcript_of(asked, [responses.answers[np.argmax(p)] for p in chances])
    problem = problem_of(responses, priorities)
    whole = grid_posterior(problem, transcript, 800)
    least = np.maximum(whole.mean() - 8 * whole.sd(), 0)
    part = grid_posterior(problem, transcript, 200, least=least)
    np.testing.assert_allclose(part.mean(), whole.mean(), atol=1e-4)
    np.testing.assert_allclose(part.sd(), whole.sd(), rtol=1e-2)
    np.testing.assert_allclose(part.interval(), whole.interval(), atol=1e-3)
    assert part.log_evidence == pytest.approx(whole.log_evidence, abs=1e-3)


@pytest.mark.parametrize(
    ("least", "alpha", "says"),
    [
        ([0.5, 0.5], 1.0, "leave something"),
        ([-0.1, 0.5], 1.0, "leave something"),
        (0.2, 2.0, "needs a uniform prior"),
    ],
)
def test_a_part_that_is_none_is_refused(least, alpha, says):
    """A part must be within the simplex, and the prior on it be uniform."""
    with pytest.raises(ValueError, match=says):
        grid_posterior(problem_of(TwoAnswers(), 2, alpha), Transcript(2), least=least)


def test_chunks_do_not_change_the_result(monkeypatch):
    """Evaluated in small parts, the posterior and its predictions are the same."""
    rng = np.random.default_rng(2)
    problem = problem_of(FourAnswers(tau_r=Uniform(0, 1), tau_kappa=0.2), 3)
    transcript = transcript_of(random_questions(rng, 2, 3), [FIRST, CONFLICTED])
    new = random_questions(rng, 3, 3)
    whole = grid_posterior(problem, transcript, 20, 5)
    predicted = whole.predict(new)
    monkeypatch.setattr("equipoise.inference.grid.CHUNK", 100)
    parts = grid_posterior(problem, transcript, 20, 5)
    np.testing.assert_allclose(parts.mass, whole.mass, atol=1e-15)
    np.testing.assert_allclose(parts.predict(new), predicted, atol=1e-12)


@pytest.mark.parametrize(
    ("responses", "priorities", "cells", "says"),
    [
        (TwoAnswers(), 4, 10, "there are 4 priorities, expected at most 3"),
        (TwoAnswers(), 2, 0, "0 cells"),
        (TwoAnswers(), 3, 5000, "cells is 5000"),
        (PeopleAnswers(), 1, 10, "together need more than"),
        (FourAnswers(tau_r=Uniform(0, 1)), 3, 1000, "expected at most 4,000,000"),
        (TwoAnswers(noise=GaussianMixture.unknown(2)), 2, 10, "an unknown mixture"),
    ],
)
def test_what_a_grid_cannot_do_is_refused(responses, priorities, cells, says):
    """Too many priorities, points or unknowns are refused with a sentence that says why."""
    with pytest.raises(ValueError, match=says):
        grid_posterior(problem_of(responses, priorities), Transcript(priorities), cells)


def test_answers_that_rule_out_every_point_are_refused():
    """Where no point leaves all answers possible, the oracle says so."""
    asked = Evidence([[0.5, 0.5]], [[0.0, 0.0]])
    problem = problem_of(FourAnswers(tau_r=0.4))
    with pytest.raises(ValueError, match="no point of the grid"):
        grid_posterior(problem, transcript_of(asked, [INDIFFERENT]))


def test_only_what_is_learned_can_be_asked_for():
    """A known number has no posterior, which is refused with the names of those that have one."""
    found = grid_posterior(problem_of(FourAnswers(tau_r=Beta(1, 2))), Transcript(2), 5, 5)
    with pytest.raises(ValueError, match="expected weights or tau_r"):
        found.mean("beta")
