"""What is known after some answers."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from equipoise.acquisition import information
from equipoise.inference.diagnostics import effective_size
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters
from equipoise.learner.candidates import Candidates
from equipoise.model.checks import number_between
from equipoise.model.evidence import Evidence
from equipoise.model.questions import Question
from equipoise.model.rounding import first_best
from equipoise.model.states import Response, decisiveness, valence

if TYPE_CHECKING:
    import arviz

Array = NDArray[np.float64]

# The states a question may have, in the order of their columns.
STATES = (Response.FIRST, Response.SECOND, Response.INDIFFERENT, Response.CONFLICTED)
# Below this many independent draws, the ends of a 90% interval are set by some two of them.
ENOUGH_DRAWS = 50
# Below this share of distinct draws a sampler has hardly left where it began.
ENOUGH_MOVES = 0.05
# Particles that were moved less than this, where one is independence, still depend on each other.
MOVED_LITTLE = 0.25
# The log of the odds against the model before it's called wrong.
SURPRISE = math.log(100)


@dataclass(frozen=True, eq=False)
class Recommendation:
    """Which of several options to take, and how sure that is.

    Attributes
    ----------
    choice
        The place of the option with the greatest expected utility; the first of equals.
    chances
        How probable it is of each option to be the best; shape (c,).
    regrets
        How much utility choosing each is expected to lose against the best; shape (c,).

    Examples
    --------
    >>> advice = Recommendation.among(np.array([[0.9, 0.5], [0.2, 0.4], [0.8, 0.5]]))
    >>> advice.choice, advice.chances.round(2), advice.regrets.round(2)
    (0, array([0.67, 0.33]), array([0.07, 0.23]))
    """

    choice: int
    chances: Array
    regrets: Array

    @classmethod
    def among(cls, utilities: Array, mass: Array | None = None) -> Recommendation:
        """Return the recommendation from the utility of each option by each draw: (draws, c).

        Draws count as their mass says, (draws,); all the same if it isn't given.
        """
        mass = np.full(len(utilities), 1 / len(utilities)) if mass is None else mass
        winners, expected = first_best(utilities), mass @ utilities
        chances = np.bincount(winners, mass, minlength=utilities.shape[1]).astype(np.float64)
        regrets = mass @ utilities.max(axis=1) - expected
        return cls(int(first_best(expected)), chances, regrets)


class Posterior:
    """What is known of one person: draws, and what they say together.

    A learner makes it.

    Parameters
    ----------
    draws, parameters
        The draws, and the response model they are of.
    names
        The names of the priorities.
    read
        Turns candidates into evidence.
    answered
        The questions that were answered.

    Examples
    --------
    >>> from equipoise.learner import Learner
    >>> from equipoise.model.responses import FourAnswers
    >>> learner = Learner(2, FourAnswers(tau_r=0.3, tau_kappa=0.4), seed=1)
    >>> learner.tell(learner.ask(), "first")
    >>> learner.posterior.mean().sum().round(9)
    np.float64(1.0)
    """

    def __init__(
        self,
        draws: Draws,
        parameters: Parameters,
        names: Sequence[str],
        read: Callable[[Candidates], Evidence],
        answered: Sequence[Question],
    ) -> None:
        self._draws, self._parameters, self._read = draws, parameters, read
        self._answered = answered
        self.names = tuple(names)

    def __len__(self) -> int:
        return len(self._draws)

    @property
    def distinct(self) -> float:
        """The share of the draws that differ from all others, or from the one before in a chain."""
        return self._draws.info.get("distinct", 1.0)

    @property
    def log_evidence(self) -> float | None:
        """The log probability, before any answer, of the answers given.

        None of a chain, and not a number where it was lost on the way, which `warnings` says.
        """
        return self._draws.info.get("log_evidence")

    @cached_property
    def effective(self) -> float:
        """How many independent draws these are worth; in a chain, what moved least counts."""
        if self._is_population:
            return 1.0 / float((self._draws.mass**2).sum())
        columns = [
            column for values in self._numbers.values() for column in np.atleast_2d(values.T)
        ]
        return min(effective_size(column) for column in columns)

    @property
    def _is_population(self) -> bool:
        """Whether the draws stand in no order, and not one made of the other, as in a chain."""
        return "log_evidence" in self._draws.info

    @cached_property
    def draws(self) -> Mapping[str, Array]:
        """Equally likely draws of everything unknown, by name.

        `weights` has shape (n, m), an unknown number (n,), an unknown mixture's `noise`
        (n, 3, components): weights, means and scales.
        """
        mass = self._draws.mass
        equal = self._draws if (mass == mass[0]).all() else self._draws.by_mass(len(self))
        found = self._by_name(equal)
        return MappingProxyType(found)

    def _by_name(self, draws: Draws) -> dict[str, Array]:
        weights, rows = draws.shown  # the learner goes on from them
        found = {name: self._parameters.column(name, rows) for name in self._parameters.unknown}
        return {"weights": weights, **found}

    @property
    def _numbers(self) -> dict[str, Array]:
        """The draws as they came, but for a mixture, whose components have no order."""
        return {name: v for name, v in self._by_name(self._draws).items() if name != "noise"}

    def _checked(self, name: str) -> str:
        if name == "noise" and name in self._parameters.unknown:
            raise ValueError(
                "the components of a mixture have no order, so their averages mean nothing: "
                "`draws['noise']` has all of them"
            )
        learned = ("weights", *self._parameters.unknown)
        if name not in learned:
            raise ValueError(f"{name!r} isn't learned here, expected {' or '.join(learned)}")
        return name

    def mean(self, name: str = "weights") -> Array:
        """Return the posterior mean of the weights (m,), or of an unknown number."""
        values = self._numbers[self._checked(name)]
        return np.asarray(self._draws.mass @ values)

    def interval(self, p: float = 0.9, name: str = "weights") -> Array:
        """Return the ends of the central interval with probability p: (m, 2), or (2,)."""
        tail = (1 - number_between(p, "p", 0, 1)) / 2
        return np.quantile(self.draws[self._checked(name)], [tail, 1 - tail], axis=0).T

    def outweighs(self, priority: int | str, other: int | str) -> float:
        """Return the probability that one priority weighs more than another."""
        weights, mass = self._draws.weights, self._draws.mass
        return float(mass @ (weights[:, self._place(priority)] > weights[:, self._place(other)]))

    def _place(self, priority: int | str) -> int:
        if isinstance(priority, str) and priority in self.names:
            return self.names.index(priority)
        whole = isinstance(priority, int | np.integer) and not isinstance(priority, bool)
        if whole and 0 <= int(priority) < len(self.names):
            return int(priority)
        raise ValueError(f"{priority!r} is no priority, expected one of {', '.join(self.names)}")

    def predict(self, candidates: Candidates) -> Array:
        """Return the probability of every answer to each question; shape (n, answers).

        The columns are the answers on offer, in order.
        """
        return information(self._read(candidates), self._draws, self._parameters).predicted

    def states(self, candidates: Candidates) -> Array:
        """Return the probability of every latent state at each question; shape (n, 4).

        The columns are first, second, indifferent and conflicted, whatever answers are on offer:
        the state is what the person would report without noise.

        Paper: def:threshold-response-model
        """
        evidence = self._read(candidates)
        r = valence(evidence, self._draws.weights)
        kappa = decisiveness(evidence, self._draws.weights)
        chances = np.zeros((len(evidence), len(STATES)))
        for k, (row, mass) in enumerate(zip(self._draws.rows, self._draws.mass, strict=True)):
            found = self._parameters.model(row).latent_state(r[:, k], kappa[:, k])
            chances += mass * (found[:, None] == np.array(STATES, dtype=object))
        return chances

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What makes the draws less than they seem, in sentences; empty where nothing does."""
        return tuple(self._warnings())

    def _warnings(self) -> list[str]:
        found = []
        if self.distinct < ENOUGH_MOVES:
            found.append(
                f"only {self.distinct:.0%} of the draws differ: the sampler has hardly moved"
            )
        worth = self.effective
        if round(worth) < min(ENOUGH_DRAWS, len(self)):
            found.append(
                f"the {len(self)} draws are worth {worth:.0f} independent ones: intervals may be "
                "too narrow"
            )
        if self._draws.info.get("moved", 1.0) < MOVED_LITTLE:
            found.append(
                "the particles moved little from where they were when the latest answers came in: "
                "intervals may be too narrow; use more particles"
            )
        if self._draws.info.get("lost", 0.0):
            found.append(
                "an answer left none of the particles possible, and all of them began anew at one "
                "point: the log evidence is lost"
            )
        evidence, answered = self.log_evidence, len(self._answered)
        blind = -answered * math.log(self._parameters.offered)
        if evidence is not None and evidence < blind - SURPRISE:
            found.append(
                f"the {answered} answers are less likely under this model than if somebody had "
                "answered blindly: the model seems to be wrong for this person"
            )
        prior = self._parameters.number_priors.get("tau_r")
        # The most that any weights reach.
        largest = max((question.evidence.largest_valence for question in self._answered), default=0)
        if prior is not None and prior.support[1] < largest:
            found.append(
                f"tau_r is believed to be at most {prior.support[1]:g}, but valence reaches "
                f"{largest:.3g} in the questions asked: widen its prior, or "
                "somebody with a higher threshold is misread"
            )
        return found + [
            f"what {name!r} says of some questions was estimated from sampled rules: the accounts "
            "of their evidence tell how well"
            for name in sorted(self._sampled)
        ]

    @property
    def _sampled(self) -> set[str]:
        """The priorities whose evidence on the questions answered isn't exact."""
        accounts = [a for question in self._answered for a in question.evidence.accounts]
        return {account.priority for account in accounts if "sampled" in account.method}

    def to_arviz(self) -> arviz.InferenceData:
        """Return the draws as ArviZ has them, one chain (needs the extra `arviz`)."""
        try:
            with warnings.catch_warnings():
                # It announces its own next version, which is of no use here.
                warnings.simplefilter("ignore", FutureWarning)
                import arviz
        except ImportError as error:
            raise ImportError(
                "to_arviz needs ArviZ, which is not installed: pip install 'equipoise[arviz]'"
            ) from error
        posterior: dict[str, Any] = {name: values[None] for name, values in self.draws.items()}
        return arviz.from_dict(
            posterior=posterior,
            coords={"priority": list(self.names), "part": ["weight", "mean", "scale"]},
            dims={"weights": ["priority"], "noise": ["part", "component"]},
        )
