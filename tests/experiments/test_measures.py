"""How well people were learned, against loops written out."""

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import linprog
from strategies import generators, simplex

import equipoise as eq
from equipoise.experiments.measures import MEASURES, Average, measure
from equipoise.experiments.simulation import Course, Simulation
from equipoise.model.linear_rules import average_regrets, worst_case_regrets

FOUR = eq.FourAnswers(tau_r=0.4, tau_kappa=0.4)


def course(rng, asked, size=5):
    """A person, and estimates and answers made up for them."""
    person = eq.Respondent(simplex(rng, size), FOUR)
    estimates = np.array([simplex(rng, size) for _ in range(asked)])
    answers = tuple(FOUR.answers[k] for k in rng.integers(4, size=asked))
    return Course(person, estimates, answers, rng.random(asked))


def regret_by_loops(true, learned, inputs):
    """The ratio of sums of app:regret-computation, one input after the other."""
    lost = available = 0.0
    for outputs in inputs:
        values = [sum(w * f for w, f in zip(true, psi, strict=True)) for psi in outputs]
        scores = [sum(w * f for w, f in zip(learned, psi, strict=True)) for psi in outputs]
        lost += max(values) - values[scores.index(max(scores))]
        available += max(values) - min(values)
    return lost / available


def test_measures_are_those_of_loops_written_out():
    """Every person and question: l1, both regrets and the cosine, and means and errors of them."""
    rng = np.random.default_rng(3)
    simulation = Simulation("utilize-4", 0.4, 0.4, people=3, queries=4)
    courses = [course(rng, asked=4) for _ in range(3)]
    found, inputs = measure(simulation, courses), simulation.inputs()
    for k, one in enumerate(courses):
        true = one.person.weights
        for t, learned in enumerate(one.estimates):
            l1 = sum(abs(a - b) for a, b in zip(true, learned, strict=True))
            worst = -linprog(-true, A_ub=[learned], b_ub=[0], bounds=[(-1, 1)] * 5).fun
            angle = (true @ learned) / ((true @ true) ** 0.5 * (learned @ learned) ** 0.5)
            assert found.l1[k, t] == pytest.approx(l1)
            assert found.avg_regret[k, t] == pytest.approx(regret_by_loops(true, learned, inputs))
            assert found.wc_regret[k, t] == pytest.approx(worst, abs=1e-9)
            assert found.cosine[k, t] == pytest.approx(angle)
    for name in MEASURES:
        average = found.average(name)
        for t in range(4):
            values = [row[t] for row in getattr(found, name)]
            mean = sum(values) / 3
            spread = sum((value - mean) ** 2 for value in values) / 2
            assert average.mean[t] == pytest.approx(mean)
            assert average.se[t] == pytest.approx((spread / 3) ** 0.5)


@given(generators())
def test_many_estimates_at_once_are_each_by_itself(rng):
    """Regrets of many learned weights are those of each; weights of exactly zero included."""
    size = int(rng.integers(1, 7))
    true = simplex(rng, size)
    learned = [simplex(rng, size) for _ in range(4)] + [np.eye(size)[rng.integers(size)]]
    inputs = rng.random((6, 3, size))
    each = [eq.average_regret(true, hat, inputs) for hat in learned]
    np.testing.assert_allclose(average_regrets(true, learned, inputs), each, atol=1e-12)
    each = [eq.worst_case_regret(true, hat) for hat in learned]
    np.testing.assert_allclose(worst_case_regrets(true, learned), each, atol=1e-12)


@pytest.mark.parametrize(
    ("learned", "said"),
    [
        ([[0.5, 0.5], [0.7, 0.7]], r"learned\[1\] sum to 1.4, expected 1"),
        ([[-0.5, 1.5]], r"learned\[0\]\[0\] is -0.5, expected a number of at least 0"),
        ([[0.2, 0.3, 0.5]], r"learned has shape \(1, 3\), expected \(any, 2\)"),
    ],
)
def test_many_estimates_are_checked_each(learned, said):
    """The error names the estimate that is none."""
    with pytest.raises(ValueError, match=said):
        worst_case_regrets([0.5, 0.5], learned)
    with pytest.raises(ValueError, match=said):
        average_regrets([0.5, 0.5], learned, np.zeros((1, 2, 2)))


def test_the_last_estimate_of_who_stopped_early_stands():
    """Somebody asked two of five questions counts in all means, with what was known at the end."""
    rng = np.random.default_rng(4)
    simulation = Simulation("utilize-4", 0.4, 0.4, people=2, queries=5)
    short, long = course(rng, asked=2), course(rng, asked=5)
    found = measure(simulation, [short, long])
    assert found.asked.tolist() == [2, 5]
    for name in MEASURES:
        of_short, of_long = getattr(found, name)
        assert of_short.tolist() == [of_short[0], *[of_short[1]] * 4]
        assert len(set(of_long.tolist())) == 5
        assert found.average(name).mean[4] == pytest.approx((of_short[1] + of_long[4]) / 2)


def test_the_share_of_distinct_states_is_of_those_still_asked():
    """What no sampler did is no number: the mean is over who was asked, and None after all."""
    rng = np.random.default_rng(5)
    simulation = Simulation("utilize-4", 0.4, 0.4, people=2, queries=5)
    courses = [course(rng, asked=2), course(rng, asked=4)]
    shares = [one.distinct for one in courses]
    told = measure(simulation, courses).as_json()["distinct"]
    assert told[:2] == pytest.approx(((shares[0] + shares[1][:2]) / 2).tolist())
    assert told[2:4] == pytest.approx(shares[1][2:].tolist())
    assert told[4] is None


def test_answers_are_counted_over_all_and_for_each():
    """Shares of all answers given, those never given included, and of each person's."""
    rng = np.random.default_rng(6)
    simulation = Simulation("utilize-4", 0.4, 0.4, people=2, queries=3)
    courses = [course(rng, asked=1), course(rng, asked=3)]
    found = measure(simulation, courses)
    given = [answer for one in courses for answer in one.responses]
    assert found.answers == FOUR.answers
    for place, answer in enumerate(FOUR.answers):
        assert found.shares[place] == pytest.approx(given.count(answer) / 4)
        for k, one in enumerate(courses):
            share = one.responses.count(answer) / len(one.responses)
            assert found.shares_by_person[k, place] == pytest.approx(share)
    assert found.as_json()["responses"] == dict(
        zip(["first", "second", "indifferent", "conflicted"], found.shares.tolist(), strict=True)
    )


def test_one_person_has_no_standard_error():
    """Nothing is known of how people vary: no number, and None in JSON."""
    average = Average.over_people(np.array([[0.5, 0.25]]))
    assert average.mean.tolist() == [0.5, 0.25]
    assert np.isnan(average.se).all()
    assert average.as_json() == {"mean": [0.5, 0.25], "se": [None, None]}


def test_an_unknown_measure_is_refused():
    """The error lists those there are."""
    simulation = Simulation("utilize-4", 0.4, 0.4, people=1, queries=1)
    found = measure(simulation, [course(np.random.default_rng(7), asked=1)])
    with pytest.raises(ValueError, match="expected one of l1, avg_regret, wc_regret, cosine"):
        found.average("l2")
