"""Learn how one person wants a decision rule to behave, including where that person is torn.

Examples
--------
>>> import equipoise as eq
>>> learner = eq.Learner(5, eq.FourAnswers(tau_r=0.4, tau_kappa=0.4, beta=10), seed=7)
>>> question = learner.ask()
>>> learner.tell(question, "conflicted")
>>> learner.posterior.mean().shape
(5,)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from equipoise.acquisition import (
        Bald as Bald,
        ContinuousBald as ContinuousBald,
        Random as Random,
        RegretReduction as RegretReduction,
        TwoSteps as TwoSteps,
        VolumeRemoval as VolumeRemoval,
    )
    from equipoise.inference.draws import ContradictionError as ContradictionError
    from equipoise.inference.hit_and_run import HitAndRun as HitAndRun
    from equipoise.inference.weights import Dirichlet as Dirichlet
    from equipoise.learner import (
        AfterQuestions as AfterQuestions,
        AllPairs as AllPairs,
        Learner as Learner,
        NarrowIntervals as NarrowIntervals,
        Posterior as Posterior,
        Recommendation as Recommendation,
        SmallRegret as SmallRegret,
        StandsStill as StandsStill,
        StoppingRule as StoppingRule,
        read_log as read_log,
        write_log as write_log,
    )
    from equipoise.model.aggregation import (
        Average as Average,
        CustomAggregator as CustomAggregator,
        LinearAggregator as LinearAggregator,
        Maximum as Maximum,
        PriorityAggregator as PriorityAggregator,
        RuleAggregator as RuleAggregator,
        ScalePreserving as ScalePreserving,
    )
    from equipoise.model.comparisons import (
        Comparison as Comparison,
        local_comparisons as local_comparisons,
    )
    from equipoise.model.evidence import (
        Account as Account,
        Evidence as Evidence,
        evidence as evidence,
    )
    from equipoise.model.gaps import projection_gaps as projection_gaps
    from equipoise.model.linear_rules import (
        average_regret as average_regret,
        linear_choices as linear_choices,
        worst_case_regret as worst_case_regret,
    )
    from equipoise.model.noise import (
        GaussianMixture as GaussianMixture,
        LogisticNoise as LogisticNoise,
        Noise as Noise,
        NormalNoise as NormalNoise,
        UnknownMixture as UnknownMixture,
    )
    from equipoise.model.percentiles import Percentile as Percentile
    from equipoise.model.priorities import (
        AveragePriority as AveragePriority,
        Bounded as Bounded,
        CustomPriority as CustomPriority,
        Egalitarianism as Egalitarianism,
        EqualTreatment as EqualTreatment,
        GapSum as GapSum,
        LinearFeature as LinearFeature,
        Membership as Membership,
        Priority as Priority,
        Proportionality as Proportionality,
        Separable as Separable,
        SeparablePriority as SeparablePriority,
        Size as Size,
        Summed as Summed,
        UtilityRange as UtilityRange,
        linear_features as linear_features,
        utility as utility,
        utility_range as utility_range,
    )
    from equipoise.model.priority_model import PriorityModel as PriorityModel
    from equipoise.model.priors import (
        Beta as Beta,
        Discrete as Discrete,
        LogNormal as LogNormal,
        Prior as Prior,
        Uniform as Uniform,
    )
    from equipoise.model.questions import Question as Question
    from equipoise.model.respondents import Respondent as Respondent
    from equipoise.model.responses import (
        FourAnswers as FourAnswers,
        LogisticGate as LogisticGate,
        PeopleAnswers as PeopleAnswers,
        ResponseModel as ResponseModel,
        ThreeAnswers as ThreeAnswers,
        TwoAnswers as TwoAnswers,
    )
    from equipoise.model.rule_sets import (
        RuleBox as RuleBox,
        RuleList as RuleList,
        RuleSet as RuleSet,
        all_rules as all_rules,
        random_rules as random_rules,
        these_rules as these_rules,
    )
    from equipoise.model.rules import (
        best_rule as best_rule,
        best_rules as best_rules,
        regret as regret,
    )
    from equipoise.model.srum import (
        ScorePriority as ScorePriority,
        Scores as Scores,
        model_of_scores as model_of_scores,
        scores_of_model as scores_of_model,
    )
    from equipoise.model.states import (
        Response as Response,
        decisiveness as decisiveness,
        latent_state as latent_state,
        relation as relation,
        state as state,
        valence as valence,
    )
    from equipoise.model.tallies import Sampled as Sampled
    from equipoise.model.tasks import Rule as Rule, Task as Task
    from equipoise.separability.rationalisations import (
        separable_rationalisation as separable_rationalisation,
    )

# Where each public name lives. Importing equipoise loads none of them, so that the command line
# answers at once; a name is loaded when it's first used.
_MODULES = {
    "model.tasks": ("Task", "Rule"),
    "model.rule_sets": (
        "RuleBox",
        "RuleList",
        "RuleSet",
        "all_rules",
        "random_rules",
        "these_rules",
    ),
    "model.comparisons": ("Comparison", "local_comparisons"),
    "model.priorities": (
        "AveragePriority",
        "Bounded",
        "CustomPriority",
        "Egalitarianism",
        "EqualTreatment",
        "GapSum",
        "LinearFeature",
        "Membership",
        "Priority",
        "Proportionality",
        "Separable",
        "SeparablePriority",
        "Size",
        "Summed",
        "UtilityRange",
        "linear_features",
        "utility",
        "utility_range",
    ),
    "model.priority_model": ("PriorityModel",),
    "model.aggregation": (
        "Average",
        "CustomAggregator",
        "LinearAggregator",
        "Maximum",
        "PriorityAggregator",
        "RuleAggregator",
        "ScalePreserving",
    ),
    "model.percentiles": ("Percentile",),
    "model.gaps": ("projection_gaps",),
    "model.tallies": ("Sampled",),
    "model.evidence": ("Account", "Evidence", "evidence"),
    "model.states": ("Response", "decisiveness", "latent_state", "relation", "state", "valence"),
    "model.noise": ("GaussianMixture", "LogisticNoise", "Noise", "NormalNoise", "UnknownMixture"),
    "model.priors": ("Beta", "Discrete", "LogNormal", "Prior", "Uniform"),
    "model.responses": (
        "FourAnswers",
        "LogisticGate",
        "PeopleAnswers",
        "ResponseModel",
        "ThreeAnswers",
        "TwoAnswers",
    ),
    "model.questions": ("Question",),
    "model.respondents": ("Respondent",),
    "model.rules": ("best_rule", "best_rules", "regret"),
    "model.linear_rules": ("average_regret", "linear_choices", "worst_case_regret"),
    "inference.weights": ("Dirichlet",),
    "inference.draws": ("ContradictionError",),
    "inference.hit_and_run": ("HitAndRun",),
    "acquisition": (
        "Bald",
        "ContinuousBald",
        "Random",
        "RegretReduction",
        "TwoSteps",
        "VolumeRemoval",
    ),
    "learner": (
        "AfterQuestions",
        "AllPairs",
        "Learner",
        "NarrowIntervals",
        "Posterior",
        "Recommendation",
        "SmallRegret",
        "StandsStill",
        "StoppingRule",
        "read_log",
        "write_log",
    ),
    "separability.rationalisations": ("separable_rationalisation",),
    "model.srum": ("ScorePriority", "Scores", "model_of_scores", "scores_of_model"),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [name for names in _MODULES.values() for name in names]


if not TYPE_CHECKING:  # so that a type checker knows every name, and no others

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module 'equipoise' has no attribute {name!r}")
        value = getattr(import_module(f"equipoise.{_HOME[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
