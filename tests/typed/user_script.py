"""A user's script: checked by mypy in strict mode with every lint, never run."""

import numpy as np

import equipoise as eq


class Variety:
    """A priority of one's own."""

    name = "variety"

    def utilities(self, rules: eq.RuleSet) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return 1 for rules that don't choose alike everywhere."""
        return np.array([float(len(set(rule.values())) > 1) for rule in rules])


outputs: dict[str, tuple[str, ...]] = {"x1": ("a", "b"), "x2": ("a", "b")}
members: dict[str, bool] = {"a": True, "b": False}
task = eq.Task(outputs, {"x1": 0.5, "x2": 0.5})
family = eq.Membership(lambda x, y: members[y])
person = eq.PriorityModel([Variety(), family], [0.7, 0.3], eq.Percentile(75))
question = eq.Comparison.local("x1", "a", "b")
says = eq.evidence(person.priorities, [question], task, scale="per-input")
chances = eq.FourAnswers(tau_r=0.2, tau_kappa=eq.Uniform(0, 1)).known(tau_kappa=0.4)
shares: float = chances.predict(says, person.weights)[0, 0]
own: eq.Evidence = eq.Evidence([[0.1]], [[0.0]])
mixture = eq.GaussianMixture([0.5, 0.5], np.zeros(2), [0.1, 0.2]).means[0]
prior = eq.Discrete(np.linspace(0, 1, 3), [0.2, 0.3, 0.5])
respondent = eq.Respondent([0.5, 0.5], eq.TwoAnswers(beta=3), "self-similar", [0.1, 0.9])
first_weight: float = respondent.weights[0]
answer: eq.Response = respondent.answer(
    eq.Question.of_features([0.1, 0.2], [0.3, 0.0]), np.random.default_rng(1)
)
lost: float = eq.worst_case_regret([0.5, 0.5], np.array([0.4, 0.6]))
eq.FourAnswers(tao_r=0.4)  # type: ignore[call-arg]
eq.no_such_name  # type: ignore[attr-defined]  # noqa: B018
