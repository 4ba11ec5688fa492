from __future__ import annotations

import pytest

from generator.places import log
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("fact", "key", "of_series"),
    [
        ("running_most", "log_running_most", "log_running_most_of_series"),
        ("waiting_most", "log_waiting_most", "log_waiting_most_of_series"),
        ("preemptions", "log_preemptions", "log_preemptions_of_series"),
        ("preemptions_at_least", "log_preemptions_at_least", "log_preemptions_at_least_of_series"),
        ("retracted", "log_retracted", "log_retracted_of_series"),
        ("error_answers", "log_error_answers", "log_error_answers_of_series"),
        ("stats_lines", "log_stats_lines", "log_stats_lines_of_series"),
    ],
)
def test_observed_counts_of_the_log_of_a_run_and_of_a_series(fact: str, key: str, of_series: str) -> None:
    assert read_typed(key, log(fact, "1"), 12) == (12, 12)
    assert read_typed(of_series, log(fact, "1", "series"), 12) == (12, 12)


@pytest.mark.parametrize(
    ("fact", "key", "of_series"),
    [
        ("waiting_share", "log_waiting_share", "log_waiting_share_of_series"),
        ("kv_usage_most", "log_kv_usage_most", "log_kv_usage_most_of_series"),
        ("prefix_hit_ratio_last", "log_prefix_hit_ratio_last", "log_prefix_hit_ratio_last_of_series"),
    ],
)
def test_observed_shares_of_the_log_of_a_run_and_of_a_series(fact: str, key: str, of_series: str) -> None:
    assert read_typed(key, log(fact, "ratio"), 0.25) == (0.25, 0.25)
    assert read_typed(of_series, log(fact, "ratio", "series"), 0.25) == (0.25, 0.25)


@pytest.mark.parametrize(
    ("fact", "unit", "key"),
    [
        ("kv_pool_tokens", "tok", "log_kv_pool_tokens_of_series"),
        ("graphs_off", "1", "log_graphs_off_of_series"),
        ("prefix_caching", "1", "log_prefix_caching_of_series"),
        ("context_length", "tok", "log_context_length_of_series"),
        ("graph_capture_bytes", "B", "log_graph_capture_bytes_of_series"),
        ("start_seconds", "s", "log_start_seconds_of_series"),
    ],
)
def test_observed_facts_of_the_start_in_the_log_of_a_series(fact: str, unit: str, key: str) -> None:
    assert read_typed(key, log(fact, unit, "series"), 4096) == (4096, 4096)
