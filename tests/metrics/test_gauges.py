from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from generator.analysis.resolve import Resolver
from generator.kinds import Answer, Unknown
from generator.metrics import gauges
from generator.metrics.gauges import gauge_interval, gauge_samples
from generator.runs.gauges import Gauges
from tests.support.gauged_rounds import gauged_round, readings
from tests.support.memory_round import GRAPH, address

NAN = float("nan")
SAID = readings([0, 1, 2, 4], running=[1, 2, 3, NAN], waiting=[0, 0, 3, 1], kv_usage=[0.1, 0.2, 0.6, NAN])


def value(key: str, gauges: Gauges = SAID) -> float | str | None:
    found = Resolver(GRAPH, gauged_round({"c1": gauges})).value(address(key, "level", "a", "c1"))
    return found.value if found.value is not None else found.reason.en if found.reason is not None else None


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("gauge_running_mean", 2),  # (1 + 2 + 3) ÷ 3: the fourth was not read
        ("gauge_running_most", 3),
        ("gauge_waiting_mean", 1),  # (0 + 0 + 3 + 1) ÷ 4
        ("gauge_waiting_most", 3),
        ("gauge_kv_usage_mean", 0.3),  # (0.1 + 0.2 + 0.6) ÷ 3
        ("gauge_kv_usage_most", 0.6),
    ],
)
def test_each_gauge_has_a_mean_and_a_most(key: str, expected: float) -> None:
    assert value(key) == pytest.approx(expected)


def test_what_the_engine_does_not_say_is_unknown() -> None:
    assert value("gauge_kv_usage_most", readings([0, 1], running=[1, 1])) == (
        "the engine's /metrics and /slots do not have it"
    )


@pytest.mark.parametrize(("compute", "expected"), [(gauges._mean, 2), (gauges._most, 3)], ids=["_mean", "_most"])
def test_they_are_of_what_was_read(compute: Callable[..., Answer], expected: float) -> None:
    assert compute(gauge_running_in_order=np.array([1, NAN, 3, 2])) == expected  # 6 ÷ 3, and the largest


def test_gauge_samples_counts_moments() -> None:
    assert value("gauge_samples") == 4
    assert gauge_samples(SAID.t) == 4


def test_gauge_interval_is_the_mean_from_one_to_the_next() -> None:
    assert value("gauge_interval") == pytest.approx(4 / 3)  # from 0 to 4 s in three steps
    assert gauge_interval(SAID.t) == pytest.approx(4 / 3)


def test_one_moment_has_no_interval() -> None:
    assert isinstance(gauge_interval(SAID.t[:1]), Unknown)
