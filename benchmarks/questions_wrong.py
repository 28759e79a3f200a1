"""Chosen questions against random ones where the learner is wrong about how people answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from questions_followed import (
    DIMENSIONS,
    SEED,
    Answering,
    Followed,
    follow,
    mean_and_error,
    table,
)

from equipoise.acquisition import Acquisition, Bald, Pool, Random
from equipoise.inference.draws import Draws
from equipoise.inference.parameters import Parameters
from equipoise.model.noise import GaussianMixture
from equipoise.model.numbers import Number
from equipoise.model.priors import Uniform
from equipoise.model.questions import Question
from equipoise.model.respondents import Indecision, Respondent
from equipoise.model.responses import (
    TWO,
    FourAnswers,
    LogisticGate,
    PeopleAnswers,
    ResponseModel,
    TwoAnswers,
)
from equipoise.model.states import Response

Array = NDArray[np.float64]

LONG, SHORT = 200, 100
MOMENTS = (25, 50, 100, 200)
# From how many standard deviations answers are a surprise.
SURPRISED = 3
BETA, SLOPE, LAPSE, TAU = 10.0, 28.0, 0.02, 0.4


@dataclass(frozen=True)
class HalfRandom:
    """Of any two questions one by chance, on average, and the other the most informative."""

    def choose(
        self,
        pool: Pool,
        allowed: NDArray[np.bool_] | None,
        draws: Draws,
        parameters: Parameters,
        rng: np.random.Generator,
    ) -> tuple[int, float]:
        """Return the question to ask."""
        way: Acquisition = Random() if rng.random() < 0.5 else Bald()
        return way.choose(pool, allowed, draws, parameters, rng)


@dataclass(frozen=True)
class CaresForMore:
    """Somebody who also looks at a feature that isn't in the questions, and varies at random."""

    whole: Respondent

    def answer(self, question: Question, rng: np.random.Generator) -> Response:
        """Draw an answer."""
        first, second = (
            np.append(np.asarray(side, dtype=np.float64), rng.random())
            for side in (question.first, question.second)
        )
        return self.whole.answer(Question.of_features(first, second), rng)


def soft(tau_r: Number, tau_kappa: Number = TAU, slope: float = SLOPE) -> ResponseModel:
    """Return four answers with a soft gate and a small lapse: nothing contradicts anything."""
    gate = LogisticGate(slope)
    return FourAnswers(tau_r=tau_r, tau_kappa=tau_kappa, beta=BETA, gate=gate, lapse=LAPSE)


def weights_of(k: int, dimensions: int = DIMENSIONS) -> Array:
    """Return the weights of the k-th person, from the learner's prior."""
    return np.random.default_rng([SEED, k]).dirichlet(np.ones(dimensions))


Made = Callable[[int], tuple[Answering, Array]]


def answering_by(responses: ResponseModel, indecision: Indecision = "report") -> Made:
    """Return what makes the k-th person, who answers by a response model."""

    def make(k: int) -> tuple[Answering, Array]:
        weights = weights_of(k)
        profile = np.random.default_rng([SEED, k, 1]).random(DIMENSIONS)
        own = responses.draw(np.random.default_rng([SEED, k, 2]))
        return Respondent(weights, own, indecision, profile), weights

    return make


def _caring_for_more(k: int) -> tuple[Answering, Array]:
    weights = weights_of(k, DIMENSIONS + 1)
    seen = weights[:DIMENSIONS] / weights[:DIMENSIONS].sum()
    return CaresForMore(Respondent(weights, TwoAnswers(beta=BETA))), seen


