"""What users of public tools have found wrong, one test a thread that no other test is nearest to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cases.arriving import Told, imported, read, told, vllm

NS: Final = 1_000_000
BOOT: Final = 5_000_000_000
WALL: Final = 1_772_359_200_000_000_000
"""Nanoseconds of a millisecond, and what two clocks of a client show as it sends."""


def chunk(at_ms: int, delta: dict[str, str]) -> dict[str, Any]:
    text = json.dumps({"choices": [{"delta": delta}]})
    return {"perf_ns": BOOT + at_ms * NS, "packets": [{"name": "data", "value": text}]}


def test_a_chunk_with_the_role_alone_is_no_first_token(tmp_path: Path) -> None:
    # The role at 12 ms, text at 180 and 200 ms.
    record = {
        "metadata": {"request_start_ns": WALL, "request_end_ns": WALL + 200 * NS, "benchmark_phase": "profiling"},
        "metrics": {},
        "start_perf_ns": BOOT,
        "responses": [chunk(12, {"role": "assistant", "content": ""}), chunk(180, {"content": "a"}),
                      chunk(200, {"content": "b"})],
        "error": None,
    }  # fmt: skip
    found = told(tmp_path, {"profile_export_raw.jsonl": json.dumps(record) + "\n"})

    assert found.number("ttft_p50", "all-at-once") == pytest.approx(0.18)


def test_a_time_to_the_first_visible_token_is_not_the_ttft(tmp_path: Path) -> None:
    def block(unit: str, value: float) -> dict[str, Any]:
        return {"unit": unit, "avg": value, "p50": value}

    export = {
        "request_count": block("requests", 2.0), "request_latency": block("ms", 3000.0),
        "time_to_first_token": block("ms", 200.0), "time_to_first_output_token": block("ms", 1500.0),
        "input_config": {"endpoint": {"model_names": ["acme/M"]}, "loadgen": {"concurrency": 1}},
    }  # fmt: skip
    found = told(tmp_path, {"profile_export_aiperf.json": json.dumps(export)})

    assert found.number("ttft_mean", "c1") == pytest.approx(0.2)
    summary = json.loads((found.folder / "s/levels/c1/1/level.json").read_text(encoding="utf-8"))["summary"]
    assert summary["time_to_first_output_token.avg"] == 1500.0


def detailed(tokens: list[int], itls: list[list[float]], **more: Any) -> str:
    numbers: dict[str, Any] = {
        "num_prompts": len(tokens), "completed": len(tokens), "duration": 10.0, "max_concurrency": 1,
        "total_output_tokens": sum(tokens), "output_throughput": sum(tokens) / 10, "input_lens": [10] * len(tokens),
        "total_input_tokens": 10 * len(tokens), "output_lens": tokens, "ttfts": [0.1] * len(tokens), "itls": itls,
        "errors": [""] * len(tokens), "generated_texts": [""] * len(tokens),
    }  # fmt: skip
    return vllm(**{**numbers, **more})


def test_a_mean_tpot_is_over_requests_and_a_mean_itl_over_gaps(tmp_path: Path) -> None:
    # One gap of 100 ms, and ten of 10 ms: (100 + 10) ÷ 2 = 55 ms, and 200 ÷ 11 = 18.18 ms.
    found = told(tmp_path, {"r.json": detailed([2, 11], [[0.1], [0.01] * 10])})

    assert found.number("tpot_mean", "c1") == pytest.approx(0.055)
    assert found.number("itl_mean", "c1") == pytest.approx(0.2 / 11)


def test_a_failed_request_shifts_none_of_the_lists(tmp_path: Path) -> None:
    errors = {"errors": ["TimeoutError", "", ""], "completed": 2, "failed": 1, "ttfts": [0.0, 0.2, 0.4]}
    found = told(tmp_path, {"r.json": detailed([0, 3, 2], [[], [0.01, 0.01], [0.5]], **errors)})

    # (200 + 400) ÷ 2; (10 + 500) ÷ 2: the second has two gaps of 10 ms, the third one of 500 ms
    assert found.number("ttft_mean", "c1") == pytest.approx(0.3)
    assert found.number("tpot_mean", "c1") == pytest.approx(0.255)


def test_a_peak_that_counts_chunks_is_no_throughput_of_ours(tmp_path: Path) -> None:
    # 40 tokens in 10 s are 4 a second; a peak of 1 chunk a second is below that.
    found = told(tmp_path, {"r.json": detailed([40], [[0.1] * 13], max_output_tokens_per_s=1.0)})

    assert found.number("output_throughput", "c1") == 4
    assert 1.0 not in [one.value for one in found.round.observations if "throughput" in one.address.metric]


def test_one_short_answer_is_told_of_as_short_and_as_one(tmp_path: Path) -> None:
    # 371 of 2048 tokens: 81.9 % short. Of one request every percentile is that request.
    found = told(
        tmp_path, {"r.json": detailed([371], [[0.01] * 370])}, keys={"# output_tokens = 371": "output_tokens = 2048 #"}
    )

    assert found.finding("output_tokens").status == found.finding("tail_percentiles").status == "warn"
    assert "81.9% short" in found.said("output_tokens")
    assert found.number("ttft_p50", "c1") == found.number("ttft_p99", "c1") == pytest.approx(0.1)


def values(found: Told) -> dict[str, float | None]:
    return {f"{place.level} {place.metric} {place.basis}": value.value
            for place, value in found.analysis.frame.values.items() if place.scope == "level"}  # fmt: skip


def test_the_order_of_files_changes_no_number(tmp_path: Path) -> None:
    runs = {
        f"{cap}.json": vllm(
            date=f"20260301-10{cap:02}00", num_prompts=9, completed=9, duration=9.0 / cap, max_concurrency=cap,
            total_output_tokens=90, output_throughput=10.0 * cap, median_ttft_ms=50.0 * cap,
        )
        for cap in (1, 2, 4)
    }  # fmt: skip
    there = told(tmp_path / "there", runs)
    back = told(tmp_path / "back", dict(reversed(runs.items())))

    assert values(there) == values(back)


@pytest.mark.parametrize(
    ("tokens", "seconds", "stated", "looks"),
    [(78, 59.05, 6.55, "better"), (1000, 10.0, 1000.0, "better"), (1000, 10.0, 50.0, "worse")],
)
def test_a_throughput_that_is_not_tokens_over_time(
    tmp_path: Path, tokens: int, seconds: float, stated: float, looks: str
) -> None:
    # 78 ÷ 59.05 s = 1.32, and 1000 ÷ 10 s = 100 tokens a second
    result = vllm(
        num_prompts=1, completed=1, max_concurrency=1, duration=seconds, total_output_tokens=tokens,
        output_throughput=stated,
    )  # fmt: skip
    [finding] = [one for one in told(tmp_path, {"r.json": result}).findings("rates_add_up") if one.status == "warn"]

    assert finding.looks == looks
    assert [one.metric for one in finding.doubts] == ["output_throughput"]


def test_a_client_that_falls_behind_its_rate(tmp_path: Path) -> None:
    # 2000 gaps of 1 ÷ 183.5 s take 10.9 s; drawn at random at 200 a second, 10 + 2 × √2000 ÷ 200 = 10.45 s at most.
    starts = [n / 183.5 for n in range(2001)]
    result = detailed(
        [1] * 2001, [[]] * 2001, start_times=starts, duration=11.0, request_rate=200.0, max_concurrency=None,
        output_throughput=2001 / 11, request_throughput=2001 / 11,
    )  # fmt: skip
    found = told(tmp_path, {"r.json": result})

    assert found.number("sending_rate", "r200") == pytest.approx(183.5)
    assert found.finding("rate_reached").status == "warn"
    assert "at 200 req/s only 184 req/s" in found.said("rate_reached")


def test_one_success_of_five_hundred_is_said_beside_the_headline(tmp_path: Path) -> None:
    result = vllm(
        num_prompts=500, completed=1, failed=499, max_concurrency=8, duration=10.0, total_output_tokens=100,
        output_throughput=10.0, request_throughput=0.1, mean_ttft_ms=90.0,
    )  # fmt: skip
    found = told(tmp_path, {"r.json": result})

    # 499 ÷ 500
    assert found.number("failure_ratio", "c8") == pytest.approx(0.998)
    assert found.finding("failed_requests").status == "warn"
    assert "499 of 500, or 99.8%" in found.said("failed_requests")


def test_a_client_that_cannot_decode_is_told_from_a_server_that_fails(tmp_path: Path) -> None:
    why = ["", "Traceback (most recent call last):\n  x\nUnicodeDecodeError: 'utf-8' codec can't decode byte 0xe4", ""]
    result = detailed([2, 0, 2], [[0.1], [], [0.1]], errors=why, completed=2, failed=1)
    found = told(tmp_path, {"r.json": result})

    assert "They ended in UnicodeDecodeError." in found.said("failed_requests")
    assert "is of the client" in found.said("failed_requests")


def test_a_model_that_no_file_names_is_not_guessed(tmp_path: Path) -> None:
    result = json.loads(vllm(num_prompts=2, completed=2, max_concurrency=1, duration=2.0, output_throughput=2.0))
    nameless = {key: value for key, value in result.items() if key not in ("model_id", "tokenizer_id")}
    found = told(tmp_path, {"llama-8b-fp8.json": json.dumps(nameless)})

    assert found.round.file.model.name == "unknown"


@pytest.mark.parametrize(
    ("load", "name"),
    [
        ({"request_rate": "inf", "max_concurrency": None}, "all-at-once"),
        ({"request_rate": 2.0, "max_concurrency": None}, "2\u202freq/s"),
        ({"request_rate": "inf", "max_concurrency": 4}, "C=4"),
        ({"request_rate": 2.0, "max_concurrency": 4}, "2\u202freq/s ≤ C=4"),
    ],
)
def test_a_level_is_called_by_how_requests_arrive(tmp_path: Path, load: dict[str, Any], name: str) -> None:
    found = told(tmp_path, {"r.json": vllm(num_prompts=9, completed=9, duration=9.0, output_throughput=1.0, **load)})

    assert [level.name for level in found.round.series[0].levels] == [name]


def test_a_run_without_an_answer_is_a_round_like_any_other(tmp_path: Path) -> None:
    nan = float("nan")
    result = vllm(
        num_prompts=5, completed=0, failed=5, max_concurrency=1, duration=3.0, total_output_tokens=0,
        output_throughput=0.0, request_throughput=0.0, mean_ttft_ms=nan, median_ttft_ms=nan, p99_ttft_ms=nan,
    )  # fmt: skip
    found = told(tmp_path, {"r.json": result})

    assert found.number("ttft_mean", "c1") is None
    assert found.why("ttft_mean", "c1") == "no request was answered"
    assert "5 of 5, or 100.0%" in found.said("failed_requests")


def test_rates_of_other_numbers_of_slots_are_never_pooled(tmp_path: Path) -> None:
    def bench(slots: int, rate: float) -> str:
        return vllm(
            date=f"20260301-1{slots}0000", num_prompts=8, completed=8, max_concurrency=slots, duration=8.0,
            total_output_tokens=int(8 * rate), output_throughput=rate, mean_ttft_ms=100.0 * slots,
        )  # fmt: skip

    folder, outcome = imported(tmp_path, {"1.json": bench(1, 50.0), "4.json": bench(4, 120.0)})
    found = read(folder, outcome)

    assert [found.number("ttft_mean", level.id) for level in found.round.series[0].levels] == [0.1, 0.4]
