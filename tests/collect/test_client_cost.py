from __future__ import annotations

import os

import pytest

from generator.collect.client_cost import ClientCost, cores_for_client, cost_in


def test_the_processes_that_a_load_takes() -> None:
    cost = ClientCost(streams=100, cpu_total=0.9)
    # 100 streams: 0.9 of a core ÷ 0.6 a process = 1.5; 60: 0.54 ÷ 0.6 = 0.9; 400: 3.6 ÷ 0.6 = 6
    assert [cost.processes(streams, most=8) for streams in (100, 60, 400)] == [2, 1, 6]


def test_no_more_processes_than_cores_or_streams() -> None:
    assert ClientCost(100, 0.9).processes(400, most=3) == 3
    assert ClientCost(1, 5.0).processes(1, most=8) == 1  # a stream cannot be cut
    assert ClientCost(1, 1e308).processes(10**9, most=8) == 8


def test_a_core_is_left_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, ours in (({0, 1, 2, 3}, 3), ({5}, 1), (set(range(200)), 64)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, cores=cores: cores, raising=False)
        assert cores_for_client() == ours


@pytest.mark.parametrize(
    ("told", "cost"),
    [
        ({"streams": 4, "cpu_total": 1.5, "cpu_share": 0.8}, ClientCost(4, 1.5)),
        ({"streams": 4, "cpu_share": 0.8}, ClientCost(4, 0.8)),  # of one process, before the sum was noted
        ({"streams": 0, "cpu_total": 1.5}, None),
        ({"streams": "many", "cpu_total": 1.5}, None),
        ({"streams": 4, "cpu_total": float("nan")}, None),
        ({}, None),
    ],
)
def test_what_a_calibration_tells_of_it(told: dict[str, object], cost: ClientCost | None) -> None:
    assert cost_in(told) == cost
