"""The paper's two-person example, worked through: how egalitarianism is erased.

Two goods go to a or b. Somebody wants above all that nobody comes away empty-handed, and a
little that their relative a is served. Asked about one good at a time, whom it should go to
depends on where the other one goes; what is left of that in an answer is only the family.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from equipoise.model.comparisons import Comparison
from equipoise.model.evidence import evidence
from equipoise.model.gaps import projection_gaps
from equipoise.model.priorities import Egalitarianism, Membership
from equipoise.model.priority_model import PriorityModel
from equipoise.model.rule_sets import all_rules, these_rules
from equipoise.model.rules import regret
from equipoise.model.states import Response, decisiveness, latent_state, valence
from equipoise.model.tasks import Rule, Task
from equipoise.reports.terminal import Table, number_text
from equipoise.separability.rationalisations import separable_rationalisation

# Of the grid of the paper's experiments.
TAU_R, TAU_KAPPA = 0.2, 0.4


@dataclass(frozen=True)
class RuleWorth:
    """What one rule is worth to the person."""

    rule: str
    egalitarianism: float
    family: float
    aggregate: float
    regret: float


@dataclass(frozen=True)
class BackgroundGap:
    """How much better giving good 1 to a is than giving it to b, over one background rule."""

    background: str
    egalitarianism: float
    family: float


@dataclass(frozen=True)
class Reading:
    """What a rule aggregator makes of the gaps, and the latent state it leads to."""

    aggregator: str
    egalitarianism_for_a: float
    egalitarianism_for_b: float
    family_for_a: float
    family_for_b: float
    valence: float
    decisiveness: float
    state: Response


@dataclass(frozen=True)
class Erasure:
    """The example, computed.

    Attributes
    ----------
    epsilon
        The weight of the family; egalitarianism has the rest.
    rules
        What each rule is worth.
    gaps
        At the question whether good 1 should go to a or to b.
    readings
        Of the same question, by each rule aggregator.
    chosen
        The rule concluded from forced answers by whoever takes priorities to be separable.
    chosen_regret, worst_regret
        What that rule gives up, and what the worst one does.
    """

    epsilon: float
    rules: list[RuleWorth]
    gaps: list[BackgroundGap]
    readings: list[Reading]
    chosen: str
    chosen_regret: float
    worst_regret: float

    def as_json(self) -> dict[str, Any]:
        """Return the example as plain data."""
        return asdict(self)


def erasure_model(epsilon: float, aggregator: str = "average") -> tuple[PriorityModel, Task]:
    """Return the person and the task of the example.

    Paper: ex:bad-rec, app:bad-rec
    """
    task = Task({"good 1": ("a", "b"), "good 2": ("a", "b")})
    equal = Egalitarianism(["a", "b"], lambda i, x, y: float(y == i))
    family = Membership(lambda x, y: y == "a")
    return PriorityModel([equal, family], [1 - epsilon, epsilon], aggregator), task


def erasure(epsilon: float) -> Erasure:
    """Work the example through.

    Paper: prop:egal, ex:bad-rec, app:bad-rec
    """
    if not 0 < epsilon < 1 / 2:
        raise ValueError(f"epsilon is {epsilon}, expected a number above 0 and below 1/2")
    model, task = erasure_model(epsilon)
    rules = list(all_rules(task))
    worth = [_worth(model, rule) for rule in rules]
    question = Comparison.local("good 1", "a", "b")
    gaps = [projection_gaps(p, question, these_rules(task, rules)) for p in model.priorities]
    scores = separable_rationalisation(model, task)
    if scores is None:
        raise RuntimeError("the forced answers of this person have a separable explanation")
    return Erasure(
        epsilon=epsilon,
        rules=worth,
        gaps=[
            BackgroundGap(_name(rule), float(equal), float(family))
            for rule, equal, family in zip(rules, *gaps, strict=True)
        ],
        readings=[_reading(epsilon, name, question) for name in ("average", "maximum")],
        chosen=_name(scores.best_rule()),
        chosen_regret=regret(model, scores.best_rule()),
        worst_regret=max(row.regret for row in worth),
    )


def _name(rule: Rule) -> str:
    return "".join(str(y) for y in rule.values())


def _worth(model: PriorityModel, rule: Rule) -> RuleWorth:
    equal, family = model.priority_utilities(these_rules(rule.task, [rule]))[:, 0].tolist()
    return RuleWorth(_name(rule), equal, family, model.utility(rule), regret(model, rule))


def _reading(epsilon: float, aggregator: str, question: Comparison) -> Reading:
    model, task = erasure_model(epsilon, aggregator)
    says = evidence(model.priorities, [question], task, aggregator=aggregator)
    r, kappa = valence(says, model.weights).item(), decisiveness(says, model.weights).item()
    favour, against = says.favour[0].tolist(), says.against[0].tolist()
    state = latent_state(r, kappa, TAU_R, TAU_KAPPA).item()
    return Reading(aggregator, favour[0], against[0], favour[1], against[1], r, kappa, state)


def story(example: Erasure) -> Iterator[str | Table]:
    """Iterate over the example's paragraphs and tables, in order."""
    equal, family = f"{1 - example.epsilon:g}", f"{example.epsilon:g}"
    yield (
        "Two goods go to a or b. Somebody cares that nobody comes away empty-handed "
        f"(egalitarianism, weight {equal}) and a little that their relative a is served "
        f"(family, weight {family})."
    )
    yield Table(
        "1. What each rule is worth (ab: good 1 to a, good 2 to b)",
        ("rule", "egalitarianism", "family", "aggregate", "regret"),
        [
            (row.rule, row.egalitarianism, row.family, row.aggregate, row.regret)
            for row in example.rules
        ],
    )
    yield (
        "Asked whether good 1 should go to a or to b, the answer depends on where the rule sends "
        "good 2. Over half of the background rules egalitarianism speaks for a, over the other "
        "half for b, just as strongly: it is perfectly inseparable."
    )
    yield Table(
        "2. How much better a is than b, over each background rule",
        ("background", "egalitarianism", "family"),
        [(row.background, row.egalitarianism, row.family) for row in example.gaps],
    )
    yield (
        "Averaged over backgrounds it says nothing. By its maximum it says as much for a as for "
        "b. Either way it has no part in decisiveness, all that a forced answer shows; only "
        "valence, which a person may report, tells that it is there."
    )
    yield Table(
        f"3. Evidence for a / b and latent state (tau_r {TAU_R:g}, tau_kappa {TAU_KAPPA:g})",
        ("aggregator", "egalitarianism", "family", "valence", "decisiveness", "state"),
        [
            (
                row.aggregator,
                f"{row.egalitarianism_for_a:.4g} / {row.egalitarianism_for_b:.4g}",
                f"{row.family_for_a:.4g} / {row.family_for_b:.4g}",
                row.valence,
                row.decisiveness,
                str(row.state),
            )
            for row in example.readings
        ],
    )
    yield (
        "Whoever takes this person to be separable explains all their forced answers exactly, by "
        f"the family alone, and chooses the rule {example.chosen}. Its regret is "
        f"{number_text(example.chosen_regret)}, where the worst rule's is "
        f"{number_text(example.worst_regret)}."
    )
