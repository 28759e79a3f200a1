"""Eight numbers at once: a type for kernels, with the arithmetic of a single number.

A CPU adds eight pairs of numbers as fast as one. Compilers find such loops by themselves, but not
where there are few rounds, and rounding would then depend on what they found. So it's said here:
`Lanes` are eight numbers side by side, each of which goes its own way and is rounded on its own. A
kernel that is written for one number serves for eight, as long as it branches on what holds for all
of them, and takes either of two values with `choose`.

Python's type checkers know nothing of it: to them, eight numbers are one `float`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, overload, register_model

from equipoise.inference.kernels.records import Array

LANES = 8
DOUBLE, WORD, BIT = ir.DoubleType(), ir.IntType(64), ir.IntType(1)
UNALIGNED = 8  # bytes: arrays may begin anywhere


def in_blocks(rows: Array) -> Array:
    """Return rows (n, k) by eights, each a column: (n / 8, k, 8); the last one fills what is left.

    Examples
    --------
    >>> import numpy as np
    >>> in_blocks(np.ones((20, 3))).shape
    (3, 3, 8)
    """
    missing = -len(rows) % LANES
    filled = np.concatenate([rows, np.repeat(rows[-1:], missing, axis=0)]) if missing else rows
    return np.ascontiguousarray(filled.reshape(-1, LANES, rows.shape[1]).swapaxes(1, 2))


class LanesType(types.Type):
    """Eight floats, to the compiler."""

    def __init__(self) -> None:
        cast(Any, super()).__init__(name="Lanes")


class MaskType(types.Type):
    """Eight truth values, to the compiler."""

    def __init__(self) -> None:
        cast(Any, super()).__init__(name="Mask")


lanes, mask = LanesType(), MaskType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        cast(Any, super()).__init__(manager, kind, ir.VectorType(DOUBLE, LANES))


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        cast(Any, super()).__init__(manager, kind, ir.VectorType(BIT, LANES))


def shaped(kind: Any, scalar: Any) -> Any:
    """Return the machine's type for as many scalars as a number of some kind has."""
    return ir.VectorType(scalar, LANES) if kind in (lanes, mask) else scalar


def constant(kind: Any, scalar: Any, value: float) -> Any:
    """Return a machine's constant, the same in every lane."""
    many = shaped(kind, scalar)
    return ir.Constant(many, [value] * LANES if many is not scalar else value)


