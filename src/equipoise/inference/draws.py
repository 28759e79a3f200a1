"""Draws from a posterior, and samplers, which make them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from equipoise.inference.kernels.populations import drawn_by_mass
from equipoise.inference.kernels.records import Beliefs
from equipoise.inference.parameters import Parameters
from equipoise.inference.transcripts import Transcript
from equipoise.inference.weights import Dirichlet


@dataclass(frozen=True)
class Problem:
    """What is to be learned: weights of so many priorities, and a response model's unknowns."""

    priorities: int
    parameters: Parameters
    prior: Dirichlet

    @cached_property
    def beliefs(self) -> Beliefs:
        """The priors as kernels have them."""
        return self.parameters.beliefs(self.prior, self.priorities)


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of everything unknown.

    Attributes
    ----------
    weights
        Shape (n, m).
    rows
        The response model's numbers, known ones too, as `Parameters` lays them out; shape (n, p).
    mass
        How likely each is; shape (n,), with sum one. If not given, all are as likely.
    info
        What a diagnostician wants to know of how they were made.
    """

    weights: NDArray[np.float64]
    rows: NDArray[np.float64]
    mass: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    info: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.mass.size:
            object.__setattr__(self, "mass", np.full(len(self.weights), 1 / len(self.weights)))

    def __len__(self) -> int:
        return len(self.weights)

    @cached_property
    def shown(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weights and rows for others to look at, who can't write to them."""
        views = self.weights.view(), self.rows.view()
        for view in views:
            view.setflags(write=False)
        return views

    def some(self, places: NDArray[np.intp]) -> Draws:
        """Return some of the draws, as equally likely ones."""
        return Draws(self.weights[places], self.rows[places])

    def chosen(self, count: int, rng: np.random.Generator) -> Draws:
        """Return so many equally likely draws by chance, none twice where all are as likely."""
        if (self.mass == self.mass[0]).all():
            return self.some(rng.choice(len(self), count, replace=False, shuffle=False))
        return self.by_mass(count, rng.random())

    def at_most(self, count: int) -> Draws:
        """Return the draws if they are that few, else so many equally likely ones."""
        return self if len(self) <= count else self.by_mass(count)

    def by_mass(self, count: int, along: float = 0.5) -> Draws:
        """Return so many equally likely draws, each as often as its mass says."""
        places = np.empty(count, dtype=np.int64)
        drawn_by_mass(self.mass, count, along, places)
        return self.some(places)


class Sampler(Protocol):
    """Makes draws: first from the prior, then anew after each answer."""

    def start(self, problem: Problem, rng: np.random.Generator) -> Draws:
        """Return draws from the prior."""
        ...

    def update(
        self, draws: Draws, transcript: Transcript, problem: Problem, rng: np.random.Generator
    ) -> Draws:
        """Return draws given all answers, from those given all but the last."""
        ...


NOTHING_LEFT = (
    "nothing is left under which all answers are possible: with a step gate and no lapse, an "
    "answer that was a slip can't be told from what the person thinks. Undo one, or learn with a "
    "model for people: a LogisticGate, or a lapse"
)


class ContradictionError(ValueError):
    """Nothing that is possible under the model could have given these answers.

    Examples
    --------
    >>> raise ContradictionError
    Traceback (most recent call last):
    equipoise.inference.draws.ContradictionError: nothing is left under which all answers ...
    """

    def __init__(self, message: str = NOTHING_LEFT) -> None:
        super().__init__(message)  # which is what it's made of again in another process
