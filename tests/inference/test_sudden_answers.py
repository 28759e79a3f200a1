"""Sequential Monte Carlo, told what few particles expected, or what can't be."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from agreement import ALPHA, Oracle
from particles import assert_sound, chances, runs
from questionnaires import asked_of, learned_in_order, problem_of, transcript_of
from scipy import stats

import equipoise as eq
from equipoise.inference import smc
from equipoise.inference.smc import SMC
from equipoise.model.states import Response

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
