"""Every vintage of a result's totals: what is read, under which meaning, and what is left out."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import generator.metrics
from generator.importers.vllm import vllm
from generator.importers.vllm.names import NAMES
from generator.registry import discover_metrics
from generator.runs.imported import Reported
from generator.store.recognition import recognise
from generator.text import same
from generator.units import FACTORS
from tests.importers.vllm.results import TOTALS, detailed, read_one, read_text, reported, totals, without


def test_the_importer_is_called_like_its_file() -> None:
    assert (vllm.key, vllm.title) == ("vllm", same("vllm bench serve"))


def test_totals_become_a_run(tmp_path: Path) -> None:
    run = read_one(tmp_path, TOTALS)
    assert (run.tool, run.place, run.model, run.label) == ("vllm bench serve", "", "acme/Toy-1B", None)
    assert (run.concurrency, run.rate, run.requests) == (2.0, None, None)
    assert run.summary == TOTALS
    assert run.reported == (
        Reported("requests", "num_prompts", "1", 4.0),
        Reported("duration", "duration", "s", 2.0),
        Reported("completed", "completed", "1", 4.0),
        Reported("input_tokens_counted", "total_input_tokens", "tok", 40.0),
        Reported("output_tokens_counted", "total_output_tokens", "tok", 20.0),
        Reported("request_throughput", "request_throughput", "req/s", 2.0),
        Reported("output_throughput", "output_throughput", "tok/s", 10.0),
        Reported("total_token_throughput", "total_token_throughput", "tok/s", 30.0),
        Reported("ttft_mean", "mean_ttft_ms", "ms", 100.0),
        Reported("ttft_p50", "median_ttft_ms", "ms", 90.0),
        Reported("ttft_p99", "p99_ttft_ms", "ms", 150.0),
    )


def test_a_run_began_its_duration_before_its_date(tmp_path: Path) -> None:
    # The tool takes the date once the load is over: 10:15:00 − 90.4 s = 10:13:29.6.
    assert read_one(tmp_path, totals(duration=90.4)).started == "2026-03-01T10:13:29"


@pytest.mark.parametrize("date", [None, "yesterday", 20260301, "99999999-999999"])
def test_a_date_that_is_none_is_left_out(tmp_path: Path, date: object) -> None:
    assert read_one(tmp_path, totals(date=date)).started is None


@pytest.mark.parametrize(
    ("given", "rate"), [(2.5, 2.5), ("2.5", 2.5), (4, 4.0), ("inf", None), (None, None), (float("inf"), None)]
)
def test_an_infinite_or_absent_rate_is_no_limit(tmp_path: Path, given: object, rate: float | None) -> None:
    assert read_one(tmp_path, totals(request_rate=given)).rate == rate


def test_no_cap_is_no_concurrency(tmp_path: Path) -> None:
    assert read_one(tmp_path, totals(max_concurrency=None)).concurrency is None
    assert read_one(tmp_path, without(TOTALS, "max_concurrency")).concurrency is None


def test_python_s_nan_and_infinity_are_no_numbers(tmp_path: Path) -> None:
    text = json.dumps(totals(request_rate=float("inf"), mean_ttft_ms=float("nan"), p99_ttft_ms=float("-inf")))
    assert "NaN" in text
    assert "-Infinity" in text
    [run] = read_text(tmp_path, text)
    assert run.rate is None
    assert run.summary["mean_ttft_ms"] is None
    assert reported(run).keys() & {"ttft_mean", "ttft_p50", "ttft_p99"} == {"ttft_p50"}


def test_a_latency_of_zero_is_no_latency(tmp_path: Path) -> None:
    nothing = dict.fromkeys(("mean_tpot_ms", "median_tpot_ms", "p99_tpot_ms", "mean_itl_ms"), 0.0)
    run = read_one(tmp_path, totals(**nothing))
    assert not reported(run).keys() & {"tpot_mean", "tpot_p50", "tpot_p99", "itl_mean"}
    assert run.summary["mean_tpot_ms"] == 0.0


def test_of_a_run_without_an_answer_only_the_counts_are_reported(tmp_path: Path) -> None:
    zeros = dict.fromkeys([name for name in TOTALS if name.endswith(("throughput", "_tokens", "_ms"))], 0)
    run = read_one(tmp_path, totals(completed=0, failed=4, **zeros))
    assert {name: value for name, value in reported(run).items() if value} == {"requests": 4.0, "duration": 2.0}
    assert reported(run)["completed"] == 0.0
    assert not [name for name in reported(run) if name.startswith("ttft")]


def test_a_median_that_stands_twice_is_reported_once(tmp_path: Path) -> None:
    run = read_one(tmp_path, totals(p50_ttft_ms=90.0, p90_ttft_ms=120.0, p95_ttft_ms=130.0))
    assert [number.key for number in run.reported if number.metric == "ttft_p50"] == ["median_ttft_ms"]
    assert (reported(run)["ttft_p90"], reported(run)["ttft_p95"]) == (120.0, 130.0)


def test_the_old_client_wrote_a_colon_into_the_goodput(tmp_path: Path) -> None:
    old = without(TOTALS, "request_goodput", "failed", "endpoint_type") | {"best_of": 1, "request_goodput:": 1.5}
    run = read_one(tmp_path, old)
    assert Reported("request_goodput", "request_goodput:", "req/s", 1.5) in run.reported
    assert "failed" not in run.summary


def test_a_client_that_writes_seconds_is_understood(tmp_path: Path) -> None:
    run = read_one(tmp_path, without(TOTALS, "median_ttft_ms") | {"median_ttft": 0.09})
    assert Reported("ttft_p50", "median_ttft", "s", 0.09) in run.reported


def test_the_peak_is_the_tool_s_own(tmp_path: Path) -> None:
    assert reported(read_one(tmp_path, totals(max_concurrent_requests=6)))["peak_concurrency"] == 6.0


def test_metadata_stay_in_the_summary(tmp_path: Path) -> None:
    run = read_one(tmp_path, totals(gpu="H100", tuned=True))
    assert (run.summary["gpu"], run.summary["tuned"], run.swept) == ("H100", True, {})


def test_a_sweep_says_what_it_varies_after_the_number_of_the_run(tmp_path: Path) -> None:
    run = read_one(
        tmp_path, totals(gpu="H100") | {"run_number": 1, "max_num_seqs": 4, "enforce_eager": True, "dtype": "auto"}
    )
    assert run.swept == {"max_num_seqs": "4", "enforce_eager": "true", "dtype": "auto"}
    assert run.summary["run_number"] == 1


@pytest.mark.parametrize(
    ("entries", "engine"),
    [
        ({"backend": "openai-chat"}, None),
        ({"backend": "vllm"}, "vllm"),
        ({"backend": "sglang"}, "sglang"),
        ({"backend": "openai", "framework": "trt"}, "trt"),
        ({"backend": "vllm", "engine": "llama.cpp"}, "llama.cpp"),
    ],
)
def test_the_engine_is_what_the_file_says_of_it(tmp_path: Path, entries: dict[str, Any], engine: str | None) -> None:
    assert read_one(tmp_path, totals(**entries)).engine == engine


@pytest.mark.parametrize("between", ["", "\n", "\n\n", "\r\n", "  "])
def test_appended_objects_are_runs_however_they_are_separated(tmp_path: Path, between: str) -> None:
    text = between.join(json.dumps(totals(output_throughput=speed)) for speed in (90.0, 110.0))
    runs = read_text(tmp_path, text)
    assert [reported(run)["output_throughput"] for run in runs] == [90.0, 110.0]
    assert [run.place for run in runs] == ["object 1", "object 2"]


def test_a_list_of_results_is_as_many_runs(tmp_path: Path) -> None:
    runs = read_text(tmp_path, json.dumps([totals(run_number=0), totals(run_number=1)], indent=4))
    assert [run.summary["run_number"] for run in runs] == [0, 1]


def test_the_same_run_in_two_files_is_told_by_its_summary(tmp_path: Path) -> None:
    alone, listed = totals(run_number=1), [totals(run_number=0), totals(run_number=1)]
    [single] = read_text(tmp_path, json.dumps(alone), "run=1.json")
    assert [run.summary == single.summary for run in read_text(tmp_path, json.dumps(listed))] == [False, True]


def test_a_byte_order_mark_changes_nothing(tmp_path: Path) -> None:
    [run] = read_text(tmp_path, b"\xef\xbb\xbf" + json.dumps(TOTALS).encode())
    assert run.summary == TOTALS


WRAPPED: dict[str, Any] = {
    "concurrency": 4,
    "ok": True,
    "detail": "successful_requests 8/8",
    "metrics": {
        "successful_requests": 8,
        "benchmark_duration_s": 16.0,
        "total_generated_tokens": 160,
        "request_throughput_req_s": 0.5,
        "output_token_throughput_tok_s": 10.0,
        "mean_ttft_ms": 12.5,
        "spec_per_position_acceptance_percent": [80.0],
    },
    "command": ["/home/jo/vllm", "bench", "serve", "--model", "acme/Toy-1B", "--num-prompts", "8", "--request-rate=2"],
    "retry_failures": [],
}


def test_rows_of_the_table_that_a_program_wrote_as_json(tmp_path: Path) -> None:
    runs = read_text(tmp_path, json.dumps([WRAPPED, WRAPPED | {"concurrency": 8}]))
    assert [(run.concurrency, run.rate, run.model) for run in runs] == [
        (4.0, 2.0, "acme/Toy-1B"),
        (8.0, 2.0, "acme/Toy-1B"),
    ]
    assert reported(runs[0]) == {
        "requests": 8.0, "completed": 8.0, "duration": 16.0, "output_tokens_counted": 160.0,
        "request_throughput": 0.5, "output_throughput": 10.0, "ttft_mean": 12.5,
    }  # fmt: skip
    assert runs[0].struck_out == ("command",)
    assert "jo" not in repr(runs)


def test_texts_of_users_are_not_kept_among_those_rows_either(tmp_path: Path) -> None:
    rows = {**WRAPPED["metrics"], "prompt": "geheim", "generated_text": "geheim", "note": "x" * 1001}
    [run] = read_text(tmp_path, json.dumps(WRAPPED | {"metrics": rows}))
    assert run.summary.keys().isdisjoint({"prompt", "generated_text", "note"})
    assert run.summary["mean_ttft_ms"] == 12.5


def test_a_level_that_its_program_gave_up_is_no_run(tmp_path: Path) -> None:
    given_up = {"concurrency": 8, "ok": False, "detail": "timed out", "metrics": {}}
    assert [run.concurrency for run in read_text(tmp_path, json.dumps([WRAPPED, given_up]))] == [4.0]


def test_scraped_totals_under_names_of_their_own(tmp_path: Path) -> None:
    scraped = {
        "completed_requests": 10, "total_time_s": 5.0, "request_throughput_rps": 2.0, "output_throughput_tps": 512.0,
        "mean_ttft_ms": 30.0, "wall_time_s": 6.5, "return_code": 0,
    }  # fmt: skip
    assert reported(read_one(tmp_path, scraped)) == {
        "completed": 10.0, "duration": 5.0, "request_throughput": 2.0, "output_throughput": 512.0, "ttft_mean": 30.0,
    }  # fmt: skip


def test_what_must_not_be_published_is_not_in_the_run(tmp_path: Path) -> None:
    run = read_one(
        tmp_path,
        totals(
            model_id="/home/jo/models/Toy-1B",
            base_url="http://jo:geheim@gpu7.corp.example:8000/v1",
            note="Authorization: Bearer abcdef123456",
            api_key="anything",
            label="see /home/jo/notes",
            **{"/home/jo/setting": 1},
        ),
    )
    assert run.model == "~/models/Toy-1B"
    assert run.label == "see ~/notes"
    assert run.summary["base_url"] == "http://***:8000/v1"
    assert (run.summary["api_key"], run.summary["~/setting"]) == ("***", 1)
    assert not [word for word in ("jo/", "geheim", "corp", "abcdef", "anything") if word in repr(run)]


def test_names_of_what_was_dropped_are_struck_out_too(tmp_path: Path) -> None:
    run = read_one(tmp_path, totals(**{"sk-abcdefgh12345": ["x"], "of jo@corp.example": "a" * 1001}))
    assert run.struck_out == ("***", "of ***")


def test_no_duration_is_below_zero(tmp_path: Path) -> None:
    assert str(reported(read_one(tmp_path, totals(duration=-0.0)))["duration"]) == "0.0"


def test_texts_are_named_and_dropped(tmp_path: Path) -> None:
    run = read_one(
        tmp_path, totals(prompts=["tell me"], prompt="tell me", essay="a" * 1001, odd={"deep": [["tell me"]]})
    )
    assert run.struck_out == ("prompts", "prompt", "essay", "odd")
    assert "tell me" not in repr(run)


def test_arrays_of_numbers_are_passed_over_in_silence(tmp_path: Path) -> None:
    run = read_one(tmp_path, totals(latencies=[0.1] * 4, queue_times=[0.0], spec_decode_per_position=[0.5, [0.25]]))
    assert (run.struck_out, run.requests) == ((), None)


def test_hostile_names_and_values_are_carried_as_text(tmp_path: Path) -> None:
    name = "</script><script>alert(1)</script>\u2028\x00"
    run = read_one(tmp_path, totals(model_id=name, **{name: name}))
    assert (run.model, run.summary[name]) == (name, name)


def test_progress_adds_up_to_the_size(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(detailed(generated_texts=["x" * 99_999] * 4)))
    told: list[int] = []
    vllm.read(path, told.append)
    assert sum(told) == path.stat().st_size
    assert len(told) > 5


@pytest.mark.parametrize(
    "text",
    [json.dumps(TOTALS), json.dumps([TOTALS], indent=2), json.dumps(WRAPPED), json.dumps(TOTALS, sort_keys=True),
     "\ufeff" + json.dumps(TOTALS), "INFO x\n============ Serving Benchmark Result ============\n"],
)  # fmt: skip
def test_results_are_recognised_by_how_they_begin(text: str) -> None:
    assert vllm.recognises(text.encode()[:65536])


@pytest.mark.parametrize(
    "head",
    [b"", b"\x00\xff\xfe", b"{}", b"[", b'{"benchmarks": []}', b"# HELP x\n", b"a,b\n1,2\n",
     json.dumps(totals(mean_e2e_latency_ms=1.0)).encode(), b"= Serving =\nBackend:   sglang\n"],
)  # fmt: skip
def test_other_files_are_not(head: bytes) -> None:
    assert not vllm.recognises(head)


def test_every_name_gives_a_unit_of_its_metric() -> None:
    metrics = {metric.key: metric for metric in discover_metrics(generator.metrics)}
    for name, (metric, unit) in NAMES.items():
        assert FACTORS[unit][0] == FACTORS[metrics[metric].unit][0], name


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_what_windows_redirects_into_a_file_is_read(tmp_path: Path, encoding: str) -> None:
    [run] = read_text(tmp_path, json.dumps(TOTALS).encode(encoding))
    assert run.summary == TOTALS


def test_a_packed_result_is_read_and_told_by_what_is_in_it(tmp_path: Path) -> None:
    packed = gzip.compress(json.dumps(TOTALS).encode())
    [run] = read_text(tmp_path, packed)
    assert run.summary == TOTALS
    assert recognise(tmp_path / "result.json", {"vllm": vllm}) is vllm
