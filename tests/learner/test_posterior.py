"""What is known: means, intervals, states, predictions, recommendations, warnings, export."""

import sys

import numpy as np
import pytest
from hypothesis import given
from sessions import (
    ALIKE,
    FAIR,
    MODELS,
    TASK,
    YEARS_GAINED,
    features,
    go_on,
    kidneys,
    local,
)
from strategies import generators

import equipoise as eq
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters
from equipoise.learner.posterior import Recommendation

UNKNOWN = {
    "known thresholds": {"weights": (40, 3)},
    "unknown thresholds": {"weights": (40, 3), "tau_r": (40,), "tau_kappa": (40,)},
    "unknown mixture": {"weights": (40, 3), "noise": (40, 3, 3)},
    "people": {
        "weights": (40, 3),
        **dict.fromkeys(["tau_r", "tau_kappa", "width", "beta", "lapse", "slope"], (40,)),
    },
}


class Given:
    """A sampler whose draws are given."""

    def __init__(self, weights, distinct=1.0, times=None):
        self.weights, self.distinct = np.array(weights, dtype=float), distinct
        self.times = np.ones(len(self.weights)) if times is None else np.array(times)

    def start(self, problem, rng):
        rows = problem.parameters.draw(rng, len(self.weights))
        mass = self.times / self.times.sum()
        return Draws(self.weights, rows, mass, info={"distinct": self.distinct})

    def update(self, draws, transcript, problem, rng):
        return draws


def posterior_of(weights, responses=MODELS["known thresholds"], distinct=1.0, times=None):
    """A posterior over features with the weights given."""
    sampler = Given(weights, distinct, times)
    return features(sampler.weights.shape[1], responses, sampler=sampler).posterior


@pytest.mark.parametrize("name", UNKNOWN)
def test_draws_have_everything_unknown_by_name(name):
    """What is to be learned, and nothing else, is among the draws, in its own shape."""
    learner = features(responses=MODELS[name])
    go_on(learner, 2)
    posterior = learner.posterior
    assert {n: values.shape for n, values in posterior.draws.items()} == UNKNOWN[name]
    assert len(posterior) == 40
    np.testing.assert_allclose(posterior.draws["weights"].sum(axis=1), 1)
    assert (posterior.draws["weights"] >= 0).all()


@pytest.mark.parametrize("name", UNKNOWN)
def test_before_any_answer_the_posterior_is_the_prior(name):
    """Draws spread as the priors say: four standard errors around their means."""
    learner = features(responses=MODELS[name], sampler=eq.HitAndRun(kept=4000))
    posterior = learner.posterior
    mean = posterior.mean()
    sd = np.sqrt((1 / 3) * (2 / 3) / 4)  # of a weight under Dirichlet(1, 1, 1)
    assert (abs(mean - 1 / 3) < 4 * sd / np.sqrt(4000)).all()
    assert posterior.distinct == 1
    assert posterior.warnings == ()
    if "tau_r" in posterior.draws:
        drawn = MODELS[name].tau_r.sample(np.random.default_rng(0), 100_000)
        assert abs(posterior.mean("tau_r") - drawn.mean()) < 5 * drawn.std() / np.sqrt(4000)


def test_a_prior_of_one_s_own():
    """With a concentration for each priority, weights start where it puts them."""
    learner = features(prior=eq.Dirichlet([8, 1, 1]), sampler=eq.HitAndRun(kept=2000))
    np.testing.assert_allclose(learner.posterior.mean(), [0.8, 0.1, 0.1], atol=0.02)


def test_means_and_intervals():
    """The mean is that of the draws; an interval has as many of them on either side of it."""
    rng = np.random.default_rng(1)
    posterior = posterior_of(rng.dirichlet(np.ones(3), 1001))
    weights = np.sort(posterior.draws["weights"], axis=0)
    np.testing.assert_allclose(posterior.mean(), weights.mean(axis=0))
    np.testing.assert_allclose(posterior.interval(), weights[[50, 950]].T)
    np.testing.assert_allclose(posterior.interval(0.5), weights[[250, 750]].T)
    np.testing.assert_allclose(posterior.interval(1), weights[[0, 1000]].T)
    np.testing.assert_allclose(posterior.interval(0), weights[[500, 500]].T)


