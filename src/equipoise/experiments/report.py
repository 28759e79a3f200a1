"""The report of the paper's experiments: a page, its figures, and every claim as data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from equipoise.experiments import theory
from equipoise.experiments.paper import of_accuracy, of_speed, side_by_side
from equipoise.experiments.paper.assertions import Assertion, Judged, judge
from equipoise.experiments.paper.exhibits import DATA_FIGURES, IDEAS, DataFigure, Study as Shown
from equipoise.experiments.paper.runs import (
    LEVEL_COUNT,
    PEOPLE,
    QUESTIONS,
    Case,
    Conditions,
    Lookup,
    Runs,
    Study,
    all_runs,
)
from equipoise.reports.drawing import Drawing
from equipoise.reports.page import Exhibit, Note, Page, Part, Rows, Section, page_html

COLUMNS = ("claim", "where", "paper", "here", "verdict", "note")
MARKS = {True: "good", False: "bad", None: "none"}
# What a reader is told of what isn't there before it's too long to read.
NAMED_MISSING = 12
INTERVIEWS = (
    ("at least one marker of indecision, of 20 participants", 18.0),
    ("markers on at least two of three comparisons, of 20 participants", 8.0),
)


def write_report(
    outcome: Lookup, studies: Iterable[Study], out: Path, *, with_theory: bool = True
) -> list[Path]:
    """Write `report.html`, `claims.json`, `theory.json` and the figures, and return the files.

    Parameters
    ----------
    outcome
        What came of an experiment; None or a `LookupError` where it wasn't run.
    studies
        What was to be run. With more than one way of running, the paper's is judged, and the
        others stand beside it.
    out
        The folder.
    with_theory
        Whether to try the paper's statements and draw its ideas, which takes some seconds.
    """
    ways = all_runs(outcome, studies)
    figures = out / "figures"
    figures.mkdir(parents=True, exist_ok=True)
    claims = judged_claims(ways)
    sections, drawings = [], {}
    written: list[Path] = []
    if with_theory:
        tried = theory.try_all()
        written.append(_write_json(out / "theory.json", theory.theory_json(tried)))
        for part, drawn in (_ideas(), _theory(tried)):
            sections.append(part)
            drawings.update(drawn)
    for study in ACCURACY_AND_SPEED:
        part, drawn = _data(study, ways, claims)
        sections.append(part)
        drawings.update(drawn)
    if len(ways) > 1:
        part, drawn = _side_by_side(ways)
        sections.append(part)
        drawings.update(drawn)
    sections += [_interviews(claims), _all_claims(claims)]
    for name, drawing in drawings.items():
        written += drawing.write(figures, name)
    written.append(_write_json(out / "claims.json", [one.as_json() for one in claims.values()]))
    page = Page(TITLE, _lead(ways), sections, _counts(claims.values()), FOOT)
    (out / "report.html").write_text(page_html(page), encoding="utf-8")
    return [out / "report.html", *reversed(written)]


TITLE = "The paper's experiments, run again"
ACCURACY_AND_SPEED: dict[Shown, str] = {
    "accuracy": "People who are torn and must choose",
    "speed": "How fast people are learned",
}
FOOT = (
    "A claim agrees if it's within three standard errors of the difference of two means "
    "(3·√2 times ours) and half the paper's last digit. Nothing was tuned. The same numbers "
    "are in claims.json and theory.json, the figures in figures/."
)


def assertions() -> list[Assertion]:
    """Return everything the paper says of its experiments, in the order of the text."""
    return [*of_accuracy.assertions(), *of_speed.assertions()]


def judged_claims(ways: Sequence[Runs]) -> dict[str, Judged]:
    """Return every claim of the paper's text by its name, judged by the first way of running."""
    runs = ways[0] if ways else Runs(Conditions("paper", 0, 0), [], lambda _: None)
    found = [judge(assertion, runs) for assertion in assertions()]
    for says, paper in INTERVIEWS:
        name = says.split(",")[0].replace(" ", "-")
        note = "not measured: the interviews join later"
        found.append(
            Judged(
                f"sec-conflict-{name}", "sec:conflict", says, paper, None, None, None, None, note
            )
        )
    return {claim.id: claim for claim in found}


