"""Break the code in small ways, one at a time, and see that a paper test notices each.

`make mutants`. Fails if a mutation goes unnoticed, if what it changes isn't there (once), or if the
tests fail without any.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutants.mutation import Mutation
from mutants.mutations import MUTATIONS

ROOT = Path(__file__).parents[2]
PACKAGE = Path("src", "equipoise")
TESTS_FAILED = 1  # pytest's exit code; others mean that it could not run the tests
TIME_LIMIT = 120
TOOK_TOO_LONG = -1  # neither noticed nor unnoticed


def run_tests(source: Path, files: set[str]) -> int:
    """Run paper tests against a copy of the source, and return pytest's exit code."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += [str(Path("tests", "paper", name)) for name in sorted(files)]
    environment = {
        **os.environ,
        "PYTHONPATH": str(source),
        "PYTHONDONTWRITEBYTECODE": "1",
        "EQUIPOISE_HYPOTHESIS": "mutants",
    }
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, timeout=TIME_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return TOOK_TOO_LONG
    return done.returncode


def complaint(mutation: Mutation) -> str | None:
    """Return what is wrong with a mutation, or None if a test noticed it."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "src")
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        path = Path(folder) / PACKAGE / mutation.module
        text = path.read_text(encoding="utf-8")
        if text.count(mutation.before) != 1:
            return f"stands {text.count(mutation.before)} times in the file, expected once"
        path.write_text(text.replace(mutation.before, mutation.after), encoding="utf-8")
        code = run_tests(source, {mutation.noticed_by})
    if code == 0:
        return f"not noticed by {mutation.noticed_by}"
    if code == TOOK_TOO_LONG:
        return f"the tests took longer than {TIME_LIMIT} s"
    return None if code == TESTS_FAILED else f"the tests could not be run (exit code {code})"


def main() -> int:
    """Run all mutations and say which went unnoticed."""
    start = time.monotonic()
    if run_tests(ROOT / "src", {mutation.noticed_by for mutation in MUTATIONS}) != 0:
        print("the paper tests fail without any mutation")
        return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = list(pool.map(complaint, MUTATIONS))
    for mutation, found in zip(MUTATIONS, complaints, strict=True):
        if found is not None:
            print(f"{mutation.module}: {mutation.before!r} -> {mutation.after!r}: {found}")
    unnoticed = sum(found is not None for found in complaints)
    seconds = time.monotonic() - start
    print(f"{len(MUTATIONS)} mutations, {unnoticed} unnoticed, {seconds:.0f} s")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
