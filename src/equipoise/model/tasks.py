"""Decision tasks and decision rules."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equipoise.model.checks import SUM_TOLERANCE, finite_array, magnitude
from equipoise.model.lattice import common_unit

# Anything hashable. Not typed as `Hashable`: the key type of a Mapping is invariant, so a
# `dict[str, ...]` would not be accepted.
Input = Any
Output = Any


class Task:
    """A finite decision task: inputs, the outputs allowed at each, how often each input occurs.

    Paper: sec:model, ex:trolley

    Parameters
    ----------
    outputs
        For every input x, the allowed outputs Y(x), in a fixed order.
    weights
        The reference distribution D over inputs; uniform when not given.

    Examples
    --------
    >>> task = Task({"x1": ("a", "b"), "x2": ("a", "b")})
    >>> task.rule_count
    4
    """

    def __init__(
        self,
        outputs: Mapping[Input, Iterable[Output]],
        weights: Mapping[Input, float] | None = None,
    ) -> None:
        if not isinstance(outputs, Mapping):
            raise ValueError(
                f"outputs is {outputs!r}, expected a mapping from each input to its outputs"
            )
        if not outputs:
            raise ValueError("outputs is empty: a task needs at least one input")
        self._outputs = {x: _checked_outputs(x, allowed) for x, allowed in outputs.items()}
        self._codes = {
            x: {y: code for code, y in enumerate(allowed)} for x, allowed in self._outputs.items()
        }
        self._positions = {x: position for position, x in enumerate(self._outputs)}
        self._weights = self._checked_weights(weights)
        self._masses, self._total_mass = _whole_masses(self._weights)
        for array in (self._weights, self._masses):
            array.setflags(write=False)

    def __repr__(self) -> str:
        return f"<Task of {len(self._outputs)} inputs and {magnitude(self.rule_count)} rules>"

    def _checked_weights(self, weights: Mapping[Input, float] | None) -> NDArray[np.float64]:
        if weights is None:
            return np.full(len(self._outputs), 1.0 / len(self._outputs))
        if not isinstance(weights, Mapping):
            raise ValueError(f"weights is {weights!r}, expected a mapping from inputs to numbers")
        if set(weights) != set(self._outputs):
            odd = next(iter(set(weights) ^ set(self._outputs)))
            raise ValueError(
                f"weights and outputs must name the same inputs; {odd!r} is in only one of them"
            )
        vector = finite_array([weights[x] for x in self._outputs], "weights", (None,))
        for x, weight in zip(self._outputs, vector, strict=True):
            if weight < 0:
                raise ValueError(f"weights[{x!r}] is {weight}, expected a number of at least 0")
        if abs(vector.sum() - 1.0) > SUM_TOLERANCE:
            raise ValueError(f"weights sum to {vector.sum():.10g}, expected 1")
        return vector

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The inputs, in the order given."""
        return tuple(self._outputs)

    @property
    def outputs(self) -> Mapping[Input, tuple[Output, ...]]:
        """The allowed outputs of every input."""
        return MappingProxyType(self._outputs)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The reference distribution, aligned with `inputs`; shape (n,)."""
        return self._weights

    @property
    def masses(self) -> NDArray[np.float64]:
        """The weights times `total_mass`, whole numbers whenever the weights are fractions.

        Sums of whole numbers are exact in floating point, in any order. So averages of whole
        quantities that are equal on paper are equal in the computer, and an exact tie stays one.
        """
        return self._masses

    @property
    def total_mass(self) -> float:
        """The number that divides `masses` into `weights`."""
        return self._total_mass

    @property
    def rule_count(self) -> int:
        """How many decision rules there are."""
        return math.prod(len(allowed) for allowed in self._outputs.values())

    def position(self, x: Input) -> int:
        """Return the place of input `x` in `inputs`."""
        try:
            return self._positions[x]
        except (KeyError, TypeError):
            raise ValueError(f"{x!r} is not an input of the task") from None

    def code(self, x: Input, y: Output) -> int:
        """Return the place of output `y` among the outputs allowed at input `x`."""
        self.position(x)
        try:
            return self._codes[x][y]
        except (KeyError, TypeError):  # TypeError: not hashable, so not an output either
            raise ValueError(
                f"output {y!r} is not allowed at input {x!r}, expected one of {self._outputs[x]!r}"
            ) from None

    def rule(self, choices: Mapping[Input, Output]) -> Rule:
        """Return the rule that outputs `choices[x]` at every input x."""
        if not isinstance(choices, Mapping):
            raise ValueError(f"choices is {choices!r}, expected a mapping from inputs to outputs")
        missing = [x for x in self._outputs if x not in choices]
        if missing:
            raise ValueError(f"a rule needs an output at every input; {missing[0]!r} has none")
        for x in choices:
            self.position(x)
        return Rule(self, [self.code(x, choices[x]) for x in self._outputs])


class Rule(Mapping[Input, Output]):
    """A decision rule F: one allowed output for every input of a task.

    `Task.rule` makes one from outputs.

    Paper: sec:model

    Parameters
    ----------
    task
        The task.
    codes
        For each input in order, the place of the output chosen among those allowed there.

    Examples
    --------
    >>> task = Task({"x1": ("a", "b"), "x2": ("a", "b")})
    >>> rule = task.rule({"x1": "a", "x2": "a"})
    >>> dict(rule.project({"x2": "b"}))
    {'x1': 'a', 'x2': 'b'}
    """

    def __init__(self, task: Task, codes: Sequence[int]) -> None:
        sizes = [len(allowed) for allowed in task.outputs.values()]
        if len(codes) != len(sizes) or not all(
            0 <= code < size for code, size in zip(codes, sizes, strict=True)
        ):
            raise ValueError(
                f"codes are {list(codes)}, expected for each input the place of an output: from 0 "
                f"to below {sizes}; `task.rule` takes the outputs themselves"
            )
        self.task = task
        self.codes = tuple(int(code) for code in codes)

    def __getitem__(self, x: Input) -> Output:
        # A Mapping answers an unknown key with KeyError, on which `in` and `get` rest.
        return self.task.outputs[x][self.codes[self.task._positions[x]]]

    def __iter__(self) -> Iterator[Input]:
        return iter(self.task.outputs)

    def __len__(self) -> int:
        return len(self.codes)

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __repr__(self) -> str:
        return f"Rule({dict(self)!r})"

    def project(self, outputs: Mapping[Input, Output]) -> Rule:
        r"""Return the projection: this rule changed to `outputs` at those inputs, else unchanged.

        .. math:: F_{x \to y}(x') = y \text{ if } x' = x, \text{ else } F(x')

        Paper: eq:projection
        """
        if not isinstance(outputs, Mapping):
            raise ValueError(f"outputs is {outputs!r}, expected a mapping from inputs to outputs")
        codes = list(self.codes)
        for x, y in outputs.items():
            codes[self.task.position(x)] = self.task.code(x, y)  # eq:projection
        return Rule(self.task, codes)


def checked_task(task: Task) -> Task:
    """Return `task` if it is one."""
    if not isinstance(task, Task):
        raise ValueError(f"task is {task!r}, expected a Task")
    return task


def checked_rule(rule: Rule, name: str = "rule") -> Rule:
    """Return `rule` if it is one."""
    if not isinstance(rule, Rule):
        raise ValueError(f"{name} is {rule!r}, expected a Rule: `task.rule(...)` makes one")
    return rule


def _checked_outputs(x: Input, outputs: Iterable[Output]) -> tuple[Output, ...]:
    if isinstance(outputs, Set):
        raise ValueError(f"outputs[{x!r}] is a set, expected an order, such as a tuple has")
    try:
        allowed = tuple(outputs)
        different = set(allowed)
    except TypeError:
        raise ValueError(
            f"outputs[{x!r}] is {outputs!r}, expected several hashable outputs, such as a tuple"
        ) from None
    if not allowed:
        raise ValueError(f"outputs[{x!r}] is empty: every input needs an allowed output")
    if len(different) < len(allowed):
        raise ValueError(f"outputs[{x!r}] lists an output twice: {allowed!r}")
    return allowed


def _whole_masses(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return whole masses and their total where the weights are fractions, else the weights."""
    unit = common_unit(weights)
    if unit is None:
        return weights, 1.0
    masses = np.array([round(Fraction(weight) / unit) for weight in weights.tolist()], dtype=float)
    return masses, float(masses.sum())
