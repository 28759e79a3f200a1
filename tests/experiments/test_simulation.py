"""Simulated experiments: who takes part, what each method is, when to stop, who does the work."""

import json
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import pytest

from equipoise.experiments import running
from equipoise.experiments.methods import METHODS, Truth, grid_prior
from equipoise.experiments.running import processes, run, run_on_cores
from equipoise.experiments.simulation import Simulation, learn_person
from equipoise.inference.draws import Draws
from equipoise.learner import StandsStill
from equipoise.model.noise import UnknownMixture
from equipoise.model.priors import Uniform
from equipoise.model.responses import FOUR, THREE, TWO, FourAnswers
from equipoise.model.states import Response

SMALL = Simulation("utilize-4", 0.4, 0.4, people=4, queries=6)


@dataclass(frozen=True)
class Fixed:
    """A sampler whose draws all are one point; it goes on to the next after each answer."""

    points: tuple[tuple[float, ...], ...]

    def start(self, problem, rng):
        """Start at the first."""
        return self._draws(problem, 0, rng)

    def update(self, draws, transcript, problem, rng):
        """Go on, and stay at the last."""
        return self._draws(problem, len(transcript), rng)

    def _draws(self, problem, k, rng):
        point = self.points[min(k, len(self.points) - 1)]
        rows = problem.parameters.draw(rng, 60)
        return Draws(np.tile(point, (60, 1)), rows, info={"distinct": 1.0})


class Fails(Fixed):
    """A sampler that can't learn."""

    def update(self, draws, transcript, problem, rng):
        """Fail."""
        raise ZeroDivisionError


FIXED = Fixed(((0.5, 0.5),))


def same(courses, others):
    """Whether two runs of an experiment are alike, to the last digit."""
    return len(courses) == len(others) and all(
        a.person.weights.tolist() == b.person.weights.tolist()
        and a.estimates.tolist() == b.estimates.tolist()
        and a.responses == b.responses
        and a.distinct.tolist() == b.distinct.tolist()
        for a, b in zip(courses, others, strict=True)
    )


# Who does the work.


def test_the_result_does_not_depend_on_who_does_the_work():
    """One process, threads, other processes: the same estimates and answers, person by person."""
    here = run(SMALL)
    with ThreadPoolExecutor(2) as threads:
        assert same(run(SMALL, executor=threads), here)
    with processes(2) as executor:
        assert same(run(SMALL, executor=executor), here)
    assert same(run_on_cores(SMALL, workers=1), here)
    assert same(run_on_cores(SMALL, workers=2), here)
    assert not same(run(replace(SMALL, seed=2)), here)


def test_processes_are_started_where_that_pays(monkeypatch):
    """Not for a little work; for much, or where they are asked for, with the first ones done."""
    started = []

    def threads(count):
        started.append(count)
        return ThreadPoolExecutor(count)

    monkeypatch.setattr(running, "processes", threads)
    monkeypatch.setattr(running.os, "cpu_count", lambda: 2)
    here = run(SMALL)
    assert same(run_on_cores(SMALL), here)
    assert started == []
    monkeypatch.setattr(running, "SECONDS_TO_START", 0.0)
    assert same(run_on_cores(SMALL), here)
    assert started == [2]
    assert same(run_on_cores(SMALL, workers=8), here)
    assert started == [2, 3]
    run_on_cores(replace(SMALL, people=1), workers=8)
    assert started == [2, 3]


@pytest.mark.parametrize("workers", [None, 1])
def test_progress_counts_people(workers):
    """Everybody is counted once, one after the other."""
    told = []
    run_on_cores(SMALL, told.append, workers)
    assert told == [1, 2, 3, 4]
    told.clear()
    with ThreadPoolExecutor(2) as threads:
        run(SMALL, told.append, threads)
    assert told == [1, 2, 3, 4]


def test_progress_goes_on_where_processes_take_over(monkeypatch):
    """The first person is learned here, the others elsewhere; the count doesn't start again."""
    monkeypatch.setattr(running, "processes", ThreadPoolExecutor)
    told = []
    run_on_cores(SMALL, told.append, workers=2)
    assert told == [1, 2, 3, 4]


def test_what_goes_wrong_is_raised_and_ends_the_processes():
    """The error arrives, nothing goes on behind it, and nothing hangs."""
    broken = replace(SMALL, dimensions=2, sampler=Fails(FIXED.points))
    with pytest.raises(ZeroDivisionError):
        run(broken)
    with ThreadPoolExecutor(1) as threads, pytest.raises(ZeroDivisionError):
        run(broken, executor=threads)
    with pytest.raises(ZeroDivisionError), processes(1) as executor:
        executor.submit(divmod, 1, 0).result()
    assert multiprocessing.active_children() == []


def test_no_workers_are_refused():
    """At least one process must do it."""
    with pytest.raises(ValueError, match="workers is 0, expected at least 1"):
        run_on_cores(SMALL, workers=0)


# Who takes part.


