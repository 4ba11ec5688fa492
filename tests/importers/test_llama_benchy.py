from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator.errors import InputError
from generator.importers.llama_bench import llama_bench
from generator.importers.llama_benchy import llama_benchy
from generator.runs.imported import Run
from tests.support.mutated import survives


def of(*values: float) -> dict[str, Any]:
    return {"mean": sum(values) / len(values), "std": 0.5, "values": list(values)}


# Two batches of two requests each.
BLOCK: dict[str, Any] = {
    "concurrency": 2, "context_size": 0, "prompt_size": 1000, "response_size": 32, "is_context_prefill_phase": False,
    "pp_throughput": of(2000, 1000), "pp_req_throughput": of(1100, 1000, 600, 500), "tg_throughput": of(80, 60),
    "tg_req_throughput": of(41, 40, 31, 30), "peak_throughput": of(90, 70), "ttfr": of(900, 990, 1900, 1990),
    "est_ppt": of(899, 989, 1899, 1989), "e2e_ttft": of(910, 1000, 1910, 2000),
    "throughput_over_time": [[[0.0, 1.0], [0.5, 2.0]]], "requests_throughput_over_time": [[[0.0, 1.0]]],
}  # fmt: skip
REPORT: dict[str, Any] = {
    "version": "0.4.0", "timestamp": "2026-02-07 19:09:00Z", "latency_mode": "api", "latency_ms": 1.0, "model": "toy",
    "prefix_caching_enabled": True, "max_concurrency": 2, "benchmarks": [BLOCK],
}  # fmt: skip
TABLE = """\
# Toy

| model |              test |  t/s (total) |    t/s (req) |   peak t/s |     ttfr (ms) | est_ppt (ms) | e2e_ttft (ms) |
|:------|------------------:|-------------:|-------------:|-----------:|--------------:|-------------:|--------------:|
| toy   |       pp1000 (c1) | 2000.0 ± 9.5 | 2000.0 ± 9.5 |            |   900.0 ± 1.5 |  899.0 ± 1.5 |   910.0 ± 1.5 |
| toy   |         tg32 (c1) |   40.0 ± 0.1 |   40.0 ± 0.1 | 45.0 ± 0.0 |               |              |               |
| toy   | pp1000 @ d50 (c2) | 3000.0 ± 9.5 | 1500.0 ± 9.5 |            |   950.0 ± 1.5 |  899.0 ± 1.5 |  1000.0 ± 1.5 |
| toy   |   tg32 @ d50 (c2) |   70.0 ± 0.1 |   35.0 ± 0.1 | 75.0 ± 0.0 |               |              |               |
| toy   | ctx_pp @ d50 (c2) |  500.0 ± 9.5 |  250.0 ± 9.5 |            |   100.0 ± 1.5 |   99.0 ± 1.5 |   110.0 ± 1.5 |

llama-benchy (0.4.0)
"""


def read(folder: Path, text: str) -> Sequence[Run]:
    path = folder / "result.out"
    path.write_text(text)
    return llama_benchy.read(path, lambda _: None)


def report(folder: Path, *blocks: dict[str, Any]) -> Sequence[Run]:
    return read(folder, json.dumps(REPORT | {"benchmarks": list(blocks)}))


def test_more_batches_than_there_may_be_trials_are_one_run_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.importers.llama_benchy.json_report.MOST_BATCHES", 1)
    [run] = report(tmp_path, BLOCK)
    assert (run.requests, run.summary["batches_taken_together"]) == (None, 2)


def reported(run: Run) -> dict[str, float]:
    return {one.metric: one.value for one in run.reported}


def test_its_files_are_recognised_and_no_other() -> None:
    assert llama_benchy.recognises(json.dumps(REPORT).encode()) == 4
    assert llama_benchy.recognises(TABLE.encode()) == 3
    assert not llama_bench.recognises(TABLE.encode())
    assert not llama_benchy.recognises(b'{"benchmarks": [], "config": {}}')


