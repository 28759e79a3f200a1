"""How much the answers to questions are expected to tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equipoise.inference.draws import Draws
from equipoise.inference.kernels.decisions import chances_of_answers, weights_by_answer
from equipoise.inference.kernels.information import climb, expected_information
from equipoise.inference.kernels.lanes import LANES, in_blocks
from equipoise.inference.kernels.randomness import stream_from
from equipoise.inference.parameters import Parameters
from equipoise.model.evidence import Evidence

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Expectation:
    """What the answers to n questions are expected to be, and to tell.

    Attributes
    ----------
    bits
        The information in each; shape (n,).
    predicted
        The probability of each answer; shape (n, answers).
    """

    bits: Array
    predicted: Array


def information(evidence: Evidence, draws: Draws, parameters: Parameters) -> Expectation:
    r"""Return how much the answer to each question is expected to tell, in bits.

    .. math::
        \mathrm{Ent}\Big(\frac1N \sum_i R(\cdot \mid q, \vartheta_i)\Big)
        - \frac1N \sum_i \mathrm{Ent}(R(\cdot \mid q, \vartheta_i))

    Paper: eq:bald

    Parameters
    ----------
    evidence
        What the priorities say of n questions.
    draws
        The draws of everything unknown to average over.
    parameters
        The response model that the draws are of.
    """
    return Blocks(draws, parameters).expect(evidence)


class Blocks:
    """Draws as the kernel has them: in blocks of eight, a column each."""

    def __init__(self, draws: Draws, parameters: Parameters) -> None:
        self.weights, self.thetas = in_blocks(draws.weights), in_blocks(draws.rows)
        self.mass = np.zeros((len(self.weights), LANES))
        self.mass.flat[: len(draws)] = draws.mass
        self.link, self.offered = parameters.link, parameters.offered
        self.count = len(draws)

    def expect(self, evidence: Evidence) -> Expectation:
        """Return what the answers are expected to be, and to tell."""
        plus = evidence.favour + evidence.against
        minus = evidence.favour - evidence.against
        bits, predicted = np.empty(len(plus)), np.empty((len(plus), 4))
        expected_information(
            plus,
            minus,
            self.weights,
            self.thetas,
            self.mass,
            self.link,
            self.offered,
            bits,
            predicted,
        )
        return Expectation(bits, predicted[:, : self.offered])

    def chances(self, evidence: Evidence) -> Array:
        """Return the probability of every answer by each draw; shape (n, answers, draws)."""
        return self._chances(evidence)[:, :, : self.count]

    def weights_by_answer(self, evidence: Evidence) -> Array:
        """Return what weights come to by each answer; shape (n, answers, m).

        The probability of the answer times the mean of the weights after it.
        """
        chances = self._chances(evidence)
        found = np.empty((*chances.shape[:2], self.weights.shape[1]))
        weights_by_answer(chances, self.weights, self.mass, found)
        return found

    def _chances(self, evidence: Evidence) -> Array:
        plus = evidence.favour + evidence.against
        minus = evidence.favour - evidence.against
        found = np.empty((len(plus), self.offered, self.mass.size))
        chances_of_answers(plus, minus, self.weights, self.thetas, self.link, self.offered, found)
        return found

    def climb(self, difference: Array, steps: int, rng: np.random.Generator) -> None:
        """Move a difference of features, (m,), to where the answer tells more."""
        climb(
            stream_from(rng),
            difference,
            steps,
            self.weights,
            self.thetas,
            self.mass,
            self.link,
            self.offered,
        )
