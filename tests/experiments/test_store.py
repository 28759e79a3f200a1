"""The store of finished runs: what was kept is there, whatever happens, and nothing is mixed."""

import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from equipoise.experiments import store as stores
from equipoise.experiments.jobs import Job, jobs_of
from equipoise.experiments.measures import MEASURES, measure
from equipoise.experiments.problems import (
    DiskFullError,
    OtherStudyError,
    RunsMissingError,
    StudyError,
)
from equipoise.experiments.running import run
from equipoise.experiments.simulation import Simulation
from equipoise.experiments.store import Store
from equipoise.experiments.studies import Study
from equipoise.inference.hit_and_run import HitAndRun
from equipoise.learner import SmallRegret, StandsStill

SMALL = Simulation("utilize-4", 0.4, 0.4, people=3, queries=4, sampler="paper")
SHORT = HitAndRun(kept=20, burn_in=20)
ABOUT = {"of": "a test"}


@pytest.fixture(scope="module")
def courses():
    """How learning goes in the small experiment."""
    return run(SMALL)


@pytest.fixture
def path(tmp_path):
    """Where a store may be."""
    return tmp_path / "runs.sqlite"


def fill(store, simulation, courses):
    """Keep what came of an experiment."""
    for job, course in zip(jobs_of([simulation]), courses, strict=True):
        store.put(job, course)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"method": "correct", "respondent": "self-similar"},
        {"method": "utilize-3", "dimensions": 2},
        {"stop": StandsStill(0.5, 2), "queries": 9},
        {"stop": SmallRegret(average=0.9, inputs=[[[0.1] * 5, [0.7] * 5]]), "queries": 9},
        {"sampler": SHORT, "method": "ignore-noise"},
    ],
)
def test_an_outcome_is_what_was_kept(path, change):
    """Courses and measures come back to the last digit, in a store that was closed meanwhile."""
    simulation = replace(SMALL, **change)
    courses = run(simulation)
    with Store(path, ABOUT) as store:
        fill(store, simulation, courses)
    with Store(path) as store:
        found = store.outcome(simulation)
        assert store.about == ABOUT
    for there, here in zip(found.courses, courses, strict=True):
        assert there.person.weights.tolist() == here.person.weights.tolist()
        assert there.person.profile.tolist() == here.person.profile.tolist()
        assert there.person.responses == here.person.responses
        assert there.person.indecision == here.person.indecision
        assert there.estimates.tolist() == here.estimates.tolist()
        assert there.distinct.tolist() == here.distinct.tolist()
        assert there.responses == here.responses
    measures = measure(simulation, courses)
    for name in (*MEASURES, "counts"):
        assert getattr(found.measures, name).tolist() == getattr(measures, name).tolist()
    assert found.measures.answers == measures.answers


def test_what_is_missing_is_known_person_by_person(path, courses):
    """Before, midway and after; more people are only the others."""
    with Store(path, ABOUT) as store:
        assert store.missing([SMALL]) == jobs_of([SMALL])
        store.put(Job(SMALL, 1), courses[1])
        assert [job.k for job in store.missing([SMALL])] == [0, 2]
        with pytest.raises(RunsMissingError, match="2 of 3 people are missing"):
            store.outcome(SMALL)
        fill(store, SMALL, courses)
        assert store.missing([SMALL]) == []
        assert len(store) == 3
        more = replace(SMALL, people=5)
        assert [job.k for job in store.missing([more])] == [3, 4]
        assert store.outcome(replace(SMALL, people=2)).measures.l1.shape == (2, 4)
        assert len(store.missing([replace(SMALL, seed=2)])) == 3


FORCED = replace(SMALL, method="correct")
OTHERS = {
    "method": "utilize-4",
    "tau_r": 0.7,
    "tau_kappa": 0.7,
    "queries": 5,
    "seed": 2,
    "sampler": "smc",
    "pool": 51,
    "acquisition": "random",
    "respondent": "lexicographic",
    "stop": StandsStill(),
    "dimensions": 6,
    "concentration": 0.3,
    "beta": 11.0,
    "lapse": 0.1,
}


@pytest.mark.parametrize("name", [name for name in vars(SMALL) if name != "people"])
def test_every_part_of_a_declaration_tells_runs_apart(name):
    """Nothing that a run depends on is left out of its key."""
    assert Job(replace(FORCED, **{name: OTHERS[name]}), 0).key != Job(FORCED, 0).key


def test_keys_do_not_tell_apart_what_is_the_same():
    """A whole number and the same with a point; another size of a sampler is another thing."""
    assert Job(replace(SMALL, tau_r=0), 0).key == Job(replace(SMALL, tau_r=0.0), 0).key
    assert Job(replace(SMALL, sampler=SHORT), 0).key != Job(SMALL, 0).key
    longer = replace(SMALL, sampler=HitAndRun(kept=21, burn_in=20))
    assert Job(replace(SMALL, sampler=SHORT), 0).key != Job(longer, 0).key


