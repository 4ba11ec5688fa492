from __future__ import annotations

import pytest

from generator.places import Place, counters, log, record
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("log_launch_clocks", log("launch_clocks", "s")),
        ("log_prompt_seconds", log("prompt_seconds", "s")),
        ("server_queue_seconds", counters("queue_seconds", "s")),
        ("server_queue_seconds", record("level.json", "summary.server_queue_seconds", "s")),
        ("server_queue_count", counters("queue_count", "1")),
        ("server_queue_count", record("level.json", "summary.server_queue_count", "1")),
        ("server_prefill_seconds", counters("prefill_seconds", "s")),
        ("server_prefill_seconds", record("level.json", "summary.server_prefill_seconds", "s")),
        ("server_prefill_count", counters("prefill_count", "1")),
        ("server_prefill_count", record("level.json", "summary.server_prefill_count", "1")),
        ("server_ttft_seconds", counters("ttft_seconds", "s")),
        ("server_ttft_seconds", record("level.json", "summary.server_ttft_seconds", "s")),
        ("server_ttft_count", counters("ttft_count", "1")),
        ("server_ttft_count", record("level.json", "summary.server_ttft_count", "1")),
        ("server_prompt_seconds", counters("prompt_seconds", "s")),
        ("server_prompt_seconds", record("level.json", "summary.server_prompt_seconds", "s")),
    ],
)
def test_observed_in_the_log_and_on_pages_of_metrics(key: str, place: Place) -> None:
    assert read_typed(key, place, 12.5) == (12.5, 12.5)


def test_observed_on_the_clock_of_the_client() -> None:
    key, place = "first_sent_clock", record("level.json", "summary.first_sent_mono_ns", "ns")

    assert read_typed(key, place, 18_671_882_895_378) == pytest.approx((18671.882895378, 18671.882895378))
