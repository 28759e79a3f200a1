"""Measure how fast Equipoise is, and write what was found to benchmarks/results.md.

Each row is one figure that the design asks for: what it may be at most, and what it was.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import costs
import engine
import learning
import numpy as np
from figures import Figure, median_seconds

import equipoise as eq

RESULTS = Path(__file__).with_name("results.md")
# What stands above the second table.
NUMBERS = (
    "By the paper's sampler at the paper's sizes, mean ± standard error over people. The paper's",
    "people are others, so a number may differ by three standard errors of the difference.",
)


def help_page() -> Iterator[Figure]:
    """Time the command line's help, for which nothing heavy is imported."""
    command = [str(Path(sys.executable).with_name("equipoise")), "--help"]
    run = lambda: subprocess.run(command, check=True, capture_output=True)  # noqa: E731
    yield Figure("`equipoise --help`", 0.5, median_seconds(run))


def every_rule() -> Iterator[Figure]:
    """Time 10^7 background rules and ten priorities, looking at every rule."""
    rng = np.random.default_rng(0)
    sizes = [2] * 7 + [5] * 7  # 2^7 * 5^7 = 10^7 rules
    task = eq.Task({i: tuple("abcde"[:size]) for i, size in enumerate(sizes)})
    number = {(x, y): float(rng.random()) for x, ys in task.outputs.items() for y in ys}
    group = {key: "nsw"[rng.integers(3)] for key in number}
    pairs = [(i, i + 1, {y: y for y in task.outputs[i]}) for i in range(13) if i != 6]
    priorities: list[eq.Priority] = [
        eq.LinearFeature("feature", lambda x, y: number[x, y]),
        eq.LinearFeature("square", lambda x, y: number[x, y] ** 2),
        eq.Size(lambda x, y: number[x, y]),
        eq.Membership(lambda x, y: number[x, y] > 0.5),
        eq.Proportionality(lambda x, y: group[x, y], {"n": 0.3, "s": 0.3, "w": 0.4}),
        eq.Proportionality(lambda x, y: str(y), {"a": 0.5, "b": 0.5}),
        eq.Egalitarianism("nsw", lambda i, x, y: float(group[x, y] == i)),
        eq.Egalitarianism("ab", lambda i, x, y: float(y == i) * number[x, y]),
        eq.EqualTreatment(pairs),
        eq.EqualTreatment(pairs[:5]),
    ]
    question = eq.Comparison.local(3, "a", "b")
    for aggregator in ("average", "maximum", eq.Percentile(50)):
        name = aggregator if isinstance(aggregator, str) else aggregator.name

        def look(aggregator: str | eq.RuleAggregator = aggregator) -> eq.Evidence:
            return eq.evidence(priorities, [question], task, aggregator=aggregator, method="exact")

        what = f"every of {task.rule_count:,} rules, 10 priorities, {name}"
        yield Figure(what, 5.0, median_seconds(look, repeats=3))


def counted_sums() -> Iterator[Figure]:
    """Time proportionality over 1,000 inputs and egalitarianism over 200, by sums."""
    rng = np.random.default_rng(0)
    for what, priority, task in priorities_of_sums(rng):
        for aggregator in ("average", "maximum", eq.Percentile(50)):
            for size in (1, 5):
                questions = random_bundles(rng, task, size)
                yield counted(f"{what}, {size} asked", priority, questions, task, aggregator)


def priorities_of_sums(rng: np.random.Generator) -> Iterator[tuple[str, eq.Priority, eq.Task]]:
    """Iterate over priorities and tasks whose inputs weigh the same, whole numbers, or anything."""
    names = ("a", "b", "c")
    shares = {"a": 0.3, "b": 0.3, "c": 0.4}
    mixed = {i: (0, 1, 2) for i in range(1000)}
    group = {(x, y): "abc"[rng.integers(3)] for x in mixed for y in (0, 1, 2)}
    fair = eq.Proportionality(lambda x, y: group[x, y], shares)
    for kind, parts in {
        "equal": np.ones(1000),
        "whole": rng.integers(1, 50, 1000),
        "any": rng.dirichlet(np.ones(1000)),
    }.items():
        what = f"proportionality, 1,000 inputs, {kind} weights, 3 groups"
        yield what, fair, weighted(mixed, parts)
    even = eq.Proportionality(lambda x, y: str(y), {"a": 0.5, "b": 0.5})
    halves = weighted({i: ("a", "b") for i in range(1000)}, rng.integers(1, 50, 1000))
    yield "proportionality, 1,000 inputs, whole weights, 2 groups alike", even, halves
    pairs = (("a", "b"), ("b", "c"), ("a", "c"), names)
    goods = {i: pairs[rng.integers(4)] for i in range(200)}
    equal = eq.Egalitarianism(names, lambda i, x, y: float(y == i))
    for kind, parts in {"equal": np.ones(200), "whole": rng.integers(1, 4, 200)}.items():
        what = f"egalitarianism, 200 inputs, {kind} weights, 3 recipients"
        yield what, equal, weighted(goods, parts)


def weighted(outputs: Mapping[int, tuple[object, ...]], parts: np.ndarray) -> eq.Task:
    """Return a task whose inputs occur in proportion to some numbers."""
    return eq.Task(outputs, dict(enumerate((parts / parts.sum()).tolist())))


def counted(
    what: str,
    priority: eq.Priority,
    questions: list[eq.Comparison],
    task: eq.Task,
    aggregator: str | eq.RuleAggregator,
) -> Figure:
    """Time the evidence of one question, by sums."""

    def count() -> eq.Evidence:
        return eq.evidence([priority], questions, task, aggregator=aggregator, method="structured")

    name = aggregator if isinstance(aggregator, str) else aggregator.name
    return Figure(f"{what}, {name}", 0.5, median_seconds(count, repeats=1) / len(questions))


def random_bundles(rng: np.random.Generator, task: eq.Task, size: int) -> list[eq.Comparison]:
    """Return ten questions about some inputs, with different outputs at each."""
    bundles = []
    for _ in range(10):
        inputs = rng.choice(len(task.inputs), size=size, replace=False).tolist()
        picks = {x: rng.choice(len(task.outputs[x]), size=2, replace=False) for x in inputs}
        first = {x: task.outputs[x][pick[0]] for x, pick in picks.items()}
        second = {x: task.outputs[x][pick[1]] for x, pick in picks.items()}
        bundles.append(eq.Comparison(first, second))
    return bundles


def machine() -> str:
    """Return what this was measured on."""
    processor = platform.processor() or platform.machine()
    return (
        f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"NumPy {version('numpy')}"
    )


def main() -> None:
    """Measure, print and write down every figure."""
    lines = [
        "# How fast it is",
        "",
        f"`make bench`, {datetime.now(UTC):%Y-%m-%d}, on {machine()}.",
        "",
        "| what | at most | measured |",
        "|---|---:|---:|",
    ]
    groups = (
        help_page,
        learning.first_question,
        learning.simulations,
        engine.speed,
        engine.memory,
        learning.stopping,
        every_rule,
        counted_sums,
        engine.accuracy,
        engine.many_priorities,
        costs.quick_look,
    )
    for group in groups:
        add(lines, map(str, group()))
    lines += ["", "## Where the time of `equipoise reproduce all` goes", ""]
    add(lines, costs.shares())
    lines += ["", "## The paper's numbers", "", *NUMBERS, ""]
    add(lines, learning.papers_numbers())


def add(lines: list[str], rows: Iterable[str]) -> None:
    """Add rows as they are found, and write down what there is: what was measured isn't lost."""
    for row in rows:
        lines.append(row)
        print(row, flush=True)
        RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
