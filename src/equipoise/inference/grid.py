"""The grid oracle: posteriors of small problems, summed over a grid.

It says the posterior plainly, through `ResponseModel`, and shares nothing with the samplers or
their kernels: it's what they are compared with.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, logsumexp, ndtri

from equipoise.inference.draws import Problem
from equipoise.inference.parameters import NUMBERS
from equipoise.inference.transcripts import Transcript
from equipoise.inference.weights import Dirichlet
from equipoise.model.checks import number_between
from equipoise.model.evidence import Evidence
from equipoise.model.priors import Beta, Discrete, LogNormal, Prior, Uniform
from equipoise.model.states import Response

Array = NDArray[np.float64]

MOST_PRIORITIES = 3
# A number for each takes 30 MB, and one answer a second or two.
MOST_POINTS = 4_000_000
# Probabilities held at once: some ten arrays of this size, of 8 MB each.
CHUNK = 1_000_000


@dataclass(frozen=True, eq=False)
class GridPosterior:
    r"""A posterior on a grid, whose points are pairs of weights and a row of numbers.

    Attributes
    ----------
    problem
        What is to be learned.
    weights
        The weights of the grid; shape (k, m).
    rows
        The response model's numbers, known ones too, as `Parameters` lays them out; shape (l, p).
    mass
        The posterior probability of every pair; shape (l, k).
    log_evidence
        The log probability, before any answer, of the answers that were given.
    """

    problem: Problem
    weights: Array
    rows: Array
    mass: Array
    log_evidence: float

    def mean(self, name: str = "weights") -> Array:
        """Return the posterior mean of the weights (m,), or of an unknown number."""
        values, mass = self._marginal(name)
        return np.asarray(mass @ values)

    def sd(self, name: str = "weights") -> Array:
        """Return the posterior standard deviation of each weight (m,), or of an unknown number."""
        values, mass = self._marginal(name)
        return np.sqrt(mass @ (values - mass @ values) ** 2)

    def interval(self, p: float = 0.9, name: str = "weights") -> Array:
        """Return the ends of the central interval with probability p: (m, 2), or (2,)."""
        tail = (1 - number_between(p, "p", 0, 1)) / 2
        values, mass = self._marginal(name)
        discrete = isinstance(self.problem.parameters.priors.get(name), Discrete)
        ends = [_quantiles(column, mass, [tail, 1 - tail], discrete) for column in _columns(values)]
        return np.array(ends).reshape((*values.shape[1:], 2))

    def predict(self, evidence: Evidence) -> Array:
        """Return the probability of each answer to new questions; shape (n, answers)."""
        total = np.zeros((len(evidence), self.problem.parameters.offered))
        for row, mass in zip(self.rows, self.mass, strict=True):
            model = self.problem.parameters.model(row)
            for part in _parts(len(self.weights), total.size):
                predicted = model.predict(evidence, self.weights[part])  # (n, k, answers)
                total += np.einsum("nka,k->na", predicted, mass[part])
        return total

    def _marginal(self, name: str) -> tuple[Array, Array]:
        """Return the points of the weights or of a number, with their probabilities."""
        if name == "weights":
            return self.weights, self.mass.sum(axis=0)
        if name not in self.problem.parameters.unknown:
            known = " or ".join(("weights", *self.problem.parameters.unknown))
            raise ValueError(f"{name!r} isn't learned here, expected {known}")
        return self.problem.parameters.column(name, self.rows), self.mass.sum(axis=1)


def grid_posterior(
    problem: Problem,
    transcript: Transcript,
    cells: int = 100,
    number_cells: int = 40,
    least: ArrayLike = 0.0,
) -> GridPosterior:
    r"""Return the posterior of a problem with up to three priorities, on a grid.

    .. math::
        p(\omega, \theta \mid \text{answers}) \propto
        p(\omega)\, p(\theta) \prod_i R(\text{answer}_i \mid r_i(\omega), \kappa_i(\omega); \theta)

    The grid's points stand in the middle of cells of equal prior probability; the values of a
    discrete number are its own. So a posterior mean is a mean over points, weighed by likelihood.

    Parameters
    ----------
    problem
        One, two or three priorities, and any unknown numbers; no unknown mixture.
    transcript
        The answers.
    cells
        How many cells lie along the simplex: as many weights for two priorities, the square of it
        for three.
    number_cells
        How many points there are for each unknown number.
    least
        Weights below which the posterior has no mass that counts: one for each priority, or one
        for all. The cells are laid on what is left of the simplex, which makes them finer. It
        takes a uniform prior on weights.

    Notes
    -----
    Under a smooth likelihood errors are of order 1/cells². A step gate without a lapse cuts
    through cells, each of which counts whole or not at all: the edge of what is possible is then
    off by up to half a cell, and means and the ends of intervals by up to 1/(2 cells) for one
    priority against another, where the posterior is narrow and has its mass at that edge; with
    three priorities, and with an unknown tau_r, most of it cancels along the edge. A posterior
    whose standard deviation is less than a few cells is too narrow for the grid, unless `least`
    cuts off most of the simplex around it.

    Examples
    --------
    >>> from equipoise.inference.parameters import Parameters
    >>> from equipoise.model.responses import TwoAnswers
    >>> problem = Problem(2, Parameters(TwoAnswers(beta=2)), Dirichlet(1))
    >>> transcript = Transcript(2)
    >>> transcript.append(Evidence([[1.0, 0.0]], [[0.0, 1.0]]), Response.FIRST)
    >>> grid_posterior(problem, transcript).mean().round(3)
    array([0.641, 0.359])
    """
    weights, covered = _weights(problem.prior, problem.priorities, cells), 1.0
    if np.any(least):
        weights, covered = _above(least, weights, problem.prior)
    rows, chances = _rows(problem, number_cells)
    if rows.shape[0] * weights.shape[0] > MOST_POINTS:
        raise ValueError(
            f"the grid would have {len(weights):,} x {len(rows):,} points, expected at most "
            f"{MOST_POINTS:,}: use fewer cells or number_cells, or let fewer numbers be unknown"
        )
    with np.errstate(divide="ignore"):
        log_mass = _log_likelihood(problem, transcript, weights, rows)
        log_mass += np.log(chances)[:, None] + math.log(covered / len(weights))
    log_evidence = float(logsumexp(log_mass))
    if log_evidence == -math.inf:
        raise ValueError(
            "no point of the grid leaves all answers possible: either nothing does, or the grid "
            "is too coarse to tell; use more cells or number_cells"
        )
    return GridPosterior(problem, weights, rows, np.exp(log_mass - log_evidence), log_evidence)


def _log_likelihood(problem: Problem, transcript: Transcript, weights: Array, rows: Array) -> Array:
    """Return the log likelihood of all answers for rows and weights; shape (l, k)."""
    answers = problem.parameters.responses.answers
    given = [answers.index(list(Response)[code]) for code in transcript.codes]
    asked = np.arange(len(given))
    found = np.zeros((len(rows), len(weights)))
    for part in _parts(len(weights), len(given) * len(answers)):
        r, kappa = weights[part] @ transcript.plus.T, weights[part] @ transcript.minus.T
        for i, row in enumerate(rows):
            predicted = problem.parameters.model(row).probabilities(r, kappa)  # (k, n, answers)
            found[i, part] = np.log(predicted[:, asked, given]).sum(axis=1)
    return found


def _parts(length: int, numbers_each: int) -> list[slice]:
    """Return slices for so many points that their numbers fill a chunk."""
    step = max(CHUNK // max(numbers_each, 1), 1)
    return [slice(begin, begin + step) for begin in range(0, length, step)]


def _weights(prior: Dirichlet, priorities: int, cells: int) -> Array:
    """Return weights, each in the middle of an equally likely part of the simplex; (k, m)."""
    if not 1 <= priorities <= MOST_PRIORITIES:
        raise ValueError(
            f"there are {priorities} priorities, expected at most {MOST_PRIORITIES} for a grid"
        )
    alpha = prior.over(priorities)
    if priorities == 1:
        return np.ones((1, 1))
    if cells ** (priorities - 1) > MOST_POINTS:
        raise ValueError(f"cells is {cells}, for at most {MOST_POINTS:,} points expected fewer")
    u = _middles(cells)
    if priorities == 2:
        share = betaincinv(alpha[0], alpha[1], u)
        return np.column_stack([share, 1 - share])
    if (alpha == 1).all():
        return _triangles(cells)
    # Break off the first weight, and then the second from what is left.
    first = np.repeat(betaincinv(alpha[0], alpha[1] + alpha[2], u), cells)
    second = (1 - first) * np.tile(betaincinv(alpha[1], alpha[2], u), cells)
    return np.column_stack([first, second, 1 - first - second])


def _above(least: ArrayLike, weights: Array, prior: Dirichlet) -> tuple[Array, float]:
    """Return the weights moved to where each is at least so much, and the prior chance of that."""
    priorities = weights.shape[1]
    lows = np.broadcast_to(np.asarray(least, dtype=np.float64), priorities)
    left = 1 - lows.sum()
    if not (lows >= 0).all() or left <= 0:
        raise ValueError(
            f"least is {lows.tolist()}, expected weights that leave something below one"
        )
    if (prior.over(priorities) != 1).any():
        raise ValueError(f"least needs a uniform prior on weights, this one is {prior}")
    return lows + left * weights, float(left ** (priorities - 1))


def _triangles(cells: int) -> Array:
    """Return the centroids of the equal triangles into which lines cut the simplex; (cells², 3)."""
    i, j = np.meshgrid(np.arange(cells), np.arange(cells), indexing="ij")
    upright, upside_down = i + j < cells, i + j < cells - 1
    corners = np.concatenate(
        [
            np.column_stack([i[upright], j[upright]]) + 1 / 3,
            np.column_stack([i[upside_down], j[upside_down]]) + 2 / 3,
        ]
    )
    return np.column_stack([corners, cells - corners.sum(axis=1)]) / cells


def _rows(problem: Problem, number_cells: int) -> tuple[Array, Array]:
    """Return every combination of the unknown numbers' points, (l, p), and their chances, (l,)."""
    parameters = problem.parameters
    if "noise" in parameters.priors:
        raise ValueError("a grid has no room for an unknown mixture, expected a known noise")
    rows, chances = parameters.known[None], np.ones(1)
    for name, prior in parameters.number_priors.items():
        values, p = _points(prior, number_cells)
        if len(rows) * len(values) > MOST_POINTS:
            raise ValueError(
                f"{', '.join(parameters.unknown)} together need more than {MOST_POINTS:,} points: "
                "use fewer number_cells, or let fewer numbers be unknown"
            )
        rows, chances = np.repeat(rows, len(values), axis=0), np.repeat(chances, len(values))
        repeats = len(rows) // len(values)
        rows[:, NUMBERS.index(name)] = np.tile(values, repeats)
        chances = chances * np.tile(p, repeats)
    return rows, chances


