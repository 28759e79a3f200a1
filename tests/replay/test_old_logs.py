"""Logs that were written once are read for good (`record.py` says when to write them anew)."""

import numpy as np
import pytest
from replay.record import ABOUT, FOLDER, record

import equipoise as eq
from equipoise.learner.log import VERSION

LOGS = sorted(FOLDER.glob("v*.jsonl"))


def assert_sides(question, event):
    """A question has the sides that an event tells of."""
    for side, said in ((question.first, event["first"]), (question.second, event["second"])):
        if question.comparison is None:
            np.testing.assert_allclose(side, said, rtol=0, atol=1e-9)
        else:
            assert dict(side) == {x: y for x, y in said}


def test_every_format_has_its_logs():
    """For each format up to the present one there is a log of features, and one of priorities."""
    names = {f"v{version}-{name}" for version in range(1, VERSION + 1) for name in ABOUT}
    assert {path.stem for path in LOGS} == names


def assert_goes_on(path):
    """A log's questions and answers come out as they stand in it, and its last question again."""
    *events, following = eq.read_log(path)
    learner = eq.Learner.replay(events, **ABOUT[path.stem.split("-")[1]])
    asked = {event["question"]: event for event in events if event["event"] == "asked"}
    said = {event["question"]: event for event in events if event["event"] == "answered"}
    assert len(learner.answers) >= 5
    for question, answer in learner.answers:
        assert_sides(question, asked[question.id])
        assert answer == said[question.id]["response"]
    question = learner.ask()
    assert question.id == following["question"]
    assert_sides(question, following)
    assert question.bits == pytest.approx(following["bits"], abs=1e-9)
    assert question.left == following["left"]
    assert question.repeats == following.get("repeats")


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_an_old_log_goes_on(path):
    """Its questions and answers come out as they stand in it, and the next question is the same."""
    assert_goes_on(path)


def test_logs_can_be_written_anew(tmp_path):
    """The way to write them is kept too, and what it writes goes on as well."""
    record(tmp_path)
    written = sorted(tmp_path.iterdir())
    assert [path.name for path in written] == [f"v{VERSION}-{name}.jsonl" for name in sorted(ABOUT)]
    for path in written:
        assert_goes_on(path)


def test_old_logs_have_all_that_can_happen():
    """The logs of each format have every kind of event, a repeat and a swapped side."""
    for version in range(1, VERSION + 1):
        events = [
            e for path in LOGS if path.stem.startswith(f"v{version}-") for e in eq.read_log(path)
        ]
        kinds = {event["event"] for event in events}
        assert kinds >= {"started", "asked", "answered", "undone", "skipped", "priority_added"}
        assert any("repeats" in event for event in events)
        assert any(event.get("left") == "second" for event in events)
