"""Sequential Monte Carlo: what is exact, longer sessions, and what repeats."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from agreement import Oracle
from particles import assert_sound, chances, runs
from questionnaires import (
    asked_of,
    learned_in_order,
    of_person,
    others,
    problem_of,
    questionnaire,
    transcript_of,
)

import equipoise as eq
from equipoise.experiments.methods import grid_prior
from equipoise.inference.draws import Draws
from equipoise.inference.grid import grid_posterior
from equipoise.inference.smc import SMC
from equipoise.model.states import Response

# What is exact.

STEP_GATES = {
    "four answers": eq.FourAnswers(tau_r=0.4, tau_kappa=0.4),
    "three answers": eq.ThreeAnswers(tau_r=0.3, tau_kappa=0.3),
    "three answers without a band": eq.ThreeAnswers(tau_r=0.3),
    "an unknown threshold": eq.FourAnswers(tau_r=eq.Uniform(0, 1), tau_kappa=0.3),
    "an unknown threshold and share": eq.FourAnswers(
        tau_r=eq.Beta(2, 4), tau_kappa=grid_prior(), beta=eq.LogNormal(10, 0.5)
    ),
    "a positive threshold": eq.FourAnswers(tau_r=eq.LogNormal(0.3, 0.5), tau_kappa=0.3),
    "a listed threshold": eq.FourAnswers(tau_r=eq.Discrete([0.1, 0.3, 0.5], [0.2, 0.6, 0.2])),
    "a known mixture": eq.FourAnswers(
        tau_r=0.3, tau_kappa=0.3, noise=eq.GaussianMixture([0.3, 0.7], [0.1, -0.1], [0.2, 0.05])
    ),
    "an unknown mixture": eq.FourAnswers(
        tau_r=0.3, tau_kappa=0.3, noise=eq.GaussianMixture.unknown(3)
    ),
}


@pytest.mark.parametrize("name", STEP_GATES)
def test_every_particle_leaves_every_answer_possible(name):
    """By the model as it's stated, no answer under a step gate has probability zero, ever."""
    problem, asked, answers = of_person(STEP_GATES[name], 4, 40)
    steps = learned_in_order(
        SMC(100), problem, transcript_of(asked, answers), np.random.default_rng(1)
    )
    for told, draws in enumerate(steps, start=1):
        assert_sound(draws, problem)
        assert chances(problem, asked.rows(range(told)), answers[:told], draws).min() > 0


