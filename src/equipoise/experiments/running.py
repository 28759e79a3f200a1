"""Running an experiment, in this process or on all cores; the result doesn't depend on where."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager

from equipoise.experiments.simulation import Course, Simulation, learn_person

Progress = Callable[[int], None]

# What starting processes costs, each importing the library anew. Saving less isn't worth it.
SECONDS_TO_START = 2.0
# What the libraries behind NumPy read, when they are loaded, for how many threads to use.
THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


def run(
    simulation: Simulation,
    progress: Progress = lambda done: None,
    executor: Executor | None = None,
) -> list[Course]:
    """Return how learning everybody goes.

    Parameters
    ----------
    simulation
        The experiment.
    progress
        Called with the number of people done, whenever it grows.
    executor
        Does the work, one person a job; this process if None. It may be any that is there
        already: a pool of processes, or one on a cluster. Threads don't help, because most of the
        time between two questions is spent in Python.

    Examples
    --------
    >>> courses = run(Simulation("correct", 0.4, 0.4, people=2, queries=3))
    >>> [len(course.responses) for course in courses]
    [3, 3]
    """
    everybody = range(simulation.people)
    if executor is None:
        courses = []
        for k in everybody:
            courses.append(learn_person(simulation, k))
            progress(k + 1)
        return courses
    jobs = _jobs(simulation, everybody, executor)
    try:
        return _results(jobs, progress)
    except BaseException:
        for job in jobs:
            job.cancel()
        raise


def run_on_cores(
    simulation: Simulation, progress: Progress = lambda done: None, workers: int | None = None
) -> list[Course]:
    """Return how learning everybody goes, found by one process a core if that is faster.

    The first people are learned in this process. That compiles what has to be compiled only once,
    and tells how long the others would take. A script that calls this has to keep what it runs
    under `if __name__ == "__main__":`, since each process imports the script anew.

    Parameters
    ----------
    simulation, progress
        As for `run`.
    workers
        How many processes, started after the first person however little there is to do. If None,
        one a core, and none if that wouldn't pay.

    Examples
    --------
    >>> courses = run_on_cores(Simulation("correct", 0.4, 0.4, people=2, queries=3))
    >>> [len(course.responses) for course in courses]
    [3, 3]
    """
    if workers is not None and workers < 1:
        raise ValueError(f"workers is {workers}, expected at least 1")
    count = workers or os.cpu_count() or 1
    courses: list[Course] = []
    while len(courses) < simulation.people:
        began = time.perf_counter()
        courses.append(learn_person(simulation, len(courses)))
        progress(len(courses))
        seconds = (time.perf_counter() - began) * (simulation.people - len(courses))
        # The first takes longer, for what is compiled or loaded on the way: the second tells.
        pays = len(courses) > 1 and seconds * (1 - 1 / count) > SECONDS_TO_START
        if count > 1 and (pays or workers is not None):
            break
    others = range(len(courses), simulation.people)
    if others:
        with processes(min(count, len(others))) as executor:
            here, jobs = len(courses), _jobs(simulation, others, executor)
            courses += _results(jobs, lambda done: progress(here + done))
    return courses


def _jobs(simulation: Simulation, who: Iterable[int], executor: Executor) -> list[Future[Course]]:
    with without_interrupts():  # which processes that are started here inherit
        return [executor.submit(learn_person, simulation, k) for k in who]


def _results(jobs: list[Future[Course]], progress: Progress) -> list[Course]:
    for done, job in enumerate(as_completed(jobs), start=1):
        job.result()  # raises at once what went wrong
        progress(done)
    return [job.result() for job in jobs]


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """Provide an executor of so many processes; whatever goes wrong meanwhile ends them at once."""
    before = set(multiprocessing.active_children())
    # Not forked: what numba and others keep in this process doesn't survive a fork.
    spawn = multiprocessing.get_context("spawn")
    with (
        _one_thread_each(),
        ProcessPoolExecutor(count, spawn, initializer=_end_with_parent) as executor,
    ):
        try:
            yield executor
        except BaseException:
            # Jobs aren't cancelled: an executor that breaks doesn't expect any that are.
            for child in set(multiprocessing.active_children()) - before:
                child.terminate()
            raise


def _end_with_parent() -> None:
    """End this process when the one that started it has ended, however it did."""

    def wait() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Let processes started meanwhile do linear algebra in one thread each.

    As many threads as cores in each of as many processes wait for each other more than they work.
    """
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Ignore interrupts for a moment, where that can be said: in the main thread.

    An interrupt from the keyboard goes to every process of a terminal. It's for the one that
    started the others to end them, without a word from each.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
