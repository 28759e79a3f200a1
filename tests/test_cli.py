"""The command line: what it prints, and to whom."""

import json

import pytest
from typer.testing import CliRunner

from equipoise.cli import app

runner = CliRunner()


def run(*arguments):
    """Run the command line."""
    return runner.invoke(app, list(arguments))


def commands():
    """The names of all commands."""
    return [command.name or command.callback.__name__ for command in app.registered_commands]


@pytest.mark.parametrize("command", commands())
def test_every_command_shows_an_example(command):
    """`--help` of each command has an example that starts with the command."""
    shown = run(command, "--help")
    assert shown.exit_code == 0
    assert f"Example: equipoise {command}" in shown.output


def test_help_and_version():
    """The first page lists the commands; the version is the installed one."""
    assert "demo" in run("--help").output
    assert run("--version").output.strip()[0].isdigit()


def test_demo_tells_the_example():
    """Gaps per background rule, evidence, states, the rule chosen, and its regret."""
    shown = run("demo", "--epsilon", "0.2")
    assert shown.exit_code == 0
    for part in ("background", "indifferent", "conflicted", "chooses the rule aa", "0.7"):
        assert part in shown.output


def test_demo_as_json_is_one_object_with_the_papers_numbers():
    """`--json` prints one JSON object and nothing else."""
    example = json.loads(run("demo", "--json").stdout)
    assert example["epsilon"] == 0.1
    assert example["chosen"] == "aa"
    assert example["chosen_regret"] == pytest.approx(0.85)
    assert example["worst_regret"] == pytest.approx(0.95)
    assert [row["egalitarianism"] for row in example["gaps"]] == [-1, 1, -1, 1]
    assert [row["state"] for row in example["readings"]] == ["indifferent", "conflicted"]


@pytest.mark.parametrize("epsilon", ["0", "0.5", "-1", "nan"])
def test_demo_refuses_what_the_example_does_not_allow(epsilon):
    """The error says what came and what was expected, and nothing is printed as a result."""
    shown = run("demo", "--epsilon", epsilon, "--json")
    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert "expected a number above 0 and below 1/2" in " ".join(shown.stderr.split())
