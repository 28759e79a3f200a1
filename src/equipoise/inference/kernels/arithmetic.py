"""Exponentials, logarithms and the normal distribution, the same to the last bit on every CPU.

The C library picks another `exp` for every generation of CPU. They differ in the last bit, and
that is enough to choose another question. These are made of additions, multiplications and
divisions only, whose results are prescribed, and none of which are fused.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from scipy.special import erfcx

from equipoise.inference.kernels.compiling import compiled_inside

LOG2_E = 1 / math.log(2)
# ln 2 in two parts: the first has so few digits that its product with an exponent is exact.
LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
# Adding this rounds to a whole number, which then stands in the last bits.
ROUNDER = 1.5 * 2.0**52
EXPONENT_BIAS = 1023
FRACTION_BITS = 52
FRACTION = (1 << FRACTION_BITS) - 1
ONE = EXPONENT_BIAS << FRACTION_BITS
# Beyond these exp would not be a normal number. exp(SMALLEST) stands for zero.
LARGEST, SMALLEST = 709.0, -708.0
SQRT_HALF_BITS = int(np.float64(math.sqrt(0.5)).view(np.int64))


def _as_bits(_context: Any, number: types.Type) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


def _as_number(_context: Any, bits: types.Type) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), generate


# The bits of a float as a whole number, and the float that has these bits.
_bits: Callable[[float], int] = cast(Any, intrinsic(_as_bits))
_number: Callable[[int], float] = cast(Any, intrinsic(_as_number))


@compiled_inside
def exp(x: float) -> float:
    """Return e^x: 2^k times a polynomial; zero below -708."""
    within = min(max(x, SMALLEST), LARGEST)
    shifted = within * LOG2_E + ROUNDER
    k = shifted - ROUNDER
    r = (within - k * LN2_HIGH) - k * LN2_LOW
    # The Taylor polynomial of degree 13 is exact to the last bit or two for |r| <= ln(2) / 2.
    # Summed in pairs, so that a CPU can do several at once.
    r2 = r * r
    r4 = r2 * r2
    r8 = r4 * r4
    low = (1.0 + r) + r2 * (1 / 2 + r * (1 / 6))
    middle = (1 / 24 + r * (1 / 120)) + r2 * (1 / 720 + r * (1 / 5040))
    high = (1 / 40320 + r * (1 / 362880)) + r2 * (1 / 3628800 + r * (1 / 39916800))
    top = 1 / 479001600 + r * (1 / 6227020800)
    polynomial = (low + r4 * middle) + r8 * (high + r4 * top)
    power = _number((_bits(shifted) + EXPONENT_BIAS) << FRACTION_BITS)
    return polynomial * power if x >= SMALLEST else 0.0


@compiled_inside
def log(x: float) -> float:
    """Return the natural logarithm of a positive, normal number."""
    bits = _bits(x)
    # The fraction between sqrt(1/2) and sqrt(2), and the exponent left then.
    above = bits - SQRT_HALF_BITS
    k = above >> FRACTION_BITS
    m = _number((above & FRACTION) + SQRT_HALF_BITS)
    # log m = 2 artanh(s); |s| <= 0.1716, so that ten terms are enough.
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    z2 = z * z
    z4 = z2 * z2
    low = (1 / 3 + z * (1 / 5)) + z2 * (1 / 7 + z * (1 / 9))
    high = (1 / 11 + z * (1 / 13)) + z2 * (1 / 15 + z * (1 / 17))
    series = low + z4 * (high + z4 * (1 / 19 + z * (1 / 21)))
    return k * LN2_HIGH + (2.0 * s + (2.0 * s * z * series + k * LN2_LOW))


@compiled_inside
def logistic(x: float) -> float:
    """Return 1 / (1 + e^-x)."""
    return 1.0 / (1.0 + exp(-x))


# The normal tail: P(Z > x) = exp(-x^2 / 2) M(x) for x >= 0. With t = 4 / (4 + x) in (0, 1], M is
# smooth in t all the way to infinity. In each of PIECES equal parts it's a polynomial in Newton's
# form through Chebyshev nodes.
PIECES, NODES = 32, 8
_PLACES = [0.5 - 0.5 * math.cos(math.pi * (2 * i + 1) / (2 * NODES)) for i in range(NODES)]


def _scaled_tail(t: float) -> float:
    """Return M at t, from the library's scaled complementary error function."""
    return 0.5 * float(erfcx((4 / t - 4) / math.sqrt(2))) if t > 0 else 0.0


def _newton_coefficients(piece: int) -> list[float]:
    """Return divided differences of M over one piece."""
    column = [_scaled_tail((piece + place) / PIECES) for place in _PLACES]
    coefficients = [column[0]]
    for order in range(1, NODES):
        column = [
            (column[i + 1] - column[i]) / (_PLACES[i + order] - _PLACES[i])
            for i in range(NODES - order)
        ]
        coefficients.append(column[0])
    return coefficients


PLACES = np.array(_PLACES)
TAIL = np.array([_newton_coefficients(piece) for piece in range(PIECES)])


@compiled_inside
def scaled_tail(x: float) -> float:
    """Return exp(x^2 / 2) P(Z > x) for a standard normal Z and x >= 0."""
    t = PIECES * (4.0 / (4.0 + x))
    piece = min(int(t), PIECES - 1)
    u = t - piece
    value = TAIL[piece, NODES - 1]
    for i in range(NODES - 2, -1, -1):
        value = value * (u - PLACES[i]) + TAIL[piece, i]
    return value


@compiled_inside
def normal_cdf(x: float) -> float:
    """Return P(Z <= x) for a standard normal Z, precise in the lower tail."""
    tail = exp(-0.5 * x * x) * scaled_tail(abs(x))
    return 1.0 - tail if x > 0 else tail


@compiled_inside
def log_normal_cdf(x: float) -> float:
    """Return log P(Z <= x), finite for any finite x."""
    if x < 0:
        return -0.5 * x * x + log(scaled_tail(-x))
    return log(1.0 - exp(-0.5 * x * x) * scaled_tail(x))
