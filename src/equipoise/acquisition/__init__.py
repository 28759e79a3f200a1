"""Choosing the next question: how informative one is, and the best of many."""

from equipoise.acquisition.at_random import Random
from equipoise.acquisition.bald import Bald, ContinuousBald
from equipoise.acquisition.information import Expectation, information
from equipoise.acquisition.look_ahead import TwoSteps
from equipoise.acquisition.names import ACQUISITIONS
from equipoise.acquisition.pools import Acquisition, Improving, Pool
from equipoise.acquisition.regret import RegretReduction
from equipoise.acquisition.volume_removal import VolumeRemoval

__all__ = [
    "ACQUISITIONS",
    "Acquisition",
    "Bald",
    "ContinuousBald",
    "Expectation",
    "Improving",
    "Pool",
    "Random",
    "RegretReduction",
    "TwoSteps",
    "VolumeRemoval",
    "information",
]
