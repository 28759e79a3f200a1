"""Events as they stand in memory and in files, whole and cut."""

import json
import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sessions import (
    FAIR,
    TASK,
    YEARS_GAINED,
    assert_same,
    features,
    go_on,
    kidneys,
)

import equipoise as eq
from equipoise.learner.log import comparison_reader, side_as_data


def kinds(learner):
    """The kinds of events, in order."""
    return [event["event"] for event in learner.log()]


def test_events_of_a_session():
    """Each thing that happens is one event with its format and a number that counts up."""
    learner = kidneys()
    learner.tell(learner.ask(), "first")
    learner.ask()
    learner.skip()
    learner.undo(1)
    learner.add_priority(eq.CustomPriority("alike", lambda rule: 1.0, bound=1))
    log = learner.log()
    assert kinds(learner) == [
        *("started", "asked", "answered", "asked", "skipped", "undone", "priority_added")
    ]
    assert [event["n"] for event in log] == list(range(7))
    assert {event["v"] for event in log} == {1}
    assert log[0]["session"] == ""
    assert log[0]["seed"] == 7
    assert log[2] == {"v": 1, "n": 2, "event": "answered", "question": 1, "response": "first"}
    assert log[4] == {"v": 1, "n": 4, "event": "skipped", "question": 2}
    assert log[5] == {"v": 1, "n": 5, "event": "undone", "question": 1}
    assert log[6] == {"v": 1, "n": 6, "event": "priority_added", "priority": {"name": "alike"}}


def test_sides_are_logged_and_evidence_never():
    """An asked question has its sides, which is on the left and the bits: features, or outputs."""
    learner = features()
    question = learner.ask()
    event = learner.log()[1]
    assert set(event) == {"v", "n", "event", "question", "first", "second", "left", "bits"}
    assert (event["first"], event["second"]) == (question.first.tolist(), question.second.tolist())
    assert (event["left"], event["bits"]) == ("first", question.bits)
    learner = kidneys()
    question = learner.ask([eq.Comparison.local("kidney 2", "cleo", "ben")])
    event = learner.log()[1]
    assert event["first"] == [["kidney 2", "cleo"]]
    assert event["second"] == [["kidney 2", "ben"]]
    assert event["candidate"] == 0


def test_a_log_in_hand_is_a_copy():
    """What is done to the events that `log` returned does nothing to the learner."""
    learner = features()
    go_on(learner, 1)
    log = learner.log()
    log[1]["first"][0] = 5.0
    log.clear()
    assert learner.log()[1]["first"][0] < 1
    assert len(learner.log()) == 3


@pytest.mark.parametrize(
    "learner",
    [
        lambda: features(responses=eq.PeopleAnswers(), swap=True, repeats=0.3, session="Zoë"),
        lambda: kidneys(responses=eq.FourAnswers(noise=eq.GaussianMixture.unknown(2))),
        lambda: kidneys(aggregator=eq.Percentile(30), scale=1.0, acquisition=eq.Bald(10)),
        lambda: features(prior=eq.Dirichlet([2, 1, 1]), acquisition="volume-removal"),
    ],
)
def test_a_log_goes_through_a_file_unchanged(learner, tmp_path):
    """Numbers come back to the last bit, and names in any script."""
    learner = learner()
    go_on(learner, 4)
    path = tmp_path / "p17.jsonl"
    eq.write_log(learner.log(), path)
    assert eq.read_log(path) == learner.log()
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(learner.log())
    eq.write_log(learner.log()[:2], str(path))
    assert eq.read_log(str(path)) == learner.log()[:2]
    assert list(tmp_path.iterdir()) == [path]


def test_a_log_that_can_not_be_written_leaves_the_file_as_it_was(tmp_path):
    """A file is replaced only when all is there."""
    path = tmp_path / "p17.jsonl"
    eq.write_log([{"event": "started"}], path)
    with pytest.raises(TypeError):
        eq.write_log([{"event": "started"}, {"event": object()}], path)
    assert eq.read_log(path) == [{"event": "started"}]


