"""A response model as a row of numbers, which is how kernels and draws have it."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equipoise.inference.kernels.answers import (
    GAUSSIANS,
    LOGISTIC,
    MIXTURE,
    NORMAL,
)
from equipoise.inference.kernels.priors import (
    BETA_PRIOR,
    DISCRETE,
    KNOWN,
    LOG_NORMAL,
    UNIFORM,
)
from equipoise.inference.kernels.records import Beliefs
from equipoise.inference.weights import Dirichlet
from equipoise.model.noise import GaussianMixture, UnknownMixture
from equipoise.model.priors import Beta, Discrete, LogNormal, Prior, Uniform
from equipoise.model.responses import LogisticGate, ResponseModel
from equipoise.model.states import Response

# The numbers of a response model in the order in which a row has them.
NUMBERS = ("tau_r", "tau_kappa", "width", "beta", "slope", "lapse")
CODES = {answer: code for code, answer in enumerate(Response)}

# How far a random step moves: a number in an interval, as a share of its length, and the logarithm
# of a positive number. tab:bald-hyperparams has them for tau_r, means and log scales.
STEP, LOG_STEP = 0.1, 0.3
MEAN_STEP, LOG_SCALE_STEP = 0.3, 0.3


class Parameters:
    """The numbers of a response model, known and unknown, and where each stands in a row.

    A row has `NUMBERS`, then the weights, the means and the scales of a mixture. A step gate has
    an infinite slope.

    Parameters
    ----------
    responses
        The response model, with priors in place of what is unknown.

    Examples
    --------
    >>> from equipoise.model.responses import FourAnswers
    >>> parameters = Parameters(FourAnswers(tau_r=Uniform(0, 1), tau_kappa=0.4))
    >>> parameters.unknown
    ('tau_r',)
    >>> parameters.known
    array([ nan,  0.4,  0. , 10. ,  inf,  0. ])
    """

    def __init__(self, responses: ResponseModel) -> None:
        if not isinstance(responses, ResponseModel):
            raise ValueError(f"responses is {responses!r}, expected a response model")
        self.responses = responses
        self.priors = responses.unknown
        self.unknown = tuple(self.priors)
        for name, prior in self.priors.items():
            if not isinstance(prior, Uniform | Beta | LogNormal | Discrete | UnknownMixture):
                raise ValueError(
                    f"{name} has the prior {prior!r}; to be learned it must be Uniform, Beta, "
                    "LogNormal or Discrete"
                )

    @property
    def number_priors(self) -> dict[str, Prior]:
        """The priors of unknown numbers, by name; all but that of an unknown mixture."""
        return {n: p for n, p in self.priors.items() if not isinstance(p, UnknownMixture)}

    @property
    def offered(self) -> int:
        """How many answers are on offer."""
        return len(self.responses.answers)

    @property
    def link(self) -> int:
        """The code of the noise."""
        if isinstance(self.responses.noise, str):
            return {"logistic": LOGISTIC, "normal": NORMAL}[self.responses.noise]
        return GAUSSIANS

    @property
    def components(self) -> int:
        """How many components the mixture has, zero where there is none."""
        noise = self.responses.noise
        if isinstance(noise, UnknownMixture):
            return noise.components
        return len(noise.weights) if isinstance(noise, GaussianMixture) else 0

    @cached_property
    def known(self) -> NDArray[np.float64]:
        """A row with what is known, and NaN where it's not."""
        model = self.responses
        slope = model.gate.slope if isinstance(model.gate, LogisticGate) else math.inf
        numbers = [slope if name == "slope" else getattr(model, name) for name in NUMBERS]
        row = [math.nan if isinstance(number, Prior) else number for number in numbers]
        if isinstance(model.noise, GaussianMixture):
            row += [*model.noise.weights, *model.noise.means, *model.noise.scales]
        elif isinstance(model.noise, UnknownMixture):
            row += [math.nan] * (3 * self.components)
        if self.components:
            row[NUMBERS.index("beta")] = 1.0  # a mixture doesn't use it
        return np.array(row, dtype=np.float64)

    @property
    def step_gate(self) -> bool:
        """Whether an answer can be impossible whatever the noise: a step gate and no lapse."""
        return self.responses.gate == "step" and self.responses.lapse == 0

    def draw(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        """Return rows with everything unknown drawn from its prior; shape (size, p)."""
        rows = np.tile(self.known, (size, 1))
        for name, prior in self.priors.items():
            if isinstance(prior, UnknownMixture):
                mixtures = [prior.sample(rng) for _ in range(size)]
                rows[:, MIXTURE:] = [[*m.weights, *m.means, *m.scales] for m in mixtures]
            else:
                rows[:, NUMBERS.index(name)] = prior.sample(rng, size)
        return rows

    def model(self, row: NDArray[np.float64]) -> ResponseModel:
        """Return the response model with everything unknown set as in a row."""
        values: dict[str, Any] = {
            name: float(row[NUMBERS.index(name)]) for name in self.unknown if name != "noise"
        }
        if "noise" in self.unknown:
            values["noise"] = GaussianMixture(*row[MIXTURE:].reshape(3, -1))
        return self.responses.known(**values)

    def column(self, name: str, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return one unknown of every row: (size,), or (size, 3, components) for the noise."""
        if name == "noise":
            return rows[:, MIXTURE:].reshape(len(rows), 3, -1)
        return rows[:, NUMBERS.index(name)]

    def beliefs(self, prior: Dirichlet, priorities: int) -> Beliefs:
        """Return the priors as kernels have them."""
        longest = max(
            [len(p.values) for p in self.number_priors.values() if isinstance(p, Discrete)],
            default=1,
        )
        numbers = np.zeros((len(NUMBERS), 4))
        values = np.full((len(NUMBERS), longest), np.nan)
        log_chances = np.full((len(NUMBERS), longest), -np.inf)
        mixture = np.zeros(0)
        for name, found in self.priors.items():
            if isinstance(found, UnknownMixture):
                bounds = math.log(found.smallest_scale), math.log(found.largest_scale)
                spreads = found.mean_sd, found.log_scale_sd
                mixture = np.array([*spreads, *bounds, MEAN_STEP, LOG_SCALE_STEP])
                continue
            place = NUMBERS.index(name)
            numbers[place] = _as_row(found)
            if isinstance(found, Discrete):
                count = len(found.values)
                values[place, :count] = found.values
                log_chances[place, :count] = found.log_density(found.values)
        return Beliefs(prior.over(priorities), numbers, values, log_chances, mixture)


def _as_row(prior: Prior) -> tuple[float, float, float, float]:
    """Return the kind, the parameters and the size of a step of a prior on a number."""
    if isinstance(prior, Uniform):
        return UNIFORM, prior.a, prior.b, STEP * (prior.b - prior.a)
    if isinstance(prior, Beta):
        return BETA_PRIOR, prior.a, prior.b, STEP
    if isinstance(prior, LogNormal):
        return LOG_NORMAL, prior.median, prior.sigma, LOG_STEP
    return (DISCRETE if isinstance(prior, Discrete) else KNOWN), 0.0, 0.0, 0.0
