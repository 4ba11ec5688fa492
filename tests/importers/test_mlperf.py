from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.importers.mlperf import mlperf
from generator.runs.imported import Run
from generator.units import to_base
from tests.support.mutated import survives

BAR = "=" * 48
SERVER = f"""{BAR}
MLPerf Results Summary
{BAR}
SUT name : PySUT
Scenario : Server
Mode     : PerformanceOnly
Completed samples per second    : 4.90
Completed tokens per second: 490.00
Result is : INVALID
  Performance constraints satisfied : NO
  Min duration satisfied : Yes

{BAR}
Additional Stats
{BAR}
Scheduled samples per second : 5.10
Min latency (ns)                : 900000000
Mean latency (ns)               : 2000000000
50.00 percentile latency (ns)   : 1900000000
97.00 percentile latency (ns)   : 2500000000
99.90 percentile latency (ns)   : 2900000000

Completed tokens per second                 : 490.00
Mean First Token latency (ns)               : 200000000
99.00 percentile first token latency (ns)   : 400000000

Mean Time to Output Token (ns)               : 18000000
50.00 percentile time to output token (ns)   : 17500000

{BAR}
Test Parameters Used
{BAR}
samples_per_query : 1
target_qps : 5
ttft_latency (ns): 2000000000
qsl_rng_seed : 1780908523862526354
No warnings encountered during test.
"""
OFFLINE = f"""{BAR}
MLPerf Results Summary
{BAR}
SUT name : PySUT
Scenario : Offline
Mode     : PerformanceOnly
Samples per second: 92.5
Tokens per second: 27000.5
Result is : VALID
Mean latency (ns)               : 2600000000000
Mean First Token latency (ns)   : 1300000000000
Mean Time to Output Token (ns)  : 40000000
target_qps : 93
"""
SINGLE = f"""MLPerf Results Summary
{BAR}
Scenario : SingleStream
Mode     : PerformanceOnly
90.0th percentile latency (ns) : 4100000000
Result is : VALID
QPS w/ loadgen overhead         : 0.25
TPS w/ loadgen overhead         : 31.50
90.00 percentile latency (ns)   : 4100000000
Mean Time per Output Token (ns) : 21000000
samples_per_query : 1
"""


def read(folder: Path, text: str) -> list[Run]:
    path = folder / "mlperf_log_summary.txt"
    path.write_text(text, encoding="utf-8")
    return list(mlperf.read(path, lambda _: None))


def seconds(run: Run) -> dict[str, float]:
    return {one.metric: to_base(one.value, one.unit) for one in run.reported}


def test_it_is_recognised() -> None:
    assert mlperf.recognises(SERVER.encode()) == 1
    assert not mlperf.recognises(b"Serving Benchmark Result")
    assert not mlperf.recognises(b"my notes on the MLPerf Results Summary of last year")


def test_a_server_is_loaded_at_the_target_rate(tmp_path: Path) -> None:
    [run] = read(tmp_path, SERVER)

    assert (run.rate, run.concurrency) == (5, None)
    assert seconds(run) == pytest.approx({
        "request_throughput": 4.9, "output_throughput": 490, "e2el_mean": 2.0, "e2el_p50": 1.9, "ttft_mean": 0.2,
        "ttft_p99": 0.4, "tpot_mean": 0.018, "tpot_p50": 0.0175,
    })  # fmt: skip


def test_an_invalid_result_says_so(tmp_path: Path) -> None:
    [run] = read(tmp_path, SERVER)

    assert run.summary["Result is"] == "INVALID"
    assert run.summary["Performance constraints satisfied"] == "NO"


def test_what_was_issued_is_not_what_was_completed(tmp_path: Path) -> None:
    # older LoadGen prints no completed rate for Server: 5.1 issued is then not taken for it
    [run] = read(tmp_path, SERVER.replace("Completed samples", "Other samples"))

    assert "request_throughput" not in seconds(run)
    assert run.summary["Scheduled samples per second"] == 5.1


def test_in_offline_a_latency_is_of_the_whole_and_not_of_a_request(tmp_path: Path) -> None:
    [run] = read(tmp_path, OFFLINE)

    assert (run.rate, run.concurrency) == (None, None)
    assert seconds(run) == pytest.approx({"request_throughput": 92.5, "output_throughput": 27000.5, "tpot_mean": 0.04})
    assert run.summary["Mean latency (ns)"] == 2.6e12


def test_a_single_stream_has_one_request_in_flight(tmp_path: Path) -> None:
    [run] = read(tmp_path, SINGLE)

    assert run.concurrency == 1
    assert seconds(run) == pytest.approx(
        {"request_throughput": 0.25, "output_throughput": 31.5, "e2el_p90": 4.1, "tpot_mean": 0.021}
    )


def test_a_multi_stream_has_a_group_in_flight(tmp_path: Path) -> None:
    text = SINGLE.replace("SingleStream", "MultiStream").replace("samples_per_query : 1", "samples_per_query : 8")
    [run] = read(tmp_path, text)

    assert run.concurrency == 8
    assert "e2el_p90" not in seconds(run)


def test_several_summaries_in_one_file_are_several_runs(tmp_path: Path) -> None:
    runs = read(tmp_path, SERVER + OFFLINE)

    assert [(run.place, run.swept["Scenario"]) for run in runs] == [("summary 1", "Server"), ("summary 2", "Offline")]


def test_a_seed_is_no_number(tmp_path: Path) -> None:
    [run] = read(tmp_path, SERVER)

    assert run.summary["qsl_rng_seed"] == "1780908523862526354"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (SERVER.replace("PerformanceOnly", "AccuracyOnly"), "'AccuracyOnly', which measures no performance"),
        (SERVER.replace(": Server", ": Edge"), "names no scenario of MLPerf LoadGen"),
        (SERVER.partition("Scenario")[0], "breaks off before its scenario"),
        (SERVER.partition("Result is")[0], "breaks off before its result"),
        (':::MLLOG {"key": "loadgen_version"}\n', "the detailed log"),
        (SERVER.replace(": 2000000000\n", ": -5\n", 1), "is -5, where a number from 0"),
    ],
)
def test_what_measures_nothing_is_refused(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, text)

    assert why in str(refused.value)


@pytest.mark.fuzz
def test_broken_files_are_read_or_refused(tmp_path: Path) -> None:
    assert survives(mlperf, SERVER.encode(), tmp_path) > 20
