"""Let Equipoise learn the people of a file: `ask_equipoise.py TASK.npz FOUND.npz`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from exchange import Course, read, write

import equipoise as eq


def follow(task: Mapping[str, Any], k: int, how: str) -> Course:
    """Return what is learned of the k-th person, and the seconds that each question takes.

    Questions are "chosen" from the catalogue, "random" ones of it, or chosen from as many "fresh"
    ones each time.
    """
    catalogue, order, moments = task["catalogue"], task["orders"][k], task["moments"].tolist()
    tau_r, tau_kappa, beta = (float(task[name]) for name in ("tau_r", "tau_kappa", "beta"))
    responses = eq.FourAnswers(tau_r=tau_r, tau_kappa=tau_kappa, beta=beta)
    learner = eq.Learner(
        catalogue.shape[-1],
        responses,
        seed=int(task["seed"]),
        session=f"person {k}",
        sampler="smc",
        pool=len(catalogue),
    )
    estimates, seconds = [], np.empty(len(order))
    for t, place in enumerate(order):
        candidates = {"chosen": catalogue, "random": catalogue[[place]], "fresh": None}[how]
        start = time.perf_counter()
        question = learner.ask(candidates)
        asked = time.perf_counter()
        if how == "fresh":
            chances = responses.predict(question.evidence, task["weights"][k])[0]
            answer = int((task["uniforms"][k, t] >= chances.cumsum()[:-1]).sum())
        else:
            answer = task["answers"][k, t, place if how == "random" else question.candidate]
        answered = time.perf_counter()
        learner.tell(question, responses.answers[answer])
        seconds[t] = time.perf_counter() - answered + asked - start
        if t + 1 in moments:
            estimates.append(learner.posterior.mean())
    return np.array(estimates), seconds


def main() -> None:
    """Read the task, learn everybody by all kinds of questions, and write what is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", type=Path)
    parser.add_argument("found", type=Path)
    options = parser.parse_args()
    task, kinds = read(options.task), ("chosen", "random", "fresh")
    for how in kinds:
        follow(task, 0, how)  # what isn't compiled yet is compiled before the clock counts
    people = range(len(task["answers"]))
    courses = {how: [follow(task, k, how) for k in people] for how in kinds}
    write(options.found, ("Equipoise", "NumPy", "Numba"), **courses)


if __name__ == "__main__":
    main()
