"""Results of SGLang's bench_serving: what its names mean, what its zeros mean, and the requests beside the totals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator.errors import InputError
from generator.importers.sglang import sglang
from generator.importers.vllm import vllm
from generator.runs.imported import Run
from tests.support.mutated import survives

TOTALS: dict[str, Any] = {
    "tag": "toy",
    "backend": "sglang-oai",
    "dataset_name": "random",
    "request_rate": float("inf"),
    "max_concurrency": 2,
    "sharegpt_output_len": None,
    "random_input_len": 10,
    "random_output_len": 4,
    "random_range_ratio": 0.5,
    "server_info": {"model_path": "acme/Toy-1B", "host": "node7", "api_key": "sk-toy-0123456789", "tp_size": 1},
    "duration": 2.0,
    "completed": 2,
    "total_input_tokens": 20,
    "total_output_tokens": 4,
    "total_output_tokens_retokenized": 5,
    "request_throughput": 1.0,
    "output_throughput": 2.0,
    "total_throughput": 12.0,
    "mean_e2e_latency_ms": 150.0,
    "median_e2e_latency_ms": 150.0,
    "p99_e2e_latency_ms": 199.0,
    "mean_ttft_ms": 75.0,
    "mean_tpot_ms": 50.0,
    "mean_itl_ms": 50.0,
    "concurrency": 0.15,
    "max_output_tokens_per_s": 4.0,
    "max_concurrent_requests": 3,
}
DETAIL: dict[str, Any] = {
    "input_lens": [10, 10, 10],
    "output_lens": [3, 0, 1],
    "ttfts": [0.1, 0.0, 0.05],
    "itls": [[0.04, 0.06], [], []],
    "generated_texts": ["a private answer", "", "ok"],
    "errors": ["", "Traceback (most recent call last):\n  x\naiohttp.ClientError: node7 is gone\n", ""],
}
"""Request 1 has three tokens, 2 failed, 3 has a single one."""


def read(tmp_path: Path, *results: dict[str, Any]) -> list[Run]:
    path = tmp_path / "result.jsonl"
    path.write_text("".join(json.dumps(result) + "\n" for result in results), encoding="utf-8")
    return list(sglang.read(path, lambda _: None))


def reported(run: Run) -> dict[str, float]:
    return {one.metric: one.value for one in run.reported}


def test_totals_become_a_run(tmp_path: Path) -> None:
    [run] = read(tmp_path, TOTALS)
    assert (run.tool, run.place, run.model, run.engine, run.label) == (
        "SGLang bench_serving", "", "acme/Toy-1B", "sglang", "toy",
    )  # fmt: skip
    assert (run.concurrency, run.rate, run.requests) == (2.0, None, None)
    assert reported(run) == {
        "completed": 2, "duration": 2, "input_tokens_counted": 20, "output_tokens_counted": 4, "request_throughput": 1,
        "output_throughput": 2, "output_tokens_retokenized": 5, "total_token_throughput": 12, "peak_concurrency": 3,
        "e2el_mean": 150, "e2el_p50": 150,
        "e2el_p99": 199, "ttft_mean": 75, "tpot_mean": 50, "itl_mean": 50,
    }  # fmt: skip


def test_the_mean_in_flight_is_not_the_cap_and_the_peak_no_throughput(tmp_path: Path) -> None:
    [run] = read(tmp_path, TOTALS)
    assert run.summary["concurrency"] == 0.15
    assert "concurrency" not in reported(run)
    assert run.summary["max_output_tokens_per_s"] == 4.0
    assert reported(run)["output_throughput"] == 2.0


def test_tokens_counted_in_a_text_tokenized_again_are_no_output_tokens(tmp_path: Path) -> None:
    [run] = read(tmp_path, TOTALS)
    assert reported(run)["output_tokens_counted"] == 4
    assert reported(run)["output_tokens_retokenized"] == 5


def test_no_count_of_failures_is_no_count(tmp_path: Path) -> None:
    [run] = read(tmp_path, TOTALS)
    assert "requests" not in reported(run)


def test_latencies_of_zero_are_those_of_a_stream_that_was_not_read(tmp_path: Path) -> None:
    zeros = {name: 0.0 for name in TOTALS if "_ttft_" in name or "_tpot_" in name or "_itl_" in name}
    [run] = read(tmp_path, TOTALS | zeros)
    assert not {name for name in reported(run) if name.startswith(("ttft", "tpot", "itl"))}
    assert reported(run)["e2el_mean"] == 150


@pytest.mark.parametrize(
    ("rate", "cap", "limits"),
    [(float("inf"), None, (None, None)), ("inf", 0, (None, None)), (2.5, 8, (8, 2.5)), ("trace", 8, (8, None))],
)
def test_no_limit_is_written_in_several_ways(
    tmp_path: Path, rate: object, cap: object, limits: tuple[float | None, float | None]
) -> None:
    [run] = read(tmp_path, TOTALS | {"request_rate": rate, "max_concurrency": cap})
    assert (run.concurrency, run.rate) == limits


@pytest.mark.parametrize(("ratio", "asked"), [(1.0, 4.0), (0.0, None), (0.5, None)])
def test_lengths_are_those_asked_for_only_where_all_are_alike(
    tmp_path: Path, ratio: float, asked: float | None
) -> None:
    [run] = read(tmp_path, TOTALS | {"random_range_ratio": ratio})
    assert reported(run).get("asked_output_tokens") == asked


def test_the_native_backend_spreads_a_gap_over_tokens(tmp_path: Path) -> None:
    [run] = read(tmp_path, TOTALS | DETAIL | {"backend": "sglang"})
    assert "itl_mean" not in reported(run)
    assert run.summary["mean_itl_ms"] == 50.0
    assert run.requests is not None
    assert run.requests.sample("request_itl").tolist() == []
    assert run.requests.sample("request_tpot") == pytest.approx([0.05])


def test_requests_have_latencies_as_their_chunks_tell_them(tmp_path: Path) -> None:
    # TTFT 0.1 and 0.05 s. E2EL 0.1 + 0.04 + 0.06 = 0.2 s, and 0.05 s. TPOT (0.2 − 0.1) ÷ (3 − 1) = 0.05 s.
    [run] = read(tmp_path, TOTALS | DETAIL)
    requests = run.requests
    assert requests is not None
    assert requests.answered.tolist() == [True, False, True]
    assert requests.sample("request_ttft") == pytest.approx([0.05, 0.1])
    assert requests.sample("request_e2el") == pytest.approx([0.05, 0.2])
    assert requests.sample("request_tpot") == pytest.approx([0.05])
    assert requests.sample("request_itl") == pytest.approx([0.04, 0.06])
    assert requests.sample("request_output_tokens").tolist() == [1, 3]
    assert np.isnan(requests.start).all()
    assert dict(requests.kinds_of_error) == {"ClientError": 1}


def test_a_request_that_failed_without_a_word_is_told_by_its_length(tmp_path: Path) -> None:
    [run] = read(tmp_path, TOTALS | DETAIL | {"errors": ["", "", ""]})
    assert run.requests is not None
    assert run.requests.answered.tolist() == [True, False, True]


def test_a_first_token_that_was_not_read_is_unknown(tmp_path: Path) -> None:
    unread = {"ttfts": [0.0, 0.0, 0.0], "itls": [[], [], []], "completed": 3, "errors": ["", "", ""]}
    [run] = read(tmp_path, TOTALS | DETAIL | unread | {"output_lens": [900, 900, 900]})
    assert run.requests is not None
    assert np.isnan(run.requests.ttft).all()
    assert np.isnan(run.requests.e2el).all()
    assert run.requests.sample("request_output_tokens").tolist() == [900, 900, 900]


def test_each_line_is_a_run_with_its_own_requests(tmp_path: Path) -> None:
    first, second = read(tmp_path, TOTALS | DETAIL, TOTALS)
    assert (first.place, second.place) == ("object 1", "object 2")
    assert first.requests is not None
    assert first.requests.source.place == "object 1"
    assert second.requests is None


def test_arrays_that_differ_in_length_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ttfts 2"):
        read(tmp_path, TOTALS | DETAIL | {"ttfts": [0.1, 0.2]})


def test_hosts_keys_and_texts_stay_outside(tmp_path: Path) -> None:
    [run] = read(tmp_path, TOTALS | DETAIL)
    told = repr(run)
    assert "server_info.host" in run.struck_out
    assert not [secret for secret in ("node7", "sk-toy", "private answer") if secret in told]


def test_a_steady_part_is_no_run(tmp_path: Path) -> None:
    steady = {"concurrency_ratio": 0.9, "window_start": 1.0, "window_end": 2.0, "duration": 1.0, "completed": 1}
    assert sglang.recognises(json.dumps(steady).encode())
    with pytest.raises(InputError, match="steady part of a run"):
        read(tmp_path, steady)


def test_another_object_is_refused_with_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`duration` and `completed` and `output_throughput` are missing"):
        read(tmp_path, {"hello": 1})


def test_an_empty_list_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "result.jsonl"
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="it is an empty list"):
        sglang.read(path, lambda _: None)


def test_its_files_are_told_from_those_of_vllm() -> None:
    own = json.dumps(TOTALS).encode()
    assert sglang.recognises(own) > 0
    assert vllm.recognises(own) == 0
    theirs = {"num_prompts": 2, "duration": 1.0, "completed": 2, "mean_ttft_ms": 1.0, "median_tpot_ms": 1.0}
    assert sglang.recognises(json.dumps(theirs).encode()) == 0


def test_what_describes_a_server_may_fill_the_beginning() -> None:
    long = TOTALS | {"server_info": {"decode": ["x" * 100] * 1000}}
    assert sglang.recognises(json.dumps(long).encode()[: 2**16]) > 0


@pytest.mark.fuzz
def test_damaged_files_end_in_runs_or_in_one_line(tmp_path: Path) -> None:
    data = json.dumps(TOTALS | DETAIL).encode()
    assert survives(sglang, data, tmp_path, "damaged.jsonl") > 20
