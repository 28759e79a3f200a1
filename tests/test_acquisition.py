"""How informative questions are, against the formula written out, and which one is chosen."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from pools import Spied, chances, choose, entropy, prior_draws, random_evidence
from strategies import generators

import equipoise as eq
from equipoise.acquisition import Bald, Random, VolumeRemoval, information
from equipoise.acquisition.pools import CHUNK, FINALISTS, LOOKED_AT, MOST_KEPT
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters

MIXTURE = eq.GaussianMixture([0.3, 0.7], [0.1, -0.1], [0.2, 0.05])
GRID = [k / 20 for k in range(20)]

MODELS = {
    "two answers": eq.TwoAnswers(),
    "two answers, normal noise": eq.TwoAnswers(noise="normal", beta=4),
    "two answers, mixture": eq.TwoAnswers(noise=MIXTURE),
    "two answers, lapse": eq.TwoAnswers(lapse=0.2),
    "three answers": eq.ThreeAnswers(tau_r=0.2, tau_kappa=0.3),
    "three answers, normal noise, lapse": eq.ThreeAnswers(
        tau_kappa=0.2, width=0.1, noise="normal", lapse=0.05
    ),
    "three answers, mixture, soft gate": eq.ThreeAnswers(
        tau_r=0.3, noise=MIXTURE, gate=eq.LogisticGate(12)
    ),
    "four answers": eq.FourAnswers(tau_r=0.4, tau_kappa=0.4),
    "four answers, steep": eq.FourAnswers(tau_r=0.2, tau_kappa=0.2, beta=2000),
    "four answers, normal noise": eq.FourAnswers(tau_r=0.2, tau_kappa=0.4, noise="normal"),
    "four answers, mixture": eq.FourAnswers(tau_r=0.2, tau_kappa=0.4, noise=MIXTURE),
    "four answers, soft gate, lapse": eq.FourAnswers(
        tau_r=0.3, tau_kappa=0.2, gate=eq.LogisticGate(20), lapse=0.1
    ),
    "unknown thresholds": eq.FourAnswers(
        tau_r=eq.Uniform(0, 1), tau_kappa=eq.Discrete(GRID, np.full(20, 1 / 20))
    ),
    "unknown mixture": eq.FourAnswers(
        tau_r=0.3, tau_kappa=0.3, noise=eq.GaussianMixture.unknown(3)
    ),
    "people": eq.PeopleAnswers(),
}
# Where a side's chance depends on which side it is: the noise has no centre.
LOPSIDED = {name for name, model in MODELS.items() if not isinstance(model.noise, str)}


def by_the_formula(evidence, draws, parameters):
    """Bits and predicted answers of eq:bald, one question and one draw at a time."""
    bits, predicted = [], []
    for favour, against in zip(evidence.favour, evidence.against, strict=True):
        answers = chances(favour, against, draws, parameters)
        mean = np.mean(answers, axis=0)
        bits.append(entropy(mean) - np.mean([entropy(answer) for answer in answers]))
        predicted.append(mean)
    return np.array(bits), np.array(predicted)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", range(3))
def test_eq_bald_as_written(name, seed):
    """Bits are the entropy of the mean answer less the mean entropy, for every response model."""
    rng = np.random.default_rng(seed)
    draws, parameters = prior_draws(MODELS[name], rng)
    evidence = random_evidence(rng)
    found = information(evidence, draws, parameters)
    bits, predicted = by_the_formula(evidence, draws, parameters)
    np.testing.assert_allclose(found.predicted, predicted, atol=1e-10)
    np.testing.assert_allclose(found.bits, bits, atol=1e-10)
    assert found.predicted.shape == (len(evidence), len(MODELS[name].answers))


@pytest.mark.parametrize("name", MODELS)
def test_a_draw_counts_by_its_mass(name):
    """Masses of some twelfths say the same as each draw there so many times."""
    rng = np.random.default_rng(3)
    draws, parameters = prior_draws(MODELS[name], rng, size=6)
    twelfths = np.array([0, 1, 1, 2, 3, 5])
    weighed = Draws(draws.weights, draws.rows, twelfths / 12)
    evidence = random_evidence(rng)
    found = information(evidence, weighed, parameters)
    repeated = draws.some(np.repeat(np.arange(6), twelfths))
    bits, predicted = by_the_formula(evidence, repeated, parameters)
    np.testing.assert_allclose(found.predicted, predicted, atol=1e-10)
    np.testing.assert_allclose(found.bits, bits, atol=1e-10)


@given(st.sampled_from(sorted(MODELS)), generators())
def test_information_is_bounded(name, rng):
    """An answer tells at least nothing and at most log2 of the number of answers."""
    draws, parameters = prior_draws(MODELS[name], rng, size=int(rng.integers(1, 40)))
    found = information(random_evidence(rng), draws, parameters)
    assert (found.bits >= 0).all()
    assert (found.bits <= np.log2(len(MODELS[name].answers))).all()
    np.testing.assert_allclose(found.predicted.sum(axis=1), 1, atol=1e-12)


@given(st.sampled_from(sorted(set(MODELS) - LOPSIDED)), generators())
def test_swapping_sides_swaps_their_chances_and_tells_as_much(name, rng):
    """With symmetric noise, exchanging all sides exchanges the first two columns only."""
    draws, parameters = prior_draws(MODELS[name], rng)
    evidence = random_evidence(rng)
    found = information(evidence, draws, parameters)
    swapped = information(evidence.swapped(), draws, parameters)
    other = found.predicted.copy()
    other[:, :2] = other[:, 1::-1]
    np.testing.assert_allclose(swapped.predicted, other, atol=1e-12)
    np.testing.assert_allclose(swapped.bits, found.bits, atol=1e-12)


@given(generators())
def test_one_draw_leaves_nothing_to_learn(rng):
    """Where everything is known no answer tells anything; nor does a question nobody hears."""
    draws, parameters = prior_draws(eq.FourAnswers(tau_r=0.4, tau_kappa=0.4), rng, size=1)
    np.testing.assert_allclose(information(random_evidence(rng), draws, parameters).bits, 0)
    draws, parameters = prior_draws(eq.FourAnswers(tau_r=0.4, tau_kappa=0.4), rng)
    silence = eq.Evidence(np.zeros((1, 4)), np.zeros((1, 4)))
    np.testing.assert_allclose(information(silence, draws, parameters).bits, 0, atol=1e-12)


def test_two_people_told_apart_by_one_answer():
    """Draws that answer differently without noise make a question worth one whole bit."""
    parameters = Parameters(eq.TwoAnswers(beta=1e6))
    draws = Draws(np.eye(2), np.tile(parameters.known, (2, 1)))
    found = information(eq.Evidence([[1, 0]], [[0, 1]]), draws, parameters)
    np.testing.assert_allclose(found.bits, 1)
    np.testing.assert_allclose(found.predicted, [[0.5, 0.5]])


SCORES = {
    "bald": (Bald(), lambda bits, predicted: bits),
    "volume removal": (VolumeRemoval(), lambda bits, predicted: 1 - predicted.max(axis=1)),
}


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("seed", range(5))
def test_the_best_of_a_pool_is_chosen(name, seed):
    """Bald takes the most bits, volume removal the likeliest answer that is least likely."""
    acquisition, score = SCORES[name]
    rng = np.random.default_rng(seed)
    draws, parameters = prior_draws(MODELS["four answers"], rng)
    evidence = random_evidence(rng, 40)
    bits, predicted = by_the_formula(evidence, draws, parameters)
    scores = score(bits, predicted)
    place, expected = choose(acquisition, Spied(evidence), draws, parameters)
    assert scores[place] == pytest.approx(scores.max(), abs=1e-10)
    assert expected == pytest.approx(bits[place], abs=1e-10)
    worse = scores < scores.max() - 1e-9
    place, expected = choose(acquisition, Spied(evidence), draws, parameters, allowed=worse)
    assert worse[place]
    assert scores[place] == pytest.approx(scores[worse].max(), abs=1e-10)
    assert expected == pytest.approx(bits[place], abs=1e-10)


def test_random_takes_any_allowed_question_as_often():
    """Over many draws each allowed place comes up as often, and no other; its bits are true."""
    rng = np.random.default_rng(4)
    draws, parameters = prior_draws(MODELS["four answers"], rng)
    evidence = random_evidence(rng, 8)
    bits, _ = by_the_formula(evidence, draws, parameters)
    allowed = np.arange(8) % 2 == 1
    counts = np.zeros(8, dtype=int)
    for seed in range(2000):
        place, expected = choose(Random(), Spied(evidence), draws, parameters, allowed, seed)
        assert expected == pytest.approx(bits[place], abs=1e-10)
        counts[place] += 1
    assert counts[~allowed].sum() == 0
    # Four standard deviations of a count with chance 1/4.
    assert (abs(counts[allowed] - 500) < 4 * np.sqrt(2000 * 3 / 16)).all()


def test_random_may_take_anything_where_nothing_is_ruled_out():
    """Without a mask every place comes up."""
    rng = np.random.default_rng(4)
    draws, parameters = prior_draws(MODELS["four answers"], rng)
    pool = Spied(random_evidence(rng, 5))
    places = {choose(Random(), pool, draws, parameters, seed=seed)[0] for seed in range(100)}
    assert places == set(range(5))


@pytest.mark.parametrize("size", [50, LOOKED_AT // 100 + 500])
@pytest.mark.parametrize("name", SCORES)
def test_a_tie_goes_to_the_first(name, size):
    """Of equally good questions the first allowed one is asked, also from a screened pool."""
    rng = np.random.default_rng(2)
    draws, parameters = prior_draws(MODELS["four answers"], rng, size=100)
    evidence = random_evidence(rng, 1).rows(np.zeros(size, dtype=int))
    acquisition, _ = SCORES[name]
    assert choose(acquisition, Spied(evidence), draws, parameters)[0] == 0
    allowed = np.ones(size, dtype=bool)
    allowed[:7] = False
    assert choose(acquisition, Spied(evidence), draws, parameters, allowed)[0] == 7


def test_bald_averages_over_a_few_draws_where_asked_to():
    """With N_BALD draws the bits are those of as many draws, and which ones is left to chance."""
    rng = np.random.default_rng(3)
    draws, parameters = prior_draws(MODELS["four answers"], rng, size=6)
    evidence = random_evidence(rng, 1)
    possible = [
        by_the_formula(evidence, draws.some(np.array([i, j])), parameters)[0][0]
        for i in range(6)
        for j in range(i)
    ]
    found = [choose(Bald(2), Spied(evidence), draws, parameters, seed=k)[1] for k in range(60)]
    gaps = abs(np.subtract.outer(found, possible))
    assert gaps.min(axis=1).max() < 1e-10
    assert len(np.unique(np.round(found, 10))) > 5
    everything = choose(Bald(), Spied(evidence), draws, parameters)
    assert choose(Bald(6), Spied(evidence), draws, parameters) == everything
    assert choose(Bald(600), Spied(evidence), draws, parameters) == everything


@pytest.mark.parametrize("wrong", [0, -1, 2.5, "50"])
def test_bald_refuses_what_is_no_number_of_draws(wrong):
    """The number of draws is a positive whole number."""
    with pytest.raises(ValueError, match=r"draws is .*, expected a positive whole number, or None"):
        Bald(wrong)


def test_a_large_catalogue_is_looked_at_in_chunks():
    """Evidence is never made for more than a chunk of questions, and again for ever fewer."""
    rng = np.random.default_rng(6)
    draws, parameters = prior_draws(MODELS["four answers"], rng, size=100, priorities=3)
    size = 2 * CHUNK + 5
    pool = Spied(random_evidence(rng, size, 3))
    place, bits = choose(Bald(), pool, draws, parameters)
    assert max(pool.sizes) <= CHUNK
    assert sum(pool.sizes) == size + MOST_KEPT + FINALISTS
    assert pool.sizes[-2:] == [MOST_KEPT, FINALISTS]
    exhaustive = information(pool.evidence(slice(None)), draws, parameters).bits
    assert bits == pytest.approx(exhaustive[place], abs=1e-12)
    assert bits >= 0.99 * exhaustive.max()


def test_screening_finds_what_is_rare():
    """Where everybody would answer all but one of many questions alike, that one is asked."""
    rng = np.random.default_rng(6)
    draws, parameters = prior_draws(MODELS["four answers"], rng, size=100, priorities=3)
    favour = np.repeat(rng.random((CHUNK + 100, 1)), 3, axis=1)
    against = np.zeros_like(favour)
    favour[CHUNK + 7], against[CHUNK + 7] = [0.8, 0, 0], [0, 0.7, 0]
    pool = Spied(eq.Evidence(favour, against))
    place, bits = choose(Bald(), pool, draws, parameters)
    assert place == CHUNK + 7
    assert bits > 0.1


def test_a_large_catalogue_of_which_little_is_left_is_not_screened():
    """Questions that are ruled out are not looked at."""
    rng = np.random.default_rng(6)
    draws, parameters = prior_draws(MODELS["four answers"], rng)
    pool = Spied(random_evidence(rng, CHUNK))
    allowed = np.zeros(len(pool), dtype=bool)
    allowed[rng.choice(len(pool), 300, replace=False)] = True
    place, _ = choose(Bald(), pool, draws, parameters, allowed)
    assert allowed[place]
    assert pool.sizes == [300]


def test_rem_consistency():
    """The best question's true score approaches the best there is as pool and draws grow."""
    rng = np.random.default_rng(12)
    draws, parameters = prior_draws(MODELS["four answers"], rng, size=4000, priorities=3)
    every = eq.Evidence.from_features(rng.random((4000, 2, 3)))
    scores = information(every, draws, parameters).bits
    regrets = []
    for pool, few in [(5, 5), (50, 50), (500, 500)]:
        lost = []
        for _ in range(30):
            places = rng.choice(len(every), pool, replace=False)
            chosen = draws.some(rng.choice(len(draws), few, replace=False))
            place, _ = Bald().choose(Spied(every.rows(places)), None, chosen, parameters, rng)
            lost.append(scores.max() - scores[places[place]])
        regrets.append(np.mean(lost))
    assert regrets[0] > 2 * regrets[1] > 4 * regrets[2]
    assert regrets[2] < 0.05
