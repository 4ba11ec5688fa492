from __future__ import annotations

from pathlib import Path

import pytest

from generator.engines.sglang import sglang
from generator.engines.vllm import vllm
from generator.kinds import Engine
from generator.store.server_log import read_log

ACCESS = 'INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK\n'
HEAD = "[2026-01-05 10:00:00] "


@pytest.mark.parametrize("engines", [[sglang, vllm], [vllm, sglang]])
def test_whose_log_it_is_can_be_told_from_vllm(engines: list[Engine], tmp_path: Path) -> None:
    batch = f"{HEAD}Decode batch, #running-req: 3, #token: 90, token usage: 0.25, #queue-req: 1\n"
    (tmp_path / "vllm.log").write_text(ACCESS)
    (tmp_path / "sglang.log").write_text(f"{HEAD}{ACCESS}{batch}")

    of_vllm, of_sglang = (read_log(tmp_path / name, engines) for name in ("vllm.log", "sglang.log"))

    assert of_vllm is not None
    assert (of_vllm.engine, of_vllm.told["launches"].value) == (vllm, 1)
    assert of_sglang is not None
    assert (of_sglang.engine, of_sglang.told["launches"].value) == (sglang, 1)
    assert of_sglang.told["kv_usage_most"].value == 0.25


def test_what_holds_while_it_runs_is_said_at_its_start() -> None:
    lasting = {fact.name for fact in sglang.facts if fact.lasting}

    assert {"weights_bytes", "kv_pool_tokens", "graphs_off", "context_length"} <= lasting
    assert lasting.isdisjoint({"launches", "stats_lines", "running_most", "retracted", "cached_tokens"})
