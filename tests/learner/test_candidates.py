"""Where questions come from, that none repeats, and that some repeat on purpose."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sessions import (
    FAIR,
    MODELS,
    TASK,
    YEARS_GAINED,
    assert_same,
    features,
    give,
    go_on,
    kidneys,
    local,
)
from strategies import generators

import equipoise as eq
from equipoise.inference.transcripts import Transcript


def pairs(rng, count=6, priorities=3):
    """Features of both sides of some questions."""
    return rng.random((count, 2, priorities))


def as_set(question):
    """The two sides, whichever comes first."""
    return frozenset([tuple(question.first), tuple(question.second)])


def test_random_questions_are_about_features():
    """Without candidates both sides are points of the unit cube, and the evidence their gap."""
    learner = features(4)
    question = learner.ask()
    for side in (question.first, question.second):
        assert side.shape == (4,)
        assert ((side >= 0) & (side <= 1)).all()
    np.testing.assert_allclose(
        question.evidence.favour - question.evidence.against, [question.first - question.second]
    )
    assert question.candidate is None
    assert question.bits > 0


def test_a_catalogue_is_asked_through_without_repeats():
    """Every candidate comes once, with its place; then it's said that none is left."""
    rng = np.random.default_rng(1)
    learner, catalogue = features(responses=eq.TwoAnswers()), pairs(rng)
    asked = go_on(learner, len(catalogue), catalogue)
    assert sorted(question.candidate for question in asked) == list(range(len(catalogue)))
    for question in asked:
        np.testing.assert_array_equal(
            [question.first, question.second], catalogue[question.candidate]
        )
    with pytest.raises(
        ValueError, match=r"every candidate was asked already \(6 of them\): give others"
    ):
        learner.ask(catalogue)
    assert learner.open is None
    assert learner.ask().candidate is None


def test_the_same_question_in_another_place_is_the_same_question():
    """Twins and swapped sides, in this catalogue or another, count as asked with each other."""
    learner = features(responses=eq.TwoAnswers())
    side, other, third = np.array([0.0, 0.2, 0.9]), np.array([0.5, 0.4, 0.1]), np.full(3, 0.3)
    give(learner, learner.ask([[side, other], [side, other], [other, side]]), "first")
    # Zeros compare as equal whatever their sign.
    question = learner.ask([[other, side], [-0.0 + side * [-1, 1, 1], other], [side, third]])
    assert question.candidate == 2


def test_catalogues_of_several_kinds_in_one_session():
    """What was asked from one list isn't asked again from another, nor from all pairs."""
    learner = features(responses=eq.TwoAnswers())
    profiles = np.random.default_rng(2).random((4, 3))
    (question,) = go_on(learner, 1, profiles[None, :2][:, ::-1])
    asked = [question, *go_on(learner, 5, eq.AllPairs(profiles))]
    assert len({as_set(question) for question in asked}) == 6
    with pytest.raises(ValueError, match=r"every candidate was asked already \(6 of them\)"):
        learner.ask(eq.AllPairs(profiles))


@given(st.integers(2, 40), generators())
def test_all_pairs_has_each_pair_once(count, rng):
    """The places of `AllPairs` go through every pair, the lesser row first, as sides and evidence.

    Whichever way round a pair is asked about, its place is found.
    """
    profiles = rng.random((count, 2))
    catalogue = eq.AllPairs(profiles)
    expected = [(i, j) for i in range(count) for j in range(i + 1, count)]
    assert len(catalogue) == len(expected)
    says = catalogue.evidence(slice(None))
    for place, (i, j) in enumerate(expected):
        first, second = catalogue.sides(place)
        np.testing.assert_array_equal([first, second], profiles[[i, j]])
        np.testing.assert_allclose(says.favour[place] - says.against[place], first - second)
        asked = eq.Question.of_features(second, first)
        assert list(catalogue.places(asked)) == [place]


def test_all_pairs_of_profiles_that_stand_twice():
    """A pair counts as asked wherever the same two profiles stand."""
    a, b = [0.1, 0.9], [0.6, 0.2]
    catalogue = eq.AllPairs([a, b, a])
    assert sorted(catalogue.places(eq.Question.of_features(a, b))) == [0, 2]
    assert set(catalogue.places(eq.Question.of_features(a, a))) == {1}
    learner = features(2, eq.TwoAnswers())
    go_on(learner, 2, catalogue)
    with pytest.raises(ValueError, match="every candidate was asked already"):
        learner.ask(catalogue)


