"""Plans for tests: round.toml from a few words, and single runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generator.collect.round_plan import PlannedRun
from generator.declared.round_tables import RoundFile, WorkloadTable
from generator.store.round_file import read_round_file

HEAD = """\
schema = 1
[round]
title.zh = "轮"
title.en = "A round"
[model]
name = "Toy"
"""
SERIES = '[[series]]\nid = "ref"\nkind = "reference"\n'


def round_file(folder: Path, workload: str, levels: str, series: str = SERIES) -> RoundFile:
    """Return round.toml with the given tables."""
    (folder / "round.toml").write_text(f"{HEAD}[workload]\n{workload}\n{series}\n{levels}\n", encoding="utf-8")
    return read_round_file(folder)


def workload(**keys: Any) -> WorkloadTable:
    return WorkloadTable(**{"input_tokens": 64.0, "output_tokens": 32.0, **keys})


def run(**changed: Any) -> PlannedRun:
    """Return a run of ten requests, two at once, without a warm-up."""
    usual: dict[str, Any] = {
        "series": "ref", "level": "c2", "trial": 1, "concurrency": 2, "rate": None, "requests": 10,
        "input_tokens": 64, "output_tokens": 32, "cold": 0, "warm": 0, "seed": 7,
    }  # fmt: skip
    return PlannedRun(**{**usual, **changed})
