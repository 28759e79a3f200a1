"""Rules that are linear in features, and what learned weights cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.checks import finite_array, numbers, simplex_rows, simplex_vector
from equipoise.model.rounding import first_best

# app:regret-computation
INPUTS_JUDGED, OUTPUTS_EACH = 300, 5


def random_inputs(dimensions: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return random inputs to judge a rule by: features in [0, 1], (300, 5, dimensions).

    Paper: app:regret-computation

    Examples
    --------
    >>> random_inputs(3, np.random.default_rng(1)).shape
    (300, 5, 3)
    """
    return rng.random((INPUTS_JUDGED, OUTPUTS_EACH, dimensions))


def linear_choices(weights: ArrayLike, inputs: ArrayLike) -> NDArray[np.intp]:
    r"""Return which output the linear rule picks at each input; shape (n,).

    .. math:: F_\omega(x) = \arg\max_{y \in Y(x)} \langle \omega, \psi(x, y) \rangle

    Among equals, the first.

    Paper: sec:tech, prop:linear-rule-is-aggregate-optimal

    Parameters
    ----------
    weights
        omega; shape (m,).
    inputs
        The features psi(x, y) of k outputs at each of n inputs; shape (n, k, m).

    Examples
    --------
    >>> linear_choices([0.5, 0.5], [[[0.9, 0.0], [0.4, 0.6]]])
    array([1])
    """
    omega = simplex_vector(weights, "weights")
    return _choices(omega[None], _features(inputs, len(omega)))[0]


def _features(inputs: ArrayLike, size: int) -> NDArray[np.float64]:
    """Return psi (n, k, m), refusing inputs at which there is nothing to choose."""
    psi = finite_array(inputs, "inputs", (None, None, size))
    if psi.shape[1] == 0:
        raise ValueError(f"inputs has shape {psi.shape}, expected at least one output at each")
    return psi


