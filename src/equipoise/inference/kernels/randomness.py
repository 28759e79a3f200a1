"""Random numbers for kernels, the same to the last bit on every CPU.

NumPy's generators are not handed to kernels. Whoever does hand one over runs Python code on the
way, where an interrupt from the keyboard takes the process down. And NumPy's normal numbers come in
part from the C library's `log`, which differs from CPU to CPU.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from equipoise.inference.kernels.arithmetic import log
from equipoise.inference.kernels.compiling import compiled, compiled_inside

# The state of xoshiro256++ (Blackman and Vigna 2021, "Scrambled linear pseudorandom number
# generators"); shape (4,), not all zero.
Stream = NDArray[np.uint64]

# Numba makes floats of an unsigned and a signed number: so all of these are unsigned.
_A, _B, _C, _D = np.uint64(17), np.uint64(45), np.uint64(23), np.uint64(11)
_WORD = np.uint64(64)
UNIT = 2.0**-53


def stream_from(rng: np.random.Generator) -> Stream:
    """Return a stream of its own that a generator begins."""
    return rng.integers(0, 2**64, size=4, dtype=np.uint64)


@compiled_inside
def _next(rng: Stream) -> int:
    s0, s1, s2, s3 = rng[0], rng[1], rng[2], rng[3]
    found = s0 + s3
    found = ((found << _C) | (found >> (_WORD - _C))) + s0
    shifted = s1 << _A
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << _B) | (s3 >> (_WORD - _B))
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3
    return found


@compiled_inside
def uniform(rng: Stream) -> float:
    """Return a number from zero to one, which it never is."""
    return float(_next(rng) >> _D) * UNIT


@compiled_inside
def normal(rng: Stream) -> float:
    """Return a standard normal number, by Marsaglia's polar method."""
    square = 0.0
    x = 0.0
    while not 0.0 < square < 1.0:
        x = 2.0 * uniform(rng) - 1.0
        y = 2.0 * uniform(rng) - 1.0
        square = x * x + y * y
    return x * np.sqrt(-2.0 * log(square) / square)


@compiled_inside
def exponential(rng: Stream) -> float:
    """Return a standard exponential number."""
    return -log(1.0 - uniform(rng))


@compiled
def fill(rng: Stream, kind: int, values: NDArray[np.float64]) -> None:
    """Write uniform (0), normal (1) or exponential (2) numbers."""
    for i in range(values.size):
        if kind == 0:
            values[i] = uniform(rng)
        elif kind == 1:
            values[i] = normal(rng)
        else:
            values[i] = exponential(rng)