@dataclass(frozen=True)
class Own:
    """A stopping rule of one's own."""

    why = "it was enough"

    def reached(self, learner):
        """Never."""
        return False


def test_what_has_no_declaration_is_refused():
    """A rule of one's own is known by name only, and the name might mean anything."""
    with pytest.raises(ValueError, match="a stopping rule of one's own"):
        _ = Job(replace(SMALL, stop=Own()), 0).key


def test_another_study_is_refused_and_left_alone(path, courses):
    """The sentence says where the two differ; what is there stays."""
    with Store(path, {"quick": True, "name": "a"}) as store:
        fill(store, SMALL, courses)
    with pytest.raises(OtherStudyError, match="quick is true there and false here"):
        Store(path, {"quick": False, "name": "a"})
    with Store(path, {"quick": True, "name": "a"}) as store:
        assert len(store) == 3


def test_another_version_is_refused(path, monkeypatch):
    """Runs of two versions may differ."""
    Store(path, ABOUT).close()
    monkeypatch.setattr(stores, "version", lambda _: "9.9")
    with pytest.raises(OtherStudyError, match=r"by equipoise .* other runs by 9\.9"):
        Store(path, ABOUT)


def test_other_files_are_refused(path):
    """What isn't a store, or a later one, is never written to."""
    path.write_bytes(b"something else" * 100)
    with pytest.raises(StudyError, match="is damaged"):
        Store(path, ABOUT)
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (a)")
    other.close()
    with pytest.raises(OtherStudyError, match="isn't a file of runs"):
        Store(path, ABOUT)
    path.unlink()
    Store(path, ABOUT).close()
    with sqlite3.connect(path) as later:
        later.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(OtherStudyError, match="has format 99"):
        Store(path, ABOUT)
    with pytest.raises(RunsMissingError, match="there are no runs"):
        Store(Path("nowhere.sqlite"))


def test_a_damaged_run_is_told(path, courses):
    """Half of an array isn't taken for a whole one."""
    with Store(path, ABOUT) as store:
        fill(store, SMALL, courses)
        store._connection.execute("UPDATE runs SET estimates = substr(estimates, 1, 16)")
        with pytest.raises(StudyError, match="is damaged: what it has of person 0"):
            store.outcome(SMALL)


def test_a_full_disk_loses_nothing_that_was_kept(path, courses):
    """The sentence says so; with space again it goes on."""
    with Store(path, ABOUT) as store:
        store.put(Job(SMALL, 0), courses[0])
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        others = [Job(replace(SMALL, seed=seed), 0) for seed in range(2, 100)]
        with pytest.raises(DiskFullError, match="the disk is full"):
            _ = [store.put(job, courses[0]) for job in others]
        kept = len(store)
        assert store.missing([SMALL])[0].k == 1
        store._connection.execute("PRAGMA max_page_count = 100000")
        fill(store, SMALL, courses)
        assert len(store) == kept + 2


def test_a_batch_is_kept_as_a_whole_or_not(path, courses, monkeypatch):
    """What goes wrong between two runs of a batch leaves neither."""
    from equipoise.experiments.jobs import Run

    runs = [Run.of(job, course) for job, course in zip(jobs_of([SMALL]), courses, strict=True)]
    row = stores._row

    def fails(run):
        if run is runs[-1]:
            raise KeyboardInterrupt
        return row(run)

    with Store(path, ABOUT) as store:
        monkeypatch.setattr(stores, "_row", fails)
        with pytest.raises(KeyboardInterrupt):
            store.keep(runs)
        monkeypatch.setattr(stores, "_row", row)
        assert len(store) == 0
        with pytest.raises(StudyError), store._writing() as execute:
            execute(stores.INSERT, [row(runs[0]), ("too", "few")])
        assert len(store) == 0
        store.keep(runs)
        store.keep(runs)
        assert len(store) == 3


def test_plans_are_kept_and_added_to(path):
    """Studies come back as they were declared, in order; planned again they aren't there twice."""
    first = Study("first", (SMALL, replace(SMALL, stop=StandsStill())))
    second = Study("second", (replace(SMALL, seed=2),))
    with Store(path, ABOUT) as store:
        store.plan([first])
        store.plan([first, second])
        assert store.studies == [first, second]


def test_stores_of_the_same_study_are_merged(path, tmp_path, courses):
    """Runs of both, those of both once; another study's are refused."""
    with Store(path, ABOUT) as store, Store(tmp_path / "b.sqlite", ABOUT) as other:
        store.put(Job(SMALL, 0), courses[0])
        other.plan([Study("s", (SMALL,))])
        fill(other, SMALL, courses)
        store.absorb(other)
        assert store.missing([SMALL]) == []
        assert len(store) == 3
        assert [study.name for study in store.studies] == ["s"]
    with (
        Store(path, ABOUT) as store,
        Store(tmp_path / "c.sqlite", {"of": "c"}) as other,
        pytest.raises(OtherStudyError),
    ):
        store.absorb(other)
