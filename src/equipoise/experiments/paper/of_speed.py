"""What `sec:speed` and its appendix say of how fast each method learns."""

from __future__ import annotations

import itertools

import numpy as np

from equipoise.experiments.claims import CLAIMS, Array, Outcome, Statistic, after
from equipoise.experiments.methods import LEVELS
from equipoise.experiments.paper.assertions import (
    ANY,
    Assertion,
    below,
    mean_of,
    numeric,
    outcome_share,
)
from equipoise.experiments.paper.runs import Case

LABEL = "sec:speed"
MAIN, DIAGONAL, SHARES = "fig:bald_6", "fig:diag-summary", "fig:respdist-main"
UTILIZE = ("utilize-3", "utilize-4", "utilize-4-thresholds")
BENCHMARKS = ("correct", "ignore")
MIDDLE, SEVEREST = (0.2, 0.4, 0.6), 0.8
INDECISIVE = ("indifferent", "conflicted", "undecided")
# "Almost the same", of a difference in units of the one it is compared with.
ALMOST_NOTHING = 0.1
# A kind of answer that makes up less than this is no part of a mix.
PART_OF_A_MIX = 0.1
BUDGET, EARLY = 25, 10
LOWER_TOO = "why isn't known; an independent implementation of the text is lower too"
REASONS = {
    "utilize-4 at (0.4, 0.4): l1 after 100": LOWER_TOO,
    "ignore at (0.6, 0.6): l1 after 100": LOWER_TOO,
}


def at(method: str, tau_r: float, tau_kappa: float | None = None) -> Case:
    """Return the experiment of a method at two thresholds, the same if one is given."""
    return Case(method, tau_r, tau_r if tau_kappa is None else tau_kappa)


def assertions() -> list[Assertion]:
    """Return them all, about in the order of the text."""
    printed = [
        numeric(claim, MAIN, REASONS.get(claim.says, ""))
        for claim in CLAIMS
        if claim.label == LABEL
    ]
    return [
        *_faster(),
        *_widening(),
        *_severest(),
        *_alike(),
        *_mixes(),
        *_noise(),
        *printed,
        *_ratios(),
        *_worst_case(),
        *_direction(),
    ]


def _faster() -> list[Assertion]:
    """Return that the slowest of the methods that use indecision beats both that don't."""
    measures = (("l1", "l1"), ("wc_regret", "worst-case regret"))
    return [
        Assertion(
            LABEL,
            f"({tau:g}, {tau:g}): {what} over all questions, utilize-4, utilize-3 and "
            f"utilize-4-thresholds all below {other}",
            (*(at(method, tau) for method in UTILIZE), at(other, tau)),
            mean_of(name),
            (-ANY, 0.0),
            0.0,
            MAIN,
            combine=lambda means: float(means[:-1].max() - means[-1]),
            reading="the mean over the questions; the difference to the slowest, below zero",
        )
        for tau, (name, what), other in itertools.product(MIDDLE, measures, BENCHMARKS)
    ]


def _widening() -> list[Assertion]:
    return [
        Assertion(
            LABEL,
            f"average regret: utilize-4's lead on {other} is wider at ({MIDDLE[-1]:g}, "
            f"{MIDDLE[-1]:g}) than at ({MIDDLE[0]:g}, {MIDDLE[0]:g})",
            tuple(
                at(method, tau)
                for tau in (MIDDLE[-1], MIDDLE[0])
                for method in (other, "utilize-4")
            ),
            mean_of("avg_regret"),
            (0.0, ANY),
            0.0,
            MAIN,
            combine=lambda means: float((means[0] - means[1]) - (means[2] - means[3])),
            reading="the mean over the questions; the difference of the leads, above zero",
        )
        for other in BENCHMARKS
    ]


def _severest() -> list[Assertion]:
    """Return that correct wins at the severest thresholds, where indecision is all there is."""
    return [
        below(
            LABEL,
            f"({SEVEREST}, {SEVEREST}): l1 over all questions, correct below {method}",
            (at("correct", SEVEREST), at(method, SEVEREST)),
            mean_of("l1"),
            MAIN,
        )
        for method in UTILIZE
    ]


def _lead_lost(means: Array) -> float:
    """Return the difference of the first two as a share of the third's distance to the second."""
    return float((means[0] - means[1]) / (means[2] - means[1]))


def _alike() -> list[Assertion]:
    """Return what hardly differs from utilize-4."""
    alike = [
        Assertion(
            LABEL,
            f"({tau:g}, {tau:g}): {method}'s l1 differs from utilize-4's by next to nothing of "
            "correct's",
            (at(method, tau), at("utilize-4", tau), at("correct", tau)),
            mean_of("l1"),
            (-ALMOST_NOTHING, ALMOST_NOTHING),
            0.0,
            MAIN,
            combine=_lead_lost,
            reading="the mean over the questions; less than a tenth of correct's distance",
        )
        for method in ("utilize-3", "utilize-4-thresholds")
        for tau in MIDDLE
    ]
    early = below(
        LABEL,
        f"({SEVEREST}, {SEVEREST}): l1 after {EARLY}, utilize-4-thresholds below utilize-4",
        (at("utilize-4-thresholds", SEVEREST), at("utilize-4", SEVEREST)),
        after("l1", EARLY),
        MAIN,
    )
    return [*alike, early]


