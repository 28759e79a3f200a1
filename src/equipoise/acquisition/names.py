"""The ways to choose a question, by name."""

from __future__ import annotations

from equipoise.acquisition.at_random import Random
from equipoise.acquisition.bald import Bald, ContinuousBald
from equipoise.acquisition.look_ahead import TwoSteps
from equipoise.acquisition.regret import RegretReduction
from equipoise.acquisition.volume_removal import VolumeRemoval

# A name stands for the way with its defaults.
ACQUISITIONS: dict[
    str,
    type[Bald]
    | type[ContinuousBald]
    | type[RegretReduction]
    | type[TwoSteps]
    | type[VolumeRemoval]
    | type[Random],
] = {
    "bald": Bald,
    "continuous": ContinuousBald,
    "regret": RegretReduction,
    "two-steps": TwoSteps,
    "volume-removal": VolumeRemoval,
    "random": Random,
}
