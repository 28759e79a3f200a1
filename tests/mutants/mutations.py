"""Small faults in the model, each of which must make a paper test fail.

Each is one change of one line: the module under `src/equipoise`, what stands there (once in the
file), what it becomes, and the file under `tests/paper` that must notice.
"""

from typing import NamedTuple


class Mutation(NamedTuple):
    """One fault."""

    module: str
    before: str
    after: str
    noticed_by: str


MODEL, SRUM, TECH = "test_sec_model.py", "test_sec_srum.py", "test_sec_tech.py"
SPEED = "test_sec_speed.py"
FORCED, RELATION, INSEP = (
    "test_app_formal_indecision.py",
    "test_app_rule_level.py",
    "test_sec_insep_priorities.py",
)

MUTATIONS = [
    # Tasks, rules, projections, questions.
    Mutation(
        "model/tasks.py",
        "codes[self.task.position(x)] = self.task.code(x, y)  # eq:projection",
        "codes[self.task.position(x) - 1] = self.task.code(x, y)",
        MODEL,
    ),
    Mutation(
        "model/tasks.py",
        "codes = list(self.codes)",
        "codes = [0] * len(self.codes)",
        MODEL,
    ),
    Mutation(
        "model/rule_sets.py",
        "choices[self.task.position(x)] = np.array([self.task.code(x, y)])  # eq:projection",
        "choices[self.task.position(x)] = np.array([0])",
        MODEL,
    ),
    Mutation(
        "model/rule_sets.py",
        "codes[self.task.position(x)] = self.task.code(x, y)  # eq:projection",
        "codes[self.task.position(x)] += self.task.code(x, y)",
        MODEL,
    ),
    Mutation(
        "model/rule_sets.py",
        "zip(reversed(tables), reversed(self._choices), strict=True)",
        "zip(tables, self._choices, strict=True)",
        MODEL,
    ),
    Mutation(
        "model/rule_sets.py",
        "return np.tile(np.repeat(self._choices[position], after), before)",
        "return np.repeat(np.tile(self._choices[position], after), before)",
        MODEL,
    ),
    Mutation(
        "model/comparisons.py",
        "itertools.combinations(allowed, 2)",
        "itertools.permutations(allowed, 2)",
        MODEL,
    ),
    # Utilities.
    Mutation(
        "model/priorities/averages.py",
        "averages = rules.totals(self.tables(rules.task)) / rules.task.total_mass",
        "averages = rules.totals(self.tables(rules.task)) / len(rules.task.inputs)",
        MODEL,
    ),
    Mutation(
        "model/priorities/averages.py",
        "self.judge((background + first) / task.total_mass),",
        "self.judge((background - first) / task.total_mass),",
        INSEP,
    ),
    Mutation(
        "model/priorities/averages.py",
        "return GapSum.constant(float(difference(first, second)[0]) / task.total_mass)",
        "return GapSum.constant(float(difference(second, first)[0]) / task.total_mass)",
        SRUM,
    ),
    Mutation(
        "model/priorities/best_choice.py",
        "(counts == counts.max())",
        "(counts == counts.min())",
        MODEL,
    ),
    Mutation(
        "model/priorities/proportionality.py",
        "return -((averages - self._ideal[:, None]) ** 2).sum(axis=0)  # ex:prop",
        "return ((averages - self._ideal[:, None]) ** 2).sum(axis=0)",
        MODEL,
    ),
    Mutation(
        "model/priorities/proportionality.py",
        "return -((averages - self._ideal[:, None]) ** 2).sum(axis=0)  # ex:prop",
        "return -abs(averages - self._ideal[:, None]).sum(axis=0)",
        INSEP,
    ),
    Mutation(
        "model/priorities/proportionality.py",
        "change = second - first",
        "change = first - second",
        MODEL,
    ),
    Mutation(
        "model/priorities/proportionality.py",
        "read=lambda sums: difference(alone, -2 * sums[0] / total**2),",
        "read=lambda sums: difference(alone, -sums[0] / total**2),",
        MODEL,
    ),
    Mutation(
        "model/priorities/proportionality.py",
        "((first + second) / total - 2 * self._ideal)",
        "((first + second) / total - self._ideal)",
        INSEP,
    ),
    Mutation(
        "model/priorities/egalitarianism.py",
        "return 2 * averages.min(axis=0)  # def:egal",
        "return averages.min(axis=0)",
        INSEP,
    ),
    Mutation(
        "model/priorities/egalitarianism.py",
        "return 2 * averages.min(axis=0)  # def:egal",
        "return 2 * averages.max(axis=0)",
        INSEP,
    ),
    Mutation(
        "model/priorities/equal_treatment.py",
        "return alike / len(self._counterparts)  # def:equal-treatment-priority",
        "return 1 - alike / len(self._counterparts)",
        INSEP,
    ),
    Mutation(
        "model/priorities/equal_treatment.py",
        "near, far = (x, other) if inside[0] else (other, x)",
        "near, far = (x, other) if inside[1] else (other, x)",
        INSEP,
    ),
    Mutation(
        "model/priorities/equal_treatment.py",
        "within += int(matches[chosen[0]]) - int(matches[chosen[1]])",
        "within += int(matches[chosen[1]]) - int(matches[chosen[0]])",
        MODEL,
    ),
    Mutation(
        "model/priorities/ranges.py",
        "return max(1.0, self.width)",
        "return self.width or 1.0",
        INSEP,
    ),
    Mutation(
        "model/priorities/ranges.py",
        "return max(1.0, self.width)",
        "return 1.0",
        MODEL,
    ),
    Mutation(
        "model/priority_model.py",
        "return self.weights @ self.priority_utilities(rules)",
        "return self.priority_utilities(rules).mean(axis=0)",
        MODEL,
    ),
    # Aggregation and evidence.
    Mutation(
        "model/gaps.py",
        "return difference(toward_first, toward_second)  # eq:local-evidence",
        "return difference(toward_second, toward_first)",
        MODEL,
    ),
    Mutation(
        "model/gaps.py",
        "multiplicity = task.rule_count // len(outside)",
        "multiplicity = 1 + task.rule_count // len(outside)",
        MODEL,
    ),
    Mutation(
        "model/aggregation.py",
        "extremes = [(gaps.max(), -gaps.min()) for gaps, _ in chunks]",
        "extremes = [(gaps.max(), -gaps.max()) for gaps, _ in chunks]",
        MODEL,
    ),
    Mutation(
        "model/aggregation.py",
        "return mean, -mean",
        "return mean, mean",
        MODEL,
    ),
    Mutation(
        "model/aggregation.py",
        "position = Fraction(self.p) / 100 * last",
        "position = Fraction(self.p) / 100 * (last + 1) - Fraction(1, 2)",
        MODEL,
    ),
    Mutation(
        "model/aggregation.py",
        "[float(gaps[order[bisect.bisect_right(beyond, rank)]]) for rank in ranks]",
        "[float(gaps[order[bisect.bisect_left(beyond, rank)]]) for rank in ranks]",
        MODEL,
    ),
    Mutation(
        "model/aggregation.py",
        "return 1.0 - float(np.asarray(weights)[j])",
        "return 1.0",
        INSEP,
    ),
    Mutation(
        "model/convolution.py",
        "ways * self.multiplicity",
        "ways",
        MODEL,
    ),
    Mutation(
        "model/convolution.py",
        "constant += part[0]",
        "constant = part[0]",
        MODEL,
    ),
    Mutation(
        "model/counting.py",
        "total = sum((e - (s - j) * d) * counts[s - j] for j, e, d in triples if j <= s)",
        "total = sum((e - s * d) * counts[s - j] for j, e, d in triples if j <= s)",
        MODEL,
    ),
    Mutation(
        "model/evidence.py",
        "favour, against = np.where(toward > rounding, toward, 0.0)",
        "favour, against = abs(toward)",
        SRUM,
    ),
    Mutation(
        "model/evidence.py",
        "sides[:, :, j] = _positive_parts(tallies) * factors / divisor",
        "sides[:, :, j] = _positive_parts(tallies) * factors * divisor",
        MODEL,
    ),
    Mutation(
        "model/evidence.py",
        "return 1.0 / mass",
        "return mass",
        TECH,
    ),
    Mutation(
        "model/evidence.py",
        "return cls(np.maximum(gaps, 0), np.maximum(-gaps, 0))",
        "return cls(np.maximum(gaps, 0), np.maximum(gaps, 0))",
        SRUM,
    ),
    # States.
    Mutation(
        "model/states.py",
        "return evidence.favour @ omega + evidence.against @ omega",
        "return abs(evidence.favour @ omega - evidence.against @ omega)",
        MODEL,
    ),
    Mutation(
        "model/states.py",
        "return evidence.favour @ omega - evidence.against @ omega",
        "return evidence.against @ omega - evidence.favour @ omega",
        MODEL,
    ),
    Mutation("model/states.py", "enough = reaches(r, tau_r)", "enough = ~reaches(tau_r, r)", MODEL),
    Mutation(
        "model/states.py",
        "states[enough & reaches(kappa, needed)] = Response.FIRST",
        "states[enough & ~reaches(needed, kappa)] = Response.FIRST",
        MODEL,
    ),
    Mutation(
        "model/states.py",
        "states[enough & reaches(-kappa, needed)] = Response.SECOND",
        "states[enough & ~reaches(needed, -kappa)] = Response.SECOND",
        MODEL,
    ),
    Mutation(
        "model/states.py", "needed = tau_kappa * r + width", "needed = tau_r * r + width", MODEL
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
        "first = g * noise.sf(band - kappa)  # def:baseline-response-model",
        "first = g * noise.sf(-band - kappa)",
        MODEL,
    ),
    Mutation(
        "model/responses.py",
        "second = g * noise.cdf(-band - kappa)",
        "second = g * noise.cdf(-band + kappa)",
        MODEL,
    ),
    Mutation(
        "model/responses.py",
        "return reaches(r, tau_r).astype(np.float64)",
        "return (~reaches(tau_r, r)).astype(np.float64)",
        MODEL,
    ),
    Mutation(
        "model/responses.py",
        "FOUR: (first, second, 1 - g, conflicted),",
        "FOUR: (first, second, conflicted, 1 - g),",
        MODEL,
    ),
    Mutation(
        "model/responses.py",
        "THREE: (first, second, (1 - g) + conflicted),",
        "THREE: (first, second, conflicted),",
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
        "if self.responses.latent_state(r, kappa).item() in TWO:",
        "if self.responses.latent_state(r, kappa).item() not in TWO:",
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
    # Rules, regret, score models.
    Mutation(
        "model/linear_rules.py",
        "return first_best(scores)",
        "return np.argmin(scores, axis=-1)",
        TECH,
    ),
    Mutation(
        "model/rules.py",
        "return model.utility(best_rule(model, rule.task)) - model.utility(rule)",
        "return model.utility(rule) - model.utility(best_rule(model, rule.task))",
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
        "available = np.ptp(values, axis=1).sum()",
        "available = values.max(axis=1).sum()",
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
    # Rounding.
    Mutation(
        "model/rounding.py",
        "return np.where(np.abs(gap) <= AGREEMENT * size, 0.0, gap)",
        "return gap",
        FORCED,
    ),
    Mutation(
        "model/rounding.py",
        "np.asarray(threshold, np.float64) - ROUNDING",
        "np.asarray(threshold, np.float64)",
        MODEL,
    ),
    Mutation(
        "model/rounding.py",
        "return np.argmax(among_best(values), axis=-1)",
        "return np.argmax(values, axis=-1)",
        TECH,
    ),
    Mutation(
        "model/rule_sets.py",
        "own = [rule if checked_rule(rule).task is task else task.rule(rule) for rule in rules]",
        "own = list(rules)",
        RELATION,
    ),
    Mutation(
        "separability/rationalisations.py",
        "> ADDS_UP:",
        "> 1:",
        INSEP,
    ),
    # Experiments.
    Mutation(
        "experiments/simulation.py",
        "kept = answer in simulation.how.kept",
        "kept = True",
        SPEED,
    ),
    Mutation(
        "experiments/simulation.py",
        "weights = rng.dirichlet(np.full(self.dimensions, self.concentration))",
        "weights = rng.dirichlet(np.ones(self.dimensions))",
        SPEED,
    ),
]
