"""The response family: from valence and decisiveness to the probabilities of the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from equipoise.model.checks import random_generator
from equipoise.model.evidence import Evidence
from equipoise.model.noise import (
    GaussianMixture,
    LogisticNoise,
    Noise,
    NormalNoise,
    UnknownMixture,
    between,
)
from equipoise.model.numbers import ALLOWED, Number, check_number, known_value
from equipoise.model.priors import Beta, LogNormal, Prior
from equipoise.model.rounding import reaches
from equipoise.model.states import (
    Response,
    decisiveness,
    latent_state,
    paired,
    valence,
)

TWO = (Response.FIRST, Response.SECOND)
THREE = (*TWO, Response.UNDECIDED)
FOUR = (*TWO, Response.INDIFFERENT, Response.CONFLICTED)


@dataclass(frozen=True)
class LogisticGate:
    r"""A gate that opens gradually around tau_r, as real people's does.

    .. math:: g(r) = \frac{1}{1 + e^{-s (r - \tau_r)}}

    Parameters
    ----------
    slope
        s, how sharply it opens: a positive number, or a prior under which it is learned.

    Examples
    --------
    >>> soft = FourAnswers(tau_r=0.4, gate=LogisticGate(28))
    >>> soft.probabilities(valence=0.4, decisiveness=0.4)[2]  # P(indifferent)
    np.float64(0.5)
    """

    slope: Number

    def __post_init__(self) -> None:
        check_number("slope", self.slope)


@dataclass(frozen=True)
class ResponseModel:
    r"""How a person's valence and decisiveness turn into an answer.

    With g the gate on the valence r, G the noise's distribution function, and the band
    b = tau_kappa r + width around zero decisiveness,

    .. math::
        P(\text{indifferent}) &= 1 - g(r) \\
        P(\text{first}) &= g(r)\,(1 - G(b - \kappa)) \\
        P(\text{second}) &= g(r)\,G(-b - \kappa) \\
        P(\text{conflicted}) &= g(r)\,(G(b - \kappa) - G(-b - \kappa))

    With three answers, indifferent and conflicted are pooled as undecided. Then, with the
    probability of a lapse, the answer is any of those offered.

    Paper: def:baseline-response-model, def:generic-indecision, app:algo-details

    Parameters
    ----------
    answers
        Two (first, second), three (and undecided) or four (and indifferent, conflicted).
    tau_r
        The valence below which the person is indifferent. Valence is at most 2, unless evidence
        is scaled.
    tau_kappa
        The share of the valence that decisiveness must reach, in [0, 1].
    width
        How much more decisiveness must reach, whatever the valence.
    beta
        The inverse temperature of logistic or normal noise; a mixture doesn't use it.
    noise
        "logistic", "normal", a `GaussianMixture`, or `GaussianMixture.unknown(components)`.
    gate
        "step", or a `LogisticGate`.
    lapse
        The probability that an answer has nothing to do with the question.

    Notes
    -----
    Any number may be a prior instead (`Uniform`, `Beta`, `LogNormal`, `Discrete`). It is then to
    be learned, and must be given a value by `known` before probabilities can be computed.

    Examples
    --------
    >>> model = FourAnswers(tau_r=0.4, tau_kappa=0.4, beta=10)
    >>> model.probabilities(valence=0.5, decisiveness=0.2).round(3)
    array([0.5  , 0.018, 0.   , 0.482])
    """

    answers: tuple[Response, ...]
    _: KW_ONLY
    tau_r: Number = 0.0
    tau_kappa: Number = 0.0
    width: Number = 0.0
    beta: Number = 10.0
    noise: Literal["logistic", "normal"] | GaussianMixture | UnknownMixture = "logistic"
    gate: Literal["step"] | LogisticGate = "step"
    lapse: Number = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", _checked_answers(self.answers))
        for name in ("tau_r", "tau_kappa", "width", "beta", "lapse"):
            check_number(name, getattr(self, name))
        if not isinstance(self.noise, GaussianMixture | UnknownMixture) and (
            not isinstance(self.noise, str) or self.noise not in _NOISES
        ):
            raise ValueError(
                f"noise is {self.noise!r}, expected 'logistic', 'normal', a GaussianMixture or "
                "GaussianMixture.unknown(components)"
            )
        if self.gate != "step" and not isinstance(self.gate, LogisticGate):
            raise ValueError(f"gate is {self.gate!r}, expected 'step' or LogisticGate(slope)")
        undecidable = (self.tau_r, self.tau_kappa, self.width) != (0, 0, 0) or self.gate != "step"
        if self.answers == TWO and undecidable:
            raise ValueError(
                "two answers leave no room for indecision: tau_r, tau_kappa and width must be 0 "
                "and the gate a step; a person who is torn but must choose is a Respondent with "
                "another kind of `indecision`"
            )

    @property
    def unknown(self) -> dict[str, Prior | UnknownMixture]:
        """What is to be learned, by name, each with its prior.

        The slope of a logistic gate is called "slope", an unknown mixture "noise".
        """
        numbers: dict[str, Any] = {name: getattr(self, name) for name in ALLOWED if name != "slope"}
        if isinstance(self.gate, LogisticGate):
            numbers["slope"] = self.gate.slope
        found: dict[str, Prior | UnknownMixture] = {
            name: value for name, value in numbers.items() if isinstance(value, Prior)
        }
        if isinstance(self.noise, GaussianMixture | UnknownMixture):
            found.pop("beta", None)
        if isinstance(self.noise, UnknownMixture):
            found["noise"] = self.noise
        return found

    def known(self, **values: Any) -> ResponseModel:
        """Return the model with some of its unknowns, named as in `unknown`, set.

        Examples
        --------
        >>> FourAnswers(tau_r=Beta(1, 9.5)).known(tau_r=0.1).tau_r
        0.1
        """
        for name in values:
            if name not in self.unknown:
                expected = ", ".join(self.unknown) or "nothing, all is known"
                raise ValueError(f"{name!r} is not to be learned here, expected {expected}")
        if "slope" in values:
            values["gate"] = LogisticGate(values.pop("slope"))
        return replace(self, **values)

    def draw(self, rng: np.random.Generator) -> ResponseModel:
        """Return the model with everything unknown drawn from its prior."""
        return self.known(
            **{
                name: prior.sample(rng)
                if isinstance(prior, UnknownMixture)
                else float(prior.sample(rng, 1)[0])
                for name, prior in self.unknown.items()
            }
        )

    def mixed_with_lapse(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return probabilities (..., answers) after a lapse, which answers anything."""
        lapse = self._value("lapse")
        return (1 - lapse) * probabilities + lapse / probabilities.shape[-1]

    def probabilities(self, valence: ArrayLike, decisiveness: ArrayLike) -> NDArray[np.float64]:
        """Return the probability of each answer; shape (..., answers).

        Parameters
        ----------
        valence, decisiveness
            r and kappa; shapes that broadcast to (...).
        """
        r, kappa = paired(valence, decisiveness)
        noise, g = self._noise(), self._open(r)
        band = self._value("tau_kappa") * r + self._value("width")
        answers = [g * noise.sf(band - kappa), g * noise.cdf(-band - kappa)]
        if self.answers != TWO:  # def:baseline-response-model
            conflicted = g * between(noise, -band - kappa, band - kappa)
            answers += [1 - g, conflicted] if self.answers == FOUR else [(1 - g) + conflicted]
        return self.mixed_with_lapse(np.stack(answers, axis=-1))

    def predict(self, evidence: Evidence, weights: ArrayLike) -> NDArray[np.float64]:
        """Return the probability of each answer to each question; shape (n, ..., answers)."""
        return self.probabilities(valence(evidence, weights), decisiveness(evidence, weights))

    def answer(self, valence: float, decisiveness: float, rng: np.random.Generator) -> Response:
        r"""Draw an answer the way a person comes to it: lapse, gate, then noise on the margin.

        .. math:: \kappa + \varepsilon \ge b \text{ is first,}\quad
                  \kappa + \varepsilon < -b \text{ second,}\quad \varepsilon \sim G

        Its chances are `probabilities`.

        Paper: app:algo-details (noisy latent margin)

        Examples
        --------
        >>> model = FourAnswers(tau_r=0.4, beta=100)
        >>> print(model.answer(0.5, 0.4, np.random.default_rng(0)))
        first
        """
        if random_generator(rng).random() < self._value("lapse"):
            return self.answers[rng.integers(len(self.answers))]
        if rng.random() >= self._open(np.asarray(valence)):
            return self._unsure(Response.INDIFFERENT)
        margin = decisiveness + self._noise().sample(rng)
        band = self._value("tau_kappa") * valence + self._value("width")
        if margin >= band:
            return Response.FIRST
        return Response.SECOND if margin < -band else self._unsure(Response.CONFLICTED)

    def _unsure(self, state: Response) -> Response:
        """Return how somebody says that they are indifferent, or conflicted."""
        return state if self.answers == FOUR else Response.UNDECIDED

    def latent_state(self, valence: ArrayLike, decisiveness: ArrayLike) -> NDArray[np.object_]:
        """Return the state that the answer reports without noise, lapse or a soft gate."""
        return latent_state(
            valence,
            decisiveness,
            self._value("tau_r"),
            self._value("tau_kappa"),
            self._value("width"),
        )

    def _value(self, name: str) -> float:
        return known_value(name, getattr(self, name))

    def _noise(self) -> Noise:
        if isinstance(self.noise, UnknownMixture):
            raise ValueError("noise is unknown: give it a value with `known(noise=...)`")
        if isinstance(self.noise, GaussianMixture):
            return self.noise
        return _NOISES[self.noise](self._value("beta"))

    def _open(self, r: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the gate g(r)."""
        tau_r = self._value("tau_r")
        if isinstance(self.gate, LogisticGate):
            return np.asarray(expit(known_value("slope", self.gate.slope) * (r - tau_r)))
        return reaches(r, tau_r).astype(np.float64)


_NOISES: dict[str, Callable[[float], Noise]] = {
    "logistic": LogisticNoise,
    "normal": NormalNoise,
}


class Parameters(TypedDict, total=False):
    """What a response model may be given besides its answers."""

    tau_r: Number
    tau_kappa: Number
    width: Number
    beta: Number
    noise: Literal["logistic", "normal"] | GaussianMixture | UnknownMixture
    gate: Literal["step"] | LogisticGate
    lapse: Number


def TwoAnswers(**parameters: Unpack[Parameters]) -> ResponseModel:  # noqa: N802 - reads as a kind of model
    """Return a model of forced choice: first or second.

    With logistic noise it is Bradley-Terry, with normal noise Thurstone-Mosteller.

    Paper: lem:zero-thresh, def:score-rum

    Examples
    --------
    >>> TwoAnswers(beta=2).probabilities(valence=0.5, decisiveness=0.5).round(3)
    array([0.731, 0.269])
    """
    return ResponseModel(TWO, **parameters)


def ThreeAnswers(**parameters: Unpack[Parameters]) -> ResponseModel:  # noqa: N802
    """Return a model with one undecided answer.

    With thresholds zero and a width it is Rao-Kupper, whose theta is exp(beta times width).

    Paper: def:generic-indecision

    Examples
    --------
    >>> theta = 1.7
    >>> rao_kupper = ThreeAnswers(beta=1, width=np.log(theta))
    >>> rao_kupper.probabilities(valence=0.0, decisiveness=0.0).round(3)
    array([0.37 , 0.37 , 0.259])
    """
    return ResponseModel(THREE, **parameters)


def FourAnswers(**parameters: Unpack[Parameters]) -> ResponseModel:  # noqa: N802
    """Return a model with indifferent and conflicted answers.

    Paper: def:baseline-response-model

    Examples
    --------
    >>> print(*FourAnswers(tau_r=0.4).answers)
    first second indifferent conflicted
    """
    return ResponseModel(FOUR, **parameters)


def PeopleAnswers() -> ResponseModel:  # noqa: N802
    """Return the four-answer model for real people: everything to be learned.

    The priors have their centres and spreads from fits, one person at a time, to public answers
    about kidney allocation (McElfresh et al. 2021, "Indecision Modeling").

    Examples
    --------
    >>> print(*PeopleAnswers().unknown)
    tau_r tau_kappa width beta lapse slope
    """
    return FourAnswers(
        tau_r=Beta(1, 9.5),
        tau_kappa=Beta(1, 7.4),
        width=Beta(1, 20),
        beta=LogNormal(16, 0.55),
        gate=LogisticGate(LogNormal(28, 0.7)),
        lapse=Beta(1, 49),
    )


def _checked_answers(answers: Iterable[str]) -> tuple[Response, ...]:
    try:
        offered = tuple(Response(answer) for answer in answers)
    except (TypeError, ValueError):
        offered = ()
    if offered not in (TWO, THREE, FOUR):
        raise ValueError(
            f"answers is {answers!r}, expected 'first', 'second'; 'first', 'second', 'undecided'; "
            "or 'first', 'second', 'indifferent', 'conflicted'"
        )
    return offered
