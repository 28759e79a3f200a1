"""From scores to states and answers: sections `sec:latent-state`, `sec:complete-response-model`."""

import brute_force
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.special import ndtr
from strategies import cases, generators, random_comparison

import equipoise as eq
from equipoise.model.noise import LogisticNoise, NormalNoise
from equipoise.model.respondents import Respondent

AGGREGATORS = ("average", "maximum")


@given(generators())
def test_eq_shorthand_valence_is_the_sum_and_decisiveness_the_difference(rng):
    """R = s+ + s- and kappa = s+ - s-, for one weight vector or many."""
    says = eq.Evidence(rng.random((3, 4)), rng.random((3, 4)))
    weights = rng.dirichlet(np.ones(4), size=5)
    for i, omega in enumerate(weights):
        plus = [sum(omega[j] * says.favour[q, j] for j in range(4)) for q in range(3)]
        minus = [sum(omega[j] * says.against[q, j] for j in range(4)) for q in range(3)]
        np.testing.assert_allclose(eq.valence(says, weights)[:, i], np.add(plus, minus))
        np.testing.assert_allclose(eq.decisiveness(says, omega), np.subtract(plus, minus))


@given(generators(), st.floats(0, 1.2), st.floats(0, 1))
def test_def_threshold_response_model_cases(rng, tau_r, tau_kappa):
    """The state is the one that the four cases of the definition give."""
    plus, minus = rng.random(40), rng.random(40) * rng.integers(0, 2, 40)
    states = eq.latent_state(plus + minus, plus - minus, tau_r, tau_kappa)
    for state, s_plus, s_minus in zip(states, plus, minus, strict=True):
        assert state == brute_force.latent_state(s_plus, s_minus, tau_r, tau_kappa)


def test_def_threshold_response_model_boundaries_belong_to_the_stronger_state():
    """Exactly at a threshold valence is enough and decisiveness too; a double tie is first."""
    assert eq.latent_state(0.5, 0.25, tau_r=0.5, tau_kappa=0.5) == eq.Response.FIRST
    assert eq.latent_state(0.5, -0.25, tau_r=0.5, tau_kappa=0.5) == eq.Response.SECOND
    assert eq.latent_state(0.5, 0.125, tau_r=0.5, tau_kappa=0.5) == eq.Response.CONFLICTED
    assert eq.latent_state(0.25, 0.25, tau_r=0.5, tau_kappa=0.5) == eq.Response.INDIFFERENT
    assert eq.latent_state(0.0, 0.0, tau_r=0.0, tau_kappa=0.0) == eq.Response.FIRST
    assert eq.latent_state(0.7, 0.0, tau_r=0.0, tau_kappa=0.0) == eq.Response.FIRST
    # what reaches a threshold on paper reaches it here: 0.7 + 0.1 is 0.7999999999999999
    assert eq.latent_state(0.7 + 0.1, 0.7 + 0.1, tau_r=0.8, tau_kappa=1.0) == eq.Response.FIRST
    assert eq.FourAnswers(tau_r=0.8).probabilities(0.7 + 0.1, 0.5)[2] == 0


@pytest.mark.parametrize("aggregator", AGGREGATORS)
@given(case=cases(), rng=generators())
def test_sec_latent_state_of_a_person_at_a_question(aggregator, case, rng):
    """From rules to state in one call, as the definitions give one after the other."""
    comparison = random_comparison(rng, case.outputs)
    plus, minus = brute_force.scores(
        case.utilities,
        case.omega,
        brute_force.AGGREGATORS[aggregator],
        case.outputs,
        comparison.first,
        comparison.second,
    )
    # irrational thresholds, so that no state is decided by rounding
    tau_r, tau_kappa = 2**0.5 / 10, 3**0.5 / 5
    state = eq.state(case.model(aggregator), comparison, case.task, tau_r, tau_kappa)
    assert state == brute_force.latent_state(plus, minus, tau_r, tau_kappa)


def test_fig_latent_states_lie_where_the_figure_has_them():
    """Both scores low: indifferent; one high: decisive; both high and alike: conflicted."""
    scores = {(0.1, 0.1): "indifferent", (0.9, 0.1): "first", (0.1, 0.9): "second"}
    for (plus, minus), state in {**scores, (0.8, 0.7): "conflicted"}.items():
        assert eq.latent_state(plus + minus, plus - minus, 0.4, 0.4) == state


LINKS = {"logistic": (LogisticNoise, lambda t: 1 / (1 + np.exp(-t))), "normal": (NormalNoise, ndtr)}


