"""Which question to ask next: one that was not asked before, or a deliberate repeat."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from equipoise.acquisition import Improving, information
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters
from equipoise.learner.candidates import (
    Candidates,
    Catalogue,
    ComparisonList,
    FeaturePairs,
    catalogue_of,
)
from equipoise.learner.reader import Reader
from equipoise.learner.session import Session
from equipoise.learner.settings import Settings
from equipoise.model.comparisons import local_comparisons
from equipoise.model.evidence import Evidence
from equipoise.model.questions import Question
from equipoise.model.states import Response

SIDES = (Response.FIRST, Response.SECOND)


@dataclass
class Chooser:
    """Chooses questions about so many priorities; with a reader, about its task."""

    settings: Settings
    parameters: Parameters
    priorities: int
    reader: Reader | None
    _listed: Catalogue | None = None
    _local: Catalogue | None = None

    def choose(
        self,
        session: Session,
        candidates: Candidates | None,
        draws: Draws,
        rng: np.random.Generator,
    ) -> Question:
        """Return the next question of a session."""
        return self._repeat(session, draws, rng) or self._new(session, candidates, draws, rng)

    def evidence(self, candidates: Candidates) -> Evidence:
        """Return what the priorities say of all candidates."""
        return self._catalogue_of(candidates).evidence(slice(None))

    def _new(
        self,
        session: Session,
        candidates: Candidates | None,
        draws: Draws,
        rng: np.random.Generator,
    ) -> Question:
        """Choose a question not asked before. Paper: alg:bald-template (1) to (3)."""
        pool = self.settings.pool
        if candidates is not None:
            catalogue = self._catalogue_of(candidates)
            allowed = _not_asked(catalogue, session)
        elif self.reader is None:
            catalogue = FeaturePairs(_random_sides((pool, 2, self.priorities), session, rng))
            allowed = None
        else:
            catalogue = self._local_comparisons(self.reader)
            allowed = _some(_not_asked(catalogue, session), pool, rng)
        acquisition = self.settings.acquisition
        place, bits = acquisition.choose(catalogue, allowed, draws, self.parameters, rng)
        free = candidates is None and self.reader is None
        if free and isinstance(acquisition, Improving):
            sides = np.array(catalogue.sides(place), dtype=np.float64)
            better, bits = acquisition.improve(sides, draws, self.parameters, rng)
            catalogue, place = FeaturePairs(better[None]), 0
        left = SIDES[rng.integers(2)] if self.settings.swap else Response.FIRST
        return Question(
            session.last + 1,
            *catalogue.sides(place),
            catalogue.evidence(np.array([place])),
            bits,
            left,
            candidate=None if candidates is None else place,
        )

    def _repeat(self, session: Session, draws: Draws, rng: np.random.Generator) -> Question | None:
        """Return a question that was answered before, if now is a time to repeat one."""
        if self.settings.repeats == 0 or rng.random() >= self.settings.repeats:
            return None
        repeated = {question.repeats for question in session.asked.values()}
        # Not the latest: somebody who was just asked remembers what they said.
        earlier = [question for question, _ in session.answers][:-1]
        fresh = [q for q in earlier if q.repeats is None and q.id not in repeated]
        if not fresh:
            return None
        again = fresh[rng.integers(len(fresh))]
        bits = information(again.evidence, draws, self.parameters).bits[0]
        left = SIDES[again.left is SIDES[0]] if self.settings.swap else again.left
        return replace(again, id=session.last + 1, bits=float(bits), left=left, repeats=again.id)

    def _catalogue_of(self, candidates: Candidates) -> Catalogue:
        """Return the catalogue of candidates; the same ones are looked through only once."""
        if self._listed is None or not self._listed.lists(candidates):
            self._listed = catalogue_of(candidates, self.priorities, self.reader)
        return self._listed

    def _local_comparisons(self, reader: Reader) -> Catalogue:
        if self._local is None:
            # Those about an input that never occurs would tell nothing of what the person values.
            occurring = [q for q in local_comparisons(reader.task) if q.differing_mass(reader.task)]
            if not occurring:
                raise ValueError(
                    "the task has no input that occurs and leaves a choice: nothing can be asked"
                )
            self._local = ComparisonList(occurring, reader)
        return self._local


def _random_sides(
    shape: tuple[int, ...], session: Session, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return random features of both sides, none of them asked before."""
    # Only where a question was withdrawn does a step of the session come again, with its numbers.
    again = session.last > len(session.asked)
    asked = [
        q.first[0] for q in session.asked.values() if again and isinstance(q.first, np.ndarray)
    ]
    while True:
        sides = rng.random(shape)
        fresh = sides[~np.isin(sides[:, 0, 0], asked)] if again else sides
        if len(fresh):
            return fresh


def _not_asked(catalogue: Catalogue, session: Session) -> NDArray[np.bool_]:
    allowed = np.ones(len(catalogue), dtype=bool)
    for question in session.asked.values():
        for place in catalogue.places(question):
            allowed[place] = False
    if not allowed.any():
        raise ValueError(
            f"every candidate was asked already ({len(catalogue)} of them): give others"
        )
    return allowed


def _some(allowed: NDArray[np.bool_], count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return at most so many of the allowed places, by chance."""
    places = np.flatnonzero(allowed)
    if len(places) <= count:
        return allowed
    kept = np.zeros_like(allowed)
    kept[rng.choice(places, count, replace=False, shuffle=False)] = True
    return kept
