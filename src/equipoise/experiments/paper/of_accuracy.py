"""What `sec:accuracy` says of people who are torn and must choose a side."""

from __future__ import annotations

from equipoise.experiments.claims import (
    CLAIMS,
    Statistic,
    extra_on_top,
    in_the_end,
    toward_profile,
)
from equipoise.experiments.paper.assertions import Assertion, below, numeric
from equipoise.experiments.paper.runs import Case

LABEL = "sec:accuracy"
DEVIATING = ("fifty-fifty", "lexicographic", "self-similar")
THRESHOLD = 0.25
LOWER_TOO = "why isn't known; an independent implementation of the text is lower too"
# Which figure shows a claim, by a word of what it says.
FIGURES = {
    "extra mass": "fig:biasdecomp",
    "projection": "fig:biasdecomp",
    "positive": "fig:biasdecomp",
}


def person(respondent: str) -> Case:
    """Return the experiment with people of one kind."""
    return Case("correct", THRESHOLD, THRESHOLD, respondent, accuracy=True)


def assertions() -> list[Assertion]:
    """Return them all, in the order of the text."""
    printed = [
        numeric(
            claim,
            next((f for w, f in FIGURES.items() if w in claim.says), "fig:threepanel"),
            LOWER_TOO if "regret" in claim.says and "self-similar" in claim.says else "",
        )
        for claim in CLAIMS
        if claim.label == LABEL
    ]
    return [*_extremes(), *_negligible(), *printed, *_unbiased(), *_orders()]


def _extremes() -> list[Assertion]:
    """Return the least and the greatest of the three deviations' errors."""
    everybody = tuple(person(name) for name in DEVIATING)
    return [
        Assertion(
            LABEL,
            f"the {word} of the three errors, as a share of the greatest possible, 2",
            everybody,
            lambda outcome: in_the_end("l1")(outcome) / 2,
            (share, share),
            0.01,
            "fig:threepanel",
            reason=LOWER_TOO,
            combine=lambda means, pick=pick: float(pick(means)),  # type: ignore[misc]
        )
        for word, pick, share in (("least", min, 0.14), ("greatest", max, 0.24))
    ]


def _negligible() -> list[Assertion]:
    return [
        below(
            LABEL,
            f"l1 of correct below that of {name}",
            (person("correct"), person(name)),
            in_the_end("l1"),
            "fig:threepanel",
        )
        for name in DEVIATING
    ]


def _unbiased() -> list[Assertion]:
    """Return that 50/50 errs in neither of the two directions."""
    kinds: list[tuple[str, Statistic]] = [
        ("extra mass on the top priority", extra_on_top),
        ("projection on the own profile", toward_profile),
    ]
    return [
        Assertion(
            LABEL,
            f"fifty-fifty: no {what}",
            (person("fifty-fifty"),),
            statistic,
            (0.0, 0.0),
            0.01,
            "fig:biasdecomp",
            reading='"neither direction", read as zero to two decimals',
            reason=(
                "coin flips look like more noise than the learner knows of, so its weights are "
                "flatter than the true ones; that is no leaning of the person's"
            ),
        )
        for what, statistic in kinds
    ]


def _orders() -> list[Assertion]:
    """Return which of two kinds of people loses more, and points farther off."""
    rows = [
        ("avg_regret", "average regret", "fifty-fifty", "lexicographic", "fig:threepanel"),
        ("avg_regret", "average regret", "lexicographic", "self-similar", "fig:threepanel"),
        ("wc_regret", "worst-case regret", "lexicographic", "fifty-fifty", "fig:threepanel"),
        ("wc_regret", "worst-case regret", "fifty-fifty", "self-similar", "fig:threepanel"),
        ("cosine", "cosine", "self-similar", "lexicographic", "fig:cosine"),
        ("cosine", "cosine", "self-similar", "fifty-fifty", "fig:cosine"),
        ("cosine", "cosine", "lexicographic", "fifty-fifty", "fig:cosine"),
    ]
    return [
        below(
            LABEL,
            f"{what}: {less} below {more}",
            (person(less), person(more)),
            in_the_end(name),
            figure,
        )
        for name, what, less, more, figure in rows
    ]
