"""A round as good as they come, made from a known model: two series in a closed loop, nothing lost, all declared.

A step takes the floor of a roofline and a sixth more; a prompt is read at half the compute ceiling; a slot is filled
again half a millisecond after it became free. Everything else follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from generator.runs.imported import Reported, Run
from generator.runs.requests import Requests
from generator.store.level_file import OURS, level_json
from generator.values import Source
from tests.support.collected_rounds import CALIBRATION, START, put_json, put_requests
from tests.support.sampled import put_samples

BANDWIDTH: Final = 1e12
WEIGHT_BYTES: Final = 2e9
KV_BYTES: Final = 8192.0
"""Of a token: 2 × 8 layers × 2 heads × 128 × 2 bytes."""
INPUT: Final = 256
OUTPUT: Final = 17
REQUESTS: Final = 800
"""At each level: more than a sure p99 takes, and fifty waves at the highest concurrency."""
SLOTS: Final = (1, 4, 16)
OVER_FLOOR: Final = {"swift": 7 / 6, "plain": 8 / 6}
"""A step ÷ its floor."""
REFILL: Final = 0.0005
TTFT: Final = 0.02

TOML: Final = """\
schema = 1

[round]
title.zh = "干净的一轮"
title.en = "A clean round"
baseline = "plain"
date = 2026-11-30

[model]
name = "a model"
layers = 8
kv_heads = 2
head_dim = 128
kv_dtype_bytes = 2
matmul_params = 1e9

[hardware]
gpu = "none (a processor)"
memory_bandwidth_gb_s = 1000
bandwidth_source = "measured"
memory_gib = 24
peak_tflops = 51.2
driver = "1.0"
cuda = "13.0"

