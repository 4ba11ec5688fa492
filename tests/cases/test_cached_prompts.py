"""A llama-server that took two of ten prompts from its cache: no speed of prefill can be read off those."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.cases.arriving import Told, told, vllm

RESULT: Final = vllm(
    num_prompts=10, completed=10, max_concurrency=1, duration=20.0, total_input_tokens=5120, total_output_tokens=500,
    output_throughput=25.0, mean_ttft_ms=206.4, mean_tpot_ms=20.0,
)  # fmt: skip


def request(task: int, second: int, *, computed: int, ms: float) -> str:
    """Write the lines of a request of 512 tokens and an answer of 50: 512 + 50 − 1 are held in the end."""
    of = f"id  0 | task {task} |"
    stamp = f"0.{second:02}.000"
    read = f"({ms / computed:8.2f} ms per token, {computed / ms * 1000:8.2f} tokens per second)"
    return (
        f"{stamp}.000 I slot print_timing: {of} prompt eval time = {ms:10.2f} ms / {computed:5d} tokens {read}\n"
        f"{stamp}.010 I slot print_timing: {of}        eval time =    1000.00 ms /    50 tokens "
        "(   20.00 ms per token,    50.00 tokens per second)\n"
        f"{stamp}.020 I slot print_timing: {of}       total time = {ms + 1000:10.2f} ms / {computed + 50:5d} tokens\n"
        f"{stamp}.030 I slot      release: {of} stop processing: n_tokens = 561, truncated = 0\n"
    )


@pytest.fixture
def found(tmp_path: Path) -> Told:
    start = "0.01.000.000 I srv    load_model: initializing slots, n_slots = 1\n"
    served = (
        request(task, 10 + task // 5, computed=1, ms=8)
        if task in (40, 90)
        else request(task, 10 + task // 5, computed=512, ms=256)
        for task in range(0, 100, 10)
    )
    return told(tmp_path, {"result.json": RESULT, "server.log": start + "".join(served)})


def test_the_rate_of_prefill_is_that_of_cold_prompts(found: Told) -> None:
    # 8 × 512 ÷ (8 × 256 ms) = 2000; all pooled would be 4098 ÷ 2.064 s = 1985.5, the mean of the lines 1625.
    assert found.number("log_cold_prompt_tokens_of_series") == 4096
    assert found.number("log_cold_prompt_seconds_of_series") == pytest.approx(2.048)
    assert found.number("log_cold_prefill_rate_of_series") == pytest.approx(2000)


def test_one_fifth_came_from_the_cache(found: Told) -> None:
    # 2 × 511 of 10 × 512 tokens
    assert found.number("log_cache_share_of_series") == pytest.approx(1022 / 5120)
    finding = found.finding("prompt_cache")
    assert (finding.status, finding.looks) == ("warn", "better")
    assert "20.0% of the input" in found.said("prompt_cache")
    assert "its decode step is not" in found.said("prompt_cache")