@pytest.mark.parametrize("name", LINKS)
@given(beta=st.floats(0.1, 50), rng=generators())
def test_sec_complete_response_model_link_functions(name, beta, rng):
    """A link is increasing from 0 to 1, h(-t) = 1 - h(t), and h_beta(t) = h(beta t)."""
    noise, link = LINKS[name][0](beta), LINKS[name][1]
    t = np.sort(rng.normal(size=20)) / beta
    np.testing.assert_allclose(noise.cdf(t), link(beta * t), rtol=1e-12)
    np.testing.assert_allclose(noise.cdf(-t), 1 - noise.cdf(t), atol=1e-15)
    np.testing.assert_allclose(noise.sf(t), noise.cdf(-t))
    assert (np.diff(noise.cdf(t)) > 0).all()
    assert noise.cdf(-1e4 / beta) < 1e-300 < 1 - 1e-15 < noise.cdf(1e4 / beta)


@pytest.mark.parametrize("name", LINKS)
@given(rng=generators(), tau_r=st.floats(0, 1), tau_kappa=st.floats(0, 1), beta=st.floats(1, 30))
def test_def_baseline_response_model_cases(name, rng, tau_r, tau_kappa, beta):
    """The probabilities are those of the definition's four cases and sum to one."""
    plus, minus = rng.random(), rng.random() * rng.integers(0, 2)
    r, kappa = plus + minus, plus - minus

    def h(t):
        return LINKS[name][1](beta * t)

    model = eq.FourAnswers(tau_r=tau_r, tau_kappa=tau_kappa, beta=beta, noise=name)
    if r >= tau_r:
        first, second = h(kappa - tau_kappa * r), h(-kappa - tau_kappa * r)
        expected = [first, second, 0.0, 1 - first - second]
    else:
        expected = [0.0, 0.0, 1.0, 0.0]
    np.testing.assert_allclose(model.probabilities(r, kappa), expected, atol=1e-12)


@given(generators())
def test_def_baseline_response_model_without_noise_reports_the_latent_state(rng):
    """As beta grows, the latent state's answer becomes certain."""
    model = eq.FourAnswers(tau_r=0.31, tau_kappa=0.41, beta=1e9)
    plus, minus = rng.random(30), rng.random(30)
    likeliest = np.argmax(model.probabilities(plus + minus, plus - minus), axis=-1)
    states = eq.latent_state(plus + minus, plus - minus, 0.31, 0.41)
    assert [model.answers[i] for i in likeliest] == list(states)


def test_def_baseline_response_model_is_even_exactly_on_a_boundary():
    """Where kappa = tau_kappa r, first and conflicted are equally likely at any beta."""
    model = eq.FourAnswers(tau_r=0.25, tau_kappa=0.5, beta=1e6)
    np.testing.assert_allclose(model.probabilities(0.5, 0.25), [0.5, 0, 0, 0.5], atol=1e-12)
    # the gate is closed below tau_r and open exactly at it
    np.testing.assert_array_equal(model.probabilities(0.2499, 0.2), [0, 0, 1, 0])
    np.testing.assert_allclose(model.probabilities(0.25, 0.25), [1, 0, 0, 0], atol=1e-12)


@given(generators(), st.floats(0.5, 30))
def test_lem_zero_thresh_leaves_two_states_and_two_answers(rng, beta):
    """With thresholds zero the state is kappa's sign and indecisive answers are impossible."""
    plus, minus = rng.random(30), rng.random(30)
    r, kappa = plus + minus, plus - minus
    states = eq.latent_state(r, kappa, 0.0, 0.0)
    expected = np.where(kappa >= 0, eq.Response.FIRST, eq.Response.SECOND)
    assert list(states) == list(expected)
    four = eq.FourAnswers(beta=beta).probabilities(r, kappa)
    h = 1 / (1 + np.exp(-beta * kappa))
    np.testing.assert_allclose(four, np.stack([h, 1 - h, 0 * h, 0 * h], axis=-1), atol=1e-12)
    two = eq.TwoAnswers(beta=beta).probabilities(r, kappa)
    np.testing.assert_allclose(two, four[:, :2], atol=1e-15)


@given(generators())
def test_app_behavioral_science_geometric_weights_approach_a_lexicographic_order(rng):
    """With weights 1 - ..., eps, eps^2, ... the first priority with a gap decides."""
    size, eps = 4, 1e-3
    weights = np.array([0, eps, eps**2, eps**3])
    weights[0] = 1 - weights.sum()
    sides = rng.integers(0, 3, size=(1, 2, size)) / 2  # gaps of 0, 1/2 or 1
    says = eq.Evidence.from_features(sides)
    gaps = (sides[0, 0] - sides[0, 1]).tolist()
    first = next((gap for gap in gaps if gap != 0), 0)
    assert np.sign(eq.decisiveness(says, weights).item()) == np.sign(first)
    question = eq.Question.of_features(*sides[0])
    torn = Respondent(weights, eq.FourAnswers(tau_kappa=1, tau_r=2), "lexicographic")
    if first != 0:
        assert torn.probabilities(question)[0] == (first > 0)