def test_means_and_intervals_of_thresholds():
    """Numbers that are learned have a mean and an interval of their own."""
    learner = features(responses=MODELS["people"])
    go_on(learner, 3)
    tau_r = np.sort(learner.posterior.draws["tau_r"])
    assert learner.posterior.mean("tau_r") == pytest.approx(tau_r.mean())
    assert learner.posterior.interval(1, "tau_r") == pytest.approx(tau_r[[0, -1]])
    assert learner.posterior.interval(0.9, "beta").shape == (2,)


@given(generators())
def test_a_draw_counts_by_its_mass(rng):
    """Draws with masses say in everything what they do where each is there so many times."""
    weights, times = rng.dirichlet(np.ones(3), 5), rng.integers(0, 4, 5) + np.eye(5)[0]
    times = np.append(times, 20 - times.sum())
    weights = np.vstack([weights, rng.dirichlet(np.ones(3))])
    responses = MODELS["known thresholds"]
    weighed = features(3, responses, sampler=Given(weights, times=times))
    repeated = features(3, responses, sampler=Given(np.repeat(weights, times.astype(int), axis=0)))
    sides, options = rng.random((4, 2, 3)), rng.random((5, 3))
    one, other = weighed.posterior, repeated.posterior
    np.testing.assert_allclose(one.mean(), other.mean())
    np.testing.assert_allclose(one.states(sides), other.states(sides), atol=1e-12)
    np.testing.assert_allclose(one.predict(sides), other.predict(sides), atol=1e-12)
    assert one.outweighs(0, 1) == pytest.approx(other.outweighs(0, 1))
    advice, again = weighed.recommend(options), repeated.recommend(options)
    assert advice.choice == again.choice
    np.testing.assert_allclose(advice.chances, again.chances, atol=1e-12)
    np.testing.assert_allclose(advice.regrets, again.regrets, atol=1e-12)


def test_draws_that_are_handed_out_are_equally_likely():
    """Of draws with a mass, each is handed out as often as its mass says; intervals are theirs."""
    posterior = posterior_of([[1, 0], [0.5, 0.5], [0.25, 0.75], [0, 1]], times=[0, 2, 1, 1])
    first = np.sort(posterior.draws["weights"][:, 0])
    np.testing.assert_array_equal(first, [0, 0.25, 0.5, 0.5])
    np.testing.assert_allclose(posterior.interval(1)[0], [0, 0.5])


@given(generators())
def test_intervals_widen_with_their_probability(rng):
    """A wider probability never has a narrower interval."""
    posterior = posterior_of(rng.dirichlet(np.ones(3), 30))
    low, high = np.sort(rng.random(2))
    inner, outer = posterior.interval(low), posterior.interval(high)
    assert (outer[:, 0] <= inner[:, 0]).all()
    assert (inner[:, 1] <= outer[:, 1]).all()


def test_outweighs():
    """It's the share of draws in which one weighs more, by number or by name; ties count not."""
    posterior = posterior_of([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.4, 0.4, 0.2], [0.6, 0.3, 0.1]])
    assert posterior.outweighs(0, 1) == 0.5
    assert posterior.outweighs("feature 2", "feature 1") == 0.25
    assert posterior.outweighs("feature 1", 2) == 0.75
    assert posterior.outweighs(1, 1) == 0
    learner = kidneys()
    go_on(learner, 3)
    assert learner.posterior.outweighs("years gained", "proportionality") == pytest.approx(
        learner.posterior.outweighs(0, 1)
    )


def test_states_by_hand():
    """States are counted over draws, by the thresholds and without noise."""
    responses = eq.FourAnswers(tau_r=0.3, tau_kappa=0.5, lapse=0.1, beta=1)
    posterior = posterior_of([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.8, 0.2]], responses)
    question = [[[0.9, 0.2], [0.3, 0.8]]]  # gaps 0.6 and -0.6
    np.testing.assert_allclose(posterior.states(question), [[0.5, 0.25, 0.0, 0.25]])
    question = [[[0.5, 0.2], [0.3, 0.8]]]  # valence 0.2, 0.6, 0.4, 0.28
    np.testing.assert_allclose(posterior.states(question), [[0.0, 0.5, 0.5, 0.0]])


