"""What kernels are given together: arrays under one name."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Codes = NDArray[np.int64]


class Answered(NamedTuple):
    """The answers to learn from, and the response model's two codes.

    Attributes
    ----------
    plus, minus
        favour + against and favour - against of every question answered; shape (n, m).
    answers
        The codes of the answers; shape (n,).
    link, offered
        Which noise, and how many answers were on offer.
    """

    plus: Array
    minus: Array
    answers: Codes
    link: int
    offered: int


class Told(NamedTuple):
    """The answers with those of a kind next to each other.

    Attributes
    ----------
    plus, minus
        As in `Answered`, a question a column; shape (m, n).
    kinds
        The codes of the answers, in order; shape (n,).
    begins
        Where each kind begins, and the last one ends; shape (6,).
    link, offered
        As in `Answered`.
    suspects
        Some of the answers, at first the latest ones.
    """

    plus: Array
    minus: Array
    kinds: Codes
    begins: Codes
    link: int
    offered: int
    suspects: Codes


class Beliefs(NamedTuple):
    """The priors.

    Attributes
    ----------
    concentration
        Of the Dirichlet prior on weights; shape (m,).
    numbers
        Kind, two parameters and size of a step for each number; shape (6, 4).
    values, log_chances
        For numbers with a discrete prior, values and log probabilities, -inf where there are no
        more; shape (6, k).
    mixture
        Of an unknown mixture the standard deviations of the priors on means and log scales, the
        least and the greatest log scale, and the sizes of a step in either; else empty.
    """

    concentration: Array
    numbers: Array
    values: Array
    log_chances: Array
    mixture: Array


class Margins(NamedTuple):
    """Valence and decisiveness of every question answered, and room for eight more; (n + 8,)."""

    r: Array
    kappa: Array


class Memory(NamedTuple):
    """What is known of the log likelihood at each value of each number; shape (6, k) each.

    Attributes
    ----------
    exact
        The log likelihood, NaN where it isn't known.
    ceiling
        What it's at most.
    """

    exact: Array
    ceiling: Array


class Chain(NamedTuple):
    """The state of a chain, and room for what it proposes.

    Attributes
    ----------
    suspects, suspects_still
        The answers to look at first: where the weights move; and where they don't, a row for each
        value of a number that has a list of them.
    memory
        What was found of such values.
    margins, new_margins
        Of the state, and of a proposal.
    weights, new_weights
        Shape (m,).
    theta, new_theta
        Shape (p,).
    chances
        Room for the probabilities of answers.
    """

    suspects: Codes
    suspects_still: Codes
    memory: Memory
    margins: Margins
    new_margins: Margins
    weights: Array
    new_weights: Array
    theta: Array
    new_theta: Array
    chances: Array


class Pending(NamedTuple):
    """An answer that is taken in by degrees.

    Attributes
    ----------
    plus, minus
        As in `Answered`, of its question; shape (m,).
    kind
        The code of the answer.
    power
        To which power its probability counts: zero for not at all, but for the gate.
    slack
        How far valence may be on the wrong side of a step gate.
    waits
        Whether there is one; otherwise nothing here counts.
    """

    plus: Array
    minus: Array
    kind: int
    power: float
    slack: float
    waits: bool


class Asked(NamedTuple):
    """The answers with those of a kind next to each other, and last the one that waits.

    Attributes
    ----------
    plus, minus
        As in `Answered`; shape (n + 1, m).
    begins
        Where each kind begins among the first n, and the last one ends; shape (6,).
    pending
        The answer that waits.
    link, offered
        As in `Answered`.
    """

    plus: Array
    minus: Array
    begins: Codes
    pending: Pending
    link: int
    offered: int


class Block(NamedTuple):
    """Eight particles, a column each.

    Attributes
    ----------
    weights, theta
        Shapes (m, 8) and (p, 8).
    r, kappa
        Valence and decisiveness of every question, that of the answer that waits last; shape
        (n + 1, 8) each.
    score
        The log of the posterior density; shape (8,).
    """

    weights: Array
    theta: Array
    r: Array
    kappa: Array
    score: Array


class Lines(NamedTuple):
    """A line through each of eight particles: what one step along it adds to everything.

    Numbers that are positive without a limit, and scales of a mixture, move by their logarithm.

    Attributes
    ----------
    weights, theta, r, kappa
        As in `Block`.
    ends
        The steps at which a line leaves what is possible; shape (2, 8).
    """

    weights: Array
    theta: Array
    r: Array
    kappa: Array
    ends: Array


class Room(NamedTuple):
    """Room for where particles may go, and for what is looked at one by one.

    Attributes
    ----------
    weights, theta
        As in `Block`.
    one, other
        Pairs of particles whose difference is a line: their weights and numbers; (m + p, 8) each.
    numbers
        Eight random numbers.
    steps
        Eight steps.
    row
        The numbers of one particle; shape (p,).
    """

    weights: Array
    theta: Array
    one: Array
    other: Array
    numbers: Array
    steps: Array
    row: Array
