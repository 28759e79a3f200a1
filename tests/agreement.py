"""Whether a sampler's draws agree with the grid oracle; it knows nothing of the sampler."""

import numpy as np
from scipy import stats

from equipoise.inference.grid import grid_posterior
from equipoise.model.priors import Discrete

ALPHA = 1e-4


def from_grid(posterior, questions):
    """What is compared, from the oracle: by name, arrays of any shape."""
    found = {
        "mean of weights": posterior.mean(),
        "interval of weights": posterior.interval(),
        "predictions": posterior.predict(questions),
        "evidence": np.exp(posterior.log_evidence),
    }
    for name, prior in posterior.problem.parameters.number_priors.items():
        found[f"mean of {name}"] = posterior.mean(name)
        if not isinstance(prior, Discrete):  # an end would jump from one value to another
            found[f"interval of {name}"] = posterior.interval(name=name)
    return found


def from_draws(draws, problem, questions, thinned=200):
    """The same from draws with a mass each; predictions from some of them.

    The evidence, where they come with one, and not its logarithm: that of a particle filter is
    right on average, and its logarithm too small (Del Moral 2004, "Feynman-Kac formulae").
    """
    few = draws.by_mass(thinned)
    found = {
        "mean of weights": draws.mass @ draws.weights,
        "interval of weights": [interval(column, draws.mass) for column in draws.weights.T],
    }
    if "log_evidence" in draws.info:
        found["evidence"] = np.exp(draws.info["log_evidence"])
    if problem.parameters.unknown:
        predicted = [
            problem.parameters.model(row).predict(questions, weights)
            for weights, row in zip(few.weights, few.rows, strict=True)
        ]
        found["predictions"] = np.mean(predicted, axis=0)
    else:
        model = problem.parameters.responses
        found["predictions"] = model.predict(questions, few.weights).mean(axis=1)
    for name, prior in problem.parameters.number_priors.items():
        column = problem.parameters.column(name, draws.rows)
        found[f"mean of {name}"] = draws.mass @ column
        if not isinstance(prior, Discrete):
            found[f"interval of {name}"] = interval(column, draws.mass)
    return found


def interval(values, mass):
    """The ends between which nine tenths of a mass lie; a value has half of its own before it."""
    order = np.argsort(values)
    reached = np.cumsum(mass[order]) - mass[order] / 2
    return np.interp([0.05, 0.95], reached, values[order])


class Oracle:
    """What the grid says of a transcript, and whether a sampler's runs agree with it."""

    def __init__(self, problem, transcript, questions, cells, number_cells=1, least=0.0):
        def posterior(*cells):
            return from_grid(grid_posterior(problem, transcript, *cells, least=least), questions)

        self.problem, self.questions = problem, questions
        self.says = posterior(cells, number_cells)
        coarse = posterior(cells // 2, max(number_cells // 2, 1))
        # An upper bound: errors shrink at least in proportion to the cells.
        self.off = {name: abs(value - coarse[name]) for name, value in self.says.items()}

    def disagreements(self, runs):
        """Return in what independent runs of a sampler disagree with the oracle, with p-values.

        Runs tell how far their average may be off, whatever their draws are worth: by Student's t
        for every single number that is compared, at a level of ALPHA over all of them. The oracle
        may be off by what it moves when its cells are halved.
        """
        drawn = [from_draws(draws, self.problem, self.questions) for draws in runs]
        compared = sum(np.size(value) for value in self.says.values())
        found = {}
        for name in drawn[0]:
            value, each = self.says[name], np.array([run[name] for run in drawn])
            se = each.std(axis=0, ddof=1) / np.sqrt(len(drawn))
            beyond = np.maximum(abs(each.mean(axis=0) - value) - self.off[name], 0)
            # What the model rules out has no spread between runs, and must be exact.
            t = np.divide(beyond, se, out=np.where(beyond > 1e-12, np.inf, 0.0), where=se > 0)
            p = 2 * stats.t.sf(t, len(drawn) - 1) * compared
            if p.min() < ALPHA:
                found[name] = float(p.min())
        return found
