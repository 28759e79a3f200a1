"""Sequential Monte Carlo: sudden answers, contradictions, what is exact, and what repeats."""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest
from agreement import ALPHA, Oracle
from questionnaires import learned_in_order, questionnaire, transcript_of
from scipy import stats

import equipoise as eq
from equipoise.experiments.methods import grid_prior
from equipoise.inference import smc
from equipoise.inference.draws import Draws, Problem
from equipoise.inference.parameters import Parameters
from equipoise.inference.smc import SMC
from equipoise.inference.weights import Dirichlet
from equipoise.model.states import Response

RUNS = 20
# Rounding in a sum of a few weights.
ROUNDED = 1e-14


def problem_of(responses, priorities, concentration=1.0):
    """A problem of so many priorities."""
    return Problem(priorities, Parameters(responses), Dirichlet(concentration))


def asked_of(gaps):
    """The evidence of questions by how much each priority is for the first side."""
    gaps = np.array(gaps, dtype=float)
    return eq.Evidence(np.maximum(gaps, 0), np.maximum(-gaps, 0))


def of_person(responses, priorities, length, seed=5):
    """A problem, and what somebody drawn from the prior answered to random questions."""
    rng = np.random.default_rng(seed)
    person = eq.Respondent(rng.dirichlet(np.ones(priorities)), responses.draw(rng))
    questions = [eq.Question.of_features(*rng.random((2, priorities))) for _ in range(length)]
    answers = [person.answer(question, rng) for question in questions]
    asked = eq.Evidence(
        *(
            np.concatenate([getattr(q.evidence, part) for q in questions])
            for part in ("favour", "against")
        )
    )
    return problem_of(responses, priorities), asked, answers


def runs(sampler, problem, transcript):
    """What independent runs of a sampler return after each answer."""
    for rng in np.random.default_rng(2).spawn(RUNS):
        yield list(learned_in_order(sampler, problem, transcript, rng))


def others(priorities):
    """Questions to predict the answers to."""
    return eq.Evidence.from_features(np.random.default_rng(3).random((4, 2, priorities)))


# Answers that few particles expected.


@dataclass(frozen=True)
class Sudden:
    """What is answered by somebody whom few particles are like, and the oracle's cells."""

    responses: eq.ResponseModel
    gaps: list
    answers: list
    cells: tuple = (600,)
    least: tuple = (0.0, 0.0, 0.0)


