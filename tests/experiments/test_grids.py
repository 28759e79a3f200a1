"""Experiments of one's own: what a file may say, and what comes of it."""

import csv
import json
import math
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from equipoise.experiments import grid_summaries
from equipoise.experiments.campaigns import Campaign
from equipoise.experiments.grids import KEYS, experiment_from_data, read_experiment
from equipoise.experiments.jobs import Job
from equipoise.experiments.results import CHECKPOINTS, COLUMNS, checkpoints
from equipoise.experiments.runner import in_this_process
from equipoise.experiments.simulation import Simulation, learn_person
from equipoise.learner import NarrowIntervals, StandsStill
from equipoise.model.states import Response
from equipoise.reports.terminal import Table

EXAMPLES = Path(__file__).parents[2] / "examples"
BASE = {"format": 1, "method": "correct", "tau_r": 0.4, "tau_kappa": 0.4}


def simulations(**data):
    """The experiments that data declare."""
    return experiment_from_data({**BASE, **data}).study.simulations


def test_a_file_without_lists_is_one_experiment():
    """What isn't said is as in `simulate`."""
    assert simulations() == (Simulation("correct", 0.4, 0.4),)


def test_every_key_reaches_the_experiment():
    """Nothing that is written is forgotten."""
    said = {
        "method": "utilize-3",
        "tau_r": 0.1,
        "tau_kappa": 0.2,
        "beta": 5,
        "lapse": 0.03,
        "dimensions": 7,
        "concentration": 0.5,
        "people": 3,
        "queries": 9,
        "sampler": "paper",
        "pool": 11,
        "acquisition": "random",
        "seed": 4,
    }
    (simulation,) = simulations(**said, stop="width=0.1")
    assert {name: getattr(simulation, name) for name in said} == said
    assert simulation.stop == NarrowIntervals(0.1)
    (simulation,) = simulations(respondent="self-similar")
    assert simulation.respondent == "self-similar"


def test_lists_are_combined():
    """Every value with every other, the last list fastest, and what varies is known."""
    data = {**BASE, "method": ["correct", "utilize-4"], "stop": ["never", "still"], "people": 2}
    experiment = experiment_from_data(data)
    assert [(s.method, s.stop) for s in experiment.study.simulations] == [
        ("correct", None),
        ("correct", StandsStill()),
        ("utilize-4", None),
        ("utilize-4", StandsStill()),
    ]
    assert experiment.varied == ("method", "stop")


def test_grids_are_added_up():
    """Each with what stands above them; what two of them share is run once."""
    grids = [{"method": "correct", "respondent": ["fifty-fifty", "correct"]}, {"tau_r": [0.4, 0.6]}]
    data = {**BASE, "grid": grids}
    found = experiment_from_data(data)
    assert [(s.method, s.tau_r, s.respondent) for s in found.study.simulations] == [
        ("correct", 0.4, "fifty-fifty"),
        ("correct", 0.4, "correct"),
        ("correct", 0.6, "correct"),
    ]
    assert found.varied == ("tau_r", "respondent")


