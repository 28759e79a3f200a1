"""Studies in a folder: continued, split, merged and planned, always with the same results."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace

import pytest

from equipoise.experiments import jobs, reproduction, runner
from equipoise.experiments.campaigns import Campaign, counted, finished, merge, shard_typed
from equipoise.experiments.jobs import learn_batch
from equipoise.experiments.problems import OtherStudyError, RunsMissingError, StudyError
from equipoise.experiments.runner import in_this_process, on_cores, shard
from equipoise.experiments.simulation import Simulation
from equipoise.experiments.store import COLUMNS
from equipoise.experiments.studies import Study
from equipoise.learner import StandsStill

SMALL = Simulation("utilize-4", 0.4, 0.4, people=4, queries=4, sampler="paper")
STUDIES = (
    Study("one", (SMALL, replace(SMALL, method="correct"))),
    Study("two", (replace(SMALL, method="correct", people=3, stop=StandsStill()),)),
)
CAMPAIGN = Campaign({"of": "a test"}, STUDIES)
JOBS = 11


@contextmanager
def no_bar(what, total):
    """A progress bar that nobody sees."""
    yield lambda done: None


def complete(campaign, out, way=in_this_process):
    """Run what is missing in a folder."""
    with campaign.open(out) as store:
        return campaign.run(store, way, no_bar)


def contents(path):
    """What a file of runs holds, but for how long each took."""
    columns = COLUMNS.replace("seconds, ", "")
    with closing(sqlite3.connect(path)) as connection:
        return sorted(connection.execute(f"SELECT {columns} FROM runs").fetchall())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What comes of the studies, run at once in this process."""
    out = tmp_path_factory.mktemp("whole")
    assert complete(CAMPAIGN, out) == JOBS
    return contents(out / "runs.sqlite")


def test_every_way_gives_the_same(whole, tmp_path):
    """Processes, another order, and parts that are merged: the same, to the last bit."""
    assert complete(CAMPAIGN, tmp_path / "cores", on_cores(2)) == JOBS
    assert contents(tmp_path / "cores" / "runs.sqlite") == whole

    def backwards(work):
        for batch in reversed(work):
            yield learn_batch(batch[::-1])

    assert complete(CAMPAIGN, tmp_path / "backwards", backwards) == JOBS
    assert contents(tmp_path / "backwards" / "runs.sqlite") == whole


def test_what_is_done_is_not_done_again(whole, tmp_path):
    """After an interrupt anywhere the same command does the rest."""

    def interrupted(work):
        for i, batch in enumerate(work):
            if i == 2:
                raise KeyboardInterrupt
            yield learn_batch(batch)

    with CAMPAIGN.open(tmp_path) as store:
        with pytest.raises(KeyboardInterrupt):
            CAMPAIGN.run(store, interrupted, no_bar)
        done, runs = counted(store)
        assert 0 < done < runs == JOBS
        assert len(finished(store)) < 2
    assert complete(CAMPAIGN, tmp_path) == JOBS - done
    assert complete(CAMPAIGN, tmp_path) == 0
    assert contents(tmp_path / "runs.sqlite") == whole


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_shards_are_all_and_share_nothing(n):
    """Every job is in exactly one part, and parts are as large as each other but for one."""
    simulations = [simulation for study in STUDIES for simulation in study.simulations]
    parts = [shard(simulations, i, n) for i in range(1, n + 1)]
    assert sorted(job.key for part in parts for job in part) == sorted(
        job.key for job in CAMPAIGN.jobs()
    )
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("apart", [True, False])
def test_merged_shards_are_the_whole(whole, tmp_path, apart):
    """In folders of their own, or in one."""
    folders = [tmp_path / (str(i) if apart else "all") for i in (1, 2, 3)]
    for i, folder in enumerate(folders, start=1):
        assert complete(replace(CAMPAIGN, shard=(i, 3)), folder) in (3, 4)
    out = tmp_path / "all"
    with merge(list(dict.fromkeys(folders)), out) as store:
        assert counted(store) == (JOBS, JOBS)
        assert finished(store) == list(STUDIES)
    assert contents(out / "runs.sqlite") == whole
    assert complete(CAMPAIGN, out) == 0


