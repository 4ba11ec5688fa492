"""What a foreign file is that cannot be used, as far as it can be told: programs that are known, and not read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from generator.errors import InputError, quote
from generator.store.files import shown
from generator.store.foreign import number_at
from generator.store.json_stream import read_events
from generator.store.recognition import BEGINS_JSON
from generator.store.unpacking import unpacked_head

MOST_NAMES: Final = 4
"""Names of entries that are repeated where nothing better can be said."""
MOST_EVENTS: Final = 20_000
"""Events of a JSON file in which the names of its entries are looked for."""

TRACE: Final = "a trace of requests to be replayed, not a result"
TRACE_REMEDY: Final = 'put it beside round.toml and name it there, as the load to send: [workload] dataset_file = "…"'

LOOKS: Final[tuple[tuple[frozenset[str], str], ...]] = tuple(
    (frozenset(names), look)
    for names, look in (
        ({"gpus"}, "GPU statistics"),
        ({"latency_ms", "status"}, "a list of requests that another client sent"),
        ({"aborted_at_rps"}, "the summary of a sweep of rates, of which each step has a result of its own"),
        ({"steps"}, "the summary of a sweep, of which each step has a result of its own"),
        ({"server_config"}, "a description of a server, without a measurement"),
        ({"avg_latency", "latencies"}, "a result of `vllm bench latency`, which drives no server"),
        ({"elapsed_time", "tokens_per_second"}, "a result of `vllm bench throughput`, which drives no server"),
        ({"avg_cold_startup_time"}, "a result of `vllm bench startup`, which drives no server"),
        ({"total_output_tokens_retokenized"}, "a result of SGLang's bench_serving"),
        ({"build_commit", "avg_ts"}, "a result of llama-bench"),
        ({"aggregated_metrics"}, "a result of genai-bench"),
        ({"benchmarks", "latency_mode"}, "a result of llama-benchy"),
        ({"benchmarks", "config", "metadata"}, "a result of GuideLLM"),
        ({"benchmarks"}, "a result of GuideLLM or llama-benchy"),
        ({"load_summary", "successes"}, "a result of inference-perf"),
        ({"request_latency", "input_config"}, "a result of AIPerf"),
        ({"service_kind", "experiments"}, "a profile of perf_analyzer"),
        ({"hw", "tput_per_gpu"}, "a result of InferenceX"),
        ({"results_inter_token_latency_s_mean"}, "a summary of llmperf"),
        ({"traceEvents"}, "a trace of a profiler"),
        ({"hash_ids", "input_length"}, TRACE),
        ({"conversations"}, TRACE),
        (
            {"cases", "backend"},
            "single requests of a client of one's own, each with another prompt: no load is behind them",
        ),
        (
            {"total_requests", "total_time", "tokens_per_second"},
            "a result of a client of one's own that gives no units",
        ),
        ({"metrics", "endpoint_url"}, "metrics of a server, as a client saved them"),
        ({"telemetry_data", "gpu_uuid"}, "GPU samples of AIPerf: what was sampled lies beside the runs, as gpu.csv"),
        (
            {"schema_version", "summary", "metrics"},
            "metrics of a server that AIPerf gathered: pages of /metrics lie beside the runs, as metrics-before.prom",
        ),
    )
)
"""Entries that together tell what a JSON object is; the first that fits is named."""

GPU_WORDS: Final = re.compile(r"^(?:power|temp|sm_mhz|gpu_util|mem(?:ory)?_used|utilization)", re.IGNORECASE)
METRICS_NAME: Final = re.compile(r"\{.*\}$|^(?:vllm:|python_gc|process_)")

TEXT_LOOKS: Final = (
    (re.compile(r"^# (?:HELP|TYPE) ", re.MULTILINE), "the metrics page of a server"),
    (
        re.compile(r"APIServer pid|EngineCore|\[api_server\.py|Uvicorn running|srv +\w+:|slot +\w+: id"),
        "the log of a server",
    ),
    (re.compile(r"NVIDIA-SMI \d|==+NVSMI LOG==+"), "what nvidia-smi prints"),
    (re.compile(r"\ATimestamp,User Count,Type,Name,"), "the course of a test of Locust; the totals are in *_stats.csv"),
    (re.compile(r"\ATIMESTAMP,ContextTokens,|\ATimestamp,(?:[^\n]*,)?Request tokens,Response tokens"), TRACE),
    (
        re.compile(r"\A(?=[^\n]*\bLatency,)(?=[^\n]*\bThroughput,)"),
        "a table of results whose columns Latency and Throughput give no unit",
    ),
    (re.compile(r"\A(?=[^\n]*,)[^\n]*(?:power|temp|gpu_util|mem_used)", re.IGNORECASE), "GPU samples as CSV"),
    (re.compile(r"\A(?:[^\n,]+,){2,}[^\n]*\n"), "a table of comma-separated values"),
    (re.compile(r"Starting main benchmark run|bench_type='serve'"), "a log of the client that ends before its table"),
    (re.compile(r"GUIDELLM__|used by GuideLLM"), "what GuideLLM prints: its report has the numbers unrounded"),
    (re.compile(r"^\|[^\n]*\|\s*\n\|[ :|-]+\|", re.MULTILINE), "a table in Markdown"),
)  # fmt: skip


def no_result(file: str, place: str, tool: str, entries: object, missing: Iterable[str], remedy: str) -> InputError:
    """Return what to say of an object that is no result of a tool: what is missing, and what it looks like.

    Args:
        file: how error lines call the file.
        place: which object of it.
        tool: whose result it was taken for.
        entries: the object, or the names of its entries.
        missing: what a result would have to have.
        remedy: what to import instead.
    """
    names = [str(name) for name in entries] if isinstance(entries, Iterable) and not isinstance(entries, str) else []
    lacking = " and ".join(f"`{name}`" for name in missing)
    are = "are" if " and " in lacking else "is"
    look = look_of(names)
    told = "" if tool in look else f"; {look}"  # it was taken for one by that very look
    return InputError(file, place, f"holds no result of {tool}: {lacking} {are} missing{told}", remedy)


def refuse_without(
    document: object, needed: Iterable[str], *, file: str, place: str = "", tool: str, remedy: str
) -> None:
    """Refuse an object that lacks a number which every result of a tool has.

    Args:
        document: the object.
        needed: dotted paths of the numbers.
        file: how error lines call the file.
        place: which object of it.
        tool: whose result it was taken for.
        remedy: what to import instead.

    Raises:
        InputError: one of them is missing: which, and what the object looks like.
    """
    missing = [name for name in needed if number_at(document, name) is None]
    if missing:
        raise no_result(file, place, tool, document, missing, remedy)


def look_of(names: list[str]) -> str:
    """Return what an object with entries of these names looks like; of an unknown one, the names."""
    found = known_look(names)
    if found:
        return f"it looks like {found}"
    if not names:
        return "it is an empty object"
    listed = ", ".join(quote(name) for name in names[:MOST_NAMES])
    return f"it has {listed}{' and more' if len(names) > MOST_NAMES else ''}"


def known_look(names: Iterable[str]) -> str | None:
    """Return what an object with entries of these names is; None where nothing like it is known."""
    there = set(names)
    if any(METRICS_NAME.search(name) for name in there):
        return "the metrics of a server"
    if any(GPU_WORDS.search(name) for name in there):
        return "GPU samples"
    return next((look for wanted, look in LOOKS if wanted <= there), None)


def look_of_text(head: bytes) -> str | None:
    """Return what a text is that begins so; None where nothing like it is known."""
    text = head.decode("utf-8", "replace")
    return next((look for pattern, look in TEXT_LOOKS if pattern.search(text)), None)


def unknown_format(path: Path, importers: Mapping[str, object]) -> InputError:
    """Return what to say of a file that no importer recognises.

    Raises:
        InputError: it cannot be read.
    """
    head = unpacked_head(path)
    if not head.strip():
        return InputError(shown(path), "", "is empty", "name a result file")
    look = _look(path, head)
    formats = ", ".join(importers) if len(importers) <= MOST_NAMES else "docs/importers.md lists them"
    known = f"name a result file, or its format with --format ({formats})"
    return InputError(
        shown(path), "", f"is of no known format; {look}", TRACE_REMEDY if look.endswith(TRACE) else known
    )


def _look(path: Path, head: bytes) -> str:
    if BEGINS_JSON.match(head):
        names = _names(path)
        return look_of(names) if names else "it is JSON without entries"
    if b"\0" in head:
        return "it is neither text nor JSON"
    look = look_of_text(head)
    return f"it looks like {look}" if look else "it is text without a table that is known"


def _names(path: Path) -> list[str]:
    """Return the names of the entries of the first object of a JSON file, as far as they come early."""
    names: dict[str, None] = {}
    depth = 0
    with suppress(InputError):  # whatever comes later may be broken
        for event, value in islice(read_events(path, lambda _: None), MOST_EVENTS):
            depth += (event == "start_map") - (event == "end_map")
            if event == "map_key" and depth == 1:
                names[value] = None
            if event == "end_map" and not depth:
                break
    return list(names)
