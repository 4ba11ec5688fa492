"""Where the time to the first token goes, against what the engine itself knows of the same requests, for each seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from generator.collect.reference.model import FAST, NANO
from generator.collect.reference.scheduler import Sequence as Served
from tests.support.simulated import Load, Simulated, collected, noisy
from tests.support.virtual_server import Exchange, Way

SEEDS = range(10)
WAY = Way(front_s=0.003, back_s=0.001)
LOADS = tuple(Load(load, requests=40, input_tokens=256, output_tokens=16) for load in (1, 4, 12))
"""The last one of more than the four slots hold: it queues."""
MACHINE = replace(FAST, slots=4)


def mean(exchanges: Sequence[Exchange], time: Callable[[Served], int]) -> float:
    return sum(time(one.served) for one in exchanges) / len(exchanges) / NANO


def mean_way_back(exchanges: Sequence[Exchange]) -> float:
    """Return the mean time from the end of a step to the client: those who have tokens of one step get them in turn."""
    return sum(one.chunks[0] - one.served.first for one in exchanges) / len(exchanges) / NANO


@pytest.mark.parametrize("seed", SEEDS)
def test_counters_tell_queue_and_prefill(seed: int, tmp_path: Path) -> None:
    found = collected(noisy(Simulated(LOADS, MACHINE, style="vllm", way=WAY), seed), tmp_path / "r")
    for load in LOADS:
        known = found.truth[load.id]
        queue = mean(known, lambda one: one.admitted - one.arrived)
        prefill = mean(known, lambda one: one.first - one.admitted)
        assert found.of_level("ttft_queue", load) == pytest.approx(queue, rel=0.02, abs=1e-9)
        assert found.of_level("ttft_prefill", load) == pytest.approx(prefill, rel=0.02)
        assert found.of_level("ttft_front", load) == pytest.approx(WAY.front_s + mean_way_back(known), rel=0.02)
    assert found.of_level("ttft_queue", LOADS[2]) > 10 * found.of_level("ttft_queue", LOADS[0])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_log_tells_queue_and_prefill(seed: int, tmp_path: Path) -> None:
    found = collected(noisy(Simulated(LOADS, MACHINE, style="llamacpp", way=WAY), seed), tmp_path / "r")
    for load in LOADS:
        known = found.truth[load.id]
        # the client's clock runs from its sending, 3 ms before the request is in the queue
        queue = mean(known, lambda one: one.admitted - one.arrived) + WAY.front_s
        prefill = mean(known, lambda one: one.first - one.admitted)
        assert found.of_level("ttft_queue", load) == pytest.approx(queue, rel=0.02)
        assert found.of_level("ttft_prefill", load) == pytest.approx(prefill, rel=0.02)
        assert found.of_level("ttft_front", load) == pytest.approx(mean_way_back(known), rel=0.02)
