"""Every method at every pair of thresholds: no run of either sampler breaks down."""

import os

import numpy as np
import pytest

from equipoise.experiments.methods import METHODS, THRESHOLD_PAIRS
from equipoise.experiments.running import processes, run
from equipoise.experiments.simulation import Simulation
from equipoise.inference.smc import SMC

QUERIES = 100
# Each with how many people, and the share of distinct draws that it must stay above, which the
# chains don't: they get stuck.
SAMPLERS = {"paper": ("paper", 10, 0.0), "smc": (SMC(200), 5, 0.05)}


@pytest.fixture(scope="module")
def executor():
    """Provide one process a core, for all methods."""
    with processes(os.cpu_count() or 1) as executor:
        yield executor


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLERS)
@pytest.mark.parametrize("method", METHODS)
def test_no_run_ends_infeasible_or_undefined(method, name, executor, record_property):
    """A hundred questions to some people, 25 pairs of thresholds: every estimate is one.

    A sampler that finds nothing with a positive likelihood raises. How many of its draws were
    distinct is written to the report.
    """
    assert len(THRESHOLD_PAIRS) == 25
    sampler, people, least = SAMPLERS[name]
    distinct = []
    for tau_r, tau_kappa in THRESHOLD_PAIRS:
        simulation = Simulation(
            method, tau_r, tau_kappa, people=people, queries=QUERIES, sampler=sampler
        )
        for course in run(simulation, executor=executor):
            assert course.estimates.shape == (QUERIES, simulation.dimensions)
            assert course.estimates.min() >= 0  # which NaN is not
            np.testing.assert_allclose(course.estimates.sum(axis=1), 1, atol=1e-9)
            assert (course.distinct > least).all()
            distinct.append(course.distinct)
    record_property("distinct states, mean", round(float(np.mean(distinct)), 3))
    record_property("distinct states, least", round(float(np.min(distinct)), 3))
