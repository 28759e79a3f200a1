"""Responses, and the latent state of a question or of two rules."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.checks import number_between, numbers, weights_of
from equipoise.model.comparisons import Comparison
from equipoise.model.evidence import Evidence, evidence as find_evidence
from equipoise.model.priority_model import PriorityModel, checked_model
from equipoise.model.rounding import reaches
from equipoise.model.rule_sets import these_rules
from equipoise.model.tasks import Rule, Task, checked_rule

# The widest that thresholds can be. By the definitions valence is at most 2, but evidence may be
# scaled, and more of it comes per input; decisiveness is at most the valence.
LARGEST_TAU_R = math.inf
LARGEST_TAU_KAPPA = 1.0


class Response(StrEnum):
    """An answer to a question, or the state of mind behind it. The order is that of columns.

    Paper: def:pc-query, def:generic-indecision (the last one)

    Examples
    --------
    >>> print(*Response)
    first second indifferent conflicted undecided
    """

    FIRST = "first"
    SECOND = "second"
    INDIFFERENT = "indifferent"
    CONFLICTED = "conflicted"
    UNDECIDED = "undecided"


def valence(evidence: Evidence, weights: ArrayLike) -> NDArray[np.float64]:
    """Return how much is at stake, r = s+ + s-; shape (n,), or (n, k) for weights (k, m).

    .. math:: r(q) = s^+(q) + s^-(q)

    Paper: eq:shorthand

    Examples
    --------
    >>> valence(Evidence([[0.5, 0.0]], [[0.0, 0.4]]), [0.5, 0.5])
    array([0.45])
    """
    omega = weights_of(evidence.favour.shape[1], weights).T
    return evidence.favour @ omega + evidence.against @ omega


def decisiveness(evidence: Evidence, weights: ArrayLike) -> NDArray[np.float64]:
    r"""Return how clearly it speaks for the first side; shape (n,), or (n, k) for weights (k, m).

    .. math:: \kappa(q) = s^+(q) - s^-(q)

    Paper: eq:shorthand

    Examples
    --------
    >>> decisiveness(Evidence([[0.5, 0.0]], [[0.0, 0.4]]), [0.5, 0.5]).round(3)
    array([0.05])
    """
    omega = weights_of(evidence.favour.shape[1], weights).T
    return evidence.favour @ omega - evidence.against @ omega


def latent_state(
    valence: ArrayLike,
    decisiveness: ArrayLike,
    tau_r: float,
    tau_kappa: float,
    width: float = 0.0,
) -> NDArray[np.object_]:
    """Return the latent state for each valence and decisiveness; same shape, of `Response`.

    First or second if valence and decisiveness are both enough, conflicted if only valence is,
    indifferent if it isn't. Where first and second both hold, first.

    Paper: def:threshold-response-model (with width 0)

    Examples
    --------
    >>> print(*latent_state([0.1, 0.9, 0.9], [0.1, 0.1, -0.8], tau_r=0.4, tau_kappa=0.4))
    indifferent conflicted second
    """
    number_between(tau_r, "tau_r", 0, LARGEST_TAU_R)
    number_between(tau_kappa, "tau_kappa", 0, LARGEST_TAU_KAPPA)
    number_between(width, "width", 0, LARGEST_TAU_R)
    r, kappa = paired(valence, decisiveness)
    needed = tau_kappa * r + width
    enough = reaches(r, tau_r)
    states = np.full(r.shape, Response.CONFLICTED, dtype=object)
    states[enough & reaches(-kappa, needed)] = Response.SECOND
    states[enough & reaches(kappa, needed)] = Response.FIRST  # written last: wins a double tie
    states[~enough] = Response.INDIFFERENT
    return states


def state(
    model: PriorityModel,
    comparison: Comparison,
    task: Task,
    tau_r: float,
    tau_kappa: float,
    *,
    scale: float | Literal["per-input"] = 1.0,
) -> Response:
    """Return the latent state of a person at a question.

    Paper: def:threshold-response-model (at scale 1)

    Examples
    --------
    >>> from equipoise.model.priorities import Membership, Proportionality
    >>> task = Task({x: ("a", "b") for x in range(10)})
    >>> fair = Proportionality(lambda x, y: y, {"a": 0.5, "b": 0.5})
    >>> family = Membership(lambda x, y: y == "a")
    >>> person = PriorityModel([fair, family], [0.5, 0.5], "maximum")
    >>> question = Comparison.local(0, "a", "b")
    >>> print(state(person, question, task, tau_r=0.4, tau_kappa=0.4))
    indifferent
    >>> print(state(person, question, task, tau_r=0.4, tau_kappa=0.4, scale="per-input"))
    conflicted
    """
    says = find_evidence(
        checked_model(model).priorities,
        [comparison],
        task,
        aggregator=model.aggregator,
        unit_range=model.unit_range,
        scale=scale,
    )
    return _state_of(says, model, tau_r, tau_kappa)


def relation(
    model: PriorityModel, rule: Rule, other: Rule, tau_r: float, tau_kappa: float
) -> Response:
    r"""Return how a person stands between two whole rules.

    .. math:: s^+(F, F') = \sum_j \omega_j [u_j(F) - u_j(F')]_+

    and the same thresholds as for a question.

    Paper: def:rule-level-latent-relation, rem:rule-level-indecision

    Examples
    --------
    >>> from equipoise.model.priorities import Membership, Size
    >>> task = Task({"x": ("mother", "strangers")})
    >>> family = Membership(lambda x, y: y == "mother")
    >>> size = Size(lambda x, y: {"mother": 1, "strangers": 1000}[y])
    >>> person = PriorityModel([family, size], [0.5, 0.5])
    >>> rules = [task.rule({"x": y}) for y in task.outputs["x"]]
    >>> print(relation(person, *rules, tau_r=0.4, tau_kappa=0.4))
    conflicted
    """
    rules = [checked_rule(rule), checked_rule(other, "other")]
    utilities = checked_model(model).priority_utilities(these_rules(rule.task, rules))
    return _state_of(Evidence.from_features(utilities.T[None]), model, tau_r, tau_kappa)


def paired(
    valence: ArrayLike, decisiveness: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return r and kappa as finite arrays of one shape, r at least 0."""
    alone = numbers(valence, "valence"), numbers(decisiveness, "decisiveness")
    try:
        r, kappa = np.broadcast_arrays(*alone)
    except ValueError as error:
        raise ValueError(
            f"valence and decisiveness must be numbers, or arrays of fitting shapes: {error}"
        ) from error
    if not (np.isfinite(r).all() and np.isfinite(kappa).all()):
        raise ValueError("valence and decisiveness must be finite, one of them is not")
    if (r < 0).any():
        raise ValueError(f"valence is {r.min()}, expected at least 0: it adds up evidence")
    return r, kappa


def _state_of(evidence: Evidence, model: PriorityModel, tau_r: float, tau_kappa: float) -> Response:
    states = latent_state(
        valence(evidence, model.weights), decisiveness(evidence, model.weights), tau_r, tau_kappa
    )
    answer: Response = states[0]
    return answer
