"""Ask about priorities over whole rules, and add one that came up midway.

    python examples/two_views_of_fairness.py

Deliveries go to two districts. The person wants each to get its share, which no single delivery
shows, and that food goes where it's fresh; later they add that nobody should be left out.
"""

import numpy as np

import equipoise as eq

days = [f"day {k}" for k in range(1, 7)]
fresh = {day: {"north": 0.9 - 0.1 * k, "south": 0.4 + 0.1 * k} for k, day in enumerate(days)}
task = eq.Task(dict.fromkeys(days, ("north", "south")))

shares = eq.Proportionality(lambda day, to: to, {"north": 0.5, "south": 0.5}, name="fair shares")
freshness = eq.LinearFeature("freshness", lambda day, to: fresh[day][to])
nobody_left_out = eq.CustomPriority(
    "nobody left out", lambda rule: float(len(set(rule.values())) == 2)
)

responses = eq.FourAnswers(tau_r=eq.Uniform(0, 4), tau_kappa=eq.Uniform(0, 1), lapse=0.02)
learner = eq.Learner([shares, freshness], responses, task=task, seed=3, aggregator="maximum")

# A simulated person, who cares about all three.
truth = eq.FourAnswers(tau_r=0.3, tau_kappa=0.3)
true_priorities, true_weights = [shares, freshness, nobody_left_out], [0.5, 0.4, 0.1]
answering = np.random.default_rng(1)


def answer(question):
    """Return what the person says."""
    says = eq.evidence(
        true_priorities, [question.comparison], task, aggregator="maximum", scale="per-input"
    )
    return eq.Respondent(true_weights, truth).answer(
        eq.Question(question.id, question.first, question.second, says), answering
    )


for _ in range(3):
    question = learner.ask()
    learner.tell(question, answer(question))
learner.add_priority(nobody_left_out)  # all three answers are read again in its light
for _ in range(3):
    question = learner.ask()
    learner.tell(question, answer(question))

posterior = learner.posterior
for name, mean, (low, high) in zip(
    posterior.names, posterior.mean(), posterior.interval(0.9), strict=True
):
    print(f"{name:>15}: {mean:.2f}, between {low:.2f} and {high:.2f}")