def _points(prior: Prior, cells: int) -> tuple[Array, Array]:
    """Return points of an unknown number and their prior probabilities."""
    if isinstance(prior, Discrete):
        return np.array(prior.values), np.array(prior.p)
    return _QUANTILES[type(prior)](prior, _middles(cells)), np.full(cells, 1 / cells)


# Where the prior's distribution function has a value.
_QUANTILES: dict[type, Callable[[Any, Array], Array]] = {
    Uniform: lambda prior, u: prior.a + (prior.b - prior.a) * u,
    Beta: lambda prior, u: betaincinv(prior.a, prior.b, u),
    LogNormal: lambda prior, u: prior.median * np.exp(prior.sigma * ndtri(u)),
}


def _middles(cells: int) -> Array:
    """Return the middles of so many equal parts of [0, 1]."""
    if cells < 1:
        raise ValueError(f"there are {cells} cells, expected at least 1")
    return (np.arange(cells) + 0.5) / cells


def _columns(values: Array) -> Array:
    return values.reshape(len(values), -1).T


def _quantiles(values: Array, mass: Array, p: list[float], discrete: bool) -> Array:
    """Return quantiles of values with a mass each; between values unless they are discrete."""
    points, place = np.unique(np.round(values, 12), return_inverse=True)
    each = np.bincount(place, mass)
    reached = np.cumsum(each)
    if discrete:
        return points[np.minimum(np.searchsorted(reached, p), len(points) - 1)]
    # A point stands in the middle of its cell: half of its mass lies before it.
    return np.interp(p, reached - each / 2, points)