@pytest.mark.parametrize("lost", [1, 2, 20, 60])
def test_a_log_cut_in_the_middle_of_a_line(tmp_path, lost):
    """It's read up to the last whole event, with a warning that says so, and the session goes on.

    Only a lost line end loses nothing.
    """
    learner, path = features(), tmp_path / "p17.jsonl"
    go_on(learner, 2)
    eq.write_log(learner.log(), path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-lost])
    if lost == 1:
        assert eq.read_log(path) == learner.log()
        return
    with pytest.warns(UserWarning, match=r"line 5 was cut off in the middle.* event, line 4"):
        events = eq.read_log(path)
    assert events == learner.log()[:-1]
    again = eq.Learner.replay(events)
    answer = learner.answers[1][1]
    learner.undo()
    assert_same(again, learner)
    again.tell(2, answer)
    learner.tell(2, answer)
    assert_same(again, learner)


@given(st.data())
def test_a_log_cut_anywhere(tmp_path_factory, data):
    """Wherever a file ends, the events before that are read, and no others."""
    events = [{"v": 1, "n": n, "event": "note", "text": "é{}\n"} for n in range(3)]
    path = tmp_path_factory.mktemp("cut") / "log.jsonl"
    lines = [json.dumps(event, ensure_ascii=False).encode() + b"\n" for event in events]
    text = b"".join(lines)
    length = data.draw(st.integers(0, len(text)))
    path.write_bytes(text[:length])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = eq.read_log(path)
    assert found == events[: len(found)]
    whole = [sum(map(len, lines[:n])) for n in range(4)]
    assert len(found) == sum(length >= end - 1 for end in whole[1:])
    assert len(caught) == (length not in whole and length + 1 not in whole)


def test_a_log_broken_before_its_end_is_refused(tmp_path):
    """A line in the middle that is no JSON, or no object, is named."""
    path = tmp_path / "p17.jsonl"
    path.write_text('{"v": 1}\n{"v": 1,\n{"v": 1}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"p17.jsonl, line 2 is not JSON"):
        eq.read_log(path)
    path.write_text('{"v": 1}\n[1]\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"line 2 is \[1\], expected a JSON object"):
        eq.read_log(path)


def test_an_empty_file_has_no_events(tmp_path):
    """Nothing was written, nothing is read; blank lines at the end don't matter."""
    path = tmp_path / "p17.jsonl"
    path.write_bytes(b"")
    assert eq.read_log(path) == []
    path.write_bytes(b'{"v": 1}\n\n  \n')
    assert eq.read_log(path) == [{"v": 1}]


@pytest.mark.parametrize(
    ("inputs", "outputs"),
    [
        (["x", "y"], ["a", "b"]),
        ([1, 2], [0.5, 1.5]),
        ([("north", 1), ("south", 2)], [None, "a"]),
        ([1, "1"], [1, "1"]),
        ([np.int64(3), np.int64(4)], [np.float64(0.1), np.str_("a")]),
        ([eq.Response.FIRST, eq.Response.SECOND], [frozenset("ab"), frozenset("bc")]),
        ([("a", ("b", 1))], [("a", "b"), frozenset([("a", "b"), ("c", "d")])]),
    ],
)
def test_outputs_of_many_kinds_come_back(inputs, outputs):
    """Inputs and outputs that are texts, numbers, pairs or sets survive JSON as they were."""
    task = eq.Task(dict.fromkeys(inputs, outputs))
    read = comparison_reader(task)
    for comparison in eq.local_comparisons(task):
        text = json.dumps([side_as_data(comparison.first), side_as_data(comparison.second)])
        assert read(*json.loads(text)) == comparison


def test_a_set_is_written_in_the_same_order_in_every_process():
    """Equal sets that list their members in another order are the same output in a log."""
    one, other = frozenset([0, 8]), frozenset([8, 0])
    assert list(one) != list(other)
    assert side_as_data({"x": one}) == side_as_data({"x": other})


def test_an_output_that_the_task_has_not():
    """A log about another task is refused, by the output that's missing."""
    learner = kidneys()
    go_on(learner, 1)
    other = eq.Task({"kidney 9": ("ann", "ben")})
    with pytest.raises(
        ValueError,
        match=r"event 1 \(asked\) can't be read: the log has output '.*' at input 'kidney \d', "
        "which the task has not",
    ):
        eq.Learner.replay(learner.log(), [YEARS_GAINED, FAIR], task=other)
    assert learner.log()[1]["first"][0][0] in TASK.inputs
