"""When to stop asking somebody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.learner.learner import Learner
from equipoise.learner.settings import named_data
from equipoise.model.checks import finite_array, number_between
from equipoise.model.linear_rules import average_regrets, random_inputs, worst_case_regrets

# Of the random inputs of a rule that was given none, so that it's the same rule every time.
INPUTS_SEED = 1


class StoppingRule(Protocol):
    """Says when enough was asked."""

    @property
    def why(self) -> str:
        """What is true where asking stops, as the end of a sentence."""
        ...

    def reached(self, learner: Learner) -> bool:
        """Return whether the answers that stand are enough."""
        ...


@dataclass(frozen=True)
class AfterQuestions:
    """Stop after a number of questions, answered or skipped.

    Parameters
    ----------
    count
        How many.

    Examples
    --------
    >>> from equipoise.model.responses import TwoAnswers
    >>> learner = Learner(3, TwoAnswers(), seed=1)
    >>> AfterQuestions(1).reached(learner)
    False
    >>> learner.tell(learner.ask(), "first")
    >>> AfterQuestions(1).reached(learner)
    True
    """

    count: int

    def __post_init__(self) -> None:
        _whole_number(self.count, "count")

    @property
    def why(self) -> str:
        """What is true where asking stops, that so many were asked."""
        return f"{self.count} {'question was' if self.count == 1 else 'questions were'} asked"

    def reached(self, learner: Learner) -> bool:
        """Return whether so many questions were answered or skipped."""
        return len(learner.closed) >= self.count


@dataclass(frozen=True)
class StandsStill:
    r"""Stop when the estimate moved little, several answers in a row.

    .. math:: \|\hat\omega_{t+1} - \hat\omega_t\|_2 < \text{distance}

    for the latest so many answers, where omega-hat is the posterior mean. What isn't learned from
    moves nothing, and doesn't count.

    Paper: sec:tech, sec:accuracy

    Parameters
    ----------
    distance
        What is little.
    times
        How many answers in a row.

    Examples
    --------
    >>> from equipoise.model.responses import TwoAnswers
    >>> StandsStill().reached(Learner(3, TwoAnswers(), seed=1))
    False
    """

    distance: float = 0.01
    times: int = 5

    def __post_init__(self) -> None:
        if not 0 < self.distance < np.inf:
            raise ValueError(f"distance is {self.distance}, expected a number above 0")
        _whole_number(self.times, "times")

    @property
    def why(self) -> str:
        """What is true where asking stops, that it stood still."""
        return "the estimate stood still"

    def reached(self, learner: Learner) -> bool:
        """Return whether the latest answers moved the estimate little."""
        moves = np.diff(learner.estimates[-self.times - 1 :], axis=0)
        small = np.linalg.norm(moves, axis=1) < self.distance
        return len(small) == self.times and bool(small.all())


@dataclass(frozen=True)
class NarrowIntervals:
    """Stop when every weight is known to within a width.

    Parameters
    ----------
    width
        How wide the interval of a weight may be at most.
    p
        How probably a weight is in its interval, which is central.

    Examples
    --------
    >>> from equipoise.model.responses import TwoAnswers
    >>> learner = Learner(3, TwoAnswers(), seed=1)
    >>> NarrowIntervals(0.1).reached(learner), NarrowIntervals(1).reached(learner)
    (False, True)
    """

    width: float
    p: float = 0.9

    def __post_init__(self) -> None:
        number_between(self.width, "width", 0, 1)
        _probability(self.p)

    @property
    def why(self) -> str:
        """What is true where asking stops, that they are narrow."""
        return f"every {100 * self.p:g}% interval was at most {self.width:g} wide"

    def reached(self, learner: Learner) -> bool:
        """Return whether no weight's interval is wider."""
        return bool(np.ptp(learner.posterior.interval(self.p), axis=1).max() <= self.width)