def _write_json(path: Path, data: object) -> Path:
    text = json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def _lead(ways: Sequence[Runs]) -> list[str | Note]:
    """Return what was run and how, and what wasn't."""
    parts: list[str | Note] = [
        "Every figure and every number of the paper's text on learning people's priorities from "
        "comparisons (Flanigan and Si, “Internal Pluralism and the Limits of Pairwise "
        "Comparisons”), computed anew, beside what the paper says."
    ]
    if not ways:
        parts.append(Note("No experiment was run: only theory and ideas are shown.", warns=True))
    for place, runs in enumerate(ways):
        compared = "Judged below: " if place == 0 else "Beside it: "
        parts.append(f"{compared}{runs}. {len(runs.outcomes)} experiments.")
    quick = [runs.conditions.short for runs in ways if runs.quick]
    if quick:
        parts.append(
            Note(
                f"A quick run ({'; '.join(quick)}): the paper has {PEOPLE} people, {QUESTIONS} "
                f"questions and {LEVEL_COUNT} values of each threshold. With fewer, errors are "
                "larger and what isn't there can't be judged.",
                warns=True,
            )
        )
    for runs in ways:
        if runs.missing:
            parts.append(Note(_missing(runs), warns=True))
    return parts


def _missing(runs: Runs) -> str:
    names = [str(Case.of(simulation)) for simulation in runs.missing]
    more = len(names) - NAMED_MISSING
    listed = ", ".join(names[:NAMED_MISSING]) + (f" and {more} more" if more > 0 else "")
    return (
        f"Missing, {runs.conditions.short}: {len(names)} of {len(runs.simulations)} experiments "
        f"({listed}). Run the same command again to continue."
    )


def _counts(claims: Iterable[Judged]) -> list[tuple[str, str]]:
    number = Counter(claim.compatible for claim in claims)
    words = {True: "claims agree", False: "differ", None: "not measured"}
    return [(f"{number[key]} {word}", MARKS[key]) for key, word in words.items()]


def _ideas() -> tuple[Section, dict[str, Drawing]]:
    drawings = {idea.name: idea.make(idea.title) for idea in IDEAS}
    exhibits = [
        Exhibit(idea.name, f"{idea.title} (`{idea.label}`)", drawings[idea.name], idea.caption)
        for idea in IDEAS
    ]
    lead = "Drawn from values that the library computes on small tasks."
    return Section("ideas", "The ideas", [lead, *exhibits]), drawings


def _theory(tried: Sequence[theory.Tried]) -> tuple[Section, dict[str, Drawing]]:
    """Return the table of statements, and the two examples' regret."""
    title = "Regret of what a separable learner concludes"
    drawing = theory.regret_figure(title)
    caption = (
        "Two people whose forced answers a separable learner explains exactly, and yet gets wrong. "
        "Left (`ex:bad-rec`): someone who cares for equality above all and a little, epsilon, for "
        "family; equality leaves no trace, and the rule concluded serves the family only. Right "
        "(`ex:inseparable-local-trace`): someone who wants a's share a little, epsilon, above "
        "half; the learner concludes that a should have everything. As epsilon goes to zero both "
        "rules become as bad as the worst."
    )
    rows = [
        [f"`{row.label}`", row.says, str(row.instances), row.written, _holds(row)] for row in tried
    ]
    table = Rows(
        "Statements tried on the paper's instances and on random ones",
        ("label", "statement", "instances", "largest deviation", "holds"),
        rows,
        [MARKS[row.holds] for row in tried],
    )
    waiting = "; ".join(f"`{label}` ({what})" for label, what in theory.NOT_HERE_YET.items())
    parts: list[Part] = [
        Exhibit("regret", title, drawing, caption),
        table,
        Note(f"Not here yet: {waiting}."),
    ]
    return Section("theory", "The theory", parts), {"regret": drawing}


