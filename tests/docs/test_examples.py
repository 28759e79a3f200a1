"""The examples run, in a process of their own, and say something."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_runs(path, tmp_path):
    """No example warns or fails, wherever it's started, and each prints what it found."""
    command = [sys.executable, "-W", "error", str(path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 3


def test_there_are_examples():
    """An empty folder isn't taken for examples that all run."""
    assert EXAMPLES
