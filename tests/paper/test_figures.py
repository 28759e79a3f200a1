"""The paper's figures: each is drawn, and shows what the text says it shows."""

import made_up
import numpy as np
import pytest

from equipoise.experiments.claims import extra_on_top, toward_profile
from equipoise.experiments.paper import accuracy_figures, conceptual_figures, speed_figures
from equipoise.experiments.paper.conceptual_figures import separability_of, state_map
from equipoise.experiments.paper.exhibits import DATA_FIGURES
from equipoise.experiments.paper.runs import all_runs

DIAGONAL = ["l1 error", "average regret, %", "worst-case regret, %"]


@pytest.fixture(scope="module")
def runs():
    """Some of the experiments, made up."""
    methods = ["utilize-4", "ignore", "correct"]
    (runs,) = all_runs(made_up.outcome, [made_up.speed(methods=methods), made_up.accuracy()])
    return runs


def drawn(label, runs):
    """The text of a figure's file."""
    (figure,) = [figure for figure in DATA_FIGURES if figure.label == label]
    return figure.make(figure.title, runs).svg


def check_people(svg, statistic, runs, unit=1):
    """Each person's name, and the mean beside it."""
    for respondent in accuracy_figures.PEOPLE:
        assert respondent in svg
        mean = unit * statistic(runs.accuracy(respondent)).mean()
        assert f"{mean:.2f} ±" in svg or f"{mean:.3f} ±" in svg or f"{mean:.4f} ±" in svg


def test_fig_threepanel_has_three_errors_of_four_people(runs):
    """(a) l1, (b) average regret, (c) worst-case regret."""
    svg = drawn("fig:threepanel", runs)
    for name in ("(a) l1 error", "(b) average regret, %", "(c) worst-case regret, %"):
        assert name in svg
    check_people(svg, lambda outcome: outcome.measures.l1[:, -1], runs)
    check_people(svg, lambda outcome: outcome.measures.wc_regret[:, -1], runs, unit=100)


def test_fig_biasdecomp_has_two_directions_of_the_error(runs):
    """(a) towards the weightiest priority, (b) towards the own features; both by hand."""
    svg = drawn("fig:biasdecomp", runs)
    outcome = runs.accuracy("self-similar")
    errors = [course.estimates[-1] - course.person.weights for course in outcome.courses]
    tops = [course.person.weights.argmax() for course in outcome.courses]
    profiles = [course.person.profile for course in outcome.courses]
    by_hand = [error[top] for error, top in zip(errors, tops, strict=True)]
    np.testing.assert_allclose(extra_on_top(outcome), by_hand)
    by_hand = [sum(error * v) for error, v in zip(errors, profiles, strict=True)]
    np.testing.assert_allclose(toward_profile(outcome), by_hand)
    check_people(svg, extra_on_top, runs)
    check_people(svg, toward_profile, runs)


def test_fig_cosine_has_the_cosine_of_four_people(runs):
    """Of the last estimates."""
    check_people(drawn("fig:cosine", runs), lambda o: o.measures.cosine[:, -1], runs)


def test_fig_bald_6_and_fig_diag_summary_have_three_measures_on_the_diagonal(runs):
    """Of five methods, and of all eight."""
    for label in ("fig:bald_6", "fig:diag-summary"):
        svg = drawn(label, runs)
        assert all(name in svg for name in DIAGONAL)
        assert svg.count(">both thresholds") == len(runs.levels)
    assert set(speed_figures.FIVE) < set(speed_figures.EIGHT)


def test_fig_respdist_main_and_fig_respdist_grid_have_the_shares_of_answers(runs):
    """Of three methods and of all, which were run, at all thresholds."""
    for label in ("fig:respdist-main", "fig:respdist-grid"):
        svg = drawn(label, runs)
        for name in ("utilize-4", "ignore", "correct", "indifferent", "decisiveness threshold"):
            assert name in svg


def test_fig_grid_l1_and_fig_grid_cos_and_fig_grid_avgreg_and_fig_grid_wcr_have_all_thresholds(
    runs,
):
    """A row for each valence threshold, a column for each decisiveness threshold."""
    names = ("l1 error", "cosine similarity", "average regret, %", "worst-case regret, %")
    labels = ("fig:grid-l1", "fig:grid-cos", "fig:grid-avgreg", "fig:grid-wcr")
    for label, name in zip(labels, names, strict=True):
        svg = drawn(label, runs)
        assert name in svg
        for tau in ("0.4", "0.8"):
            assert f"valence {tau}" in svg
            assert f"decisiveness {tau}" in svg


def test_fig_separability_goes_from_one_end_to_the_other():
    """Four priorities, one of each kind, as their gaps say; the kinds by hand."""
    svg = conceptual_figures.separability_figure("A").svg
    order = ["perfectly separable", "separable", "inseparable", "perfectly inseparable"]
    places = [svg.index(f">{kind}</text>") for kind in order]
    assert places == sorted(places)
    assert separability_of(np.array([0.0, 0.0])) == "perfectly separable"
    assert separability_of(np.array([0.0, 0.3])) == "separable"
    assert separability_of(np.array([-0.2, -0.3])) == "separable"
    assert separability_of(np.array([0.3, 0.3, -0.3])) == "inseparable"
    assert separability_of(np.array([0.3, 0.3, -0.3, -0.3])) == "perfectly inseparable"


def test_fig_priorities_is_drawn_of_all_rules():
    """Each row's levels hold all sixteen rules."""
    svg = conceptual_figures.priorities_figure("A").svg
    for name in ("size", "family", "proportionality", "best", "worst"):
        assert f">{name}</text>" in svg


def test_fig_latent_has_gaps_evidence_and_states():
    """The point lies where the state says; every state has a region."""
    svg = conceptual_figures.latent_figure("A").svg
    for name in ("gaps of each priority", "together", "indifferent", "state: conflicted"):
        assert name in svg
    codes = state_map()
    assert set(np.unique(codes)) == {0, 1, 2, 3}
    beside = ~np.eye(len(codes), dtype=bool)
    np.testing.assert_array_equal((codes.T == 0)[beside], (codes == 1)[beside])