@pytest.mark.parametrize("name", MODELS)
def test_states_are_those_of_each_draw(name):
    """A column is the share of draws whose own model and weights put somebody in that state."""
    learner = features(responses=MODELS[name])
    go_on(learner, 2)
    posterior = learner.posterior
    sides = np.random.default_rng(1).random((7, 2, 3))
    found = posterior.states(sides)
    columns = ["first", "second", "indifferent", "conflicted"]
    expected = np.zeros((7, 4))
    for k, weights in enumerate(posterior.draws["weights"]):
        tau_r, tau_kappa, width = (
            posterior.draws[n][k] if n in posterior.draws else getattr(MODELS[name], n)
            for n in ("tau_r", "tau_kappa", "width")
        )
        for q, (first, second) in enumerate(sides):
            toward = weights @ np.maximum(first - second, 0)
            away = weights @ np.maximum(second - first, 0)
            band = tau_kappa * (toward + away) + width
            if toward + away < tau_r:
                state = "indifferent"
            elif abs(toward - away) >= band:
                state = "first" if toward > away else "second"
            else:
                state = "conflicted"
            expected[q, columns.index(state)] += 1 / 40
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_predictions_are_averages_over_draws(name):
    """The chance of an answer is the mean of its chances by the model of each draw."""
    learner = features(responses=MODELS[name])
    go_on(learner, 2)
    draws, parameters = learner.posterior.draws, Parameters(MODELS[name])
    says = eq.Evidence.from_features(np.random.default_rng(1).random((5, 2, 3)))
    chances = []
    for k, weights in enumerate(draws["weights"]):
        unknown = {n: draws[n][k] for n in parameters.unknown}
        if "noise" in unknown:
            unknown["noise"] = eq.GaussianMixture(*unknown["noise"])
        chances.append(MODELS[name].known(**unknown).predict(says, weights))
    found = learner.posterior.predict(says)
    np.testing.assert_allclose(found, np.mean(chances, axis=0), atol=1e-10)
    np.testing.assert_allclose(found.sum(axis=1), 1)


def test_new_questions_of_a_task():
    """States and predictions of comparisons follow from what the priorities say of them."""
    learner = kidneys()
    go_on(learner, 2)
    says = eq.evidence([YEARS_GAINED, FAIR], local(), TASK, aggregator="maximum", scale="per-input")
    posterior = learner.posterior
    np.testing.assert_allclose(posterior.states(local()), posterior.states(says))
    np.testing.assert_allclose(posterior.predict(local()), posterior.predict(says))


def test_a_posterior_stays_what_it_was():
    """What was known then isn't changed by what is learned, or undone, later."""
    learner = features()
    go_on(learner, 2)
    then = learner.posterior
    weights, mean = then.draws["weights"].copy(), then.mean()
    go_on(learner, 2)
    learner.undo()
    learner.undo()
    np.testing.assert_array_equal(then.draws["weights"], weights)
    np.testing.assert_array_equal(then.mean(), mean)
    np.testing.assert_array_equal(learner.posterior.draws["weights"], weights)


def test_recommendations_by_hand():
    """The choice has the best mean; chances are shares of draws; regrets are against the best."""
    advice = Recommendation.among(np.array([[0.9, 0.5, 0.0], [0.2, 0.4, 0.0], [0.8, 0.5, 0.9]]))
    assert advice.choice == 0
    np.testing.assert_allclose(advice.chances, [1 / 3, 1 / 3, 1 / 3])
    best = (0.9 + 0.4 + 0.9) / 3
    np.testing.assert_allclose(advice.regrets, [best - 1.9 / 3, best - 1.4 / 3, best - 0.9 / 3])


@given(generators())
def test_recommendations_add_up(rng):
    """Chances sum to one, no regret is negative, and the choice has the least regret."""
    options = rng.random((int(rng.integers(1, 6)), 3))
    posterior = posterior_of(rng.dirichlet(np.ones(3), 20))
    advice = Recommendation.among(posterior.draws["weights"] @ options.T)
    assert advice.chances.sum() == pytest.approx(1)
    assert (advice.regrets >= -1e-12).all()
    assert advice.regrets[advice.choice] == pytest.approx(advice.regrets.min())


def test_the_first_of_equal_options_is_recommended():
    """Options that are equal on paper are as good as each other, whatever rounding says."""
    advice = features().recommend([[0.1, 0.1, 0.1], [0.3, 0.3, 0.3], [0.1 + 0.2] * 3])
    assert advice.choice == 1
    np.testing.assert_allclose(advice.chances, [0, 1, 0])
    np.testing.assert_allclose(advice.regrets, [0.2, 0, 0], atol=1e-12)


def test_recommending_features():
    """Options of a learner of features are points; the one that dominates is surely best."""
    learner = features()
    go_on(learner, 2)
    advice = learner.recommend([[0.2, 0.1, 0.3], [0.9, 0.8, 0.7], [0.1, 0.8, 0.0]])
    assert advice.choice == 1
    np.testing.assert_allclose(advice.chances, [0, 1, 0])
    weights = learner.posterior.mean()
    assert advice.regrets[0] == pytest.approx(weights @ [0.7, 0.7, 0.4])


