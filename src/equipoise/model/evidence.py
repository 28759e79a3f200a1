"""Evidence: how strongly each priority speaks for either side of a question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.aggregation import RuleAggregator, rule_aggregator
from equipoise.model.checks import finite_array
from equipoise.model.comparisons import Comparison
from equipoise.model.priorities import Priority, UtilityRange, utility_range
from equipoise.model.rounding import ROUNDING
from equipoise.model.tallies import Method, Tally, tally
from equipoise.model.tasks import Task


@dataclass(frozen=True)
class Account:
    """How one priority's evidence was found, and how far it can be trusted.

    Attributes
    ----------
    method
        For each comparison: "exact", "structured" or "sampled"; shape (n,).
    error
        A proven bound on how far the evidence is from the true one, inf for a sample; shape (n,).
    standard_error
        Of a sample, else zero; NaN for a sampled maximum, which has none; shape (n,).
    lower_bound
        Whether the evidence is only known to be at least this much; shape (n,).
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
    range: UtilityRange
    divisor: float

    def __str__(self) -> str:
        """Say it in a sentence."""
        used = " and ".join(sorted(set(self.method)))
        text = f"{self.priority}: {used}"
        finite = self.error[np.isfinite(self.error)]
        if finite.size and finite.max() > 0:
            text += f", off by at most {finite.max():.2g}"
        if "sampled" in self.method and not self.lower_bound.all():
            text += f", standard error up to {np.nanmax(self.standard_error):.2g}"
        if self.lower_bound.any():
            text += ", a sampled maximum, which is only a lower bound of the true one"
        if self.divisor != 1:
            kind = "its range" if self.range.proof == "exact" else "a proven bound on its range"
            text += f"; utility divided by {kind}, {self.divisor:.4g}"
        return text


@dataclass(frozen=True)
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
    accounts: tuple[Account, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        favour = finite_array(self.favour, "favour", (None, None))
        against = finite_array(self.against, "against", favour.shape)
        for name, side in (("favour", favour), ("against", against)):
            if (side < 0).any():
                q, j = np.argwhere(side < 0)[0]
                raise ValueError(
                    f"{name}[{q}, {j}] is {side[q, j]}, expected evidence of at least 0"
                )
        object.__setattr__(self, "favour", favour)
        object.__setattr__(self, "against", against)

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
        difference = features[:, 0] - features[:, 1]
        return cls(np.maximum(difference, 0), np.maximum(-difference, 0))

    def __len__(self) -> int:
        return int(self.favour.shape[0])

    def rows(self, index: slice | NDArray[np.intp] | Sequence[int]) -> Evidence:
        """Return the evidence of some of the questions."""
        return Evidence(self.favour[index], self.against[index])

    def columns(self, priorities: Sequence[int]) -> Evidence:
        """Return the evidence of some of the priorities."""
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
        With `accounts` telling how each priority's evidence was t.

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
    for comparison in comparisons:
        comparison.check(task)
    chosen = rule_aggregator(aggregator)
    factors = np.array([_scale_factor(scale, comparison, task) for comparison in comparisons])
    sides = np.empty((2, len(comparisons), len(priorities)))
    accounts = []
    for j, priority in enumerate(priorities):
        reach = utility_range(priority, task)
        scaling = factors / reach.divisor(unit_range)
        tallies = [tally(priority, question, task, chosen, method) for question in comparisons]
        sides[:, :, j] = _positive_parts(tallies) * scaling
        accounts.append(_account(priority, tallies, scaling, reach, reach.divisor(unit_range)))
    return Evidence(sides[0], sides[1], tuple(accounts))


def _positive_parts(tallies: Sequence[Tally]) -> NDArray[np.float64]:
    """Return [.]_+ of what is said toward either side, free of rounding; shape (2, n)."""
    toward = np.array([[t.toward_first, t.toward_second] for t in tallies]).reshape(-1, 2).T
    favour, against = np.where(toward > ROUNDING, toward, 0.0)
    return np.array([favour, np.where(abs(favour - against) <= ROUNDING, favour, against)])


def _account(
    priority: Priority,
    tallies: Sequence[Tally],
    scaling: NDArray[np.float64],
    reach: UtilityRange,
    divisor: float,
) -> Account:
    return Account(
        priority=priority.name,
        method=tuple(t.method for t in tallies),
        error=scaling * np.array([t.error for t in tallies]),
        standard_error=scaling * np.array([t.standard_error for t in tallies]),
        lower_bound=np.array([t.lower_bound for t in tallies], dtype=bool),
        range=reach,
        divisor=divisor,
    )


def _scale_factor(scale: float | Literal["per-input"], comparison: Comparison, task: Task) -> float:
    """Return what evidence at one comparison is multiplied by."""
    if not isinstance(scale, str):
        if not 0 < scale < math.inf:
            raise ValueError(f"scale is {scale}, expected a positive number or 'per-input'")
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