def test_each_batch_is_a_run_with_its_requests(tmp_path: Path) -> None:
    first, second = report(tmp_path, BLOCK)

    assert (first.place, second.place) == ("benchmarks.0, batch 1", "benchmarks.0, batch 2")
    assert (first.concurrency, first.test, first.model, first.tool_version) == (2, "pp1000-tg32-c2", "toy", "0.4.0")
    assert [reported(run)["prompt_throughput"] for run in (first, second)] == [2000, 1000]
    assert [reported(run)["generation_throughput"] for run in (first, second)] == [80, 60]
    assert first.requests is not None
    assert second.requests is not None
    np.testing.assert_allclose(first.requests.ttft, [0.910, 1.0])
    np.testing.assert_allclose(second.requests.ttft, [1.910, 2.0])


def test_the_first_response_is_no_first_token(tmp_path: Path) -> None:
    run = report(tmp_path, BLOCK)[0]

    assert run.summary["ttfr.mean"] == (900 + 990 + 1900 + 1990) / 4
    assert not [one.key for one in run.reported if one.key.startswith(("ttfr", "est_ppt"))]


def test_rates_of_a_request_are_none_of_the_server(tmp_path: Path) -> None:
    run = report(tmp_path, BLOCK)[0]

    assert run.summary["tg_req_throughput.mean"] == 35.5
    assert {one.key for one in run.reported if "req" in one.key or "peak" in one.key} == set()


def test_a_request_that_is_missing_leaves_the_means(tmp_path: Path) -> None:
    # Three of four requests gave a first token: which batch lacks one is not told, and neither is why.
    [run] = report(tmp_path, BLOCK | {"e2e_ttft": of(900, 1000, 2000)})

    assert run.requests is None
    assert (reported(run)["ttft_mean"], reported(run)["prompt_throughput"]) == (1300, 1500)


def test_the_context_is_part_of_the_request(tmp_path: Path) -> None:
    after, loading = BLOCK | {"context_size": 4096}, BLOCK | {"context_size": 4096, "is_context_prefill_phase": True}
    runs = report(tmp_path, after, loading)

    assert [run.test for run in runs[::2]] == ["pp1000-tg32-d4096-c2", "ctx-pp1000-tg32-d4096-c2"]
    assert [reported(run)["asked_input_tokens"] for run in runs[::2]] == [5096, 4096]


def test_the_table_has_a_run_for_two_rows(tmp_path: Path) -> None:
    runs = read(tmp_path, TABLE)

    assert [run.test for run in runs] == ["pp1000-tg32-c1", "pp1000-tg32-d50-c2", "ctx-pp0-tg0-d50-c2"]
    assert [run.concurrency for run in runs] == [1, 2, 2]
    assert [reported(run)["prompt_throughput"] for run in runs] == [2000, 3000, 500]
    assert [reported(run).get("generation_throughput") for run in runs] == [40, 70, None]
    assert [reported(run)["ttft_mean"] for run in runs] == [910, 1000, 110]
    assert {run.tool_version for run in runs} == {"0.4.0"}


def test_a_table_without_concurrencies_is_of_one(tmp_path: Path) -> None:
    [run] = read(tmp_path, TABLE.replace(" (c1)", "").partition("| toy   | pp1000 @")[0])

    assert (run.concurrency, run.test) == (1, "pp1000-tg32-c1")


def test_a_row_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 5: is no row of llama-benchy's table"):
        read(tmp_path, TABLE.replace("pp1000 (c1)", "warm-up"))


@pytest.mark.parametrize("broken", [[], None, "N/A", [None, 3]])
def test_a_report_without_a_block_is_refused(broken: object, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no result of llama-benchy"):
        read(tmp_path, json.dumps(REPORT | {"benchmarks": broken}))


@pytest.mark.fuzz
@pytest.mark.parametrize("text", [json.dumps(REPORT, indent=1), TABLE], ids=["json", "md"])
def test_damaged_files_end_in_runs_or_an_error(text: str, tmp_path: Path) -> None:
    assert survives(llama_benchy, text.encode(), tmp_path)
