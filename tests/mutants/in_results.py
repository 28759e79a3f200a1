"""Faults in linear and best rules, regret, score models and experiments."""

from mutants.mutation import FIGURES, MODEL, SPEED, SRUM, TECH, Mutation

RESULT_MUTATIONS = [
    # Rules, regret, score models.
    Mutation(
        "model/linear_rules.py",
        "return first_best(scores)",
        "return np.argmin(scores, axis=-1)",
        TECH,
    ),
    Mutation(
        "model/rules.py",
        "checked_model(model).utility(best_rule(model, rule.task)) - model.utility(rule)",
        "model.utility(rule) - model.utility(best_rule(model, rule.task))",
        MODEL,
    ),
    Mutation(
        "model/rules.py",
        "np.add(total, factor * scores, out=total)",
        "np.add(total, scores, out=total)",
        TECH,
    ),
    Mutation(
        "model/linear_rules.py",
        "available = np.ptp(values, axis=1).sum(axis=0)",
        "available = values.max(axis=1).sum(axis=0)",
        TECH,
    ),
    Mutation(
        "model/linear_rules.py",
        "middle = np.argmax(below >= below[:, -1:] / 2, axis=1)",
        "middle = np.argmax(below >= below[:, -1:] / 3, axis=1)",
        TECH,
    ),
    Mutation(
        "model/srum.py",
        "noise.sf(-self.difference(comparison))",
        "noise.sf(self.difference(comparison))",
        SRUM,
    ),
    Mutation(
        "model/srum.py",
        "values[x] = scores - scores.min()",
        "values[x] = scores.max() - scores",
        SRUM,
    ),
    Mutation(
        "model/srum.py",
        'if extremes.method == "sampled" or extremes.toward_first + extremes.toward_second > (',
        'if extremes.method == "sampled" or 0 > (',
        SRUM,
    ),
    # Experiments.
    Mutation(
        "learner/stopping.py",
        "small = np.linalg.norm(moves, axis=1) < self.distance",
        "small = np.abs(moves).max(axis=1) < self.distance",
        TECH,
    ),
    Mutation(
        "experiments/simulation.py",
        "if answer in simulation.how.kept:",
        "if answer:",
        SPEED,
    ),
    Mutation(
        "experiments/simulation.py",
        "weights = rng.dirichlet(np.full(self.dimensions, self.concentration))",
        "weights = rng.dirichlet(np.ones(self.dimensions))",
        SPEED,
    ),
    # Figures.
    Mutation(
        "experiments/paper/conceptual_figures.py",
        "as_many = np.count_nonzero(gaps > 0) == np.count_nonzero(gaps < 0)",
        "as_many = True",
        FIGURES,
    ),
    Mutation(
        "experiments/claims.py",
        "_error(course)[course.person.weights.argmax()]",
        "_error(course)[course.person.weights.argmin()]",
        FIGURES,
    ),
    Mutation(
        "experiments/claims.py",
        "course.estimates[-1] - course.person.weights",
        "course.person.weights - course.estimates[-1]",
        FIGURES,
    ),
]
