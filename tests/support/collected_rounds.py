"""Rounds on disk as ``rounds collect`` leaves them: runs, warm-up, cold starts, a calibration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from generator.model import Round
from generator.runs.imported import Reported, Run
from generator.runs.requests import Requests
from generator.store.level_file import OURS, level_json
from generator.store.request_columns import pack
from tests.support.request_rows import answer, requests_of
from tests.support.telling import catalogue

TOML: Final = """\
schema = 1
[round]
title.zh = "采集"
title.en = "Collected"
[model]
name = "m"
[[series]]
id = "s"
kind = "reference"
[[level]]
id = "c1"
concurrency = 1
trials = 2
[[level]]
id = "c4"
concurrency = 4
"""
"""A plan of three runs of one series."""

CALIBRATION: Final = {
    "schema": 1, "streams": 4, "step_ms": 20.0, "chunks": 1024, "lost": 0,
    "stamp_error_us": {"p50": 5.0, "p99": 50.0, "max": 300.0},
    "itl_p99_truth_ms": 20.0, "itl_p99_seen_ms": 20.5, "cpu_share": 0.25, "stamps": "kernel",
    "requests": 16, "failed": 0,
}  # fmt: skip
START: Final = {"schema": 1, "port_s": 1.5, "healthy_s": 2.0, "first_token_s": 4.0, "first_completion_s": 4.5}

STEADY: Final = requests_of(answer(0.1, 0.1, start=0.0), answer(0.1, 0.1, 0.2, start=0.5))
"""Two answers of 2 and 3 tokens to prompts of 10."""
COLD: Final = requests_of(answer(0.4, 0.1, start=0.0, prompt=12))
"""One answer of 2 tokens to a prompt of 12."""


def planned(folder: Path, toml: str = TOML) -> Path:
    """Write the plan of a round."""
    folder.mkdir(parents=True)
    (folder / "round.toml").write_text(toml, encoding="utf-8")
    return folder


def put_json(path: Path, told: object) -> None:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told), encoding="utf-8")


def put_requests(folder: Path, requests: Requests) -> None:
    """Write the columns of some requests."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in pack(requests).items():
        (folder / name).write_bytes(data)


def put_run(
    trial: Path, reported: Mapping[str, float], cold: Requests | None = COLD, summary: Mapping[str, Any] | None = None
) -> None:
    """Write a run at C=1 of the two answers: what was measured beside it, in the units of reports."""
    units = {
        "client_schedule_lag_p99": "ms", "client_loop_lag_p99": "ms", "duration": "s", "client_cpu_share": "ratio",
        "client_kernel_stamps": "ratio", "server_prompt_tokens": "tok", "server_output_tokens": "tok",
    }  # fmt: skip
    numbers = tuple(Reported(key, key, units.get(key, "1"), value) for key, value in reported.items())
    run = Run(tool=OURS, concurrency=1, reported=numbers, requests=STEADY, summary=dict(summary or {}))
    put_requests(trial, STEADY)
    (trial / "level.json").write_bytes(level_json(run, None))
    if cold is not None:
        put_requests(trial / "warm-up" / "cold", cold)


def read(folder: Path) -> Round:
    """Read a round as the program does."""
    return catalogue().read(folder)
