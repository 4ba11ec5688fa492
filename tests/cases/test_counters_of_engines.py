"""Two engines behind one page of counters, and a server that was restarted between two pages."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.cases.arriving import told, vllm

RESULT: Final = vllm(num_prompts=200, completed=200, max_concurrency=128, duration=60.0, output_throughput=1000.0)


def page(*preempted: int, full: float) -> str:
    counts = (f'vllm:num_preemptions_total{{engine="{n}"}} {count}' for n, count in enumerate(preempted))
    usage = (f'vllm:kv_cache_usage_perc{{engine="{n}"}} {full}' for n in range(len(preempted)))
    return "\n".join([*counts, *usage, ""])


def test_preemptions_of_all_engines_are_added_up(tmp_path: Path) -> None:
    pages = {"t0.prom": page(100, 50, full=0.1), "t1.prom": page(140, 70, full=0.99)}
    found = told(tmp_path, {"result.json": RESULT, **pages})

    # (140 − 100) + (70 − 50) = 60 of 200
    assert found.number("server_preemptions_of_series") == 60
    assert found.number("server_preemption_share_of_series") == 0.3
    assert found.finding("preemptions").status == "warn"
    text = found.said("preemptions")
    assert "60 times. That is 30.0% of the requests. The KV pool was filled to 99.0%." in text


def test_a_counter_that_fell_is_unknown(tmp_path: Path) -> None:
    pages = {"t1.prom": page(140, 70, full=0.99), "t2.prom": page(6, 3, full=0.05)}
    found = told(tmp_path, {"result.json": RESULT, **pages})

    # neither 6 + 3 − 140 − 70 nor 6 + 3
    assert found.number("server_preemptions_of_series") is None
    assert found.finding("preemptions").status == "unknown"
    assert "unknown (restart)" in found.said("preemptions")
