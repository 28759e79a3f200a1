"""The response family: laws that hold throughout, known members, priors, refusals."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from strategies import generators

import equipoise as eq
from equipoise.model.noise import LogisticNoise, NormalNoise, between

MIRROR = {"first": "second", "second": "first"}


@st.composite
def models(draw):
    """Any known member of the family with symmetric noise."""
    answers = draw(st.sampled_from([eq.TwoAnswers, eq.ThreeAnswers, eq.FourAnswers]))
    parameters = {
        "beta": draw(st.floats(0.5, 40)),
        "noise": draw(st.sampled_from(["logistic", "normal"])),
        "lapse": draw(st.sampled_from([0.0, 0.03, 1.0])),
    }
    if answers is not eq.TwoAnswers:
        parameters["tau_r"] = draw(st.floats(0, 1.5))
        parameters["tau_kappa"] = draw(st.floats(0, 1))
        parameters["width"] = draw(st.sampled_from([0.0, 0.1, 0.5]))
        parameters["gate"] = draw(st.sampled_from(["step", eq.LogisticGate(28.0)]))
    return answers(**parameters)


@given(models(), generators())
def test_probabilities_are_probabilities(model, rng):
    """They lie in [0, 1] and sum to one, over arrays of any shape."""
    plus, minus = rng.random((3, 5)), rng.random((3, 5))
    found = model.probabilities(plus + minus, plus - minus)
    assert found.shape == (3, 5, len(model.answers))
    assert found.min() >= 0
    np.testing.assert_allclose(found.sum(axis=-1), 1, atol=1e-12)


@given(models(), generators())
def test_swapping_sides_swaps_answers(model, rng):
    """Seen from the other side, first and second change places and nothing else changes."""
    r, kappa = 1.3 * rng.random(20), rng.normal(size=20)
    here, there = model.probabilities(r, kappa), model.probabilities(r, -kappa)
    for i, answer in enumerate(model.answers):
        mirrored = model.answers.index(MIRROR.get(answer, answer))
        np.testing.assert_allclose(here[:, i], there[:, mirrored], atol=1e-12)


@given(models(), generators())
def test_relabelling_priorities_changes_nothing(model, rng):
    """The order of the priorities, with their weights, is of no consequence."""
    says = eq.Evidence(rng.random((4, 3)) / 2, rng.random((4, 3)) / 2)
    weights = rng.dirichlet(np.ones(3))
    order = rng.permutation(3)
    np.testing.assert_allclose(
        model.predict(says, weights),
        model.predict(says.columns(order), weights[order]),
        atol=1e-12,
    )


ONE_OF_EACH = {
    "two answers": eq.TwoAnswers(beta=3),
    "three answers, normal noise": eq.ThreeAnswers(
        tau_r=0.2, tau_kappa=0.3, noise="normal", beta=3
    ),
    "four answers, all soft": eq.FourAnswers(
        tau_r=0.4, tau_kappa=0.3, width=0.1, beta=4, gate=eq.LogisticGate(5), lapse=0.2
    ),
    "a lopsided mixture": eq.FourAnswers(
        tau_kappa=0.3, noise=eq.GaussianMixture([0.3, 0.7], [0.5, -0.3], [0.1, 0.4])
    ),
    "two answers, a lopsided mixture": eq.TwoAnswers(
        noise=eq.GaussianMixture([0.3, 0.7], [0.5, -0.3], [0.1, 0.4])
    ),
}


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_answers_that_are_drawn_come_with_their_probabilities(name):
    """Lapse, gate and noise on the margin, drawn one after the other, give the formula's chances.

    Pearson's test at alpha 1e-4.
    """
    model, rng, draws = ONE_OF_EACH[name], np.random.default_rng(3), 4000
    for r, kappa in ((0.5, 0.12), (0.6, -0.4)):
        given_answers = [model.answer(r, kappa, rng) for _ in range(draws)]
        observed = [given_answers.count(answer) for answer in model.answers]
        expected = draws * model.probabilities(r, kappa)
        possible = expected > 0
        assert sum(observed) == sum(np.array(observed)[possible]) == draws
        assert stats.chisquare(np.array(observed)[possible], expected[possible]).pvalue > 1e-4


@given(generators(), st.floats(0.5, 30), st.floats(0, 0.4))
def test_rao_kupper_is_a_member(rng, beta, width):
    """Thresholds zero and a width: P(first) = h(v - a), P(second) = h(-v - a), a = beta width."""
    kappa = rng.uniform(-1, 1, 20)
    found = eq.ThreeAnswers(beta=beta, width=width).probabilities(abs(kappa), kappa)
    v, a = beta * kappa, beta * width
    first, second = 1 / (1 + np.exp(a - v)), 1 / (1 + np.exp(a + v))
    np.testing.assert_allclose(
        found, np.stack([first, second, 1 - first - second], axis=-1), atol=1e-12
    )


@given(generators(), st.floats(1, 40))
def test_a_logistic_gate_opens_around_tau_r(rng, slope):
    """P(indifferent) falls along a logistic curve, and tends to the step as it steepens."""
    r = rng.uniform(0, 1, 20)
    soft = eq.FourAnswers(tau_r=0.4, gate=eq.LogisticGate(slope)).probabilities(r, 0.0)[:, 2]
    np.testing.assert_allclose(soft, 1 / (1 + np.exp(slope * (r - 0.4))), atol=1e-12)
    steep = eq.FourAnswers(tau_r=0.4, gate=eq.LogisticGate(1e7)).probabilities(r, 0.0)
    hard = eq.FourAnswers(tau_r=0.4).probabilities(r, 0.0)
    np.testing.assert_allclose(steep, hard, atol=1e-6)


def test_the_lapse_applies_after_answers_are_pooled():
    """With three answers a lapse falls on each with a third, not on undecided with a half."""
    found = eq.ThreeAnswers(lapse=0.3, beta=1e9).probabilities(1.0, 1.0)
    np.testing.assert_allclose(found, [0.8, 0.1, 0.1], atol=1e-12)


@pytest.mark.parametrize("noise", [LogisticNoise(3.0), NormalNoise(3.0)])
def test_a_band_far_in_a_tail_keeps_its_digits(noise):
    """The probability of an interval is precise on either side, where a difference would be 0."""
    reference = {LogisticNoise: stats.logistic, NormalNoise: stats.norm}[type(noise)](scale=1 / 3)
    for low, high in [(2.5, 2.6), (-2.6, -2.5), (-0.1, 0.2), (0.0, 1.0)]:
        exact = max(
            reference.cdf(high) - reference.cdf(low), reference.sf(low) - reference.sf(high)
        )
        assert between(noise, low, high) == pytest.approx(exact, rel=1e-12, abs=0)
    assert between(noise, 30.0, 31.0) > 0 or isinstance(noise, NormalNoise)


def test_unknown_parameters_are_named_and_can_be_set():
    """Priors mark what is to be learned; `known` sets it; probabilities need all of it."""
    model = eq.FourAnswers(
        tau_r=eq.Uniform(0, 1),
        tau_kappa=eq.Discrete([0.2, 0.4], [0.5, 0.5]),
        gate=eq.LogisticGate(eq.LogNormal(28, 0.7)),
        noise=eq.GaussianMixture.unknown(3),
        beta=eq.LogNormal(16, 0.55),
    )
    # a mixture has no use for beta, so there is nothing to learn about it
    assert set(model.unknown) == {"tau_r", "tau_kappa", "slope", "noise"}
    with pytest.raises(
        ValueError, match=re.escape("noise is unknown: give it a value with `known")
    ):
        model.probabilities(0.5, 0.1)
    mixture = eq.GaussianMixture([1.0], [0.0], [0.1])
    partly = model.known(noise=mixture, tau_kappa=0.2, slope=30.0)
    with pytest.raises(
        ValueError, match=re.escape("tau_r is unknown: give it a value with `known")
    ):
        partly.probabilities(0.5, 0.1)
    assert partly.known(tau_r=0.3).probabilities(0.5, 0.1).sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="'slope' is not to be learned here, expected tau_r"):
        partly.known(slope=1.0)


def test_people_answers_draw_values_within_reason():
    """Everything about real people is to be learned; draws are known models."""
    people = eq.PeopleAnswers()
    assert set(people.unknown) == {"tau_r", "tau_kappa", "width", "beta", "slope", "lapse"}
    drawn = [people.draw(np.random.default_rng(seed)) for seed in range(400)]
    assert not any(model.unknown for model in drawn)
    assert np.median([model.beta for model in drawn]) == pytest.approx(16, rel=0.15)
    assert np.median([model.tau_r for model in drawn]) == pytest.approx(0.07, abs=0.02)
    assert np.median([model.tau_kappa for model in drawn]) == pytest.approx(0.09, abs=0.02)


PRIORS = [
    (eq.Uniform(-1, 3), stats.uniform(-1, 4)),
    (eq.Beta(1, 9.5), stats.beta(1, 9.5)),
    (eq.Beta(2.5, 0.7), stats.beta(2.5, 0.7)),
    (eq.LogNormal(16, 0.55), stats.lognorm(0.55, scale=16)),
]


@pytest.mark.parametrize(("prior", "reference"), PRIORS)
def test_priors_have_the_density_they_are_named_for(prior, reference):
    """Log densities are those of another library, -inf outside the support."""
    x = np.concatenate([reference.rvs(size=40, random_state=1), [-5.0, 0.3, 400.0]])
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(prior.log_density(x), reference.logpdf(x), rtol=1e-9)


@pytest.mark.parametrize(("prior", "reference"), PRIORS)
def test_priors_draw_from_their_density(prior, reference):
    """A Kolmogorov-Smirnov test at a level that a correct sampler passes."""
    draws = prior.sample(np.random.default_rng(3), 4000)
    assert stats.kstest(draws, reference.cdf).pvalue > 1e-4
    low, high = prior.support
    assert low <= draws.min() <= draws.max() <= high


def test_discrete_priors_are_lists():
    """Probabilities by value; anything else is impossible; draws are as frequent."""
    prior = eq.Discrete([0.0, 0.5, 1.0], [0.0, 0.25, 0.75])
    np.testing.assert_allclose(
        prior.log_density([0.0, 0.5, 1.0, 0.7]), [-np.inf, np.log(0.25), np.log(0.75), -np.inf]
    )
    assert prior.support == (0.5, 1.0)
    draws = prior.sample(np.random.default_rng(3), 4000)
    assert (draws == 0.5).mean() == pytest.approx(0.25, abs=4 * np.sqrt(0.19 / 4000))


def test_unknown_mixtures_draw_from_their_prior():
    """Weights uniform on the simplex, means normal, scales log-normal within their bounds."""
    rng = np.random.default_rng(3)
    drawn = [eq.GaussianMixture.unknown(3).sample(rng) for _ in range(1500)]
    weights = np.array([mixture.weights for mixture in drawn])
    means = np.array([mixture.means for mixture in drawn])
    logs = np.log([mixture.scales for mixture in drawn])
    assert stats.kstest(weights[:, 0], stats.beta(1, 2).cdf).pvalue > 1e-4
    assert stats.kstest(means.ravel(), stats.norm.cdf).pvalue > 1e-4
    bounded = stats.truncnorm(np.log(0.05), np.log(5))
    assert stats.kstest(logs.ravel(), bounded.cdf).pvalue > 1e-4


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: eq.FourAnswers(tau_r=-0.1), "tau_r is -0.1, expected a number of at least 0"),
        (lambda: eq.FourAnswers(tau_r=np.inf), "tau_r is inf, expected a number of at least 0"),
        (lambda: eq.FourAnswers(tau_kappa=1.1), "tau_kappa is 1.1, expected a number in [0, 1]"),
        (lambda: eq.FourAnswers(width=-1), "width is -1, expected a number of at least 0"),
        (lambda: eq.FourAnswers(beta=0), "beta is 0, expected a positive number"),
        (lambda: eq.FourAnswers(beta=math.nan), "beta is nan, expected a positive number"),
        (lambda: eq.FourAnswers(beta=math.inf), "beta is inf, expected a positive number"),
        (lambda: eq.FourAnswers(lapse=2), "lapse is 2, expected a number in [0, 1]"),
        (lambda: eq.FourAnswers(noise="cauchy"), "noise is 'cauchy', expected 'logistic'"),
        (lambda: eq.FourAnswers(gate="open"), "gate is 'open', expected 'step' or LogisticGate"),
        (lambda: eq.FourAnswers(tau_r="a"), "tau_r is 'a', expected a number or a prior"),
        (lambda: eq.FourAnswers(noise=LogisticNoise(2.0)), "expected 'logistic', 'normal', a Gau"),
        (lambda: LogisticNoise(0), "beta is 0, expected a positive number"),
        (lambda: eq.Percentile("50"), "p is '50', expected a number in [0, 100]"),
        (lambda: eq.FourAnswers(beta=eq.Discrete([0, 1], [0.5, 0.5])), "the prior of beta reaches"),
        (lambda: eq.UnknownMixture(3, -1), "mean_sd and log_scale_sd are -1 and 1.0, expected"),
        (lambda: eq.FourAnswers().probabilities(math.nan, 0.1), "decisiveness must be finite"),
        (lambda: eq.FourAnswers().probabilities([1, 2], [1, 2, 3]), "arrays of fitting shapes"),
        (lambda: eq.latent_state(None, 0.1, 0.1, 0.1), "valence and decisiveness must be finite"),
        (lambda: eq.latent_state(0.1, 0.1, 0.1, 0.1, width=-3), "width is -3, expected a number"),
        (lambda: eq.Question(1, {}, {}, None), "evidence is None, expected the evidence of one"),
        (lambda: eq.LogisticGate(-1.0), "slope is -1.0, expected a positive number"),
        (
            lambda: eq.FourAnswers(tau_kappa=eq.Uniform(0, 3)),
            "the prior of tau_kappa reaches over (0, 3), expected numbers in [0, 1]",
        ),
        (lambda: eq.TwoAnswers(tau_r=0.1), "two answers leave no room for indecision"),
        (lambda: eq.TwoAnswers(tau_r=eq.Uniform(0, 1)), "two answers leave no room"),
        (lambda: eq.ResponseModel(("first",)), "answers is ('first',), expected 'first', 'second'"),
        (
            lambda: eq.ResponseModel(("first", "third")),
            "answers is ('first', 'third'), expected 'first', 'second'; 'first', 'second', 'undeci",
        ),
        (lambda: eq.ResponseModel(4), "answers is 4, expected 'first', 'second';"),
        (lambda: eq.FourAnswers().answer(0.5, 0.1, 7), "rng is 7, expected a generator"),
        (lambda: eq.FourAnswers().probabilities(-0.5, 0.1), "valence is -0.5, expected at least 0"),
        (lambda: eq.latent_state([0.1, -0.2], 0, 0.1, 0.1), "valence is -0.2, expected at least 0"),
        (lambda: eq.latent_state("much", 0, 0.1, 0.1), "valence must be an array of numbers"),
        (lambda: eq.Uniform(1, 1), "Uniform(1, 1): expected two numbers, a < b"),
        (lambda: eq.Beta(0, 1), "Beta(0, 1): expected two positive numbers"),
        (lambda: eq.LogNormal(-1, 1), "LogNormal(-1, 1): expected two positive numbers"),
        (lambda: eq.Discrete([0.1, 0.1], [0.5, 0.5]), "values lists a number twice"),
        (lambda: eq.Discrete([0.1], [0.5]), "p sum to 0.5, expected 1"),
        (lambda: eq.GaussianMixture([1], [0], [0]), "scales are [0.], expected numbers above 0"),
        (lambda: eq.GaussianMixture([1], [0, 1], [1]), "means has shape (2,), expected (1,)"),
        (lambda: eq.GaussianMixture.unknown(0), "components is 0, expected at least 1"),
        (
            lambda: eq.latent_state(0.5, 0.1, -3.0, 0.1),
            "tau_r is -3.0, expected a number of at least 0",
        ),
        (
            lambda: eq.latent_state(0.5, 0.1, 0.1, -1),
            "tau_kappa is -1, expected a number in [0, 1]",
        ),
    ],
)
def test_bad_models_are_refused_in_a_sentence(make, message):
    """The error names the argument, what came, and what was expected."""
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda f: eq.Respondent([0.5, 0.6], f), "weights sum to 1.1, expected 1"),
        (lambda f: eq.Respondent([1.0], f, "shrug"), "indecision is 'shrug', expected one of"),
        (lambda f: eq.Respondent([1.0], f, "self-similar"), "needs a `profile` of own features"),
        (
            lambda f: eq.Respondent([1.0], f, "self-similar", [0.1, 0.2]),
            "profile has shape (2,), expected (1,)",
        ),
        (lambda f: eq.Respondent([1.0], "bt"), "responses is 'bt', expected a response model"),
        (lambda f: eq.Respondent([1.0], eq.PeopleAnswers()), "must be known, set them with"),
    ],
)
def test_bad_respondents_are_refused_in_a_sentence(make, message):
    """Weights, kind of indecision, profile and unknowns are checked when a person is made."""
    with pytest.raises(ValueError, match=re.escape(message)):
        make(eq.FourAnswers())


def test_a_person_answers_questions_by_a_generator():
    """Anything else in their place is named, in every kind of indecision."""
    question = eq.Question.of_features([0.5], [0.1])
    for indecision in ("report", "fifty-fifty"):
        person = eq.Respondent([1.0], eq.FourAnswers(tau_r=1.0), indecision)
        with pytest.raises(ValueError, match="rng is 7, expected a generator"):
            person.answer(question, 7)
        with pytest.raises(ValueError, match="question is 'q', expected a Question"):
            person.answer("q", np.random.default_rng(7))


def test_a_self_similar_person_needs_features_to_compare():
    """A question about outputs of rules has no features that could be near anyone's."""
    person = eq.Respondent([1.0], eq.FourAnswers(tau_r=1.0), "self-similar", [0.5])
    question = eq.Question(1, {"x": "a"}, {"x": "b"}, eq.Evidence([[0.1]], [[0.0]]))
    with pytest.raises(ValueError, match="sides are not feature vectors of that length"):
        person.probabilities(question)
