from __future__ import annotations

import pytest

from generator.analysis.resolve import Resolver
from generator.metrics import counters as family
from generator.places import OF_SERIES, Place, counters, record
from generator.text import same
from generator.values import Address
from tests.support.memory_round import GRAPH, memory_round, read_typed


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("server_prefix_cache_queries", counters("prefix_cache_queries", "tok")),
        ("server_prefix_cache_queries", record("level.json", "summary.server_prefix_cache_queries", "tok")),
        ("server_preemptions", counters("preemptions", "1")),
        ("server_preemptions", record("level.json", "summary.server_preemptions", "1")),
        ("server_requests_ended", counters("requests_ended", "1")),
        ("server_requests_ended", record("level.json", "summary.server_requests_ended", "1")),
        ("server_restarts", counters("restarts", "1")),
        ("server_restarts_of_series", counters("restarts" + OF_SERIES, "1")),
        ("server_cached_prompt_tokens", counters("cached_prompt_tokens", "tok")),
        ("server_prompt_tokens", counters("prompt_tokens", "tok")),
        ("server_output_tokens", counters("generation_tokens", "tok")),
        ("server_cached_prompt_tokens_of_series", counters("cached_prompt_tokens" + OF_SERIES, "tok")),
        ("server_prefix_cache_queries_of_series", counters("prefix_cache_queries" + OF_SERIES, "tok")),
        ("server_preemptions_of_series", counters("preemptions" + OF_SERIES, "1")),
        ("server_prompt_tokens_of_series", counters("prompt_tokens" + OF_SERIES, "tok")),
        ("server_output_tokens_of_series", counters("generation_tokens" + OF_SERIES, "tok")),
        ("server_requests_ended_of_series", counters("requests_ended" + OF_SERIES, "1")),
    ],
)
def test_observed_among_the_counters_of_the_server(key: str, place: Place) -> None:
    assert read_typed(key, place, 128) == (128, 128)


def test_server_cache_hit_ratio_is_that_of_the_run() -> None:
    # 3400 ÷ 4000
    assert family.server_cache_hit_ratio(3400, 4000) == 0.85


def test_cache_hit_ratio_of_input_counts_the_warm_up_in() -> None:
    # 75 ÷ (250 + 50)
    assert family.cache_hit_ratio_of_input(75, 250, 50) == 0.25


def test_server_computed_prompt_tokens_are_those_not_found() -> None:
    assert family.server_computed_prompt_tokens(4000, 3400) == 600


def test_server_cache_hit_ratio_of_series() -> None:
    # 30 ÷ 400
    assert family.server_cache_hit_ratio_of_series(30, 400) == 0.075


def test_server_preemption_share() -> None:
    # 12 ÷ 40
    assert family.server_preemption_share(12, 40) == 0.3


def test_server_preemption_share_of_series() -> None:
    # 5 ÷ 50
    assert family.server_preemption_share_of_series(5, 50) == 0.1


def test_a_counter_that_was_set_back_leaves_its_reason() -> None:
    round_ = memory_round({"s": {"c1": {"concurrency": 1.0, "requests": 8.0}}}, runs={("s", "c1", None): None})
    counted = Address("server_preemptions", "level", "s", "c1")
    round_.unread[counted] = same("unknown (restart)")  # type: ignore[index]

    share = Resolver(GRAPH, round_).value(Address("server_preemption_share", "level", "s", "c1"))

    assert share.value is None
    assert share.reason == same("unknown (restart)")
