"""The questions whose answers are expected to better a decision most."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.acquisition.information import Blocks
from equipoise.acquisition.pools import Pool, shortlist
from equipoise.inference.draws import Draws
from equipoise.inference.kernels.decisions import worth_of_deciding
from equipoise.inference.parameters import Parameters
from equipoise.model.checks import finite_array
from equipoise.model.linear_rules import random_inputs
from equipoise.model.rounding import among_best

Array = NDArray[np.float64]

# Of the inputs to decide about where none are given: the same for everybody.
SEED = 1


@dataclass(frozen=True)
class RegretReduction:
    r"""Ask what is expected to save most regret of the rule that would be chosen.

    Whoever knows draws of the weights :math:`w_i` with mass :math:`m_i` and chooses a linear rule
    does best by their mean :math:`\bar w`, and then expects the regret

    .. math::
        \sum_i m_i\, \tfrac1n \sum_x \max_y \langle w_i, \psi(x, y) \rangle - V(\bar w),
        \qquad V(w) = \tfrac1n \sum_x \max_y \langle w, \psi(x, y) \rangle

    in utility: the value of perfect information less what deciding now is worth. An answer a turns
    :math:`m_i` into :math:`m_i R(a \mid q, \vartheta_i) / \bar p_a`, with
    :math:`\bar p_a = \sum_i m_i R(a \mid q, \vartheta_i)`, and the mean into :math:`\bar w_a`. Over
    the answers these masses average to what they were, so that the first part stays the same on
    average, whatever is asked. The regret expected after the answer is least where

    .. math::
        \sum_a \bar p_a V(\bar w_a)
        = \sum_a V\Big(\sum_i m_i R(a \mid q, \vartheta_i)\, w_i\Big)

    is greatest; the right side holds because V of a multiple is the multiple of V. No question is
    expected to do harm, since V is convex. This is the expected value of information (Howard 1966,
    "Information Value Theory"), one question ahead: the knowledge gradient (Frazier, Powell and
    Dayanik 2008, "A Knowledge-Gradient Policy for Sequential Information Collection").

    Only the questions that tell most are looked at in this way. Where no single answer could change
    a decision, none is worth anything yet, and the one that tells most is asked.

    Paper: sec:tech (Avg-Regret, without its division), app:regret-computation

    Parameters
    ----------
    inputs
        What is to be decided: the features psi(x, y) of k outputs at each of n inputs, as
        (n, k, m); where priorities aren't features, what each output is worth to each. If None,
        300 random inputs with five outputs in the feature box. They are kept as tuples, and
        written into the log.
    shortlist
        How many questions are looked at.

    Examples
    --------
    >>> RegretReduction(shortlist=100)
    RegretReduction(shortlist=100)
    """

    inputs: ArrayLike | None = field(default=None, repr=False)
    shortlist: int = 64

    def __post_init__(self) -> None:
        wrong = isinstance(self.shortlist, bool) or not isinstance(self.shortlist, int)
        if wrong or self.shortlist < 1:
            raise ValueError(
                f"shortlist is {self.shortlist!r}, expected a positive whole number of questions"
            )
        if self.inputs is None:
            return
        given = finite_array(self.inputs, "inputs", (None, None, None))
        if not given.size:
            raise ValueError(f"inputs has shape {given.shape}, expected at least one output")
        plain = tuple(tuple(map(tuple, outputs)) for outputs in given.tolist())
        object.__setattr__(self, "inputs", plain)

    def choose(
        self,
        pool: Pool,
        allowed: NDArray[np.bool_] | None,
        draws: Draws,
        parameters: Parameters,
        rng: np.random.Generator,
    ) -> tuple[int, float]:
        """Return the question after which the least regret is expected."""
        inputs = self._laid_out(draws.weights.shape[1])
        places = shortlist(
            lambda expected: expected.bits, pool, allowed, draws, parameters, most=self.shortlist
        )
        evidence, blocks = pool.evidence(places), Blocks(draws, parameters)
        worth = np.empty(len(places))
        worth_of_deciding(blocks.weights_by_answer(evidence), inputs, worth)
        best = np.flatnonzero(among_best(worth))
        bits = blocks.expect(evidence.rows(best)).bits
        first = int(np.argmax(bits))
        return int(places[best[first]]), float(bits[first])

    def _laid_out(self, priorities: int) -> Array:
        """Return the inputs as the kernel has them: (k, m, n)."""
        if self.inputs is None:
            return _random_inputs(priorities)
        if self._given.shape[1] != priorities:
            raise ValueError(
                f"the inputs to decide about have {self._given.shape[1]} features, but what is "
                f"learned has {priorities} priorities: give as many"
            )
        return self._given

    @cached_property
    def _given(self) -> Array:
        return _inputs_last(np.array(self.inputs, dtype=np.float64))


@lru_cache
def _random_inputs(priorities: int) -> Array:
    """Return random inputs, always the same. Paper: app:regret-computation."""
    return _inputs_last(random_inputs(priorities, np.random.default_rng(SEED)))


def _inputs_last(inputs: Array) -> Array:
    return np.ascontiguousarray(inputs.transpose(1, 2, 0))