def test_all_pairs_of_many_profiles():
    """Eighty thousand pairs are chosen from without being made, and one near the best is found."""
    profiles = np.random.default_rng(5).random((400, 3))
    learner = features(responses=eq.FourAnswers(tau_r=0.2, tau_kappa=0.2))
    catalogue = eq.AllPairs(profiles)
    question = learner.ask(catalogue)
    np.testing.assert_array_equal(
        [question.first, question.second], catalogue.sides(question.candidate)
    )
    sample = np.random.default_rng(6).choice(len(catalogue), 500, replace=False)
    others = features(responses=eq.FourAnswers(tau_r=0.2, tau_kappa=0.2))
    best = others.ask([catalogue.sides(place) for place in sample])
    assert question.bits >= 0.98 * best.bits
    learner.tell(question, "first")
    assert learner.ask(catalogue).candidate != question.candidate


def test_random_comparisons_of_a_task():
    """Without candidates local comparisons are asked, none twice, until all were."""
    learner = kidneys(responses=eq.PeopleAnswers())
    asked = go_on(learner, 9)
    assert {frozenset([q.comparison, q.comparison.swapped()]) for q in asked} == {
        frozenset([comparison, comparison.swapped()]) for comparison in local()
    }
    says = eq.evidence(
        [YEARS_GAINED, FAIR],
        [question.comparison for question in asked],
        TASK,
        aggregator="maximum",
        scale="per-input",
    )
    found = np.concatenate([question.evidence.favour for question in asked])
    np.testing.assert_allclose(found, says.favour)
    found = np.concatenate([question.evidence.against for question in asked])
    np.testing.assert_allclose(found, says.against)
    with pytest.raises(ValueError, match=r"every candidate was asked already \(9 of them\)"):
        learner.ask()


def test_a_pool_of_comparisons_is_a_random_part():
    """With a pool of two, the better one of two local comparisons is asked, not the best of all."""
    asked = {kidneys(pool=2, session=str(k)).ask().comparison for k in range(30)}
    assert len(asked) > 2
    assert len({kidneys(session=str(k), sampler="paper").ask().comparison for k in range(5)}) < 3


def test_comparisons_of_any_size():
    """Bundles and whole rules can be candidates; a swapped twin counts as asked."""
    learner = kidneys(responses=eq.PeopleAnswers())
    rules = [TASK.rule(dict.fromkeys(TASK.inputs, y)) for y in ("ann", "ben")]
    whole = eq.Comparison.of_rules(*rules)
    bundle = eq.Comparison(
        {"kidney 1": "ann", "kidney 2": "ben"}, {"kidney 1": "cleo", "kidney 2": "ann"}
    )
    asked = go_on(learner, 2, [whole, bundle])
    assert {question.comparison for question in asked} == {whole, bundle}
    with pytest.raises(ValueError, match=r"every candidate was asked already \(2 of them\)"):
        learner.ask([bundle.swapped(), whole.swapped()])


def test_evidence_as_candidates():
    """Questions may be known by their evidence only: they have a place and no sides."""
    rng = np.random.default_rng(3)
    catalogue = eq.Evidence.from_features(pairs(rng, 5))
    learner = features(responses=eq.TwoAnswers())
    asked = go_on(learner, 5, catalogue)
    assert sorted(question.candidate for question in asked) == list(range(5))
    for question in asked:
        assert question.first is question.second is question.comparison is None
        np.testing.assert_array_equal(
            question.evidence.favour, catalogue.favour[[question.candidate]]
        )
    with pytest.raises(ValueError, match=r"every candidate was asked already \(5 of them\)"):
        learner.ask(catalogue)
    # Other evidence has other questions, though they stand in the same places.
    assert learner.ask(eq.Evidence.from_features(pairs(rng, 5))).candidate in range(5)


