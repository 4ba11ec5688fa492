"""The log of llama.cpp's server, of its forks, and of what starts one, since 2023."""

from __future__ import annotations

import re
from typing import Final

from generator.runs.log_events import EventKind

NUMBER: Final = rb"(?:[\d.,]+|inf|-?nan)"
TIME: Final = rb" time += +(?P<ms>" + NUMBER + rb") ms"
# `id_slot=0 id_task=753` behind the message, or the same as JSON: of the server before September 2024, and of
# ik_llama.cpp.
WHOSE: Final = rb'[^\n]{0,160}?\bid_slot"?[=:] ?(?P<slot>\d+),? ?"?id_task"?[=:] ?(?P<task>\d+)'


def kind(key: str, *patterns: bytes) -> tuple[EventKind, ...]:
    """Return one kind of event, however it was worded over the years."""
    return tuple(EventKind(key, re.compile(pattern)) for pattern in patterns)


# A request that is put into a slot. One for several answers launches a child for each further one.
LAUNCHES: Final = kind(
    "launch",
    rb"launch_slot_: id +\d+ \| task \d+ \| processing task(?:, is_child = (?P<child>\d))?",
    rb"slot is processing task(?:" + WHOSE + rb")?",
    rb"slot (?P<slot>\d+) is processing \[task id: (?P<task>\d+)\]",
)

# In the log of 2024 to 2026 the three lines of a request have no slot and task: those stand in the line before.
TIMINGS: Final = (
    *kind("timing_block", rb"print_timing: id +\d+ \| task \d+ \|[ \r]*$"),
    *kind(
        "prompt_timing",
        rb"prompt eval" + TIME + rb" / +(?P<tokens>\d+) tokens(?:" + WHOSE + rb")?",
    ),
    *kind(
        "decode_timing",
        rb"eval" + TIME + rb" / +(?P<tokens>\d+) (?:tokens|runs)",
        rb"generation eval" + TIME + rb" / +(?P<tokens>\d+) runs(?:" + WHOSE + rb")?",
    ),
    *kind("total_timing", rb"total" + TIME + rb"(?: / +(?P<tokens>\d+) tokens)?"),
    *kind("graphs_reused", rb"graphs reused += +(?P<count>\d+)"),
    *kind(
        "draft",
        rb"draft acceptance(?: rate)? = +"
        + NUMBER
        + rb" \( *(?P<accepted>\d+) accepted / +(?P<drafted>\d+) generated\)",
    ),
)

RELEASES: Final = kind(
    "release",
    rb"stop processing: n_(?:past|tokens) = (?P<tokens>\d+), truncated = (?P<truncated>\d)",
    rb"slot released(?:" + WHOSE + rb'(?:[^\n]{0,80}?\bn_past"?[=:] ?(?P<tokens>\d+))?)?',
    rb"slot (?P<slot>\d+) released \((?P<tokens>\d+) tokens in cache\)",
) + kind("truncated", rb'slot released[^\n]{0,320}?\btruncated"?[=:] ?"?true')

# Said once for each batch of a prompt: the first of a task tells what of it was there already.
CACHES: Final = kind(
    "cache_position",
    rb"cached n_tokens = (?P<cached>\d+), memory_seq_rm \[\d+, end\)",
    rb"n_tokens = (?P<cached>\d+), memory_seq_rm \[\d+, end\)",
    rb"kv cache rm \[(?P<cached>\d+), end\)",
    rb"kv cache rm \[p0, end\)" + WHOSE + rb'[^\n]{0,40}?\bp0"?[=:] ?(?P<cached>\d+)',
    rb"slot (?P<slot>\d+) : kv cache rm - \[(?P<cached>\d+), end\)",
) + kind(
    "similar_slot",
    rb"selected slot by LCP similarity, (?:f_)?sim_best = (?P<similarity>" + NUMBER + rb")",
    rb"selected slot by lcs similarity, lcs_len = \d+, similarity = (?P<similarity>" + NUMBER + rb")",
)