def test_recommending_rules():
    """Options of a learner of a task are rules, judged by the priorities on whole rules."""
    learner = kidneys([YEARS_GAINED, ALIKE])
    go_on(learner, 2)
    everywhere_ann = TASK.rule(dict.fromkeys(TASK.inputs, "ann"))
    everywhere_ben = TASK.rule(dict.fromkeys(TASK.inputs, "ben"))
    mixed = TASK.rule({"kidney 1": "ann", "kidney 2": "ben", "kidney 3": "ben"})
    advice = learner.recommend([everywhere_ben, everywhere_ann, mixed])
    assert advice.choice == 1
    weights = learner.posterior.mean()
    assert advice.regrets[0] == pytest.approx(weights @ [0.7, 0])
    assert advice.regrets[2] == pytest.approx(weights @ [0.9 - 1.3 / 3, 1])


def test_warnings_about_a_chain_that_stands_still():
    """Who has a hundred draws worth one is told so."""
    still = posterior_of(np.full((100, 3), 1 / 3))
    assert any("worth 1 independent" in warning for warning in still.warnings)
    stuck = posterior_of(np.random.default_rng(1).dirichlet(np.ones(3), 400), distinct=0.02)
    assert stuck.distinct == 0.02
    assert stuck.warnings == ("only 2% of the draws differ: the sampler has hardly moved",)


def test_warnings_about_a_threshold_that_may_be_higher():
    """A prior on tau_r that ends below a valence that was asked about is pointed out."""
    narrow = features(
        responses=eq.FourAnswers(tau_r=eq.Uniform(0, 0.2), tau_kappa=0.2),
        sampler=eq.HitAndRun(kept=2000),
    )
    assert narrow.posterior.warnings == ()
    narrow.tell(narrow.ask([[[0.9, 0.1, 0.4], [0.3, 0.1, 0.4]]]), "first")
    assert any(
        "tau_r is believed to be at most 0.2, but valence reaches 0.6" in warning
        for warning in narrow.posterior.warnings
    )
    wide = features(
        responses=eq.FourAnswers(tau_r=eq.Uniform(0, 1), tau_kappa=0.2),
        sampler=eq.HitAndRun(kept=2000),
    )
    wide.tell(wide.ask([[[0.9, 0.1, 0.4], [0.3, 0.1, 0.4]]]), "first")
    assert not any("tau_r is believed" in warning for warning in wide.posterior.warnings)


@pytest.mark.parametrize("name", UNKNOWN)
# ArviZ says once a day, when it's imported, that its next version will be another.
@pytest.mark.filterwarnings("ignore:\nArviZ is undergoing:FutureWarning")
def test_arviz_has_the_same_draws(name):
    """Exported draws are one chain, with the priorities' names."""
    pytest.importorskip("arviz")
    learner = features(responses=MODELS[name])
    go_on(learner, 2)
    exported = learner.posterior.to_arviz().posterior
    assert exported.sizes["chain"] == 1
    assert exported.sizes["draw"] == 40
    assert list(exported.coords["priority"].values) == ["feature 1", "feature 2", "feature 3"]
    assert set(exported.data_vars) == set(UNKNOWN[name])
    for n, values in learner.posterior.draws.items():
        np.testing.assert_array_equal(exported[n].values[0], values)


def test_without_arviz_it_is_said_what_to_install(monkeypatch):
    """The export says which extra it needs."""
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(ImportError, match=r"pip install 'equipoise\[arviz\]'"):
        features().posterior.to_arviz()


def test_draws_can_be_read_only():
    """What a posterior hands out can't change what the learner goes on from."""
    learner = eq.Learner(3, eq.FourAnswers(tau_r=eq.Uniform(0, 1)), seed=1, pool=10)
    learner.tell(learner.ask(), "first")
    for values in learner.posterior.draws.values():
        with pytest.raises(ValueError, match="read-only"):
            values[:] = 5
    learner.tell(learner.ask(), "first")


def test_truth_values_are_no_priorities():
    """True isn't the second priority; a whole number of NumPy's is a place."""
    posterior = eq.Learner(3, eq.TwoAnswers(), seed=1).posterior
    with pytest.raises(ValueError, match="True is no priority"):
        posterior.outweighs(True, False)
    assert posterior.outweighs(np.int64(0), 1) == posterior.outweighs(0, 1)