def test_an_experiment_is_known_by_its_combinations():
    """Not by how many people there are; any other change makes it another one."""
    first = experiment_from_data({**BASE, "tau_r": [0.2, 0.4]})
    assert (
        first.identity == experiment_from_data({**BASE, "tau_r": [0.2, 0.4], "people": 9}).identity
    )
    for change in ({"tau_r": [0.2]}, {"lapse": 0.1}, {"name": "other"}, {"stop": "still"}):
        other = experiment_from_data({**BASE, "tau_r": [0.2, 0.4], **change})
        assert other.identity != first.identity
    assert json.loads(json.dumps(first.identity)) == first.identity


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 2}, "format is 2, expected `format = 1`"),
        ({"name": 3}, "name is 3, expected a text"),
        ({"methods": "correct"}, "there is no key 'methods', did you mean 'method'?"),
        ({"questions": 10}, "there is no key 'questions', did you mean 'queries'?"),
        ({"method": "utilise-4"}, "method is 'utilise-4', did you mean 'utilize-4'?"),
        ({"method": ["correct", 3]}, "method is 3, expected one of correct"),
        ({"respondent": "lexikographic"}, "did you mean 'lexicographic'?"),
        ({"method": "utilize-4", "respondent": "lexicographic"}, "lets people be undecided"),
        ({"sampler": "smcs"}, "sampler is 'smcs', did you mean 'smc'?"),
        ({"acquisition": "bold"}, "acquisition is 'bold', did you mean 'bald'?"),
        ({"people": "ten"}, "people is 'ten', expected a whole number"),
        ({"people": 2.5}, "people is 2.5, expected a whole number"),
        ({"people": 0}, "people is 0, expected at least 1"),
        ({"queries": True}, "queries is True, expected a whole number"),
        ({"tau_r": "high"}, "tau_r is 'high', expected a number"),
        ({"tau_r": 2}, r"tau_r is 2.0, expected a number in \[0, 1\]"),
        ({"lapse": [0, 1.5]}, r"lapse is 1.5, expected a number in \[0, 1\]"),
        ({"beta": []}, "beta is an empty list, expected at least one value"),
        ({"stop": "soon"}, "the stopping rule is 'soon', expected still, questions=20"),
        ({"stop": 3}, "stop is 3, expected a text"),
        ({"grid": {}}, r"expected `\[\[grid\]\]`"),
        ({"grid": [{"pol": 5}]}, "there is no key 'pol', did you mean 'pool'?"),
        ({"people": 1000, "seed": list(range(2000))}, "that is 2,000,000 people to learn"),
    ],
)
def test_what_can_not_be_is_refused(change, said):
    """With the key, what came, what was expected, and the nearest name."""
    with pytest.raises(ValueError, match=said):
        experiment_from_data({**BASE, **change})


@pytest.mark.parametrize("key", ["method", "tau_r", "tau_kappa"])
def test_what_must_be_said_is_asked_for(key):
    """There is no usual method, and no usual threshold."""
    data = {name: value for name, value in BASE.items() if name != key}
    with pytest.raises(ValueError, match=f"{key} is missing, expected"):
        experiment_from_data(data)


def test_files_that_can_not_be_read_are_told(tmp_path):
    """With the file's name."""
    with pytest.raises(ValueError, match=r"nowhere\.toml can't be read: No such file"):
        read_experiment(tmp_path / "nowhere.toml")
    file = tmp_path / "a.toml"
    file.write_text("format = ")
    with pytest.raises(ValueError, match=r"a\.toml isn't TOML"):
        read_experiment(file)
    file.write_text("format = 1\nmethod = 'guess'\ntau_r = 0\ntau_kappa = 0")
    with pytest.raises(ValueError, match=r"a\.toml: method is 'guess'"):
        read_experiment(file)


def test_the_examples_are_what_they_say():
    """Both files in the folder of examples are read, and ask what their titles ask."""
    ten = read_experiment(EXAMPLES / "ten_priorities.toml")
    assert len(ten.study.simulations) == 8
    assert ten.varied == ("method", "dimensions", "lapse")
    asked = {(s.dimensions, s.lapse, s.queries) for s in ten.study.simulations}
    assert (10, 0.03, 25) in asked
    stop = read_experiment(EXAMPLES / "when_to_stop.toml")
    assert len(stop.study.simulations) == 12
    assert set(stop.varied) == {"method", "respondent", "stop"}


