"""Many rules at once, as integer arrays, so that a utility is computed for all of them together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from equipoise.model.checks import magnitude, random_generator
from equipoise.model.tasks import Input, Output, Rule, Task, checked_rule, checked_task

# Rules handled together: their totals then stay in a core's cache.
CHUNK = 2**16
# One number for each of these takes two gigabytes.
LARGEST_AT_ONCE = 2**28


class RuleSet(Protocol):
    """A sequence of rules of one task.

    A table list holds, for every input in order, an array (outputs, k): k numbers per output.
    """

    task: Task

    def __len__(self) -> int:
        """Return the number of rules."""
        ...

    def codes(self, position: int) -> NDArray[np.intp]:
        """Return which output each rule has at one input; shape (rules,)."""
        ...

    def totals(self, tables: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the sum over inputs of `tables[x][F(x)]` for each rule F; shape (k, rules)."""
        ...

    def __iter__(self) -> Iterator[Rule]:
        """Iterate over the rules one by one."""
        ...


class RuleBox:
    """All rules that have, at every input, one of the outputs listed for it.

    The first input varies slowest, as in `itertools.product`.
    """

    def __init__(self, task: Task, choices: Sequence[NDArray[np.intp]]) -> None:
        self.task = task
        self._choices = tuple(choices)

    def __len__(self) -> int:
        return math.prod(map(len, self._choices))

    def __iter__(self) -> Iterator[Rule]:
        for codes in itertools.product(*self._choices):
            yield Rule(self.task, codes)

    def __getitem__(self, index: int) -> Rule:
        places = np.unravel_index(index, [len(choice) for choice in self._choices])
        return Rule(self.task, [int(c[i]) for c, i in zip(self._choices, places, strict=True)])

    def project(self, outputs: Mapping[Input, Output]) -> RuleBox:
        """Return the different rules among the projections of this box's rules."""
        choices = list(self._choices)
        for x, y in outputs.items():
            choices[self.task.position(x)] = np.array([self.task.code(x, y)])  # eq:projection
        return RuleBox(self.task, choices)

    def _check_size(self) -> None:
        count = math.prod(map(len, self._choices))
        if count > LARGEST_AT_ONCE:
            raise ValueError(
                f"these are {magnitude(count)} rules, too many to hold at once: take them in "
                "parts, by `chunks()`"
            )

    def codes(self, position: int) -> NDArray[np.intp]:
        """Return which output each rule has at one input; shape (rules,)."""
        self._check_size()
        before = math.prod(map(len, self._choices[:position]))
        after = math.prod(map(len, self._choices[position + 1 :]))
        return np.tile(np.repeat(self._choices[position], after), before)

    def totals(self, tables: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the sum over inputs of `tables[x][F(x)]` for each rule F; shape (k, rules)."""
        self._check_size()
        width = tables[0].shape[1]
        totals = np.zeros((width, 1))
        # From the last input to the first: each new input becomes the slowest axis.
        for table, choice in zip(reversed(tables), reversed(self._choices), strict=True):
            longer = np.empty((width, len(choice), totals.shape[1]))
            np.add(table[choice].T[:, :, None], totals[:, None, :], out=longer)
            totals = longer.reshape(width, -1)
        return totals

    def chunks(self, limit: int = CHUNK) -> Iterator[RuleBox]:
        """Split into boxes of at most `limit` rules, in order."""
        inner = len(self._choices)  # inputs from here on are enumerated inside each chunk
        size = 1
        while inner > 0 and size * len(self._choices[inner - 1]) <= limit:
            inner -= 1
            size *= len(self._choices[inner])
        if inner == 0:
            yield self
            return
        divided = self._choices[inner - 1]
        step = max(1, limit // size)
        for leading in itertools.product(*self._choices[: inner - 1]):
            fixed = [np.array([code]) for code in leading]
            for start in range(0, len(divided), step):
                part = divided[start : start + step]
                yield RuleBox(self.task, [*fixed, part, *self._choices[inner:]])


class RuleList:
    """Rules given one by one, as integer codes; shape (inputs, rules)."""

    def __init__(self, task: Task, codes: NDArray[np.intp]) -> None:
        self.task = task
        self._codes = codes

    def __len__(self) -> int:
        return int(self._codes.shape[1])

    def __iter__(self) -> Iterator[Rule]:
        for codes in self._codes.T:
            yield Rule(self.task, codes.tolist())

    def project(self, outputs: Mapping[Input, Output]) -> RuleList:
        """Return the projection of every rule."""
        codes = self._codes.copy()
        for x, y in outputs.items():
            codes[self.task.position(x)] = self.task.code(x, y)  # eq:projection
        return RuleList(self.task, codes)

    def codes(self, position: int) -> NDArray[np.intp]:
        """Return which output each rule has at one input; shape (rules,)."""
        return self._codes[position]

    def totals(self, tables: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the sum over inputs of `tables[x][F(x)]` for each rule F; shape (k, rules)."""
        totals = np.zeros((tables[0].shape[1], len(self)))
        for table, codes in zip(tables, self._codes, strict=True):
            totals += table.T[:, codes]
        return totals


def all_rules(task: Task) -> RuleBox:
    """Return every decision rule of a task.

    Paper: sec:model

    Examples
    --------
    >>> [tuple(rule.values()) for rule in all_rules(Task({"x1": "ab", "x2": "ab"}))]
    [('a', 'a'), ('a', 'b'), ('b', 'a'), ('b', 'b')]
    """
    return RuleBox(task, [np.arange(len(allowed)) for allowed in task.outputs.values()])


def these_rules(task: Task, rules: Sequence[Rule]) -> RuleList:
    """Return the given rules as one set.

    Examples
    --------
    >>> task = Task({"x1": "ab", "x2": "ab"})
    >>> len(these_rules(task, [task.rule({"x1": "a", "x2": "b"})]))
    1
    """
    # The codes of another task's rule may mean other outputs.
    own = [rule if checked_rule(rule).task is task else task.rule(rule) for rule in rules]
    codes = np.array([rule.codes for rule in own], dtype=np.intp)
    return RuleList(task, codes.reshape(len(own), len(task.inputs)).T)


def random_rules(task: Task, count: int, rng: np.random.Generator) -> RuleList:
    """Return rules drawn independently and uniformly from all rules of a task.

    Examples
    --------
    >>> len(random_rules(Task({"x1": "ab", "x2": "ab"}), 5, np.random.default_rng(1)))
    5
    """
    random_generator(rng)
    sizes = [len(allowed) for allowed in checked_task(task).outputs.values()]
    return RuleList(task, np.array([rng.integers(size, size=count) for size in sizes]))
