"""Results as `vllm bench serve` writes them, with small numbers that can be checked by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.importers.vllm import vllm
from generator.runs.imported import Run

TOTALS: dict[str, Any] = {
    "date": "20260301-101500",
    "endpoint_type": "openai",
    "backend": "openai",
    "label": None,
    "model_id": "acme/Toy-1B",
    "tokenizer_id": "acme/Toy-1B",
    "num_prompts": 4,
    "request_rate": "inf",
    "burstiness": 1.0,
    "max_concurrency": 2,
    "duration": 2.0,
    "completed": 4,
    "failed": 0,
    "total_input_tokens": 40,
    "total_output_tokens": 20,
    "request_throughput": 2.0,
    "request_goodput": None,
    "output_throughput": 10.0,
    "total_token_throughput": 30.0,
    "mean_ttft_ms": 100.0,
    "median_ttft_ms": 90.0,
    "p99_ttft_ms": 150.0,
}

DETAIL: dict[str, Any] = {
    "input_lens": [10, 10, 10, 10],
    "output_lens": [3, 0, 1, 0],
    "ttfts": [0.1, 0.0, 0.3, 0.0],
    "itls": [[0.02, 0.03], [], [], []],
    "start_times": [500.0, 500.5, 501.0, 501.25],
    "generated_texts": ["ok", "", "ok", ""],
    "errors": ["", "Traceback (most recent call last):\n  x\nhttpx.ReadTimeout: 10.0.0.7 is slow\n", "", ""],
}
"""Request 1 has three tokens, 2 failed, 3 has a single token, 4 was answered without a token."""


def totals(**changed: Any) -> dict[str, Any]:
    return TOTALS | changed


def detailed(**changed: Any) -> dict[str, Any]:
    return TOTALS | DETAIL | changed


def without(result: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in result.items() if name not in names}


def read_text(folder: Path, text: str | bytes, name: str = "result.json") -> list[Run]:
    """Write a file and import it."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(vllm.read(path, lambda _: None))


def read_one(folder: Path, result: object) -> Run:
    [run] = read_text(folder, json.dumps(result))
    return run


def reported(run: Run) -> dict[str, float]:
    return {number.metric: number.value for number in run.reported}
