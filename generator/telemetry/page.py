"""What an engine says at /metrics, in Prometheus's text format: its counters and gauges under one name each.

The names differ between engines and have changed between their releases; here each quantity has one. Only the lines
of known names are parsed: while a load runs, the client's own CPU is what measures, and a page of vLLM has hundreds of
others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Final, Literal

PARSER: Final = "prometheus_client.parser"
"""Imported when there is something to parse: its package brings a web server with it, and few rounds have pages."""
LONGEST_LINE: Final = 8192
MOST_BYTES: Final = 8 << 20

Series = dict[tuple[tuple[str, str], ...], float]
"""Values by their labels: one a data-parallel engine, or one a reason."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that engines say.

    Attributes:
        names: what it is called, the newest name first; the first that is there is taken, the others are the same.
        counter: whether it only grows while a server lives.
        over: how the values of several engines become one. The fullest pool is the one that has to preempt.
    """

    names: tuple[str, ...]
    counter: bool = False
    over: Literal["sum", "max"] = "sum"


def _sum_of(*histograms: str) -> Quantity:
    """Return what a histogram has added up over the requests so far, under any of its names."""
    return Quantity(tuple(f"{name}_sum" for name in histograms), counter=True)


def _count_of(*histograms: str) -> Quantity:
    """Return how many requests a histogram has of which the sum is told by ``_sum_of``."""
    return Quantity(tuple(f"{name}_count" for name in histograms), counter=True)


_QUEUE: Final = ("vllm:request_queue_time_seconds", "vllm:time_in_queue_requests", "sglang:queue_time_seconds")
_TTFT: Final = ("vllm:time_to_first_token_seconds", "sglang:time_to_first_token_seconds")

QUANTITIES: Final[Mapping[str, Quantity]] = {
    "running": Quantity(("vllm:num_requests_running", "llamacpp:requests_processing", "sglang:num_running_reqs")),
    "waiting": Quantity(("vllm:num_requests_waiting", "llamacpp:requests_deferred", "sglang:num_queue_reqs")),
    "swapped": Quantity(("vllm:num_requests_swapped",)),
    "kv_usage": Quantity(
        ("vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc", "llamacpp:kv_cache_usage_ratio",
         "sglang:token_usage"),
        over="max",
    ),
    "prompt_tokens": Quantity(
        ("vllm:prompt_tokens_total", "llamacpp:prompt_tokens_total", "sglang:prompt_tokens_total"), counter=True
    ),
    "generation_tokens": Quantity(
        ("vllm:generation_tokens_total", "llamacpp:tokens_predicted_total", "sglang:generation_tokens_total"),
        counter=True,
    ),
    "cached_prompt_tokens": Quantity(
        ("vllm:prefix_cache_hits_total", "vllm:gpu_prefix_cache_hits_total", "llamacpp:prompt_tokens_cached_total",
         "sglang:cached_tokens_total"),
        counter=True,
    ),
    "prefix_cache_queries": Quantity(
        ("vllm:prefix_cache_queries_total", "vllm:gpu_prefix_cache_queries_total"), counter=True
    ),
    "preemptions": Quantity(("vllm:num_preemptions_total", "sglang:num_retracted_requests_total"), counter=True),
    "requests_ended": Quantity(("vllm:request_success_total", "sglang:num_requests_total"), counter=True),
    "decode_calls": Quantity(("llamacpp:n_decode_total",), counter=True),
    "prompt_seconds": Quantity(("llamacpp:prompt_seconds_total",), counter=True),
    "decode_seconds": Quantity(("llamacpp:tokens_predicted_seconds_total",), counter=True),
    "queue_seconds": _sum_of(*_QUEUE),
    "queue_count": _count_of(*_QUEUE),
    "prefill_seconds": _sum_of("vllm:request_prefill_time_seconds"),
    "prefill_count": _count_of("vllm:request_prefill_time_seconds"),
    "ttft_seconds": _sum_of(*_TTFT),
    "ttft_count": _count_of(*_TTFT),
    "started": Quantity(("process_start_time_seconds",), over="max"),
}  # fmt: skip
"""Shares are from 0 to 1, tokens and requests are counts, seconds are sums. llama.cpp's tokens a second are left out:
they are averages since whoever asked last, so that two who ask disturb each other. SGLang's stages of a request are
left out: which of them is the prefill depends on how it is deployed."""

_KNOWN: Final = frozenset(name for quantity in QUANTITIES.values() for name in quantity.names)
_POOL: Final = {
    name: re.compile(rf'^vllm:cache_config_info\{{[^\n]{{0,4096}}?\b{label}="([1-9][0-9]{{0,8}})"', re.MULTILINE)
    for name, label in (("block_tokens", "block_size"), ("pool_blocks", "num_gpu_blocks"))
}
_NAME: Final = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")


@dataclass(frozen=True, slots=True)
class Scrape:
    """What one page said.

    Attributes:
        series: the values of each name.
        broken: lines of known names that could not be read.
    """

    series: Mapping[str, Series]
    broken: int = 0

    def of(self, quantity: str) -> Series:
        """Return the values of a quantity under the newest of its names; empty where it is not there."""
        return next((self.series[name] for name in QUANTITIES[quantity].names if name in self.series), {})

    def value(self, quantity: str) -> float | None:
        """Return a quantity over all engines of the server; None where it is not there."""
        values = self.of(quantity).values()
        if not values:
            return None
        return max(values) if QUANTITIES[quantity].over == "max" else sum(values)

    def values(self) -> dict[str, float]:
        """Return all quantities that are there."""
        found = {quantity: self.value(quantity) for quantity in QUANTITIES}
        return {quantity: value for quantity, value in found.items() if value is not None}


def scrape(text: str) -> Scrape:
    """Return what a page of /metrics says. A line that is broken, or not a finite number, is left out and counted."""
    series: dict[str, Series] = {}
    broken = 0
    for line in text.splitlines():
        found = _NAME.match(line)
        if found is None or found[0] not in _KNOWN:
            continue
        sample = _sample(line)
        if sample is None:
            broken += 1
        else:
            labels, value = sample
            series.setdefault(found[0], {})[labels] = value
    return Scrape(series, broken)


def pool(text: str) -> dict[str, float]:
    """Return tokens of a block and blocks of the KV pool, as vLLM's ``cache_config_info`` has them among its labels."""
    found = {name: pattern.search(text) for name, pattern in _POOL.items()}
    return {name: float(said[1]) for name, said in found.items() if said is not None}


