"""Traces are loads to be sent, not results: what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.store.looks import unknown_format

TRACES = {
    "Azure": "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9799600,4808,10\n",
    "BurstGPT": "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,472,18,490,x\n",
    "Mooncake": '{"timestamp": 0, "input_length": 6758, "output_length": 500, "hash_ids": [0, 1]}\n',
    "ShareGPT": '[{"id": "a", "conversations": [{"from": "human", "value": "hi"}]}]',
}


@pytest.mark.parametrize("text", TRACES.values(), ids=TRACES)
def test_a_trace_is_told_where_it_belongs(tmp_path: Path, text: str) -> None:
    path = tmp_path / "trace"
    path.write_text(text, encoding="utf-8")

    said = str(unknown_format(path, {"vllm": None}))
    assert "looks like a trace of requests to be replayed, not a result" in said
    assert said.endswith('[workload] dataset_file = "…"')


@pytest.mark.parametrize(
    ("text", "look"),
    [
        ("Hardware,Latency,Throughput,power\nA100,13.9,146.5,2221\n", "columns Latency and Throughput give no unit"),
        ('{"backend": "x", "cases": [{"ttft_s": 0.1}]}', "single requests of a client of one's own"),
        ('[{"total_requests": 1, "total_time": 2, "tokens_per_second": {"p95": 1}}]', "that gives no units"),
        ("Timestamp,User Count,Type,Name,Requests/s\n1,2,,Aggregated,3\n", "the course of a test of Locust"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_for_what_it_is(tmp_path: Path, text: str, look: str) -> None:
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")

    assert look in str(unknown_format(path, {"vllm": None}))