def test_evidence_teaches_what_its_features_do():
    """The same questions as features and as evidence lead to the same draws and the same choice."""
    sides = pairs(np.random.default_rng(3), 5)
    by_sides, by_evidence = (features(responses=eq.PeopleAnswers()) for _ in range(2))
    says = eq.Evidence.from_features(sides)
    for answer in ("first", "conflicted"):
        one, other = by_sides.ask(sides), by_evidence.ask(says)
        assert (one.candidate, one.bits) == (other.candidate, other.bits)
        by_sides.tell(one, answer)
        by_evidence.tell(other, answer)
    assert_same(by_sides, by_evidence)


def test_candidates_may_change_between_questions():
    """The very array that was given before is read again if its numbers were changed."""
    learner = features(responses=eq.TwoAnswers())
    sides = pairs(np.random.default_rng(4), 3)
    go_on(learner, 3, sides)
    sides[1] = [[0.9, 0.8, 0.1], [0.2, 0.1, 0.4]]
    question = learner.ask(sides)
    assert question.candidate == 1
    np.testing.assert_array_equal([question.first, question.second], sides[1])
    sides[1] = 0.5
    assert question.first[0] == 0.9


@pytest.mark.parametrize("acquisition", ["bald", "volume-removal", "random", eq.Bald(10)])
def test_every_acquisition_asks_through_a_catalogue(acquisition):
    """However questions are chosen, none repeats, and each says how much it may tell."""
    learner = features(responses=eq.TwoAnswers(), acquisition=acquisition)
    asked = go_on(learner, 6, pairs(np.random.default_rng(1)))
    assert len({question.candidate for question in asked}) == 6
    assert all(question.bits > 0 for question in asked)


def test_the_first_question_is_the_best_of_its_pool():
    """Of a catalogue the question that tells most when it's the only candidate comes first."""
    learner = features()
    catalogue = pairs(np.random.default_rng(8), 30)
    predicted = learner.posterior.predict(catalogue)
    question = learner.ask(catalogue)
    np.testing.assert_allclose(
        learner.posterior.predict([catalogue[question.candidate]]),
        predicted[[question.candidate]],
        atol=1e-12,
    )
    others = [features().ask([sides]).bits for sides in catalogue]
    assert question.bits == pytest.approx(max(others))


def test_repeats_are_asked_on_purpose():
    """With a share of repeats, some questions come twice: said so, never three times, not at once.

    The answer to a repeat counts as one more answer.
    """
    learner = features(responses=eq.PeopleAnswers(), repeats=0.5)
    asked = go_on(learner, 40)
    repeats = [question for question in asked if question.repeats is not None]
    assert 10 <= len(repeats) <= 20
    assert len({question.repeats for question in repeats}) == len(repeats)
    for question in repeats:
        original = asked[question.repeats - 1]
        assert original.repeats is None
        assert question.id > original.id + 1
        np.testing.assert_array_equal(question.first, original.first)
        np.testing.assert_array_equal(question.second, original.second)
        assert question.left == original.left
    others = [question for question in asked if question.repeats is None]
    assert len({as_set(question) for question in others}) == len(others)
    assert len(learner.answers) == 40


def test_a_repeat_can_be_answered_otherwise():
    """People change their minds: a repeat's answer need not be the first one's."""
    learner = features(responses=eq.PeopleAnswers(), repeats=1.0)
    go_on(learner, 2)
    again = learner.ask()
    assert again.repeats == 1
    other = "first" if learner.answers[0][1] != "first" else "second"
    learner.tell(again, other)
    assert [str(said) for q, said in learner.answers if q.repeats == 1] == [other]


def test_repeats_wait_for_something_to_repeat():
    """Even where all is to be repeated, new questions come first; skipped ones never again."""
    learner = features(responses=eq.PeopleAnswers(), repeats=1.0)
    learner.ask()
    learner.skip()
    kinds = [question.repeats for question in go_on(learner, 6)]
    assert kinds == [None, None, 2, 3, None, None]


def test_no_repeats_unless_asked_for():
    """By default no question has a `repeats`, nor an event of the log."""
    learner = features(responses=eq.TwoAnswers())
    assert all(question.repeats is None for question in go_on(learner, 10))
    assert all("repeats" not in event for event in learner.log())


