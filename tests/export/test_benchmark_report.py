from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from llmd_benchmark_report import BenchmarkReportV021, load_benchmark_report

from generator.catalogue import load
from generator.export.benchmark_report import report_files
from generator.importers.llmd_report import llmd_report
from generator.units import to_base
from tests.support.example_rounds import published
from tests.support.memory_round import address, memory_round, observation
from tests.support.run_rounds import QUICK, SLOW, round_of

CATALOGUE = load()
RUNS = CATALOGUE.analyse(round_of({("a", "c2", 1): QUICK, ("a", "c2", 2): SLOW}))


def reports(round_id: str) -> dict[str, Any]:
    return {name: yaml.safe_load(data) for name, data in report_files(CATALOGUE.analyse(published(round_id))).items()}


@pytest.mark.parametrize("round_id", ["round-1", "round-2"])
def test_every_level_is_a_report_that_the_schema_takes(round_id: str) -> None:
    found = reports(round_id)

    levels = {f"{series.id}/{level.id}.yaml" for series in published(round_id).series for level in series.levels}
    assert found.keys() == levels
    assert {type(load_benchmark_report(report)) for report in found.values()} == {BenchmarkReportV021}
    assert {report["version"] for report in found.values()} == {"0.2.1"}


def test_each_trial_is_a_report_beside_that_of_its_level() -> None:
    files = report_files(RUNS)

    assert list(files) == ["a/c2.yaml", "a/c2-1.yaml", "a/c2-2.yaml"]
    assert len({yaml.safe_load(data)["run"]["uid"] for data in files.values()}) == 3
    for data in files.values():
        load_benchmark_report(yaml.safe_load(data))


def test_numbers_are_in_seconds() -> None:
    aggregate = yaml.safe_load(report_files(RUNS)["a/c2-1.yaml"])["results"]["request_performance"]["aggregate"]

    # TTFT of 100, 200, 300 and 400 ms; p90 is 300 + 0.7 × 100 ms, p95 300 + 0.85 × 100, p99 300 + 0.97 × 100
    ttft = aggregate["latency"]["time_to_first_token"]
    assert ttft.pop("units") == "s"
    assert ttft == pytest.approx({"mean": 0.25, "p50": 0.25, "p90": 0.37, "p95": 0.385, "p99": 0.397})
    assert aggregate["requests"] == {"total": 4, "failures": 0, "output_length": {"units": "count", "mean": 3.0}}
    # 4 answers in 2 s
    assert aggregate["throughput"]["request_rate"] == {"units": "queries/s", "mean": 2.0}


def test_failed_requests_are_counted() -> None:
    aggregate = yaml.safe_load(report_files(RUNS)["a/c2-2.yaml"])["results"]["request_performance"]["aggregate"]

    assert (aggregate["requests"]["total"], aggregate["requests"]["failures"]) == (5, 1)


def test_what_a_round_does_not_know_is_left_out() -> None:
    report = reports("round-2")["vllm-bf16/c8.yaml"]

    # round-2 publishes no mean of the TTFT, without which the schema has no block of it
    latency = report["results"]["request_performance"]["aggregate"]["latency"]
    assert "time_to_first_token" not in latency
    assert latency["inter_token_latency"]["p50"] == pytest.approx(0.01663)
    assert report["scenario"]["load"]["standardized"]["concurrency"] == 8
    assert "accelerator" in report["scenario"]["stack"][0]["standardized"]


def test_a_rate_without_a_cap_has_concurrency_without_end() -> None:
    asked = [observation(address("asked_input_tokens", "level", "a", "c2"), 1024.0)]
    analysis = CATALOGUE.analyse(round_of({("a", "c2", None): QUICK}, asked))
    [series] = analysis.round.series
    at_a_rate = replace(series, levels=(replace(series.levels[0], concurrency=None, rate=2.5),))
    [data] = report_files(replace(analysis, round=replace(analysis.round, series=(at_a_rate,)))).values()

    report = yaml.safe_load(data)
    load_benchmark_report(report)
    sent = report["scenario"]["load"]["standardized"]
    assert (sent["rate_qps"], sent["concurrency"]) == (2.5, float("inf"))
    assert sent["input_seq_len"] == {"distribution": "fixed", "value": 1024.0}


def test_where_no_length_was_asked_for_the_mean_of_those_counted_stands() -> None:
    report = yaml.safe_load(report_files(RUNS)["a/c2.yaml"])

    # 4 prompts of 10 tokens
    assert report["scenario"]["load"]["standardized"]["input_seq_len"] == {"distribution": "other", "value": 10.0}


def test_without_a_length_of_prompts_there_is_no_load() -> None:
    analysis = CATALOGUE.analyse(memory_round({"a": {"c2": {"concurrency": 2.0, "itl_mean": 0.02}}}))
    [data] = report_files(analysis).values()

    assert "load" not in yaml.safe_load(data)["scenario"]
    load_benchmark_report(yaml.safe_load(data))


def test_what_is_exported_can_be_imported(tmp_path: Path) -> None:
    path = tmp_path / "c2-1.yaml"
    path.write_bytes(report_files(RUNS)["a/c2-1.yaml"])
    [run] = llmd_report.read(path, lambda _: None)

    values = RUNS.frame.values
    told = {one.metric: to_base(one.value, one.unit) for one in run.reported}
    assert {"ttft_p99", "e2el_mean", "itl_p50", "tpot_mean", "completed"} <= told.keys()
    ours = {a.metric: v.value for a, v in values.items() if (a.trial, a.basis) == (1, None) and a.metric in told}
    assert told == pytest.approx(ours)
