"""What a file is that is no result of `vllm bench serve`, as far as it can be told."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from generator.errors import InputError, quote

NO_RESULT: Final = "holds no result of `vllm bench serve`"
REMEDY: Final = "import the file that `vllm bench serve --save-result` writes, or its printed table"
MOST_NAMES: Final = 4
"""Names of entries that are repeated where nothing better can be said."""

SGLANG: Final = frozenset({"total_output_tokens_retokenized", "mean_e2e_latency_ms", "sharegpt_output_len"})
"""Entries of the one client whose results have the same names for duration and completed requests."""

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
        ({"build_commit", "avg_ts"}, "a result of llama-bench"),
        ({"aggregated_metrics"}, "a result of genai-bench"),
        ({"benchmarks"}, "a result of GuideLLM or llama-benchy"),
        ({"load_summary", "successes"}, "a result of inference-perf"),
        ({"request_latency", "input_config"}, "a result of AIPerf"),
        ({"hw", "tput_per_gpu"}, "a result of InferenceX"),
    )
)
"""Entries that together tell what a JSON object is."""

GPU_WORDS: Final = re.compile(r"^(?:power|temp|sm_mhz|gpu_util|mem(?:ory)?_used|utilization)", re.IGNORECASE)
METRICS_NAME: Final = re.compile(r"\{.*\}$|^(?:vllm:|python_gc|process_)")

TEXT_LOOKS: Final = (
    (re.compile(r"^# (?:HELP|TYPE) ", re.MULTILINE), "the metrics page of a server"),
    (re.compile(r"APIServer pid|EngineCore|\[api_server\.py|Uvicorn running"), "the log of a server"),
    (re.compile(r"\A(?=[^\n]*,)[^\n]*(?:power|temp|gpu_util|mem_used)", re.IGNORECASE), "GPU samples as CSV"),
    (re.compile(r"\A(?:[^\n,]+,){2,}[^\n]*\n"), "a table of comma-separated values"),
    (re.compile(r"Starting main benchmark run|bench_type='serve'"), "a log of the client that ends before its table"),
)
PACKED: Final = (b"\x1f\x8b", b"PK\x03\x04", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ")


def no_result(file: str, place: str, names: Iterable[str], missing: Iterable[str]) -> InputError:
    """Return what to say of a JSON object that is no result: what is missing, and what it looks like.

    Args:
        file: how error lines call the file.
        place: which object of it.
        names: the names of the object's entries.
        missing: what a result would have to have.
    """
    lacking = " and ".join(f"`{name}`" for name in missing)
    are = "are" if " and " in lacking else "is"
    return InputError(file, place, f"{NO_RESULT}: {lacking} {are} missing; {_look(list(names))}", REMEDY)


def of_sglang(file: str, place: str) -> InputError:
    """Return what to say of a result of the client that names several things as vLLM's does."""
    problem = f"{NO_RESULT}: it is a result of SGLang's bench_serving, which means other things by some of the names"
    return InputError(file, place, problem, REMEDY)


def no_table(file: str, head: bytes) -> InputError:
    """Return what to say of a file that is neither JSON nor holds a printed table; ``head`` is how it begins."""
    if not head.strip():
        return InputError(file, "", "is empty", REMEDY)
    if head.startswith(PACKED):
        return InputError(file, "", "is compressed", "unpack it first")
    if b"\0" in head:
        return InputError(file, "", f"{NO_RESULT}: it is neither text nor JSON", REMEDY)
    text = head.decode("utf-8", "replace")
    look = next((f"it looks like {look}" for pattern, look in TEXT_LOOKS if pattern.search(text)), None)
    problem = f"{NO_RESULT}: {look or 'it is neither JSON nor has a printed table'}"
    return InputError(file, "", problem, REMEDY)


def _look(names: list[str]) -> str:
    if any(METRICS_NAME.search(name) for name in names):
        return "it looks like the metrics of a server"
    if any(GPU_WORDS.search(name) for name in names):
        return "it looks like GPU samples"
    found = next((look for wanted, look in LOOKS if wanted <= set(names)), None)
    if found:
        return f"it looks like {found}"
    if not names:
        return "it is an empty object"
    listed = ", ".join(quote(name) for name in names[:MOST_NAMES])
    return f"it has {listed}{' and more' if len(names) > MOST_NAMES else ''}"
