"""What the events of a session come to: which question is open, and which answers stand."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from equipoise.model.evidence import Evidence
from equipoise.model.questions import Question
from equipoise.model.states import Response


@dataclass
class Session:
    """The questions of a session and what became of them.

    Undoing a question leaves everything as if it had never been closed: it's open again, and
    another that was open meanwhile counts as never asked. Only ids are never used twice.

    Attributes
    ----------
    asked
        Every question that counts as asked, by id.
    closed
        The questions that were closed, in that order, with the answer; None if skipped.
    open
        The id of the question that waits for an answer.
    last
        The last id given.
    """

    asked: dict[int, Question] = field(default_factory=dict)
    closed: dict[int, Response | None] = field(default_factory=dict)
    open: int | None = None
    last: int = 0

    def copy(self) -> Session:
        """Return a session that may change without this one."""
        return replace(self, asked=dict(self.asked), closed=dict(self.closed))

    @property
    def answers(self) -> list[tuple[Question, Response]]:
        """The answers that stand, in order."""
        return [(self.asked[id], answer) for id, answer in self.closed.items() if answer]

    def ask(self, question: Question) -> None:
        """Open a question."""
        if self.open is not None:
            raise ValueError(f"question {self.open} is open, it must be closed before another")
        if question.id <= self.last:
            raise ValueError(f"question {question.id} comes after {self.last}, ids must increase")
        self.asked[question.id] = question
        self.open = self.last = question.id

    def close(self, id: int, answer: Response | None) -> None:
        """Close the open question: with an answer, or skip it with None."""
        if id != self.open:
            raise ValueError(self._why_not_open(id))
        self.closed[id] = answer
        self.open = None

    def undo(self, id: int) -> None:
        """Open a closed question again."""
        if id not in self.closed:
            raise ValueError(f"question {id} can't be undone: {self._why_not_closed(id)}")
        del self.closed[id]
        if self.open is not None:
            del self.asked[self.open]
        self.open = id

    def read_anew(self, evidence: dict[int, Evidence]) -> None:
        """Replace what the priorities say of every question."""
        self.asked = {
            id: replace(question, evidence=evidence[id]) for id, question in self.asked.items()
        }

    def _why_not_open(self, id: int) -> str:
        if id in self.closed:
            answer = self.closed[id]
            became = "was skipped" if answer is None else f"was answered {str(answer)!r}"
            return f"question {id} {became}; undo({id}) opens it again"
        if id in range(1, self.last + 1):
            return f"question {id} was withdrawn by an undo, it's no longer asked"
        return f"question {id} was never asked"

    def _why_not_closed(self, id: int) -> str:
        return "it's still open" if id == self.open else self._why_not_open(id)
