"""What a benchmark finds, and how it takes time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

REPEATS = 5


@dataclass(frozen=True)
class Figure:
    """One measured figure, and what it may be at most; a time is the median of several runs."""

    what: str
    limit: float
    measured: float
    unit: str = "s"

    def __str__(self) -> str:
        """Return it as a row of a table."""
        unit = f" {self.unit}" if self.unit else ""
        return f"| {self.what} | {self.limit:g}{unit} | {self.measured:#.3g}{unit} |"


def median_seconds(action: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median time of an action, which runs once before the clock does."""
    action()
    return float(np.median([seconds(action) for _ in range(repeats)]))


def seconds(action: Callable[[], object]) -> float:
    """Return how long an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
