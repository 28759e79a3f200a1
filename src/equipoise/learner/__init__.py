"""Learning one person: ask, tell, undo, what is known so far, and when to stop."""

from equipoise.learner.candidates import AllPairs
from equipoise.learner.learner import Learner
from equipoise.learner.log import read_log, write_log
from equipoise.learner.posterior import Posterior, Recommendation
from equipoise.learner.stopping import (
    AfterQuestions,
    NarrowIntervals,
    SmallRegret,
    StandsStill,
    StoppingRule,
)

__all__ = [
    "AfterQuestions",
    "AllPairs",
    "Learner",
    "NarrowIntervals",
    "Posterior",
    "Recommendation",
    "SmallRegret",
    "StandsStill",
    "StoppingRule",
    "read_log",
    "write_log",
]
