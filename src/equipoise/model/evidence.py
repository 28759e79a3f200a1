"""Evidence: how strongly each priority speaks for either side of a question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.aggregation import RuleAggregator, rule_aggregator
from equipoise.model.checks import finite_array
from equipoise.model.comparisons import Comparison
from equipoise.model.priorities import (
    Priority,
    UtilityRange,
    checked_priorities,
    utility_range,
)
from equipoise.model.rounding import ROUNDING, difference
from equipoise.model.tallies import Method, Tally, tally
from equipoise.model.tasks import Task, checked_task


@dataclass(frozen=True, eq=False)
class Account:
    """How one priority's evidence was found, and how far it can be trusted.

    Attributes
    ----------
    priority
        The priority's name.
    method
        For each comparison: "exact", "structured" or "sampled"; n of them.
    error
        A proven bound on how far the evidence is from the true one, inf for a sample; shape (n,).
    standard_error
        Of a sample, for the first and the second side, else zero; NaN where only a bound is known;
        shape (n, 2).
    lower_bound, upper_bound
        Whether the evidence is only known to be at least, or at most, this much, as the largest
        and the least gap of a sample; shape (n,).
    range
        The range of the priority's utility.
    divisor
        What the utility was divided by.
    """

    priority: str
    method: tuple[str, ...]
    error: NDArray[np.float64]
    standard_error: NDArray[np.float64]
    lower_bound: NDArray[np.bool_]
    upper_bound: NDArray[np.bool_]
    range: UtilityRange
    divisor: float

    def row(self, place: int) -> Account:
        """Return the account of one comparison."""
        at = slice(place, place + 1)
        return replace(
            self,
            method=self.method[at],
            error=self.error[at],
            standard_error=self.standard_error[at],
            lower_bound=self.lower_bound[at],
            upper_bound=self.upper_bound[at],
        )

    def __str__(self) -> str:
        """Say it in a sentence."""
        text = f"{self.priority}: {' and '.join(sorted(set(self.method))) or 'nothing asked'}"
        proven = self.error[np.isfinite(self.error)]
        if proven.size and proven.max() > 0:
            text += f", off by at most {proven.max():.2g}"
        known = self.standard_error[~np.isnan(self.standard_error)]
        if known.size and known.max() > 0:
            text += f", standard error up to {known.max():.2g}"
        if self.lower_bound.any():
            text += ", a sampled maximum, which is only a lower bound of the true one"
        if self.upper_bound.any():
            text += ", a sampled minimum, which is only an upper bound of the true one"
        if self.divisor != 1:
            kind = "its range" if self.range.proof == "exact" else "a proven bound on its range"
            text += f"; utility divided by {kind}, {self.divisor:.4g}"
        return text


@dataclass(frozen=True, eq=False, init=False)
class Evidence:
    r"""What each of m priorities says about n questions.

    .. math::
        \text{favour}_{qj} = [\phi((\Delta_j^F(y, y'; x))_F)]_+, \qquad
        \text{against}_{qj} = [\phi((\Delta_j^F(y', y; x))_F)]_+

    This is all that learning ever sees of a question.

    Paper: sec:prior-agg

    Parameters
    ----------
    favour, against
        Evidence for the first and for the second side, non-negative; shape (n, m).
    accounts
        How each priority's column was found, where it was.

    Examples
    --------
    >>> evidence = Evidence.from_features([[[0.9, 0.2], [0.4, 0.6]]])
    >>> evidence.favour, evidence.against
    (array([[0.5, 0. ]]), array([[0. , 0.4]]))
    """

    favour: NDArray[np.float64]
    against: NDArray[np.float64]
    accounts: tuple[Account, ...]

    def __init__(
        self, favour: ArrayLike, against: ArrayLike, accounts: tuple[Account, ...] = ()
    ) -> None:
        first = finite_array(favour, "favour", (None, None))
        second = finite_array(against, "against", first.shape)
        for name, side in (("favour", first), ("against", second)):
            if (side < 0).any():
                q, j = np.argwhere(side < 0)[0]
                raise ValueError(
                    f"{name}[{q}, {j}] is {side[q, j]}, expected evidence of at least 0"
                )
        self._set(first, second, accounts)

    def _set(
        self,
        favour: NDArray[np.float64],
        against: NDArray[np.float64],
        accounts: tuple[Account, ...] = (),
    ) -> Evidence:
        """Take arrays that are known to be evidence, and need no copy."""
        for name, side in (("favour", favour), ("against", against)):
            side.setflags(write=False)
            object.__setattr__(self, name, side)
        object.__setattr__(self, "accounts", accounts)
        return self

    @classmethod
    def from_features(cls, sides: ArrayLike) -> Evidence:
        """Return the evidence of linear features: positive and negative parts of differences.

        Paper: sec:tech (the simulations, which drop the factor one over the number of inputs)

        Parameters
        ----------
        sides
            The features of the first and second side of each question; shape (n, 2, m).
        """
        features = finite_array(sides, "sides", (None, 2, None))
        gaps = difference(features[:, 0], features[:, 1])
        return cls.__new__(cls)._set(np.maximum(gaps, 0), np.maximum(-gaps, 0))

    def __len__(self) -> int:
        return int(self.favour.shape[0])

    def rows(self, index: slice | NDArray[np.intp] | Sequence[int]) -> Evidence:
        """Return the evidence of some of the questions, without the accounts."""
        return Evidence.__new__(Evidence)._set(self.favour[index], self.against[index])

    def columns(self, priorities: Sequence[int] | NDArray[np.intp]) -> Evidence:
        """Return the evidence of some of the priorities, without the accounts."""
        kept = list(priorities)
        return Evidence(self.favour[:, kept], self.against[:, kept])

    def swapped(self) -> Evidence:
        """Return the evidence of the same questions with their sides exchanged."""
        return Evidence(self.against, self.favour)

    @property
    def largest_valence(self) -> float:
        """The largest valence that any weights reach, which is the most that one priority says."""
        return float((self.favour + self.against).max(initial=0.0))


def evidence(
    priorities: Sequence[Priority],
    comparisons: Sequence[Comparison],
    task: Task,
    *,
    aggregator: str | RuleAggregator = "average",
    scale: float | Literal["per-input"] = 1.0,
    method: Method = "auto",
    unit_range: bool = False,
) -> Evidence:
    """Return what each priority says about each comparison.

    Paper: sec:rule-agg, sec:prior-agg

    Parameters
    ----------
    priorities
        The m priorities.
    comparisons
        The n questions.
    task
        The task they are about.
    aggregator
        "average", "maximum", `Percentile(p)` or another `RuleAggregator`.
    scale
        1 for the definitions as they are, where one input out of many moves a utility by little.
        "per-input" divides by the reference mass of the inputs on which the two sides differ.
    method
        "exact" looks at every background rule. "structured" counts backgrounds by their sums,
        for priorities that allow it. "sampled", or `Sampled(size, seed)`, draws backgrounds.
        "auto" takes the first of them that is exact and quick, else the nearest to it.
    unit_range
        Whether every utility is rescaled to a range of exactly one.

    Returns
    -------
    Evidence
        With `accounts` that tell how each priority's evidence was found.

    Examples
    --------
    >>> from equipoise.model.priorities import Egalitarianism
    >>> task = Task({"x1": ("a", "b"), "x2": ("a", "b")})
    >>> equal = Egalitarianism(["a", "b"], lambda i, x, y: float(y == i))
    >>> question = Comparison.local("x1", "a", "b")
    >>> torn = evidence([equal], [question], task, aggregator="maximum")
    >>> torn.favour.item(), torn.against.item()
    (1.0, 1.0)
    >>> print(torn.accounts[0])
    egalitarianism: structured
    """
    priorities = checked_priorities(priorities)
    checked_task(task)
    if isinstance(comparisons, Comparison) or not isinstance(comparisons, Sequence):
        raise ValueError(f"comparisons is {comparisons!r}, expected a list of comparisons")
    for i, comparison in enumerate(comparisons):
        if not isinstance(comparison, Comparison):
            raise ValueError(f"comparisons[{i}] is {comparison!r}, expected a Comparison")
        comparison.check(task)
    chosen = rule_aggregator(aggregator)
    factors = np.array([_scale_factor(scale, comparison, task) for comparison in comparisons])
    sides = np.empty((2, len(comparisons), len(priorities)))
    accounts = []
    for j, priority in enumerate(priorities):
        reach = utility_range(priority, task)
        divisor = reach.divisor(unit_range)
        tallies = [tally(priority, question, task, chosen, method) for question in comparisons]
        _check_bound(priority, tallies, reach)
        sides[:, :, j] = _positive_parts(tallies) * factors / divisor
        accounts.append(_account(priority, tallies, factors, reach, divisor))
    return Evidence(sides[0], sides[1], tuple(accounts))


def _check_bound(priority: Priority, tallies: Sequence[Tally], reach: UtilityRange) -> None:
    largest = max((t.largest_gap for t in tallies), default=0.0)
    # A rounded gap may exceed the bound by its own error.
    allowed = reach.width + max((t.error for t in tallies if math.isfinite(t.error)), default=0.0)
    if largest > allowed * (1 + ROUNDING) + ROUNDING:
        raise ValueError(
            f"priority {priority.name!r} has a bound of {reach.width:.4g} on its range, but two "
            f"rules were met whose utilities differ by {largest:.4g}"
        )


def _positive_parts(tallies: Sequence[Tally]) -> NDArray[np.float64]:
    """Return [.]_+ of what is said toward either side; shape (2, n).

    What is left of gaps that cancel is rounding, and so is a difference between the sides that is
    as small: a priority that is silent or even on paper must not speak, nor lean, here.
    """
    toward = np.array([[t.toward_first, t.toward_second] for t in tallies]).reshape(-1, 2).T
    rounding = ROUNDING * np.array([t.largest_gap for t in tallies])
    favour, against = np.where(toward > rounding, toward, 0.0)
    return np.array([favour, np.where(abs(favour - against) <= rounding, favour, against)])


def _account(
    priority: Priority,
    tallies: Sequence[Tally],
    factors: NDArray[np.float64],
    reach: UtilityRange,
    divisor: float,
) -> Account:
    errors = np.array([t.standard_errors for t in tallies]).reshape(-1, 2)
    return Account(
        priority=priority.name,
        method=tuple(t.method for t in tallies),
        error=np.array([t.error for t in tallies]) * factors / divisor,
        standard_error=errors * factors[:, None] / divisor,
        lower_bound=np.array([t.end == "largest" for t in tallies], dtype=bool),
        upper_bound=np.array([t.end == "least" for t in tallies], dtype=bool),
        range=reach,
        divisor=divisor,
    )


def _scale_factor(scale: float | Literal["per-input"], comparison: Comparison, task: Task) -> float:
    """Return what evidence at one comparison is multiplied by."""
    if isinstance(scale, Real) and 0 < scale < math.inf:
        return float(scale)
    if scale != "per-input":
        raise ValueError(f"scale is {scale!r}, expected a positive number or 'per-input'")
    mass = comparison.differing_mass(task)
    if mass == 0:
        raise ValueError(
            f"the sides of {comparison} differ at no input that ever occurs: "
            "evidence per input needs a question whose sides differ"
        )
    return 1.0 / mass
