"""The same questions with another number of threads, and on a lesser processor."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

TESTS = Path(__file__).parents[1]

# Sessions of every model with either sampler, as long as differences need to show, and one about a
# task; prints what was asked.
PROGRAM = """
import json
import numpy as np
from sessions import MODELS, features, go_on, kidneys

sessions = {}
for sampler, settings in {"paper": {}, "smc": {"particles": 200}}.items():
    for name, model in MODELS.items():
        learner = features(4, model, sampler=sampler, pool=200, **settings)
        sessions[f"{name}, {sampler}"] = learner
        go_on(learner, 25)
    learner = kidneys(responses=MODELS["people"], sampler=sampler, **settings)
    sessions[f"a task, {sampler}"] = learner
    go_on(learner, 9)
asked = {
    name: [[e["first"], e["second"], e["bits"]] for e in learner.log() if e["event"] == "asked"]
    for name, learner in sessions.items()
}
print(json.dumps(asked))
"""
DISPATCH = """
import json
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

print(json.dumps([name for name in __cpu_dispatch__ if __cpu_features__[name]]))
"""


def printed(program, **environment):
    """What a program prints as JSON in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, **environment},
        cwd=TESTS,
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(run.stdout)


def threads(count):
    """The environment for so many threads."""
    names = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return dict.fromkeys(names, str(count))


@pytest.fixture(scope="module")
def asked():
    """What is asked on this machine as it is."""
    return printed(PROGRAM, **threads(1))


def assert_same_questions(found, asked):
    """The same sides, to the last bit; how much they were expected to tell but for rounding."""
    assert found.keys() == asked.keys()
    for name, questions in asked.items():
        assert [question[:2] for question in found[name]] == [q[:2] for q in questions], name
        bits = ([question[2] for question in which] for which in (found[name], questions))
        np.testing.assert_allclose(*bits, rtol=0, atol=1e-6, err_msg=name)


@pytest.mark.slow
def test_another_number_of_threads(asked):
    """Two threads ask what one asks."""
    assert_same_questions(printed(PROGRAM, **threads(2)), asked)


@pytest.mark.slow
def test_another_processor(asked, tmp_path):
    """Without what NumPy and the compiler can use on this processor and not on each, as well."""
    features = printed(DISPATCH)
    lesser = {
        "NPY_DISABLE_CPU_FEATURES": " ".join(features),
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CACHE_DIR": str(tmp_path),
    }
    assert not set(printed(DISPATCH, **lesser))
    assert_same_questions(printed(PROGRAM, **threads(1), **lesser), asked)
    assert any(tmp_path.rglob("*.nbc"))  # it was compiled anew, for the lesser one
