"""The command line: what it prints, and to whom."""

import json
from typing import get_args

import pytest
from typer.testing import CliRunner

from equipoise.acquisition import ACQUISITIONS
from equipoise.cli import app
from equipoise.experiments import running, summaries
from equipoise.experiments.methods import METHODS
from equipoise.experiments.simulation import Behaviour, Simulation
from equipoise.learner.settings import SAMPLERS

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


SMALL = ("simulate", "--people", "3", "--queries", "6", "--workers", "1")


def test_simulate_as_json_has_what_is_promised():
    """One JSON object, nothing else and nothing beside it: measures, answers, and what was run."""
    done = run(*SMALL, "--method", "utilize-3", "--tau-r", ".2", "--tau-kappa", ".3", "--json")
    assert done.exit_code == 0
    assert done.stderr == ""
    found = json.loads(done.stdout)
    for measure in ("l1", "avg_regret", "wc_regret", "cosine"):
        assert set(found[measure]) == {"mean", "se"}
        for numbers in found[measure].values():
            assert len(numbers) == 6
            assert all(isinstance(number, float) for number in numbers)
    assert found["l1"]["mean"][5] < found["l1"]["mean"][0]
    assert list(found["responses"]) == ["first", "second", "undecided"]
    assert sum(found["responses"].values()) == pytest.approx(1)
    assert found["asked"] == [6, 6, 6]
    assert len(found["distinct"]) == 6
    assert all(0 < share <= 1 for share in found["distinct"])
    assert 0 < found["seconds"] < 120
    declared = Simulation("utilize-3", 0.2, 0.3, people=3, queries=6).declaration()
    assert {name: found[name] for name in declared} == declared
    rest = {"l1", "avg_regret", "wc_regret", "cosine", "responses", "asked", "distinct", "seconds"}
    assert set(found) == set(declared) | rest


def test_simulate_passes_every_option_on():
    """Nothing that is typed is forgotten on the way."""
    typed = {"--beta": 5.0, "--dimensions": 3, "--pool": 7, "--seed": 9, "--sampler": "paper"}
    typed |= {
        "--tau-r": 0.25,
        "--tau-kappa": 0.3,
        "--method": "correct",
        "--respondent": "lexicographic",
        "--acquisition": "volume-removal",
    }
    options = [str(word) for pair in typed.items() for word in pair]
    found = json.loads(run(*SMALL, *options, "--stop", "--json").stdout)
    for option, value in typed.items():
        assert found[option[2:].replace("-", "_")] == value
    assert found["stop"] == {"still": {"distance": 0.01, "times": 5}}


def test_simulate_of_one_person_has_no_standard_error():
    """It's null: JSON knows nothing that isn't a number."""
    found = json.loads(run("simulate", "--people", "1", "--queries", "2", "--json").stdout)
    assert found["l1"]["se"] == [None, None]


def test_simulate_repeats():
    """The same seed gives the same numbers, another one others."""
    first, again, other = (
        json.loads(run(*SMALL, "--json", "--seed", seed).stdout) for seed in ("4", "4", "5")
    )
    for found in (first, again, other):
        del found["seconds"]
    assert first == again
    assert first["l1"] != other["l1"]


def test_simulate_tells_it_to_a_reader():
    """What was run, errors after some questions with their standard errors, and the answers."""
    shown = run("simulate", "--people", "2", "--queries", "12", "--stop")
    assert shown.exit_code == 0
    for part in ("utilize-4, τr = 0.4, τκ = 0.4, 2 people", " 10 ", " 12 ", " ± ", "conflicted"):
        assert part in shown.stdout
    assert "stood still" in shown.stdout
    assert " 25 " not in shown.stdout


