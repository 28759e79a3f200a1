"""What the paper says of its experiments, numbers and shapes alike, and how it's judged."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from equipoise.experiments.claims import Array, Claim, Outcome, Statistic, Verdict, agreement
from equipoise.experiments.paper.runs import Case, Runs

Combine = Callable[[Array], float]
ANY = math.inf
# So many experiments are named where some are missing.
FEW = 4


@dataclass(frozen=True)
class Assertion:
    """One thing that the paper says of one or several experiments with the same people.

    Attributes
    ----------
    label
        Where it says so.
    says
        What, in a few words.
    cases
        The experiments.
    statistic
        A number of each person in each experiment.
    paper
        Between what two numbers `combine` of the means is, after the paper.
    digit
        One in the last digit it prints; 0 where it prints none.
    figure
        The figure that shows it.
    combine
        Takes the means, shape (cases,), to one number.
    reason
        What is known of why ours differs, if it does.
    reading
        How a sentence without a number was made a number.
    """

    label: str
    says: str
    cases: tuple[Case, ...]
    statistic: Statistic
    paper: tuple[float, float]
    digit: float
    figure: str
    combine: Combine = lambda means: float(means[0])
    reason: str = ""
    reading: str = ""

    @property
    def id(self) -> str:
        """A name that stays: letters, digits and hyphens."""
        return re.sub(r"[^a-z0-9.]+", "-", f"{self.label} {self.says}".lower()).strip("-")


@dataclass(frozen=True)
class Judged:
    """A claim, and whether it agrees with what was measured.

    Attributes
    ----------
    id, label, says
        What is claimed, and where.
    paper
        The number, or the two it lies between; None where there is no end.
    measured, se, n
        The mean, its standard error and the number of people; None where not measured.
    compatible
        None where not measured.
    note
        In which direction it differs and why; how a sentence was read; or what is missing.
    """

    id: str
    label: str
    says: str
    paper: float | list[float | None]
    measured: float | None
    se: float | None
    n: int | None
    compatible: bool | None
    note: str

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def jackknifed(values: Array, combine: Combine) -> Array:
    r"""Return a number for each person whose mean estimates a function of means.

    .. math:: n f(\bar x) - (n - 1) f(\bar x_{-i})

    of which the standard error is found as of any mean. Of a linear function these are its values.

    Parameters
    ----------
    values
        Shape (cases, people).
    combine
        The function.

    Examples
    --------
    >>> jackknifed(np.array([[1.0, 2.0, 6.0], [1.0, 1.0, 1.0]]), lambda mean: mean[0] - mean[1])
    array([0., 1., 5.])
    """
    n = values.shape[1]
    total = values.sum(axis=1)
    whole = combine(total / n)
    return np.array([n * whole - (n - 1) * combine((total - x) / (n - 1)) for x in values.T])


def judge(assertion: Assertion, runs: Runs) -> Judged:
    """Return whether what was measured agrees with the paper; with runs missing, that they are."""
    outcomes = [runs.outcomes.get(case) for case in assertion.cases]
    if any(outcome is None for outcome in outcomes):
        absent = [
            case for case, outcome in zip(assertion.cases, outcomes, strict=True) if outcome is None
        ]
        return _unmeasured(assertion, f"not measured: {_named(absent)} not run")
    try:
        values = np.stack([assertion.statistic(one) for one in outcomes if one is not None])
    except IndexError:
        return _unmeasured(assertion, "not measured: too few questions were asked")
    if values.shape[1] == 1:
        return _unmeasured(assertion, "not measured: one person has no standard error")
    with np.errstate(divide="ignore", invalid="ignore"):
        each = jackknifed(values, assertion.combine)
    if not np.isfinite(each).all():
        return _unmeasured(assertion, "not measured: a ratio to zero, with as few people as these")
    found = agreement(each, assertion.paper, assertion.digit)
    parts = [_difference(assertion, found), assertion.reading]
    if not found.compatible:
        parts.insert(1, assertion.reason)
    return Judged(
        assertion.id,
        assertion.label,
        assertion.says,
        _plain(assertion.paper),
        found.measured,
        found.se,
        found.people,
        found.compatible,
        ". ".join(part for part in parts if part),
    )


def _unmeasured(assertion: Assertion, why: str) -> Judged:
    paper = _plain(assertion.paper)
    return Judged(assertion.id, assertion.label, assertion.says, paper, None, None, None, None, why)


def _named(cases: Sequence[Case]) -> str:
    names = list(dict.fromkeys(map(str, cases)))
    more = len(names) - FEW
    return ", ".join(names[:FEW]) + (f" and {more} more" if more > 0 else "")


def _difference(assertion: Assertion, found: Verdict) -> str:
    """Return on which side of the paper's ours is, where that isn't said by "agrees"."""
    low, high = assertion.paper
    if not found.compatible:
        return "higher than in the paper" if found.measured > high else "lower than in the paper"
    beyond = max(low - found.measured, found.measured - high) > assertion.digit / 2
    if low < high and beyond:
        return "beyond what the paper says, by no more than chance may explain"
    return ""


def _plain(paper: tuple[float, float]) -> float | list[float | None]:
    low, high = paper
    if low == high:
        return low
    return [value if math.isfinite(value) else None for value in paper]


def numeric(claim: Claim, figure: str, reason: str = "") -> Assertion:
    """Return a printed number as an assertion of one experiment."""
    return Assertion(
        claim.label,
        claim.says,
        (Case.of(claim.experiment),),
        claim.statistic,
        claim.paper,
        claim.digit,
        figure,
        reason=reason,
    )


def below(
    label: str, says: str, pair: tuple[Case, Case], what: Statistic, figure: str
) -> Assertion:
    """Return the assertion that the mean of the first of a pair is below that of the second."""
    return Assertion(
        label,
        says,
        pair,
        what,
        (-ANY, 0.0),
        0.0,
        figure,
        combine=lambda means: float(means[0] - means[1]),
        reading="the difference, below zero",
    )


def outcome_share(answers: Sequence[str]) -> Statistic:
    """Return the statistic that is the share of some answers among a person's."""

    def share(outcome: Outcome) -> Array:
        columns = [k for k, a in enumerate(outcome.measures.answers) if str(a) in answers]
        return outcome.measures.shares_by_person[:, columns].sum(axis=1)

    return share


def mean_of(name: str) -> Statistic:
    """Return the statistic that is a measure's mean over all questions: how fast one learns."""
    return lambda outcome: np.asarray(getattr(outcome.measures, name).mean(axis=1))
