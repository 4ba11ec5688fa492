from __future__ import annotations

import numpy as np
import pytest

from generator.analysis.resolve import Resolver
from generator.kinds import Metric, Picked
from generator.metrics import speedup
from tests.support.formula import evaluate
from tests.support.memory_round import GRAPH, address, memory_round


def test_predicted_speedup_is_the_ratio_of_the_bytes_at_the_lowest_level() -> None:
    # 15 GB ÷ 5 GB
    assert speedup.predicted_speedup(np.array([15e9, 16e9]), np.array([5e9, 1e9])) == Picked(3, rows=(0,))


def test_measured_speedup_is_the_ratio_of_the_gaps_at_the_lowest_level() -> None:
    # 15 ms ÷ 6 ms
    answer = speedup.measured_speedup(np.array([0.015, 1]), np.array([0.006, 3]))

    assert isinstance(answer, Picked)
    assert answer.value == pytest.approx(2.5)
    assert answer.rows == (0,)


def test_predicted_speedup_attained_is_measured_over_predicted() -> None:
    # 2.5 ÷ 3.125
    assert speedup.predicted_speedup_attained(2.5, 3.125) == 0.8


@pytest.mark.parametrize("metric", [speedup.predicted_speedup, speedup.measured_speedup], ids=lambda m: m.key)
def test_formulas_speak_of_the_lowest_level(metric: Metric) -> None:
    # 6 ÷ 2 at the lowest level; 5 ÷ 8 at the highest
    (derivation,) = metric.derivations
    baseline, compared = (parameter.name for parameter in derivation.parameters)

    assert evaluate(derivation.formula, {baseline: [6, 5], compared: [2, 8]}) == 3


@pytest.mark.parametrize(
    ("basis", "predicted", "attained"),
    [
        # (14 GB + 1 GB) ÷ (5 GB + 1 GB) = 2.5; 20 ms ÷ 10 ms = 2; 2 ÷ 2.5
        (None, 2.5, 0.8),
        # (14 GB − 2 GB + 1 GB) ÷ (5 GB − 1 GB + 1 GB) = 2.6; 2 ÷ 2.6
        ("without_embedding", 2.6, 2 / 2.6),
    ],
)
def test_bases_follow_the_bytes(basis: str | None, predicted: float, attained: float) -> None:
    level = {"concurrency": 1.0, "kv_bytes_per_step": 1e9}
    round_ = memory_round(
        {"a": {"c1": {**level, "itl_p50": 0.020}}, "b": {"c1": {**level, "itl_p50": 0.010}}},
        of_series={
            "a": {"weight_bytes_per_step": 14e9, "embedding_bytes": 2e9},
            "b": {"weight_bytes_per_step": 5e9, "embedding_bytes": 1e9},
        },
        baseline="a",
    )
    resolver = Resolver(GRAPH, round_)

    def found(metric: str) -> float | None:
        return resolver.value(address(metric, "pair", "b", basis=basis)).value

    assert found("predicted_speedup") == pytest.approx(predicted)
    assert found("predicted_speedup_attained") == pytest.approx(attained)