WAYS: dict[str, tuple[str | Acquisition, float]] = {
    "`bald`": ("bald", 0.0),
    "`random`": ("random", 0.0),
    "half `bald`, half `random`": (HalfRandom(), 0.0),
    "`bald`, a fifth repeats": ("bald", 0.2),
}
BOTH = ("`bald`", "`random`")
THREE = (*BOTH, "half `bald`, half `random`")
# Who is also asked some questions of either kind.
MIXED = ("a gate of slope 8", "answer as assumed", "beta 3", "torn, toss a coin")
FORCED = TwoAnswers(beta=BETA)
STEP = FourAnswers(tau_r=TAU, tau_kappa=TAU, beta=BETA)
LEANING = TwoAnswers(noise=GaussianMixture([1.0], [0.3], [0.17]))
LAPSING = FourAnswers(tau_r=TAU, tau_kappa=TAU, beta=BETA, lapse=0.1)
LOWER = FourAnswers(tau_r=0.3, tau_kappa=TAU, beta=BETA)
# PeopleAnswers' priors, each at about its median.
TYPICAL = FourAnswers(
    tau_r=0.07, tau_kappa=0.09, width=0.03, beta=16, gate=LogisticGate(SLOPE), lapse=0.015
)
PEOPLE: dict[str, Made] = {
    "tau_r 0.5": answering_by(soft(0.5)),
    "tau_r 0.4": answering_by(soft(0.4)),
    "tau_r 0.3": answering_by(soft(0.3)),
    "both thresholds 0.1": answering_by(soft(0.1, 0.1)),
    "a gate of slope 8": answering_by(soft(TAU, slope=8)),
    "drawn from PeopleAnswers": answering_by(PeopleAnswers()),
    "answer as assumed": answering_by(FORCED),
    "beta 3": answering_by(TwoAnswers(beta=3)),
    "a fifth of answers lapses": answering_by(TwoAnswers(beta=BETA, lapse=0.2)),
    "lean by 0.3 to one side": answering_by(LEANING),
    "torn, toss a coin": answering_by(STEP, "fifty-fifty"),
    "torn, self-similar": answering_by(STEP, "self-similar"),
    "torn, lexicographic": answering_by(STEP, "lexicographic"),
    "torn, said so and dropped": answering_by(STEP),
    "care for a sixth feature": _caring_for_more,
    "step gate, one answer in ten lapses": answering_by(LAPSING),
    "step gate, tau_r 0.3": answering_by(LOWER),
}
LEARNERS: dict[str, ResponseModel] = {
    "soft gate, tau_r = 0.4": soft(TAU),
    "the same, thresholds learned": soft(Uniform(0, 1), Uniform(0, 1)),
    "`PeopleAnswers`": PeopleAnswers(),
    "everything typical": TYPICAL,
    "forced choice, beta = 10": FORCED,
    "step gate, both 0.4": STEP,
}
FIXED, LEARNED, FREE, TYPICALLY, CHOOSING, STEPPING = LEARNERS


@dataclass(frozen=True)
class Job:
    """One person, learned by one learner, asked in one way."""

    people: str
    learner: str
    way: str
    questions: int
    k: int


def learn(job: Job) -> Followed:
    """Ask one person, and learn."""
    person, weights = PEOPLE[job.people](job.k)
    acquisition, repeats = WAYS[job.way]
    return follow(
        person,
        weights,
        LEARNERS[job.learner],
        acquisition,
        k=job.k,
        questions=job.questions,
        moments=MOMENTS,
        rng=np.random.default_rng([SEED, job.k, 3]),
        kept=TWO if job.learner == CHOOSING else tuple(Response),
        repeats=repeats,
    )


Rows = dict[tuple[str, str, str], list[Followed]]
Row = Callable[[list[Followed]], list[str]]
# Who is learned by what, asked how.
LOSES = [(people, FIXED, way) for people in ("tau_r 0.5", "tau_r 0.3") for way in WAYS]
MENDED = [
    *(("tau_r 0.5", learner, way) for learner in (LEARNED, FREE) for way in BOTH),
    *(("tau_r 0.4", learner, "`bald`") for learner in (FIXED, FREE)),
]
SEARCHED = [
    (people, learner, way)
    for learner, who in {
        FIXED: ("both thresholds 0.1", "a gate of slope 8"),
        TYPICALLY: ("drawn from PeopleAnswers",),
        CHOOSING: (
            "answer as assumed",
            "beta 3",
            "a fifth of answers lapses",
            "lean by 0.3 to one side",
            "torn, toss a coin",
            "torn, self-similar",
            "torn, lexicographic",
            "torn, said so and dropped",
            "care for a sixth feature",
        ),
    }.items()
    for people in who
    for way in (THREE if people in MIXED else BOTH)
]
CONTRADICTED = [
    (people, learner, way)
    for people in ("step gate, one answer in ten lapses", "step gate, tau_r 0.3")
    for learner in (STEPPING, FREE)
    for way in BOTH
]


def at(people: list[Followed], moment: int, name: str) -> Array:
    """Return a measure of those that were asked so many questions."""
    rows = [getattr(person, name) for person in people]
    return np.array([row[moment - 1] for row in rows if len(row) >= moment])


