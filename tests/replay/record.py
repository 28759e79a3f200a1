"""Writes a log of either kind of session in the present format, to be kept and replayed for good.

    .venv/bin/python tests/replay/record.py

Run it when the format has a new number: the logs of older formats stay as they are. Run it also
when a sampler or an acquisition was changed on purpose so that the same seed asks other questions;
that changes which question comes next after a log, and so the test of it.

The last event of each log asks the question that is to be asked again after all the others.
"""

from pathlib import Path

import numpy as np

import equipoise as eq
from equipoise.learner.log import VERSION

FOLDER = Path(__file__).parent

YEARS = {
    "kidney 1": {"ann": 0.9, "ben": 0.2, "cleo": 0.5},
    "kidney 2": {"ann": 0.1, "ben": 0.7, "cleo": 0.3},
    "kidney 3": {"ann": 0.6, "ben": 0.5, "cleo": 0.8},
    "kidney 4": {"ann": 0.4, "ben": 0.9, "cleo": 0.0},
}
REGION = {"ann": "north", "ben": "south", "cleo": "south"}
TASK = eq.Task(dict.fromkeys(YEARS, ("ann", "ben", "cleo")))
PRIORITIES = {
    "years": eq.LinearFeature("years", lambda kidney, patient: YEARS[kidney][patient]),
    "fair": eq.Proportionality(
        lambda kidney, patient: REGION[patient], {"north": 0.5, "south": 0.5}, name="fair"
    ),
    "alike": eq.CustomPriority("alike", lambda rule: float(len(set(rule.values())) == 1)),
}
# What `Learner.replay` needs besides the log.
ABOUT = {"features": {}, "priorities": {"task": TASK, "priorities": list(PRIORITIES.values())}}


def answer(learner: eq.Learner, weights: list[float]) -> None:
    """Ask and answer one question, as somebody with these weights does."""
    model = eq.FourAnswers(tau_r=0.1, tau_kappa=0.3, gate=eq.LogisticGate(20))
    question = learner.ask()
    rng = np.random.default_rng(question.id)
    learner.tell(question, eq.Respondent(weights, model).answer(question, rng))


def features() -> eq.Learner:
    """Return a session about features, everything to be learned, with all that can happen in it."""
    learner = eq.Learner(
        4, eq.PeopleAnswers(), seed=17, session="p17", pool=50, repeats=0.2, swap=True
    )
    weights = [0.4, 0.3, 0.2, 0.1]
    for _ in range(5):
        answer(learner, weights)
    learner.ask()
    learner.skip()
    answer(learner, weights)
    learner.ask()
    learner.undo(3)
    for _ in range(6):
        answer(learner, weights)
    return learner


def priorities() -> eq.Learner:
    """Return a session about priorities of a task, one added midway, by the paper's sampler."""
    learner = eq.Learner(
        [PRIORITIES["years"], PRIORITIES["fair"]],
        eq.FourAnswers(tau_r=eq.Uniform(0, 1), tau_kappa=0.3, lapse=0.05),
        task=TASK,
        seed=17,
        session="p18",
        sampler="paper",
        aggregator="maximum",
    )
    weights = [0.5, 0.3]
    for _ in range(3):
        answer(learner, [0.6, 0.4])
    learner.add_priority(PRIORITIES["alike"])
    for _ in range(2):
        answer(learner, [*weights, 0.2])
    learner.undo()
    learner.skip()
    answer(learner, [*weights, 0.2])
    return learner


def record(folder: Path) -> None:
    """Write both logs to a folder."""
    for name, session in {"features": features, "priorities": priorities}.items():
        learner = session()
        learner.ask()
        eq.write_log(learner.log(), folder / f"v{VERSION}-{name}.jsonl")


if __name__ == "__main__":
    record(FOLDER)
