"""Section `sec:tech` with its proofs: linear models, weight recovery, regret, convergence."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from scipy.optimize import linprog
from strategies import generators, simplex

import equipoise as eq
from equipoise.inference.draws import Draws
from equipoise.model.noise import between


def random_linear(rng):
    """A task with uniform weights, its features (n, k, d), and one priority per feature."""
    n, k, d = rng.integers(1, 5), rng.integers(2, 4), rng.integers(1, 5)
    features = rng.random((n, k, d))
    task = eq.Task({f"x{i}": tuple(range(k)) for i in range(n)})
    by_input = {f"x{i}": features[i] for i in range(n)}
    names = [f"feature {j}" for j in range(d)]
    return task, features, eq.linear_features(names, by_input, task)


@given(generators())
def test_def_linear_perfectly_separable_model_utilities_and_gaps(rng):
    """u_j averages feature j of what is chosen; its gap is the difference over |X|, always."""
    task, features, priorities = random_linear(rng)
    n, k, _ = features.shape
    rules = list(eq.all_rules(task))
    rule = rules[rng.integers(len(rules))]
    chosen = np.array([features[i, y] for i, y in enumerate(rule.values())])
    for j, priority in enumerate(priorities):
        assert eq.utility(priority, rule) == pytest.approx(chosen[:, j].mean(), abs=1e-12)
    i, (y, other) = rng.integers(n), rng.choice(k, 2, replace=False)
    question = eq.Comparison.local(f"x{i}", int(y), int(other))
    expected = (features[i, y] - features[i, other]) / n
    for priority, gap in zip(priorities, expected, strict=True):
        gaps = eq.projection_gaps(priority, question, eq.these_rules(task, rules))
        np.testing.assert_allclose(gaps, gap, atol=1e-12)


@given(generators())
def test_sec_tech_evidence_per_input_is_the_difference_of_features(rng):
    """Without the factor 1/|X|, as in the simulations: psi(x, y) - psi(x, y')."""
    task, features, priorities = random_linear(rng)
    question = eq.Comparison.local("x0", 0, 1)
    says = eq.evidence(priorities, [question], task, scale="per-input")
    by_features = eq.Evidence.from_features(features[None, 0, :2])
    np.testing.assert_allclose(says.favour, by_features.favour, atol=1e-12)
    np.testing.assert_allclose(says.against, by_features.against, atol=1e-12)
    assert by_features.largest_valence <= 1


@given(generators())
def test_sec_tech_inputs_at_which_both_sides_agree_add_nothing_per_input(rng):
    """A bundle that repeats an output on both sides says what its differing inputs say alone."""
    features, weights = rng.random((3, 2, 2)), rng.dirichlet(np.ones(3))
    task = eq.Task({x: (0, 1) for x in range(3)}, dict(enumerate(weights.tolist())))
    priorities = eq.linear_features(["one", "other"], dict(enumerate(features)), task)
    bundle = eq.Comparison({0: 0, 1: 1, 2: 1}, {0: 1, 1: 1, 2: 0})
    says = eq.evidence(priorities, [bundle], task, scale="per-input")
    gap = weights[0] * (features[0, 0] - features[0, 1])
    gap += weights[2] * (features[2, 1] - features[2, 0])
    expected = gap / (weights[0] + weights[2])
    np.testing.assert_allclose(says.favour[0] - says.against[0], expected, atol=1e-12)


@given(generators())
def test_prop_linear_rule_is_aggregate_optimal(rng):
    """No rule has a greater aggregate utility than the linear rule of the true weights."""
    task, features, priorities = random_linear(rng)
    omega = simplex(rng, len(priorities))
    model = eq.PriorityModel(priorities, omega)
    linear = eq.linear_choices(omega, features)
    rule = task.rule(dict(zip(task.inputs, linear.tolist(), strict=True)))
    best = max(
        sum(omega @ features[i, y] for i, y in enumerate(rule.values())) / len(features)
        for rule in eq.all_rules(task)
    )
    assert model.utility(rule) == pytest.approx(best, abs=1e-12)
    assert model.utility(eq.best_rule(model, task)) == pytest.approx(best, abs=1e-12)


def test_prop_linear_rule_is_aggregate_optimal_ties_go_to_the_first_output():
    """Equal scores are broken by the stated order, so that runs repeat."""
    assert eq.linear_choices([0.5, 0.5], [[[1.0, 0.0], [0.0, 1.0]]]).tolist() == [0]
    # on paper 0.1 + 0.2 is 0.3, here it's a little more
    assert eq.linear_choices([1.0], [[[0.3], [0.1 + 0.2]]]).tolist() == [0]


@given(generators(), st.floats(0.5, 10))
def test_thm_linear_srum_relationship(rng, beta):
    """Theta at beta answers as omega = theta/|theta| at beta |X| |theta|, with the same rules."""
    task, features, priorities = random_linear(rng)
    theta = rng.random(len(priorities)) * 3 + 0.01
    size = theta.sum()
    questions = list(eq.local_comparisons(task))
    says = eq.evidence(priorities, questions, task)
    responses = eq.TwoAnswers(beta=beta * len(task.inputs) * size)
    answers = responses.predict(says, theta / size)[:, 0]
    scores = features @ theta
    expected = []
    for q in questions:
        i = task.position(q.inputs[0])
        margin = scores[i, q.first[q.inputs[0]]] - scores[i, q.second[q.inputs[0]]]
        expected.append(1 / (1 + np.exp(-beta * margin)))
    np.testing.assert_allclose(answers, expected, atol=1e-9)
    model = eq.PriorityModel(priorities, theta / size)
    rules = [rule for rule in eq.all_rules(task) if rng.integers(2)] or list(eq.all_rules(task))
    totals = [sum(scores[i, y] for i, y in enumerate(rule.values())) for rule in rules]
    utilities = model.utilities(eq.these_rules(task, rules))
    np.testing.assert_allclose(utilities * len(task.inputs) * size, totals, atol=1e-9)


@given(generators(), st.floats(0, 1))
def test_lem_weight_recovery_rule_recovery(rng, closeness):
    """If the weights are within eps, the learned rule's regret is at most 2 eps, on any subset."""
    task, _, priorities = random_linear(rng)
    true = simplex(rng, len(priorities))
    learned = closeness * true + (1 - closeness) * simplex(rng, len(priorities))
    eps = np.abs(learned - true).sum()
    rules = [rule for rule in eq.all_rules(task) if rng.integers(2)] or list(eq.all_rules(task))
    subset = eq.these_rules(task, rules)
    by_truth = eq.PriorityModel(priorities, true).utilities(subset)
    by_learned = eq.PriorityModel(priorities, learned).utilities(subset)
    assert by_truth.max() - by_truth[np.argmax(by_learned)] <= 2 * eps + 1e-12


@given(generators())
def test_app_regret_computation_average_regret_is_a_ratio_of_sums(rng):
    """Regret and range at every input, added up before dividing."""
    n, k, d = rng.integers(1, 8), rng.integers(2, 6), rng.integers(1, 6)
    inputs, true, learned = rng.random((n, k, d)), simplex(rng, d), simplex(rng, d)
    regrets, ranges = [], []
    for candidates in inputs:
        values = [float(sum(true * z)) for z in candidates]
        picked = max(range(k), key=lambda y: (float(sum(learned * candidates[y])), -y))
        regrets.append(max(values) - values[picked])
        ranges.append(max(values) - min(values))
    expected = sum(regrets) / sum(ranges)
    assert eq.average_regret(true, learned, inputs) == pytest.approx(expected, abs=1e-9)


def test_app_regret_computation_average_regret_is_zero_where_no_choice_matters():
    """With equal candidates nothing can be lost, and nothing is divided by zero."""
    assert eq.average_regret([1.0], [1.0], [[[0.5], [0.5]]]) == 0


def worst_case_by_programme(true, learned):
    """The linear programme of the paper, solved."""
    solved = linprog(-true, A_ub=[learned], b_ub=[0.0], bounds=[(-1, 1)] * len(true))
    return -solved.fun


@given(generators())
def test_lem_wc_regret_pairwise_closed_form_solves_the_linear_programme(rng):
    """The worst case by sorting ratios is the linear programme's value."""
    size = int(rng.integers(1, 9))
    true, learned = simplex(rng, size), simplex(rng, size)
    assert eq.worst_case_regret(true, learned) == pytest.approx(
        worst_case_by_programme(true, learned), abs=1e-9
    )


@given(generators())
def test_lem_wc_regret_pairwise_no_input_does_worse(rng):
    """The regret at an input with k candidates never exceeds it, and one input attains it."""
    d, k = int(rng.integers(2, 5)), 5
    true, learned = simplex(rng, d), simplex(rng, d)
    worst = eq.worst_case_regret(true, learned)
    for candidates in rng.integers(0, 2, size=(60, k, d)).astype(float):
        (pick,) = eq.linear_choices(learned, candidates[None])
        values = candidates @ true
        assert values.max() - values[pick] <= worst + 1e-9
    delta = linprog(-true, A_ub=[learned], b_ub=[0.0], bounds=[(-1, 1)] * d).x
    better, chosen = np.maximum(delta, 0), np.maximum(-delta, 0)
    assert learned @ chosen >= learned @ better - 1e-9
    assert true @ (better - chosen) == pytest.approx(worst, abs=1e-9)


@given(generators())
def test_app_rwc_the_worst_case_range_is_one(rng):
    """sup_x Range_x = 1: the best candidate against the worst. So regret needs no divisor."""
    omega = simplex(rng, 5)
    corner = np.stack([np.ones(5), np.zeros(5)])
    assert np.ptp(corner @ omega) == pytest.approx(1)
    assert np.ptp(rng.random((50, 5, 5)) @ omega, axis=1).max() <= 1
    # learned weights on a priority that is worth nothing lose everything
    assert eq.worst_case_regret([1.0, 0.0], [0.0, 1.0]) == 1.0


def test_app_rwc_weights_near_zero_do_not_overflow():
    """A learned weight of next to nothing has its kink next to infinity."""
    assert eq.worst_case_regret([0.5, 0.5], [1e-310, 1.0]) == pytest.approx(0.5)


def test_app_rwc_equal_weights_lose_nothing():
    """Learning the truth costs nothing, in any case."""
    assert eq.worst_case_regret([0.2, 0.3, 0.5], [0.2, 0.3, 0.5]) == pytest.approx(0, abs=1e-15)


@dataclass
class Moves:
    """A sampler whose estimate moves by so much at each answer, along three weights."""

    distances: list

    def start(self, problem, rng):
        """Start in the middle."""
        return Draws(np.full((1, 3), 1 / 3), problem.parameters.draw(rng, 1))

    def update(self, draws, transcript, problem, rng):
        """Go on."""
        step = self.distances[len(transcript) - 1] * np.array([2, -1, -1]) / 6**0.5
        return Draws(draws.weights + step, draws.rows)


def test_sec_tech_converged_after_five_moves_below_a_hundredth_in_a_row():
    """The convergence condition: the Euclidean distance of successive posterior means."""
    moves = [0.0099, 0.0099, 0.0101, 0.0099, 0.0, 0.0099, 0.0099, 0.0099, 0.0101]
    learner = eq.Learner(3, eq.TwoAnswers(), seed=1, sampler=Moves(moves))
    reached = []
    for _ in moves:
        learner.tell(learner.ask(), "first")
        reached.append(eq.StandsStill().reached(learner))
    assert reached == [False] * 7 + [True, False]


@pytest.mark.parametrize("answers", [2, 4])
@given(rng=generators())
def test_app_algo_details_mixture_noise(answers, rng):
    """The flexible noise model: the margin plus noise above, below or inside the band."""
    components = int(rng.integers(1, 4))
    alpha = rng.dirichlet(np.ones(components))
    mu, sigma = 3 * rng.normal(size=components), rng.uniform(0.05, 2, components)
    noise = eq.GaussianMixture(alpha, mu, sigma)
    plus, minus = rng.random(), rng.random()
    r, delta, tau = plus + minus, plus - minus, rng.random()

    def below(t):
        return sum(a * stats.norm.cdf(t, m, s) for a, m, s in zip(alpha, mu, sigma, strict=True))

    if answers == 2:
        found = eq.TwoAnswers(noise=noise).probabilities(r, delta)
        expected = [1 - below(-delta), below(-delta)]
    else:
        found = eq.FourAnswers(noise=noise, tau_kappa=tau).probabilities(r, delta)
        low, high = below(-tau * r - delta), below(tau * r - delta)
        expected = [1 - high, low, 0, high - low]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_app_algo_details_a_band_far_from_the_noise_keeps_its_digits():
    """Noise around 40 and a band from 1 to 4: tiny, and not zero, so that its logarithm exists."""
    noise = eq.GaussianMixture([1.0], [40.0], [1.0])
    expected = np.exp(stats.norm.logcdf(4, 40, 1))
    assert between(noise, 1.0, 4.0) == pytest.approx(expected, rel=1e-9, abs=0)
    mirrored = eq.GaussianMixture([1.0], [-40.0], [1.0])
    assert between(mirrored, -4.0, -1.0) == pytest.approx(expected, rel=1e-9, abs=0)


def test_app_algo_details_one_centred_component_is_the_normal_link():
    """A single Gaussian at zero recovers the probit link exactly."""
    mixture = eq.FourAnswers(tau_r=0.2, tau_kappa=0.3, noise=eq.GaussianMixture([1], [0], [0.25]))
    normal = eq.FourAnswers(tau_r=0.2, tau_kappa=0.3, noise="normal", beta=4)
    r, kappa = np.array([0.1, 0.5, 0.9]), np.array([0.1, -0.2, 0.6])
    np.testing.assert_allclose(
        mixture.probabilities(r, kappa), normal.probabilities(r, kappa), atol=1e-12
    )
