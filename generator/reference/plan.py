"""The keys of round.toml that a plan of ``rounds collect`` is made of, by what they decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.reference.keys import table_with_defaults
from generator.text import Lang

SERIES: Final = "[[series]]"
LEVEL: Final = "[[level]]"
WORKLOAD: Final = "[workload]"
PLAN: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "engines": (
        SERIES,
        (
            *("id", "kind", "argv", "env", "endpoint", "served_model", "health", "ready_timeout_s"),
            *("client", "kv_pool_tokens"),
        ),
    ),
    "starts": (SERIES, ("starts", "page_cache")),
    "levels": (LEVEL, ("id", "concurrency", "rate", "requests", "trials", "input_tokens", "output_tokens", "series")),
    "requests": (
        WORKLOAD,
        ("input_tokens", "output_tokens", "ignore_eos", "api", "seed", "lengths", "length_spread", "dataset_file"),
    ),
    "arrivals": (WORKLOAD, ("arrival", "burstiness", "ramp_from")),
    "warm-up": (WORKLOAD, ("cold_requests", "warm_requests")),
    "client": (WORKLOAD, ("client_processes", "timeout_s", "stall_timeout_s", "sample_every_s")),
    "targets": (WORKLOAD, ("slo_ttft_ms", "slo_tpot_ms", "slo_e2el_ms")),
}
"""What is decided -> the table of round.toml and the keys in it that decide it."""


def table_of_plan(part: str, lang: Lang) -> str:
    """Return the keys of a part of the plan, with what stands where they are left out."""
    name, keys = PLAN[part]
    return table_with_defaults(name, keys, lang)
