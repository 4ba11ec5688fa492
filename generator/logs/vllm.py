"""vLLM's log, 0.4 to 0.33: what its start, its statistics and its failures say.

The engine was rewritten once. V0 (to 0.9) counts from its start on and prints every 5 s; V1 (since 0.8) counts anew for
each line, prints every 10 s, and nothing where nothing ran. What it calls GB is GiB.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.logs.facts import Compute, among, count, known, last, most, total
from generator.logs.stages import added, between, clock_of, last_event, less
from generator.logs.starts import (
    ANSWERED,
    GIB,
    NUMBER,
    WORKERS,
    answer,
    at_least,
    first_told,
    kind,
    later,
    of_last_start,
    of_one_engine,
    of_one_worker,
    percent,
    says,
    scaled,
    share_above_zero,
    where_so,
)
from generator.runs.log_events import EventKind, Events, LogFact, Told

# `INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK`.
ACCESS: Final = re.compile(ANSWERED)

# Fields come and go with what is in use and with the version, in between the others; the name of the device stood
# for any device until 0.33. V0 has the usage of the host's KV cache behind that of the device's.
_FIELDS: Final = b"".join(
    [
        later(rb"generation throughput: ", "generation_throughput"),
        later(rb"Running: ", "running"),
        later(rb"(?:Waiting|Pending): ", "waiting"),
        later(rb"Swapped: ", "swapped"),
        later(rb"Deferred: ", "deferred"),
        later(rb"Preemptions: ", "preemptions"),
        later(rb"Corrupted: ", "corrupted"),
        later(rb" KV cache usage: ", "kv_usage"),
        later(rb", Prefix cache hit rate: ", "prefix_hits"),
        later(rb"External prefix cache hit rate: ", "external_hits"),
        later(rb"MM cache hit rate: ", "mm_hits"),
    ]
)
_STATS: Final = rb"Avg prompt throughput: (?P<prompt_throughput>%b) tokens/s" % NUMBER + _FIELDS
_SETTINGS: Final = b"".join(
    [
        later(rb", dtype=", "dtype_text", rb"[\w.]{1,40}", within=2000),
        later(rb", max_seq_len=", "context", within=2000),
        later(rb", quantization=", "quantization_text", rb"[\w.-]{1,40}", within=2000),
        later(rb", enforce_eager=", "eager_text", rb"True|False", within=2000),
        later(rb", enable_prefix_caching=", "prefix_caching_text", rb"True|False", within=3000),
        later(rb", seed=", "seed", within=3000),
        later(rb", tensor_parallel_size=", "tensor", within=2000),
        later(rb", pipeline_parallel_size=", "pipeline", within=2000),
        later(rb", data_parallel_size=", "data", within=2000),
    ]
)


_SERVING: Final = (
    EventKind("launch", ACCESS),
    kind("stats", _STATS),
    kind("stats", rb"Engine (?P<engine>\d{1,6}): " + _STATS),
    kind("stats", rb"(?P<engines>\d{1,6}) Engines Aggregated: " + _STATS),
    kind("prefix_hits", rb"Prefix cache hit rate: GPU: (?:-[\d.]{1,9}|(?P<prefix_hits>%b))%%" % NUMBER),
    kind(
        "preempted",
        rb"Sequence group [^\n]{1,200}? is preempted by "
        rb"[^\n]{0,400}?total_num_cumulative_preemption=(?P<so_far>\d{1,15})",
    ),
    kind("draft", rb"SpecDecoding metrics: " + later(rb"Accepted: ", "accepted") + later(rb"Drafted: ", "drafted")),
    kind(
        "draft_v0",
        rb"Speculative metrics: "
        + later(rb"Number of accepted tokens: ", "accepted")
        + later(rb"Number of draft tokens(?: tokens)?: ", "drafted"),
    ),
    kind("cancel", rb"Aborted request(?:\(s\))? \S"),
)
_STARTING: Final = (
    kind("version", rb"vLLM (?:API )?server version (?P<version_text>[^\s,]{1,60})"),
    kind(
        "config",
        rb"Initializing an? (?:V[01] )?LLM engine \(v(?P<version_text>[^)\s]{1,60})\) with config: " + _SETTINGS,
    ),
    kind("weights", rb"Loading model weights took (?P<gib>%b) GB" % NUMBER),
    kind(
        "weights",
        rb"Model loading took (?P<gib>%b) Gi?B(?: memory)?(?: and (?P<seconds>%b) seconds)?" % (NUMBER, NUMBER),
    ),
    kind("weights_read", rb"Loading weights took (?P<seconds>%b) seconds" % NUMBER),
    kind("compiled", rb"torch\.compile (?:takes|took) (?P<seconds>%b) s in total" % NUMBER),
    kind("graphs", rb"Graph capturing finished in (?P<seconds>%b) secs?(?:, took (?P<gib>%b) GiB)?" % (NUMBER, NUMBER)),
    kind("eager", rb"Cudagraph is disabled under eager mode"),
    kind("eager", rb"Enforce eager set, disabling torch\.compile"),
    kind(
        "kv_memory",
        rb"model weights take %b ?GiB;[^\n]{0,300}?reserved for KV Cache is (?P<gib>%b) ?GiB" % (NUMBER, NUMBER),
    ),
    kind("kv_memory", rb"Available KV cache memory: (?P<gib>%b) GiB" % NUMBER),
    kind("kv_memory", rb"(?:Explicitly|Auto) set \((?P<gib>%b)/%b\) GiB for KV cache" % (NUMBER, NUMBER)),
    kind(
        "kv_override", rb"Overriding num_gpu_blocks=(?P<had>\d{1,15}) with num_gpu_blocks_override=(?P<blocks>\d{1,15})"
    ),
    kind("kv_blocks", rb"# [A-Za-z]{2,8} blocks: (?P<blocks>\d{1,15}), # CPU blocks: (?P<host_blocks>\d{1,15})"),
    kind("kv_tokens", rb"[A-Z][A-Za-z]{1,7} KV cache size: (?P<tokens>\d[\d,]{0,20}) tokens"),
    kind(
        "concurrency",
        rb"Maximum concurrency for (?P<length>\d[\d,]{0,20}) tokens per request: (?P<times>%b)x" % NUMBER,
    ),
    kind("load_begun", rb"Starting to load model \S"),
    kind("compile_begun", rb"Warming up model for the compilation"),
    kind("profiled", rb"(?:\[\w{1,40}\] )?Initial profiling/warmup run took (?P<seconds>%b) s" % NUMBER),
    kind("ready", rb"INFO: {1,9}Application startup complete"),
    kind("initialised", rb"init engine \([^)\n]{1,80}\) took (?P<seconds>%b) s" % NUMBER),
)
_FAILING: Final = (
    kind("error", rb"EngineCore (?:encountered a fatal error|failed to start|hit an exception)"),
    kind("error", rb"WorkerProc (?:hit an exception|failed to start)"),
    kind("error", rb"Worker proc [\w-]{1,60} died unexpectedly"),
    kind("error", rb"RuntimeError: Engine (?:core initialization failed|process failed to start|loop has died)"),
    kind("error", rb"vllm\.[\w.]{1,80}EngineDeadError: "),
    kind("error", rb"torch\.(?:cuda\.)?OutOfMemoryError: "),
    kind(
        "error",
        rb"ValueError: (?:No available memory for the cache|The model's max seq len|To serve at least one request)",
    ),
    kind(
        "error",
        rb"Value(?:Error:| error,) User-specified max_model_len \((?P<context>\d{1,15})\) is greater than",
    ),
    kind("ending", rb"\[shutdown\] API server: shutdown triggered"),
)
EVENTS: Final = (*_SERVING, *_STARTING, *_FAILING)

PRINTED_TO: Final = 0.01
"""The step in which vLLM prints for how many requests of full length there is room."""


def preemptions_at_least(events: Events) -> Told | None:
    """Return how many preemptions V0 had logged: it warns of the 1st, the 51st, the 101st… since its start.

    The number of each start's last warning is a lower bound, by up to 49; those of several starts are added.
    """
    so_far, lines = known(events["preempted"], "so_far")
    if not len(so_far):
        return None
    is_last = np.append(np.diff(so_far) <= 0, True)
    return Told(float(so_far[is_last].sum()), lines[is_last])


def kv_pool_tokens(events: Events) -> Told | None:
    """Return the tokens that fit into the KV cache of an engine, as V1 prints them: once a worker at first.

    The smallest counts: all workers hold the same tokens.
    """
    sizes, lines = known(events["kv_tokens"], "tokens")
    return Told(float(sizes.min()), lines[sizes == sizes.min()]) if len(sizes) else None


def kv_pool_tokens_v0(events: Events) -> Told | None:
    """Return blocks × block size, the block size from concurrency × length ÷ blocks: V0 prints these only."""
    blocks, room = events["kv_blocks"], events["concurrency"]
    if not len(blocks) or not len(room):
        return None
    number, length, times = blocks.columns["blocks"][-1], room.columns["length"][-1], room.columns["times"][-1]
    size = np.round(times * length / number) if number else np.nan
    if not (size > 0 and abs(size * number / length - times) <= PRINTED_TO):
        return None
    return Told(float(number * size), np.concatenate([blocks.lines[-1:], room.lines[-1:]]))


def kv_pool_bytes(events: Events) -> Told | None:
    """Return what the KV pool takes, where one process holds it all.

    Blocks that were set by hand replace those that fit into the memory told: the pool has that share of it.
    """
    memory, blocks = last("kv_memory", "gib")(events), events["kv_override"]
    if memory is None or not len(blocks):
        return memory
    had, has = blocks.columns["had"][-1], blocks.columns["blocks"][-1]
    return Told(memory.value * has / had, np.append(memory.lines, blocks.lines[-1])) if had else None


def engine_errors(events: Events) -> Told | None:
    """Return the errors of a server that was not being stopped: then the end of one process fails the others."""
    errors = events["error"]
    begun, ending = (_last_before(events[mark].lines, errors.lines) for mark in ("config", "ending"))
    return among("error", "launch")({**events, "error": errors.rows(ending <= begun)})


def _last_before(marks: NDArray[np.int64], lines: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the last mark before each line; 0 where there is none."""
    return np.append(0, marks)[np.searchsorted(marks, lines)]


