"""Learning one person: ask, tell, undo, and what is known so far."""

from equipoise.learner.candidates import AllPairs
from equipoise.learner.learner import Learner
from equipoise.learner.log import read_log, write_log
from equipoise.learner.posterior import Posterior, Recommendation

__all__ = ["AllPairs", "Learner", "Posterior", "Recommendation", "read_log", "write_log"]
