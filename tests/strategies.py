"""Random people and tasks, each with the same thing written out on plain dictionaries."""

from dataclasses import dataclass

import brute_force
import numpy as np
from hypothesis import strategies as st

import equipoise as eq

GROUPS = ("north", "south", "east")


@dataclass
class Case:
    """A task and priorities, twice: as the library has them and as plain dictionaries."""

    task: eq.Task
    outputs: dict
    weights: dict  # the reference distribution
    priorities: list
    utilities: list  # functions of a plain rule, in range
    omega: np.ndarray

    def model(self, aggregator="average"):
        """The person."""
        return eq.PriorityModel(self.priorities, self.omega, aggregator)

    def plain(self, rule):
        """A library rule as a plain dictionary."""
        return dict(rule)


def generators():
    """Numpy generators with a drawn seed: one draw, and Hypothesis can still vary the case."""
    return st.integers(0, 2**32 - 1).map(np.random.default_rng)


def simplex(rng, size):
    """Weights that sum to one; sometimes with zeros, sometimes all on one."""
    kind = rng.integers(4)
    if kind == 0:
        return np.eye(size)[rng.integers(size)]
    weights = rng.dirichlet(np.ones(size))
    if kind == 1 and size > 1:
        weights[rng.integers(size)] = 0
    return weights / weights.sum()


def random_task(rng, inputs=None):
    """A task of two to four inputs with one to three outputs each."""
    count = int(rng.integers(2, 5)) if inputs is None else inputs
    outputs = {f"x{i}": tuple("abc"[: rng.integers(1, 4)]) for i in range(count)}
    outputs["x0"] = ("a", "b", "c")[: max(2, len(outputs["x0"]))]
    if rng.integers(2):
        weights = dict.fromkeys(outputs, 1 / count)
    else:
        parts = rng.integers(0, 5, size=count) + np.eye(count, dtype=int)[0]
        weights = {x: int(part) / int(parts.sum()) for x, part in zip(outputs, parts, strict=True)}
    return outputs, weights


def table(rng, outputs, draw):
    """A value for every input and output."""
    return {x: {y: draw(rng) for y in allowed} for x, allowed in outputs.items()}


def linear(rng, outputs, weights):
    """A linear feature."""
    psi = table(rng, outputs, lambda rng: float(rng.random()))
    feature = eq.LinearFeature("feature", lambda x, y: psi[x][y])
    return feature, brute_force.linear_utility(weights, psi)


def size(rng, outputs, weights):
    """The size of what is chosen."""
    count = table(rng, outputs, lambda rng: int(rng.integers(3)))
    return (
        eq.Size(lambda x, y: count[x][y]),
        brute_force.best_choice_utility(weights, outputs, count),
    )


def family(rng, outputs, weights):
    """Whether what is chosen has a member."""
    member = table(rng, outputs, lambda rng: bool(rng.integers(2)))
    return (
        eq.Membership(lambda x, y: member[x][y]),
        brute_force.best_choice_utility(weights, outputs, member),
    )


def proportionality(rng, outputs, weights):
    """Groups that may overlap or be nobody's."""
    group = table(rng, outputs, lambda rng: tuple(g for g in GROUPS if rng.integers(2)))
    shares = {g: float(np.round(rng.random(), 2)) for g in GROUPS[: rng.integers(1, 4)]}
    return (
        eq.Proportionality(lambda x, y: group[x][y], shares),
        brute_force.proportionality_utility(weights, group, shares),
    )


def egalitarianism(rng, outputs, weights):
    """Benefits that are zero or one, tenths, or any number."""
    draw = [
        lambda: float(rng.integers(2)),
        lambda: float(rng.integers(11)) / 10,
        lambda: float(rng.random()),
    ][rng.integers(3)]
    benefit = table(rng, outputs, lambda _: {i: draw() for i in GROUPS})
    return (
        eq.Egalitarianism(GROUPS, lambda i, x, y: benefit[x][y][i]),
        brute_force.egalitarianism_utility(weights, GROUPS, benefit),
    )


def equal_treatment(rng, outputs, weights):
    """Counterparts among inputs with as many outputs; a linear feature where there are none."""
    pairs = [
        (x, other, dict(zip(outputs[x], rng.permutation(outputs[other]).tolist(), strict=True)))
        for x in outputs
        for other in outputs
        if x != other and len(outputs[x]) == len(outputs[other]) and rng.integers(2)
    ]
    if not pairs:
        return linear(rng, outputs, weights)
    return eq.EqualTreatment(pairs), brute_force.equal_treatment_utility(pairs)


def custom(rng, outputs, weights):
    """Any function of a rule: here, a number for each."""
    values = {tuple(rule.items()): rng.random() for rule in brute_force.all_rules(outputs)}
    return (
        eq.CustomPriority("custom", lambda rule: values[tuple(rule.items())]),
        lambda rule: values[tuple(rule.items())],
    )


SEPARABLE = (linear, size, family)
CATALOGUE = (*SEPARABLE, proportionality, egalitarianism, equal_treatment, custom)


@st.composite
def cases(draw, kinds=CATALOGUE):
    """A random task and person, as the library and as plain dictionaries have them."""
    rng = draw(generators())
    outputs, weights = random_task(rng)
    made = [
        kinds[rng.integers(len(kinds))](rng, outputs, weights) for _ in range(rng.integers(1, 5))
    ]
    return Case(
        task=eq.Task(outputs, weights),
        outputs=outputs,
        weights=weights,
        priorities=[priority for priority, _ in made],
        utilities=[brute_force.in_range(utility, outputs) for _, utility in made],
        omega=simplex(rng, len(made)),
    )


def random_comparison(rng, outputs, size=None):
    """A comparison of some inputs whose sides differ at the first of them."""
    free = [x for x in outputs if len(outputs[x]) > 1]
    count = int(rng.integers(1, len(outputs) + 1)) if size is None else size
    start = free[rng.integers(len(free))]
    others = [x for x in outputs if x != start]
    inputs = [start, *rng.permutation(others)[: count - 1].tolist()]
    first = {x: outputs[x][rng.integers(len(outputs[x]))] for x in inputs}
    second = {x: outputs[x][rng.integers(len(outputs[x]))] for x in inputs}
    different = [y for y in outputs[start] if y != first[start]]
    second[start] = different[rng.integers(len(different))]
    return eq.Comparison(first, second)
