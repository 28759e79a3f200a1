"""Linear features: each priority cares about one feature of the chosen output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.model.checks import finite_array, function_argument
from equipoise.model.priorities.averages import CaseNumber, SeparablePriority, case_numbers
from equipoise.model.tasks import Input, Output, Task


class LinearFeature(SeparablePriority):
    r"""The average of one feature of the chosen output.

    .. math:: u_j(F) = \mathbb{E}_{x \sim D}[\psi_j(x, F(x))]

    Paper: def:linear-perfectly-separable-model (there with D uniform)

    Parameters
    ----------
    name
        How people call it.
    feature
        psi_j: a number for every input and output.

    Examples
    --------
    >>> from equipoise.model.priorities import utility
    >>> gain = {"old": 0.2, "young": 0.8}
    >>> years = LinearFeature("years gained", lambda kidney, patient: gain[patient])
    >>> utility(years, Task({"kidney": ("old", "young")}).rule({"kidney": "old"}))
    0.2
    """

    def __init__(self, name: str, feature: CaseNumber) -> None:
        self._name = name
        self._feature = function_argument(feature, "feature")

    @property
    def name(self) -> str:
        """How people call it."""
        return self._name

    def case_scores(self, x: Input, outputs: Sequence[Output]) -> NDArray[np.float64]:
        """Return psi_j(x, y) for each of the outputs; shape (outputs,)."""
        return case_numbers(self._feature, f"feature {self.name!r}", x, outputs)


def linear_features(
    names: Sequence[str], features: Mapping[Input, ArrayLike], task: Task
) -> list[LinearFeature]:
    """Return one priority for each column of a feature map.

    Paper: def:linear-perfectly-separable-model

    Parameters
    ----------
    names
        The names of the d features.
    features
        For every input an array (outputs, d): the features psi(x, y) of each allowed output.
    task
        The task whose outputs the rows describe.

    Examples
    --------
    >>> from equipoise.model.priorities import utility
    >>> task = Task({"kidney": ("old", "young")})
    >>> (years,) = linear_features(["years"], {"kidney": [[0.2], [0.8]]}, task)
    >>> utility(years, task.rule({"kidney": "young"}))
    0.8
    """
    if not isinstance(features, Mapping) or set(features) != set(task.outputs):
        raise ValueError(
            f"features is {features!r}, expected a mapping that has features for exactly the "
            f"inputs {task.inputs!r}"
        )
    psi = {
        x: finite_array(features[x], f"features[{x!r}]", (len(allowed), len(names)))
        for x, allowed in task.outputs.items()
    }

    def column(j: int) -> CaseNumber:
        return lambda x, y: float(psi[x][task.code(x, y), j])

    return [LinearFeature(name, column(j)) for j, name in enumerate(names)]
