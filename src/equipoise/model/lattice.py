"""Recognising numbers that are whole multiples of one unit."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

# A number counts as a fraction only with a denominator up to this. Fractions that small lie at
# least 1e-12 apart, far more than rounding, so none is taken for another.
LARGEST_DENOMINATOR = 10**6
# A few roundings in the last place: 0.1 + 0.2 is three tenths.
_ROUNDING = 2.0**-50


def common_unit(values: NDArray[np.float64]) -> Fraction | None:
    """Return the largest fraction of which every value is a whole multiple, or None.

    Examples
    --------
    >>> common_unit(np.array([0.5, 0.75, 0.0]))
    Fraction(1, 4)
    >>> common_unit(np.array([1.0, 2.0**0.5])) is None
    True
    """
    distinct = [float(value) for value in np.unique(values) if value != 0]
    numerators, denominators = [], []
    for value in distinct:
        fraction = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
        if abs(float(fraction) - value) > _ROUNDING * abs(value):
            return None
        numerators.append(fraction.numerator)
        denominators.append(fraction.denominator)
    denominator = math.lcm(*denominators)
    if denominator > LARGEST_DENOMINATOR:
        return None
    # gcd(a/b, c/d) = gcd(a, c) / lcm(b, d) for fractions in lowest terms
    return Fraction(math.gcd(*numerators) or 1, denominator)