def test_a_merge_without_one_part_says_what_is_missing(whole, tmp_path):
    """And the whole can be completed from there."""
    for i in (1, 3):
        complete(replace(CAMPAIGN, shard=(i, 3)), tmp_path / str(i))
    with merge([tmp_path / "1", tmp_path / "3"], tmp_path) as store:
        done, runs = counted(store)
    assert (done, runs) == (7, JOBS)
    assert complete(CAMPAIGN, tmp_path) == 4
    assert contents(tmp_path / "runs.sqlite") == whole


def test_a_merge_refuses_what_does_not_belong_together(tmp_path):
    """Another study, folders without runs, and nothing at all."""
    complete(CAMPAIGN, tmp_path / "a")
    complete(replace(CAMPAIGN, about={"of": "another"}), tmp_path / "b")
    with pytest.raises(OtherStudyError, match="of is"):
        merge([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    (tmp_path / "empty").mkdir()
    with pytest.raises(RunsMissingError, match="there are no runs in"):
        merge([tmp_path / "a", tmp_path / "empty"], tmp_path / "d")
    with pytest.raises(RunsMissingError, match="nothing to merge"):
        merge([], tmp_path / "d")


def test_a_plan_says_what_is_left_and_makes_nothing(tmp_path):
    """Before, without a folder; after, with nothing left."""
    out = tmp_path / "out"
    plans = CAMPAIGN.plans(out)
    assert not out.exists()
    assert [(plan.study.name, plan.runs, plan.done) for plan in plans] == [
        ("one", 8, 0),
        ("two", 3, 0),
    ]
    assert all(plan.seconds > 0 for plan in plans)
    assert [plan.runs for plan in replace(CAMPAIGN, shard=(1, 2)).plans(out)] == [4, 2]
    complete(CAMPAIGN, out)
    assert [(plan.done, plan.seconds) for plan in CAMPAIGN.plans(out)] == [(8, 0), (3, 0)]


def test_what_was_measured_goes_before_what_was_expected(tmp_path):
    """More people of an experiment take as long as those who are done."""
    complete(CAMPAIGN, tmp_path)
    with CAMPAIGN.open(tmp_path) as store:
        store._connection.execute("UPDATE runs SET seconds = 100")
    more = Campaign(CAMPAIGN.about, (Study("one", (replace(SMALL, people=6),)),))
    (plan,) = more.plans(tmp_path)
    assert (plan.done, plan.runs) == (4, 6)
    with more.open(tmp_path) as store:
        assert store.seconds(more.jobs())
    assert plan.seconds == pytest.approx(200)


def test_one_that_fails_does_not_keep_the_others_from_it(tmp_path, monkeypatch):
    """The others are kept, and then it's said what failed."""

    def fails(simulation, k):
        if simulation.method == "correct" and k == 1:
            raise ArithmeticError("no such number")
        return person(simulation, k)

    person = jobs.learn_person
    monkeypatch.setattr(jobs, "learn_person", fails)
    with CAMPAIGN.open(tmp_path) as store:
        with pytest.raises(StudyError, match=r"2 runs failed.*ArithmeticError: no such number"):
            CAMPAIGN.run(store, in_this_process, no_bar)
        assert len(store) == JOBS - 2


def test_a_process_that_is_ended_from_outside_is_told(tmp_path, monkeypatch):
    """What was done is kept, and the sentence says how to go on."""

    class Future:
        def result(self):
            raise BrokenProcessPool

    class Executor:
        def submit(self, *_):
            return Future()

    monkeypatch.setattr(runner, "processes", lambda count: nullcontext(Executor()))
    monkeypatch.setattr(runner, "as_completed", iter)
    with CAMPAIGN.open(tmp_path) as store, pytest.raises(StudyError, match="--workers 1"):
        CAMPAIGN.run(store, on_cores(2), no_bar)


def test_a_folder_that_can_not_be_made_is_told(tmp_path):
    """A file is where the folder should be."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StudyError, match="can't be made"):
        CAMPAIGN.open(tmp_path / "file")


@pytest.mark.parametrize("typed", ["", "1", "0/2", "3/2", "a/b", "1/0", "-1/2"])
def test_a_shard_that_can_not_be_is_refused(typed):
    """Of n parts there is a first and a last."""
    with pytest.raises(ValueError, match="expected i/n such as 1/4"):
        shard_typed(typed)


# Real processes that are really killed.

EXPERIMENT = """
format = 1
method = ["correct", "utilize-4"]
tau_r = [0.2, 0.4]
tau_kappa = 0.4
people = 60
queries = 100
sampler = "paper"
"""
RUNS = 240


def start(*arguments, **options):
    """Start the command line in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "equipoise", *arguments],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def kept(path):
    """How many runs a file holds, while somebody else may be writing."""
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(path, timeout=10)) as connection:
            return connection.execute("SELECT count(*) FROM runs").fetchone()[0]
    except sqlite3.OperationalError:  # not a table yet
        return 0