def _sample(line: str) -> tuple[tuple[tuple[str, str], ...], float] | None:
    if len(line) > LONGEST_LINE:
        return None
    try:
        families = import_module(PARSER).text_string_to_metric_families(line + "\n")
        samples = [sample for family in families for sample in family.samples]
        value = float(samples[0].value)
    except (ValueError, IndexError, TypeError, KeyError, OverflowError):
        return None
    return (tuple(sorted(samples[0].labels.items())), value) if math.isfinite(value) else None


@dataclass(frozen=True, slots=True)
class Growth:
    """By how much a counter grew between two scrapes, or why that cannot be known."""

    amount: float | None
    reason: str = ""


def growth(before: Scrape, after: Scrape) -> dict[str, Growth]:
    """Return by how much each counter grew, counters that are in neither scrape left out.

    A counter that fell was reset: the server was started anew between the scrapes, and then no counter of that page
    tells what happened, not even one that has passed its old value again. A series that is new began at 0.
    """
    counters = [name for name, quantity in QUANTITIES.items() if quantity.counter]
    restarted = _restarted(before, after, counters)
    named = [name for name in counters if before.of(name) or after.of(name)]
    return {name: Growth(None, restarted) if restarted else _grown(before.of(name), after.of(name)) for name in named}


def _restarted(before: Scrape, after: Scrape, counters: list[str]) -> str:
    began, begins = before.value("started"), after.value("started")
    if began is not None and begins is not None and abs(begins - began) > 1:
        return "the server was restarted"
    for name in counters:
        earlier, later = before.of(name), after.of(name)
        if any(later[labels] < value for labels, value in earlier.items() if labels in later):
            return f"{name} fell: the server was restarted"
    return ""


def _grown(before: Series, after: Series) -> Growth:
    if not after:
        return Growth(None, "not there after")
    if not before:
        return Growth(None, "not there before")
    if gone := before.keys() - after.keys():
        return Growth(None, f"{len(gone)} of its series not there after")
    return Growth(sum(value - before.get(labels, 0.0) for labels, value in after.items()))
