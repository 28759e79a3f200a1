"""The paper's figures, of outcomes made up."""

import itertools
import re
import xml.etree.ElementTree as ET

import made_up
import numpy as np
import pytest

from equipoise.experiments.methods import METHODS
from equipoise.experiments.paper import speed_figures
from equipoise.experiments.paper.exhibits import DATA_FIGURES, IDEAS
from equipoise.experiments.paper.runs import Case, Conditions, Runs, all_runs
from equipoise.experiments.simulation import Simulation
from equipoise.reports.palette import INK, LINES, TWINS

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def runs():
    """All experiments, on a coarser grid."""
    (runs,) = all_runs(made_up.outcome, [made_up.speed(), made_up.accuracy()])
    return runs


@pytest.fixture(scope="module")
def nothing():
    """Nothing was run."""
    return Runs(Conditions("paper", 50, 1), made_up.speed().simulations, lambda _: None)


def texts(drawing):
    """All text in a figure."""
    return {element.text for element in ET.fromstring(drawing.svg).iter(f"{SVG}text")}


def check_drawing(drawing, title):
    """An image with a name, its text text, its colours with a twin, and the same as pixels."""
    root = ET.fromstring(drawing.svg)
    assert root.attrib["role"] == "img"
    assert next(root.iter(f"{SVG}title")).text == title
    assert drawing.png.startswith(b"\x89PNG")
    assert texts(drawing)
    body = drawing.svg.split("</style>", 1)[1]
    colours = set(re.findall(r"#[0-9a-f]{6}\b", body))
    assert colours <= set(TWINS)
    assert INK[0] in colours
    assert "nan" not in body.split("<defs>", 1)[1].lower().replace("dominant", "")


@pytest.mark.parametrize("figure", DATA_FIGURES, ids=lambda figure: figure.name)
def test_every_figure_with_data_is_drawn(figure, runs):
    """From outcomes to a figure, whatever it shows."""
    check_drawing(figure.make(figure.title, runs), figure.title)


@pytest.mark.parametrize("figure", DATA_FIGURES, ids=lambda figure: figure.name)
def test_without_runs_there_is_no_figure(figure, nothing):
    """And no error either."""
    assert figure.make(figure.title, nothing) is None


@pytest.mark.parametrize("idea", IDEAS, ids=lambda idea: idea.name)
def test_every_idea_is_drawn_of_computed_values(idea):
    """The three conceptual figures need no run."""
    check_drawing(idea.make(idea.title), idea.title)


def test_figures_name_what_they_show(runs):
    """Methods, measures, thresholds and people in words."""
    five = texts(speed_figures.diagonal("A", runs, speed_figures.FIVE))
    assert {*speed_figures.FIVE, "l1 error", "both thresholds 0.4", "questions"} <= five
    grid = texts(speed_figures.full_grid("A", runs, "cosine"))
    assert {*METHODS, "cosine similarity", "valence 0.8", "decisiveness 0.4"} <= grid
    shares = texts(speed_figures.responses("A", runs, speed_figures.EIGHT))
    assert {*METHODS, "indifferent", "conflicted", "undecided", "valence threshold"} <= shares
    three = texts(speed_figures.responses("A", runs, speed_figures.THREE))
    assert "undecided" not in three


def test_some_runs_missing_leave_an_empty_panel():
    """What was run is drawn where it belongs."""
    there = made_up.speed(methods=["utilize-4"], levels=(0.0, 0.4)).simulations
    few = Runs(
        Conditions.of(there[0]),
        there,
        lambda one: made_up.outcome(one) if one.tau_r == 0 else None,
    )
    assert len(few.missing) == 2
    check_drawing(speed_figures.full_grid("A", few, "l1"), "A")
    check_drawing(speed_figures.diagonal("A", few, ["utilize-4", "ignore"]), "A")


def test_one_person_has_no_band_and_one_question_no_line():
    """The least that can be run can be drawn."""
    one = made_up.speed(people=1, queries=1, levels=(0.4,), methods=["ignore", "utilize-4"])
    (least,) = all_runs(made_up.outcome, [one, made_up.accuracy(people=1, queries=1)])
    for figure in DATA_FIGURES:
        check_drawing(figure.make(figure.title, least), figure.title)


def test_shares_are_those_of_all_answers(runs):
    """They sum to one, and people who must choose are never undecided."""
    for method in METHODS:
        shares = speed_figures.answer_shares(runs.speed(method, 0.4, 0.4))
        assert sum(shares) == pytest.approx(1)
    assert speed_figures.answer_shares(runs.speed("correct", 0.4, 0.4))[2:] == [0, 0, 0]
    assert speed_figures.answer_shares(runs.speed("utilize-3", 0.4, 0.4))[4] > 0


def test_methods_look_different_without_colour_or_by_it():
    """No two lines share colour and style; every colour stands out on either ground."""
    looks = list(speed_figures.LOOKS.values())
    assert len(set(looks)) == len(METHODS) == len(looks)
    grounds = ((1.0, 1.0, 1.0), (0x15 / 255, 0x18 / 255, 0x1C / 255))
    for pair, ground in itertools.product(LINES, (0, 1)):
        rgb = [int(pair[ground][i : i + 2], 16) / 255 for i in (1, 3, 5)]
        light, dark = sorted((luminance(rgb), luminance(grounds[ground])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 3


def luminance(rgb):
    """How bright a colour is, from 0 to 1."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def test_runs_are_grouped_by_how_they_were_run_the_papers_way_first():
    """Sampler and pool make a way; people who must choose are found by name."""
    studies = [
        made_up.speed(sampler="smc", pool=1000, methods=["correct"]),
        made_up.speed(sampler="smc", methods=["correct"]),
        made_up.speed(methods=["correct"]),
        made_up.accuracy(),
    ]
    ways = all_runs(made_up.outcome, studies)
    assert [(runs.conditions.sampler, runs.conditions.pool) for runs in ways] == [
        ("paper", 50),
        ("smc", 50),
        ("smc", 1000),
    ]
    assert [len(runs.outcomes) for runs in ways] == [8, 4, 4]
    assert ways[0].accuracy("lexicographic") is not None
    assert ways[1].accuracy("lexicographic") is None
    assert ways[0].levels == [0.4, 0.8]
    assert ways[0].quick


def test_the_papers_sizes_are_not_quick():
    """Forty people, a hundred questions and five levels."""
    full = made_up.speed(people=40, queries=100, levels=(0.0, 0.2, 0.4, 0.6, 0.8))
    assert not Runs(Conditions("paper", 50, 1), full.simulations, lambda _: None).quick


def test_a_missing_outcome_may_be_none_or_a_key_error():
    """A store may say either."""
    simulations = made_up.accuracy().simulations
    for lookup in (lambda _: None, {}.__getitem__):
        runs = Runs(Conditions.of(simulations[0]), simulations, lookup)
        assert runs.missing == simulations
    assert Case.of(Simulation("correct", 0.4, 0.4)) == Case("correct", 0.4, 0.4)