def wait_until(true, seconds=60):
    """Wait for something to be true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "that took too long"
        time.sleep(0.02)


def gone(group):
    """Whether nothing is left of a process group."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The folder of the experiment, run at once by one process."""
    out = tmp_path_factory.mktemp("uninterrupted")
    (out / "experiment.toml").write_text(EXPERIMENT)
    process = start("experiment", str(out / "experiment.toml"), "--out", str(out), "--workers", "1")
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 0, stderr
    return out


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_killed_midway_goes_on(tmp_path, how, uninterrupted):
    """Killed, interrupted or ended: it leaves no process behind, and the rest gives the same."""
    file = tmp_path / "experiment.toml"
    file.write_text(EXPERIMENT)
    out = tmp_path / "out"
    command = ("experiment", str(file), "--out", str(out), "--workers", "2", "--json")
    process = start(*command)
    wait_until(lambda: kept(out / "runs.sqlite") > 0)
    if how == signal.SIGINT:
        os.killpg(process.pid, how)  # as a terminal does: to every process
    else:
        process.send_signal(how)
    stdout, stderr = process.communicate(timeout=60)
    wait_until(lambda: gone(process.pid))
    done = kept(out / "runs.sqlite")
    assert 0 < done < RUNS
    assert stdout == ""
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert stderr.splitlines()[-1] == (
            f"Interrupted: {done} of {RUNS} runs are done and kept in {out}, the same command "
            "continues."
        )
        assert "Traceback" not in stderr
    again = start(*command)
    stdout, stderr = again.communicate(timeout=120)
    assert again.returncode == 0, stderr
    assert len(json.loads(stdout)["summary"]) == 4
    assert contents(out / "runs.sqlite") == contents(uninterrupted / "runs.sqlite")
    for name in ("results.csv", "summary.csv", "summary.json"):
        assert (out / name).read_bytes() == (uninterrupted / name).read_bytes()


def test_the_papers_studies_are_what_the_paper_says():
    """Eight methods at 25 pairs for 40 people and 100 questions; four respondents to the end."""
    speed, accuracy = reproduction.campaign("all").studies
    assert len(speed.simulations) == 200
    assert len({(s.method, s.tau_r, s.tau_kappa) for s in speed.simulations}) == 200
    assert {(s.people, s.queries, s.pool, s.sampler) for s in speed.simulations} == {
        (40, 100, 50, "paper")
    }
    assert [s.respondent for s in accuracy.simulations] == [
        "correct",
        "fifty-fifty",
        "lexicographic",
        "self-similar",
    ]
    assert {(s.method, s.tau_r, s.tau_kappa, s.people) for s in accuracy.simulations} == {
        ("correct", 0.25, 0.25, 40)
    }
    assert all(isinstance(s.stop, StandsStill) for s in accuracy.simulations)
    both = reproduction.campaign("all", sampler="smc").studies
    assert [study.name for study in both] == [
        "speed",
        "accuracy",
        "speed, smc, pool 50",
        "accuracy, smc, pool 50",
        "speed, smc, pool 1000",
        "accuracy, smc, pool 1000",
    ]
    assert both[:2] == (speed, accuracy)
    assert {(s.sampler, s.pool) for s in both[4].simulations} == {("smc", 1000)}