def prefix_hits(pick: Callable[[str, str], Compute]) -> Compute:
    """Return a share of prompt tokens found in the prefix cache: V1's over its last requests, V0's since its start."""
    return percent(first_told(pick("stats", "prefix_hits"), pick("prefix_hits", "prefix_hits")))


def _started(compute: Compute) -> Compute:
    return of_last_start("config", compute)


def _one_worker(compute: Compute) -> Compute:
    return of_one_worker("config", WORKERS, compute)


_GRAPHS_OFF: Final = first_told(
    answer(count("eager"), 1.0), answer(count("graphs"), 0.0), where_so(says("config", "eager_text", "True"))
)
# On a CPU there is no line of the model as a whole.
_WEIGHTS_SECONDS: Final = first_told(total("weights", "seconds"), total("weights_read", "seconds"))
_COMPILE: Final = first_told(
    total("compiled", "seconds"),
    # On a CPU it is part of the first run, which is told of as it ends.
    less(between(last_event("compile_begun"), last_event("profiled")), last("profiled", "seconds")),
)
_GRAPHS: Final = total("graphs", "seconds")
STAGES: Final = {
    name: _one_worker(stage)
    for name, stage in {
        "stage_engine": between(last_event("config"), last_event("load_begun")),
        "stage_weights": _WEIGHTS_SECONDS,
        "stage_compile": _COMPILE,
        "stage_graphs": _GRAPHS,
        "stage_setup": less(last("initialised", "seconds"), _COMPILE, _GRAPHS),
    }.items()
}
"""The stages of a start that do not overlap. What is left of `init engine` without compiling and graphs is profiling,
the KV pool and the warm-up."""
FACTS: Final = (
    LogFact("launches", "1", count("launch")),
    LogFact("error_answers", "1", at_least("launch", "status", 400)),
    LogFact("cancelled", "1", count("cancel")),
    LogFact("engine_errors", "1", engine_errors),
    LogFact("stats_lines", "1", count("stats")),
    LogFact("running_most", "1", most("stats", "running")),
    LogFact("waiting_most", "1", most("stats", "waiting")),
    LogFact("waiting_share", "ratio", share_above_zero("stats", "waiting")),
    LogFact("kv_usage_most", "ratio", percent(most("stats", "kv_usage"))),
    LogFact("prompt_throughput_most", "tok/s", most("stats", "prompt_throughput")),
    LogFact("generation_throughput_most", "tok/s", most("stats", "generation_throughput")),
    LogFact("prefix_hit_ratio_last", "ratio", prefix_hits(last)),
    LogFact("prefix_hit_ratio_most", "ratio", prefix_hits(most)),
    LogFact("preemptions", "1", total("stats", "preemptions")),
    LogFact("preemptions_at_least", "1", preemptions_at_least),
    LogFact("draft_tokens", "tok", first_told(total("draft", "drafted"), _started(last("draft_v0", "drafted")))),
    LogFact("draft_accepted", "tok", first_told(total("draft", "accepted"), _started(last("draft_v0", "accepted")))),
    LogFact("weights_bytes", "B", _one_worker(scaled(total("weights", "gib"), GIB)), lasting=True),
    LogFact("weights_seconds", "s", _one_worker(_WEIGHTS_SECONDS), lasting=True),
    LogFact("compile_seconds", "s", _one_worker(total("compiled", "seconds")), lasting=True),
    LogFact("graph_capture_seconds", "s", _one_worker(total("graphs", "seconds")), lasting=True),
    LogFact("graph_capture_bytes", "B", _one_worker(scaled(total("graphs", "gib"), GIB)), lasting=True),
    LogFact("graphs_off", "1", _started(_GRAPHS_OFF), lasting=True),
    LogFact("kv_pool_bytes", "B", _one_worker(scaled(kv_pool_bytes, GIB)), lasting=True),
    LogFact(
        "kv_pool_tokens",
        "tok",
        of_one_engine("config", "data", first_told(kv_pool_tokens, kv_pool_tokens_v0)),
        lasting=True,
    ),
    LogFact("start_seconds", "s", _started(last("initialised", "seconds")), lasting=True),
    LogFact("context_length", "tok", _started(last("config", "context")), lasting=True),
    LogFact("prefix_caching", "1", _started(says("config", "prefix_caching_text", "True")), lasting=True),
    LogFact("engine_seed", "1", _started(last("config", "seed")), lasting=True),
    LogFact("start_clock", "s", clock_of(last_event("config")), lasting=True),
    LogFact("ready_clock", "s", clock_of(last_event("ready")), lasting=True),
    *(LogFact(name, "s", compute, lasting=True) for name, compute in STAGES.items()),
    LogFact("stages_told", "s", added(STAGES.values()), lasting=True),
)
