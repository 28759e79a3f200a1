"""The commands for many experiments: what they print, write and refuse."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from equipoise.cli import app
from equipoise.experiments import campaigns, reproduction, results, runner, studies
from equipoise.experiments.simulation import Simulation
from equipoise.experiments.studies import Study
from equipoise.learner import StandsStill

command = CliRunner()

SPEED = Simulation("utilize-4", 0.4, 0.4, people=3, queries=4, sampler="paper")
ACCURACY = replace(SPEED, method="correct", respondent="lexicographic", stop=StandsStill())


@pytest.fixture
def small(monkeypatch):
    """A paper with two experiments, for tests."""

    def papers(part, *, quick, sampler):
        pair = (Study("speed", (SPEED,)), Study("accuracy", (ACCURACY,)))
        return [study for study in pair if part in ("all", study.part)]

    monkeypatch.setattr(reproduction, "papers", papers)


def run(*arguments):
    """Run the command line."""
    return command.invoke(app, [str(argument) for argument in arguments])


def plain(text):
    """Text without the frames and line ends of a terminal."""
    return " ".join(text.replace("│", " ").split())


def test_reproduce_writes_results_and_continues(small, tmp_path):
    """Done at once, and then nothing is left; one part is enlarged to all."""
    alone = ("--out", tmp_path, "--workers", 1)
    done = run("reproduce", "speed", *alone)
    assert done.exit_code == 0, done.output
    assert "3 of 3 runs are done. Wrote" in plain(done.stdout)
    found = json.loads(run("reproduce", "--json", *alone).stdout)
    files = found.pop("files")
    assert found == {"out": str(tmp_path), "runs": 6, "done": 6}
    names = {Path(file).name for file in files}
    assert names >= {"report.html", "claims.json", "theory.json", "results.csv", "grid-l1.svg"}
    assert all(Path(file).exists() for file in files)
    with open(tmp_path / "results.csv", newline="") as file:
        assert {row["study"] for row in csv.DictReader(file)} == {"speed", "accuracy"}
    assert list(tmp_path.glob(".*")) == []


def test_a_dry_run_tells_and_makes_nothing(small, tmp_path):
    """As a table and as JSON: how much, how much of it is done, and how long the rest takes."""
    out = tmp_path / "out"
    shown = run("reproduce", "--out", out, "--dry-run", "--workers", 3)
    assert shown.exit_code == 0
    for part in ("speed", "accuracy", "by 3 processes", "Nothing was run."):
        assert part in plain(shown.stdout)
    run("reproduce", "speed", "--out", out, "--workers", 1)
    found = json.loads(run("reproduce", "--out", out, "--dry-run", "--json").stdout)
    assert [(row["study"], row["runs"], row["done"]) for row in found["studies"]] == [
        ("speed", 3, 3),
        ("accuracy", 3, 0),
    ]
    assert found["studies"][0]["seconds_on_one_core"] == 0
    assert not (tmp_path / "new").exists()


def test_parts_are_merged(small, tmp_path):
    """Each says what to do next; one that is missing is told, with exit code 1."""
    for i in (1, 2):
        part = run("reproduce", "--out", tmp_path / str(i), "--shard", f"{i}/2", "--workers", 1)
        assert part.exit_code == 0
        assert "3 runs are done and kept in" in plain(part.stdout)
        assert not (tmp_path / str(i) / "results.csv").exists()
    half = run("reproduce", "merge", tmp_path / "1", "--out", tmp_path / "half")
    assert half.exit_code == 1
    assert "3 runs are missing" in half.stderr
    merged = run("reproduce", "merge", tmp_path / "1", tmp_path / "2", "--out", tmp_path / "all")
    assert merged.exit_code == 0, merged.output
    run("reproduce", "--out", tmp_path / "whole", "--workers", 1)
    written = [(tmp_path / name / "results.csv").read_text() for name in ("all", "whole")]
    assert written[0] == written[1]


def test_an_interrupt_says_what_is_done(small, tmp_path, monkeypatch):
    """One sentence, the exit code that shells expect, and the same command continues."""

    def interrupted(batch):
        if batch[0].simulation == ACCURACY:
            raise KeyboardInterrupt
        return learn(batch)

    learn = runner.learn_batch
    monkeypatch.setattr(runner, "learn_batch", interrupted)
    monkeypatch.setattr(runner, "batches", lambda jobs, *_: [(job,) for job in jobs])
    stopped = run("reproduce", "--out", tmp_path, "--workers", 1, "--json")
    assert (stopped.exit_code, stopped.stdout) == (130, "")
    assert plain(stopped.stderr) == (
        f"Interrupted: 3 of 6 runs are done and kept in {tmp_path}, the same command continues."
    )
    monkeypatch.setattr(runner, "learn_batch", learn)
    assert run("reproduce", "--out", tmp_path, "--workers", 1).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["sped"], 2, "part is 'sped', did you mean 'speed'? Expected one of all, speed"),
        (["interviews"], 1, "The interviews can't be reproduced yet"),
        (["--sampler", "papers"], 2, "sampler is 'papers', did you mean 'paper'?"),
        (["--shard", "3/2"], 2, "shard is '3/2', expected i/n such as 1/4"),
        (["--workers", "0"], 2, "greater than or equal to 1"),
        (["--workers", "2", "--dask", "tcp://a:1"], 2, "--dask for another"),
        (["all", "folder"], 2, "only merge takes folders"),
        (["merge"], 1, "There is nothing to merge"),
        (["merge", "nowhere"], 1, "There are no runs in nowhere"),
    ],
)
def test_what_can_not_be_reproduced_is_refused(small, tmp_path, arguments, code, said):
    """One sentence before anything is run, and nothing on standard output."""
    refused = run("reproduce", *arguments, "--out", tmp_path / "out")
    assert refused.exit_code == code
    assert refused.stdout == ""
    assert said in plain(refused.stderr)
    assert not (tmp_path / "out").exists()


def test_a_folder_of_another_study_is_refused(small, tmp_path):
    """What is there stays, and the sentence says where the two differ."""
    run("reproduce", "speed", "--quick", "--out", tmp_path, "--workers", 1)
    before = (tmp_path / "results.csv").read_bytes()
    refused = run("reproduce", "--out", tmp_path, "--workers", 1)
    assert refused.exit_code == 1
    assert "quick is true there and false here. Choose another folder." in plain(refused.stderr)
    assert (tmp_path / "results.csv").read_bytes() == before


def test_a_full_disk_is_told_and_the_runs_stay(small, tmp_path, monkeypatch):
    """Of the results nothing is left half written; the same command writes them."""

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(results.os, "replace", full)
        failed = run("reproduce", "--out", tmp_path, "--workers", 1)
    assert failed.exit_code == 1
    assert "No space left on device): the runs are kept" in plain(failed.stderr)
    assert [path.name for path in tmp_path.iterdir()] == ["runs.sqlite"]
    monkeypatch.setattr(campaigns, "run_missing", lambda *_: None)
    assert run("reproduce", "--out", tmp_path, "--workers", 1).exit_code == 0


FILE = """
format = 1
name = "Small"
method = "correct"
tau_r = 0.4
tau_kappa = 0.4
lapse = [0, 0.1]
people = 2
queries = 3
sampler = "paper"
"""


def test_an_experiment_of_ones_own(tmp_path):
    """A table for a reader, an object for a program, and three files."""
    file, out = tmp_path / "small.toml", tmp_path / "out"
    file.write_text(FILE)
    dry = run("experiment", file, "--out", out, "--dry-run")
    assert "Small" in dry.stdout
    assert not out.exists()
    shown = run("experiment", file, "--out", out, "--workers", 1)
    assert shown.exit_code == 0, shown.output
    for part in ("Small", "lapse", "l1 error", "0.1", " ± ", "summary.json"):
        assert part in plain(shown.stdout)
    found = json.loads(run("experiment", file, "--out", out, "--workers", 1, "--json").stdout)
    assert [row["lapse"] for row in found["summary"]] == [0, 0.1]
    assert found["name"] == "Small"
    assert len(found["files"]) == 3
    file.write_text(FILE.replace("[0, 0.1]", "[0, 0.2]"))
    other = run("experiment", file, "--out", out, "--workers", 1)
    assert other.exit_code == 1
    assert "lapse is [0.0, 0.1] there and [0.0, 0.2] here" in plain(other.stderr)


def test_an_experiment_that_can_not_be_is_refused(tmp_path):
    """With the file, the key, what came and the nearest name."""
    file = tmp_path / "small.toml"
    file.write_text(FILE.replace("people", "peopel"))
    refused = run("experiment", file, "--out", tmp_path / "out", "--json")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "there is no key 'peopel', did you mean 'people'?" in plain(refused.stderr)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_quick_look_is_quick(tmp_path):
    """All of the paper's experiments with few people, on all cores, well within a minute."""
    done = run("reproduce", "--quick", "--out", tmp_path, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["runs"] == found["done"] == 8 * (9 * 8 + 4)
    quick = reproduction.campaign(quick=True)
    assert {s.people for study in quick.studies for s in study.simulations} == {studies.FEW_PEOPLE}
