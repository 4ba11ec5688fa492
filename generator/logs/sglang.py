"""SGLang's log, 0.2 to 0.5.23: what its start, its batches and its failures say.

A batch is told of as ``key: value`` pairs, some of which come and go with the version, the kind of cache and what
is in use. Prefills are logged one by one, decoding once in many steps. What it calls GB is GiB.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from generator.logs.facts import Compute, among, count, last, most, total
from generator.logs.starts import (
    ANSWERED,
    GIB,
    WORKERS,
    answer,
    at_least,
    first_told,
    kind,
    later,
    of_last_start,
    of_one_engine,
    of_one_worker,
    says,
    scaled,
    share_above_zero,
    total_of_all,
    where_so,
)
from generator.runs.log_events import EventKind, Events, LogFact, Told

# `[2026-01-05 10:00:00] INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK`, with milliseconds and
# ranks in the brackets at times. /generate does not count: the server warms itself up through it.
ACCESS: Final = re.compile(rb"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^\]\n]{0,40}\] " + ANSWERED)

# Models with a sliding window have two caches, full and SWA; a hierarchical one stands on the GPU and the host.
_BATCH: Final = b"".join(
    [
        rb"batch(?: \[(?P<iteration>\d{1,15})\])?(?=[.,(])",
        later(rb"#running-req: ", "running"),
        later(rb"#queue-req: ", "waiting"),
        later(rb"[.,] (?:full |gpu )?token usage: ", "kv_usage"),
        later(rb", swa token usage: ", "swa_usage"),
        later(rb", mamba usage: ", "mamba_usage"),
    ]
)
_ARGUMENTS: Final = b"".join(
    [
        later(rb", tp_size=", "tensor", within=16_000),
        later(rb", pp_size=", "pipeline", within=16_000),
        later(rb", dp_size=", "data", within=16_000),
        later(rb", random_seed=", "seed", within=16_000),
        later(rb", dtype='", "dtype_text", rb"[\w.]{1,40}", within=16_000),
        later(rb", quantization='", "quantization_text", rb"[\w.-]{1,40}", within=16_000),
        later(rb", disable_cuda_graph=", "graphs_off_text", rb"True|False", within=16_000),
        later(rb", disable_radix_cache=", "cache_off_text", rb"True|False", within=16_000),
    ]
)
_PREFILL: Final = b"".join(
    [
        later(rb"#cached-token: ", "cached"),
        later(rb"cache hit rate: ", "prefix_hits"),
        later(rb"input throughput \(token/s\): ", "prompt_throughput"),
    ]
)
_DECODE: Final = later(rb"gen throughput \(token/s\): ", "generation_throughput") + later(
    rb", accept len: ", "accepted_length"
)
_COMPUTED: Final = rb"(?=[^\n]{0,200}?#new-token: (?P<computed>\d{1,15}))"
_EARLY_FIELDS: Final = later(rb"#new-token: ", "computed") + _PREFILL + _DECODE
_CACHE: Final = b"".join(
    [later(rb", K size: ", "k_gib"), later(rb", V size: ", "v_gib"), later(rb", KV size: ", "gib")]
)
_POOL: Final = rb"max_total_num_tokens=(?P<tokens>\d{1,15}), " + later(rb", context_len=", "context")
_RETRACTED: Final = rb"#retracted_reqs: (?P<requests>\d{1,15})"
# Until 0.3: the graphics card, or the time of day and the rank.
_EARLY: Final = rb"\[(?:gpu_id=\d{1,4}|\d\d:\d\d:\d\d(?: [A-Z]{2}\d{1,4}){0,3})\] "


_SERVING: Final = (
    EventKind("launch", ACCESS),
    kind("stats", rb"Prefill " + _BATCH + _COMPUTED + _PREFILL),
    kind("stats", rb"Decode " + _BATCH + rb"(?=[^\n]{0,200}?#running-req: )" + _DECODE),
    kind("stats", _EARLY + rb"(?:Decode |Prefill (?=[^\n]{0,200}?#new-token))" + _BATCH + _EARLY_FIELDS),
    kind("graph_used", rb"Decode batch[^\n]{0,500}? graph: True\b"),
    kind("graph_unused", rb"Decode batch[^\n]{0,500}? graph: False\b"),
    kind(
        "retracted",
        rb"KV cache pool is full\. Retract requests\. " + _RETRACTED + later(rb"#aborted_reqs: ", "aborted"),
    ),
    kind("retracted", rb"Decode out of memory happened\. " + _RETRACTED),
    kind("retracted", rb"decode out of memory happened, " + _RETRACTED),
    kind("retracted", _EARLY + rb"Decode out of memory happened\. " + _RETRACTED),
    kind("cancel", rb"ValueError: Request is disconnected from the client side"),
)
_STARTING: Final = (
    kind("arguments", rb"server_args=ServerArgs\(" + _ARGUMENTS),
    kind("weights", rb"Load weight end\." + later(rb"elapsed=", "seconds") + later(rb", mem usage=", "gib")),
    *(kind("kv_memory", cache + rb"KV Cache is allocated\." + _CACHE) for cache in (b"", b"Full ", b"SWA ")),
    kind("kv_memory", rb"Post-capture KV sizing: (?:draft )?KV cache allocated\." + _CACHE),
    kind(
        "graphs",
        rb"Capture [\w -]{1,40} [Gg]raph end\."
        + later(rb" (?:elapsed=|Time elapsed: )", "seconds", within=4_000)
        + later(rb" mem usage=", "gib", within=4_000),
    ),
    kind("eager", rb"Disabl(?:e|ing) (?:cuda|CUDA) graph"),
    kind("pool", _POOL),
    kind("pool", _EARLY + _POOL),
    kind("ready", rb"The server is fired up and ready to roll!"),
)
_PROCESSES: Final = (
    b"Scheduler",
    b"TpModelWorkerClient",
    b"TokenizerManager",
    b"DetokenizerManager",
    b"DataParallelController",
)
_FAILING: Final = (
    *(kind("error", process + rb" hit an exception: ") for process in _PROCESSES),
    kind("error", rb"Prefill out of memory\. (?:Try to lower|This should never happen)"),
    kind("error", rb"Decode out of memory\. (?:Try to lower|This should never happen)"),
    kind("error", rb"torch\.(?:cuda\.)?OutOfMemoryError: "),
    kind("error", rb"RuntimeError: Not enough memory\. Please try to increase"),
    kind("error", rb"ValueError: Not enough memory\. Please try to increase"),
    kind("error", rb"SIGQUIT received\. "),
    kind("error", rb"Received sigquit from a child process"),
)
EVENTS: Final = (*_SERVING, *_STARTING, *_FAILING)


def larger(one: Compute, other: Compute) -> Compute:
    """Return that of two facts whose value is larger; the one that is known, where one is."""

    def largest(events: Events) -> Told | None:
        known = [told for told in (one(events), other(events)) if told is not None]
        return max(known, key=lambda told: told.value, default=None)

    return largest


def pool_bytes(events: Events) -> Told | None:
    """Return the memory of all KV caches, of keys and values apart or together; None where one does not say."""
    table = events["kv_memory"]
    parts = np.column_stack([table.columns[name] for name in ("k_gib", "v_gib", "gib")])
    if not len(table) or np.isnan(parts).all(axis=1).any():
        return None
    return Told(float(np.nansum(parts)) * GIB, table.lines)


def _started(compute: Compute) -> Compute:
    return of_last_start("arguments", compute)


def _one_worker(compute: Compute) -> Compute:
    return of_one_worker("arguments", WORKERS, compute)


_GRAPHS_OFF: Final = first_told(
    answer(count("eager"), 1.0),
    where_so(says("arguments", "graphs_off_text", "True")),
    answer(count("graph_used"), 0.0),
    answer(count("graph_unused"), 1.0),
    answer(count("graphs"), 0.0),
)
FACTS: Final = (
    LogFact("launches", "1", count("launch")),
    LogFact("error_answers", "1", at_least("launch", "status", 400)),
    LogFact("cancelled", "1", count("cancel")),
    LogFact("engine_errors", "1", among("error", "launch")),
    LogFact("stats_lines", "1", count("stats")),
    LogFact("running_most", "1", most("stats", "running")),
    LogFact("waiting_most", "1", most("stats", "waiting")),
    LogFact("waiting_share", "ratio", share_above_zero("stats", "waiting")),
    LogFact("kv_usage_most", "ratio", larger(most("stats", "kv_usage"), most("stats", "swa_usage"))),
    LogFact("generation_throughput_most", "tok/s", most("stats", "generation_throughput")),
    LogFact("prompt_tokens_computed", "tok", total("stats", "computed")),
    LogFact("cached_tokens", "tok", total("stats", "cached")),
    LogFact("retracted", "1", total("retracted", "requests")),
    LogFact("weights_bytes", "B", _one_worker(scaled(total_of_all("weights", "gib"), GIB)), lasting=True),
    LogFact("weights_seconds", "s", _one_worker(total_of_all("weights", "seconds")), lasting=True),
    LogFact("graph_capture_seconds", "s", _one_worker(total_of_all("graphs", "seconds")), lasting=True),
    LogFact("graph_capture_bytes", "B", _one_worker(scaled(total_of_all("graphs", "gib"), GIB)), lasting=True),
    LogFact("graphs_off", "1", _started(_GRAPHS_OFF), lasting=True),
    LogFact("kv_pool_bytes", "B", _one_worker(pool_bytes), lasting=True),
    LogFact("kv_pool_tokens", "tok", of_one_engine("arguments", "data", last("pool", "tokens")), lasting=True),
    LogFact("context_length", "tok", _started(last("pool", "context")), lasting=True),
    LogFact("prefix_caching", "1", _started(says("arguments", "cache_off_text", "False")), lasting=True),
    LogFact("engine_seed", "1", _started(last("arguments", "seed")), lasting=True),
)