@contextmanager
def no_bar(what, total):
    """A progress bar that nobody sees."""
    yield lambda done: None


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A small experiment, its store and what was written."""
    out = tmp_path_factory.mktemp("experiment")
    data = {**BASE, "method": ["correct", "utilize-3"], "lapse": [0, 0.2], "people": 3}
    experiment = experiment_from_data(
        {**data, "queries": 30, "stop": "questions=7", "name": "Mine"}
    )
    campaign = Campaign(experiment.identity, (experiment.study,))
    with campaign.open(out) as store:
        campaign.run(store, in_this_process, no_bar)
        found = grid_summaries.summary(experiment, store)
        files = grid_summaries.write_outputs(experiment, found, store, out)
    return experiment, found, files, out


def test_results_have_a_row_for_each_run_and_checkpoint(done):
    """Each says what was measured, to the last digit, and what was answered until then."""
    experiment, _, files, out = done
    with files[0].open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(COLUMNS)
    at = [t for t in CHECKPOINTS if t < 7] + [7]
    assert len(rows) == len(experiment.study.simulations) * 3 * len(at)
    remaining = iter(rows)
    with Campaign(experiment.identity, (experiment.study,)).open(out) as store:
        for simulation in experiment.study.simulations:
            outcome = store.outcome(simulation)
            for k, course in enumerate(outcome.courses):
                for t in at:
                    row = next(remaining)
                    said = (row["study"], row["method"], row["person"], row["question"])
                    assert said == ("Mine", simulation.method, str(k), str(t))
                    assert float(row["lapse"]) == simulation.lapse
                    assert row["stop"] == '{"questions": {"count": 7}}'
                    error = np.abs(course.estimates[t - 1] - course.person.weights).sum()
                    assert float(row["l1"]) == pytest.approx(error, abs=1e-15)
                    for name in ("avg_regret", "wc_regret", "cosine"):
                        assert float(row[name]) == getattr(outcome.measures, name)[k, t - 1]
                    assert float(row["distinct"]) == course.distinct[t - 1]
                    counts = [int(row[str(response)]) for response in Response]
                    assert sum(counts) == t
                    assert counts[0] == course.responses[:t].count(Response.FIRST)
    assert checkpoints(1) == [1]
    assert checkpoints(2000) == [*CHECKPOINTS, 2000]


def test_a_summary_has_a_row_for_each_combination(done):
    """Means and standard errors over people in the end, as CSV, JSON and a table."""
    experiment, found, files, _ = done
    assert [file.name for file in files] == ["results.csv", "summary.csv", "summary.json"]
    assert json.loads(files[2].read_text()) == found
    with files[1].open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["l1"]) for row in rows] == [row["l1"] for row in found]
    for row, simulation in zip(found, experiment.study.simulations, strict=True):
        last = [learn_person(simulation, k).estimates[-1] for k in range(3)]
        errors = [
            np.abs(estimate - simulation.person(k).weights).sum() for k, estimate in enumerate(last)
        ]
        assert row["l1"] == pytest.approx(np.mean(errors), abs=1e-14)
        assert row["l1_se"] == pytest.approx(np.std(errors, ddof=1) / math.sqrt(3), abs=1e-14)
        assert (row["asked_median"], row["people"], row["queries"]) == (7, 3, 30)
    table, text = grid_summaries.story(experiment, found)
    assert isinstance(table, Table)
    assert table.columns == ("method", "lapse", "l1 error", "regret, %", "at worst, %")
    assert [row[:2] for row in table.rows] == [
        ("correct", "0"),
        ("correct", "0.2"),
        ("utilize-3", "0"),
        ("utilize-3", "0.2"),
    ]
    assert "after 7 questions" in text
    found = [{**row, "asked_median": i} for i, row in enumerate(found)]
    table, text = grid_summaries.story(experiment, found)
    assert table.columns[:3] == ("method", "lapse", "asked")
    assert [row[2] for row in table.rows] == ["0", "1", "2", "3"]
    assert "as were asked" in text


def test_who_lapses_answers_anything_and_the_learner_knows(done):
    """Lapses change the answers, and both the true and the assumed model have them."""
    experiment, *_ = done
    steady, lapsing = experiment.study.simulations[:2]
    assert steady.person(0).weights.tolist() == lapsing.person(0).weights.tolist()
    assert lapsing.person(0).responses.lapse == 0.2
    assert lapsing.how.assumed(lapsing.truth).lapse == 0.2
    assert steady.person(0).responses.lapse == 0
    assert Job(steady, 0).key != Job(lapsing, 0).key


def test_the_pages_name_every_key_and_column():
    """What a file may say is on its page, and what the results hold is on theirs."""
    docs = EXAMPLES.parent / "docs"
    keys, columns = ((docs / name).read_text() for name in ("experiments.md", "reproduce.md"))
    assert [key for key in KEYS if f"`{key}`" not in keys] == []
    assert [column for column in COLUMNS if f"`{column}`" not in columns] == []
