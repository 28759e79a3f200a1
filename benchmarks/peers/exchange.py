"""What both programs do with their files. It runs in either's environment, and needs only NumPy."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Estimates (moments, weights) of one person, and the seconds (questions,) that each question took.
Course = tuple[NDArray[np.float64], NDArray[np.float64]]


def read(path: Path) -> dict[str, Any]:
    """Return the arrays of a file."""
    with np.load(path) as file:
        return dict(file)


def write(path: Path, packages: tuple[str, ...], **people: list[Course]) -> None:
    """Write how learning people went, by how questions were found, and the packages' versions."""
    used = [f"{name} {version(name.lower())}" for name in packages]
    arrays = {"versions": np.array(", ".join([*used, f"Python {platform.python_version()}"]))}
    for how, courses in people.items():
        estimates, seconds = zip(*courses, strict=True)
        arrays |= {f"{how}_estimates": np.array(estimates), f"{how}_seconds": np.array(seconds)}
    np.savez(path, **arrays)  # type: ignore[arg-type]
