"""Learn somebody who slips now and then, and stop once the rule they'd want is clear.

    python examples/learn_one_person.py

The person is simulated. Everything about how they answer is learned along with their weights.
"""

import numpy as np

import equipoise as eq

FEATURES = ("years gained", "years waited", "age")

# What nobody knows: the weights, when the person is torn or does not mind, and how often they slip.
person = eq.Respondent(
    [0.6, 0.3, 0.1],
    eq.FourAnswers(tau_r=0.1, tau_kappa=0.15, beta=16, gate=eq.LogisticGate(28), lapse=0.02),
)
answering = np.random.default_rng(1)

learner = eq.Learner(len(FEATURES), eq.PeopleAnswers(), seed=7)
enough = eq.SmallRegret(average=0.001)
while not enough.reached(learner) and len(learner.answers) < 60:
    question = learner.ask()
    learner.tell(question, person.answer(question, answering))

posterior = learner.posterior
print(f"{len(learner.answers)} questions were enough.")
for feature, mean, (low, high) in zip(
    FEATURES, posterior.mean(), posterior.interval(0.9), strict=True
):
    print(f"{feature:>13}: {mean:.2f}, between {low:.2f} and {high:.2f}")
for warning in posterior.warnings:
    print(f"Beware: {warning}.")
