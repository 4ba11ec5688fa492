from __future__ import annotations

from pathlib import Path

from generator.engines.llamacpp import llamacpp
from generator.engines.vllm import vllm
from generator.store.server_log import read_log

START = "INFO 05-01 10:00:00 [core.py:58] Initializing a V1 LLM engine (v0.10.2) with config: model='m', seed=0, x"
STATS = (
    "(APIServer pid=7) INFO 05-01 10:00:10 [loggers.py:310] Engine 000: Avg prompt throughput: 8.0 tokens/s, Avg "
    "generation throughput: 5.5 tokens/s, Running: 12 reqs, Waiting: 2 reqs, GPU KV cache usage: 45.0%"
)
ACCESS = '(APIServer pid=7) INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK'


def test_what_its_log_tells(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text(f"{START}\r\n{ACCESS}\n{STATS}\r\n{ACCESS}\n")

    log = read_log(tmp_path / "server.log", [llamacpp, vllm])

    assert log is not None
    assert log.engine.key == "vllm"
    told = {name: (one.value, *one.lines) for name, one in log.told.items()}
    wanted = {"launches": (2, 2, 4), "waiting_most": (2, 3), "kv_usage_most": (0.45, 3), "engine_seed": (0, 1)}
    assert {name: told[name] for name in wanted} == wanted


def test_what_holds_while_it_runs_is_said_at_its_start() -> None:
    lasting = {fact.name for fact in vllm.facts if fact.lasting}

    assert {"weights_bytes", "kv_pool_tokens", "graphs_off", "context_length"} <= lasting
    assert lasting.isdisjoint({"launches", "stats_lines", "running_most", "preemptions", "engine_errors"})
