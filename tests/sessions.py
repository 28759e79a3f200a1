"""Sessions to test with: short ones, a person who answers them, and what makes two the same."""

from collections.abc import Mapping

import numpy as np

import equipoise as eq
from equipoise.declarations import responses_from_data

# Long enough that chains differ wherever their likelihoods do; the sizes of the paper are slow.
SHORT = eq.HitAndRun(kept=40, burn_in=20)
GRID = [k / 20 for k in range(20)]

MODELS = {
    "known thresholds": eq.FourAnswers(tau_r=0.3, tau_kappa=0.3),
    "unknown thresholds": eq.FourAnswers(
        tau_r=eq.Uniform(0, 1), tau_kappa=eq.Discrete(GRID, np.full(20, 1 / 20))
    ),
    "unknown mixture": eq.FourAnswers(
        tau_r=0.3, tau_kappa=0.3, noise=eq.GaussianMixture.unknown(3)
    ),
    "people": eq.PeopleAnswers(),
    "three answers": eq.ThreeAnswers(tau_r=0.2, tau_kappa=0.3),
    "two answers": eq.TwoAnswers(),
}

YEARS = {"ann": 0.9, "ben": 0.2, "cleo": 0.5}
REGION = {"ann": "north", "ben": "south", "cleo": "south"}
TASK = eq.Task({f"kidney {k}": ("ann", "ben", "cleo") for k in range(1, 4)})
YEARS_GAINED = eq.LinearFeature("years gained", lambda kidney, patient: YEARS[patient])
FAIR = eq.Proportionality(lambda kidney, patient: REGION[patient], {"north": 0.5, "south": 0.5})
BEN = eq.CustomPriority("ben", lambda rule: float("ben" in rule.values()))
ALIKE = eq.CustomPriority("alike", lambda rule: float(len(set(rule.values())) == 1))


def features(priorities=3, responses=MODELS["known thresholds"], **settings):
    """A learner of features."""
    settings = {"seed": 7, "pool": 20, "sampler": SHORT, **settings}
    return eq.Learner(priorities, responses, **settings)


def kidneys(priorities=(YEARS_GAINED, FAIR), responses=MODELS["known thresholds"], **settings):
    """A learner of priorities of a task."""
    settings = {"seed": 7, "sampler": SHORT, "aggregator": "maximum", **settings}
    return eq.Learner(list(priorities), responses, task=TASK, **settings)


def local(count=None):
    """The local comparisons of the task, as a catalogue."""
    return list(eq.local_comparisons(TASK))[:count]


class Person:
    """Somebody whose answer depends on nothing but the question and its number."""

    def __init__(self, learner, seed=3):
        responses = responses_from_data(learner.log()[0]["declaration"]["responses"])
        self.rng_of = lambda id: np.random.default_rng([seed, id])
        known = responses.draw(self.rng_of(0))
        m = len(learner.posterior.names)
        self.respondent = eq.Respondent(self.rng_of(0).dirichlet(np.ones(m)), known)

    def answer(self, question):
        return self.respondent.answer(question, self.rng_of(question.id))


def go_on(learner, count, candidates=None, person=None):
    """Ask and answer some questions; return them."""
    person = person or Person(learner)
    asked = []
    for _ in range(count):
        asked.append(learner.ask(candidates))
        learner.tell(asked[-1], person.answer(asked[-1]))
    return asked


def give(learner, question, answer):
    """Have a learner ask exactly a question, and tell it the answer."""
    comparison = question.comparison
    sides = [[question.first, question.second]] if comparison is None else [comparison]
    learner.tell(learner.ask(sides), answer)


def written(side):
    """A side as a value that can be compared."""
    return dict(side) if isinstance(side, Mapping) else side


def assert_same_question(one, other, ids=True):
    """Two questions are the same in all that they are made of."""
    assert not ids or one.id == other.id
    for name in ("first", "second"):
        np.testing.assert_equal(written(getattr(one, name)), written(getattr(other, name)))
    np.testing.assert_array_equal(one.evidence.favour, other.evidence.favour)
    np.testing.assert_array_equal(one.evidence.against, other.evidence.against)
    assert (one.bits, one.left, one.candidate) == (other.bits, other.left, other.candidate)


def assert_same_posterior(one, other):
    """Two learners know the same, draw by draw."""
    assert one.posterior.names == other.posterior.names
    assert one.posterior.draws.keys() == other.posterior.draws.keys()
    for name, values in one.posterior.draws.items():
        np.testing.assert_array_equal(values, other.posterior.draws[name])


def assert_same(one, other, candidates=None, ids=True):
    """Two learners know the same, and ask the same next."""
    assert_same_posterior(one, other)
    assert_same_question(one.ask(candidates), other.ask(candidates), ids)
