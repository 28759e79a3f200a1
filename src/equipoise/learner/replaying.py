"""Reading a session back from its events, without choosing or learning anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from equipoise.learner.candidates import unit_features
from equipoise.learner.log import Event, comparison_reader
from equipoise.learner.reader import Reader
from equipoise.learner.session import Session
from equipoise.model.evidence import Evidence
from equipoise.model.questions import Question
from equipoise.model.states import Response

# Makes a question from an event, its sides read.
Questioner = Callable[[Event], Question]


def session_of(events: Sequence[Event], question_of: Questioner) -> Session:
    """Return the session that events come to."""
    session = Session()
    for place, event in enumerate(events):
        kind = event["event"]
        try:
            if kind == "asked":
                session.ask(question_of(event))
            elif kind == "answered":
                session.close(event["question"], Response(event["response"]))
            elif kind == "skipped":
                session.close(event["question"], None)
            elif kind == "undone":
                session.undo(event["question"])
        except (ValueError, LookupError, TypeError) as error:
            raise ValueError(f"event {place} ({kind}) can't be read: {error}") from error
    return session


def questioner(priorities: int, reader: Reader | None, candidates: Evidence | None) -> Questioner:
    """Return a function that makes the question of an 'asked' event."""
    comparison_of = None if reader is None else comparison_reader(reader.task)

    def sides_of(event: Event) -> tuple[Any, Any, Evidence]:
        first, second = event["first"], event["second"]
        if first is None:
            if candidates is None:
                raise ValueError(
                    "its question is known by its evidence only: give `candidates` to `replay`"
                )
            return None, None, candidates.rows([event["candidate"]])
        if comparison_of is None or reader is None:
            features = unit_features([[first, second]], "sides", (1, 2, priorities))
            return features[0, 0], features[0, 1], Evidence.from_features(features)
        comparison = comparison_of(first, second)
        return comparison.first, comparison.second, reader.read([comparison])

    def question_of(event: Event) -> Question:
        first, second, evidence = sides_of(event)
        return Question(
            event["question"],
            first,
            second,
            evidence,
            event.get("bits"),
            Response(event.get("left", Response.FIRST)),
            event.get("candidate"),
            event.get("repeats"),
        )

    return question_of


def find(name: str, known: Mapping[str, Any]) -> Any:
    """Return the priority with a name."""
    if not isinstance(name, str) or name not in known:
        given = ", ".join(map(repr, known)) or "none"
        raise ValueError(
            f"the log is about priority {name!r}, which is not among those given: {given}"
        )
    return known[name]


def same_sides(one: Question, other: Question) -> bool:
    """Return whether two questions have the same sides, or the same evidence if they have none."""
    if one is other:
        return True
    if one.first is None or other.first is None:
        return one.first is other.first and one.candidate == other.candidate
    if one.comparison is not None:
        return one.comparison == other.comparison
    sides, others = ([np.asarray(q.first), np.asarray(q.second)] for q in (one, other))
    return np.array_equal(sides, others)
