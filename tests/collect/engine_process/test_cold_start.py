from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from generator.collect.engine_process.cold_start import cold_start_of, write_cold_start
from generator.collect.engine_process.first_answer import FirstAnswer
from generator.collect.engine_process.page_cache import PageCache
from generator.collect.engine_process.process import EngineProcess
from generator.collect.engine_process.readiness import Ready

S = 10**9
# Spawned 100 s after the machine's start; 1 795 946 400 s is 2026-11-29T10:00:00Z.
PROCESS = cast(EngineProcess, SimpleNamespace(spawned_ns=100 * S, spawned_wall_ns=1_795_946_400 * S + 5_000))
READY = Ready(port_ns=102 * S, healthy_ns=105 * S)
WARM = PageCache("warm", 1.0, 4096)


def test_moments_count_from_the_spawn_and_times_from_the_port() -> None:
    record = cold_start_of(PROCESS, READY, FirstAnswer(106 * S, 107 * S, 110 * S), WARM)

    assert (record.port_s, record.healthy_s, record.sent_s) == (2.0, 5.0, 6.0)
    assert (record.first_token_s, record.first_completion_s) == (7.0, 10.0)
    # T1 = 102 − 100, T2 = 107 − 102, T3 = 110 − 102.
    assert (record.t1, record.t2, record.t3) == (2.0, 5.0, 8.0)
    assert record.spawn_wall == "2026-11-29T10:00:00.000005Z"


def test_an_answer_that_did_not_come_leaves_a_reason() -> None:
    record = cold_start_of(PROCESS, READY, FirstAnswer(106 * S, reason="/v1/completions answered 500"), WARM)
    assert (record.t1, record.t2, record.t3) == (2.0, None, None)
    assert record.reason == "/v1/completions answered 500"


def test_the_record_is_written_as_json(tmp_path: Path) -> None:
    record = cold_start_of(PROCESS, READY, FirstAnswer(106 * S, 107 * S, 110 * S), WARM)
    written: dict[str, Any] = json.loads(write_cold_start(record, tmp_path).read_text())

    assert written == {
        "schema": 1,
        "clock": "CLOCK_MONOTONIC",
        "spawn_mono_ns": 100 * S,
        "spawn_wall": "2026-11-29T10:00:00.000005Z",
        "port_s": 2.0,
        "healthy_s": 5.0,
        "sent_s": 6.0,
        "first_token_s": 7.0,
        "first_completion_s": 10.0,
        "reason": None,
        "page_cache": {
            "state": "warm", "resident": 1.0, "size": 4096, "reason": None, "asked": "as_is", "before": None,
            "not_dropped": None,
        },
        "looked_every": {"share": 0.01, "finest_s": 0.005, "coarsest_s": 0.1},
    }  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == ["cold_start.json"]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    record = cold_start_of(PROCESS, READY, FirstAnswer(106 * S), WARM)
    with pytest.raises(OSError, match="No such file"):
        write_cold_start(record, tmp_path / "missing")
