"""Finished runs, kept in one SQLite file as they finish."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equipoise.experiments.claims import Outcome
from equipoise.experiments.jobs import Job, Run, checked_declaration, jobs_of
from equipoise.experiments.measures import MEASURES, gathered
from equipoise.experiments.problems import (
    DiskFullError,
    OtherStudyError,
    RunsMissingError,
    StudyError,
)
from equipoise.experiments.simulation import Course, Simulation
from equipoise.experiments.studies import Study
from equipoise.model.states import Response

SCHEMA_VERSION = 1
APPLICATION = 0x45515053  # "EQPS": tells our files from other SQLite files
READABLE = 100  # letters of what is quoted
SECONDS_TO_WAIT = 60.0  # for somebody else who writes
SCHEMA = (
    "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE experiments (
        study TEXT NOT NULL, place INTEGER NOT NULL, declaration TEXT NOT NULL,
        PRIMARY KEY (study, place))""",
    # Arrays as little-endian doubles; an answer is the first letter of its name.
    """CREATE TABLE runs (
        key TEXT PRIMARY KEY, seconds REAL NOT NULL, responses TEXT NOT NULL,
        weights BLOB NOT NULL, profile BLOB NOT NULL, estimates BLOB NOT NULL,
        distinct_states BLOB NOT NULL, marks BLOB NOT NULL)""",
)
COLUMNS = "key, seconds, responses, weights, profile, estimates, distinct_states, marks"
INSERT = f"INSERT OR IGNORE INTO runs ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
LETTERS = {response.value[0]: response for response in Response}
MARKS = len(MEASURES)