def told(people: list[Followed], moment: int) -> list[str]:
    """Return for how many there was a warning, and whose answers were a surprise."""
    warned, surprise = at(people, moment, "warned"), at(people, moment, "surprise")
    if not len(warned):
        return ["–", "–"]
    return [f"{warned.mean():.0%}", f"{(surprise > SURPRISED).mean():.0%}"]


def long_row(people: list[Followed]) -> list[str]:
    """Return errors, regret, coverage and warnings of those asked for long."""
    return [
        *(mean_and_error(at(people, moment, "l1"), 3) for moment in MOMENTS),
        *(mean_and_error(at(people, m, "regret"), 2, 100) for m in (25, LONG)),
        *(mean_and_error(at(people, m, "covered"), 0, 100) for m in (25, LONG)),
        *told(people, LONG),
    ]


def short_row(people: list[Followed]) -> list[str]:
    """Return errors, regret, coverage and warnings at the end."""
    return [
        mean_and_error(at(people, SHORT, "l1"), 3),
        mean_and_error(at(people, SHORT, "regret"), 2, 100),
        mean_and_error(at(people, SHORT, "covered"), 0, 100),
        *told(people, SHORT),
    ]


def contradicted_row(people: list[Followed]) -> list[str]:
    """Return who contradicted themselves, when, and what was known of the others."""
    when = [len(person.l1) + 1 for person in people if person.contradicted]
    left = at(people, SHORT, "l1")
    return [
        f"{len(when) / len(people):.0%}",
        f"{np.median(when):g}" if when else "–",
        mean_and_error(left, 3),
        mean_and_error(at(people, SHORT, "covered"), 0, 100),
        *told(people, SHORT),
    ]


WHO = ("people", "learner", "questions by")
LONG_COLUMNS = (
    *WHO,
    *(f"l1 after {moment}" if moment == MOMENTS[0] else f"after {moment}" for moment in MOMENTS),
    *("average regret after 25, %", f"after {LONG}"),
    *("in 90% intervals after 25, %", f"after {LONG}", "warned", "surprised"),
)
SHORT_COLUMNS = (*WHO, "l1", "average regret, %", "in 90% intervals, %", "warned", "surprised")
CONTRADICTED_COLUMNS = (
    *(*WHO, "contradicted", "at question", "the others' l1"),
    *("in 90% intervals, %", "warned", "surprised"),
)


def difference(people: str, one: list[Followed], other: list[Followed]) -> str:
    """Return by how much one way ends above another, person by person, in a sentence."""
    by = {name: at(one, LONG, name) - at(other, LONG, name) for name in ("l1", "regret", "covered")}
    return (
        f"For people with {people}, {LONG} chosen questions leave an l1 error that is larger by "
        f"{mean_and_error(by['l1'], 3)} than what random ones leave, an average regret larger by "
        f"{mean_and_error(by['regret'], 2, 100)} percentage points, and 90% intervals that hold "
        f"{mean_and_error(-by['covered'], 0, 100)} percentage points fewer of the weights."
    )


def section(workers: Executor, people: int) -> Iterator[tuple[str, str]]:
    """Yield the tables, each with its name."""

    def learned(cases: list[tuple[str, str, str]], questions: int) -> Rows:
        found = {}
        for case in cases:
            jobs = [Job(*case, questions, k) for k in range(people)]
            found[case] = list(workers.map(learn, jobs, chunksize=4))
        return found

    def tabled(
        columns: tuple[str, ...], rows: Rows, row: Callable[[list[Followed]], list[str]]
    ) -> str:
        return table(columns, [[*case, *row(found)] for case, found in rows.items()])

    yield (
        "wrong-people",
        f"Every row is of {people} people, the same ones wherever they answer alike.",
    )
    loses = learned(LOSES, LONG)
    differences = [
        difference(who, *(loses[who, FIXED, way] for way in BOTH))
        for who in ("tau_r 0.5", "tau_r 0.3")
    ]
    yield "loses-by", " ".join(differences)
    yield "loses", tabled(LONG_COLUMNS, loses, long_row)
    yield "mended", tabled(LONG_COLUMNS, learned(MENDED, LONG), long_row)
    yield "searched", tabled(SHORT_COLUMNS, learned(SEARCHED, SHORT), short_row)
    yield (
        "contradicted",
        tabled(CONTRADICTED_COLUMNS, learned(CONTRADICTED, SHORT), contradicted_row),
    )
