"""Random prompts that a warm prefix cache had seen before: the counters over the run, not over the server's life."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.cases.arriving import Told, told, vllm

RESULT: Final = vllm(
    num_prompts=20, completed=20, duration=4.0, total_input_tokens=20000, total_output_tokens=220,
    request_throughput=5.0, output_throughput=55.0, total_token_throughput=5055.0,
    mean_ttft_ms=50.0, median_ttft_ms=50.0, p99_ttft_ms=50.0, mean_tpot_ms=10.0, median_tpot_ms=10.0,
    mean_itl_ms=10.0, mean_e2el_ms=150.0, median_e2el_ms=150.0,
)  # fmt: skip


def page(**totals: int) -> str:
    return "".join(f'# TYPE vllm:{key} counter\nvllm:{key}_total{{engine="0"}} {n}\n' for key, n in totals.items())


@pytest.fixture
def warm(tmp_path: Path) -> Told:
    before = page(prefix_cache_queries=10000, prefix_cache_hits=0, num_preemptions=3, generation_tokens=5000)
    after = page(prefix_cache_queries=30000, prefix_cache_hits=17000, num_preemptions=3, generation_tokens=5220)
    return told(tmp_path, {"result.json": RESULT, "before.prom": before, "after.prom": after})


def test_hits_are_those_of_the_run(warm: Told) -> None:
    # 17000 ÷ (30000 − 10000) = 85 %, not 17000 ÷ 30000 = 56.7 %
    assert warm.number("server_cache_hit_ratio_of_series") == 0.85
    finding = warm.finding("cache_in_window")
    assert (finding.status, finding.looks) == ("warn", "better")
    assert "was warm over the whole series: 85.0% of the input came from it" in warm.said("cache_in_window")
    assert "TTFT and throughput are not cold numbers" in warm.said("cache_in_window")


def test_only_the_rest_was_computed(warm: Told) -> None:
    # 20000 queried − 17000 found = 3000
    queried = warm.number("server_prefix_cache_queries_of_series")
    found = warm.number("server_cached_prompt_tokens_of_series")
    assert (queried, found) == (20000, 17000)
    # 3 − 3 pre-empted; 5220 − 5000 = 220 generated, as many as the client counts
    assert warm.number("server_preemptions_of_series") == 0
    assert warm.number("server_output_tokens_of_series") == warm.number("output_tokens_counted", "all-at-once") == 220
