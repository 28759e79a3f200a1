"""A start for chains: weights and threshold that a step gate allows, by linear programme."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from equipoise.inference.draws import ContradictionError, Problem
from equipoise.inference.kernels.answers import TAU_KAPPA, WIDTH
from equipoise.inference.parameters import CODES
from equipoise.inference.transcripts import Transcript
from equipoise.model.priors import Discrete
from equipoise.model.states import Response


def feasible_point(
    problem: Problem, transcript: Transcript, tau_r: float
) -> tuple[NDArray[np.float64], float]:
    r"""Return weights (m,) and a tau_r under which no answer is ruled out by the step gate.

    They keep the largest possible distance t from all that is ruled out:

    .. math::
        \max t \quad\text{subject to}\quad
        r_\omega(q) - \tau_r &\ge t \quad\text{for first, second and conflicted answers} \\
        \tau_r - r_\omega(q) &\ge t \quad\text{for indifferent ones, and for undecided ones} \\
        &\phantom{\ge t} \quad\text{where there is no band, so that nobody is conflicted} \\
        \omega_j &\ge t, \qquad \textstyle\sum_j \omega_j = 1

    with tau_r a variable too where it is unknown, as far from the ends of its prior's support.
    Where it's known it stays what it is.

    Raises
    ------
    ContradictionError
        If there are none.
    """
    prior = problem.parameters.number_priors.get("tau_r")
    if isinstance(prior, Discrete):
        ranges = [(value, value) for value, p in zip(prior.values, prior.p, strict=True) if p > 0]
    elif prior is not None:
        ranges = [prior.support]
    else:
        ranges = [(tau_r, tau_r)]
    known, below = problem.parameters.known, [Response.INDIFFERENT]
    if known[TAU_KAPPA] == known[WIDTH] == 0:
        below.append(Response.UNDECIDED)
    found = [_widest(problem.priorities, transcript, below, *bounds) for bounds in ranges]
    margin, weights, threshold = max(found, key=lambda solution: solution[0])
    if margin <= 0:
        raise ContradictionError
    return weights, threshold


def _widest(
    priorities: int,
    transcript: Transcript,
    need_less: Sequence[Response],
    least: float,
    greatest: float,
) -> tuple[float, NDArray[np.float64], float]:
    """Return the largest margin for tau_r in a range, with the weights and tau_r that have it."""
    from scipy.optimize import linprog  # rarely needed, and slow to import

    above = np.isin(transcript.codes, [CODES[a] for a in _NEED_VALENCE])
    below = np.isin(transcript.codes, [CODES[a] for a in need_less])
    # Variables: weights, tau_r, margin. As <= 0: tau_r - r + t, r - tau_r + t, t - w_j; and where
    # tau_r has a range, least - tau_r + t and, if it ends somewhere, tau_r - greatest + t.
    ends = np.array([[-1.0, 1.0], [1.0, 1.0]]) if least < greatest else np.zeros((0, 2))
    ends = ends[: 1 if greatest == np.inf else None]
    constraints = np.vstack(
        [
            np.column_stack([np.zeros((len(ends), priorities)), ends]),
            np.column_stack([-transcript.plus[above], np.ones(above.sum()), np.ones(above.sum())]),
            np.column_stack([transcript.plus[below], -np.ones(below.sum()), np.ones(below.sum())]),
            np.column_stack([-np.eye(priorities), np.zeros(priorities), np.ones(priorities)]),
        ]
    )
    solution = linprog(
        c=[0.0] * priorities + [0.0, -1.0],
        A_ub=constraints,
        b_ub=np.concatenate(
            [[-least, greatest][: len(ends)], np.zeros(len(constraints) - len(ends))]
        ),
        A_eq=[[1.0] * priorities + [0.0, 0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * priorities + [(least, greatest), (None, 1)],
    )
    if solution.x is None:
        return -np.inf, np.zeros(priorities), least
    weights = np.maximum(solution.x[:priorities], 0.0)
    return float(solution.x[-1]), weights / weights.sum(), float(solution.x[-2])


_NEED_VALENCE = (Response.FIRST, Response.SECOND, Response.CONFLICTED)
