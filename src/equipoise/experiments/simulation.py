"""Simulated people and the learner: one learning experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from equipoise.acquisition import ACQUISITIONS, Acquisition
from equipoise.experiments.methods import METHODS, Method, Truth
from equipoise.experiments.names import nearest
from equipoise.inference.draws import Sampler
from equipoise.learner import Learner, StoppingRule
from equipoise.learner.settings import SAMPLERS, named_data
from equipoise.learner.stopping import RULES, rule_as_data
from equipoise.model.checks import number_between
from equipoise.model.linear_rules import random_inputs
from equipoise.model.respondents import Respondent
from equipoise.model.responses import TWO, FourAnswers
from equipoise.model.states import Response

Array = NDArray[np.float64]
Behaviour = Literal["correct", "fifty-fifty", "lexicographic", "self-similar"]

# What random numbers of an experiment are for; each has a stream of its own.
PERSON, ANSWERS, INPUTS = range(3)
NUMBERS = ("tau_r", "tau_kappa", "concentration", "beta", "lapse")


@dataclass(frozen=True)
class Simulation:
    """One learning experiment.

    Paper: sec:speed, sec:accuracy, tab:bald-hyperparams

    Attributes
    ----------
    method
        One of `METHODS`.
    tau_r, tau_kappa, beta
        The true response parameters.
    people
        How many people.
    queries
        How many questions each is asked at most.
    seed
        Of people, their answers and the questions: the same for every method.
    sampler
        As for a `Learner`.
    pool
        How many random questions to choose from.
    acquisition
        As for a `Learner`. With the paper's sampler "bald" is the method's own, which averages over
        some of the draws only.
    respondent
        "correct" answers by the method's true response model. The others are people with these
        thresholds who have to choose a side.
    stop
        When to stop asking somebody before that, if ever; the paper's rule is `StandsStill()`.
    dimensions
        How many features there are.
    concentration
        Of the Dirichlet distribution that true weights come from.
    lapse
        Which share of the answers has nothing to do with the question; the learner knows it, as it
        knows beta.

    Examples
    --------
    >>> simulation = Simulation("utilize-4", tau_r=0.4, tau_kappa=0.4)
    >>> simulation.person(0).weights.round(2)
    array([0.24, 0.  , 0.75, 0.  , 0.01])
    """

    method: str
    tau_r: float
    tau_kappa: float
    people: int = 40
    queries: int = 100
    seed: int = 1
    sampler: str | Sampler = "smc"
    pool: int = 50
    acquisition: str | Acquisition = "bald"
    respondent: Behaviour = "correct"
    stop: StoppingRule | None = None
    dimensions: int = 5
    concentration: float = 0.2
    beta: float = 10.0
    lapse: float = 0.0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"method is {self.method!r}{nearest(self.method, METHODS)}")
        if self.respondent not in get_args(Behaviour):
            near = nearest(self.respondent, get_args(Behaviour))
            raise ValueError(f"respondent is {self.respondent!r}{near}")
        for name in ("people", "queries", "pool", "dimensions"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected at least 1")
        if self.seed < 0:
            raise ValueError(f"seed is {self.seed}, expected a whole number of at least 0")
        for name, names in (("sampler", list(SAMPLERS)), ("acquisition", list(ACQUISITIONS))):
            value = getattr(self, name)
            if isinstance(value, str) and value not in names:
                raise ValueError(f"{name} is {value!r}{nearest(value, names)}")
        if self.stop is not None and not callable(getattr(self.stop, "reached", None)):
            raise ValueError(f"stop is {self.stop!r}, expected a rule such as StandsStill()")
        # Differences of features reach a valence of one at most.
        for name in ("tau_r", "tau_kappa", "lapse"):
            number_between(getattr(self, name), name, 0, 1)
        for name in ("concentration", "beta"):
            if not 0 < getattr(self, name) < np.inf:
                raise ValueError(f"{name} is {getattr(self, name)}, expected a number above 0")
        if self.respondent != "correct" and self.how.true(self.truth).answers != TWO:
            forced = [m.name for m in METHODS.values() if m.true(self.truth).answers == TWO]
            raise ValueError(
                f"respondent is {self.respondent!r}, somebody who has to choose a side, but "
                f"{self.method} lets people be undecided: expected one of {', '.join(forced)}"
            )

    def declaration(self) -> dict[str, Any]:
        """Return what the experiment is, as plain data.

        Of a sampler, an acquisition or a stopping rule of one's own, only the name is written down.
        """
        kinds: dict[str, Mapping[str, type]] = {"sampler": SAMPLERS, "acquisition": ACQUISITIONS}
        objects = {name: _as_data(getattr(self, name), kinds[name]) for name in kinds}
        numbers = {name: float(getattr(self, name)) for name in NUMBERS}  # 0 is the same as 0.0
        stop = None if self.stop is None else rule_as_data(self.stop)
        return {**vars(self), **numbers, **objects, "stop": stop}

    @classmethod
    def from_declaration(cls, data: Mapping[str, Any]) -> Simulation:
        """Return the experiment that plain data stand for.

        Examples
        --------
        >>> from equipoise.learner import StandsStill
        >>> simulation = Simulation("correct", 0.25, 0.25, stop=StandsStill())
        >>> Simulation.from_declaration(simulation.declaration()) == simulation
        True
        """
        tables: dict[str, Mapping[str, type]] = {
            "sampler": SAMPLERS,
            "acquisition": ACQUISITIONS,
            "stop": RULES,
        }
        objects = {name: _from_data(data[name], table) for name, table in tables.items()}
        return cls(**{**data, **objects})

    @property
    def how(self) -> Method:
        """The method."""
        return METHODS[self.method]

    @property
    def chooser(self) -> str | Acquisition:
        """How questions are chosen."""
        papers = self.sampler == "paper" and self.acquisition == "bald"
        return self.how.acquisition if papers else self.acquisition

    @property
    def truth(self) -> Truth:
        """The true response parameters."""
        return Truth(self.tau_r, self.tau_kappa, self.beta, self.lapse)

    def stream(self, purpose: int, k: int = 0) -> np.random.Generator:
        """Return the generator for one purpose, of the k-th person."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(purpose, k)))

    def person(self, k: int) -> Respondent:
        """Return the k-th person, the same for every method."""
        rng = self.stream(PERSON, k)
        weights = rng.dirichlet(np.full(self.dimensions, self.concentration))
        return self.person_with(weights, rng.random(self.dimensions))

    def person_with(self, weights: Array, profile: Array) -> Respondent:
        """Return somebody of the experiment who has these weights and features."""
        if self.respondent == "correct":
            return Respondent(weights, self.how.true(self.truth), profile=profile)
        return Respondent(weights, FourAnswers(**vars(self.truth)), self.respondent, profile)

    def inputs(self) -> Array:
        """Return the inputs on which regret is judged: features (300, 5, dimensions)."""
        return random_inputs(self.dimensions, self.stream(INPUTS))


