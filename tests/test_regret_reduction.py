"""Questions for the sake of a decision, against Bayes and argmax written out."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from pools import Spied, chances, choose, random_evidence, weighed_draws
from sessions import MODELS
from strategies import generators

import equipoise as eq
from equipoise.acquisition import information
from equipoise.acquisition.regret import SEED
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters


def expected_regret(mass, weights, inputs):
    """The utility that the rule by the mean of the weights is expected to lose an input."""
    mean, lost = sum(m * w for m, w in zip(mass, weights, strict=True)), 0.0
    for outputs in inputs:
        choice = max(range(len(outputs)), key=lambda y: outputs[y] @ mean)
        for m, w in zip(mass, weights, strict=True):
            lost += m * (max(output @ w for output in outputs) - outputs[choice] @ w)
    return lost / len(inputs)


def regret_after(favour, against, draws, parameters, inputs):
    """The regret expected after the answer to one question, by Bayes' rule answer by answer."""
    after = 0.0
    for answer in chances(favour, against, draws, parameters).T:
        joint = draws.mass * answer
        if joint.sum() > 0:
            after += joint.sum() * expected_regret(joint / joint.sum(), draws.weights, inputs)
    return after


@given(st.sampled_from(sorted(MODELS)), generators())
def test_the_question_after_which_the_least_regret_is_expected(name, rng):
    """As Bayes' rule and argmax written out find it, for every model and for draws of any mass."""
    priorities = int(rng.integers(1, 4))
    draws, parameters = weighed_draws(MODELS[name], rng, int(rng.integers(1, 25)), priorities)
    evidence = random_evidence(rng, 6, priorities)
    inputs = rng.normal(size=(4, int(rng.integers(1, 4)), priorities))
    after = np.array(
        [
            regret_after(favour, against, draws, parameters, inputs)
            for favour, against in zip(evidence.favour, evidence.against, strict=True)
        ]
    )
    # No question is expected to do harm.
    assert (after <= expected_regret(draws.mass, draws.weights, inputs) + 1e-9).all()
    place, bits = choose(eq.RegretReduction(inputs), evidence, draws, parameters)
    assert after[place] == pytest.approx(after.min(), abs=1e-9)
    assert bits == pytest.approx(information(evidence, draws, parameters).bits[place])
    allowed = after > after.min() + 1e-6
    if allowed.any():
        place, _ = choose(eq.RegretReduction(inputs), evidence, draws, parameters, allowed)
        assert allowed[place]
        assert after[place] == pytest.approx(after[allowed].min(), abs=1e-9)


def test_two_decisions_of_which_one_is_open():
    """What tells only about a choice that is clear already isn't asked, however much it tells."""
    # Two kinds of people: they differ in priorities 1 and 2 a little, in 3 and 4 a lot.
    weights = np.array([[0.21, 0.19, 0.5, 0.1], [0.19, 0.21, 0.1, 0.5]])
    weights = np.repeat(weights, 2, axis=0)
    weights[[1, 3], :2] = weights[[3, 1], :2]  # which of 1 and 2 counts more has nothing to do
    parameters = Parameters(eq.TwoAnswers(beta=30))
    draws = Draws(weights, np.tile(parameters.known, (4, 1)))
    evidence = eq.Evidence([[1, 0, 0, 0], [0, 0, 1, 0]], [[0, 1, 0, 0], [0, 0, 0, 1]])
    choice = np.array([[[1.0, 0, 0, 0], [0, 1, 0, 0]]])
    assert choose(eq.Bald(), evidence, draws, parameters)[0] == 1
    assert choose(eq.RegretReduction(choice), evidence, draws, parameters)[0] == 0


def test_where_no_answer_changes_a_decision_the_most_informative_question():
    """With one output to choose, all questions are worth the same: then information decides."""
    rng = np.random.default_rng(8)
    draws, parameters = weighed_draws(MODELS["known thresholds"], rng, 200, 3)
    evidence = random_evidence(rng, 40, 3)
    nothing_to_choose = eq.RegretReduction(rng.random((3, 1, 3)))
    found = choose(nothing_to_choose, evidence, draws, parameters)
    assert found == choose(eq.Bald(), evidence, draws, parameters)


def test_random_inputs_where_none_are_given():
    """Left out, they are 300 inputs of five outputs in the feature box, always the same."""
    rng = np.random.default_rng(9)
    draws, parameters = weighed_draws(MODELS["known thresholds"], rng, 300, 5)
    evidence = eq.Evidence.from_features(rng.random((60, 2, 5)))
    inputs = np.random.default_rng(SEED).random((300, 5, 5))
    by_default = choose(eq.RegretReduction(), evidence, draws, parameters)
    assert by_default == choose(eq.RegretReduction(inputs), evidence, draws, parameters)


def test_only_a_shortlist_is_looked_at_with_all_draws():
    """Of a large pool, as many as said; of one of them, the one that tells most."""
    rng = np.random.default_rng(10)
    draws, parameters = weighed_draws(MODELS["known thresholds"], rng, 500, 3)
    evidence = random_evidence(rng, 2000, 3)
    pool = Spied(evidence)
    eq.RegretReduction(shortlist=20).choose(pool, None, draws, parameters, rng)
    assert pool.sizes[-1] == 20
    few = Spied(evidence.rows(slice(60)))  # so few that all are looked at anyway
    eq.RegretReduction(shortlist=20).choose(few, None, draws, parameters, rng)
    assert few.sizes == [60, 20]
    one = choose(eq.RegretReduction(shortlist=1), evidence, draws, parameters)
    bits = information(evidence, draws, parameters).bits
    assert one[1] >= 0.97 * bits.max()


def test_inputs_are_plain_data_in_the_log():
    """Inputs given as an array are lists of numbers there, and come back as they were."""
    inputs = np.random.default_rng(1).random((2, 3, 2))
    learner = eq.Learner(2, eq.TwoAnswers(), seed=1, acquisition=eq.RegretReduction(inputs))
    written = learner.log()[0]["declaration"]["acquisition"]
    assert written == {"regret": {"inputs": inputs.tolist(), "shortlist": 64}}
    assert eq.Learner.replay(learner.log()).log() == learner.log()
    assert eq.RegretReduction(inputs) == eq.RegretReduction(inputs.tolist())
    assert hash(eq.RegretReduction(inputs)) == hash(eq.RegretReduction(inputs))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shortlist": 0}, "shortlist is 0, expected a positive whole number"),
        ({"shortlist": 2.5}, "shortlist is 2.5, expected a positive whole number"),
        ({"shortlist": True}, "shortlist is True, expected a positive whole number"),
        ({"inputs": np.ones((3, 2))}, "inputs has shape"),
        ({"inputs": np.ones((3, 0, 2))}, r"inputs has shape \(3, 0, 2\), expected at least one"),
        ({"inputs": [[[np.nan]]]}, "inputs"),
    ],
)
def test_what_can_not_be_is_refused(arguments, message):
    """A shortlist is a positive number, inputs are finite and at least one."""
    with pytest.raises(ValueError, match=message):
        eq.RegretReduction(**arguments)


def test_inputs_have_a_number_for_every_priority():
    """Where they have more or fewer, asking says so."""
    way = eq.RegretReduction(np.ones((1, 2, 3)))
    learner = eq.Learner(2, eq.TwoAnswers(), seed=1, acquisition=way, pool=5)
    with pytest.raises(ValueError, match=r"have 3 features, but what is learned has 2 priorities"):
        learner.ask()
