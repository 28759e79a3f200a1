"""Whether what is learned of people from the prior is spread like them; for any sampler.

People are drawn from the prior and answer by the model. A draw given their answers is then
distributed as the people themselves are, and so is the likelihood of the answers at it. The
likelihood matters: a sampler that forgets some answers, or all, still returns the prior.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import stats

from equipoise.inference.draws import Draws, Problem
from equipoise.inference.transcripts import Transcript
from equipoise.model.evidence import Evidence
from equipoise.model.priors import Discrete

ALPHA = 1e-4


@dataclass(frozen=True, eq=False)
class People:
    """People from the prior: what is true of each, what they were asked and answered."""

    problem: Problem
    truths: Draws
    asked: list[Evidence]
    answers: list[list[int]]  # places among those offered
    transcripts: list[Transcript]

    @classmethod
    def drawn(cls, problem, count, questions, seed):
        """Draw people, each with random questions of features between 0 and 1."""
        rng = np.random.default_rng(seed)
        people = cls(problem, prior_draws(problem, count, rng), [], [], [])
        offered = problem.parameters.responses.answers
        for k in range(count):
            sides = rng.random((questions, 1, 2, problem.priorities))
            people.asked.append(Evidence.from_features(sides[:, 0]))
            reached = people.chances(people.truths, k).cumsum(axis=1)
            drawn = (rng.random((questions, 1)) > reached[:, :-1]).sum(axis=1)
            people.answers.append(drawn.tolist())
            people.transcripts.append(Transcript(problem.priorities))
            for question, answer in zip(sides, drawn, strict=True):
                people.transcripts[k].append(Evidence.from_features(question), offered[answer])
        return people

    def chances(self, draws, k):
        """The probability of each answer to each question of one person, at a draw for each."""
        parameters = self.problem.parameters
        known = not parameters.unknown
        model = parameters.responses if known else parameters.model(draws.rows[k])
        return model.predict(self.asked[k], draws.weights[k])

    def likelihoods(self, draws):
        """The likelihood of each person's answers, at a draw for each: geometric means."""
        return np.array(
            [
                self.chances(draws, k)[range(len(given)), given].prod() ** (1 / len(given))
                for k, given in enumerate(self.answers)
            ]
        )

    @cached_property
    def at_truth(self):
        """The likelihood of each person's answers at the truth."""
        return self.likelihoods(self.truths)


def prior_draws(problem, count, rng):
    """Draws from the prior."""
    weights = problem.prior.draw(rng, count, problem.priorities)
    return Draws(weights, problem.parameters.draw(rng, count))


def learned(people, learn, seed):
    """One draw for each person: the last that `learn(truth, transcript, problem, rng)` returns.

    The truth is a single draw, where a Markov chain may start; other samplers ignore it, and put
    a draw chosen at random last.
    """
    rng = np.random.default_rng(seed)
    last = [
        learn(people.truths.some(np.array([k])), people.transcripts[k], people.problem, rng)
        for k in range(len(people.truths))
    ]
    return Draws(
        np.array([draws.weights[-1] for draws in last]),
        np.array([draws.rows[-1] for draws in last]),
    )


def p_values(people, found, seed):
    """How well draws, one for each person, fit the prior and the likelihood: p-values by name."""
    problem, rng = people.problem, np.random.default_rng(seed)
    fresh = prior_draws(problem, len(found), rng)
    alpha = problem.prior.over(problem.priorities)
    p = {}
    for j, a in enumerate(alpha):
        marginal = stats.beta(a, alpha.sum() - a)
        p[f"weight {j}"] = stats.kstest(found.weights[:, j], marginal.cdf).pvalue
        p[f"weight {j}, ranks"] = _ranks(found.weights[:, j], fresh.weights[:, j])
    for name, prior in problem.parameters.priors.items():
        drawn = problem.parameters.column(name, found.rows).reshape(len(found), -1).T
        expected = problem.parameters.column(name, fresh.rows).reshape(len(found), -1).T
        for i, (values, others) in enumerate(zip(drawn, expected, strict=True)):
            p[f"{name} {i}, ranks"] = _ranks(values, others)
            if isinstance(prior, Discrete):
                p[f"{name}, counts"] = _counts(values, prior)
            else:
                p[f"{name} {i}"] = stats.ks_2samp(values, others, method="asymp").pvalue
    at_truth, at_found = people.at_truth, people.likelihoods(found)
    # Of different people, for the likelihoods of one person's answers are not independent.
    half = len(found) // 2
    p["likelihood, ranks"] = _ranks(at_found[:half], at_truth[half:])
    # Of the same people: their mean difference is nothing, and varies much less.
    p["likelihood, pairs"] = stats.ttest_1samp(at_found - at_truth, 0).pvalue
    return {name: float(value) for name, value in p.items()}


def rejected(p):
    """Those p-values that a calibrated sampler has with probability ALPHA, over all of them."""
    return {name: value for name, value in p.items() if not value * len(p) > ALPHA}


def _ranks(values, others):
    return stats.mannwhitneyu(values, others, method="asymptotic").pvalue


def _counts(values, prior):
    possible = [(value, q) for value, q in zip(prior.values, prior.p, strict=True) if q > 0]
    counts = [np.count_nonzero(values == value) for value, _ in possible]
    return stats.chisquare(counts, [q * len(values) for _, q in possible]).pvalue