def _holds(row: theory.Tried) -> str:
    return "holds" if row.holds else "fails"


def _data(
    study: Shown, ways: Sequence[Runs], claims: dict[str, Judged]
) -> tuple[Section, dict[str, Drawing]]:
    """Return a study's figures, each with the claims that it bears out."""
    exhibits, drawings = [], {}
    for figure in DATA_FIGURES:
        if figure.study != study:
            continue
        drawing = figure.make(figure.title, ways[0]) if ways else None
        if drawing is not None:
            drawings[figure.name] = drawing
        own = [claims[one.id] for one in assertions() if one.figure == figure.label]
        exhibits.append(_exhibit(figure, drawing, own))
    notes = [Note(text) for text in _not_converged(ways[0])] if ways and study == "accuracy" else []
    return Section(study, ACCURACY_AND_SPEED[study], [*notes, *exhibits]), drawings


def _exhibit(figure: DataFigure, drawing: Drawing | None, claims: Sequence[Judged]) -> Exhibit:
    missing = "Nothing that this figure shows was run."
    table = claims_rows("What the paper's text says of it", claims) if claims else None
    return Exhibit(
        figure.name,
        f"{figure.title} (`{figure.label}`)",
        drawing if drawing is not None else missing,
        figure.caption,
        table,
    )


def _not_converged(runs: Runs) -> list[str]:
    """Return who was asked up to the limit without the estimate standing still."""
    found = []
    for case, outcome in runs.outcomes.items():
        limit = runs.simulations[case].queries
        late = int((outcome.measures.asked >= limit).sum())
        if case.accuracy and late:
            found.append(
                f"{case.respondent}: within {limit} questions the estimate of {late} of "
                f"{len(outcome.courses)} people didn't stand still; their last one counts."
            )
    return found


def claims_rows(title: str, claims: Sequence[Judged], folded: bool = False) -> Rows:
    """Return a table of claims."""
    rows = [
        [
            claim.says,
            f"`{claim.label}`",
            side_by_side.paper_text(claim),
            side_by_side.measured_text(claim),
            _verdict(claim),
            claim.note,
        ]
        for claim in claims
    ]
    marks = [MARKS[claim.compatible] for claim in claims]
    return Rows(title, COLUMNS, rows, marks, COLUMNS.index("verdict"), folded)


def _verdict(claim: Judged) -> str:
    if claim.compatible is None:
        return "not measured"
    return "agrees" if claim.compatible else "differs"


def _side_by_side(ways: Sequence[Runs]) -> tuple[Section, dict[str, Drawing]]:
    """Return what came of the same experiments in each way of running them."""
    title = "The same experiments, run in each way"
    drawing = side_by_side.errors_figure(title, ways)
    steps = [
        f"From “{one.conditions.short}” to “{other.conditions.short}”: "
        f"{side_by_side.what_changes(one.conditions, other.conditions)}."
        for one, other in pairwise(ways)
    ]
    caption = (
        "The distance of the estimate from the true weights by question, a row for each method, "
        "a line for each way of running it. " + " ".join(steps)
    )
    nothing = "No experiment was run in two ways."
    exhibit = Exhibit("ways", title, drawing if drawing is not None else nothing, caption)
    tables = [
        side_by_side.accuracy_table(ways),
        side_by_side.speed_table(ways),
        side_by_side.claims_table(assertions(), ways),
    ]
    parts: list[Part] = [exhibit, *(table for table in tables if table.rows)]
    return Section("side-by-side", "The paper's way and ours", parts), (
        {} if drawing is None else {"ways": drawing}
    )


def _interviews(claims: dict[str, Judged]) -> Section:
    own = [claim for claim in claims.values() if claim.label == "sec:conflict"]
    note = Note("The figure of interviews coded for indecision (`fig:kidney`) joins later.")
    return Section("interviews", "Interviews", [note, claims_rows("What the paper says", own)])


def _all_claims(claims: dict[str, Judged]) -> Section:
    table = claims_rows("Every claim, and what came of it", list(claims.values()), folded=True)
    return Section("claims", "All claims", [table])
