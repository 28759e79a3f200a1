"""The numbers of a response model: known, or to be learned under a prior."""

from __future__ import annotations

import math
from numbers import Real

from equipoise.model.checks import interval
from equipoise.model.priors import Discrete, Prior
from equipoise.model.states import LARGEST_TAU_KAPPA, LARGEST_TAU_R

Number = float | Prior

# The values that each number may have.
ALLOWED = {
    "tau_r": (0.0, LARGEST_TAU_R),
    "tau_kappa": (0.0, LARGEST_TAU_KAPPA),
    "width": (0.0, math.inf),
    "beta": (0.0, math.inf),
    "slope": (0.0, math.inf),
    "lapse": (0.0, 1.0),
}
_POSITIVE = ("beta", "slope")


def check_number(name: str, value: Number) -> None:
    """Raise ValueError unless a number, or all that its prior reaches over, is allowed."""
    low, high = ALLOWED[name]
    if isinstance(value, Prior):
        never_zero = name in _POSITIVE and isinstance(value, Discrete)
        if (
            value.support[0] < low
            or value.support[1] > high
            or (never_zero and not value.support[0])
        ):
            raise ValueError(
                f"the prior of {name} reaches over {value.support}, expected numbers "
                f"{interval(low, high)}"
            )
        return
    positive = name in _POSITIVE
    if not isinstance(value, Real) or isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}, expected a number or a prior")
    if not low <= value <= high or value == math.inf or (positive and not value > 0):
        expected = "a positive number" if positive else f"a number {interval(low, high)}"
        raise ValueError(f"{name} is {value}, expected {expected}")


def known_value(name: str, value: Number) -> float:
    """Return a number that is known, refusing a prior."""
    # Asked of a number first: whether something keeps to a protocol takes long to find out.
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, Prior):
        raise ValueError(f"{name} is unknown: give it a value with `known({name}=...)`")
    return value
