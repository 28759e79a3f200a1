"""What is too small to mean anything: decided here once, for everything that compares numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Two numbers that agree to this share of themselves are equal on paper; a sum of a hundred terms
# is off by less. So their difference is nothing: 0.1 + 0.2 - 0.3 = 0.
AGREEMENT = 2.0**-46
# What is left after many differences cancel, as a share of the largest of them; and how far a sum
# of numbers of order one may miss a threshold that it reaches on paper.
ROUNDING = 1e-12


def difference(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    """Return first - second, exactly zero where they agree but for rounding.

    Examples
    --------
    >>> difference([0.1 + 0.2, 1.0], [0.3, 0.75])
    array([0.  , 0.25])
    """
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    gap = first - second
    size = np.maximum(np.abs(first), np.abs(second))
    return np.where(np.abs(gap) <= AGREEMENT * size, 0.0, gap)


def reaches(value: ArrayLike, threshold: ArrayLike) -> NDArray[np.bool_]:
    """Return whether value >= threshold, where missing it by rounding alone counts as reaching it.

    Examples
    --------
    >>> reaches([0.7 + 0.1, 0.79], 0.8)
    array([ True, False])
    """
    return np.asarray(value, np.float64) >= np.asarray(threshold, np.float64) - ROUNDING


def among_best(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which values are the greatest along the last axis, but for rounding.

    Examples
    --------
    >>> among_best(np.array([0.3, 0.1 + 0.2, 0.2]))
    array([ True,  True, False])
    """
    greatest = values.max(axis=-1, keepdims=True)
    return values >= greatest - ROUNDING * np.abs(values).max(axis=-1, keepdims=True)


def first_best(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the place of the first of the greatest values along the last axis.

    Examples
    --------
    >>> first_best(np.array([[0.3, 0.1 + 0.2], [0.1, 0.2]]))
    array([0, 1])
    """
    return np.argmax(among_best(values), axis=-1)
