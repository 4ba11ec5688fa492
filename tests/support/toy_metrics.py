"""Metrics of no meaning, declared in a line, for tests of the graph and the resolver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.analysis.graph import build
from generator.analysis.resolve import Resolver, Spoilt
from generator.kinds import Answer, Metric, metric, observed
from generator.model import Round
from generator.places import Place, column
from generator.text import same
from generator.values import Scope
from tests.support.memory_round import memory_round


def seen(key: str, scope: Scope = "level", unit: str = "1", places: list[Place] | None = None) -> Metric:
    """Declare a metric that is read from the place of its own name."""
    return observed(
        key,
        scope=scope,
        unit=unit,
        places=places or [column(key, unit)],
        title=same(key),
        symbol=key,
        meaning=same(key),
    )


def derived(
    formula: str, scope: Scope = "level", unit: str = "1", **declared: Any
) -> Callable[[Callable[..., Answer]], Metric]:
    """Declare the decorated function as a metric."""
    return metric(formula, scope=scope, unit=unit, title=same("title"), symbol="x", meaning=same("meaning"), **declared)


def resolver(round_: Round, *metrics: Metric, spoilt: Spoilt = frozenset()) -> Resolver:
    """Make a resolver over a few metrics."""
    return Resolver(build(metrics), round_, spoilt)


def one_level(**numbers: float) -> Round:
    """Make a round of one series ``s`` with one level ``c1``."""
    return memory_round({"s": {"c1": {"concurrency": 1.0, **numbers}}})


def half_of_a() -> Metric:
    """Declare ``half`` of ``a``."""

    @derived("a ÷ 2")
    def half(a: float) -> float:
        return a / 2

    return half


def ratio_of_a_and_b() -> Metric:
    """Declare the ``ratio`` of ``a`` and ``b``."""

    @derived("a ÷ b")
    def ratio(a: float, b: float) -> float:
        return a / b

    return ratio
