"""What one run of one level leaves behind: level.json, requests and chunks, the warm-up apart, its part of the log."""

from __future__ import annotations

import math
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

import pyarrow as pa

from generator.collect.clock import utc
from generator.collect.load import LevelRun
from generator.collect.measures import ClientMeasures, Lag
from generator.collect.outcome import Outcome
from generator.collect.prompts import Plain
from generator.collect.records import to_requests
from generator.collect.round_plan import PlannedRun
from generator.collect.server_counts import reported_of, summary_of
from generator.collect.vllm_bench import Benched, files_of
from generator.declared.round_tables import WorkloadTable
from generator.runs.imported import Reported, Run
from generator.runs.requests import Requests
from generator.store.files import move_new, write_new
from generator.store.level_file import LEVEL_FILE, OURS, level_json
from generator.store.request_columns import pack
from generator.telemetry.page import Growth
from generator.values import Source

WARM_UP: Final = "warm-up"
"""The folder of the requests that were sent before the clock: each part has a folder of its own in it."""
LOG: Final = "server.log.zst"
HIDDEN: Final = ".collecting-"
NS: Final = 10**9


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that is over, and what was seen beside it.

    Attributes:
        plan: what was asked.
        level: what became of each request, and the client's own measures.
        began_wall_ns: the wall clock when it began, ns since 1970.
        grown: by how much each counter of the server grew from before the first request to after the last.
        log: the server's own words from the first steady request to the last, with our clock; empty where unknown.
        told: what there is to be said of the prompts, by name.
        benched: what another client found; ``level`` is then the warm-up alone.
    """

    plan: PlannedRun
    level: LevelRun
    began_wall_ns: int
    grown: Mapping[str, Growth] = field(default_factory=dict)
    log: bytes = b""
    told: Mapping[str, Plain] = field(default_factory=dict)
    benched: Benched | None = None


def write_trial(series: Path, ran: Ran, workload: WorkloadTable, model: str | None) -> Path:
    """Write a run into the folder of its series, whole or not at all, and return where it lies.

    Raises:
        OSError: it cannot be written, or there is such a run already.
    """
    target = series / ran.plan.place
    work = series / f"{HIDDEN}{ran.plan.level}-{ran.plan.trial}"
    shutil.rmtree(work, ignore_errors=True)
    for path, data in _files(ran, workload, model).items():
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        write_new(work / path, data)
    move_new(work, target)
    return target


def sweep(series: Path) -> None:
    """Remove what a collector that was killed had begun to write."""
    for left in series.glob(f"{HIDDEN}*"):
        shutil.rmtree(left, ignore_errors=True)


def _files(ran: Ran, workload: WorkloadTable, model: str | None) -> dict[str, bytes]:
    files = files_of(ran.benched, ran.grown) if ran.benched is not None else _measured(ran, workload, model)
    for phase in ("cold", "warm"):
        before = ran.level.of_phase(phase)
        if before:
            packed = pack(to_requests(before, Source("", "")))
            files |= {f"{WARM_UP}/{phase}/{name}": data for name, data in packed.items()}
    if ran.log:
        files[LOG] = _compressed(ran.log)
    return files


def _measured(ran: Ran, workload: WorkloadTable, model: str | None) -> dict[str, bytes]:
    steady = to_requests(ran.level.of_phase("steady"), Source("", ""))
    return {LEVEL_FILE: level_json(_run(ran, steady, workload, model), None), **pack(steady)}


def _compressed(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


def _run(ran: Ran, steady: Requests, workload: WorkloadTable, model: str | None) -> Run:
    plan, outcomes = ran.plan, ran.level.of_phase("steady")
    return Run(
        tool=OURS,
        started=utc(ran.began_wall_ns),
        model=model,
        concurrency=plan.concurrency,
        rate=plan.rate,
        summary=_summary(ran, outcomes),
        reported=tuple(_reported(ran, outcomes, steady, workload)),
        requests=steady,
    )


def _summary(ran: Ran, outcomes: Sequence[Outcome]) -> dict[str, Plain]:
    sent, ended = _span(outcomes)
    told: dict[str, Plain] = {
        "seed": str(ran.plan.seed),
        "input_tokens_asked": ran.plan.input_tokens,
        "output_tokens_asked": ran.plan.output_tokens,
        "cold_requests": ran.plan.cold,
        "warm_requests": ran.plan.warm,
        "first_sent_mono_ns": str(sent),
        "last_ended_mono_ns": str(ended),
        "stamps": "kernel" if ran.level.measures.kernel_share > 0 else "user",
    }
    return told | _reasoning(outcomes) | summary_of(ran.grown) | dict(ran.told) | _measures(ran.level.measures)


def _reasoning(outcomes: Sequence[Outcome]) -> dict[str, Plain]:
    """Return the server's tokens of reasoning, and how many answers have more of it than output; nothing without."""
    usages = [one.usage for one in outcomes if one.answered and one.usage is not None]
    counted = [(one.reasoning, one.output) for one in usages if one.reasoning is not None]
    if not counted:
        return {}
    above = sum(output is not None and reasoning > output for reasoning, output in counted)
    return {"reasoning_tokens": sum(reasoning for reasoning, _ in counted), "reasoning_above_output": above}