UNKNOWN = {
    "known thresholds": eq.FourAnswers(tau_r=0.4, tau_kappa=0.4),
    "unknown thresholds": eq.FourAnswers(tau_r=eq.Uniform(0, 1), tau_kappa=grid_prior()),
    "people": eq.PeopleAnswers(),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_particles_stay_apart_and_weights_sum_to_one(name):
    """After each of a hundred answers to well-chosen questions; and more than 5% are distinct."""
    responses, told = UNKNOWN[name], []

    class Watched(SMC):
        def update(self, draws, transcript, problem, rng):
            found = super().update(draws, transcript, problem, rng)
            assert_sound(found, problem)
            distinct = len(np.unique(found.weights, axis=0)) / len(found)
            assert found.info["distinct"] == distinct
            assert len(np.unique(found.weights[found.mass > 0], axis=0)) > 0.05 * len(found)
            told.append(len(transcript))
            return found

    rng = np.random.default_rng(4)
    person = eq.Respondent(rng.dirichlet(np.ones(5)), responses.draw(rng))
    learner = eq.Learner(5, responses, seed=1, sampler=Watched(200), pool=50)
    for _ in range(100):
        question = learner.ask()
        learner.tell(question, person.answer(question, rng))
    assert told == list(range(1, 101))
    # Which says little if nothing was learned: a third as wide as the prior, or less.
    spread = learner.posterior.draws["weights"].std(axis=0)
    assert spread.max() < math.sqrt(0.2 * 0.8 / 6) / 3


def test_the_only_priority_has_all_the_weight_and_the_evidence_is_exact():
    """With nothing to learn, the evidence is the product of the answers' probabilities."""
    responses = eq.FourAnswers(tau_r=0.3, tau_kappa=0.3, lapse=0.02)
    problem, asked, answers = of_person(responses, 1, 30)
    given = [responses.answers.index(answer) for answer in answers]
    expected = np.log(responses.predict(asked, [1.0])[range(30), given]).cumsum()
    steps = learned_in_order(
        SMC(10), problem, transcript_of(asked, answers), np.random.default_rng(1)
    )
    for draws, log_evidence in zip(steps, expected, strict=True):
        np.testing.assert_array_equal(draws.weights, 1.0)
        assert draws.info["log_evidence"] == pytest.approx(log_evidence, rel=1e-9)


@pytest.mark.slow
def test_numbers_are_learned_with_one_priority():
    """What is unknown besides the one weight is learned as the oracle says."""
    responses = eq.FourAnswers(
        tau_r=eq.Beta(2, 4), tau_kappa=eq.Uniform(0, 1), gate=eq.LogisticGate(20)
    )
    problem, asked, answers = of_person(responses, 1, 20)
    transcript = transcript_of(asked, answers)
    last = [steps[-1] for steps in runs(SMC(1000), problem, transcript)]
    assert Oracle(problem, transcript, others(1), 1, 60).disagreements(last) == {}


# Longer sessions, and larger ones.


@pytest.mark.slow
@pytest.mark.parametrize("name", ["two answers", "four answers", "four answers, a soft gate"])
def test_forty_answers_agree_with_the_oracle(name):
    """After many answers, and several renewals of all particles, nothing has been forgotten."""
    problem, asked, answers = questionnaire(name, length=40)
    transcript = transcript_of(asked, answers)
    found = list(runs(SMC(2000), problem, transcript))
    assert all(sum(draws.info["sweeps"] > 0 for draws in steps) >= 2 for steps in found)
    last = [steps[-1] for steps in found]
    assert Oracle(problem, transcript, others(3), 600).disagreements(last) == {}


@pytest.mark.slow
def test_a_question_asked_again_and_again_counts_each_time():
    """Thirty answers to one question, not all the same, agree with the oracle."""
    responses = eq.FourAnswers(tau_r=0.3, tau_kappa=0.3, gate=eq.LogisticGate(20))
    problem = problem_of(responses, 3)
    answers = [*["first"] * 20, *["conflicted"] * 9, "second"]
    asked = asked_of([[0.9, -0.5, 0.1]] * 30)
    transcript = transcript_of(asked, [Response(answer) for answer in answers])
    last = [steps[-1] for steps in runs(SMC(1000), problem, transcript)]
    assert Oracle(problem, transcript, others(3), 300).disagreements(last) == {}


@pytest.mark.slow
def test_twenty_priorities_are_learned_like_three():
    """Priorities that always speak alike weigh together what one with their prior would.

    Sums of a Dirichlet distribution's weights have a Dirichlet distribution themselves.
    """
    responses = eq.FourAnswers(tau_r=0.3, tau_kappa=0.3, gate=eq.LogisticGate(40))
    groups = np.repeat(np.eye(3), [4, 7, 9], axis=0)
    small = problem_of(responses, 3, [4, 7, 9])
    rng = np.random.default_rng(8)
    person = eq.Respondent([0.15, 0.4, 0.45], responses)
    questions = [eq.Question.of_features(*rng.random((2, 3))) for _ in range(25)]
    answers = [person.answer(question, rng) for question in questions]
    gaps = np.array([np.subtract(q.first, q.second) for q in questions])
    large = problem_of(responses, 20)
    transcript = transcript_of(asked_of(gaps @ groups.T), answers)
    last = [
        Draws(steps[-1].weights @ groups, steps[-1].rows, steps[-1].mass, steps[-1].info)
        for steps in runs(SMC(1000), large, transcript)
    ]
    oracle = Oracle(small, transcript_of(asked_of(gaps), answers), others(3), 800)
    assert oracle.disagreements(last) == {}


# What repeats.


def assert_same(one, other):
    """Two draws are the same to the last bit."""
    for part in ("weights", "rows", "mass"):
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part))
    assert one.info == other.info


@pytest.mark.parametrize("name", UNKNOWN)
def test_the_same_seed_has_the_same_particles(name):
    """To the last bit, also where others are moved at the same time; another seed has others."""
    problem, asked, answers = of_person(UNKNOWN[name], 4, 15)
    transcript = transcript_of(asked, answers)

    def learn(seed):
        return list(learned_in_order(SMC(100), problem, transcript, np.random.default_rng(seed)))

    alone = learn(1)
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(learn, [1] * 6))
    for steps in together:
        for one, other in zip(steps, alone, strict=True):
            assert_same(one, other)
    assert not np.array_equal(learn(2)[-1].weights, alone[-1].weights)


