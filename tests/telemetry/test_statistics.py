from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from generator.telemetry.query_csv import read
from generator.telemetry.samples import Clock, Gathering, Samples
from generator.telemetry.statistics import STATISTICS, Span, gpus_in_use, merged
from tests.support.sampled import QUERY

Row = tuple[float, str, Mapping[str, float]]


def sampled(rows: Sequence[Row], clock: Clock = "utc") -> Samples:
    gathering = Gathering(Path("x"), "a tool")
    for t, device, numbers in rows:
        gathering.add(t, device, numbers)
    return gathering.samples(clock)


def of(name: str, samples: Samples, span: Span | None = None) -> float | None:
    return STATISTICS[name].compute(samples, span)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("utilisation_gpu.mean", 0.675),  # (1 + 0.9 + 0.8 + 0) ÷ 4
        ("utilisation_gpu.max", 1.0),
        ("power.mean", 230.0),  # (200 + 220 + 240 + 260) ÷ 4
        ("power.max", 260.0),
        ("power.total", 230.0),  # of one GPU
        ("power.while_capped", 230.0),  # (220 + 240) ÷ 2
        ("power_limit.min", 300.0),
        ("sm_clock.mean", 1.125e9),  # (1500 + 1500 + 900 + 600) ÷ 4 MHz
        ("sm_clock.min_under_load", 9e8),  # 600 MHz is of an idle moment
        ("sm_clock.max", 1.5e9),
        ("sm_clock_most.max", 2e9),
        ("temperature.max", 70.0),
        ("memory_used.max", 2.0**31),
        ("event_reasons.throttled", 0.5),  # 0x4 and 0x24 of four; 0x1 is idle
        ("event_reasons.held", 0.25),  # 0x20 once
        ("event_reasons.capped", 0.5),
        ("event_reasons.union", 36.0),  # 0x4 + 0x20
        ("event_reasons.first", 1.0),
        ("gpu.samples", 4.0),
        ("gpu.gap", 2.0),
    ],
)
def test_four_moments_of_a_gpu(tmp_path: Path, name: str, expected: float) -> None:
    path = tmp_path / "gpu.csv"
    path.write_text(QUERY, encoding="utf-8")

    assert of(name, read(path)) == pytest.approx(expected)


@pytest.mark.parametrize("mask", [0x1, 0x2, 0x10, 0x100, 0x113])
def test_being_idle_or_set_to_a_clock_is_no_throttling(mask: int) -> None:
    assert of("event_reasons.throttled", sampled([(0, "gpu0", {"event_reasons": mask})])) == 0


@pytest.mark.parametrize("mask", [0x4, 0x8, 0x20, 0x40, 0x80, 0x25])
def test_power_and_heat_are(mask: int) -> None:
    assert of("event_reasons.throttled", sampled([(0, "gpu0", {"event_reasons": mask})])) == 1


@pytest.mark.parametrize("name", sorted(STATISTICS))
def test_what_was_not_sampled_is_not_known(name: str) -> None:
    assert of(name, sampled([(0, "other", {"nothing": 1.0})])) is None


def test_gpus_that_did_nothing_do_not_count() -> None:
    rows = [
        (float(t), gpu, {"utilisation_gpu": used, "power": power})
        for t in range(2)
        for gpu, used, power in (("gpu0", 0.9, 300.0), ("gpu1", 0.0, 20.0))
    ]

    assert gpus_in_use(sampled(rows)) == ["gpu0"]
    assert of("power.mean", sampled(rows)) == 300


def test_the_power_of_several_gpus_is_added_up() -> None:
    rows = [(float(t), gpu, {"power": power + t}) for t in (0, 2) for gpu, power in (("gpu0", 300.0), ("gpu1", 100.0))]

    assert of("power.total", sampled(rows)) == 301 + 101


def test_throttling_is_that_of_the_gpu_with_most_of_it() -> None:
    rows = [(float(t), f"gpu{n}", {"event_reasons": 0x20 * (n == 1 and t < 3)}) for t in range(4) for n in range(2)]

    assert of("event_reasons.throttled", sampled(rows)) == 0.75


def test_energy_is_how_far_the_counters_grew() -> None:
    # 100 W for 10 s on one GPU, 200 W on the other: 1000 J + 2000 J
    rows = [
        (float(t), f"gpu{n}", {"energy": 500.0 + 100 * (n + 1) * t, "power": 100.0 * (n + 1)})
        for t in range(11)
        for n in range(2)
    ]

    assert of("energy.difference", sampled(rows)) == pytest.approx(3000)
    assert of("energy.power_times_time", sampled(rows)) == pytest.approx(3000)


def test_a_counter_of_energy_that_fell_is_not_known() -> None:
    rows = [(0, "gpu0", {"energy": 500.0}), (1, "gpu0", {"energy": 20.0}), (2, "gpu0", {"energy": 600.0})]

    assert of("energy.difference", sampled(rows)) is None


def test_gaps_of_a_run_reach_to_its_ends() -> None:
    samples = sampled([(11.0, "gpu0", {"power": 1.0}), (12.0, "gpu0", {"power": 1.0})])

    assert of("gpu.gap", samples) == 1
    assert of("gpu.gap", samples, (10.5, 19.0)) == 7  # from 12 to 19


def test_without_a_clock_there_are_samples_but_no_times() -> None:
    samples = sampled([(0, "gpu0", {"event_reasons": 0x4}), (9, "gpu0", {"event_reasons": 0x4})], clock="none")

    assert of("gpu.samples", samples) == 2
    assert of("gpu.gap", samples) is None
    assert of("event_reasons.first", samples) is None


def test_processes_and_the_engine_have_statistics_too() -> None:
    rows: list[Row] = [
        (0, "client", {"cpu": 0.5}), (1, "client", {"cpu": 0.75}), (0, "server", {"rss": 3.0}),
        (0, "engine", {"running": 4.0, "waiting": 2.0, "kv_usage": 0.5}),
        (1, "engine", {"running": 5.0, "kv_usage": 0.9}),
    ]  # fmt: skip
    names = ("client.cpu.max", "server.rss.max", "engine.running.max", "engine.waiting.max", "engine.kv_usage.max")

    assert [of(name, sampled(rows)) for name in names] == [0.75, 3, 5, 2, 0.9]


@pytest.mark.parametrize(
    ("merge", "expected"),
    [("max", 6), ("min", 4), ("sum", 10), ("mean", 4.5), ("or", 4)],  # (4 × 3 + 6 × 1) ÷ 4; 0b100 | 0b110, 0x2 is none
)
def test_files_come_together(merge: str, expected: float) -> None:
    assert merged([(4.0, 3), (6.0, 1)], merge) == expected  # type: ignore[arg-type]


def test_between_keeps_both_ends() -> None:
    samples = sampled([(float(t), "gpu0", {"power": float(t)}) for t in range(5)])

    assert samples.between(1, 3).of("gpu0", "power")[1].tolist() == [1, 2, 3]
