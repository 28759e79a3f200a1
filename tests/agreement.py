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
    }
    for name, prior in posterior.problem.parameters.number_priors.items():
        found[f"mean of {name}"] = posterior.mean(name)
        if not isinstance(prior, Discrete):  # an end would jump from one value to another
            found[f"interval of {name}"] = posterior.interval(name=name)
    return found


def from_draws(draws, problem, questions, thinned=200):
    """The same from equally likely draws; predictions from some of them."""
    ends = [0.05, 0.95]
    few = draws.some(np.linspace(0, len(draws) - 1, thinned).astype(int))
    found = {
        "mean of weights": draws.weights.mean(axis=0),
        "interval of weights": np.quantile(draws.weights, ends, axis=0).T,
    }
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
        found[f"mean of {name}"] = column.mean()
        if not isinstance(prior, Discrete):
            found[f"interval of {name}"] = np.quantile(column, ends)
    return found


class Oracle:
    """What the grid says of a transcript, and whether a sampler's runs agree with it."""

    def __init__(self, problem, transcript, questions, cells, number_cells=1):
        self.problem, self.questions = problem, questions
        halves = cells // 2, max(number_cells // 2, 1)
        self.says = from_grid(grid_posterior(problem, transcript, cells, number_cells), questions)
        coarse = from_grid(grid_posterior(problem, transcript, *halves), questions)
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
        for name, value in self.says.items():
            each = np.array([run[name] for run in drawn])
            se = each.std(axis=0, ddof=1) / np.sqrt(len(drawn))
            beyond = np.maximum(abs(each.mean(axis=0) - value) - self.off[name], 0)
            # What the model rules out has no spread between runs, and must be exact.
            t = np.divide(beyond, se, out=np.where(beyond > 1e-12, np.inf, 0.0), where=se > 0)
            p = 2 * stats.t.sf(t, len(drawn) - 1) * compared
            if p.min() < ALPHA:
                found[name] = float(p.min())
        return found
