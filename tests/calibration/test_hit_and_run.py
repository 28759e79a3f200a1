"""The paper's sampler preserves the prior, and versions of it with one fault each don't."""

import inspect
import types
from copy import copy
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from calibration.ranks import People, learned, p_values, rejected

from equipoise.experiments.methods import grid_prior
from equipoise.inference import hit_and_run
from equipoise.inference.draws import Problem
from equipoise.inference.hit_and_run import HitAndRun
from equipoise.inference.kernels import compiling, hit_and_run as kernels
from equipoise.inference.parameters import Parameters
from equipoise.inference.weights import Dirichlet
from equipoise.model.noise import GaussianMixture
from equipoise.model.priors import Discrete, Uniform
from equipoise.model.responses import FourAnswers, PeopleAnswers, ThreeAnswers, TwoAnswers

QUESTIONS = 6
CHAIN = HitAndRun(kept=1, burn_in=19)


@dataclass(frozen=True)
class Case:
    """What is learned, the prior's concentrations, how many people, and who must be noticed."""

    responses: object
    alpha: list
    count: int
    twin: str = ""


CASES = {
    "two answers": Case(TwoAnswers(), [2, 1, 0.5], 20_000, "forgets priors"),
    "three answers": Case(
        ThreeAnswers(tau_r=0.3, tau_kappa=0.3), [1, 1, 1, 1], 20_000, "prefers the ends of chords"
    ),
    "four answers": Case(FourAnswers(tau_r=0.3, tau_kappa=0.3), [1, 1, 1, 1], 20_000),
    "thresholds": Case(
        FourAnswers(tau_r=Uniform(0, 1), tau_kappa=grid_prior()), [1, 1, 1], 8_000, "clips"
    ),
    # One value is far more likely than the others, which makes this fault show.
    "tau_kappa": Case(
        FourAnswers(
            tau_r=0.3, tau_kappa=Discrete(np.arange(13) / 20, [0.05] * 6 + [0.4] + [0.05] * 6)
        ),
        [1, 1, 1],
        10_000,
        "forgets priors",
    ),
    "mixture": Case(
        FourAnswers(tau_r=0.3, tau_kappa=0.3, noise=GaussianMixture.unknown(3)),
        [1, 1, 1],
        6_000,
        "forgets priors",
    ),
    "people": Case(PeopleAnswers(), [1, 1, 1], 5_000, "forgets priors"),
}

# Parts of the kernel, each with what stands in its place. A twin takes seconds to compile, so one
# has several faults, of which each case meets one.
TWINS = {
    "forgets priors": {
        # of weights; a uniform one can be forgotten
        "log_dirichlet(chain.weights, beliefs) - log_dirichlet(chain.new_weights, beliefs)": "0.0",
        # of numbers whose logarithm moves
        "floor += log_prior(before, prior) - log_prior(theta[name], prior)": "floor += 0.0",
        # of a mixture's scales
        "0.5 * (before**2 - after**2) / log_scale_sd**2": "0.0",
        # the current value of a number on a grid goes without its Gumbel noise
        "greatest = likelihood + log_chances[k] - log(exponential(rng))": (
            "greatest = likelihood + log_chances[k]"
        ),
    },
    "prefers the ends of chords": {
        "step = low + (high - low) * uniform(rng)": (
            "step = low + (high - low) * uniform(rng) ** 2"
        ),
    },
    "clips": {
        "theta[name] = reflect(before + size, low, high)": (
            "theta[name] = min(max(before + size, low), high)"
        ),
    },
}


@cache
def people(name):
    """People who answer by the model of a case."""
    case = CASES[name]
    problem = Problem(len(case.alpha), Parameters(case.responses), Dirichlet(case.alpha))
    return People.drawn(problem, case.count, QUESTIONS, seed=1)


def p_values_of_chains(name, update=CHAIN.update):
    """The p-values of chains that start at the truth."""
    return p_values(people(name), learned(people(name), update, seed=2), seed=3)


@cache
def chain_of(twin):
    """The compiled chain of a twin: the kernel's source with some lines replaced."""
    source = inspect.getsource(kernels)
    for line, fault in TWINS[twin].items():
        assert source.count(line) == 1
        source = source.replace(line, fault)
    module = types.ModuleType(twin)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "CACHE", None)  # compiled code would be kept under another source
        exec(compile(source, twin, "exec"), vars(module))
    return module.run_chain


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_chains_that_start_at_the_truth_preserve_the_prior(name):
    """After some sweeps, weights, unknowns and the likelihood are distributed as at the start."""
    assert rejected(p_values_of_chains(name)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.twin in TWINS])
def test_a_chain_with_a_fault_is_noticed(name, monkeypatch):
    """With a fault in the kernel, the very same check fails."""
    monkeypatch.setattr(hit_and_run, "run_chain", chain_of(CASES[name].twin))
    assert rejected(p_values_of_chains(name)) != {}


@pytest.mark.slow
def test_a_forgotten_answer_is_noticed():
    """Without the last answer the prior is still preserved, but not the likelihood."""

    def update(truth, transcript, problem, rng):
        rest = copy(transcript)
        rest.cut(len(transcript) - 1)
        return CHAIN.update(truth, rest, problem, rng)

    found = rejected(p_values_of_chains("four answers", update))
    assert set(found) == {"likelihood, ranks", "likelihood, pairs"}