class Store:
    """The runs of a study.

    One process writes. What it was told to keep is there after whatever happens to it, and what it
    was about to keep is not there in part.

    Parameters
    ----------
    path
        The file; it's made if there is none.
    study
        What the study is, as plain data. A file that has another one is refused. If not given, the
        file must be there.

    Examples
    --------
    >>> import tempfile
    >>> from equipoise.experiments.simulation import learn_person
    >>> simulation = Simulation("correct", 0.4, 0.4, people=2, queries=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Store(Path(folder) / "runs.sqlite", {"of": "two people"}) as store:
    ...         for job in store.missing([simulation]):
    ...             store.put(job, learn_person(simulation, job.k))
    ...         store.outcome(simulation).measures.l1.shape
    (2, 3)
    """

    def __init__(self, path: Path, study: dict[str, Any] | None = None) -> None:
        self.path = Path(path)
        if study is None and not self.path.is_file():
            raise RunsMissingError(f"there are no runs: {self.path} isn't there")
        with self._plainly():
            self._connection = sqlite3.connect(
                self.path, timeout=SECONDS_TO_WAIT, isolation_level=None
            )
        try:
            with self._plainly():
                self._open(study)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    # What it is about.

    @property
    def about(self) -> dict[str, Any]:
        """What the study is."""
        return dict(json.loads(self._value("study")))

    @property
    def studies(self) -> list[Study]:
        """The experiments that were planned, by study."""
        with self._plainly():
            rows = self._rows("SELECT study, declaration FROM experiments ORDER BY rowid")
        planned: dict[str, list[Simulation]] = {}
        for name, declaration in rows:
            simulation = Simulation.from_declaration(json.loads(declaration))
            planned.setdefault(name, []).append(simulation)
        return [Study(name, tuple(simulations)) for name, simulations in planned.items()]

    def plan(self, studies: Iterable[Study]) -> None:
        """Write down what is to be run, besides what was already."""
        rows = [
            (study.name, i, json.dumps(checked_declaration(simulation)))
            for study in studies
            for i, simulation in enumerate(study.simulations)
        ]
        with self._writing() as execute:
            execute("INSERT OR REPLACE INTO experiments VALUES (?, ?, ?)", rows)

    # What is there and what isn't.

    def missing(self, simulations: Iterable[Simulation]) -> list[Job]:
        """Return the jobs of some experiments that aren't done yet, in order."""
        return self.without(jobs_of(simulations))

    def without(self, jobs: Iterable[Job]) -> list[Job]:
        """Return those of some jobs that aren't done yet, in order."""
        done = self._keys()
        return [job for job in jobs if job.key not in done]

    def seconds(self, jobs: Iterable[Job]) -> dict[Job, float]:
        """Return how long each of some jobs took, of those that are done."""
        with self._plainly():
            took = dict(self._rows("SELECT key, seconds FROM runs WHERE seconds > 0"))
        return {job: took[job.key] for job in jobs if job.key in took}

    def outcome(self, simulation: Simulation) -> Outcome:
        """Return what came of an experiment; everybody must have been learned."""
        runs = [self._run(job) for job in jobs_of([simulation])]
        found = [run for run in runs if run is not None]
        if len(found) < len(runs):
            raise RunsMissingError(
                f"{len(runs) - len(found)} of {len(runs)} people are missing of the experiment "
                f"{json.dumps(simulation.declaration())}: run the study again with the same "
                "folder, it continues"
            )
        courses = [run.course for run in found]
        return Outcome(courses, gathered(simulation, courses, [run.marks for run in found]))

    def __len__(self) -> int:
        return len(self._keys())

    # Keeping.

    def put(self, job: Job, course: Course) -> None:
        """Keep what came of a job."""
        self.keep([Run.of(job, course)])

    def keep(self, runs: Sequence[Run]) -> None:
        """Keep some runs, all of them or none; what is there already stays as it is."""
        rows = [_row(run) for run in runs]
        with self._writing() as execute:
            execute(INSERT, rows)

    def absorb(self, other: Store) -> None:
        """Take over what was planned and done in another store of the same study."""
        self._refuse_other(other.about, other._value("equipoise"))
        self.plan(other.studies)
        with (
            other._plainly(),
            closing(other._connection.execute(f"SELECT {COLUMNS} FROM runs")) as found,
        ):
            while rows := found.fetchmany(1000):
                with self._writing() as execute:
                    execute(INSERT, rows)

    # The file.

    def _open(self, study: dict[str, Any] | None) -> None:
        execute = self._connection.execute
        (application,), (schema,) = (
            execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
        )
        execute("PRAGMA synchronous = FULL")
        if application == 0 and study is not None and not self._rows("SELECT * FROM sqlite_master"):
            execute("PRAGMA journal_mode = WAL")
            self._make(study)
        elif application != APPLICATION:
            raise OtherStudyError(f"{self.path} isn't a file of runs: choose another folder")
        elif schema != SCHEMA_VERSION:
            raise OtherStudyError(
                f"{self.path} has format {schema}, this version of equipoise reads format "
                f"{SCHEMA_VERSION}: choose another folder"
            )
        elif study is not None:
            self._refuse_other(study, version("equipoise"))

    def _refuse_other(self, study: dict[str, Any], made_by: str) -> None:
        """Refuse runs of another study, and say where they first differ, or of another version."""
        there, wanted = self.about, json.loads(json.dumps(study))
        for name in dict.fromkeys([*there, *wanted]):
            if there.get(name) != wanted.get(name):
                raise OtherStudyError(
                    f"{self.path} has the runs of another study: {name} is "
                    f"{_shortly(there.get(name))} there and {_shortly(wanted.get(name))} here. "
                    "Choose another folder"
                )
        if self._value("equipoise") != made_by:
            raise OtherStudyError(
                f"{self.path} was made by equipoise {self._value('equipoise')} and the other runs "
                f"by {made_by}, which must not be mixed: choose another folder"
            )

    def _make(self, study: dict[str, Any]) -> None:
        about = [("study", json.dumps(study)), ("equipoise", version("equipoise"))]
        with self._writing() as execute:
            if self._rows("SELECT * FROM sqlite_master"):  # somebody else was faster
                return
            for statement in SCHEMA:
                execute(statement)
            execute("INSERT INTO about VALUES (?, ?)", about)
            execute(f"PRAGMA application_id = {APPLICATION}")
            execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _value(self, name: str) -> str:
        with self._plainly():
            rows = self._rows("SELECT value FROM about WHERE name = ?", name)
        if not rows:
            raise StudyError(f"{self.path} is damaged, it doesn't say its {name}: move it away")
        return str(rows[0][0])

    def _keys(self) -> set[str]:
        with self._plainly():
            return {key for (key,) in self._rows("SELECT key FROM runs")}

    def _run(self, job: Job) -> Run | None:
        with self._plainly():
            rows = self._rows(f"SELECT {COLUMNS} FROM runs WHERE key = ?", job.key)
        try:
            return _run(job, rows[0]) if rows else None
        except (ValueError, KeyError, TypeError) as error:
            raise StudyError(
                f"{self.path} is damaged: what it has of person {job.k} can't be read ({error}). "
                "Move it away and run the study again"
            ) from error

    def _rows(self, statement: str, *values: Any) -> list[Any]:
        return self._connection.execute(statement, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        """Provide what executes statements, all of which count or none."""

        def execute(statement: str, rows: Sequence[Any] | None = None) -> None:
            if rows is None:
                self._connection.execute(statement)
            else:
                self._connection.executemany(statement, rows)

        with self._plainly():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield execute
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # a full disk has ended it by itself
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        """Say in a sentence what is the matter with the file."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            text = str(error)
            if "full" in text:
                raise DiskFullError(
                    f"the disk is full, {self.path} can't grow: what was done so far is kept. Free "
                    "some space, and the same command continues"
                ) from error
            if "malformed" in text or "not a database" in text:
                raise StudyError(
                    f"{self.path} is damaged ({text}): move it away and run the study again"
                ) from error
            raise StudyError(f"{self.path} can't be used: {text}") from error


def _shortly(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= READABLE else f"{text[:READABLE]}…"


def _row(run: Run) -> tuple[str | float | bytes, ...]:
    course = run.course
    arrays = (
        course.person.weights,
        np.asarray(course.person.profile),
        course.estimates,
        course.distinct,
        run.marks,
    )
    responses = "".join(response.value[0] for response in course.responses)
    return run.job.key, run.seconds, responses, *(_bytes(array) for array in arrays)


def _run(job: Job, row: Sequence[Any]) -> Run:
    _, seconds, responses, *blobs = row
    m, asked = job.simulation.dimensions, len(responses)
    shapes = ((m,), (m,), (asked, m), (asked,), (MARKS, asked))
    weights, profile, estimates, distinct, marks = (
        _array(blob, shape) for blob, shape in zip(blobs, shapes, strict=True)
    )
    person = job.simulation.person_with(weights, profile)
    answers = tuple(LETTERS[letter] for letter in responses)
    return Run(job, Course(person, estimates, answers, distinct), marks, seconds)


def _bytes(array: NDArray[np.float64]) -> bytes:
    return np.ascontiguousarray(array, "<f8").tobytes()


def _array(blob: bytes, shape: tuple[int, ...]) -> NDArray[np.float64]:
    return np.frombuffer(blob, "<f8").reshape(shape).astype(np.float64)