def test_swapped_sides():
    """A coin decides which side is on the left; answers go by the sides' names all the same."""
    swapping = features(responses=eq.TwoAnswers(), swap=True)
    steady = features(responses=eq.TwoAnswers())
    lefts = []
    for _ in range(20):
        question = swapping.ask()
        lefts.append(question.left)
        give(steady, question, "first")
        swapping.tell(question, "first")
        assert swapping.log()[-2]["left"] == str(question.left)
    assert 4 <= lefts.count(eq.Response.SECOND) <= 16
    np.testing.assert_array_equal(
        swapping.posterior.draws["weights"], steady.posterior.draws["weights"]
    )
    assert all(q.left == "first" for q in go_on(features(responses=eq.TwoAnswers()), 10))


def test_a_repeat_is_shown_the_other_way_round():
    """Where sides are swapped, a repeat has them on the other side than the first time."""
    learner = features(responses=eq.PeopleAnswers(), repeats=0.5, swap=True)
    asked = go_on(learner, 20)
    repeats = [question for question in asked if question.repeats is not None]
    assert repeats
    assert all(question.left != asked[question.repeats - 1].left for question in repeats)


def test_what_is_learned_from_is_the_question_that_was_asked(monkeypatch):
    """The transcript has, of every answer, the evidence of its question and nothing else."""
    learner = features()
    go_on(learner, 3, pairs(np.random.default_rng(1)))
    expected = Transcript(3)
    for question, answer in learner.answers:
        expected.append(question.evidence, answer)
    seen = []
    update = eq.HitAndRun.update

    def spy(self, draws, transcript, problem, rng):
        seen.append((transcript.plus.copy(), transcript.minus.copy(), transcript.codes.copy()))
        return update(self, draws, transcript, problem, rng)

    monkeypatch.setattr(eq.HitAndRun, "update", spy)
    eq.Learner.replay(learner.log())
    for found, wanted in zip(
        seen[-1], (expected.plus, expected.minus, expected.codes), strict=True
    ):
        np.testing.assert_array_equal(found, wanted)


def test_evidence_in_another_order_is_the_same_question():
    """A row that was asked isn't asked again from another list that has it elsewhere."""
    evidence = eq.Evidence([[0.5, 0.0, 0.1], [0.2, 0.3, 0.0]], [[0.0, 0.4, 0.0], [0.0, 0.0, 0.6]])
    learner = features(3)
    asked = learner.ask(evidence)
    learner.tell(asked, "first")
    other = learner.ask(evidence.rows([1, 0]))
    assert not np.array_equal(other.evidence.favour, asked.evidence.favour)
    learner.tell(other, "first")
    with pytest.raises(ValueError, match="every candidate was asked already"):
        learner.ask(evidence)


def test_inputs_that_never_occur_are_not_asked_about():
    """Of a task with an input of weight zero, questions are about the others."""
    task = eq.Task({"x": "ab", "never": "ab"}, {"x": 1.0, "never": 0.0})
    size = eq.Size(lambda x, y: float(y == "a"))
    learner = eq.Learner([size], MODELS["known thresholds"], task=task, seed=1, particles=20)
    assert learner.ask().comparison.inputs == ("x",)


def test_a_task_that_leaves_no_choice_is_refused():
    """Where every input has one output there is nothing to ask, and that's said."""
    task = eq.Task({"x": "a"})
    size = eq.Size(lambda x, y: 1.0)
    learner = eq.Learner([size], MODELS["known thresholds"], task=task, seed=1, particles=20)
    with pytest.raises(ValueError, match="no input that occurs and leaves a choice"):
        learner.ask()


def test_a_question_says_how_its_evidence_was_found():
    """What a priority says is accounted for, and a posterior warns where it was sampled."""
    task = eq.Task({x: "abc" for x in range(40)})
    alike = eq.CustomPriority("alike", lambda rule: float(len(set(rule.values())) == 1), bound=1)
    settings = {"task": task, "seed": 1, "particles": 20, "aggregator": "maximum", "pool": 3}
    learner = eq.Learner([alike], MODELS["known thresholds"], **settings)
    question = learner.ask()
    (account,) = question.evidence.accounts
    assert account.method == ("sampled",)
    assert not learner.posterior.warnings
    learner.tell(question, "indifferent")
    assert any("'alike'" in sentence for sentence in learner.posterior.warnings)
