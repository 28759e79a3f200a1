"""What is known of a person, and how it came about answer by answer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from equipoise.inference.draws import Problem, Sampler
from equipoise.inference.transcripts import Transcript
from equipoise.learner.streams import Streams
from equipoise.model.evidence import Evidence
from equipoise.model.states import Response


class Knowledge:
    """Draws given the answers taken in so far, and the estimates on the way to them.

    Paper: alg:bald-template

    Parameters
    ----------
    problem
        What is to be learned.
    sampler
        Makes the draws.
    streams
        Where its random numbers come from.
    """

    def __init__(self, problem: Problem, sampler: Sampler, streams: Streams) -> None:
        self._problem, self._sampler, self._streams = problem, sampler, streams
        self._transcript = Transcript(problem.priorities)
        self.draws = sampler.start(problem, streams.at("update", 0))
        self._estimates = [self.draws.mass @ self.draws.weights]

    @property
    def estimates(self) -> NDArray[np.float64]:
        """The mean of the weights before any answer, and after each; shape (answers + 1, m)."""
        return np.array(self._estimates)

    def take(self, evidence: Evidence, answer: Response) -> None:
        """Learn from one more answer. Paper: alg:bald-template (6)."""
        length = len(self._transcript)
        try:
            self._transcript.append(evidence, answer)
            rng = self._streams.at("update", len(self._transcript))
            draws = self._sampler.update(self.draws, self._transcript, self._problem, rng)
            estimate = draws.mass @ draws.weights
        except BaseException:  # an interrupt too: an answer is taken in whole, or not at all
            self._transcript.cut(length)
            raise
        self.draws = draws
        self._estimates.append(estimate)
