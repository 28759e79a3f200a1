"""Where compiled functions are kept, and what is said when there are none yet."""

import os
import subprocess
import sys

ASK = """
import equipoise as eq
eq.Learner(3, eq.TwoAnswers(), seed=1, pool=5, particles=20).ask()
"""


def errors_of(program, folder):
    """What a program writes to standard error in a process of its own, with kernels kept there."""
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder)},
        check=True,
        capture_output=True,
        text=True,
    )
    return run.stderr


def test_compiling_is_announced_once(tmp_path):
    """The first process says on one line why it takes long; the next has nothing to compile."""
    first = errors_of(ASK, tmp_path)
    assert first == "Compiling for this machine: that takes about 20 seconds, once.\n"
    assert errors_of(ASK, tmp_path) == ""


def test_compiling_works_where_nothing_can_be_kept(tmp_path):
    """Without a folder to write to everything is compiled every time, and that is said."""
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    assert errors_of(ASK, blocked).endswith("every time, as nothing can be kept anywhere.\n")
