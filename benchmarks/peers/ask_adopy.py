"""Let ADOpy learn the people of a file: `ask_adopy.py TASK.npz FOUND.npz --points 1000`.

It runs in an environment of its own, and knows of Equipoise only what `compare.py` puts into TASK.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from exchange import Course, read, write
from numpy.typing import NDArray
from scipy.special import expit

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of names that NumPy has given up since
    from adopy import Engine, Model, Task

Array = NDArray[np.float64]

WEIGHTS = ("w1", "w2", "w3", "w4", "w5")
ANSWERS = 4
# Tables of log-likelihoods have single precision, as is ADOpy's default.
PRECISION = 1e-4


def engine_for(task: Mapping[str, Any], points: int) -> Any:
    """Return the engine whose grid is the first so many points; a design is a question's number."""
    catalogue, grid = task["catalogue"], task["grid"][:points]
    gaps = (catalogue[:, 0] - catalogue[:, 1]).astype(np.float32)
    tau_r, tau_kappa, beta = (float(task[name]) for name in ("tau_r", "tau_kappa", "beta"))

    # ADOpy goes by the names of the arguments, and gives each an axis: question, point, answer.
    def log_likelihood(  # noqa: PLR0917
        question: Array, w1: Array, w2: Array, w3: Array, w4: Array, w5: Array, answer: Array
    ) -> Array:
        weights = np.stack([np.ravel(w) for w in (w1, w2, w3, w4, w5)])
        asked = gaps[np.ravel(question).astype(int)]
        valence, decisiveness = np.abs(asked) @ weights, asked @ weights
        band = tau_kappa * valence
        first, second = expit(beta * (decisiveness - band)), expit(beta * (-band - decisiveness))
        torn = expit(beta * (band - decisiveness)) - second
        awake = valence >= tau_r
        chances = np.stack([awake * first, awake * second, ~awake, awake * torn])
        # With the answers outermost in memory ADOpy sums over the points six times as fast.
        by_answer = chances[np.ravel(answer).astype(int)].astype(np.float32)
        with np.errstate(divide="ignore"):
            return np.moveaxis(np.log(by_answer), 0, -1)

    survey = Task(designs=["question"], responses=["answer"])
    engine = Engine(
        task=survey,
        model=Model(task=survey, params=WEIGHTS, func=log_likelihood),
        grid_design={"question": np.arange(len(catalogue))},
        grid_param={WEIGHTS: grid},
        grid_response={"answer": np.arange(ANSWERS)},
    )
    check_same_model(engine.log_lik, task["chances"])
    return engine


def check_same_model(log_likelihoods: Array, there: Array) -> None:
    """Refuse to compare programs that disagree on the answers' chances at the first points."""
    here = np.exp(log_likelihoods[:, : there.shape[1]])
    off = float(np.abs(here - there).max())
    if off > PRECISION:
        raise ValueError(f"the chances of an answer differ from Equipoise's by up to {off:.2g}")


def follow_choices(engine: Any, answers: Any, moments: list[int]) -> Course:
    """Return what is learned by questions that ADOpy chooses, and the seconds that each takes.

    Parameters
    ----------
    engine
        Of anybody: it's made to forget.
    answers
        What the person answers to the t-th question if it's the c-th; shape (questions, c).
    moments
        After how many questions to look at the estimate.
    """
    forget(engine)
    estimates, seconds = [], np.empty(len(answers))
    for t, answer_to in enumerate(answers):
        start = time.perf_counter()
        design = engine.get_design()
        engine.update(design, {"answer": answer_to[int(design["question"])]})
        seconds[t] = time.perf_counter() - start
        if t + 1 in moments:
            estimates.append(engine.post_mean.to_numpy())
    return np.array(estimates), seconds


def follow_order(engine: Any, answers: Any, moments: list[int], order: Any) -> Course:
    """Return what is learned by questions in a given order, and no seconds.

    ADOpy scores all questions after each answer, also where it isn't to choose. To save that time
    it gets the answers between two moments at once.
    """
    forget(engine)
    estimates = []
    for start, end in pairwise([0, *moments]):
        designs = [{"question": int(place)} for place in order[start:end]]
        told = [{"answer": answers[t, order[t]]} for t in range(start, end)]
        engine.update(designs, told)
        estimates.append(engine.post_mean.to_numpy())
    return np.array(estimates), np.full(len(answers), np.nan)


def forget(engine: Any) -> None:
    """Forget all answers, and keep the table of likelihoods, which `reset` would make anew."""
    engine.log_post = engine.log_prior.copy()
    engine.update([], [])


def main() -> None:
    """Read the task, learn everybody by chosen and by random questions, and write what is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", type=Path)
    parser.add_argument("found", type=Path)
    parser.add_argument("--points", type=int, required=True)
    options = parser.parse_args()
    task = read(options.task)
    engine, moments = engine_for(task, options.points), task["moments"].tolist()
    write(
        options.found,
        ("ADOpy", "NumPy", "SciPy"),
        chosen=[follow_choices(engine, answers, moments) for answers in task["answers"]],
        random=[
            follow_order(engine, answers, moments, order)
            for answers, order in zip(task["answers"], task["orders"], strict=True)
        ],
    )


if __name__ == "__main__":
    main()
