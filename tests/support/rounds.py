"""Small rounds on disk, for every test that needs a folder to read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from generator import metrics
from generator.analysis.graph import build
from generator.kinds import Metric
from generator.places import Place
from generator.registry import discover_metrics

ROUND_TOML: Final = """\
schema = 1

[round]
title.zh = "两个引擎"
title.en = "Two engines"
baseline = "alpha"
origin = "transcribed"

[model]
name = "Model"
layers = 28
kv_heads = 4
head_dim = 128
kv_dtype_bytes = 2

[hardware]
gpu = "RTX 4090"
memory_bandwidth_gb_s = 1008

[workload]
input_tokens = 1024
output_tokens = 256

[[series]]
id = "alpha"
engine = "vLLM"
weight_bytes = 14.14e9
kv_pool_tokens = 120064

[[series]]
id = "beta"
engine = "llama.cpp"
weight_bytes = 4.68e9
"""
"""The round.toml of a small round: two series, the first of them the baseline."""

ALPHA_CSV: Final = """\
concurrency,requests,completed,duration_s,output_throughput,itl_p50_ms
1,40,40,165.54,61.9,15.83
8,120,120,74.67,411.4,16.63
16,200,200,75.13,681.5,17.23
"""
BETA_CSV: Final = """\
concurrency,requests,completed,duration_s,output_throughput,itl_p50_ms
1,40,40,63.40,161.5,5.84
8,120,120,73.58,415.6,10.30
16,200,200,92.51,548.0,23.35
"""
ALPHA_TOML: Final = """\
[memory]
weights_gib = 14.49
kv_pool_gib = 6.41
"""


@cache
def places() -> dict[Place, Metric]:
    """Return every place of the real metric graph where a number may be written down."""
    return build(discover_metrics(metrics)).places()


def write_round(
    folder: Path,
    *,
    toml: str = ROUND_TOML,
    tables: Mapping[str, str] | None = None,
    facts: Mapping[str, str] | None = None,
) -> Path:
    """Write a round into a new folder and return it.

    Args:
        folder: the folder to make; its name becomes the round's id.
        toml: the text of round.toml.
        tables: the text of published.csv, by series.
        facts: the text of published.toml, by series.
    """
    folder.mkdir(parents=True)
    (folder / "round.toml").write_text(toml, encoding="utf-8")
    for series, text in ({"alpha": ALPHA_CSV, "beta": BETA_CSV} if tables is None else tables).items():
        _write(folder / series / "published.csv", text)
    for series, text in ({"alpha": ALPHA_TOML} if facts is None else facts).items():
        _write(folder / series / "published.toml", text)
    return folder


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
