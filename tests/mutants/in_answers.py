"""Faults in latent states, answers, and people who are forced to choose."""

from mutants.mutation import FORCED, RELATION, RESPONSES, TECH, Mutation

ANSWER_MUTATIONS = [
    # States.
    Mutation(
        "model/states.py",
        "return evidence.favour @ omega + evidence.against @ omega",
        "return abs(evidence.favour @ omega - evidence.against @ omega)",
        RESPONSES,
    ),
    Mutation(
        "model/states.py",
        "return evidence.favour @ omega - evidence.against @ omega",
        "return evidence.against @ omega - evidence.favour @ omega",
        RESPONSES,
    ),
    Mutation(
        "model/states.py", "enough = reaches(r, tau_r)", "enough = ~reaches(tau_r, r)", RESPONSES
    ),
    Mutation(
        "model/states.py",
        "states[enough & reaches(kappa, needed)] = Response.FIRST",
        "states[enough & ~reaches(needed, kappa)] = Response.FIRST",
        RESPONSES,
    ),
    Mutation(
        "model/states.py",
        "states[enough & reaches(-kappa, needed)] = Response.SECOND",
        "states[enough & ~reaches(needed, -kappa)] = Response.SECOND",
        RESPONSES,
    ),
    Mutation(
        "model/states.py", "needed = tau_kappa * r + width", "needed = tau_r * r + width", RESPONSES
    ),
    Mutation(
        "model/states.py",
        'rules = [checked_rule(rule), checked_rule(other, "other")]',
        'rules = [checked_rule(other), checked_rule(rule, "other")]',
        RELATION,
    ),
    # Answers.
    Mutation(
        "model/responses.py",
        "answers = [g * noise.sf(band - kappa), g * noise.cdf(-band - kappa)]",
        "answers = [g * noise.sf(-band - kappa), g * noise.cdf(-band - kappa)]",
        RESPONSES,
    ),
    Mutation(
        "model/responses.py",
        "answers = [g * noise.sf(band - kappa), g * noise.cdf(-band - kappa)]",
        "answers = [g * noise.sf(band - kappa), g * noise.cdf(-band + kappa)]",
        RESPONSES,
    ),
    Mutation(
        "model/responses.py",
        "return reaches(r, tau_r).astype(np.float64)",
        "return (~reaches(tau_r, r)).astype(np.float64)",
        RESPONSES,
    ),
    Mutation(
        "model/responses.py",
        "answers += [1 - g, conflicted] if self.answers == FOUR",
        "answers += [conflicted, 1 - g] if self.answers == FOUR",
        RESPONSES,
    ),
    Mutation(
        "model/responses.py",
        "else [(1 - g) + conflicted]",
        "else [conflicted]",
        FORCED,
    ),
    Mutation(
        "model/responses.py",
        "return (1 - lapse) * probabilities + lapse / probabilities.shape[-1]",
        "return (1 - lapse) * probabilities + lapse",
        FORCED,
    ),
    Mutation(
        "model/noise.py",
        "return np.maximum(np.where(below > 1 / 2, from_right, from_left), 0.0)",
        "return np.maximum(np.where(below > 1 / 2, from_left, from_right), 0.0)",
        TECH,
    ),
    Mutation(
        "model/noise.py",
        "np.asarray(ndtr((np.asarray(t)[..., None] - means) / scales) @ weights)",
        "np.asarray(ndtr((np.asarray(t)[..., None] + means) / scales) @ weights)",
        TECH,
    ),
    # People who are forced to choose.
    Mutation(
        "model/respondents.py",
        "self._forced if self.responses.latent_state(r, kappa).item() in TWO else None",
        "self._forced if self.responses.latent_state(r, kappa).item() not in TWO else None",
        FORCED,
    ),
    Mutation(
        "model/respondents.py",
        'by_weight = np.argsort(-person.weights, kind="stable")',
        'by_weight = np.argsort(person.weights, kind="stable")',
        FORCED,
    ),
    Mutation(
        "model/respondents.py",
        "says = (question.evidence.favour - question.evidence.against)[0]",
        "says = (question.evidence.favour + 0 * question.evidence.against)[0]",
        FORCED,
    ),
    Mutation(
        "model/respondents.py",
        "difference(math.dist(second, profile), math.dist(first, profile))",
        "difference(math.dist(first, profile), math.dist(second, profile))",
        FORCED,
    ),
    Mutation(
        "model/respondents.py",
        "answers=TWO, tau_r=0.0, tau_kappa=0.0, width=0.0,",
        "answers=TWO, tau_r=0.0, tau_kappa=0.0, width=0.0, beta=1.0,",
        FORCED,
    ),
]
