"""Where questions come from: random ones, a catalogue, all pairs of a list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.learner.reader import Reader
from equipoise.model.checks import finite_array
from equipoise.model.comparisons import Comparison
from equipoise.model.evidence import Evidence
from equipoise.model.questions import Question, Side

Places = slice | NDArray[np.intp]
NONE_GIVEN = "candidates is empty, expected at least one question"


class Catalogue(Protocol):
    """Questions that may be asked, which can be put to somebody and told apart."""

    def __len__(self) -> int: ...

    def evidence(self, places: Places) -> Evidence:
        """Return what the priorities say of some of the questions."""
        ...

    def sides(self, place: int) -> tuple[Side | None, Side | None]:
        """Return the sides of a question."""
        ...

    def places(self, question: Question) -> Iterable[int]:
        """Return where a question stands here, whichever side is called the first."""
        ...

    def lists(self, candidates: Any) -> bool:
        """Return whether these are the candidates that are listed here."""
        ...


class FeaturePairs:
    """Pairs of feature vectors: sides (n, 2, m)."""

    def __init__(self, sides: NDArray[np.float64]) -> None:
        self._sides = sides

    def __len__(self) -> int:
        return len(self._sides)

    @cached_property
    def _evidence(self) -> Evidence:
        return Evidence.from_features(self._sides)

    def evidence(self, places: Places) -> Evidence:
        """Return differences of features, as evidence."""
        return self._evidence.rows(places)

    def sides(self, place: int) -> tuple[Side, Side]:
        """Return the features of either side."""
        # Not views: a question is kept, and the pool it comes from need not be.
        return self._sides[place, 0].copy(), self._sides[place, 1].copy()

    @cached_property
    def _places(self) -> dict[frozenset[bytes], list[int]]:
        found = defaultdict(list)
        for place in range(len(self)):
            found[frozenset(map(_key, self._sides[place]))].append(place)
        return found

    def places(self, question: Question) -> Iterable[int]:
        """Return where the same two vectors stand."""
        if question.first is None:
            return ()
        return self._places.get(frozenset([_key(question.first), _key(question.second)]), ())

    def lists(self, candidates: Any) -> bool:
        """Return whether the numbers are the same."""
        return not isinstance(candidates, AllPairs | Evidence) and np.array_equal(
            self._sides, candidates
        )


class AllPairs:
    """Every pair of some profiles as a question; none is made before it's looked at.

    Parameters
    ----------
    profiles
        Features in [0, 1]; shape (n, m).

    Examples
    --------
    >>> len(AllPairs([[0.1, 0.9], [0.4, 0.2], [0.7, 0.6]]))
    3
    """

    def __init__(self, profiles: ArrayLike) -> None:
        self.profiles = unit_features(profiles, "profiles", (None, None))
        count = len(self.profiles)
        if count < 2:
            raise ValueError(f"profiles has {count} rows, expected at least two to make a pair")
        # Where the pairs begin whose first is the i-th: (0, 1), (0, 2), ..., (1, 2), ...
        self._begins = np.concatenate([[0], np.cumsum(np.arange(count - 1, 0, -1))])

    def __len__(self) -> int:
        return int(self._begins[-1])

    def __repr__(self) -> str:
        return f"<AllPairs of {len(self.profiles)} profiles>"

    def _pairs(self, places: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        i = np.searchsorted(self._begins, places, side="right") - 1
        return i, places - self._begins[i] + i + 1

    def evidence(self, places: Places) -> Evidence:
        """Return differences of features, as evidence."""
        if isinstance(places, slice):
            places = np.arange(len(self))[places]
        i, j = self._pairs(places)
        return Evidence.from_features(np.stack([self.profiles[i], self.profiles[j]], axis=1))

    def sides(self, place: int) -> tuple[Side, Side]:
        """Return the features of either side."""
        i, j = self._pairs(np.array([place]))
        return self.profiles[i[0]], self.profiles[j[0]]

    @cached_property
    def _rows(self) -> dict[bytes, list[int]]:
        found = defaultdict(list)
        for row, profile in enumerate(self.profiles):
            found[_key(profile)].append(row)
        return found

    def places(self, question: Question) -> Iterable[int]:
        """Return the pairs of the same two vectors."""
        if question.first is None:
            return
        for i in self._rows.get(_key(question.first), ()):
            for j in self._rows.get(_key(question.second), ()):
                low, high = min(i, j), max(i, j)
                if low < high:
                    yield int(self._begins[low]) + high - low - 1

    def lists(self, candidates: Any) -> bool:
        """Return whether it's this very object."""
        return candidates is self


