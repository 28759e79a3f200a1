"""Doing jobs on an existing cluster of dask.distributed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from equipoise.experiments.jobs import Batch, Failure, Run, learn_batch
from equipoise.experiments.problems import StudyError
from equipoise.experiments.runner import Done, Way

SECONDS_TO_CONNECT = 10
# How often a batch is tried anew whose workers were killed again and again.
RETRIES = 3


def on_cluster(address: str) -> Way:
    """Return the way of the cluster whose scheduler has this address.

    What a killed worker was doing is done again by another one.

    Parameters
    ----------
    address
        Such as `tcp://10.0.0.5:8786`. Its workers need the same version of Equipoise.
    """

    def done(work: Sequence[Batch]) -> Done:
        with _client(address) as client:
            futures = [client.submit(learn_batch, batch, pure=False) for batch in work]
            try:
                yield from _as_they_end(futures, client, address)
            finally:
                client.cancel(futures)

    return done


def _as_they_end(futures: list[Any], client: Any, address: str) -> Done:
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    tries: dict[Any, int] = {}
    ending = as_completed(futures, loop=client.loop)
    for future in ending:
        if future.status == "cancelled":
            raise StudyError(
                f"the cluster at {address} is gone: what was done so far is kept, and the same "
                "command continues"
            )
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker) and tries.get(future.key, 0) < RETRIES:
            tries[future.key] = tries.get(future.key, 0) + 1
            future.retry()
            ending.add(future)
            continue
        if error is not None:
            raise StudyError(f"the cluster at {address} could not do a batch: {error}") from error
        found: list[Run | Failure] = future.result()
        future.release()  # else the cluster keeps it to the end
        yield found


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise StudyError(
            "dask isn't installed, which --dask needs: pip install 'equipoise[dask]'"
        ) from error
    try:
        return Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise StudyError(f"there is no cluster at {address}: {error}") from error
