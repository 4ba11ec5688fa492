"""``rounds new``: a round.toml to be completed, with what is known of this machine filled in."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Final

from generator.collect.host.nvml import NvmlGpus

TEMPLATE: Final = """\
schema = 1

[round]
title.zh = {title}
title.en = {title}
# baseline = "engine-a"          # the series that the others are compared with

[model]
name = "…"                       # floors: from the model's files (rounds describe), or with the next keys
# layers = 28
# kv_heads = 4
# head_dim = 128
# kv_dtype_bytes = 2
# matmul_params = 7070619136

[hardware]
{hardware}

[workload]
input_tokens = 1024
output_tokens = 256
ignore_eos = true                # go on to the full length
# lengths = "lognormal"          # fixed (default), uniform, lognormal
# arrival = "poisson"            # of levels with a rate: poisson, constant, gamma, ramp, trace
# slo_ttft_ms = 500              # with a target, goodput is counted

[[series]]
id = "engine-a"
engine = "vLLM"
kind = "vllm"                    # vllm, llamacpp, sglang, openai (anything else), reference (simulated)
argv = ["vllm", "serve", "/path/to/model", "--port", "{{port}}"]
# endpoint = "http://127.0.0.1:8000"   # instead of argv: a server that runs already
# weight_bytes = 14141238272

[[level]]
id = "c1"
concurrency = 1
requests = 20
trials = 2

[[level]]
id = "c8"
concurrency = 8
trials = 2

# [[level]]
# id = "r2.5"
# rate = 2.5
# requests = 200
"""


def new_round_toml(round_id: str) -> str:
    """Return the text of a round.toml for a round of this machine."""
    return TEMPLATE.format(title=json.dumps(round_id, ensure_ascii=False), hardware=_hardware())


def _hardware() -> str:
    with closing(NvmlGpus()) as gpus:
        readings = {one.field: one.value for one in gpus.read() if one.source == "gpu0"}
        name = gpus.devices[0].name if gpus.devices else None
    if name is None:
        return '# gpu = "…"\n# memory_bandwidth_gb_s = …'
    memory = readings.get("memory_total")
    lines = [f"gpu = {json.dumps(name)}", "# memory_bandwidth_gb_s = …     # of its data sheet"]
    if memory:
        lines.append(f"memory_gib = {memory / 2**30:.0f}")
    return "\n".join(lines)
