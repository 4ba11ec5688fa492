"""Result files as `vllm bench serve --save-result --save-detailed` writes them, of a server that never was."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

MODEL = "Qwen/Qwen2.5-7B-Instruct"
INPUT, OUTPUT = 256, 128
BETWEEN_S = 0.002
"""What the client takes from the end of an answer to its next request."""


@dataclass(frozen=True, slots=True)
class Load:
    """What a result is of: requests in flight, requests in all, mean TTFT and mean step in seconds."""

    concurrency: int
    requests: int
    ttft: float
    step: float


def write_results(folder: Path, *loads: Load) -> None:
    """Write a file for each load into a new folder, named by its concurrency."""
    folder.mkdir(parents=True)
    for load in loads:
        (folder / f"c{load.concurrency}.json").write_text(json.dumps(result(load)), encoding="utf-8")


def result(load: Load) -> dict[str, Any]:
    """Return what the client writes of a load: times lie within a fifth of their mean, the same ones each time."""
    drawn = random.Random(load.concurrency)
    ttfts = [load.ttft * drawn.uniform(0.8, 1.2) for _ in range(load.requests)]
    itls = [[load.step * drawn.uniform(0.9, 1.1) for _ in range(OUTPUT - 1)] for _ in range(load.requests)]
    starts, duration = _closed_loop(load, [first + sum(gaps) for first, gaps in zip(ttfts, itls, strict=True)])
    return {
        "date": "20260301-101500", "backend": "vllm", "endpoint_type": "openai", "label": None,
        "model_id": MODEL, "tokenizer_id": MODEL, "num_prompts": load.requests,
        "request_rate": "inf", "burstiness": 1.0, "max_concurrency": load.concurrency,
        "duration": duration, "completed": load.requests, "failed": 0,
        "total_input_tokens": INPUT * load.requests, "total_output_tokens": OUTPUT * load.requests,
        "request_throughput": load.requests / duration, "request_goodput": None,
        "output_throughput": OUTPUT * load.requests / duration,
        "total_token_throughput": (INPUT + OUTPUT) * load.requests / duration,
        "mean_ttft_ms": 1e3 * mean(ttfts), "median_ttft_ms": 1e3 * median(ttfts),
        "input_lens": [INPUT] * load.requests, "output_lens": [OUTPUT] * load.requests,
        "ttfts": ttfts, "itls": itls, "start_times": starts,
        "generated_texts": ["…"] * load.requests, "errors": [""] * load.requests,
    }  # fmt: skip


def _closed_loop(load: Load, answers: list[float]) -> tuple[list[float], float]:
    """Return when each request is sent, and when the last one has ended: each answer makes room for the next."""
    free, starts = [0.0] * load.concurrency, []
    for answer in answers:
        slot = free.index(min(free))
        starts.append(free[slot])
        free[slot] += answer + BETWEEN_S
    return starts, max(free) - BETWEEN_S