@dataclass(frozen=True, eq=False)
class Course:
    """How learning one person went.

    Attributes
    ----------
    person
        Who it was.
    estimates
        The posterior mean after every question; shape (asked, m).
    responses
        The answers, in order.
    distinct
        After every question, which share of the sampler's states differ from the one before.
    """

    person: Respondent
    estimates: Array
    responses: tuple[Response, ...]
    distinct: Array


def learn_person(simulation: Simulation, k: int) -> Course:
    """Return how learning the k-th person goes.

    Paper: alg:bald-template

    Examples
    --------
    >>> course = learn_person(Simulation("correct", 0.4, 0.4, queries=3), k=0)
    >>> course.estimates.shape, len(course.responses)
    ((3, 5), 3)
    """
    person, answering = simulation.person(k), simulation.stream(ANSWERS, k)
    learner = Learner(
        simulation.dimensions,
        simulation.how.assumed(simulation.truth),
        seed=simulation.seed,
        session=f"person {k}",
        sampler=simulation.sampler,
        acquisition=simulation.chooser,
        pool=simulation.pool,
    )
    estimates = np.empty((simulation.queries, simulation.dimensions))
    distinct = np.empty(simulation.queries)
    responses: list[Response] = []
    for t in range(simulation.queries):
        question = learner.ask()
        answer = person.answer(question, answering)
        responses.append(answer)
        if answer in simulation.how.kept:
            learner.tell(question, answer)
        else:
            learner.skip()
        posterior = learner.posterior
        estimates[t], distinct[t] = posterior.mean(), posterior.distinct
        if simulation.stop is not None and simulation.stop.reached(learner):
            break
    asked = len(responses)
    return Course(person, estimates[:asked], tuple(responses), distinct[:asked])


def _as_data(value: Any, table: Mapping[str, type]) -> Any:
    """Return a name, what a table has with its arguments, or the name of a kind of one's own."""
    if isinstance(value, str):
        return value
    named = named_data(value, table)
    return named.get("own", named)


def _from_data(data: Any, table: Mapping[str, type]) -> Any:
    if not isinstance(data, Mapping):
        return data
    ((name, arguments),) = data.items()
    if name not in table:
        raise ValueError(f"the experiment has a {name} = {arguments!r}, which can't be read back")
    return table[name](**arguments)
