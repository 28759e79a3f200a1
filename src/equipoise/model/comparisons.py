"""Questions: a comparison of two partial rules, of any number of inputs."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from equipoise.model.tasks import Input, Output, Rule, Task


@dataclass(frozen=True)
class Comparison:
    """A question: should the rule do `first` or `second` at these inputs.

    With one input it is the paper's local pairwise comparison (y, y'; x), with all inputs a
    comparison of whole rules, with a few a bundle.

    Paper: def:pc-query, rem:rule-level-indecision

    Parameters
    ----------
    first, second
        An output for each input; both sides cover the same inputs.

    Examples
    --------
    >>> Comparison({"x1": "a"}, {"x1": "b"}).swapped().first["x1"]
    'b'
    """

    first: Mapping[Input, Output]
    second: Mapping[Input, Output]

    def __post_init__(self) -> None:
        for name, side in (("first", self.first), ("second", self.second)):
            if not isinstance(side, Mapping):
                raise ValueError(f"{name} is {side!r}, expected a mapping from inputs to outputs")
            for x, y in side.items():
                if not isinstance(y, Hashable):
                    raise ValueError(f"{name}[{x!r}] is {y!r}, expected a hashable output")
        if set(self.first) != set(self.second):
            odd = next(iter(set(self.first) ^ set(self.second)))
            raise ValueError(
                f"both sides of a comparison must cover the same inputs; {odd!r} is in only one"
            )
        if not self.first:
            raise ValueError("a comparison needs at least one input, both sides are empty")
        # Own, read-only copies: a question must not change after it was asked.
        second = {x: self.second[x] for x in self.first}
        object.__setattr__(self, "first", MappingProxyType(dict(self.first)))
        object.__setattr__(self, "second", MappingProxyType(second))

    def __reduce__(self) -> tuple[type[Comparison], tuple[dict[Input, Output], ...]]:
        # A read-only view can't be pickled: hand over what it shows.
        return Comparison, (dict(self.first), dict(self.second))

    def __hash__(self) -> int:
        return hash((frozenset(self.first.items()), frozenset(self.second.items())))

    @classmethod
    def local(cls, x: Input, y: Output, other: Output) -> Comparison:
        """Return the local pairwise comparison (y, other; x)."""
        return cls({x: y}, {x: other})

    @classmethod
    def of_rules(cls, rule: Rule, other: Rule) -> Comparison:
        """Return the comparison of two whole rules."""
        return cls(rule, other)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The inputs that the comparison speaks of."""
        return tuple(self.first)

    @property
    def differing(self) -> tuple[Input, ...]:
        """The inputs at which the two sides differ."""
        return tuple(x for x in self.first if self.first[x] != self.second[x])

    def swapped(self) -> Comparison:
        """Return the same question with its sides exchanged."""
        return Comparison(self.second, self.first)

    def check(self, task: Task) -> None:
        """Raise ValueError unless both sides are allowed in the task."""
        for side in (self.first, self.second):
            for x, y in side.items():
                task.code(x, y)

    def differing_mass(self, task: Task) -> float:
        """Return the reference mass of the inputs at which the two sides differ."""
        return float(sum(task.weights[task.position(x)] for x in self.differing))


def local_comparisons(task: Task) -> Iterator[Comparison]:
    """Iterate over the local comparisons of a task, each pair of different outputs once.

    Paper: def:pc-query

    Examples
    --------
    >>> len(list(local_comparisons(Task({"x1": "abc", "x2": "ab"}))))
    4
    """
    for x, allowed in task.outputs.items():
        for y, other in itertools.combinations(allowed, 2):
            yield Comparison.local(x, y, other)
