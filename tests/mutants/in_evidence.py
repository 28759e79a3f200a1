"""Faults in evidence: how gaps are found and aggregated, and what is rounding."""

from mutants.mutation import FORCED, INSEP, MODEL, RELATION, RESPONSES, SRUM, TECH, Mutation

EVIDENCE_MUTATIONS = [
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
        "model/percentiles.py",
        "position = Fraction(self.p) / 100 * last",
        "position = Fraction(self.p) / 100 * (last + 1) - Fraction(1, 2)",
        MODEL,
    ),
    Mutation(
        "model/percentiles.py",
        "[float(gaps[order[bisect.bisect_right(beyond, rank)]]) for rank in ranks]",
        "[float(gaps[order[bisect.bisect_left(beyond, rank)]]) for rank in ranks]",
        MODEL,
    ),
    Mutation(
        "model/aggregation.py",
        'return 1.0 - float(simplex_vector(weights, "weights")[j])',
        "return 1.0",
        INSEP,
    ),
    Mutation(
        "model/convolution.py",
        "self.sums.ways() * self.multiplicity",
        "self.sums.ways()",
        MODEL,
    ),
    Mutation(
        "model/percentiles.py",
        "return ranks + [last - rank for rank in ranks], share",
        "return ranks + ranks, share",
        MODEL,
    ),
    Mutation(
        "model/convolution.py",
        "math.fsum(part.mean() for part in self.parts.values())",
        "math.fsum(part.max() for part in self.parts.values())",
        MODEL,
    ),
    Mutation(
        "model/convolution.py",
        "for end in (np.min, np.max)",
        "for end in (np.min, np.mean)",
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
        "limbs[i + 1] += limbs[i] >> np.uint64(_LIMB)",
        "limbs[i + 1] = limbs[i] >> np.uint64(_LIMB)",
        MODEL,
    ),
    Mutation(
        "model/counting.py",
        "for step in sorted(steps)[1:]:",
        "for step in set(steps) - {0}:",
        MODEL,
    ),
    Mutation(
        "model/counting.py",
        "row[:reached] /= math.prod(map(len, batch))",
        "row[:reached] /= 2 ** len(batch)",
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
        "model/comparisons.py",
        "for x in self.differing))",
        "for x in self.inputs))",
        TECH,
    ),
    Mutation(
        "model/evidence.py",
        "return cls.__new__(cls)._set(np.maximum(gaps, 0), np.maximum(-gaps, 0))",
        "return cls.__new__(cls)._set(np.maximum(gaps, 0), np.maximum(gaps, 0))",
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
        RESPONSES,
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
]