def _measures(measures: ClientMeasures) -> dict[str, Plain]:
    """Return the client's own measures, those of a delay as its three numbers."""
    told: dict[str, Plain] = {}
    for one in fields(measures):
        value = getattr(measures, one.name)
        if isinstance(value, Lag):
            told |= {f"client_{one.name}_{name.name}_s": _finite(getattr(value, name.name)) for name in fields(value)}
        else:
            told[f"client_{one.name}"] = _finite(value)
    return told


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _span(outcomes: Sequence[Outcome]) -> tuple[int, int]:
    sent = [one.sent for one in outcomes if one.sent]
    ended = [one.ended for one in outcomes if one.ended]
    return min(sent, default=0), max(ended, default=0)


def _reported(ran: Ran, outcomes: Sequence[Outcome], steady: Requests, workload: WorkloadTable) -> list[Reported]:
    sent, ended = _span(outcomes)
    duration = max(0, ended - sent) / NS
    measures = ran.level.measures
    told = [
        Reported("duration", "last_ended_mono_ns − first_sent_mono_ns", "s", duration),
        Reported("client_processes", "client_processes", "1", float(measures.processes)),
        Reported("client_cpu_share", "client_cpu_share", "ratio", measures.cpu_share),
        Reported("client_cpu_total", "client_cpu_total", "ratio", measures.cpu_total),
        Reported("client_schedule_lag_p99", "client_schedule_lag_p99_s", "s", measures.schedule_lag.p99),
        Reported("client_loop_lag_p99", "client_loop_lag_p99_s", "s", measures.loop_lag.p99),
        Reported("client_kernel_stamps", "client_kernel_share", "ratio", measures.kernel_share),
        Reported("client_chunks_per_read", "client_chunks_per_read", "1", measures.chunks_per_read),
        Reported("client_retries", "client_retries", "1", float(measures.retries)),
        *reported_of(ran.grown),
    ]
    good = _goodput(steady, workload)
    if good is not None and duration:
        told.append(Reported("request_goodput", "requests within slo_…_ms ÷ duration", "req/s", good / duration))
    return [one for one in told if math.isfinite(one.value)]


def _goodput(steady: Requests, workload: WorkloadTable) -> int | None:
    """Count the answers that keep every target set; None where none is set. What is not known keeps none."""
    several = steady.output_tokens > 1
    tpot = (steady.e2el - steady.ttft) / (steady.output_tokens - 1).clip(min=1)
    targets = ((workload.slo_ttft_ms, steady.ttft), (workload.slo_e2el_ms, steady.e2el))
    kept = [seconds * 1000 <= most for most, seconds in targets if most is not None]
    if workload.slo_tpot_ms is not None:
        kept.append(~several | (tpot * 1000 <= workload.slo_tpot_ms))
    if not kept:
        return None
    good = steady.spoke.copy()
    for one in kept:
        good &= one
    return int(good.sum())
