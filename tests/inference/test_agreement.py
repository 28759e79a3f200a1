"""Both samplers, run long enough, agree with the grid oracle."""

import math

import numpy as np
import pytest
from questionnaires import (
    CASES,
    learned_in_order,
    most_telling,
    oracle,
    questionnaire,
    transcript_of,
)

from equipoise.inference.draws import Problem
from equipoise.inference.hit_and_run import HitAndRun
from equipoise.inference.smc import SMC
from equipoise.inference.weights import Dirichlet

RUNS = 20
LONG = HitAndRun(kept=20_000, burn_in=1000)
MANY = SMC(2000)


def chain(problem, transcript, rng):
    """A chain from a draw from the prior or from a feasible point."""
    return LONG.update(HitAndRun(1).start(problem, rng), transcript, problem, rng)


def population(problem, transcript, rng):
    """Particles that were told one answer after the other."""
    *_, draws = learned_in_order(MANY, problem, transcript, rng)
    assert math.isfinite(draws.info["log_evidence"])  # so that it's compared
    return draws


SAMPLERS = {"paper": chain, "smc": population}


def runs(sampler, problem, transcript):
    """Independent runs of a sampler."""
    for rng in np.random.default_rng(2).spawn(RUNS):
        yield SAMPLERS[sampler](problem, transcript, rng)


@pytest.mark.slow
@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("name", CASES)
def test_long_runs_agree_with_the_oracle(name, sampler):
    """Means, interval ends, predictions and evidence are the oracle's, as far as runs can tell."""
    problem, asked, answers = questionnaire(name)
    found = runs(sampler, problem, transcript_of(asked, answers))
    assert oracle(name).disagreements(found) == {}


@pytest.mark.slow
@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("name", CASES)
def test_leaving_an_answer_out_is_noticed(name, sampler):
    """Runs that were not told the most telling answer fail the very same check."""
    problem, asked, answers = questionnaire(name)
    short = transcript_of(asked, answers, without=most_telling(problem, asked, answers))
    found = oracle(name).disagreements(runs(sampler, problem, short))
    assert "mean of weights" in found
    assert ("evidence" in found) == (sampler == "smc")


@pytest.mark.slow
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_another_prior_is_noticed(sampler):
    """Runs under a prior a little different from the oracle's fail the very same check."""
    problem, asked, answers = questionnaire("two answers")
    other = Problem(3, problem.parameters, Dirichlet([1, 1, 1.2]))
    found = oracle("two answers").disagreements(runs(sampler, other, transcript_of(asked, answers)))
    assert "mean of weights" in found
