"""Faults in tasks, rules and questions, and in what priorities make of them."""

from mutants.mutation import INSEP, MODEL, SRUM, Mutation

RULE_MUTATIONS = [
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
]
