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
        Average,
        CustomAggregator,
        LinearAggregator,
        Maximum,
        Percentile,
        PriorityAggregator,
        RuleAggregator,
        ScalePreserving,
    )
    from equipoise.model.comparisons import Comparison, local_comparisons
    from equipoise.model.evidence import Account, Evidence, evidence
    from equipoise.model.gaps import projection_gaps
    from equipoise.model.noise import (
        GaussianMixture,
        LogisticNoise,
        Noise,
        NormalNoise,
        UnknownMixture,
    )
    from equipoise.model.priorities import (
        AveragePriority,
        CustomPriority,
        Egalitarianism,
        EqualTreatment,
        GapSum,
        LinearFeature,
        Membership,
        Priority,
        Proportionality,
        SeparablePriority,
        Size,
        UtilityRange,
        linear_features,
        utility,
        utility_range,
    )
    from equipoise.model.priority_model import PriorityModel
    from equipoise.model.priors import Beta, Discrete, LogNormal, Prior, Uniform
    from equipoise.model.questions import Question
    from equipoise.model.regret import average_regret, worst_case_regret
    from equipoise.model.respondents import Respondent
    from equipoise.model.responses import (
        FourAnswers,
        LogisticGate,
        PeopleAnswers,
        ResponseModel,
        ThreeAnswers,
        TwoAnswers,
    )
    from equipoise.model.rule_sets import RuleSet, all_rules, random_rules, these_rules
    from equipoise.model.rules import best_rule, best_rules, linear_choices, regret
    from equipoise.model.srum import ScorePriority, Scores, model_of_scores, scores_of_model
    from equipoise.model.states import (
        Response,
        decisiveness,
        latent_state,
        relation,
        state,
        valence,
    )
    from equipoise.model.tallies import Sampled
    from equipoise.model.tasks import Rule, Task

# Where each public name lives. Importing equipoise loads none of them, so that the command line
# answers at once; a name is loaded when it's first used.
_MODULES = {
    "model.tasks": ("Rule", "Task"),
    "model.rule_sets": ("RuleSet", "all_rules", "random_rules", "these_rules"),
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
