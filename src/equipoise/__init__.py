"""Learn how one person wants a decision rule to behave, including where that person is torn.

Examples
--------
>>> import equipoise as eq
>>> eq.Response("conflicted")
<Response.CONFLICTED: 'conflicted'>
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from equipoise.model.aggregation import (
        Average as Average,
    )
    from equipoise.model.aggregation import (
        CustomAggregator as CustomAggregator,
    )
    from equipoise.model.aggregation import (
        LinearAggregator as LinearAggregator,
    )
    from equipoise.model.aggregation import (
        Maximum as Maximum,
    )
    from equipoise.model.aggregation import (
        Percentile as Percentile,
    )
    from equipoise.model.aggregation import (
        PriorityAggregator as PriorityAggregator,
    )
    from equipoise.model.aggregation import (
        RuleAggregator as RuleAggregator,
    )
    from equipoise.model.aggregation import (
        ScalePreserving as ScalePreserving,
    )
    from equipoise.model.comparisons import (
        Comparison as Comparison,
    )
    from equipoise.model.comparisons import (
        local_comparisons as local_comparisons,
    )
    from equipoise.model.evidence import (
        Account as Account,
    )
    from equipoise.model.evidence import (
        Evidence as Evidence,
    )
    from equipoise.model.evidence import (
        evidence as evidence,
    )
    from equipoise.model.gaps import projection_gaps as projection_gaps
    from equipoise.model.noise import (
        GaussianMixture as GaussianMixture,
    )
    from equipoise.model.noise import (
        LogisticNoise as LogisticNoise,
    )
    from equipoise.model.noise import (
        Noise as Noise,
    )
    from equipoise.model.noise import (
        NormalNoise as NormalNoise,
    )
    from equipoise.model.noise import (
        UnknownMixture as UnknownMixture,
    )
    from equipoise.model.priorities import (
        AveragePriority as AveragePriority,
    )
    from equipoise.model.priorities import (
        CustomPriority as CustomPriority,
    )
    from equipoise.model.priorities import (
        Egalitarianism as Egalitarianism,
    )
    from equipoise.model.priorities import (
        EqualTreatment as EqualTreatment,
    )
    from equipoise.model.priorities import (
        GapSum as GapSum,
    )
    from equipoise.model.priorities import (
        LinearFeature as LinearFeature,
    )
    from equipoise.model.priorities import (
        Membership as Membership,
    )
    from equipoise.model.priorities import (
        Priority as Priority,
    )
    from equipoise.model.priorities import (
        Proportionality as Proportionality,
    )
    from equipoise.model.priorities import (
        SeparablePriority as SeparablePriority,
    )
    from equipoise.model.priorities import (
        Size as Size,
    )
    from equipoise.model.priorities import (
        UtilityRange as UtilityRange,
    )
    from equipoise.model.priorities import (
        linear_features as linear_features,
    )
    from equipoise.model.priorities import (
        utility as utility,
    )
    from equipoise.model.priorities import (
        utility_range as utility_range,
    )
    from equipoise.model.priority_model import PriorityModel as PriorityModel
    from equipoise.model.priors import (
        Beta as Beta,
    )
    from equipoise.model.priors import (
        Discrete as Discrete,
    )
    from equipoise.model.priors import (
        LogNormal as LogNormal,
    )
    from equipoise.model.priors import (
        Prior as Prior,
    )
    from equipoise.model.priors import (
        Uniform as Uniform,
    )
    from equipoise.model.questions import Question as Question
    from equipoise.model.regret import (
        average_regret as average_regret,
    )
    from equipoise.model.regret import (
        worst_case_regret as worst_case_regret,
    )
    from equipoise.model.respondents import Respondent as Respondent
    from equipoise.model.responses import (
        FourAnswers as FourAnswers,
    )
    from equipoise.model.responses import (
        LogisticGate as LogisticGate,
    )
    from equipoise.model.responses import (
        PeopleAnswers as PeopleAnswers,
    )
    from equipoise.model.responses import (
        ResponseModel as ResponseModel,
    )
    from equipoise.model.responses import (
        ThreeAnswers as ThreeAnswers,
    )
    from equipoise.model.responses import (
        TwoAnswers as TwoAnswers,
    )
    from equipoise.model.rule_sets import (
        RuleBox as RuleBox,
    )
    from equipoise.model.rule_sets import (
        RuleList as RuleList,
    )
    from equipoise.model.rule_sets import (
        RuleSet as RuleSet,
    )
    from equipoise.model.rule_sets import (
        all_rules as all_rules,
    )
    from equipoise.model.rule_sets import (
        random_rules as random_rules,
    )
    from equipoise.model.rule_sets import (
        these_rules as these_rules,
    )
    from equipoise.model.rules import (
        best_rule as best_rule,
    )
    from equipoise.model.rules import (
        best_rules as best_rules,
    )
    from equipoise.model.rules import (
        linear_choices as linear_choices,
    )
    from equipoise.model.rules import (
        regret as regret,
    )
    from equipoise.model.srum import (
        ScorePriority as ScorePriority,
    )
    from equipoise.model.srum import (
        Scores as Scores,
    )
    from equipoise.model.srum import (
        model_of_scores as model_of_scores,
    )
    from equipoise.model.srum import (
        scores_of_model as scores_of_model,
    )
    from equipoise.model.states import (
        Response as Response,
    )
    from equipoise.model.states import (
        decisiveness as decisiveness,
    )
    from equipoise.model.states import (
        latent_state as latent_state,
    )
    from equipoise.model.states import (
        relation as relation,
    )
    from equipoise.model.states import (
        state as state,
    )
    from equipoise.model.states import (
        valence as valence,
    )
    from equipoise.model.tallies import Sampled as Sampled
    from equipoise.model.tasks import Rule as Rule
    from equipoise.model.tasks import Task as Task

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
        "CustomPriority",
        "Egalitarianism",
        "EqualTreatment",
        "GapSum",
        "LinearFeature",
        "Membership",
        "Priority",
        "Proportionality",
        "SeparablePriority",
        "Size",
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
        "Percentile",
        "PriorityAggregator",
        "RuleAggregator",
        "ScalePreserving",
    ),
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
    "model.rules": ("best_rule", "best_rules", "linear_choices", "regret"),
    "model.regret": ("average_regret", "worst_case_regret"),
    "model.srum": ("ScorePriority", "Scores", "model_of_scores", "scores_of_model"),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [name for names in _MODULES.values() for name in names]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'equipoise' has no attribute {name!r}")
    value = getattr(import_module(f"equipoise.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