def _choices(omegas: NDArray[np.float64], psi: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return what the linear rule of each of t weights picks at each input; shape (t, n)."""
    scores = np.tensordot(omegas, psi, axes=(1, 2))
    return first_best(scores)


def average_regret(true: ArrayLike, learned: ArrayLike, inputs: ArrayLike) -> float:
    r"""Return the share of the available utility that the learned rule loses on average.

    .. math::
        \frac{\sum_x \big(\max_y \langle \omega^*, \psi(x, y) \rangle
                     - \langle \omega^*, \psi(x, F_{\hat\omega}(x)) \rangle\big)}
             {\sum_x \big(\max_y \langle \omega^*, \psi(x, y) \rangle
                     - \min_y \langle \omega^*, \psi(x, y) \rangle\big)}

    Zero where no choice matters.

    Paper: sec:tech (Avg-Regret), app:regret-computation

    Parameters
    ----------
    true, learned
        omega* and omega-hat; shape (m,).
    inputs
        The features psi(x, y) of k outputs at each of n inputs; shape (n, k, m).

    Examples
    --------
    >>> average_regret([1, 0], [0, 1], [[[0.9, 0.0], [0.4, 0.6]], [[0.5, 0.0], [1.0, 1.0]]])
    0.5
    """
    omega = simplex_vector(true, "true")
    hat = simplex_vector(learned, "learned", len(omega))
    return float(average_regrets(omega, hat, inputs)[0])


def average_regrets(true: ArrayLike, learned: ArrayLike, inputs: ArrayLike) -> NDArray[np.float64]:
    """Return the `average_regret` of each of t pairs of weights; shape (t,).

    Paper: sec:tech (Avg-Regret), app:regret-computation

    Parameters
    ----------
    true, learned
        omega* and omega-hat; shape (t, m), or (m,) where all t pairs have the same.
    inputs
        The features psi(x, y) of k outputs at each of n inputs; shape (n, k, m).

    Examples
    --------
    >>> average_regrets([1, 0], [[0, 1], [1, 0]], [[[0.9, 0.0], [0.4, 0.6]]])
    array([1., 0.])
    >>> average_regrets([[1, 0], [0, 1]], [0, 1], [[[0.9, 0.0], [0.4, 0.6]]])
    array([1., 0.])
    """
    omegas, hats = _pairs(true, learned)
    psi = _features(inputs, omegas.shape[1])
    values = psi @ omegas.T
    choices = _choices(hats, psi).T[:, None]
    lost = (values.max(axis=1) - np.take_along_axis(values, choices, axis=1)[:, 0]).sum(axis=0)
    available = np.ptp(values, axis=1).sum(axis=0)
    return np.divide(lost, available, out=np.zeros(len(lost)), where=available > 0)


def _pairs(true: ArrayLike, learned: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return weights as rows that belong together, (t, m) or (1, m), refusing what can't."""
    rows = np.atleast_2d(numbers(true, "true"))
    omegas = simplex_rows(rows, "true", rows.shape[-1])
    hats = simplex_rows(np.atleast_2d(numbers(learned, "learned")), "learned", omegas.shape[1])
    if len({1, len(omegas), len(hats)}) > 2:
        raise ValueError(
            f"true has {len(omegas)} rows and learned has {len(hats)}, expected as many, or one "
            "vector for all"
        )
    return omegas, hats


def worst_case_regret(true: ArrayLike, learned: ArrayLike) -> float:
    r"""Return the largest share of utility that the learned rule can lose on one input.

    .. math::
        \max_{\delta \in [-1, 1]^m} \{\langle \omega^*, \delta \rangle :
            \langle \hat\omega, \delta \rangle \le 0\}
        = \min_{\lambda \ge 0} \| \omega^* - \lambda \hat\omega \|_1

    The right side, the dual of the linear programme on the left, is piecewise linear and convex
    in lambda with kinks at the ratios omega*_j / omega-hat_j. It is least at their median, each
    ratio counted with weight omega-hat_j.

    Paper: sec:tech (WC-Regret), app:rwc, lem:wc-regret-pairwise

    Parameters
    ----------
    true, learned
        omega* and omega-hat; shape (m,).

    Examples
    --------
    >>> worst_case_regret([1.0, 0.0], [0.5, 0.5])
    1.0
    >>> worst_case_regret([0.6, 0.4], [0.6, 0.4])
    0.0
    """
    omega = simplex_vector(true, "true")
    hat = simplex_vector(learned, "learned", len(omega))
    return float(worst_case_regrets(omega, hat)[0])


def worst_case_regrets(true: ArrayLike, learned: ArrayLike) -> NDArray[np.float64]:
    """Return the `worst_case_regret` of each of t pairs of weights; shape (t,).

    Paper: sec:tech (WC-Regret), app:rwc

    Parameters
    ----------
    true, learned
        omega* and omega-hat; shape (t, m), or (m,) where all t pairs have the same.

    Examples
    --------
    >>> worst_case_regrets([1.0, 0.0], [[0.5, 0.5], [1.0, 0.0]])
    array([1., 0.])
    >>> worst_case_regrets([[1.0, 0.0], [0.6, 0.4]], [0.6, 0.4])
    array([0.66666667, 0.        ])
    """
    omegas, hats = np.broadcast_arrays(*_pairs(true, learned))
    ratios = np.full(hats.shape, np.inf)  # where omega-hat is zero there is no kink: it comes last
    with np.errstate(over="ignore"):  # a weight near zero: its kink is far beyond the median
        np.divide(omegas, hats, out=ratios, where=hats > 0)
    order = np.argsort(ratios, axis=1)
    below = np.cumsum(np.take_along_axis(hats, order, axis=1), axis=1)
    middle = np.argmax(below >= below[:, -1:] / 2, axis=1)
    rows = np.arange(len(hats))
    multiplier = ratios[rows, order[rows, middle]]
    return np.abs(omegas - multiplier[:, None] * hats).sum(axis=1)
