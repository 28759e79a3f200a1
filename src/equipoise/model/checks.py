"""Checks at the public edge: one clear sentence saying what came and what was expected."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Weights typed by hand or summed in another order differ from one by rounding, not by more.
SUM_TOLERANCE = 1e-9


def numbers(values: ArrayLike, name: str, copy: bool | None = None) -> NDArray[np.float64]:
    """Return `values` as a float array, by default a copy only where they aren't one yet."""
    try:
        return np.array(values, dtype=np.float64, copy=copy)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array of numbers: {error}") from error


def finite_array(values: ArrayLike, name: str, shape: Sequence[int | None]) -> NDArray[np.float64]:
    """Return `values` as a read-only float array of the given shape; `None` is any length."""
    array = numbers(values, name, copy=True)  # the caller's may change
    fits = array.ndim == len(shape) and all(
        wanted in (None, size) for wanted, size in zip(shape, array.shape, strict=False)
    )
    if not fits:
        raise ValueError(f"{name} has shape {array.shape}, expected {_shape_text(shape)}")
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        at = f"[{', '.join(map(str, where))}]" if where else ""
        raise ValueError(f"{name}{at} is {array[where]}, expected a finite number")
    array.setflags(write=False)
    return array


def _shape_text(shape: Sequence[int | None]) -> str:
    sizes = ["any" if size is None else str(size) for size in shape]
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"


def finite_number(value: Any, name: str) -> float:
    """Return `value` as a float if it is one finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name} is {value!r}, expected a finite number")
    return number


def simplex_vector(values: ArrayLike, name: str, size: int | None = None) -> NDArray[np.float64]:
    """Return `values` as a vector of non-negative numbers that sum to one."""
    vector = finite_array(values, name, (size,))
    if vector.size == 0:
        raise ValueError(f"{name} is empty, expected at least one number")
    if (vector < 0).any():
        j = int(np.argmax(vector < 0))
        raise ValueError(f"{name}[{j}] is {vector[j]}, expected a number of at least 0")
    if abs(vector.sum() - 1.0) > SUM_TOLERANCE:
        raise ValueError(
            f"{name} sum to {vector.sum():.10g}, expected 1 (divide them by their sum)"
        )
    return vector


def simplex_rows(values: ArrayLike, name: str, size: int) -> NDArray[np.float64]:
    """Return `values` as rows, each of non-negative numbers that sum to one."""
    rows = finite_array(values, name, (None, size))
    wrong = (rows < 0).any(axis=1) | (np.abs(rows.sum(axis=1) - 1.0) > SUM_TOLERANCE)
    if wrong.any():
        i = int(np.argmax(wrong))
        simplex_vector(rows[i], f"{name}[{i}]")  # says what is wrong
    return rows


def weights_of(priorities: int, values: ArrayLike) -> NDArray[np.float64]:
    """Return the weights of that many priorities, one vector (m,) or several (k, m)."""
    weights = numbers(values, "weights")
    if weights.ndim not in (1, 2) or weights.shape[-1] != priorities:
        raise ValueError(
            f"weights has shape {weights.shape}, expected ({priorities},) or (any, {priorities}): "
            "there are that many priorities"
        )
    if weights.ndim == 2:
        return simplex_rows(weights, "weights", priorities)
    # A simulated person is weighed at each answer: of a few numbers, Python tells sooner.
    few = weights.tolist()
    if not (abs(sum(few) - 1.0) <= SUM_TOLERANCE and min(few) >= 0):  # a NaN's sum isn't near 1
        simplex_vector(weights, "weights", priorities)  # says what is wrong
    return weights


def number_between(value: float, name: str, low: float, high: float) -> float:
    """Return `value` as a float if it lies in [low, high]."""
    if not isinstance(value, Real):
        raise ValueError(f"{name} is {value!r}, expected a number {interval(low, high)}")
    if not low <= value <= high or value == math.inf:  # also refuses NaN, which compares as false
        raise ValueError(f"{name} is {value}, expected a number {interval(low, high)}")
    return float(value)


def interval(low: float, high: float) -> str:
    """Return for a message where a number should be.

    Examples
    --------
    >>> interval(0, 1), interval(0, math.inf)
    ('in [0, 1]', 'of at least 0')
    """
    return f"in [{low:g}, {high:g}]" if high < math.inf else f"of at least {low:g}"


def random_generator(value: np.random.Generator, name: str = "rng") -> np.random.Generator:
    """Return `value` if it is a generator of random numbers."""
    if not isinstance(value, np.random.Generator):
        raise ValueError(
            f"{name} is {value!r}, expected a generator: `numpy.random.default_rng(7)` makes one"
        )
    return value


def function_argument(value: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return `value` if it can be called."""
    if not callable(value):
        raise ValueError(f"{name} is {value!r}, expected a function")
    return value


def magnitude(count: int) -> str:
    """Return a whole number for a message, however large.

    Examples
    --------
    >>> magnitude(2**20), magnitude(3**1000)
    ('1,048,576', 'about 10^477')
    """
    # math.log10 takes whole numbers that are too large for a float.
    return f"{count:,}" if count < 10**15 else f"about 10^{math.floor(math.log10(count))}"