[workload]
input_tokens = 256
output_tokens = 17
ignore_eos = true
dataset = "random words"
seed_policy = "a seed for each level"
warm_up = "warmed"
"""
SERIES: Final = """
[[series]]
id = "{id}"
engine = "{id}"
version = "1.0"
precision = "BF16"
kind = "reference"
weight_params = 1e9
weight_dtype_bytes = 2
weights_basis = "matmul_params"
embedding_bytes = 0
kv_pool_tokens = 100000
slots = 16
argv = ["--port", "{{port}}"]
host = "A"
date = 2026-11-30
"""
CONFIG: Final = {
    "model_type": "llama", "num_hidden_layers": 8, "hidden_size": 2048, "num_attention_heads": 16,
    "num_key_value_heads": 2, "head_dim": 128, "intermediate_size": 14_336, "vocab_size": 107_360,
    "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip
"""2 × 2048² + 2 × 2048 × 256 + 3 × 2048 × 14 336 = 97.5e6 weights a layer, and 2048 × 107 360 in the head: 1.000e9."""
FINGERPRINT: Final = {"schema": 1, "engine": {"kind": "reference", "version": "1.0"}}
MEMORY: Final = """\
[memory]
weights_gib = 1.8626
kv_pool_gib = 0.76294
device_used_mib = 3040
"""
"""2e9 bytes of weights, 100 000 tokens of 8192 bytes, and 350 MiB for what remains."""
LEVEL: Final = """
[[level]]
id = "c{slots}"
concurrency = {slots}
requests = {requests}
"""


def write_clean_round(folder: Path) -> Path:
    """Write the round into a new folder, as ``rounds collect`` would, and return it."""
    folder.mkdir(parents=True)
    tables = [TOML, *(SERIES.format(id=series) for series in OVER_FLOOR)]
    tables += [LEVEL.format(slots=slots, requests=REQUESTS) for slots in SLOTS]
    (folder / "round.toml").write_text("".join(tables), encoding="utf-8")
    put_json(folder / "calibration.json", CALIBRATION)
    put_json(folder / "config.json", CONFIG)
    for series, over_floor in OVER_FLOOR.items():
        put_json(folder / series / "sessions" / "1" / "cold_start.json", START)
        put_json(folder / series / "sessions" / "1" / "fingerprint.json", FINGERPRINT)
        (folder / series / "published.toml").write_text(MEMORY, encoding="utf-8")
        for slots in SLOTS:
            _put_level(folder / series / "levels" / f"c{slots}" / "1", slots, over_floor)
    return folder


def _put_level(trial: Path, slots: int, over_floor: float) -> None:
    requests = closed_loop(slots, over_floor)
    took = float((requests.start + requests.e2el).max())
    cold = closed_loop(1, over_floor, count=1)
    put_requests(trial, requests)
    put_requests(trial / "warm-up" / "cold", cold)
    (trial / "level.json").write_bytes(level_json(_run(slots, requests, took), None))
    put_samples(trial / "samples.parquet", [(float(t), "server", {"rss": 3e9}) for t in range(round(took) + 1)])


def _run(slots: int, requests: Requests, took: float) -> Run:
    numbers = (
        Reported("prompt_cache_hits", "hits", "1", 0.0),
        Reported("log_timing_lines", "lines", "1", float(REQUESTS)),
        Reported("total_token_throughput", "tokens", "tok/s", REQUESTS * (INPUT + OUTPUT) / took),
        Reported("duration", "duration", "s", took),
        Reported("output_tokens_retokenized", "retokenized", "tok", float(REQUESTS * OUTPUT)),
        Reported("client_cpu_share", "client_cpu_share", "ratio", 0.05),
        Reported("client_schedule_lag_p99", "client_schedule_lag_p99", "ms", 0.05),
        Reported("client_loop_lag_p99", "client_loop_lag_p99", "ms", 0.05),
        Reported("client_kernel_stamps", "client_kernel_stamps", "ratio", 1.0),
        Reported("server_prompt_tokens", "server_prompt_tokens", "tok", (REQUESTS + 1.0) * INPUT),
        Reported("server_output_tokens", "server_output_tokens", "tok", (REQUESTS + 1.0) * OUTPUT),
    )
    summary: dict[str, str | float | bool | None] = {
        "cold_requests": 1,
        "first_sent_mono_ns": "0",
        "last_ended_mono_ns": str(round(took * 1e9)),
        "client_clock_steps": 0,
        "prompts_repeated": 0,
        "seed": str(slots),
    }
    return Run(
        tool=OURS, model="a model", concurrency=slots, started="2026-11-30T00:00:00Z", reported=numbers,
        requests=requests, summary=summary,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Slot:
    """When the requests of one slot were sent, and what each took in seconds."""

    start: np.ndarray
    ttft: np.ndarray
    gaps: np.ndarray


def closed_loop(slots: int, over_floor: float, count: int = REQUESTS) -> Requests:
    """Make the requests of a closed loop: each slot sends one after the other, the slots a step apart at first."""
    rng = np.random.default_rng(slots)
    step = over_floor * (WEIGHT_BYTES + slots * (INPUT + OUTPUT / 2) * KV_BYTES) / BANDWIDTH
    made = [_slot(rng, step, TTFT * number, count // slots) for number in range(slots)]
    start, ttft = (np.concatenate([getattr(slot, name) for slot in made]) for name in ("start", "ttft"))
    gaps = np.rint(np.concatenate([slot.gaps for slot in made]) * 1e6).astype(np.int32)
    return Requests(
        answered=np.ones(len(start), dtype=np.bool_),
        start=start,
        ttft=ttft,
        e2el=ttft + gaps.sum(axis=1) * 1e-6,
        input_tokens=np.full(len(start), float(INPUT)),
        output_tokens=np.full(len(start), float(OUTPUT)),
        gap_counts=np.full(len(start), OUTPUT - 1, dtype=np.int64),
        gaps=gaps.ravel(),
        source=Source("", ""),
    )


def _slot(rng: np.random.Generator, step: float, begins: float, count: int) -> _Slot:
    gaps = step * rng.uniform(0.98, 1.02, (count, OUTPUT - 1)).round(6)
    gaps = np.rint(gaps * 1e6) * 1e-6
    ttft = np.rint(TTFT * rng.uniform(0.95, 1.05, count) * 1e6) * 1e-6
    took = ttft + gaps.sum(axis=1) + REFILL
    return _Slot(begins + np.concatenate([[0.0], np.cumsum(took)[:-1]]), ttft, gaps)
