"""What is done to rows of numbers."""

from __future__ import annotations

from equipoise.inference.kernels.compiling import compiled_inside
from equipoise.inference.kernels.records import Array


@compiled_inside
def copy_into(target: Array, source: Array) -> None:
    """Copy one row into another."""
    # Numba takes seconds to compile `target[:] = source`, for an error message it may need.
    for i in range(target.size):
        target[i] = source[i]
