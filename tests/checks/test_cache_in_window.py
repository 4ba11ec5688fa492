from __future__ import annotations

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import watched_round

CHECK = "cache_in_window"


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_a_warm_cache_makes_the_numbers_no_cold_ones() -> None:
    # 3400 ÷ 4000 = 85 %, and 4000 − 3400 = 600 were worked out
    round_ = watched_round({"c1": {"server_prefix_cache_queries": 4000.0, "server_cached_prompt_tokens": 3400.0}})

    finding = examine(round_)

    assert (finding.status, finding.levels, finding.looks) == ("warn", ("c1",), "better")
    text = said(finding, round_)
    assert "was warm at C=1: 85.0% of the input came from it. TTFT and throughput are not cold numbers." in text
    assert "Only 600 tok of 4,000 tok were worked out." in text
    assert "TTFT 与吞吐不是冷缓存的数字" in text


def test_a_cold_cache_passes() -> None:
    # 200 ÷ 4000 = 5 %, which is not above it
    round_ = watched_round({"c1": {"server_prefix_cache_queries": 4000.0, "server_cached_prompt_tokens": 200.0}})

    assert examine(round_).status == "pass"


def test_no_hit_passes() -> None:
    round_ = watched_round({"c1": {"server_prefix_cache_queries": 4000.0, "server_cached_prompt_tokens": 0.0}})

    assert "no token of the input of s came from its prompt cache" in said(examine(round_), round_)


def test_a_server_that_counts_no_queries_is_held_against_the_input() -> None:
    # 75 ÷ (250 + 50) = 25 %
    numbers = {"server_cached_prompt_tokens": 75.0, "input_tokens_counted": 250.0, "warm_up_input_tokens": 50.0}
    round_ = watched_round({"c1": numbers})

    assert "25.0% of the input came from it" in said(examine(round_), round_)


def test_counters_of_the_series_are_examined_where_levels_have_none() -> None:
    numbers = {"server_prefix_cache_queries_of_series": 1000.0, "server_cached_prompt_tokens_of_series": 500.0}
    round_ = watched_round({"c1": {}}, of_series={"s": numbers})

    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ())
    assert "was warm over the whole series: 50.0% of the input" in said(finding, round_)


def test_without_a_count_there_is_nothing_to_examine() -> None:
    finding = examine(memory_round({"s": {"c1": {"concurrency": 1.0}}}))

    assert (finding.status, finding.is_empty) == ("pass", True)
