"""Doing jobs, in this process, on all cores or on a cluster, and keeping what comes of each.

What comes doesn't depend on where: every job is done from its declaration alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing

from equipoise.experiments.costs import planned_seconds
from equipoise.experiments.jobs import Batch, Failure, Job, Run, batches, jobs_of, learn_batch
from equipoise.experiments.problems import StudyError
from equipoise.experiments.running import Progress, processes, without_interrupts
from equipoise.experiments.simulation import Simulation
from equipoise.experiments.store import Store

Done = Generator[list[Run | Failure], None, None]
# How batches are done, each given back as soon as it is.
Way = Callable[[Sequence[Batch]], Done]

# Of work: so that handing it over costs little, and little is lost when somebody interrupts.
SECONDS_A_BATCH = 1.0
LEAST_BATCHES = 20  # so that everybody has something to do to the end of a little work


def run_missing(
    store: Store,
    jobs: Sequence[Job],
    way: Way,
    progress: Progress = lambda done: None,
) -> None:
    """Do jobs and keep what comes of each as soon as it's done.

    Parameters
    ----------
    store
        Where to.
    jobs
        What is to be done, such as `store.missing(...)`.
    way
        How: `in_this_process`, `on_cores` or `on_cluster`.
    progress
        Called with the number of jobs done, whenever it grows.
    """
    if not jobs:
        return
    known = jobs_of(dict.fromkeys(job.simulation for job in jobs))
    seconds = planned_seconds(jobs, store.seconds(known))
    longest = min(SECONDS_A_BATCH, sum(seconds) / LEAST_BATCHES)
    done, failures = 0, []
    with closing(way(batches(jobs, seconds, longest))) as found:
        for results in found:
            store.keep([result for result in results if isinstance(result, Run)])
            failures += [result for result in results if isinstance(result, Failure)]
            done += len(results)
            progress(done)
    if failures:
        raise StudyError(_told(failures))


def in_this_process(work: Sequence[Batch]) -> Done:
    """Do batches one after the other."""
    for batch in work:
        yield learn_batch(batch)


def on_cores(count: int) -> Way:
    """Return the way of so many processes on this machine."""
    if count == 1:
        return in_this_process

    def done(work: Sequence[Batch]) -> Done:
        with processes(min(count, len(work))) as executor:
            with without_interrupts():  # which processes that are started here inherit
                futures = {executor.submit(learn_batch, batch) for batch in work}
            found = as_completed(futures)
            del futures  # results are let go as they are kept
            try:
                for future in found:
                    yield future.result()
            except BrokenProcessPool as error:
                raise StudyError(
                    "a process that did some of the work was ended from outside, maybe for want "
                    "of memory: the same command continues, with --workers 1 in less memory"
                ) from error

    return done


def shard(simulations: Sequence[Simulation], i: int, n: int) -> list[Job]:
    """Return the i-th of n parts of all jobs, counted from one; no two parts share any.

    Examples
    --------
    >>> simulation = Simulation("correct", 0.4, 0.4, people=5)
    >>> [job.k for job in shard([simulation], 2, 3)]
    [1, 4]
    """
    return jobs_of(simulations)[i - 1 :: n]


def _told(failures: Sequence[Failure]) -> str:
    first = failures[0]
    return (
        f"{len(failures)} {'run' if len(failures) == 1 else 'runs'} failed, the others are kept. "
        f"The first was person {first.job.k} of {first.job.simulation}: {first.error}"
    )