def test_taking_in_an_answer_leaves_earlier_draws_as_they_were():
    """A learner may go back to them: nothing that was handed out is written to."""
    problem, asked, answers = of_person(UNKNOWN["unknown thresholds"], 4, 15)
    rng, sampler = np.random.default_rng(1), SMC(100)
    found = [sampler.start(problem, rng)]
    kept = []
    for told in range(1, 16):
        kept.append((found[-1].weights.copy(), found[-1].rows.copy(), found[-1].mass.copy()))
        transcript = transcript_of(asked, answers[:told])
        found.append(sampler.update(found[-1], transcript, problem, rng))
    assert any(draws.info["sweeps"] > 0 for draws in found[1:])
    for draws, (weights, rows, mass) in zip(found[:-1], kept, strict=True):
        np.testing.assert_array_equal(draws.weights, weights)
        np.testing.assert_array_equal(draws.rows, rows)
        np.testing.assert_array_equal(draws.mass, mass)


# Sizes.


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ({"particles": 9}, "particles is 9, expected a whole number of at least 10"),
        ({"particles": 0}, "particles is 0, expected"),
        ({"particles": 100.0}, r"particles is 100.0, expected"),
        ({"particles": True}, "particles is True, expected"),
        ({"particles": "many"}, "particles is 'many', expected"),
        ({"differences": 0}, "differences is 0, expected a whole number of at least 1"),
        ({"differences": 1.5}, "differences is 1.5, expected"),
        ({"patience": 0}, "patience is 0, expected a whole number of at least 1"),
    ],
)
def test_sizes_that_can_not_be_are_refused(sizes, said):
    """With what came and what was expected."""
    with pytest.raises(ValueError, match=said):
        SMC(**sizes)


@pytest.mark.parametrize("name", UNKNOWN)
def test_ten_particles_are_enough_to_go_on(name):
    """The least number of particles gets through thirty answers, however little it's worth."""
    problem, asked, answers = of_person(UNKNOWN[name], 4, 30)
    rng = np.random.default_rng(1)
    for draws in learned_in_order(SMC(10), problem, transcript_of(asked, answers), rng):
        assert_sound(draws, problem)
        assert len(draws) == 10


def test_one_priority_alone_is_no_reason_for_a_warning():
    """Where only thresholds are to be learned, particles differ in these, and that counts."""
    learner = eq.Learner(1, eq.FourAnswers(tau_r=eq.Uniform(0, 1), tau_kappa=0.3), seed=1)
    for answer in ("first", "indifferent", "first", "second", "indifferent"):
        learner.tell(learner.ask(), answer)
    assert learner.posterior.distinct > 0.9
    assert not any("moved" in sentence for sentence in learner.posterior.warnings)


def test_looking_at_draws_leaves_the_learner_its_own():
    """Draws that were handed out can't be written to, and the learner's arrays stay as they are."""
    looked, left = (eq.Learner(3, eq.TwoAnswers(), seed=1, particles=50) for _ in range(2))
    for learner in (looked, left):
        for _ in range(4):
            learner.tell(learner.ask(), "first")
            if learner is looked:
                with pytest.raises(ValueError, match="read-only"):
                    learner.posterior.draws["weights"][0] = 0
    assert looked._knowledge.draws.weights.flags.writeable
    np.testing.assert_array_equal(looked.posterior.mean(), left.posterior.mean())


MAYBE_NONE = {
    "a lapse": (
        eq.FourAnswers(
            tau_r=eq.Uniform(0, 1), tau_kappa=0.3, lapse=eq.Discrete([0, 0.2], [0.7, 0.3])
        ),
        400,
    ),
    "a band": (eq.ThreeAnswers(tau_r=0.3, tau_kappa=eq.Discrete([0, 0.4], [0.5, 0.5])), 1),
}


@pytest.mark.parametrize("name", MAYBE_NONE)
def test_what_is_zero_in_some_particles_binds_only_these(name):
    """A gate rules nothing out where there may be a lapse, nor where a band may be: by the oracle.

    The evidence varies by the runs' own spread; the oracle is off by half a cell of 2,000.
    """
    responses, number_cells = MAYBE_NONE[name]
    problem, asked, answers = of_person(responses, 2, 8, seed=3)
    transcript = transcript_of(asked, answers)
    says = grid_posterior(problem, transcript, 2000, number_cells)
    found = [steps[-1] for steps in runs(SMC(1000), problem, transcript)]
    means = np.array([draws.mass @ draws.weights for draws in found])
    evidence = np.exp([draws.info["log_evidence"] - says.log_evidence for draws in found])
    for values, expected in ((means[:, 0], says.mean()[0]), (evidence, 1.0)):
        se = values.std(ddof=1) / np.sqrt(len(values))
        assert abs(values.mean() - expected) < 5 * se + 1 / 2000