def _mixes() -> list[Assertion]:
    """Return what is said of the answers that each method is given."""
    rows: list[tuple[str, Case, tuple[str, ...]]] = [
        ("indifferent", at("ignore", SEVEREST, 0.0), ("indifferent",)),
        ("conflicted", at("ignore", 0.0, SEVEREST), ("conflicted",)),
    ]
    dominated = [
        Assertion(
            LABEL,
            f"ignore at ({case.tau_r:g}, {case.tau_kappa:g}): most answers are {name}",
            (case,),
            outcome_share(kinds),
            (0.5, 1.0),
            0.0,
            SHARES,
            reading='"dominated", read as more than half',
        )
        for name, case, kinds in rows
    ]
    fights = [
        below(
            LABEL,
            f"({tau:g}, {tau:g}): the share of indecisive answers, utilize-4 below ignore",
            (at("utilize-4", tau), at("ignore", tau)),
            outcome_share(INDECISIVE),
            SHARES,
        )
        for tau in MIDDLE
    ]
    grid = tuple(at("utilize-4", *pair) for pair in itertools.product(LEVELS, LEVELS))
    mixed = Assertion(
        LABEL,
        "utilize-4: the share of the grid's thresholds at which answers are mixed",
        grid,
        outcome_share(INDECISIVE),
        (0.5, 1.0),
        0.0,
        SHARES,
        combine=lambda means: float(
            np.mean((means >= PART_OF_A_MIX) & (means <= 1 - PART_OF_A_MIX))
        ),
        reading='"most of the grid": a tenth at least is decisive, and a tenth is not',
    )
    return [*dominated, *fights, mixed]


def _noise() -> list[Assertion]:
    """Return what not knowing the noise costs, over the diagonal of the grid."""
    count = len(MIDDLE)
    label = "app:big-grid"
    hurts = [
        Assertion(
            label,
            f"{method}: unknown noise raises l1, over (0.2, 0.2) to (0.6, 0.6)",
            (
                *(at(f"{method}-noise", tau) for tau in MIDDLE),
                *(at(method, tau) for tau in MIDDLE),
            ),
            mean_of("l1"),
            (0.0, ANY),
            0.0,
            DIAGONAL,
            combine=lambda means: float(means[:count].mean() - means[count:].mean()),
            reading="the mean over the questions; the difference, above zero",
        )
        for method in ("ignore", "correct")
    ]
    nothing = Assertion(
        label,
        "utilize-4: unknown noise costs next to nothing of correct's distance, over (0.2, 0.2) to "
        "(0.6, 0.6)",
        tuple(
            at(method, tau)
            for method in ("utilize-4-noise", "utilize-4", "correct")
            for tau in MIDDLE
        ),
        mean_of("l1"),
        (-ALMOST_NOTHING, ALMOST_NOTHING),
        0.0,
        DIAGONAL,
        combine=lambda means: _lead_lost(means.reshape(3, count).mean(axis=1)),
        reading="the mean over the questions; less than a tenth of correct's distance",
    )
    return [nothing, *hurts]


def _ratios() -> list[Assertion]:
    """Return by what factor average regret differs within the budget."""
    pairs = [(other, tau) for tau in (0.4, 0.6) for other in BENCHMARKS]
    cases = (*(at(other, tau) for other, tau in pairs), at("utilize-4", 0.4), at("utilize-4", 0.6))

    def factors(means: Array) -> Array:
        return means[:4] / means[[4, 4, 5, 5]]

    return [
        Assertion(
            LABEL,
            f"average regret after {BUDGET}: the {word} of four ratios to utilize-4's",
            cases,
            after("avg_regret", BUDGET),
            (ratio, ratio),
            10.0,
            MAIN,
            combine=lambda means, pick=pick: float(pick(factors(means))),  # type: ignore[misc]
        )
        for word, pick, ratio in (("least", min, 30.0), ("greatest", max, 180.0))
    ]


def _worst_case() -> list[Assertion]:
    def beyond(outcome: Outcome) -> Array:
        return after("wc_regret", BUDGET)(outcome) - after("avg_regret", BUDGET)(outcome)

    statistic: Statistic = beyond
    return [
        Assertion(
            LABEL,
            f"({tau:g}, {tau:g}): after {BUDGET}, utilize-4's lead on {other} is wider in "
            "worst-case than in average regret",
            (at(other, tau), at("utilize-4", tau)),
            statistic,
            (0.0, ANY),
            0.0,
            MAIN,
            combine=lambda means: float(means[0] - means[1]),
            reading="the difference of the leads, above zero",
        )
        for tau in (0.4, 0.6)
        for other in BENCHMARKS
    ]


def _direction() -> list[Assertion]:
    return [
        below(
            LABEL,
            f"({tau:g}, {tau:g}): cosine after {BUDGET}, {other} below utilize-4",
            (at(other, tau), at("utilize-4", tau)),
            after("cosine", BUDGET),
            "fig:grid-cos",
        )
        for tau in (0.4, 0.6)
        for other in BENCHMARKS
    ]
