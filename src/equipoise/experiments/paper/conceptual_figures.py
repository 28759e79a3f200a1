"""The paper's three drawings of ideas, of values computed on small tasks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from equipoise.model.comparisons import Comparison
from equipoise.model.evidence import evidence
from equipoise.model.gaps import projection_gaps
from equipoise.model.priorities import (
    Egalitarianism,
    Membership,
    Priority,
    Proportionality,
    Size,
    checked_utilities,
)
from equipoise.model.priority_model import PriorityModel
from equipoise.model.rounding import ROUNDING
from equipoise.model.rule_sets import all_rules, these_rules
from equipoise.model.states import decisiveness, latent_state, valence
from equipoise.model.tasks import Task
from equipoise.reports.diagrams import Levels, Map, Opposed, Way, level_rows, way
from equipoise.reports.drawing import Drawing
from equipoise.reports.points import DotRow, dot_rows

Array = NDArray[np.float64]

# Who can be spared in each of four scenarios: how many, whether a relative is there, and whose.
SCENARIOS = {
    "one": {"left": (1, True, "north"), "right": (4, False, "south")},
    "two": {"left": (2, False, "north"), "right": (3, False, "south")},
    "three": {"left": (5, False, "south"), "right": (1, False, "north")},
    "four": {"left": (3, False, "north"), "right": (3, True, "south")},
}
WEIGHTS = (0.4, 0.35, 0.25)
THRESHOLDS = (0.4, 0.4)
STATES = ("first", "second", "indifferent", "conflicted")
MAP_POINTS = 241
DECIMALS = 9


def trolley() -> tuple[Task, list[Priority]]:
    """Return the four scenarios, and three priorities in them: size, family, proportionality.

    Paper: ex:trolley, ex:trolley-priorities
    """
    task = Task({x: tuple(sides) for x, sides in SCENARIOS.items()})
    return task, [
        Size(lambda x, y: SCENARIOS[x][y][0]),
        Membership(lambda x, y: SCENARIOS[x][y][1]),
        Proportionality(lambda x, y: SCENARIOS[x][y][2], {"north": 0.5, "south": 0.5}),
    ]


def priorities_figure(title: str) -> Drawing:
    """Return all rules of a task, ranked in levels by each priority.

    Paper: fig:priorities
    """
    task, priorities = trolley()
    rows = []
    for priority in priorities:
        values = np.round(checked_utilities(priority, all_rules(task)), DECIMALS)
        levels, counts = np.unique(values, return_counts=True)
        marks = [f"{value:.3g}" for value in levels[::-1] + 0.0]
        rows.append(Levels(priority.name, counts[::-1].tolist(), marks))
    return level_rows(title, rows, "best", "worst")


def separability_of(gaps: Array) -> str:
    """Return how far a priority's gaps at a question depend on the background.

    Paper: def:insep, sec:rule-agg (perfect separability)

    Examples
    --------
    >>> separability_of(np.array([0.5, 0.5])), separability_of(np.array([0.5, 0.1]))
    ('perfectly separable', 'separable')
    >>> separability_of(np.array([0.5, -0.1])), separability_of(np.array([0.5, -0.5]))
    ('inseparable', 'perfectly inseparable')
    """
    if np.ptp(gaps) <= ROUNDING:
        return "perfectly separable"
    if (gaps >= -ROUNDING).all() or (gaps <= ROUNDING).all():
        return "separable"
    as_many = np.count_nonzero(gaps > 0) == np.count_nonzero(gaps < 0)
    if np.ptp(np.abs(gaps)) <= ROUNDING and as_many:
        return "perfectly inseparable"
    return "inseparable"


def separability_figure(title: str) -> Drawing:
    """Return the gaps over all background rules, of four priorities at one question each.

    Paper: fig:separability
    """
    three = Task({x: ("a", "b") for x in ("good 1", "good 2", "good 3")})
    two = Task({x: ("a", "b") for x in ("good 1", "good 2")})
    shown: list[tuple[Priority, Task, str]] = [
        (Membership(lambda x, y: y == "a"), three, "family"),
        (_shares(1.0), three, "all should go to a"),
        (_shares(0.6), three, "a should have 60%"),
        (Egalitarianism(["a", "b"], lambda i, x, y: float(y == i)), two, "egalitarianism"),
    ]
    rows = []
    for priority, task, remark in shown:
        rules = these_rules(task, list(all_rules(task)))
        gaps = projection_gaps(priority, Comparison.local("good 1", "a", "b"), rules)
        rows.append(DotRow(separability_of(gaps), remark, gaps))
    return dot_rows(title, rows, "how much better it is to give good 1 to a than to b")


def _shares(of_a: float) -> Proportionality:
    return Proportionality(lambda x, y: y, {"a": of_a, "b": 1 - of_a})


def latent_figure(title: str) -> Drawing:
    """Return the way from gaps to evidence to a latent state, at one question.

    Paper: fig:latent
    """
    task, priorities = trolley()
    model = PriorityModel(priorities, WEIGHTS, "maximum")
    question = Comparison.local("one", "left", "right")
    rules = these_rules(task, list(all_rules(task)))
    divisors = model.divisors(task)
    mass = question.differing_mass(task)
    dots = [
        DotRow(priority.name, "", projection_gaps(priority, question, rules) / divisor / mass)
        for priority, divisor in zip(priorities, divisors, strict=True)
    ]
    says = evidence(priorities, [question], task, aggregator="maximum", scale="per-input")
    favour, against = says.favour[0] * model.weights, says.against[0] * model.weights
    bars = [
        Opposed(f"{priority.name} × {weight:g}", float(plus), float(minus))
        for priority, weight, plus, minus in zip(
            priorities, model.weights, favour, against, strict=True
        )
    ]
    bars.append(Opposed("together", float(favour.sum()), float(against.sum())))
    state = latent_state(
        valence(says, model.weights), decisiveness(says, model.weights), *THRESHOLDS
    )[0]
    place = (float(favour.sum()), float(against.sum()))
    return way(
        title,
        Way(
            dots,
            "gap toward left, a dot a background rule",
            bars,
            "evidence for right (left of 0), for left (right of 0)",
            Map(STATES, state_map(), 1.0, place, ("evidence for left", "evidence for right")),
            ("gaps of each priority", "largest gap either way, weighted", f"state: {state}"),
        ),
    )


def state_map() -> NDArray[np.intp]:
    """Return which state belongs to scores for (across) and against (down); shape (n, n)."""
    ticks = np.linspace(0, 1, MAP_POINTS)
    plus, minus = np.meshgrid(ticks, ticks)
    states = latent_state(plus + minus, plus - minus, *THRESHOLDS)
    codes = np.zeros(states.shape, np.intp)
    for code, name in enumerate(STATES):
        codes[states == name] = code
    return codes
