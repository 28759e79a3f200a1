"""Sequential Monte Carlo over the answers: a population of particles that learns as it goes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equipoise.inference.draws import ContradictionError, Draws, Problem
from equipoise.inference.feasible import feasible_point
from equipoise.inference.kernels.answers import TAU_KAPPA, TAU_R, WIDTH
from equipoise.inference.kernels.populations import (
    answer_chances,
    displacement,
    drawn_by_mass,
    effective_particles,
    missed_gate,
    reweigh,
    spreads,
)
from equipoise.inference.kernels.randomness import stream_from
from equipoise.inference.kernels.records import Answered, Pending
from equipoise.inference.kernels.rejuvenation import rejuvenate
from equipoise.inference.parameters import CODES
from equipoise.inference.transcripts import Transcript
from equipoise.model.rounding import ROUNDING
from equipoise.model.states import Response

Array = NDArray[np.float64]

# Resample where the particles are worth less than this share of their number.
WORTH_KEEPING = 0.5
# An answer that leaves them worth less than this share is taken in by degrees, each of which
# leaves about half.
WORTH_A_STEP, LEFT_BY_A_DEGREE = 0.1, 0.5
# Sweeps go on until particles have moved this far, on a scale on which one is independence.
MOVED_ENOUGH = 0.5
MOST_SWEEPS = 200
# More degrees than this are needed only where particles can't get to where an answer is possible.
MOST_DEGREES = 60
# Sweeps after all particles were put at one point.
SWEEPS_FROM_A_POINT = 30
HALVINGS = 40


@dataclass(frozen=True)
class SMC:
    """Sequential Monte Carlo: after every answer particles are weighed, resampled and moved.

    Every particle is a guess at everything unknown, and has a mass. An answer multiplies masses by
    its probability. When few particles have most of the mass, as many as before are drawn by mass,
    and move along lines through the population by slice sampling, until they have forgotten where
    they were (Del Moral, Doucet and Jasra 2006, "Sequential Monte Carlo samplers").

    An answer that few particles expected is taken in by degrees: its probability to a power that
    rises to one; and where a step gate rules particles out, by a threshold that is first relaxed
    and then tightened.

    Parameters
    ----------
    particles
        How many there are.
    differences
        Along how many differences of other particles each moves in one sweep.
    patience
        How many times as many sweeps are made as seem needed.

    Examples
    --------
    >>> SMC(200)
    SMC(particles=200, differences=2, patience=1)
    """

    particles: int = 1000
    differences: int = 2
    patience: int = 1

    def __post_init__(self) -> None:
        for name, least in (("particles", 10), ("differences", 1), ("patience", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ValueError(
                    f"{name} is {value!r}, expected a whole number of at least {least}"
                )

    def start(self, problem: Problem, rng: np.random.Generator) -> Draws:
        """Return particles from the prior."""
        weights = problem.prior.draw(rng, self.particles, problem.priorities)
        rows = problem.parameters.draw(rng, self.particles)
        info = {"distinct": 1.0, "log_evidence": 0.0, "moved": 1.0, "lost": 0.0}
        return Draws(weights, rows, info=info)

    def update(
        self, draws: Draws, transcript: Transcript, problem: Problem, rng: np.random.Generator
    ) -> Draws:
        """Take in the latest answer."""
        population = _Population(self, draws, transcript, problem, rng)
        population.pass_gate()
        population.take_in()
        if population.worth < WORTH_KEEPING:
            population.renew(population.all_answers, population.pending(1.0, waits=False))
        return population.draws()


class _Population:
    """Particles that take in one answer."""

    def __init__(
        self,
        sampler: SMC,
        draws: Draws,
        transcript: Transcript,
        problem: Problem,
        rng: np.random.Generator,
    ) -> None:
        self.sampler, self.problem, self.rng = sampler, problem, rng
        self.stream = stream_from(rng)
        self.transcript = transcript
        self.weights, self.rows, self.mass = draws.weights, draws.rows, draws.mass
        self.log_evidence = draws.info["log_evidence"]
        self.distinct, self.moved = draws.info["distinct"], draws.info["moved"]
        self.lost = draws.info["lost"] > 0
        self.all_answers = transcript.answered(problem.parameters)
        self.earlier = Answered(
            self.all_answers.plus[:-1],
            self.all_answers.minus[:-1],
            self.all_answers.answers[:-1],
            self.all_answers.link,
            self.all_answers.offered,
        )
        self.sweeps = self.degrees = 0

    def pending(self, power: float, slack: float = 0.0, waits: bool = True) -> Pending:
        """Return the latest answer as kernels have it."""
        answers = self.all_answers
        kind = int(answers.answers[-1])
        return Pending(answers.plus[-1], answers.minus[-1], kind, power, slack, waits)

    @property
    def worth(self) -> float:
        """The effective number of particles, as a share of their number."""
        return effective_particles(self.mass) / len(self.mass)

    def pass_gate(self) -> None:
        """Lead particles to where a step gate leaves the latest answer possible."""
        side = self._side()
        while side != 0:
            short = missed_gate(self.pending(0.0), side, self.weights, self.rows)
            if self.mass[short <= ROUNDING].sum() >= WORTH_A_STEP:
                return
            self.degrees += 1
            if self.degrees > MOST_DEGREES:
                self._begin_at_a_point()
                return
            order = np.argsort(short, kind="stable")
            half = int(np.searchsorted(np.cumsum(self.mass[order]), LEFT_BY_A_DEGREE))
            slack = max(float(short[order[min(half, len(order) - 1)]]), 0.0)
            self._weigh(np.where(short <= slack, 0.0, -np.inf), 1.0)
            # The one that sets the slack passes too, by more than a gate takes for rounding.
            self.renew(self.earlier, self.pending(0.0, slack + 2 * ROUNDING))

    def _side(self) -> int:
        """Return on which side of a step gate valence must be: 1 above, -1 below, 0 either."""
        if not self.problem.parameters.step_gate:
            return 0
        answer, known = self.all_answers.answers[-1], self.problem.parameters.known
        if answer == CODES[Response.UNDECIDED]:
            return -1 if known[TAU_KAPPA] == known[WIDTH] == 0 else 0
        return -1 if answer == CODES[Response.INDIFFERENT] else 1

    def take_in(self) -> None:
        """Multiply masses by the probability of the latest answer, by degrees if need be."""
        power = 0.0
        while power < 1.0:
            log_chances = answer_chances(
                self.pending(1.0),
                self.weights,
                self.rows,
                self.all_answers.link,
                self.all_answers.offered,
            )
            step = self._next_step(log_chances, 1.0 - power)
            self._weigh(log_chances, step)
            power = 1.0 if step == 1.0 - power else power + step
            if power < 1.0:
                self.degrees += 1
                if self.degrees > 2 * MOST_DEGREES:
                    raise ContradictionError
                self.renew(self.earlier, self.pending(power))

    def _next_step(self, log_chances: Array, most: float) -> float:
        """Return by how much the power may rise at once."""
        mass = np.empty_like(self.mass)
        if reweigh(self.mass, log_chances, most, mass) == -math.inf:
            raise ContradictionError
        if effective_particles(mass) >= WORTH_A_STEP * len(mass):
            return most
        low, high = 0.0, most
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            reweigh(self.mass, log_chances, middle, mass)
            if effective_particles(mass) >= LEFT_BY_A_DEGREE * self.worth * len(mass):
                low = middle
            else:
                high = middle
        return low if low > 0 else high

    def _weigh(self, log_chances: Array, power: float) -> None:
        mass = np.empty_like(self.mass)
        self.log_evidence += reweigh(self.mass, log_chances, power, mass)
        self.mass = mass

    def renew(self, answered: Answered, pending: Pending) -> None:
        """Draw particles by mass, and move them until they have forgotten where they were."""
        self._resample()
        for _ in range(self.sampler.patience):
            self._move(answered, pending)
        self.distinct = share_distinct(self.weights, self.rows)

    def _resample(self) -> None:
        """Draw as many particles as there are, by mass."""
        places = np.empty(len(self.mass), dtype=np.int64)
        drawn_by_mass(self.mass, len(places), self.rng.random(), places)
        self.weights, self.rows = self.weights[places], self.rows[places]
        self.mass = np.full(len(places), 1 / len(places))

    def _move(self, answered: Answered, pending: Pending) -> None:
        """Move particles until they have forgotten where they are."""
        weights, rows = self.weights.copy(), self.rows.copy()
        for _ in range(MOST_SWEEPS):
            spread = self._sweep(answered, pending)
            self.moved = displacement(
                self.problem.beliefs, spread, weights, rows, self.weights, self.rows
            )
            if self.moved >= MOVED_ENOUGH:
                return

    def _sweep(self, answered: Answered, pending: Pending) -> Array:
        """Move every particle once, and return how far they were spread."""
        beliefs = self.problem.beliefs
        found = spreads(beliefs, self.weights, self.rows)
        spread = np.where(found > 0, found, 1.0)
        rejuvenate(
            self.stream,
            answered,
            pending,
            beliefs,
            spread,
            self.sampler.differences,
            self.weights,
            self.rows,
        )
        self.sweeps += 1
        return found

    def _begin_at_a_point(self) -> None:
        """Put every particle where all answers are possible, by linear programme, and move them."""
        point, tau_r = feasible_point(self.problem, self.transcript, self.rows[0, TAU_R])
        self._resample()
        self.weights = np.tile(point, (len(self.mass), 1))
        self.rows[:, TAU_R] = tau_r
        for _ in range(SWEEPS_FROM_A_POINT):
            self._sweep(self.earlier, self.pending(0.0))
        self.distinct = share_distinct(self.weights, self.rows)
        self.lost = True

    def draws(self) -> Draws:
        """Return the particles as draws."""
        info = {
            "distinct": self.distinct,
            "log_evidence": math.nan if self.lost else self.log_evidence,
            "moved": self.moved,
            "lost": float(self.lost),
            "sweeps": float(self.sweeps),
            "degrees": float(self.degrees),
        }
        return Draws(self.weights, self.rows, self.mass, info)


def share_distinct(weights: Array, rows: Array) -> float:
    """Return the share of particles that are not copies of others."""
    unknown = np.ptp(np.where(np.isfinite(rows), rows, 0.0), axis=0) > 0
    columns = np.column_stack([weights, rows[:, unknown]])
    # Sums of multiples tell rows apart, and are found much faster than rows are sorted.
    multiples = np.sqrt(np.arange(2, 2 + columns.shape[1]))
    return len(np.unique((columns * multiples).sum(axis=1))) / len(columns)
