"""Sequential Monte Carlo learns people from the prior as they are; versions with a fault don't."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from calibration.ranks import People, learned, p_values, rejected
from questionnaires import learned_in_order

from equipoise.experiments.methods import METHODS, Truth
from equipoise.inference import smc
from equipoise.inference.draws import Draws, Problem
from equipoise.inference.parameters import Parameters
from equipoise.inference.smc import SMC
from equipoise.inference.weights import Dirichlet
from equipoise.model.priors import LogNormal
from equipoise.model.responses import THREE, PeopleAnswers, ResponseModel, TwoAnswers

QUESTIONS = 10
FEW = SMC(100)
TRUTH = Truth(tau_r=0.3, tau_kappa=0.3, beta=10)
PEOPLE = PeopleAnswers()
# When an answer is taken in by degrees, and what each of them leaves: with these most answers are,
# with those of the sampler hardly any. It has to be right whatever they are.
BY_DEGREES = {"WORTH_A_STEP": 0.9, "LEFT_BY_A_DEGREE": 0.8}


@dataclass(frozen=True)
class Case:
    """What is learned, the prior's concentrations, and how many people."""

    responses: ResponseModel
    alpha: tuple[float, ...]
    count: int
    by_degrees: bool = False


def assumed(method):
    """What the learner of a method assumes, and people answer by here."""
    return METHODS[method].assumed(TRUTH)


# With two answers the methods assume the same, so that priorities and their prior differ.
CASES = {
    "correct": Case(assumed("correct"), (1, 1, 1, 1), 2000),
    "ignore": Case(assumed("ignore"), (2, 1, 0.5), 2000),
    "utilize-3": Case(assumed("utilize-3"), (1, 1, 1), 2000),
    "utilize-4": Case(assumed("utilize-4"), (1,) * 8, 1200),
    "utilize-4-thresholds": Case(assumed("utilize-4-thresholds"), (1, 1, 1), 1500),
    "correct-noise": Case(assumed("correct-noise"), (1, 1, 1), 700),
    "ignore-noise": Case(assumed("ignore-noise"), (2, 0.5), 700),
    "utilize-4-noise": Case(assumed("utilize-4-noise"), (1, 1, 1), 700),
    "people": Case(PEOPLE, (1, 1, 1), 1200),
    "people, three answers": Case(replace(PEOPLE, answers=THREE), (1, 2), 1200),
    "people, two answers": Case(TwoAnswers(beta=PEOPLE.beta, lapse=PEOPLE.lapse), (1, 1, 1), 1200),
    "correct, by degrees": Case(assumed("correct"), (1, 1, 1), 600, by_degrees=True),
    "utilize-3, by degrees": Case(assumed("utilize-3"), (1, 1, 1), 600, by_degrees=True),
    "utilize-4-thresholds, by degrees": Case(
        assumed("utilize-4-thresholds"), (1, 1, 1), 600, by_degrees=True
    ),
    "people, by degrees": Case(PEOPLE, (1, 1), 600, by_degrees=True),
}


@cache
def people(name, count):
    """So many people who answer by the model of a case."""
    case = CASES[name]
    problem = Problem(len(case.alpha), Parameters(case.responses), Dirichlet(case.alpha))
    return People.drawn(problem, count, QUESTIONS, seed=1)


def p_values_of(sampler, name, count, patch):
    """The p-values of a sampler's draws, and in which share of updates what had to be done."""
    for constant, share in BY_DEGREES.items() if CASES[name].by_degrees else ():
        patch.setattr(smc, constant, share)
    asked, done = people(name, count), []

    def learn(truth, transcript, problem, rng):
        for draws in learned_in_order(sampler, problem, transcript, rng):
            done.append((draws.info["sweeps"] > 0, draws.info["degrees"] > 0))
        return draws.some(rng.choice(len(draws), 1, p=draws.mass))

    found = p_values(asked, learned(asked, learn, seed=2), seed=3)
    return found, dict(zip(("moves", "degrees"), np.mean(done, axis=0), strict=True))


class ForgetsMasses(SMC):
    """Takes all particles to be equally likely."""

    def update(self, draws, transcript, problem, rng):
        """Take in the latest answer, and forget what it says."""
        found = super().update(draws, transcript, problem, rng)
        return Draws(found.weights, found.rows, info=found.info)


