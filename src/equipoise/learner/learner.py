"""Ask, tell, and know: the learner of one person."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.acquisition import Acquisition
from equipoise.inference.draws import Problem, Sampler
from equipoise.inference.parameters import Parameters
from equipoise.inference.weights import Dirichlet
from equipoise.learner.candidates import Candidates, unit_features
from equipoise.learner.choosing import Chooser
from equipoise.learner.knowledge import Knowledge
from equipoise.learner.log import VERSION, Event, checked_log, side_as_data
from equipoise.learner.posterior import Posterior, Recommendation
from equipoise.learner.reader import Reader, Scale
from equipoise.learner.replaying import find, questioner, same_sides, session_of
from equipoise.learner.session import Session
from equipoise.learner.settings import PARTICLES, Settings, checked_names, sampler_named
from equipoise.learner.streams import Streams
from equipoise.model.aggregation import RuleAggregator
from equipoise.model.evidence import Evidence
from equipoise.model.priorities import Priority, checked_priorities
from equipoise.model.priority_model import PriorityModel
from equipoise.model.questions import Question
from equipoise.model.responses import ResponseModel
from equipoise.model.rule_sets import these_rules
from equipoise.model.states import Response
from equipoise.model.tasks import Rule, Task

ADDED = "priority_added"
UNIFORM_WEIGHTS = Dirichlet(1)


class Learner:
    """Learns what one person values, from answers to questions that it chooses.

    Paper: alg:bald-template

    Parameters
    ----------
    priorities
        How many features the questions are about, or a list of priorities of a `task`.
    responses
        How the person is thought to answer, with priors in place of what is to be learned.
    task
        The task that the priorities are about.
    prior
        What is believed of the weights before any answer.
    seed, session
        Of the study, and whose session it is: with the same answers both give the same questions.
    sampler
        "smc", or "paper", or an `SMC` or a `HitAndRun` with sizes of its own, or another `Sampler`.
    particles
        How many particles "smc" has.
    acquisition
        How to choose a question: "bald", "continuous", "regret", "two-steps", "volume-removal" or
        "random", or an object such as `Bald(50)`.
    pool
        How many random questions to choose from, where no candidates are given.
    aggregator, scale
        As for `evidence`, which reads comparisons.
    repeats
        The share of questions that repeat an earlier one on purpose, to see how steady answers
        are; else none is asked twice.
    swap
        Whether a coin decides which side is shown on the left. A repeat then shows the sides the
        other way round.

    Examples
    --------
    >>> from equipoise.model.responses import FourAnswers
    >>> learner = Learner(5, FourAnswers(tau_r=0.4, tau_kappa=0.4, beta=10), seed=7)
    >>> question = learner.ask()
    >>> learner.tell(question, "conflicted")
    >>> learner.posterior.mean().shape
    (5,)
    """

    def __init__(
        self,
        priorities: int | Sequence[Priority],
        responses: ResponseModel,
        *,
        task: Task | None = None,
        prior: Dirichlet = UNIFORM_WEIGHTS,
        seed: int,
        session: str = "",
        sampler: str | Sampler = "smc",
        particles: int = PARTICLES,
        acquisition: str | Acquisition = "bald",
        pool: int = 1000,
        aggregator: str | RuleAggregator = "average",
        scale: Scale = "per-input",
        repeats: float = 0.0,
        swap: bool = False,
    ) -> None:
        settings = Settings.checked(
            responses=responses,
            prior=prior,
            sampler=sampler_named(sampler, particles),
            acquisition=acquisition,
            pool=pool,
            aggregator=aggregator,
            scale=scale,
            repeats=repeats,
            swap=swap,
        )
        self._settings, self._parameters = settings, Parameters(responses)
        self._streams = Streams(seed, session)
        self._reader: Reader | None = None
        if isinstance(priorities, int | np.integer):
            names = settings.feature_names(priorities, task)
            declared: int | list[str] = int(priorities)
        else:
            self._reader = settings.reader(priorities, task)
            names = declared = checked_names([p.name for p in self._reader.priorities])
        self._events: list[Event] = []
        declaration = {"priorities": declared, **settings.as_data()}
        self._record("started", session=session, seed=self._streams.seed, declaration=declaration)
        self._learn_about(names)
        self._session = Session()
        self._knowledge = self._learned(self._session, self._problem)

    def _learn_about(self, names: list[str]) -> None:
        self._names = names
        self._problem = Problem(len(names), self._parameters, self._settings.prior)
        self._chooser = Chooser(self._settings, self._parameters, len(names), self._reader)

    # What happens to a session. Each of these changes nothing where it raises.

    def ask(self, candidates: Candidates | None = None) -> Question:
        """Return the open question if there is one, else choose one.

        Parameters
        ----------
        candidates
            What to choose from: features of both sides (n, 2, m), `AllPairs` of profiles,
            comparisons, or evidence. If not given, random ones: pairs of features, or local
            comparisons of the task.
        """
        if self._session.open is not None:
            return self._session.asked[self._session.open]
        rng = self._streams.at("ask", len(self._session.closed))
        question = self._chooser.choose(self._session, candidates, self._knowledge.draws, rng)
        said = {
            "question": question.id,
            "first": side_as_data(question.first),
            "second": side_as_data(question.second),
            "left": str(question.left),
            "bits": question.bits,
        }
        said |= {} if question.candidate is None else {"candidate": question.candidate}
        said |= {} if question.repeats is None else {"repeats": question.repeats}
        self._session.ask(question)
        self._record("asked", **said)
        return question

    def tell(self, question: Question | int, response: Response | str) -> None:
        """Take the answer to the open question; told again, the same answer changes nothing."""
        id = self._id(question)
        answer = self._answer(response)
        if self._session.closed.get(id) is answer:
            return
        session = self._session.copy()
        session.close(id, answer)
        self._knowledge.take(session.asked[id].evidence, answer)
        self._session = session
        self._record("answered", question=id, response=str(answer))

    def skip(self) -> None:
        """Close the open question without an answer; it isn't asked again."""
        if self._session.open is None:
            raise ValueError("no question is open, so none can be skipped")
        id = self._session.open
        self._session.close(id, None)
        self._record("skipped", question=id)

    def undo(self, id: Question | int | None = None) -> Question:
        """Open a closed question again, the latest if none is named, and return it.

        Everything is as if it had not been answered: a question asked meanwhile and still open
        counts as never asked.
        """
        if id is None:
            if not self._session.closed:
                raise ValueError("nothing was answered or skipped yet, so nothing can be undone")
            number = next(reversed(self._session.closed))
        else:
            number = self._id(id)
        session = self._session.copy()
        session.undo(number)
        self._session, self._knowledge = session, self._learned(session, self._problem)
        self._record("undone", question=number)
        return session.asked[number]

    def add_priority(self, priority: Priority) -> None:
        """Add one more priority, and read all earlier answers anew with it.

        Paper: sec:priority-aware
        """
        if self._reader is None:
            raise ValueError(
                "this learner was given a number of features, it can't gain a priority: to add "
                "some midway, give it a task and a list of priorities"
            )
        (added,) = checked_priorities([priority])
        names = checked_names([*self._names, added.name])
        problem = Problem(len(names), self._parameters, self._settings.prior)
        reader = self._reader.with_priority(added)
        session = self._session.copy()
        session.read_anew(reader.anew(session.asked))
        self._session, self._knowledge = session, self._learned(session, problem)
        self._reader = reader
        self._learn_about(names)
        self._record(ADDED, priority={"name": added.name})

    # What is known.

    @property
    def open(self) -> Question | None:
        """The question that waits for an answer."""
        id = self._session.open
        return None if id is None else self._session.asked[id]

    @property
    def answers(self) -> list[tuple[Question, Response]]:
        """The answers that stand, in order."""
        return self._session.answers

    @property
    def closed(self) -> list[Question]:
        """The questions that were answered or skipped, and not undone, in order."""
        return [self._session.asked[id] for id in self._session.closed]

    @property
    def posterior(self) -> Posterior:
        """What is known of the person after the answers that stand."""
        return Posterior(
            self._knowledge.draws,
            self._parameters,
            self._names,
            self._chooser.evidence,
            [question for question, _ in self._session.answers],
        )

    @property
    def estimates(self) -> NDArray[np.float64]:
        """The posterior mean before any answer, and after each; shape (answers + 1, m)."""
        return self._knowledge.estimates

    def recommend(self, options: ArrayLike | Sequence[Rule]) -> Recommendation:
        """Return which of several options suits the person best.

        Parameters
        ----------
        options
            The features of each; shape (c, m). Or rules of the task.
        """
        draws = self._knowledge.draws
        return Recommendation.among(draws.weights @ self._utilities(options), draws.mass)

    def _utilities(self, options: Any) -> NDArray[np.float64]:
        """Return the utility of every option to each priority; shape (m, c)."""
        m = len(self._names)
        if self._reader is None:
            features = unit_features(options, "options", (None, m))
            if not len(features):
                raise ValueError("options is empty, expected at least one")
            return features.T
        rules = list(options)
        if not rules or not all(isinstance(rule, Rule) for rule in rules):
            raise ValueError(f"options is {options!r}, expected rules of the task: `task.rule`")
        model = PriorityModel(self._reader.priorities, [1 / m] * m, self._settings.aggregator)
        return model.priority_utilities(these_rules(self._reader.task, rules))

    # The log.

    def log(self) -> list[Event]:
        """Return the events of the session so far; `write_log` keeps them in a file."""
        return copy.deepcopy(self._events)

    @classmethod
    def replay(
        cls,
        log: Iterable[Mapping[str, Any]],
        priorities: Sequence[Priority] | None = None,
        *,
        task: Task | None = None,
        candidates: Evidence | None = None,
        aggregator: RuleAggregator | None = None,
        sampler: Sampler | None = None,
        acquisition: Acquisition | None = None,
    ) -> Learner:
        """Return the learner that a log is of; it goes on as if it had never stopped.

        Parameters
        ----------
        log
            The events.
        priorities, task
            Where the session was about priorities: these, also those added midway, in any order.
        candidates
            Where questions were known by their evidence only: that evidence.
        aggregator, sampler, acquisition
            Where these were objects of one's own: the objects.

        Examples
        --------
        >>> from equipoise.model.responses import TwoAnswers
        >>> learner = Learner(3, TwoAnswers(), seed=1)
        >>> learner.tell(learner.ask(), "second")
        >>> Learner.replay(learner.log()).ask().bits == learner.ask().bits
        True
        """
        events = checked_log(log)
        declaration = events[0]["declaration"]
        given = checked_priorities(priorities or ())
        known = dict(zip(checked_names([p.name for p in given]), given, strict=True))
        declared = declaration["priorities"]
        settings = Settings.from_data(
            declaration, aggregator=aggregator, sampler=sampler, acquisition=acquisition
        )
        learner = cls(
            declared if isinstance(declared, int) else [find(name, known) for name in declared],
            task=task,
            seed=events[0]["seed"],
            session=events[0]["session"],
            **vars(settings),
        )
        added = [find(e["priority"]["name"], known) for e in events if e["event"] == ADDED]
        learner._read_back(events, added, candidates)
        return learner

    def _read_back(
        self, events: list[Event], added: Sequence[Priority], candidates: Evidence | None
    ) -> None:
        """Take in the events of a log, then learn from what they come to."""
        if self._reader is not None:
            for priority in added:
                self._reader = self._reader.with_priority(priority)
            self._learn_about(checked_names([p.name for p in self._reader.priorities]))
        question_of = questioner(len(self._names), self._reader, candidates)
        session = session_of(events, question_of)
        for _, answer in session.answers:
            self._answer(answer)
        self._session, self._knowledge = session, self._learned(session, self._problem)
        self._events = events

    def _record(self, kind: str, **said: Any) -> None:
        number = self._events[-1].get("n", len(self._events) - 1) + 1 if self._events else 0
        self._events.append({"v": VERSION, "n": number, "event": kind, **said})

    def _learned(self, session: Session, problem: Problem) -> Knowledge:
        """Learn anew from the answers of a session, as if they had been the only ones."""
        knowledge = Knowledge(problem, self._settings.sampler, self._streams)
        for question, answer in session.answers:
            knowledge.take(question.evidence, answer)
        return knowledge

    # What users hand in.

    def _id(self, question: Question | int) -> int:
        if isinstance(question, int | np.integer) and not isinstance(question, bool):
            return int(question)
        if not isinstance(question, Question):
            raise ValueError(f"question is {question!r}, expected a Question or its id")
        asked = self._session.asked.get(question.id)
        if asked is not None and not same_sides(asked, question):
            raise ValueError(
                f"question {question.id} of this session is another one: was it asked by another "
                "learner?"
            )
        return question.id

    def _answer(self, response: Response | str) -> Response:
        offered = self._settings.responses.answers
        try:
            answer = Response(response)
        except ValueError:
            answer = None
        if answer not in offered:
            raise ValueError(f"response is {response!r}, expected one of {', '.join(offered)}")
        return answer
