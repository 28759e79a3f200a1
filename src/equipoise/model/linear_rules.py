"""Rules that are linear in features, and what learned weights cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.checks import finite_array, simplex_vector
from equipoise.model.rounding import first_best


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
    psi = finite_array(inputs, "inputs", (None, None, len(omega)))
    return first_best(psi @ omega)


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
    psi = finite_array(inputs, "inputs", (None, None, len(omega)))
    values = psi @ omega
    hat = simplex_vector(learned, "learned", len(omega))
    chosen = values[np.arange(len(values)), linear_choices(hat, psi)]
    lost = (values.max(axis=1) - chosen).sum()
    available = np.ptp(values, axis=1).sum()
    return float(lost / available) if available > 0 else 0.0


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
    counted = hat > 0  # where omega-hat is zero there is no kink
    with np.errstate(over="ignore"):  # a weight near zero: its kink is far beyond the median
        ratios = omega[counted] / hat[counted]
    order = np.argsort(ratios)
    below = np.cumsum(hat[counted][order])
    middle = int(np.argmax(below >= below[-1] / 2))
    multiplier = ratios[order][middle]
    return float(np.abs(omega - multiplier * hat).sum())
