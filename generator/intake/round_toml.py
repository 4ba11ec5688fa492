"""round.toml for what was imported: a start that its author completes, or further series for one that is there."""

from __future__ import annotations

import json
from collections.abc import Sequence

from generator.intake.placing import Placed

HEAD = """\
schema = 1

[round]
title.zh = {title}
title.en = {title}
# date = 2026-01-31
# baseline = "…"      # the series that the others are compared with
origin = "measured"

[model]
name = {model}
# layers, kv_heads, head_dim, kv_dtype_bytes: with them the report computes floors

[hardware]
# gpu = "…"
# memory_bandwidth_gb_s = …

[workload]
# input_tokens = …    # as asked of every request
# output_tokens = …
"""
SERIES = """
[[series]]
id = {id}
# engine = "…"        # vLLM, llama.cpp, SGLang …
# version = "…"
# precision = "…"
# weight_bytes = …    # bytes that a decode step reads
"""


def round_toml(present: str, round_id: str, placed: Sequence[Placed]) -> str:
    """Return round.toml with the series of some runs.

    Args:
        present: the file as it stands; empty where there is none.
        round_id: the id of the round, its title until its author has a better one.
        placed: runs of series that the file does not have.
    """
    models = list(dict.fromkeys(one.arrived.run.model for one in placed if one.arrived.run.model))
    model = ", ".join(models)[:200] or "unknown"
    text = present or HEAD.format(title=_quoted(round_id), model=_quoted(model))
    series = list(dict.fromkeys(one.series for one in placed))
    return text.rstrip("\n") + "\n" + "".join(SERIES.format(id=_quoted(one)) for one in series)


def _quoted(text: str) -> str:
    """Return text as a TOML string: JSON's escapes are TOML's, but for two."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f").replace("\\/", "/")