CANCELS: Final = kind("cancel", rb"cancel task, id_task = (?P<task>\d+)")

# What it tries while it fits a model into memory may fail, and the log says so: `failed to initialize the context` and
# `failed to fit params` are no errors. What was sent to a client as an error stands for itself in a line of its own.
ERRORS: Final = kind(
    "error",
    rb"failed to decode the batch",
    rb"failed to launch slot with task",
    rb"failed to load model",
    rb"exiting due to model loading error",
    rb"Context size has been exceeded",
    rb"Invalid input batch",
    rb"Compute error",
    rb"got exception:",
    rb"decode\(\) failed",
    rb"pre_decode\(\) failed",
    rb"post_decode\(\) failed",
    rb"CUDA error",
    rb"GGML_ASSERT\(",
    rb"Fatal error",
) + kind("error_sent", rb"send_error: task id = (?P<task>\d+), error: ")

# Of one decode there are many such lines: it is tried again with smaller batches, and only where the smallest fails is
# it an error, which has a line of its own.
FULL: Final = kind("kv_full", rb"failed to find (?:a memory slot|free space in the KV cache)")

MEBIBYTES: Final = rb" buffer size = +(?P<mib>[\d.,]+) MiB"
STARTS: Final = (
    *kind(
        "slots",
        rb"initializing(?: slots)?, n_slots = (?P<slots>\d+)(?:, n_ctx_slot = (?P<context>\d+))?"
        rb"(?:, kv_unified = '(?P<unified_text>true|false)')?",
        rb'initializing slots[^\n]{0,120}?\bn_slots"?[=:] ?(?P<slots>\d+)',
    ),
    *kind(
        "slot_context",
        rb"new slot,? n_ctx(?:_slot)? = (?P<context>\d+)",
        rb'new slot[^\n]{0,160}?\bn_ctx_slot"?[=:] ?(?P<context>\d+)',
    ),
    *kind("kv_buffer", rb"KV" + MEBIBYTES),
    *kind(
        "kv_cache",
        rb"llama_kv_cache\w*: size = +(?P<mib>[\d.,]+) MiB(?: \( *(?P<cells>\d+) cells)?",
        rb"KV self size += +(?P<mib>[\d.,]+) MiB",
    ),
    *kind("state_buffer", rb"RS" + MEBIBYTES),
    *kind("model_buffer", rb"model" + MEBIBYTES, rb"llm_load_tensors: +[^\s:]{1,60}" + MEBIBYTES),
    *kind("compute_buffer", rb"compute" + MEBIBYTES),
    *kind("output_buffer", rb"output" + MEBIBYTES),
    *kind("offload", rb"offloaded (?P<layers>\d+)/(?P<of>\d+) layers to GPU"),
    *kind(
        "build",
        rb"build: (?P<number>\d+) \((?P<commit_text>\w+)\) with",
        rb"build (?P<number>\d+) \((?P<commit_text>\w+)\) with",
        rb"build_info: b(?P<number>\d+)-(?P<commit_text>\w+)",
        rb'build info[^\n]{0,120}?\bbuild"?[=:] ?(?P<number>\d+),? ?"?commit"?[=:] ?"(?P<commit_text>\w+)"',
    ),
    *kind("ready", rb"server is listening on http", rb"listening on http"),
    *kind("load_begun", rb"loading model '"),
    *kind("fitted", rb"fitting params to free memory took (?P<seconds>[\d.]+) seconds"),
    *kind("threads", rb"llama threadpool init, n_threads = "),
    *kind("warm_up_begun", rb"warming up the model with an empty run"),
    *kind("loaded", rb"model loaded[ \r]*$"),
)

EVENTS: Final = (*LAUNCHES, *TIMINGS, *RELEASES, *CACHES, *CANCELS, *ERRORS, *FULL, *STARTS)