class ComparisonList:
    """Comparisons, read through priorities when they are looked at."""

    def __init__(self, comparisons: Sequence[Comparison], reader: Reader) -> None:
        self._comparisons = list(comparisons)
        self._reader = reader

    def __len__(self) -> int:
        return len(self._comparisons)

    def evidence(self, places: Places) -> Evidence:
        """Return what the priorities say."""
        chosen = np.arange(len(self))[places]
        return self._reader.read([self._comparisons[place] for place in chosen])

    def sides(self, place: int) -> tuple[Side, Side]:
        """Return the outputs on either side."""
        return self._comparisons[place].first, self._comparisons[place].second

    @cached_property
    def _places(self) -> dict[Comparison, list[int]]:
        found = defaultdict(list)
        for place, comparison in enumerate(self._comparisons):
            found[comparison].append(place)
            found[comparison.swapped()].append(place)
        return found

    def places(self, question: Question) -> Iterable[int]:
        """Return where the same two sides stand."""
        comparison = question.comparison
        return () if comparison is None else self._places.get(comparison, ())

    def lists(self, candidates: Any) -> bool:
        """Return whether the comparisons are the same, in the same order."""
        # Asked of the kind first: arrays don't compare to one truth.
        return (
            isinstance(candidates, Sequence)
            and all(isinstance(candidate, Comparison) for candidate in candidates)
            and self._comparisons == list(candidates)
        )


class EvidenceList:
    """Questions known by their evidence only."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence

    def __len__(self) -> int:
        return len(self._evidence)

    def evidence(self, places: Places) -> Evidence:
        """Return some of the rows."""
        return self._evidence.rows(places)

    def sides(self, place: int) -> tuple[None, None]:
        """Return nothing: what stands on either side is only known to who asks."""
        return None, None

    @cached_property
    def _places(self) -> dict[bytes, list[int]]:
        found = defaultdict(list)
        for place in range(len(self)):
            found[_key(self._sides[place])].append(place)
        return found

    @property
    def _sides(self) -> NDArray[np.float64]:
        return np.stack([self._evidence.favour, self._evidence.against], axis=1)

    def places(self, question: Question) -> Iterable[int]:
        """Return where the same evidence stands."""
        if question.first is not None:
            return ()
        sides = np.stack([question.evidence.favour[0], question.evidence.against[0]])
        return self._places.get(_key(sides), ())

    def lists(self, candidates: Any) -> bool:
        """Return whether it's the same evidence."""
        return isinstance(candidates, Evidence) and same_evidence(self._evidence, candidates)


Candidates: TypeAlias = ArrayLike | Sequence[Comparison] | Evidence | AllPairs


def catalogue_of(candidates: Any, priorities: int, reader: Reader | None) -> Catalogue:
    """Return a catalogue of what may be asked of so many priorities.

    They are `Candidates`: with a reader comparisons, without one features; evidence is welcome
    to both.
    """
    if isinstance(candidates, Sequence) and not len(candidates):
        raise ValueError(NONE_GIVEN)
    if isinstance(candidates, Evidence):
        found = candidates.favour.shape[1]
        if found != priorities:
            raise ValueError(
                f"candidates is evidence about {found} priorities, expected {priorities}"
            )
        catalogue: Catalogue = EvidenceList(candidates)
    elif isinstance(candidates, AllPairs):
        _refuse_features(reader)
        if candidates.profiles.shape[1] != priorities:
            raise ValueError(
                f"the profiles have {candidates.profiles.shape[1]} features, expected {priorities}"
            )
        catalogue = candidates
    elif isinstance(candidates, Sequence) and _any_comparison(candidates):
        if reader is None:
            raise ValueError(
                "candidates are comparisons, but this learner was given a number of features: "
                "to ask about a task, give it `task` and a list of priorities"
            )
        for place, comparison in enumerate(candidates):
            if not isinstance(comparison, Comparison):
                raise ValueError(f"candidates[{place}] is {comparison!r}, expected a Comparison")
            comparison.check(reader.task)
        catalogue = ComparisonList(candidates, reader)
    else:
        _refuse_features(reader)
        catalogue = FeaturePairs(unit_features(candidates, "candidates", (None, 2, priorities)))
    if not len(catalogue):
        raise ValueError(NONE_GIVEN)
    return catalogue


def unit_features(values: ArrayLike, name: str, shape: Sequence[int | None]) -> NDArray[np.float64]:
    """Return features as an array, refusing what isn't in [0, 1]."""
    features = finite_array(values, name, shape)
    outside = (features < 0) | (features > 1)
    if outside.any():
        where = tuple(np.argwhere(outside)[0].tolist())
        raise ValueError(
            f"{name}{list(where)} is {features[where]:g}, expected a number in [0, 1]: rescale "
            "every feature so that 0 is its least value and 1 its greatest"
        )
    return features


def same_evidence(one: Evidence, other: Evidence) -> bool:
    """Return whether the numbers are the same."""
    return np.array_equal(one.favour, other.favour) and np.array_equal(one.against, other.against)


def _refuse_features(reader: Reader | None) -> None:
    if reader is not None:
        raise ValueError(
            "candidates are features, but this learner has a task: expected Comparisons of it "
            "(a learner of features is given their number in place of priorities)"
        )


def _any_comparison(candidates: Sequence[Any]) -> bool:
    return any(isinstance(candidate, Comparison) for candidate in candidates)


def _key(side: Any) -> bytes:
    """Return the numbers of a side as something to look up by; minus zero is zero."""
    return (np.asarray(side, dtype=np.float64) + 0.0).tobytes()
