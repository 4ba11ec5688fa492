from __future__ import annotations

import pytest

from generator.analysis.resolve import Resolver
from generator.metrics import telemetry as family
from generator.model import Trial
from generator.places import OF_SERIES, counters, telemetry
from generator.telemetry.statistics import STATISTICS
from tests.support.memory_round import GRAPH, address, memory_round, observation
from tests.support.memory_round import read_typed as read

READ = [
    ("gpu_utilisation_mean", "gpu_utilisation_mean_of_series", "utilisation_gpu.mean", "ratio", 0.5, 0.5),
    ("gpu_utilisation_max", "gpu_utilisation_max_of_series", "utilisation_gpu.max", "ratio", 1.0, 1.0),
    ("gpu_power_mean", "gpu_power_mean_of_series", "power.mean", "W", 250.0, 250.0),
    ("gpu_power_max", "gpu_power_max_of_series", "power.max", "W", 300.0, 300.0),
    ("gpu_power_while_capped", "gpu_power_while_capped_of_series", "power.while_capped", "W", 240.0, 240.0),
    ("gpu_power_limit", "gpu_power_limit_of_series", "power_limit.min", "W", 400.0, 400.0),
    ("gpu_energy", "gpu_energy_of_series", "energy.difference", "J", 5069.0, 5069.0),
    ("gpu_energy_by_power", "gpu_energy_by_power_of_series", "energy.power_times_time", "J", 5000.0, 5000.0),
    ("gpu_clock_sm_mean", "gpu_clock_sm_mean_of_series", "sm_clock.mean", "Hz", 1.5e9, 1500.0),
    ("gpu_clock_sm_min", "gpu_clock_sm_min_of_series", "sm_clock.min_under_load", "Hz", 9e8, 900.0),
    ("gpu_clock_sm_max", "gpu_clock_sm_max_of_series", "sm_clock.max", "Hz", 2e9, 2000.0),
    ("gpu_clock_sm_limit", "gpu_clock_sm_limit_of_series", "sm_clock_most.max", "Hz", 2.1e9, 2100.0),
    ("gpu_clock_memory_max", "gpu_clock_memory_max_of_series", "memory_clock.max", "Hz", 2.6e9, 2600.0),
    ("gpu_temperature_max", "gpu_temperature_max_of_series", "temperature.max", "°C", 84.0, 84.0),
    ("gpu_memory_used_max", "gpu_memory_used_max_of_series", "memory_used.max", "B", 2.0**31, 2.0),
    ("gpu_throttled_share", "gpu_throttled_share_of_series", "event_reasons.throttled", "ratio", 0.5, 0.5),
    ("gpu_held_share", "gpu_held_share_of_series", "event_reasons.held", "ratio", 0.25, 0.25),
    ("gpu_power_capped_share", "gpu_power_capped_share_of_series", "event_reasons.capped", "ratio", 0.25, 0.25),
    ("gpu_throttle_reasons", "gpu_throttle_reasons_of_series", "event_reasons.union", "1", 36.0, 36.0),
    ("gpu_throttled_after", "gpu_throttled_after_of_series", "event_reasons.first", "s", 30.0, 30.0),
    ("gpu_samples", "gpu_samples_of_series", "gpu.samples", "1", 60.0, 60.0),
    ("gpu_sample_gap_max", "gpu_sample_gap_max_of_series", "gpu.gap", "s", 1.5, 1.5),
    ("client_cpu_max", "client_cpu_max_of_series", "client.cpu.max", "1", 0.75, 0.75),
    ("server_rss_max", "server_rss_max_of_series", "server.rss.max", "B", 2.0**30, 1.0),
    ("engine_running_max", "engine_running_max_of_series", "engine.running.max", "1", 32.0, 32.0),
    ("engine_waiting_max", "engine_waiting_max_of_series", "engine.waiting.max", "1", 4.0, 4.0),
    ("engine_kv_usage_max", "engine_kv_usage_max_of_series", "engine.kv_usage.max", "ratio", 0.99, 0.99),
    ("engine_block_tokens", "engine_block_tokens_of_series", "engine.block_tokens.max", "tok", 16.0, 16.0),
    ("engine_pool_blocks", "engine_pool_blocks_of_series", "engine.pool_blocks.max", "1", 5867.0, 5867.0),
]
"""Keys at a level and of a series; the statistic with its base unit; the number there and in the report."""


@pytest.mark.parametrize(("key", "of_series", "statistic", "unit", "held", "reported"), READ)
def test_observed_among_the_samples(
    key: str, of_series: str, statistic: str, unit: str, held: float, reported: float
) -> None:
    assert read(key, telemetry(statistic, unit), held) == (held, reported)
    assert read(of_series, telemetry(statistic + OF_SERIES, unit), held) == (held, reported)


def test_observed_on_saved_pages() -> None:
    assert read("engine_kv_usage_max", counters("kv_usage", "ratio"), 0.9) == (0.9, 0.9)


def test_every_statistic_is_a_metric() -> None:
    read_from = {place.name.removesuffix(OF_SERIES) for place in GRAPH.places() if place.kind == "telemetry"}
    assert read_from == set(STATISTICS)


def test_a_level_of_a_table_has_none_of_them() -> None:
    keys = {metric.key for metric in GRAPH.of_levels(from_runs=False)}

    assert not keys & {one.key for one in family.SAMPLED}
    assert "server_prompt_tokens" in keys  # published.csv has a column for it


def test_the_level_is_the_median_of_its_trials() -> None:
    seen = [observation(address("gpu_power_mean", "level", "s", "c1", trial=n), 100.0 * n) for n in (1, 2, 3)]
    runs: dict[Trial, None] = {("s", "c1", trial): None for trial in (1, 2, 3)}
    round_ = memory_round({"s": {"c1": {"concurrency": 1.0}}}, further=seen, runs=runs)

    assert Resolver(GRAPH, round_).value(address("gpu_power_mean", "level", "s", "c1")).value == 200