class CountsTwice(SMC):
    """Takes every answer in twice."""

    def update(self, draws, transcript, problem, rng):
        """Take in the latest answer, and once more."""
        once = super().update(draws, transcript, problem, rng)
        return super().update(once, transcript, problem, rng)


class BelievesOtherwise(SMC):
    """Starts from the prior and moves under another one."""

    def update(self, draws, transcript, problem, rng):
        """Take in the latest answer as if weights had been thought to be closer to each other."""
        closer = Dirichlet(tuple(3 * problem.prior.over(problem.priorities)))
        return super().update(draws, transcript, replace(problem, prior=closer), rng)


class BelievesOtherNumbers(SMC):
    """Starts from the prior and moves under another one on an unknown number."""

    def update(self, draws, transcript, problem, rng):
        """Take in the latest answer as if people had been thought to be steadier."""
        responses = problem.parameters.responses
        steadier = LogNormal(2 * responses.beta.median, responses.beta.sigma)
        other = Parameters(replace(responses, beta=steadier))
        return super().update(draws, transcript, replace(problem, parameters=other), rng)


def _regardless_of_mass(renew, population, answered, pending):
    population.mass = np.full_like(population.mass, 1 / len(population.mass))
    renew(population, answered, pending)


def _by_all_but_the_latest(renew, population, answered, pending):
    renew(population, population.earlier, pending)


def _by_none_on_the_way(renew, population, answered, pending):
    if pending.waits:
        none = {part: getattr(answered, part)[:0] for part in ("plus", "minus", "answers")}
        answered = answered._replace(**none)
    renew(population, answered, pending)


def _by_half(weigh, population, log_chances, power):
    weigh(population, log_chances, power / 2)


def changing(part, fault):
    """Have a part of taking in an answer done in another way, which is given the right one too."""

    def change(patch):
        right = getattr(smc._Population, part)
        patch.setattr(smc._Population, part, lambda *given: fault(right, *given))

    return change


@dataclass(frozen=True)
class Twin:
    """A fault, in the sampler or how it's changed, and people of which case must show it."""

    case: str
    count: int
    sampler: SMC = FEW
    change: Callable[[pytest.MonkeyPatch], None] = lambda patch: None


TWINS = {
    "forgets masses": Twin("correct", 300, ForgetsMasses(100)),
    "counts answers twice": Twin("correct", 2000, CountsTwice(100)),
    "moves under another prior": Twin("utilize-4", 800, BelievesOtherwise(100)),
    "moves under another prior on a number": Twin("people", 500, BelievesOtherNumbers(100)),
    "never moves": Twin(
        "utilize-4", 1200, change=lambda patch: patch.setattr(smc, "MOST_SWEEPS", 0)
    ),
    "resamples regardless of mass": Twin(
        "correct", 2000, change=changing("renew", _regardless_of_mass)
    ),
    "moves as if the latest answer were none": Twin(
        "people", 900, change=changing("renew", _by_all_but_the_latest)
    ),
    "moves without earlier answers while one is taken in": Twin(
        "utilize-4-thresholds, by degrees", 300, change=changing("renew", _by_none_on_the_way)
    ),
    "takes answers in by half": Twin("people", 600, change=changing("_weigh", _by_half)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_what_is_learned_of_people_is_spread_like_them(name, monkeypatch):
    """Weights, unknowns and likelihood of a particle by mass are distributed as people's own."""
    found, done = p_values_of(FEW, name, CASES[name].count, monkeypatch)
    assert rejected(found) == {}
    # So that what is said of moves and degrees is said of something.
    assert done["moves"] > 0.05
    assert (done["degrees"] > 0.3) == CASES[name].by_degrees


@pytest.mark.slow
@pytest.mark.parametrize("twin", TWINS)
def test_a_sampler_with_a_fault_is_noticed(twin, monkeypatch):
    """With a fault in how answers are taken in, the very same check fails."""
    fault = TWINS[twin]
    fault.change(monkeypatch)
    found, _ = p_values_of(fault.sampler, fault.case, fault.count, monkeypatch)

    assert rejected(found) != {}