@dataclass(frozen=True)
class SmallRegret:
    r"""Stop when the rule that would be chosen now loses little, as far as is known.

    That rule is linear with the posterior mean for its weights. What it loses depends on the true
    weights, which are as probable as the posterior says:

    .. math::
        \mathbb E[\text{Avg-Regret}(\omega, \hat\omega)] \le \text{average}, \qquad
        \mathbb P[\text{WC-Regret}(\omega, \hat\omega) \le \text{worst\_case}] \ge p

    Paper: sec:tech (Avg-Regret, WC-Regret), app:regret-computation

    Parameters
    ----------
    average
        What it may lose on average over the inputs, of what there is to lose: 0.01 is one percent.
    worst_case
        What it may lose at worst, at any input whatever.
    p
        How probably it must lose no more than that at worst.
    inputs
        The decisions that are to be made: features of k outputs at each of n inputs, (n, k, m). If
        not given, 300 random inputs of five outputs. For priorities of a task: their utilities of
        the rules to choose from, as one input.

    Examples
    --------
    >>> from equipoise.model.responses import TwoAnswers
    >>> learner = Learner(3, TwoAnswers(), seed=1)
    >>> rule = SmallRegret(average=0.01, worst_case=0.1)
    >>> rule.expected(learner) > 0.01, rule.at_worst(learner) > 0.1, rule.reached(learner)
    (True, True, False)
    """

    average: float | None = None
    worst_case: float | None = None
    p: float = 0.95
    inputs: ArrayLike | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.average is None and self.worst_case is None:
            raise ValueError("neither average nor worst_case is given, expected at least one")
        _probability(self.p)
        for name in ("average", "worst_case"):
            if getattr(self, name) is not None:
                number_between(getattr(self, name), name, 0, 1)
        if self.inputs is not None:  # kept as what can be compared and written down
            listed = finite_array(self.inputs, "inputs", (None, None, None)).tolist()
            object.__setattr__(self, "inputs", tuple(tuple(map(tuple, x)) for x in listed))

    @property
    def why(self) -> str:
        """What is true where asking stops, that it's small."""
        parts = []
        if self.average is not None:
            parts.append(f"the expected average regret was at most {100 * self.average:g}%")
        if self.worst_case is not None:
            bound = f"the worst-case regret was at most {100 * self.worst_case:g}%"
            parts.append(f"{bound} with a probability of {100 * self.p:g}%")
        return " and ".join(parts)

    def reached(self, learner: Learner) -> bool:
        """Return whether the regret is as small."""
        return (self.average is None or self.expected(learner) <= self.average) and (
            self.worst_case is None or self.at_worst(learner) <= self.worst_case
        )

    def expected(self, learner: Learner) -> float:
        """Return the posterior mean of the average regret."""
        learned, draws = learner.posterior.mean(), learner.posterior.draws["weights"]
        return float(average_regrets(draws, learned, self._judged_by(len(learned))).mean())

    def at_worst(self, learner: Learner) -> float:
        """Return the posterior's p-quantile of the worst-case regret."""
        learned, draws = learner.posterior.mean(), learner.posterior.draws["weights"]
        return float(np.quantile(worst_case_regrets(draws, learned), self.p))

    def _judged_by(self, dimensions: int) -> NDArray[np.float64]:
        if self.inputs is None:
            return random_inputs(dimensions, np.random.default_rng(INPUTS_SEED))
        return self._given

    @cached_property
    def _given(self) -> NDArray[np.float64]:
        return np.asarray(self.inputs, np.float64)


def _probability(p: float) -> None:
    """Refuse what no interval has: a probability of nothing, for which every one is narrow."""
    if number_between(p, "p", 0, 1) == 0:
        raise ValueError(f"p is {p}, expected a number above 0")


def _whole_number(value: Any, name: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{name} is {value!r}, expected a whole number of at least 1")


RULES: dict[str, type[Any]] = {
    "questions": AfterQuestions,
    "still": StandsStill,
    "width": NarrowIntervals,
    "regret": SmallRegret,
}
# How a rule is typed: with a number, as in width=0.1, which only the first can do without.
TYPED: dict[str, Callable[..., StoppingRule]] = {
    "still": StandsStill,
    "questions": AfterQuestions,
    "width": NarrowIntervals,
    "regret": lambda average: SmallRegret(average=average),
    "worst-regret": lambda worst_case: SmallRegret(worst_case=worst_case),
}
EXPECTED = "still, questions=20, width=0.1, regret=0.01 or worst-regret=0.1"


def rule_as_data(rule: StoppingRule) -> dict[str, Any]:
    """Return a stopping rule as plain data; of one's own, only the name is written down.

    Examples
    --------
    >>> rule_as_data(StandsStill())
    {'still': {'distance': 0.01, 'times': 5}}
    """
    return named_data(rule, RULES)


def rule_typed(text: str) -> StoppingRule:
    """Return the stopping rule that is typed as a name, and a number if it has one.

    Examples
    --------
    >>> rule_typed("width=0.1")
    NarrowIntervals(width=0.1, p=0.9)
    >>> rule_typed("still")
    StandsStill(distance=0.01, times=5)
    """
    name, given, number = text.partition("=")
    if name not in TYPED or (not given and name != "still"):
        raise ValueError(f"the stopping rule is {text!r}, expected {EXPECTED}")
    if not given:
        return TYPED[name]()
    try:
        value = int(number) if number.isdecimal() else float(number)  # a count is a whole number
    except ValueError as error:
        raise ValueError(f"the stopping rule is {text!r}, expected {EXPECTED}") from error
    return TYPED[name](value)
