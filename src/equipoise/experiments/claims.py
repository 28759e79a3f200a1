"""What the paper's text says of its experiments in numbers, and whether ours agree."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from equipoise.experiments.measures import Measures
from equipoise.experiments.simulation import Course, Simulation
from equipoise.learner import StandsStill

Array = NDArray[np.float64]

# How many standard errors of their difference two numbers may lie apart.
STANDARD_ERRORS = 3.0
# By then most estimates stand still, and the others go back and forth: the paper's short chains
# never let go of chance.
LONGEST = 1000


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of one experiment with one seed.

    Attributes
    ----------
    courses, measures
        How learning everybody went, and how well.
    """

    courses: Sequence[Course]
    measures: Measures


Statistic = Callable[[Outcome], Array]


@dataclass(frozen=True)
class Claim:
    """A mean over people that the paper prints.

    Attributes
    ----------
    label
        Where the paper says it.
    says
        What of, in a few words.
    experiment
        The experiment, with any seed.
    statistic
        The number of each person whose mean it is.
    paper
        Between what two numbers the mean is; they are the same where one is printed.
    digit
        One in its last digit: 0.01 for 0.16.
    """

    label: str
    says: str
    experiment: Simulation
    statistic: Statistic
    paper: tuple[float, float]
    digit: float


@dataclass(frozen=True)
class Verdict:
    """What was measured, and whether it agrees with the paper.

    Attributes
    ----------
    measured, se
        The mean and its standard error.
    people
        How many people it's over.
    compatible
        Whether it agrees.
    """

    measured: float
    se: float
    people: int
    compatible: bool


def verdict(claim: Claim, outcomes: Sequence[Outcome]) -> Verdict:
    r"""Return whether the experiment, run with some seeds, gives what the paper says.

    It does if

    .. math::
        |\text{measured} - \text{paper}| \le 3 \sqrt2\, \text{se} + \tfrac12 \text{digit}

    where se is the standard error of our mean. Both means are over people who came by chance. With
    more than the paper's 40 people of ours this asks for more than chance alone explains.
    """
    values = np.concatenate([claim.statistic(outcome) for outcome in outcomes])
    return agreement(values, claim.paper, claim.digit)


def agreement(values: Array, paper: tuple[float, float], digit: float) -> Verdict:
    """Return whether a mean over people agrees with what the paper says, as `verdict` does.

    Examples
    --------
    >>> agreement(np.array([0.1, 0.2, 0.3]), paper=(0.35, 0.35), digit=0.01).compatible
    True
    """
    people = len(values)
    measured, spread = float(values.mean()), float(values.std(ddof=1))
    se = spread / math.sqrt(people)
    low, high = paper
    off = max(low - measured, measured - high, 0.0)
    compatible = bool(off <= STANDARD_ERRORS * math.sqrt(2) * se + digit / 2)
    return Verdict(measured, se, people, compatible)


def after(name: str, questions: int) -> Statistic:
    """Return the statistic that is a measure after so many questions."""
    return lambda outcome: np.asarray(getattr(outcome.measures, name)[:, questions - 1])


def in_the_end(name: str) -> Statistic:
    """Return the statistic that is a measure of the last estimate."""
    return lambda outcome: np.asarray(getattr(outcome.measures, name)[:, -1])


def extra_on_top(outcome: Outcome) -> Array:
    """Return how much more the estimate gives the weightiest priority than it has.

    Paper: fig:biasdecomp (a)
    """
    return np.array([_error(course)[course.person.weights.argmax()] for course in outcome.courses])


def toward_profile(outcome: Outcome) -> Array:
    """Return how far the estimate errs toward the person's own features.

    Paper: fig:biasdecomp (b)
    """
    return np.array(
        [_error(course) @ np.asarray(course.person.profile) for course in outcome.courses]
    )


def positive(statistic: Statistic) -> Statistic:
    """Return the statistic that is one where another is above zero, and else zero."""
    return lambda outcome: (statistic(outcome) > 0).astype(np.float64)


def _error(course: Course) -> Array:
    return np.asarray(course.estimates[-1] - course.person.weights)


def _speed() -> list[Claim]:
    """Return what sec:speed says of the middle of the threshold grid."""
    # l1 after 100 questions, average regret after 25; (tau_r = tau_kappa, method, paper, digit).
    l1 = [
        (0.4, "utilize-4", 0.014, 0.001),
        (0.4, "correct", 0.16, 0.01),
        (0.4, "ignore", 0.34, 0.01),
        (0.6, "utilize-4", 0.012, 0.001),
        (0.6, "ignore", 0.62, 0.01),
    ]
    regret = [
        (0.4, "utilize-4", 0.0003, 0.0001),
        (0.4, "correct", 0.012, 0.001),
        (0.4, "ignore", 0.018, 0.001),
        (0.6, "utilize-4", 0.0003, 0.0001),
        (0.6, "correct", 0.008, 0.001),
        (0.6, "ignore", 0.054, 0.001),
    ]
    first = Simulation("utilize-4", 0.4, 0.4, sampler="paper")
    below = "utilize-4 at (0.4, 0.4): l1 after 25, below 0.05"
    claims = [Claim("sec:speed", below, first, after("l1", 25), (0.0, 0.05), 0.01)]
    for name, questions, rows in (("l1", 100, l1), ("avg_regret", 25, regret)):
        for tau, method, paper, digit in rows:
            says = f"{method} at ({tau}, {tau}): {name} after {questions}"
            experiment = Simulation(method, tau, tau, sampler="paper")
            claims.append(
                Claim("sec:speed", says, experiment, after(name, questions), (paper, paper), digit)
            )
    return claims


def _accuracy() -> list[Claim]:
    """Return what sec:accuracy says of people who are torn and must choose."""
    base = Simulation("correct", 0.25, 0.25, queries=LONGEST, sampler="paper", stop=StandsStill())
    people = {
        name: replace(base, respondent=name)
        for name in ("fifty-fifty", "lexicographic", "self-similar")
    }
    rows = [
        ("fifty-fifty", "average regret", in_the_end("avg_regret"), 0.005, 0.001),
        ("lexicographic", "average regret", in_the_end("avg_regret"), 0.011, 0.001),
        ("self-similar", "average regret", in_the_end("avg_regret"), 0.026, 0.001),
        ("fifty-fifty", "worst-case regret", in_the_end("wc_regret"), 0.21, 0.01),
        ("lexicographic", "worst-case regret", in_the_end("wc_regret"), 0.17, 0.01),
        ("self-similar", "worst-case regret", in_the_end("wc_regret"), 0.39, 0.01),
        ("lexicographic", "extra mass on the top priority", extra_on_top, 0.13, 0.01),
        ("lexicographic", "share with extra mass", positive(extra_on_top), 38 / 40, 1 / 40),
        ("self-similar", "projection on the own profile", toward_profile, 0.10, 0.01),
        ("self-similar", "share with a positive one", positive(toward_profile), 35 / 40, 1 / 40),
    ]
    # "Between 14% and 24% of the worst case", which is 2.
    errors = [
        Claim("sec:accuracy", f"{name}: l1", person, in_the_end("l1"), (0.28, 0.48), 0.02)
        for name, person in people.items()
    ]
    return errors + [
        Claim("sec:accuracy", f"{name}: {what}", people[name], statistic, (paper, paper), digit)
        for name, what, statistic, paper, digit in rows
    ]


CLAIMS = (*_speed(), *_accuracy())
