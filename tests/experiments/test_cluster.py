"""The same results from a cluster of dask.distributed, whatever happens to its workers."""

import os
import signal
import threading
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest

from equipoise.experiments import cluster
from equipoise.experiments.campaigns import Campaign
from equipoise.experiments.cluster import on_cluster
from equipoise.experiments.problems import StudyError
from equipoise.experiments.runner import in_this_process
from equipoise.experiments.simulation import Simulation
from equipoise.experiments.studies import Study

BASE = Simulation("utilize-4", 0.4, 0.4, people=25, queries=40, sampler="paper")
STUDY = Study("one", tuple(replace(BASE, tau_r=tau) for tau in (0.2, 0.4, 0.6)))
CAMPAIGN = Campaign({"of": "a test"}, (STUDY,))


def results(way, out, progress=lambda done: None):
    """What comes of the study, person by person."""

    @contextmanager
    def bar(what, total):
        yield progress

    with CAMPAIGN.open(out) as store:
        assert CAMPAIGN.run(store, way, bar) == 75
        outcomes = [store.outcome(simulation) for simulation in STUDY.simulations]
    return [
        (course.estimates.tolist(), course.responses)
        for outcome in outcomes
        for course in outcome.courses
    ]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # what a cluster says while one of its workers is killed
def test_a_cluster_whose_worker_is_killed_gives_the_same(tmp_path):
    """A real scheduler and two processes, one of them killed midway: nothing lost or changed."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as workers:
        pids = [nanny.pid for nanny in workers.workers.values()]
        assert len(set(pids)) == 2
        killed = []

        def kill(done):
            if not killed:
                os.kill(pids[0], signal.SIGKILL)
                killed.append(done)

        found = results(on_cluster(workers.scheduler_address), tmp_path / "cluster", kill)
        assert 0 < killed[0] < 75
    assert found == results(in_this_process, tmp_path / "here")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_goes_away_is_told(tmp_path):
    """What was done is kept, and the sentence says that the same command continues."""
    distributed = pytest.importorskip("distributed")
    workers = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    )
    ended = []

    def end(done):
        if not ended:
            ended.append(done)
            threading.Thread(target=workers.close).start()
            time.sleep(1)

    with pytest.raises(StudyError, match=r"cluster at .* is gone"):
        results(on_cluster(workers.scheduler_address), tmp_path, end)
    with CAMPAIGN.open(tmp_path) as store:
        assert ended[0] <= len(store) < 75


def test_no_cluster_is_told(tmp_path, monkeypatch):
    """Where nobody listens, and where dask isn't installed: a sentence each."""
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 0.5)
    pytest.importorskip("distributed")
    with CAMPAIGN.open(tmp_path) as store, pytest.raises(StudyError, match="there is no cluster"):
        CAMPAIGN.run(store, on_cluster("tcp://127.0.0.1:9"), no_bar)
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with CAMPAIGN.open(tmp_path) as store, pytest.raises(StudyError, match=r"equipoise\[dask\]"):
        CAMPAIGN.run(store, on_cluster("tcp://127.0.0.1:9"), no_bar)


@contextmanager
def no_bar(what, total):
    """A progress bar that nobody sees."""
    yield lambda done: None
