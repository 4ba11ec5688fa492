"""The table of AIPerf: three tables below each other, and none of the first where every request failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.importers.aiperf_csv import aiperf_csv
from generator.runs.imported import Run
from tests.support.mutated import survives

HEADER = "Metric,avg,min,max,sum,p1,p5,p10,p25,p50,p75,p90,p95,p99,std"
GPU = f"Endpoint,GPU_Index,GPU_Name,GPU_UUID,{HEADER}"
STATISTICS = f"""{HEADER}
Inter Chunk Latency (ms),12.00,0.00,20.00,120.00,3.00,6.00,7.00,8.00,9.00,9.50,10.00,11.00,15.00,1.00
Inter Token Latency (ms),11.85,7.49,13.31,22.70,7.61,8.51,10.55,11.76,12.25,12.56,12.80,12.95,13.27,1.25
Output Sequence Length (tokens),53.00,53.00,53.00,106.00,53.00,53.00,53.00,53.00,53.00,53.00,53.00,53.00,53.00,0.00
Request Latency (ms),1160.00,1100.00,1220.00,2320.00,1.00,1.00,1.00,1.00,1150.00,1.00,1200.00,1210.00,1219.00,1.00
Time to First Token (ms),120.00,100.00,140.00,240.00,1.00,1.00,1.00,1.00,118.00,1.00,138.00,139.00,140.00,1.00
"""
SCALARS = """Metric,Value
Benchmark Duration (sec),20.00
Output Token Throughput (tokens/sec),5.30
Request Count,2.00
Request Throughput (requests/sec),0.10
Total Output Sequence Length (tokens),106.00
"""
ALL_FAILED = f"""{HEADER}
Error Input Sequence Length (tokens),7.40,5.00,12.00,37.00,5.00,5.00,5.00,6.00,7.00,7.00,10.00,11.00,11.80,2.42

Metric,Value
Error Request Count,5.00
Total Error Input Sequence Length (tokens),37.00


{GPU}
"""


def read(tmp_path: Path, text: str) -> Run:
    path = tmp_path / "profile_export_aiperf.csv"
    path.write_text(text, encoding="utf-8")
    assert aiperf_csv.recognises(path.read_bytes()) > 0
    [run] = aiperf_csv.read(path, lambda _: None)
    return run


def reported(run: Run) -> dict[str, float]:
    return {one.metric: one.value for one in run.reported}


def test_two_tables_become_a_run(tmp_path: Path) -> None:
    run = read(tmp_path, f"{STATISTICS}\n{SCALARS}")
    assert (run.tool, run.concurrency, run.rate, run.requests) == ("AIPerf", None, None, None)
    assert reported(run) == {
        "completed": 2, "requests": 2, "duration": 20, "output_tokens_counted": 106, "request_throughput": 0.1,
        "output_throughput": 5.3, "output_tokens_mean": 53,
        "e2el_mean": 1160, "e2el_p50": 1150, "e2el_p90": 1200, "e2el_p95": 1210, "e2el_p99": 1219,
        "ttft_mean": 120, "ttft_p50": 118, "ttft_p90": 138, "ttft_p95": 139, "ttft_p99": 140,
        "tpot_mean": 11.85, "tpot_p50": 12.25, "tpot_p90": 12.8, "tpot_p95": 12.95, "tpot_p99": 13.27,
        "itl_mean": 12, "itl_p50": 9, "itl_p90": 10, "itl_p95": 11, "itl_p99": 15,
    }  # fmt: skip


def test_where_every_request_failed_there_is_no_latency_and_no_throughput(tmp_path: Path) -> None:
    # 5 sent, 5 failed; 37 ÷ 5 = 7.4 tokens of prompt each. A table of GPUs without a row says nothing of watts.
    run = read(tmp_path, ALL_FAILED)
    assert reported(run) == {"completed": 0, "requests": 5}
    assert run.summary["Error Input Sequence Length (tokens).avg"] == 7.4
    assert not [name for name in run.summary if name.startswith("GPU")]


def test_a_gpu_is_told_by_its_number_alone(tmp_path: Path) -> None:
    row = "http://node7:9400,0,Toy GPU,GPU-secret,GPU Power Usage (W)," + ",".join(["300.00"] * 14)
    run = read(tmp_path, f"{STATISTICS}\n{SCALARS}\n\n{GPU}\n{row}\n")
    assert run.summary["GPU 0.GPU Power Usage (W).avg"] == 300
    assert not [secret for secret in ("node7", "GPU-secret") if secret in repr(run)]


def test_a_table_without_a_count_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`Request Count` is missing"):
        read(tmp_path, STATISTICS)


@pytest.mark.fuzz
def test_damaged_tables_end_in_runs_or_in_one_line(tmp_path: Path) -> None:
    data = f"{STATISTICS}\n{SCALARS}\n\n{GPU}\n".encode()
    assert survives(aiperf_csv, data, tmp_path, "damaged.csv") > 5
