"""How functions are compiled, and where the result is kept.

Numba's cache does not notice an edit in another file, and every kernel calls some that stand in
others. So the folder it's kept in is named by a hash of all their sources.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import platformdirs
from numba.core import config, event

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

SOURCES = Path(__file__).parent
LOGGER = logging.getLogger("equipoise")


def _hash_of_sources() -> str:
    digest = hashlib.sha256()
    for path in sorted(SOURCES.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_folder() -> Path | None:
    """Return where compiled functions are kept, or None where nothing can be written.

    `NUMBA_CACHE_DIR` moves it.
    """
    named = os.environ.get("NUMBA_CACHE_DIR")
    root = Path(named) if named else platformdirs.user_cache_path("equipoise", appauthor=False)
    folder = root / "kernels" / _hash_of_sources()
    return folder if _writable(folder) else None


CACHE = cache_folder()


class _Announcer(event.Listener):
    """Says once why it takes so long, as soon as something has to be compiled."""

    def on_start(self, event: Any) -> None:
        """Say it, if it's a function of ours that no earlier run has left to load."""
        if event.data["dispatcher"].py_func.__module__.startswith(__package__) and not self.said:
            self.said = True
            LOGGER.warning(
                "Compiling for this machine: that takes about 20 seconds, %s.",
                "once" if CACHE is not None else "every time, as nothing can be kept anywhere",
            )

    def on_end(self, event: Any) -> None:
        """Say nothing."""

    said = False


cast(Any, event.register)("numba:compile", _Announcer())


def compiled(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function when it's first called: strict arithmetic, without the GIL."""
    return _compiled(function)


def compiled_inside(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function that only other compiled ones call, and that makes no arrays.

    It counts no references to the arrays it's handed, which in short loops takes most of the time:
    whoever called from Python holds on to them.
    """
    return _compiled(function, _nrt=False)


def compiled_inline(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a short function that is called for every number: there, not as a call."""
    return _compiled(function, _nrt=False, forceinline=True)


def compiled_in_place(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function as a part of the one that calls it.

    For the one that is called most: handing over records of many arrays takes a while.
    """
    return _compiled(function, _nrt=False, inline="always")


def _compiled(
    function: Callable[Parameters, Result], **options: bool | str
) -> Callable[Parameters, Result]:
    settings = vars(config)
    before = settings["CACHE_DIR"]
    settings["CACHE_DIR"] = "" if CACHE is None else str(CACHE)  # read where caching is set up
    try:
        result: Callable[Parameters, Result] = numba.njit(  # type: ignore[call-overload]
            cache=CACHE is not None, nogil=True, error_model="numpy", **options
        )(function)
    finally:
        settings["CACHE_DIR"] = before
    return result
