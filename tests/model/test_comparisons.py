"""Comparisons: their three sizes, and what they refuse."""

import copy
import pickle
import re

import pytest

import equipoise as eq

TASK = eq.Task({"x": "ab", "y": "ab", "z": "ab"}, {"x": 0.5, "y": 0.5, "z": 0.0})


def test_one_class_for_local_bundle_and_rules():
    """A question about one, some or all inputs is the same kind of thing."""
    local = eq.Comparison.local("x", "a", "b")
    assert (local.inputs, dict(local.first), dict(local.second)) == (
        ("x",),
        {"x": "a"},
        {"x": "b"},
    )
    bundle = eq.Comparison({"x": "a", "y": "b"}, {"y": "b", "x": "b"})
    assert bundle.differing == ("x",)
    rules = list(eq.all_rules(TASK))
    assert eq.Comparison.of_rules(rules[0], rules[-1]).inputs == TASK.inputs


def test_comparisons_are_values():
    """Equal sides make equal questions; swapping twice gives the question back."""
    question = eq.Comparison({"x": "a", "y": "b"}, {"x": "b", "y": "a"})
    assert question == eq.Comparison({"y": "b", "x": "a"}, {"y": "a", "x": "b"})
    assert len({question, question.swapped().swapped()}) == 1
    assert question.swapped() != question


def test_later_changes_of_the_arguments_change_nothing():
    """A comparison holds its own copy of both sides."""
    first = {"x": "a"}
    question = eq.Comparison(first, {"x": "b"})
    first["x"] = "b"
    assert question.first["x"] == "a"


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ({"x": "a"}, {"y": "a"}, "both sides of a comparison must cover the same inputs"),
        ({}, {}, "a comparison needs at least one input, both sides are empty"),
        (None, {}, "first is None, expected a mapping from inputs to outputs"),
        ({"x": ["a"]}, {"x": "b"}, "first['x'] is ['a'], expected a hashable output"),
    ],
)
def test_bad_comparisons_are_refused_in_a_sentence(first, second, message):
    """Sides must cover the same inputs, at least one."""
    with pytest.raises(ValueError, match=re.escape(message)):
        eq.Comparison(first, second)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (eq.Comparison({"x": "c"}, {"x": "a"}), "output 'c' is not allowed at input 'x'"),
        (eq.Comparison({"q": "a"}, {"q": "b"}), "'q' is not an input of the task"),
    ],
)
def test_evidence_refuses_questions_of_another_task(question, message):
    """An unknown input or output is named, with what would be allowed."""
    with pytest.raises(ValueError, match=re.escape(message)):
        eq.evidence([eq.Size(lambda x, y: 1)], [question], TASK)


@pytest.mark.parametrize(
    "question",
    [eq.Comparison({"x": "a"}, {"x": "a"}), eq.Comparison.local("z", "a", "b")],
)
def test_evidence_per_input_refuses_sides_that_differ_nowhere_that_occurs(question):
    """Identical sides, or a difference at an input of weight zero, leave nothing to divide by."""
    size = eq.Size(lambda x, y: y == "a")
    assert eq.evidence([size], [question], TASK).favour.item() == 0
    with pytest.raises(ValueError, match="needs a question whose sides differ"):
        eq.evidence([size], [question], TASK, scale="per-input")


def test_comparisons_travel_between_processes():
    """A question can be pickled and copied, and is the same afterwards."""
    question = eq.Comparison({"x": "a", "y": "b"}, {"x": "b", "y": "b"})
    assert pickle.loads(pickle.dumps(question)) == question == copy.deepcopy(question)
