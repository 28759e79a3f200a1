"""The ways to choose a question, by name."""

from __future__ import annotations

from equipoise.acquisition.at_random import Random
from equipoise.acquisition.bald import Bald, ContinuousBald
from equipoise.acquisition.volume_removal import VolumeRemoval

ACQUISITIONS: dict[str, type[Bald] | type[ContinuousBald] | type[VolumeRemoval] | type[Random]] = {
    "bald": Bald,
    "continuous": ContinuousBald,
    "volume-removal": VolumeRemoval,
    "random": Random,
}
