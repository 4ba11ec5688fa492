"""Results of `vllm bench serve` whose own summary misleads: what a report says of them instead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cases.arriving import Told, imported, told, vllm


def detailed(*, tokens: list[int], ttfts: list[float], itls: list[list[float]], **numbers: Any) -> str:
    """Write a result with its requests; those without tokens and without an error were answered all the same."""
    return vllm(
        num_prompts=len(tokens), input_lens=[10] * len(tokens), output_lens=tokens, ttfts=ttfts, itls=itls,
        generated_texts=[""] * len(tokens), total_output_tokens=sum(tokens), total_input_tokens=10 * len(tokens),
        **{"errors": [""] * len(tokens), "completed": len(tokens), **numbers},
    )  # fmt: skip


def level(found: Told) -> str:
    [only] = found.round.series[0].levels
    return only.id


def numbers(found: Told, *keys: str) -> list[float | None]:
    return [found.number(key, level(found)) for key in keys]


def test_one_request_failed_and_one_has_a_single_token(tmp_path: Path) -> None:
    result = detailed(
        tokens=[5, 0, 1], ttfts=[0.2, 0.0, 0.3], itls=[[0.05] * 4, [], []], errors=["", "TimeoutError", ""],
        completed=2, failed=1, duration=2.0, output_throughput=3.0, request_throughput=1.0, mean_ttft_ms=166.67,
    )  # fmt: skip
    found = told(tmp_path, {"result.json": result})

    assert numbers(found, "completed", "failed", "ttft_samples", "tpot_samples", "itl_samples") == [2, 1, 2, 1, 4]
    assert found.number("failure_ratio", level(found)) == pytest.approx(1 / 3)
    # (200 + 300) ÷ 2, 200 + 0.99 × 100, (400 − 200) ÷ 4, (400 + 300) ÷ 2 ms
    latencies = numbers(found, "ttft_mean", "ttft_p99", "tpot_mean", "itl_mean", "e2el_mean")
    assert latencies == pytest.approx([0.25, 0.299, 0.05, 0.05, 0.35])
    # (5 + 1) ÷ 2 s; 2 ÷ 2 s
    assert numbers(found, "output_throughput", "request_throughput") == [3, 1]
    assert "1 of 3, or 33.3%" in found.said("failed_requests")


def test_nine_tokens_in_four_chunks(tmp_path: Path) -> None:
    result = detailed(tokens=[9], ttfts=[0.1], itls=[[0.06, 0.12, 0.06]], duration=1.0, output_throughput=9.0)
    found = told(tmp_path, {"result.json": result})

    # (340 − 100) ÷ (9 − 1) = 30 ms a token; (60 + 120 + 60) ÷ 3 = 80 ms between chunks; 9 ÷ 4
    known = numbers(found, "tpot_mean", "itl_mean", "itl_p50", "tokens_per_chunk")
    assert known == pytest.approx([0.03, 0.08, 0.06, 2.25])
    assert found.finding("tokens_and_chunks").status == "warn"


def test_a_success_without_a_token(tmp_path: Path) -> None:
    result = detailed(
        tokens=[3, 3, 3, 0], ttfts=[0.1, 0.2, 0.3, 0.0], itls=[[0.02, 0.02]] * 3 + [[]], duration=2.0,
        mean_ttft_ms=150.0, median_ttft_ms=150.0, mean_e2el_ms=180.0, output_throughput=4.5,
    )  # fmt: skip
    found = told(tmp_path, {"result.json": result})

    # (100 + 200 + 300) ÷ 3, rank 1.98: 298, (140 + 240 + 340) ÷ 3; 9 ÷ 2 s
    known = numbers(found, "ttft_mean", "ttft_p50", "ttft_p99", "e2el_mean", "output_throughput")
    assert known == pytest.approx([0.2, 0.2, 0.298, 0.24, 4.5])
    assert found.number("ttft_mean", level(found), "reported") == pytest.approx(0.15)
    assert found.finding("answers_without_token").status == "warn"


def test_nan_and_infinity(tmp_path: Path) -> None:
    result = vllm(
        num_prompts=1, completed=1, duration=1.0, total_output_tokens=1, total_input_tokens=10, output_throughput=1.0,
        request_rate=float("inf"), mean_ttft_ms=120.0, median_ttft_ms=120.0, mean_tpot_ms=float("nan"),
        median_tpot_ms=float("nan"), mean_itl_ms=float("nan"), p99_itl_ms=float("-inf"),
    )  # fmt: skip
    assert "NaN" in result
    found = told(tmp_path, {"result.json": result})

    assert found.round.series[0].levels[0].rate is None
    assert numbers(found, "ttft_mean", "tpot_mean", "tpot_p50", "itl_mean", "itl_p99") == [0.12, *[None] * 4]
    written = "".join(path.read_text(encoding="utf-8") for path in found.folder.rglob("*.json"))
    assert not [word for word in ("NaN", "Infinity") if word in written]


def test_the_old_schema_with_a_colon(tmp_path: Path) -> None:
    old = {
        "date": "20250101-101500", "backend": "vllm", "model_id": "acme/Tiny-8B", "num_prompts": 10,
        "request_rate": 2.0, "duration": 3.0, "completed": 9, "total_input_tokens": 90, "total_output_tokens": 90,
        "request_throughput": 3.0, "request_goodput:": 1.5, "output_throughput": 30.0, "mean_ttft_ms": 100.0,
    }  # fmt: skip
    found = told(tmp_path, {"result.json": json.dumps(old)})

    # 10 − 9; 9 ÷ 3 s; 1.5 ÷ 3
    assert numbers(found, "failed", "request_throughput", "request_goodput", "goodput_share") == [1, 3, 1.5, 0.5]
    assert found.value("failed", level(found)).formula == "requests − completed"


def test_a_cap_that_sets_the_load(tmp_path: Path) -> None:
    result = vllm(
        request_rate=10.0, max_concurrency=8, num_prompts=100, completed=100, duration=25.0, request_throughput=4.0,
        total_output_tokens=1100, output_throughput=44.0, mean_ttft_ms=200.0, mean_tpot_ms=180.0, mean_e2el_ms=2000.0,
        median_e2el_ms=2000.0,
    )  # fmt: skip
    found = told(tmp_path, {"result.json": result})

    # 4 of 10 a second; 100 × 2 s ÷ 25 s; 8 ÷ 2 s
    assert numbers(found, "rate_share", "mean_concurrency", "rate_allowed") == pytest.approx([0.4, 8, 4])
    assert found.finding("rate_reached").status == "warn"
    assert "the limit on concurrency that set the load" in found.said("rate_reached")


def test_a_peak_by_the_second(tmp_path: Path) -> None:
    result = detailed(
        tokens=[2] * 4, ttfts=[0.3] * 4, itls=[[0.2]] * 4, start_times=[10.0, 10.0, 10.5, 10.5], duration=1.0,
        max_concurrency=2, max_concurrent_requests=4, output_throughput=8.0,
    )  # fmt: skip
    found = told(tmp_path, {"result.json": result})

    # Two end exactly when two start; 4 × 0.5 s ÷ 1 s
    assert numbers(found, "peak_concurrency", "mean_concurrency") == pytest.approx([2, 2])
    assert found.finding("peak_overlap").status == "note"
    assert "does not mean that the limit was broken" in found.said("peak_overlap")


def test_answers_shorter_than_asked(tmp_path: Path) -> None:
    steps = [[0.01] * (tokens - 1) for tokens in (100, 100, 40)]
    result = detailed(
        tokens=[100, 100, 40], ttfts=[0.1] * 3, itls=steps, duration=1.5, output_throughput=160.0, max_concurrency=1
    )
    found = told(tmp_path, {"result.json": result}, keys={
        "# input_tokens = 10": "input_tokens = 10 #", "# output_tokens = ": "output_tokens = 100 # ",
    })  # fmt: skip

    # 240 of 300; 40 is below 95 of 100; 240 ÷ 1.5 s
    known = numbers(found, "output_shortfall", "short_answer_share", "output_throughput", "tpot_mean")
    assert known == pytest.approx([0.2, 1 / 3, 160, 0.01])
    assert found.finding("output_tokens").status == "warn"


@pytest.mark.parametrize("between", ["\n", ""])
def test_two_results_in_one_file(tmp_path: Path, between: str) -> None:
    runs = [vllm(num_prompts=9, completed=9, duration=9.0, request_rate=rate, output_throughput=tok)
            for rate, tok in ((1.0, 90.0), (2.0, 110.0))]  # fmt: skip
    found = told(tmp_path, {"results.json": between.join(runs)})

    values = {one.id: found.number("output_throughput", one.id) for one in found.round.series[0].levels}
    assert list(values.values()) == [90, 110]


def test_the_same_runs_in_two_files_count_once(tmp_path: Path) -> None:
    runs = [vllm(num_prompts=9, completed=9, duration=9.0, request_rate=rate, output_throughput=tok)
            for rate, tok in ((1.0, 90.0), (2.0, 110.0))]  # fmt: skip
    _, outcome = imported(tmp_path, {"glued.json": "".join(runs), "newline.json": "\n".join(runs)})

    assert len(outcome.placed) == 2
    assert sorted(outcome.repeated) == ["newline.json, object 1", "newline.json, object 2"]


def test_a_p99_of_twenty(tmp_path: Path) -> None:
    result = detailed(
        tokens=[1] * 20, ttfts=[0.1 * n for n in range(1, 21)], itls=[[]] * 20, duration=20.0, output_throughput=1.0,
        mean_tpot_ms=0.0, median_tpot_ms=0.0, mean_itl_ms=0.0,
    )  # fmt: skip
    found = told(tmp_path, {"result.json": result})

    # ranks 9.5, 17.1 and 18.81 of 100 … 2000 ms
    known = numbers(found, "ttft_mean", "ttft_p50", "ttft_p90", "ttft_p99")
    assert known == pytest.approx([1.05, 1.05, 1.81, 1.981])
    assert numbers(found, "tpot_mean", "tpot_p50", "itl_mean") == [None] * 3
    assert "only interpolated between the two slowest" in found.said("tail_percentiles")


def test_a_tail_that_hides_the_rate(tmp_path: Path) -> None:
    result = detailed(
        tokens=[5] * 11, ttfts=[1.0] * 11, itls=[[1.0] * 4] * 11, start_times=[float(n) for n in range(11)],
        duration=15.0, request_rate=1.0, request_throughput=11 / 15, output_throughput=55 / 15,
    )  # fmt: skip
    found = told(tmp_path, {"result.json": result})

    # (11 − 1) ÷ 10 s; 11 ÷ 15 s; 11 × 5 ÷ 15; 55 ÷ 15
    known = numbers(found, "sending_rate", "request_throughput", "mean_concurrency", "output_throughput")
    assert known == pytest.approx([1, 11 / 15, 11 / 3, 11 / 3])
    assert numbers(found, "peak_concurrency", "ttft_p50", "tpot_p50") == pytest.approx([5, 1, 1])
    assert found.finding("rate_reached").status == "pass"