@pytest.mark.parametrize("method", METHODS)
def test_people_and_inputs_are_the_same_for_every_method(method):
    """Methods differ by how they learn, not by whom."""
    other = replace(SMALL, method=method, tau_r=0.2, beta=5)
    for k in range(3):
        assert other.person(k).weights.tolist() == SMALL.person(k).weights.tolist()
        assert other.person(k).profile.tolist() == SMALL.person(k).profile.tolist()
    assert other.inputs().tolist() == SMALL.inputs().tolist()
    assert SMALL.person(0).weights.tolist() != SMALL.person(1).weights.tolist()
    assert replace(SMALL, seed=2).person(0).weights.tolist() != SMALL.person(0).weights.tolist()


def test_a_person_does_not_depend_on_how_many_there_are():
    """More people are more people, not others."""
    more = replace(SMALL, people=9)
    assert same(run(more)[:4], run(SMALL))


@pytest.mark.parametrize("respondent", ["fifty-fifty", "lexicographic", "self-similar"])
def test_respondents_who_have_to_choose(respondent):
    """With the true thresholds, they choose a side; the learner takes them for decided."""
    simulation = Simulation("correct", 0.25, 0.3, people=1, queries=8, respondent=respondent)
    person = simulation.person(0)
    assert person.indecision == respondent
    assert person.responses == FourAnswers(tau_r=0.25, tau_kappa=0.3, beta=10)
    assert person.profile.shape == (5,)
    assert person.answers == TWO
    (course,) = run(simulation)
    assert set(course.responses) <= set(TWO)


def test_a_correct_respondent_answers_by_the_true_model():
    """Without an odd habit, people are those of the method."""
    for name, method in METHODS.items():
        person = replace(SMALL, method=name).person(0)
        assert person.indecision == "report"
        assert person.responses == method.true(SMALL.truth)


# What each method is: app:algo-details, "Method specifications".

BOTH = {"tau_r": 0.4, "tau_kappa": 0.6}
ZERO = {"tau_r": 0.0, "tau_kappa": 0.0}
# name: answers and thresholds of the assumed model, what is unknown, answers and thresholds of
# the true one, draws a score.
PAPER = {
    "correct": (TWO, ZERO, set(), TWO, ZERO, 50),
    "ignore": (TWO, ZERO, set(), FOUR, BOTH, 50),
    "utilize-3": (THREE, BOTH, set(), THREE, BOTH, 50),
    "utilize-4": (FOUR, BOTH, set(), FOUR, BOTH, 50),
    "utilize-4-thresholds": (FOUR, {}, {"tau_r", "tau_kappa"}, FOUR, BOTH, 50),
    "correct-noise": (TWO, ZERO, {"noise"}, TWO, ZERO, 30),
    "ignore-noise": (TWO, ZERO, {"noise"}, FOUR, BOTH, 30),
    "utilize-4-noise": (FOUR, BOTH, {"noise"}, FOUR, BOTH, 30),
}


def test_there_are_the_papers_eight_methods():
    """Named as in the paper, its diamond and dagger in words."""
    assert list(METHODS) == list(PAPER)


@pytest.mark.parametrize("name", PAPER)
def test_a_method_assumes_and_is_told_what_the_paper_says(name):
    """Assumed model, unknowns, true model, retained answers, and draws for a score."""
    answers, thresholds, unknown, true_answers, true_thresholds, draws = PAPER[name]
    method, truth = METHODS[name], Truth(0.4, 0.6, beta=10)
    assumed, true = method.assumed(truth), method.true(truth)
    assert assumed.answers == answers
    assert set(assumed.unknown) == unknown
    assert {key: getattr(assumed, key) for key in thresholds} == thresholds
    assert assumed.noise == "logistic" or isinstance(assumed.noise, UnknownMixture)
    assert true.answers == true_answers
    assert {key: getattr(true, key) for key in true_thresholds} == true_thresholds
    assert (true.noise, true.beta, true.gate, true.lapse) == ("logistic", 10, "step", 0)
    dropped = set(true.answers) - set(method.kept)
    ignores = {Response.INDIFFERENT, Response.CONFLICTED}
    assert dropped == (ignores if name.startswith("ignore") else set())
    assert method.acquisition.draws == draws


def test_thresholds_are_learned_under_the_papers_priors():
    """tau_r uniform on [0, 1]; tau_kappa on ten values to 0.95, as sqrt(u(1 - u))."""
    assumed = METHODS["utilize-4-thresholds"].assumed(Truth(0.4, 0.4, 10))
    assert assumed.tau_r == Uniform(0, 1)
    assert assumed.tau_kappa == grid_prior()
    prior = grid_prior()
    np.testing.assert_allclose(prior.values, [0.95 * k / 9 for k in range(10)])
    expected = np.array([(k / 9 * (1 - k / 9)) ** 0.5 for k in range(10)])
    np.testing.assert_allclose(prior.p, expected / expected.sum(), atol=1e-15)


def test_who_ignores_indecision_asks_on_without_learning_from_it():
    """A dropped answer costs a question and leaves the estimate where it was."""
    simulation = Simulation("ignore", 0.6, 0.6, people=1, queries=20)
    (course,) = run(simulation)
    assert len(course.estimates) == len(course.responses) == 20
    dropped = [t for t in range(1, 20) if course.responses[t] not in TWO]
    assert dropped
    for t in range(1, 20):
        stays = course.estimates[t].tolist() == course.estimates[t - 1].tolist()
        assert stays == (t in dropped)


