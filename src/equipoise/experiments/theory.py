"""The theory table: every statement tried on the paper's instances and on random ones."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from equipoise.experiments.erasure import erasure
from equipoise.experiments.statements.of_linear import LINEAR
from equipoise.experiments.statements.of_model import MODEL
from equipoise.experiments.statements.of_people import PEOPLE
from equipoise.experiments.statements.of_priorities import PRIORITIES
from equipoise.experiments.statements.of_questions import QUESTIONS_ASKED
from equipoise.experiments.statements.of_separability import SEPARABILITY, SHARES, misreading
from equipoise.experiments.statements.of_srum import SRUM
from equipoise.experiments.statements.statement import TOLERANCE, TRIALS, Statement
from equipoise.reports.drawing import Drawing
from equipoise.reports.figures import Line, Panel, curve_row
from equipoise.reports.terminal import Table

STATEMENTS: tuple[Statement, ...] = (
    *MODEL,
    *SRUM,
    *PRIORITIES,
    *SEPARABILITY,
    *LINEAR,
    *QUESTIONS_ASKED,
    *PEOPLE,
)
# What waits for code that isn't there.
NOT_HERE_YET = {
    "def:scale-free-indistinguishability": "which models no forced answers tell apart, in general",
    "def:scale-free-weight-id": "which weights which answers identify, in general",
    "rem:consistency": "the question chosen approaches the best one as pool and draws grow",
}


@dataclass(frozen=True)
class Tried:
    """A statement, and the largest deviation from it that was seen.

    Attributes
    ----------
    label, says
        The statement.
    instances
        On how many instances it was tried.
    deviation
        The largest deviation: of numbers from one another, or 1 where something failed to hold.
    holds
        Whether that is rounding.
    """

    label: str
    says: str
    instances: int
    deviation: float
    holds: bool

    @property
    def written(self) -> str:
        """The deviation as text."""
        return f"{self.deviation:.1e}" if self.deviation else "0"


def try_statement(statement: Statement, seed: int = 1, trials: int = TRIALS) -> Tried:
    """Return the largest deviation from a statement, over the paper's instance and random ones."""
    # A stream of its own, so that a statement doesn't depend on which are tried before it.
    name = zlib.crc32(f"{statement.label} {statement.says}".encode())
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(name,)))
    seen = [] if statement.instance is None else [statement.instance()]
    if statement.at_random is not None:
        seen += [statement.at_random(rng) for _ in range(trials)]
    largest = max(seen)
    return Tried(
        statement.label, statement.says, len(seen), float(largest), bool(largest <= TOLERANCE)
    )


def try_all(
    statements: Iterable[Statement] = STATEMENTS, seed: int = 1, trials: int = TRIALS
) -> list[Tried]:
    """Return the largest deviations from all statements, in the order of the paper."""
    return [try_statement(statement, seed, trials) for statement in statements]


def theory_json(tried: Iterable[Tried]) -> dict[str, Any]:
    """Return the table as plain data."""
    return {
        "tolerance": TOLERANCE,
        "statements": [asdict(row) for row in tried],
        "not here yet": NOT_HERE_YET,
    }


def story(tried: Iterable[Tried]) -> Iterator[str | Table]:
    """Iterate over the table and the paragraph after it."""
    rows = [
        (row.label, row.says, str(row.instances), row.written, "yes" if row.holds else "no")
        for row in tried
    ]
    yield Table(
        "The paper's statements",
        ("label", "statement", "instances", "largest deviation", "holds"),
        rows,
    )
    missing = "; ".join(f"{label} ({what})" for label, what in NOT_HERE_YET.items())
    yield f"Not here yet: {missing}."


def regret_figure(title: str) -> Drawing:
    """Return the regret of what a separable learner concludes, in both examples, by epsilon.

    Paper: ex:bad-rec, ex:inseparable-local-trace
    """
    erased = [erasure(epsilon) for epsilon in SHARES.tolist()]
    misread = np.array([misreading(epsilon) for epsilon in (SHARES / 2).tolist()])
    panels = [
        Panel(
            "regret: egalitarianism erased",
            SHARES,
            [
                Line([one.chosen_regret for one in erased], label="the rule concluded", colour=1),
                Line(
                    [one.worst_regret for one in erased],
                    label="the worst rule",
                    colour=6,
                    style="dashed",
                ),
            ],
            "epsilon, the weight of the family",
        ),
        Panel(
            "regret: proportionality misread",
            SHARES / 2,
            [
                Line(misread[:, 0], label="the rule concluded", colour=1),
                Line(misread[:, 1], label="the worst rule", colour=6, style="dashed"),
            ],
            "epsilon, how far a's share is above half",
        ),
    ]
    return curve_row(title, panels)
