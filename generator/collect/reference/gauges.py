"""Gauges and counters in Prometheus's text format, under the names of the server that is imitated."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final

from generator.collect.reference.model import NANO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.collect.reference.histograms import Histogram, Times
    from generator.collect.reference.pacing import Lateness
    from generator.collect.reference.scheduler import Engine
    from generator.collect.reference.settings import Style

Sample = tuple[str, str, str, float, str]
"""Name, type, help, value and labels in braces; a histogram's is called like the family, with a suffix."""

SUFFIX: Final = re.compile("_(?:bucket|sum|count)$")

STARTED: Final = time.time()


def exposition(style: Style, engine: Engine, lateness: Lateness) -> str:
    """Return the page that /metrics answers."""
    samples = [*(_vllm(engine) if style == "vllm" else _llama(engine)), *_own(lateness), *_process()]
    lines: list[str] = []
    described = ""
    for name, kind, meaning, value, labels in samples:
        family = SUFFIX.sub("", name) if kind == "histogram" else name
        if family != described:
            lines += [f"# HELP {family} {meaning}", f"# TYPE {family} {kind}"]
            described = family
        lines.append(f"{name}{labels} {value!r}")
    return "\n".join(lines) + "\n"


def _vllm(engine: Engine) -> Iterator[Sample]:
    totals, pool = engine.totals, engine.pool
    base = f'engine="0",model_name="{engine.machine.name}"'
    labels = "{" + base + "}"
    used = pool.used / pool.blocks
    yield "vllm:num_requests_running", "gauge", "Requests in the batch.", float(len(engine.running)), labels
    yield "vllm:num_requests_waiting", "gauge", "Requests in the queue.", float(len(engine.waiting)), labels
    yield "vllm:kv_cache_usage_perc", "gauge", "Share of KV blocks set aside; 1 means all.", used, labels
    yield "vllm:num_preemptions_total", "counter", "Preemptions.", float(totals.preemptions), labels
    yield "vllm:prompt_tokens_total", "counter", "Prompt tokens processed.", float(totals.prompt_tokens), labels
    yield "vllm:generation_tokens_total", "counter", "Tokens generated.", float(totals.generated), labels
    for reason, count in (("stop", 0), ("length", totals.completed), ("abort", totals.cancelled)):
        ended = "{" + base + f',finished_reason="{reason}"' + "}"
        yield "vllm:request_success_total", "counter", "Requests ended, by reason.", float(count), ended
    yield "vllm:cache_config_info", "gauge", "The KV pool.", 1.0, _pool(engine, base)
    for name, meaning, histogram in _times(engine.times):
        yield from _histogram(name, meaning, histogram, base)


def _pool(engine: Engine, base: str) -> str:
    machine = engine.machine
    size = f'block_size="{machine.block_tokens}",num_gpu_blocks="{machine.kv_blocks}"'
    return "{" + f'{base},{size},enable_prefix_caching="False"' + "}"


def _times(times: Times) -> Iterator[tuple[str, str, Histogram]]:
    yield "vllm:time_to_first_token_seconds", "From arrival to first token.", times.first_token
    yield "vllm:e2e_request_latency_seconds", "From arrival to last token.", times.whole
    yield "vllm:request_queue_time_seconds", "From arrival until taken up.", times.queue
    yield "vllm:request_prefill_time_seconds", "From there to the first token.", times.prefill
    yield "vllm:request_decode_time_seconds", "From first to last token.", times.decode


def _histogram(name: str, meaning: str, histogram: Histogram, base: str) -> Iterator[Sample]:
    labels = "{" + base + "}"
    for bound, count in histogram.below():
        yield f"{name}_bucket", "histogram", meaning, float(count), "{" + f'{base},le="{bound}"' + "}"
    yield f"{name}_sum", "histogram", meaning, histogram.sum / NANO, labels
    yield f"{name}_count", "histogram", meaning, float(histogram.count), labels


def _llama(engine: Engine) -> Iterator[Sample]:
    totals = engine.totals
    prompt, decode = totals.prompt_time / 1e9, totals.decode_time / 1e9
    busy = totals.batched / totals.steps if totals.steps else 0
    yield "llamacpp:prompt_tokens_total", "counter", "Prompt tokens processed.", totals.prompt_tokens, ""
    yield "llamacpp:prompt_tokens_cached_total", "counter", "Prompt tokens reused; there is no cache.", 0, ""
    yield "llamacpp:prompt_seconds_total", "counter", "Time from admission to first token.", prompt, ""
    yield "llamacpp:tokens_predicted_total", "counter", "Tokens generated.", totals.generated, ""
    yield "llamacpp:tokens_predicted_seconds_total", "counter", "Time from first to last token.", decode, ""
    yield "llamacpp:n_decode_total", "counter", "Steps.", totals.steps, ""
    yield "llamacpp:n_tokens_max", "counter", "Tokens of the longest sequence.", totals.longest, ""
    yield "llamacpp:prompt_tokens_seconds", "gauge", "Prompt tokens a second.", _ratio(totals.prompt_tokens, prompt), ""
    yield "llamacpp:predicted_tokens_seconds", "gauge", "Tokens a second.", _ratio(totals.generated, decode), ""
    yield "llamacpp:requests_processing", "gauge", "Requests in slots.", len(engine.running), ""
    yield "llamacpp:requests_deferred", "gauge", "Requests in the queue.", len(engine.waiting), ""
    yield "llamacpp:n_busy_slots_per_decode", "gauge", "Slots in use, on average over steps.", busy, ""


def _own(lateness: Lateness) -> Iterator[Sample]:
    late = "Time by which steps ended after their schedule."
    yield "reference:steps_total", "counter", "Steps ended.", lateness.count, ""
    yield "reference:step_lateness_seconds_total", "counter", late, lateness.total / 1e9, ""
    yield "reference:step_lateness_seconds_max", "gauge", "The worst of them.", lateness.worst / 1e9, ""
    yield "reference:schedule_slips_total", "counter", "Times that the schedule was given up.", lateness.slips, ""


def _process() -> Iterator[Sample]:
    yield "process_cpu_seconds_total", "counter", "CPU time of this process.", time.process_time(), ""
    yield "process_start_time_seconds", "gauge", "Start of this process, Unix time.", STARTED, ""


def _ratio(tokens: int, seconds: float) -> float:
    return tokens / seconds if seconds else 0.0