def _everywhere(builder: Any, value: Any) -> Any:
    """Return a machine's number in every lane."""
    nothing = ir.Constant(ir.VectorType(value.type, LANES), ir.Undefined)
    first = builder.insert_element(nothing, value, ir.Constant(ir.IntType(32), 0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(first, nothing, places)


def _define(
    function: Any, kinds: Sequence[tuple[Any, ...]], result: Any, write: Callable[..., Any]
) -> None:
    """Let a function of Python's take arguments of these kinds; floats stand in every lane."""

    class Template(AbstractTemplate):
        def generic(self, args: Any, _kws: Any) -> Any:
            return signature(result, *args) if tuple(args) in kinds else None

    def lower(_context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values = [
            _everywhere(builder, value) if kind is types.float64 else value
            for value, kind in zip(args, sig.args, strict=True)
        ]
        return write(builder, *values)

    cast(Any, infer_global(function))(Template)
    for each in kinds:
        cast(Any, lower_builtin(function, *each))(lower)


PAIRS = [(lanes, lanes), (lanes, types.float64), (types.float64, lanes)]


def _compare(how: str) -> Callable[..., Any]:
    return lambda builder, a, b: builder.fcmp_ordered(how, a, b)


def _either(how: str) -> Callable[..., Any]:
    return lambda builder, a, b: builder.select(builder.fcmp_ordered(how, a, b), a, b)


for _function, _write in {
    operator.add: ir.IRBuilder.fadd,
    operator.iadd: ir.IRBuilder.fadd,
    operator.sub: ir.IRBuilder.fsub,
    operator.isub: ir.IRBuilder.fsub,
    operator.mul: ir.IRBuilder.fmul,
    operator.imul: ir.IRBuilder.fmul,
    operator.truediv: ir.IRBuilder.fdiv,
    operator.itruediv: ir.IRBuilder.fdiv,
    max: _either(">"),
    min: _either("<"),
}.items():
    _define(_function, PAIRS, lanes, _write)
for _function, _how in {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
}.items():
    _define(_function, PAIRS, mask, _compare(_how))
for _function, _write in {operator.and_: ir.IRBuilder.and_, operator.or_: ir.IRBuilder.or_}.items():
    _define(_function, [(mask, mask)], mask, _write)
_define(operator.neg, [(lanes,)], lanes, ir.IRBuilder.fneg)
_define(abs, [(lanes,)], lanes, lambda builder, x: _either(">")(builder, x, builder.fneg(x)))


def _as_intrinsic(function: Callable[..., Any]) -> Any:
    return cast(Any, intrinsic(function))


@_as_intrinsic
def choose(_context: Any, holds: Any, one: Any, other: Any) -> Any:
    """Return one of two numbers, in each lane as it holds there."""
    many = any(kind in (lanes, mask) for kind in (holds, one, other))
    result = lanes if many else types.float64

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values = [
            _everywhere(builder, value) if many and kind not in (lanes, mask) else value
            for value, kind in zip(args, sig.args, strict=True)
        ]
        return builder.select(*values)

    floats = [kind if kind is lanes else types.float64 for kind in (one, other)]
    return result(holds, *floats), generate


@_as_intrinsic
def everywhere(_context: Any, x: Any) -> Any:
    """Return a number in every lane."""

    def generate(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return _everywhere(builder, args[0])

    return lanes(types.float64), generate


def _address(context: Any, builder: Any, array: Any, kind: Any, place: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    address = builder.gep(data, [place])
    return builder.bitcast(address, ir.PointerType(ir.VectorType(DOUBLE, LANES)))


@_as_intrinsic
def load(_context: Any, array: Any, place: Any) -> Any:
    """Return eight numbers of an array without gaps, from a place on, counted over all its axes."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(
            _address(context, builder, args[0], sig.args[0], args[1]), align=UNALIGNED
        )

    return lanes(array, types.intp), generate


@_as_intrinsic
def store(_context: Any, array: Any, place: Any, values: Any) -> Any:
    """Write eight numbers into an array without gaps, from a place on."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = _address(context, builder, args[0], sig.args[0], args[1])
        builder.store(args[2], address, align=UNALIGNED)
        return context.get_dummy_value()

    return types.none(array, types.intp, lanes), generate


@_as_intrinsic
def any_of(_context: Any, holds: Any) -> Any:
    """Return whether something holds in any lane."""

    def generate(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        bits = builder.bitcast(args[0], ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(LANES), 0))

    return types.boolean(mask), generate


@_as_intrinsic
def total(_context: Any, values: Any) -> Any:
    """Return the sum of eight numbers, added in a fixed order."""

    def generate(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        parts = [
            builder.extract_element(args[0], ir.Constant(ir.IntType(32), k)) for k in range(LANES)
        ]
        while len(parts) > 1:
            half = len(parts) // 2
            parts = [builder.fadd(parts[k], parts[k + half]) for k in range(half)]
        return parts[0]

    return types.float64(lanes), generate


def entry(row: Array, k: int) -> float:
    """Return the k-th number of a row, or the k-th eight numbers of eight rows in columns."""
    return float(row[k])


@overload(entry, strict=False)
def _entry(row: Any, k: Any) -> Any:
    if row.ndim == 1:
        return lambda row, k: row[k]
    return lambda row, k: load(row, k * LANES)


def leading(row: Array, k: int) -> float:
    """Return the k-th number of a row, or of the first of eight rows in columns."""
    return float(row[k])


@overload(leading, strict=False)
def _leading(row: Any, k: Any) -> Any:
    if row.ndim == 1:
        return lambda row, k: row[k]
    return lambda row, k: row[k, 0]
