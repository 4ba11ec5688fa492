"""Small plans of rounds to be collected: a fast reference server, a few requests."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

REFERENCE: Final = (
    sys.executable, "-m", "generator.collect.reference", "--port", "{port}", "--style", "llamacpp", "--step-ms", "2",
)  # fmt: skip
LEVELS: Final = """
[[level]]
id = "c1"
concurrency = 1
requests = 3
trials = 2

[[level]]
id = "c2"
concurrency = 2
requests = 4
"""


def series(name: str = "ref", argv: Sequence[str] | None = REFERENCE, **keys: object) -> str:
    """Return a series of round.toml."""
    lines = ["[[series]]", f'id = "{name}"', 'kind = "reference"']
    if argv is not None:
        lines.append(f"argv = {json.dumps(list(argv))}")
    return "\n".join([*lines, *(f"{key} = {json.dumps(value)}" for key, value in keys.items()), ""])


def write_plan(folder: Path, *all_series: str, levels: str = LEVELS, workload: str = "") -> Path:
    """Write a round.toml with a plan into a new folder and return the folder."""
    folder.mkdir(parents=True)
    text = f"""\
schema = 1

[round]
title.zh = "计划"
title.en = "Plan"

[model]
name = "simulated"

[workload]
input_tokens = 8
output_tokens = 5
{workload}

{chr(10).join(all_series or (series(),))}
{levels}"""
    (folder / "round.toml").write_text(text, encoding="utf-8")
    return folder