# When to stop.


@dataclass(frozen=True)
class Bored:
    """A rule of one's own: people are bored after some questions."""

    after: int = 3
    why = "somebody was bored"

    def reached(self, learner):
        """Return whether that's so."""
        return len(learner.closed) >= self.after


@pytest.mark.parametrize("method", ["utilize-4", "ignore"])
def test_asking_stops_as_soon_as_the_rule_is_reached(method):
    """Whatever the rule: not before, and not after the question at which it is."""
    simulation = replace(SMALL, method=method, people=2)
    everything, stopped = run(simulation), run(replace(simulation, stop=Bored()))
    for course, whole in zip(stopped, everything, strict=True):
        assert course.responses == whole.responses[:3]
        assert course.estimates.tolist() == whole.estimates[:3].tolist()
    never = run(replace(simulation, stop=Bored(7)))
    assert same(never, everything)


# The paper's rule: a footnote of sec:tech.

CLOSE, FAR = 0.006, 0.008  # of each weight: a distance of 0.0085, and of 0.0113


def path(*moves):
    """Points that move by so much, one after the other."""
    first = 0.5 + np.concatenate([[0], np.cumsum(moves)])
    return Fixed(tuple((x, 1 - x) for x in first.tolist()))


@pytest.mark.parametrize(
    ("moves", "asked"),
    [
        ([0] * 20, 5),
        ([CLOSE] * 20, 5),
        ([FAR] * 20, 20),
        ([FAR, FAR, *[0] * 18], 7),
        ([0, 0, 0, 0, FAR, *[0] * 15], 10),
        ([CLOSE, CLOSE, CLOSE, CLOSE, -FAR, CLOSE, FAR, *[CLOSE] * 13], 12),
    ],
)
def test_asking_stops_when_the_estimate_stood_still_five_times(moves, asked):
    """Five moves in a row below 0.01 in the Euclidean norm; else all questions are asked."""
    simulation = Simulation(
        "correct", 0, 0, queries=20, dimensions=2, sampler=path(*moves), stop=StandsStill()
    )
    course = learn_person(simulation, 0)
    assert len(course.responses) == len(course.estimates) == len(course.distinct) == asked
    everything = learn_person(replace(simulation, stop=None), 0)
    assert len(everything.responses) == 20
    assert everything.responses[:asked] == course.responses


def test_dropped_answers_are_no_sign_of_convergence():
    """Somebody torn at every question hasn't been learned after five of them."""
    simulation = Simulation(
        "ignore", 1, 1, queries=20, dimensions=2, sampler=FIXED, stop=StandsStill()
    )
    course = learn_person(simulation, 0)
    kept = [answer in TWO for answer in course.responses]
    assert len(kept) == 20
    assert sum(kept) < 5


# What can't be.


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"method": "guess"}, "method is 'guess', expected one of correct, ignore, utilize-3"),
        ({"people": 0}, "people is 0, expected at least 1"),
        ({"queries": -1}, "queries is -1, expected at least 1"),
        ({"pool": 0}, "pool is 0, expected at least 1"),
        ({"dimensions": 0}, "dimensions is 0, expected at least 1"),
        ({"seed": -1}, "seed is -1, expected a whole number of at least 0"),
        ({"tau_r": 1.5}, r"tau_r is 1.5, expected a number in \[0, 1\]"),
        ({"tau_kappa": float("nan")}, r"tau_kappa is nan, expected a number in \[0, 1\]"),
        ({"method": "correct", "tau_r": -1}, r"tau_r is -1, expected a number in \[0, 1\]"),
        ({"beta": 0}, "beta is 0, expected a number above 0"),
        ({"concentration": np.inf}, "concentration is inf, expected a number above 0"),
        ({"sampler": "guess"}, "sampler is 'guess', expected one of smc, paper"),
        ({"stop": "still"}, "stop is 'still', expected a rule such as StandsStill()"),
        ({"respondent": "odd"}, "respondent is 'odd', expected one of correct, fifty-fifty"),
        (
            {"respondent": "lexicographic"},
            "utilize-4 lets people be undecided: expected one of correct, correct-noise",
        ),
    ],
)
def test_what_can_not_be_is_refused(change, said):
    """Before anything is run, with what was expected."""
    with pytest.raises(ValueError, match=said):
        replace(SMALL, **change)


def test_a_declaration_is_plain_and_makes_the_same_experiment():
    """It goes through JSON; a sampler of one's own is there by name."""
    assert Simulation(**json.loads(json.dumps(SMALL.declaration()))) == SMALL
    own = replace(SMALL, sampler=Fails(FIXED.points)).declaration()
    assert json.loads(json.dumps(own))["sampler"] == "Fails"
    stops = replace(SMALL, stop=StandsStill(0.02)).declaration()
    assert json.loads(json.dumps(stops))["stop"] == {"still": {"distance": 0.02, "times": 5}}
    assert replace(SMALL, stop=Bored()).declaration()["stop"] == {"own": "Bored"}
