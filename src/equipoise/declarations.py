"""Response models, priors and aggregators as plain data, as they stand in logs and files.

A number to be learned is a table that names its prior: `{"uniform": [0, 1]}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from equipoise.model.aggregation import RuleAggregator, rule_aggregator
from equipoise.model.noise import GaussianMixture, UnknownMixture
from equipoise.model.percentiles import Percentile
from equipoise.model.priors import Beta, Discrete, LogNormal, Prior, Uniform
from equipoise.model.responses import LogisticGate, ResponseModel

NUMBERS = ("tau_r", "tau_kappa", "width", "beta", "lapse")

_PRIORS: dict[str, Callable[..., Any]] = {
    "uniform": Uniform,
    "beta": Beta,
    "log_normal": LogNormal,
    "discrete": Discrete,
}
_NOISES: dict[str, Callable[..., Any]] = {
    "mixture": GaussianMixture,
    "unknown_mixture": UnknownMixture,
}


def responses_as_data(model: ResponseModel) -> dict[str, Any]:
    """Return a response model as plain data.

    Examples
    --------
    >>> from equipoise.model.responses import FourAnswers
    >>> responses_as_data(FourAnswers(tau_r=Uniform(0, 1)))["tau_r"]
    {'uniform': [0, 1]}
    """
    data: dict[str, Any] = {"answers": [str(answer) for answer in model.answers]}
    data |= {name: number_as_data(getattr(model, name)) for name in NUMBERS}
    data["noise"] = _noise_as_data(model.noise)
    data["gate"] = "step"
    if isinstance(model.gate, LogisticGate):
        data["gate"] = {"logistic": number_as_data(model.gate.slope)}
    return data


def responses_from_data(data: Mapping[str, Any]) -> ResponseModel:
    """Return the response model that plain data stand for; what isn't said is as by default.

    Examples
    --------
    >>> model = responses_from_data({"answers": ["first", "second"], "beta": 4})
    >>> model.beta, model.noise
    (4, 'logistic')
    """
    known = ("answers", *NUMBERS, "noise", "gate")
    for name in data:
        if name not in known:
            raise ValueError(f"responses have no {name!r}, expected some of {', '.join(known)}")
    if "answers" not in data:
        raise ValueError("responses must say which answers are on offer: `answers` is missing")
    values = {name: number_from_data(data[name], name) for name in NUMBERS if name in data}
    if "noise" in data:
        noise = data["noise"]
        values["noise"] = _named(noise, "noise", _NOISES) if isinstance(noise, Mapping) else noise
    if "gate" in data:
        gate = data["gate"]
        values["gate"] = _gate_from_data(gate) if isinstance(gate, Mapping) else gate
    return ResponseModel(tuple(data["answers"]), **values)


def number_as_data(number: float | Prior) -> Any:
    """Return a number, or its prior, as plain data.

    Examples
    --------
    >>> number_as_data(0.4), number_as_data(Beta(1, 9.5))
    (0.4, {'beta': [1, 9.5]})
    """
    if not isinstance(number, Prior):
        return number
    for name, kind in _PRIORS.items():
        if type(number) is kind:
            return {name: [_plain(value) for value in vars(number).values()]}
    raise ValueError(f"{number!r} is a prior of one's own, which has no name to write down")


def aggregator_as_data(aggregator: RuleAggregator) -> Any:
    """Return a rule aggregator as plain data; of one's own, only the name is written down.

    Examples
    --------
    >>> aggregator_as_data(Percentile(50))
    {'percentile': [50.0, 'linear']}
    """
    if isinstance(aggregator, Percentile):
        return {"percentile": [aggregator.p, aggregator.interpolation]}
    return aggregator.name


def aggregator_from_data(data: Any) -> RuleAggregator:
    """Return the rule aggregator that plain data stand for.

    Examples
    --------
    >>> aggregator_from_data("maximum").name
    'maximum'
    """
    if isinstance(data, Mapping):
        return _named(data, "aggregator", {"percentile": Percentile})
    return rule_aggregator(data)


def number_from_data(data: Any, name: str) -> Any:
    """Return the number, or the prior, that plain data stand for.

    Examples
    --------
    >>> number_from_data({"uniform": [0, 1]}, "tau_r")
    Uniform(a=0, b=1)
    """
    return _named(data, name, _PRIORS) if isinstance(data, Mapping) else data


def _named(data: Mapping[str, Any], name: str, kinds: dict[str, Callable[..., Any]]) -> Any:
    """Return what a table with one key, the name of a kind, stands for."""
    if len(data) != 1 or next(iter(data)) not in kinds:
        raise ValueError(
            f"{name} is {dict(data)!r}, expected a table with one of {', '.join(kinds)}"
        )
    (kind, arguments), *_ = data.items()
    try:
        return (
            kinds[kind](**arguments) if isinstance(arguments, Mapping) else kinds[kind](*arguments)
        )
    except TypeError as error:
        raise ValueError(f"{name} is {dict(data)!r}, which is not a {kind}: {error}") from error


def _gate_from_data(data: Mapping[str, Any]) -> LogisticGate:
    if set(data) != {"logistic"}:
        raise ValueError(f"gate is {dict(data)!r}, expected 'step' or {{'logistic': slope}}")
    return LogisticGate(number_from_data(data["logistic"], "slope"))


def _noise_as_data(noise: str | GaussianMixture | UnknownMixture) -> Any:
    if isinstance(noise, GaussianMixture):
        return {"mixture": [list(part) for part in (noise.weights, noise.means, noise.scales)]}
    return {"unknown_mixture": asdict(noise)} if isinstance(noise, UnknownMixture) else noise


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
