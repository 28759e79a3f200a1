"""Priorities: ways of judging whole rules."""

from equipoise.model.priorities.averages import AveragePriority, SeparablePriority
from equipoise.model.priorities.best_choice import Membership, Size
from equipoise.model.priorities.custom import CustomPriority
from equipoise.model.priorities.egalitarianism import Egalitarianism
from equipoise.model.priorities.equal_treatment import EqualTreatment
from equipoise.model.priorities.linear import LinearFeature, linear_features
from equipoise.model.priorities.proportionality import Proportionality
from equipoise.model.priorities.protocol import (
    Bounded,
    GapSum,
    Priority,
    Separable,
    Summed,
    checked_priorities,
    checked_utilities,
    utility,
)
from equipoise.model.priorities.ranges import UtilityRange, utility_range

__all__ = [
    "AveragePriority",
    "Bounded",
    "CustomPriority",
    "Egalitarianism",
    "EqualTreatment",
    "GapSum",
    "LinearFeature",
    "Membership",
    "Priority",
    "Proportionality",
    "Separable",
    "SeparablePriority",
    "Size",
    "Summed",
    "UtilityRange",
    "checked_priorities",
    "checked_utilities",
    "linear_features",
    "utility",
    "utility_range",
]
