"""Exponentials, logarithms and the normal distribution, the same to the last bit on every CPU.

The C library picks another `exp` for every generation of CPU. They differ in the last bit, and
that is enough to choose another question. These are made of additions, multiplications and
divisions only, whose results are prescribed, and none of which are fused. All take one number, or
eight (`lanes`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray
from scipy.special import erfcx

from equipoise.inference.kernels.compiling import compiled_inline, compiled_inside
from equipoise.inference.kernels.lanes import DOUBLE, WORD, choose, constant, lanes, shaped

LOG2_E = 1 / math.log(2)
# ln 2 in two parts: the first has so few digits that its product with an exponent is exact.
LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
# Adding this rounds to a whole number, which then stands in the last bits.
ROUNDER = 1.5 * 2.0**52
EXPONENT_BIAS = 1023
FRACTION_BITS = 52
FRACTION = (1 << FRACTION_BITS) - 1
# Beyond these exp would not be a normal number. exp(SMALLEST) stands for zero.
LARGEST, SMALLEST = 709.0, -708.0
SQRT_HALF_BITS = int(np.float64(math.sqrt(0.5)).view(np.int64))
# A whole number below WHOLE, in the last bits of WHOLE, makes their sum.
WHOLE, MIDDLE = 2.0**FRACTION_BITS, 1 << 10
WHOLE_BITS = int(np.float64(WHOLE).view(np.int64))


def _with_bits(write: Callable[..., Any]) -> Callable[[float], float]:
    """Return a function that does something to the bits of a number, or of each of eight."""

    def typed(_context: Any, number: Any) -> Any:
        kind = number if number is lanes else types.float64

        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            bits = builder.bitcast(arguments[0], shaped(kind, WORD))
            found = write(builder, bits, lambda value: constant(kind, WORD, value))
            return builder.bitcast(found, shaped(kind, DOUBLE))

        return kind(kind), generate

    return cast(Any, intrinsic(typed))


# 2^k, for a whole number k in the last bits of what ROUNDER was added to.
_power: Callable[[float], float] = _with_bits(
    lambda builder, bits, of: builder.shl(builder.add(bits, of(EXPONENT_BIAS)), of(FRACTION_BITS))
)
# x = m 2^k with m between sqrt(1/2) and sqrt(2): m, and k + WHOLE + MIDDLE.
_fraction: Callable[[float], float] = _with_bits(
    lambda builder, bits, of: builder.add(
        builder.and_(builder.sub(bits, of(SQRT_HALF_BITS)), of(FRACTION)), of(SQRT_HALF_BITS)
    )
)
_exponent: Callable[[float], float] = _with_bits(
    lambda builder, bits, of: builder.or_(
        builder.lshr(
            builder.add(builder.sub(bits, of(SQRT_HALF_BITS)), of(MIDDLE << FRACTION_BITS)),
            of(FRACTION_BITS),
        ),
        of(WHOLE_BITS),
    )
)


@compiled_inline
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
    return choose(x >= SMALLEST, polynomial * _power(shifted), 0.0)


@compiled_inline
def log(x: float) -> float:
    """Return the natural logarithm of a positive, normal number."""
    m = _fraction(x)
    k = _exponent(x) - (WHOLE + MIDDLE)
    # log m = 2 artanh(s); |s| <= 0.1716, so that ten terms are enough.
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    z2 = z * z
    z4 = z2 * z2
    low = (1 / 3 + z * (1 / 5)) + z2 * (1 / 7 + z * (1 / 9))
    high = (1 / 11 + z * (1 / 13)) + z2 * (1 / 15 + z * (1 / 17))
    series = low + z4 * (high + z4 * (1 / 19 + z * (1 / 21)))
    return k * LN2_HIGH + (2.0 * s + (2.0 * s * z * series + k * LN2_LOW))


@compiled_inline
def logistic(x: float) -> float:
    """Return 1 / (1 + e^-x)."""
    return 1.0 / (1.0 + exp(-x))


# The normal tail: P(Z > x) = exp(-x^2 / 2) M(x) for x >= 0. With t = (x - TURN) / (x + TURN), M is
# smooth from t = -1, where x is zero, to t = 1, where it's infinite: there M is a polynomial.
TURN, DEGREE = 4.0, 21


def _scaled_tail(t: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return M at t, from the library's scaled complementary error function."""
    return 0.5 * erfcx(TURN * (1 + t) / (1 - t) / math.sqrt(2))


TAIL = np.polynomial.chebyshev.cheb2poly(
    cast(Any, np.polynomial.chebyshev.chebinterpolate)(_scaled_tail, DEGREE)
)


@compiled_inside
def scaled_tail(x: float) -> float:
    """Return exp(x^2 / 2) P(Z > x) for a standard normal Z and x >= 0."""
    t = (x - TURN) / (x + TURN)
    value = TAIL[DEGREE] * t + TAIL[DEGREE - 1]
    for i in range(DEGREE - 2, -1, -1):
        value = value * t + TAIL[i]
    return value


@compiled_inside
def normal_cdf(x: float) -> float:
    """Return P(Z <= x) for a standard normal Z, precise in the lower tail."""
    tail = exp(-0.5 * x * x) * scaled_tail(abs(x))
    return choose(x > 0.0, 1.0 - tail, tail)


@compiled_inside
def log_normal_cdf(x: float) -> float:
    """Return log P(Z <= x), finite for any finite x."""
    if x < 0:
        return -0.5 * x * x + log(scaled_tail(-x))
    return log(1.0 - exp(-0.5 * x * x) * scaled_tail(x))