@pytest.mark.parametrize(
    ("rule", "when"),
    [
        ("still", "the estimate stood still"),
        ("questions=4", "4 questions were asked: for 2 of 2 before"),
        ("width=0.9", "every 90% interval was at most 0.9 wide"),
        ("regret=0.9", "the expected average regret was at most 90%: for 2 of 2 before"),
        ("worst-regret=0.9", "the worst-case regret was at most 90% with a probability of 95%"),
    ],
)
def test_simulate_stops_when_a_rule_is_reached(rule, when):
    """Every rule that can be typed, and what is said of it in the end."""
    options = ("simulate", "--people", "2", "--queries", "12", "--stop-when", rule)
    found = json.loads(run(*options, "--json").stdout)
    assert list(found["stop"]) == [rule.partition("=")[0].removeprefix("worst-")]
    shown = run(*options)
    assert shown.exit_code == 0
    said = " ".join(shown.stdout.split())
    assert f"Asking stopped when {when}" in said
    assert f"{min(found['asked'])} to {max(found['asked'])}." in said


def test_simulate_draws_the_errors(tmp_path):
    """`--plot` writes an SVG beside the JSON."""
    path = tmp_path / "errors.svg"
    done = run(*SMALL, "--plot", str(path), "--json")
    assert json.loads(done.stdout)["queries"] == 6
    svg = path.read_text(encoding="utf-8")
    for part in ("utilize-4, τr = 0.4", "l1 error", "average regret", "worst-case regret"):
        assert part in svg


def test_simulate_keeps_its_result_where_the_figure_fails(monkeypatch, tmp_path):
    """A full disk costs the figure and not the run: the numbers are printed before."""

    def full(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(summaries, "plot", full)
    done = run(*SMALL, "--plot", str(tmp_path / "a.svg"), "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["queries"] == 6
    assert done.stderr == "The figure could not be written: No space left on device\n"


def test_simulate_ends_at_an_interrupt_in_a_sentence(monkeypatch):
    """No traceback, no half of a result, and the exit code that shells expect."""

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "run_on_cores", interrupted)
    done = run(*SMALL, "--json")
    assert (done.exit_code, done.stdout) == (130, "")
    assert done.stderr == "Interrupted: stopped, and nothing was written.\n"


def test_simulate_help_lists_what_there_is():
    """Every method, respondent, sampler and way of choosing can be found without trying."""
    shown = " ".join(run("simulate", "--help").stdout.replace("│", " ").split())
    for name in (*METHODS, *ACQUISITIONS, *get_args(Behaviour), *SAMPLERS):
        assert name in shown


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--method", "guess"], "method is 'guess', expected one of correct, ignore, utilize-3"),
        (["--respondent", "odd"], "respondent is 'odd', expected one of correct, fifty-fifty"),
        (["--respondent", "lexicographic"], "expected one of correct, correct-noise"),
        (["--sampler", "nuts"], "sampler is 'nuts', expected one of smc, paper"),
        (["--acquisition", "best"], "acquisition is 'best', expected one of bald, continuous"),
        (["--people", "0"], "people is 0, expected at least 1"),
        (["--tau-r", "1.5"], "tau_r is 1.5, expected a number in [0, 1]"),
        (["--tau-kappa", "nan"], "tau_kappa is nan, expected a number in [0, 1]"),
        (["--beta", "0"], "beta is 0.0, expected a number above 0"),
        (["--workers", "0"], "greater than or equal to 1"),
        (["--stop-when", "soon"], "the stopping rule is 'soon', expected still, questions=20"),
        (["--stop-when", "width=2"], "width is 2, expected a number in [0, 1]"),
        (["--stop", "--stop-when", "width=0.1"], "expected only one of them"),
        (["--plot", "errors.png"], "errors.png isn't an SVG file, expected a name that ends in"),
        (["--plot", "nowhere/errors.svg"], "there is no folder nowhere, make it first"),
        (["--plot", "folder.svg"], "folder.svg can't be written"),
    ],
)
def test_simulate_refuses_what_can_not_be(options, said, tmp_path, monkeypatch):
    """One sentence before anything is run, exit code 2, and nothing on standard output."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.svg").mkdir()
    monkeypatch.setattr(running, "run_on_cores", None)
    done = run(*SMALL, "--json", *options)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert said in " ".join(done.stderr.replace("│", " ").split())