SUDDEN = {
    "a corner of a thousandth that a step gate leaves": Sudden(
        eq.FourAnswers(tau_r=0.97, tau_kappa=0.3), [[1, 0, 0]], ["first"], least=(0.96, 0, 0)
    ),
    "a corner of a millionth that a step gate leaves": Sudden(
        eq.FourAnswers(tau_r=0.999, tau_kappa=0.3), [[1, 0, 0]], ["first"], least=(0.998, 0, 0)
    ),
    "a sliver that two answers leave between them": Sudden(
        eq.FourAnswers(tau_r=0.9, tau_kappa=0.3),
        [[1, 0, 0], [0.98, 0, 0.001]],
        ["first", "indifferent"],
        cells=(1000,),
        least=(0.89, 0, 0),
    ),
    "an unknown threshold that is low": Sudden(
        eq.FourAnswers(tau_r=eq.Uniform(0, 1), tau_kappa=0.3),
        [[0.5, -0.1], [0.01, -0.015]],
        ["first", "conflicted"],
        cells=(100, 4000),
        least=(0.0, 0.0),
    ),
    "undecided without a band": Sudden(
        eq.ThreeAnswers(tau_r=0.03), [[0.9, -0.9, 0.01]], ["undecided"], least=(0, 0, 0.96)
    ),
    "a surprise at once": Sudden(eq.TwoAnswers(beta=60), [[0.02, -0.98, -0.98]], ["first"]),
    "a surprise after others": Sudden(
        eq.TwoAnswers(beta=100),
        [[0.5, -0.5, -0.5], [0.4, -0.6, -0.5], [0.5, -0.6, -0.4], [0.9, -0.8, -0.7]],
        ["first", "first", "first", "second"],
    ),
    "a surprise under normal noise": Sudden(
        eq.TwoAnswers(noise="normal", beta=40),
        [[0.5, -0.5, -0.5], [-0.9, 0.7, 0.6]],
        ["first", "first"],
    ),
    "a surprise at a soft gate": Sudden(
        eq.FourAnswers(tau_r=0.5, tau_kappa=0.3, gate=eq.LogisticGate(200)),
        [[0.9, 0.05, 0.05], [0.9, 0.9, 0.05]],
        ["conflicted", "indifferent"],
    ),
    "a surprise at a soft gate with an unknown threshold": Sudden(
        eq.FourAnswers(tau_r=eq.Beta(2, 2), tau_kappa=0.3, gate=eq.LogisticGate(100)),
        [[0.9, -0.05], [0.8, -0.3], [0.7, -0.9]],
        ["second", "indifferent", "conflicted"],
        cells=(200, 200),
        least=(0.0, 0.0),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SUDDEN)
def test_an_answer_that_few_particles_expected_is_learned_from(name):
    """It's taken in by degrees, after which all that is known agrees with the oracle."""
    sudden = SUDDEN[name]
    asked = asked_of(sudden.gaps)
    problem = problem_of(sudden.responses, len(sudden.least))
    transcript = transcript_of(asked, [Response(answer) for answer in sudden.answers])
    found = list(runs(SMC(2000), problem, transcript))
    for steps in found:
        assert sum(draws.info["degrees"] for draws in steps) > 0
    last = [steps[-1] for steps in found]
    assert all(draws.info["distinct"] > 0.9 for draws in last)
    # Asked again, the same question is the one whose answer is least certain.
    oracle = Oracle(problem, transcript, asked, *sudden.cells, least=sudden.least)
    assert oracle.disagreements(last) == {}


@pytest.mark.slow
def test_a_corner_too_small_to_walk_to_is_begun_in():
    """All particles start at one point of it, spread to where they must, and say what is lost.

    Of twenty weights, the first is at least 0.99, in all ways as likely: the chance of that is
    1e-38. What is left to the others has a beta distribution, and so has each one's part of it.
    """
    problem = problem_of(eq.FourAnswers(tau_r=0.99, tau_kappa=0.3), 20)
    asked, answers = asked_of(np.eye(20)[[0, 0]]), [Response.FIRST, Response.FIRST]
    found = []
    for told, again in runs(SMC(1000), problem, transcript_of(asked, answers)):
        assert told.info["lost"] == again.info["lost"] == 1
        assert math.isnan(told.info["log_evidence"])
        assert math.isnan(again.info["log_evidence"])
        assert_sound(told, problem)
        assert chances(problem, asked.rows([0]), answers[:1], told).min() > 0
        assert told.info["distinct"] > 0.95
        left = 1 - told.weights[:, 0]
        parts = told.weights[:, 1] / left, left / 0.01
        found.append([told.mass @ part**power for part in parts for power in (1, 2)])
    expected = [stats.beta(1, 18).moment(k) for k in (1, 2)]
    expected += [stats.beta(19, 1).moment(k) for k in (1, 2)]
    p = stats.ttest_1samp(found, expected).pvalue
    assert p.min() > ALPHA / len(p)


@pytest.mark.slow
def test_moving_without_the_answer_that_is_taken_in_is_noticed(monkeypatch):
    """Particles that move as if it were not on its way fail the very same check."""
    renew = smc._Population.renew

    def without_it(population, answered, pending):
        renew(population, answered, pending._replace(waits=False))

    monkeypatch.setattr(smc._Population, "renew", without_it)
    sudden = SUDDEN["a surprise at once"]
    problem, asked = problem_of(sudden.responses, 3), asked_of(sudden.gaps)
    transcript = transcript_of(asked, [Response(answer) for answer in sudden.answers])
    last = [steps[-1] for steps in runs(SMC(200), problem, transcript)]
    found = Oracle(problem, transcript, asked, *sudden.cells).disagreements(last)
    assert {"mean of weights", "evidence"} <= set(found)


@pytest.mark.parametrize(
    ("responses", "log_chance"),
    [
        (eq.TwoAnswers(beta=1000), -1000.0),  # log 1/(1 + e^1000)
        (eq.TwoAnswers(noise="normal", beta=50), stats.norm.logcdf(-50)),
        (eq.TwoAnswers(beta=1000, lapse=0.1), math.log(0.1 / 2)),
        (
            eq.FourAnswers(tau_r=3 / 4, gate=eq.LogisticGate(4000)),  # of indifference at 1
            -1000.0,
        ),
    ],
)
def test_an_answer_that_nobody_would_give_changes_nothing(responses, log_chance):
    """As improbable whatever the weights, it leaves them as they were, and says how improbable."""
    answer = Response.SECOND if len(responses.answers) == 2 else Response.INDIFFERENT
    problem = problem_of(responses, 3)
    rng = np.random.default_rng(1)
    before = SMC(50).start(problem, rng)
    after = SMC(50).update(before, transcript_of(asked_of([[1, 1, 1]]), [answer]), problem, rng)
    np.testing.assert_array_equal(after.weights, before.weights)
    np.testing.assert_allclose(after.mass, 1 / 50, rtol=1e-9)
    assert after.info["log_evidence"] == pytest.approx(log_chance, rel=1e-9)


# Answers that contradict each other.


@pytest.mark.parametrize(
    ("responses", "gaps", "answers"),
    [
        (
            eq.FourAnswers(tau_r=0.4, tau_kappa=0.4),
            [[0.8, -0.8, 0]] * 2,
            ["conflicted", "indifferent"],
        ),
        (eq.FourAnswers(tau_r=0.4), [[0.8, -0.8, 0]], ["conflicted"]),  # which needs a band
        (eq.FourAnswers(tau_r=0.4), [[0, 0, 0]], ["first"]),
        (eq.FourAnswers(tau_r=eq.Uniform(0.5, 1)), [[0.1, 0.2, -0.1]], ["second"]),
        (
            eq.FourAnswers(tau_r=eq.Discrete([0.2, 0.9], [1, 0])),
            [[0.5, 0.5, 0.5]],
            ["indifferent"],
        ),
        (eq.ThreeAnswers(tau_r=0.05), [[0.9, -0.9, 0.5]], ["undecided"]),
        # One needs a first weight of at least 0.5, the other one below 0.49995.
        (eq.FourAnswers(tau_r=0.5), [[1, 0, 0], [1.0001, 0, 0]], ["first", "indifferent"]),
    ],
)
def test_a_contradiction_is_said_to_be_one(responses, gaps, answers):
    """Where nothing is left, it's told in the words of every sampler, and draws are left alone."""
    problem = problem_of(responses, 3)
    transcript = transcript_of(asked_of(gaps), [Response(answer) for answer in answers])
    before = transcript_of(asked_of(gaps), [Response(answer) for answer in answers[:-1]])
    rng = np.random.default_rng(1)
    sampler = SMC(200)
    *_, draws = sampler.start(problem, rng), *learned_in_order(sampler, problem, before, rng)
    kept = draws.weights.copy(), draws.rows.copy(), draws.mass.copy()
    with pytest.raises(eq.ContradictionError, match="nothing is left"):
        sampler.update(draws, transcript, problem, rng)
    for now, then in zip((draws.weights, draws.rows, draws.mass), kept, strict=True):
        np.testing.assert_array_equal(now, then)


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


def chances(problem, asked, answers, draws):
    """The probability of each answer at each draw that has a mass; shape (draws, answers)."""
    given = [problem.parameters.responses.answers.index(answer) for answer in answers]
    some = draws.some(np.flatnonzero(draws.mass > 0))
    return np.array(
        [
            problem.parameters.model(row).predict(asked, weights)[range(len(given)), given]
            for weights, row in zip(some.weights, some.rows, strict=True)
        ]
    )


def assert_sound(draws, problem):
    """Draws are weights, masses and numbers that may be."""
    assert (draws.weights >= 0).all()  # which NaN is not
    np.testing.assert_allclose(draws.weights.sum(axis=1), 1, rtol=0, atol=ROUNDED)
    assert (draws.mass >= 0).all()
    assert draws.mass.sum() == pytest.approx(1, abs=ROUNDED * len(draws))
    parameters = problem.parameters
    for name, prior in parameters.number_priors.items():
        assert np.isfinite(prior.log_density(parameters.column(name, draws.rows))).all()
    known = np.isfinite(parameters.known)
    np.testing.assert_array_equal(
        draws.rows[:, known], np.tile(parameters.known[known], (len(draws), 1))
    )
    if "noise" in parameters.priors:
        mixture, (weights, _, scales) = (
            parameters.priors["noise"],
            parameters.column("noise", draws.rows).transpose(1, 0, 2),
        )
        np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=0, atol=ROUNDED)
        assert (weights >= 0).all()
        # Logarithms move, so that rounding may take a scale a little beyond its bounds.
        assert (scales >= mixture.smallest_scale * (1 - ROUNDED)).all()
        assert (scales <= mixture.largest_scale * (1 + ROUNDED)).all()


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
