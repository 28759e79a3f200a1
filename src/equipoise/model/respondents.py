"""Simulated people, who may be torn and have to answer all the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.checks import finite_array, random_generator, simplex_vector
from equipoise.model.questions import Question
from equipoise.model.responses import TWO, ResponseModel
from equipoise.model.rounding import difference
from equipoise.model.states import Response, decisiveness, valence

Indecision = Literal["report", "fifty-fifty", "lexicographic", "self-similar"]

FIRST_FOR_SURE = np.array([1.0, 0.0])
SECOND_FOR_SURE = np.array([0.0, 1.0])
COIN = np.array([0.5, 0.5])


@dataclass(frozen=True, eq=False, init=False)
class Respondent:
    """A simulated person.

    With `indecision="report"` they answer by `responses`. Otherwise they must choose a side: in
    a decisive state they answer by `responses` with thresholds zero, and in an indecisive one

    - "fifty-fifty": by a coin;
    - "lexicographic": for the side that the weightiest priority with a preference favours;
    - "self-similar": for the side whose features are nearer to their own `profile`.

    Paper: def:random-under-indecision, def:lex, def:biased, sec:accuracy

    Parameters
    ----------
    weights
        Their true weights; shape (m,).
    responses
        Their true response model, all of it known.
    indecision
        What they do when they are indifferent or torn.
    profile
        Their own features, for "self-similar"; shape (m,).

    Examples
    --------
    >>> from equipoise.model.responses import FourAnswers
    >>> person = Respondent([0.5, 0.5], FourAnswers(tau_r=0.4, tau_kappa=0.4, beta=1000))
    >>> dilemma = Question.of_features([1.0, 0.0], [0.0, 1.0])
    >>> print(person.answer(dilemma, np.random.default_rng(0)))
    conflicted
    """

    weights: NDArray[np.float64]
    responses: ResponseModel
    indecision: Indecision
    profile: NDArray[np.float64] | None

    def __init__(
        self,
        weights: ArrayLike,
        responses: ResponseModel,
        indecision: Indecision = "report",
        profile: ArrayLike | None = None,
    ) -> None:
        omega = simplex_vector(weights, "weights")
        if not isinstance(responses, ResponseModel):
            raise ValueError(f"responses is {responses!r}, expected a response model")
        if responses.unknown:
            raise ValueError(
                f"a respondent's {', '.join(responses.unknown)} must be known, set them with "
                "`known` or draw them with `draw`"
            )
        if indecision != "report" and indecision not in _FORCED:
            kinds = ", ".join(("report", *_FORCED))
            raise ValueError(f"indecision is {indecision!r}, expected one of {kinds}")
        if indecision == "self-similar" and profile is None:
            raise ValueError("a self-similar respondent needs a `profile` of own features")
        own = None if profile is None else finite_array(profile, "profile", omega.shape)
        object.__setattr__(self, "weights", omega)
        object.__setattr__(self, "responses", responses)
        object.__setattr__(self, "indecision", indecision)
        object.__setattr__(self, "profile", own)

    @property
    def answers(self) -> tuple[Response, ...]:
        """The answers that this person may give."""
        return self.responses.answers if self.indecision == "report" else TWO

    @cached_property
    def _forced(self) -> ResponseModel:
        """How they answer where they must choose and are decided. Paper: lem:zero-thresh."""
        return replace(
            self.responses, answers=TWO, tau_r=0.0, tau_kappa=0.0, width=0.0, gate="step"
        )

    def probabilities(self, question: Question) -> NDArray[np.float64]:
        """Return the probability of each of `answers` to a question; shape (answers,)."""
        r, kappa = self._weigh(question)
        responses = self._answer_by(r, kappa)
        return responses.probabilities(r, kappa) if responses else self._choose(question)

    def answer(self, question: Question, rng: np.random.Generator) -> Response:
        """Draw an answer."""
        random_generator(rng)
        r, kappa = self._weigh(question)
        responses = self._answer_by(r, kappa)
        if responses:
            return responses.answer(r, kappa, rng)
        return TWO[int(rng.random() >= self._choose(question)[0])]

    def _answer_by(self, r: float, kappa: float) -> ResponseModel | None:
        """Return the response model they answer by, none where they are torn and must choose."""
        if self.indecision == "report":
            return self.responses
        return self._forced if self.responses.latent_state(r, kappa).item() in TWO else None

    def _choose(self, question: Question) -> NDArray[np.float64]:
        """Return the chances of either side where they are torn and must choose."""
        return self._forced.mixed_with_lapse(_FORCED[self.indecision](self, question))

    def _weigh(self, question: Question) -> tuple[float, float]:
        """Return valence and decisiveness."""
        if not isinstance(question, Question):
            raise ValueError(f"question is {question!r}, expected a Question")
        r = valence(question.evidence, self.weights)
        return float(r[0]), float(decisiveness(question.evidence, self.weights)[0])


def _fifty_fifty(person: Respondent, question: Question) -> NDArray[np.float64]:
    return COIN  # def:random-under-indecision


def _lexicographic(person: Respondent, question: Question) -> NDArray[np.float64]:
    """Follow the weightiest priority with evidence for a side. Paper: def:lex."""
    says = (question.evidence.favour - question.evidence.against)[0]
    by_weight = np.argsort(-person.weights, kind="stable")  # equal weights in order
    decisive = [j for j in by_weight if says[j] != 0]
    return _toward(says[decisive[0]]) if decisive else COIN


def _self_similar(person: Respondent, question: Question) -> NDArray[np.float64]:
    """Follow the nearer side. Paper: def:biased."""
    first, second = (np.asarray(side) for side in (question.first, question.second))
    profile = np.asarray(person.profile)
    if first.shape != profile.shape:
        raise ValueError(
            "a self-similar respondent compares features with their own profile, but this "
            "question's sides are not feature vectors of that length"
        )
    return _toward(float(difference(math.dist(second, profile), math.dist(first, profile))))


def _toward(leaning: float) -> NDArray[np.float64]:
    if leaning == 0:
        return COIN
    return FIRST_FOR_SURE if leaning > 0 else SECOND_FOR_SURE


_FORCED: dict[str, Callable[[Respondent, Question], NDArray[np.float64]]] = {
    "fifty-fifty": _fifty_fifty,
    "lexicographic": _lexicographic,
    "self-similar": _self_similar,
}
