"""Every figure of the paper: what it's called, what it shows, and what draws it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from equipoise.experiments.paper import accuracy_figures, conceptual_figures, speed_figures
from equipoise.experiments.paper.runs import Runs
from equipoise.reports.drawing import Drawing

Study = Literal["accuracy", "speed"]
# Draws a figure under a title; none if nothing of it was run.
FromRuns = Callable[[str, Runs], Drawing | None]
FromNothing = Callable[[str], Drawing]


@dataclass(frozen=True)
class Figure:
    """One of the paper's figures.

    Attributes
    ----------
    label
        The paper's label.
    title
        What it's called here.
    caption
        What it shows, in our own words.
    """

    label: str
    title: str
    caption: str

    @property
    def name(self) -> str:
        """How its files are called."""
        return self.label.removeprefix("fig:").replace("_", "-")


@dataclass(frozen=True)
class DataFigure(Figure):
    """A figure of what experiments gave."""

    study: Study
    make: FromRuns


@dataclass(frozen=True)
class Idea(Figure):
    """A figure of an idea, of values computed on a small task."""

    make: FromNothing


IDEAS = (
    Idea(
        "fig:priorities",
        "Priorities rank all rules",
        "Four scenarios, two groups each, one of which is spared: sixteen rules. Each priority "
        "puts them on levels, the best to the left; a circle is a level, the number in it how many "
        "rules stand there, the number below their utility. The three rankings disagree.",
        conceptual_figures.priorities_figure,
    ),
    Idea(
        "fig:separability",
        "From perfectly separable to perfectly inseparable",
        "A dot for each background rule: how much better, by one priority, it is to give a good to "
        "a than to b, if all else is as that rule has it. In one place, the background doesn't "
        "matter; on one side, it matters to the amount only; on both sides, to the answer. In two "
        "heaps as high and as far from zero, nothing is left when gaps are added up.",
        conceptual_figures.separability_figure,
    ),
    Idea(
        "fig:latent",
        "From gaps to evidence to a state",
        "One question, left or right, and somebody with three priorities. Each priority's gaps "
        "(left panel) become one number for either side, here the largest gap, times its weight "
        "(middle). Added up over priorities, the two sides are a place on the map (right), whose "
        "regions are the states. Proportionality is torn by itself: it speaks for both sides.",
        conceptual_figures.latent_figure,
    ),
)

DATA_FIGURES = (
    DataFigure(
        "fig:threepanel",
        "What is lost when people who are torn must choose",
        "Four kinds of people with both thresholds at 0.25, who answer by choosing a side, and a "
        "learner who takes their answers for those of the first kind. Each is asked until the "
        "estimate stands still. Points are means over people, bars one standard error either way.",
        "accuracy",
        accuracy_figures.three_panels,
    ),
    DataFigure(
        "fig:biasdecomp",
        "In which direction the estimates err",
        "(a) How much more weight the estimate gives the truly weightiest priority than it has. "
        "(b) The error's product with the person's own features: above zero, the estimate leans "
        "towards people like them. Whoever follows their top priority when torn should show in "
        "(a), whoever favours those like themselves in (b), whoever flips a coin in neither.",
        "accuracy",
        accuracy_figures.directions,
    ),
    DataFigure(
        "fig:cosine",
        "Whether the estimates point the right way",
        "The cosine of the angle between estimated and true weights; one is the same direction. "
        "Choices depend on the direction only, so this goes with average regret.",
        "accuracy",
        accuracy_figures.cosines,
    ),
    DataFigure(
        "fig:bald_6",
        "How fast five methods learn",
        "Errors by question, where both thresholds are equal. From top to bottom: the distance of "
        "the estimate from the true weights, the share of what is at stake that its choices lose "
        "on average, and what they lose at worst. Vertical axes are logarithmic and shared by a "
        "row. Bands are one standard error either way.",
        "speed",
        partial(speed_figures.diagonal, methods=speed_figures.FIVE),
    ),
    DataFigure(
        "fig:respdist-main",
        "Which answers three methods are given",
        "For each pair of thresholds, how all answers of all people divide. What a learner is told "
        "depends on what it asks: methods that use indecision look for a mix, the one that drops "
        "it is told little else where thresholds are high.",
        "speed",
        partial(speed_figures.responses, methods=speed_figures.THREE),
    ),
    DataFigure(
        "fig:diag-summary",
        "How fast all eight methods learn",
        "As above, with the three methods that don't know the noise either (dashed, in the colour "
        "of their twins that do).",
        "speed",
        partial(speed_figures.diagonal, methods=speed_figures.EIGHT),
    ),
    DataFigure(
        "fig:grid-l1",
        "Distance from the true weights, at all thresholds",
        "The l1 distance by question: a row is a valence threshold, a column a decisiveness "
        "threshold, all axes the same.",
        "speed",
        partial(speed_figures.full_grid, name="l1"),
    ),
    DataFigure(
        "fig:grid-cos",
        "Direction, at all thresholds",
        "The cosine of the angle between estimated and true weights by question, laid out alike.",
        "speed",
        partial(speed_figures.full_grid, name="cosine"),
    ),
    DataFigure(
        "fig:grid-avgreg",
        "Average regret, at all thresholds",
        "What the estimate's choices lose on average over 300 random inputs, which everybody "
        "shares, as a share of what is at stake; laid out alike.",
        "speed",
        partial(speed_figures.full_grid, name="avg_regret"),
    ),
    DataFigure(
        "fig:grid-wcr",
        "Worst-case regret, at all thresholds",
        "What the estimate's choice loses at the input where it loses most; laid out alike.",
        "speed",
        partial(speed_figures.full_grid, name="wc_regret"),
    ),
    DataFigure(
        "fig:respdist-grid",
        "Which answers all eight methods are given",
        "For each method a grid of thresholds, and how all answers divide. With three answers "
        "both kinds of indecision are one; where people must choose there is none.",
        "speed",
        partial(speed_figures.responses, methods=speed_figures.EIGHT),
    ),
)
