"""``client = "vllm-bench"``: `vllm bench serve` drives a level, with our lifecycle, counters and log around it.

What the client finds stays the client's: its result is read like any file of the tool, and its requests are kept; texts
are not. The program runs under a supervisor of ours, so that it ends where we do.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from generator.collect.clock import utc
from generator.collect.engine_process.failure import engine_error
from generator.collect.engine_process.process import EngineProcess, start, stopped
from generator.collect.engine_process.task import Task
from generator.collect.host.json_pages import first_model
from generator.collect.openai_api import PATHS
from generator.collect.prompts import Plain
from generator.collect.round_plan import PlannedRun
from generator.collect.server_counts import reported_of, summary_of
from generator.declared.round_tables import SeriesTable, WorkloadTable
from generator.errors import InputError
from generator.importers.vllm import vllm
from generator.runs.imported import Run
from generator.store.level_file import LEVEL_FILE, level_json
from generator.store.request_columns import pack
from generator.telemetry.page import Growth

CLIENT: Final = "vllm-bench"
PROGRAM: Final = "vllm"
LOG: Final = "vllm-bench.log"
RESULT: Final = "vllm-bench.json"
BACKENDS: Final = {"completions": "openai", "chat": "openai-chat"}
ARRIVALS: Final = frozenset({"poisson", "gamma"})
SEEDS: Final = 2**32
"""Seeds that the client's random generator takes are below it."""
GRACE_S: Final = 5.0
LOOK_S: Final = 0.05
START_S: Final = 900.0
"""Seconds that the client may take before and after its load: it imports all of vLLM, and makes its prompts."""
NS: Final = 10**9


@dataclass(frozen=True, slots=True)
class Target:
    """What the client is pointed at.

    Attributes:
        url: of the server.
        model: the name by which it knows the model; None: the client asks it.
        tokenizer: folder or name of the tokenizer that prompts are made with; None: that of the model.
        key: what authorises, as for ``Authorization: Bearer``; it is handed over in the environment.
    """

    url: str
    model: str | None = None
    tokenizer: str | None = None
    key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Benched:
    """A run that the client has driven.

    Attributes:
        plan: what was asked.
        run: what the client's file says of it.
        began_wall_ns: ns since 1970 at which the client was started.
        first_ns: ns of CLOCK_MONOTONIC of the first sending, as far as the client tells it; else of the client's start.
        last_ns: of the client's end.
    """

    plan: PlannedRun
    run: Run
    began_wall_ns: int
    first_ns: int
    last_ns: int

    @property
    def said(self) -> str:
        """Return what there is to say of it while others are still to come."""
        requests = self.run.requests
        answered = int(requests.answered.sum()) if requests is not None else 0
        failed = len(requests) - answered if requests is not None else 0
        seconds = (self.last_ns - self.first_ns) / NS
        return (
            f"{answered} answered{f', {failed} failed' if failed else ''} in {seconds:.1f} s, by {PROGRAM} bench serve"
        )


def refuse_unfit(series: SeriesTable, workload: WorkloadTable, shown: str) -> None:
    """Find out before a server is started what this client cannot do; nothing where another one is to be used.

    Args:
        series: which client it has.
        workload: the load of the round.
        shown: round.toml for error lines.

    Raises:
        InputError: the load is one that the client does not know, or the client is not here.
    """
    if series.client != CLIENT:
        return
    for key, odd, remedy in (
        ("dataset_file", workload.dataset_file is not None, "leave it out, or use our own client"),
        ("lengths", workload.lengths == "lognormal", 'choose "fixed" or "uniform"'),
        ("length_spread", workload.lengths == "uniform" and workload.length_spread >= 1, "choose one below 1"),
        ("arrival", workload.arrival not in ARRIVALS, 'choose "poisson" or "gamma"'),
        # Since the end of 2025 it has every answer to random prompts go on to its full length, whatever it is told.
        ("ignore_eos", workload.ignore_eos is False, "leave it out, or use our own client"),
    ):
        if odd:
            raise InputError(shown, f"[workload] {key}", f"is nothing that {CLIENT} can do ({series.id})", remedy)
    program_of(series.id, shown)


def program_of(series: str, shown: str) -> str:
    """Return the path of the program: found on PATH, or beside the interpreter.

    Raises:
        InputError: it is nowhere.
    """
    found = shutil.which(PROGRAM) or shutil.which(PROGRAM, path=str(Path(sys.executable).parent))
    if found is None:
        problem = f"client = {CLIENT!r} needs the program {PROGRAM}, which is not on PATH"
        raise InputError(shown, f"[[series]] {series}", problem, "install vLLM, or use our own client")
    return found


def tokenizer_of(models_page: str, paths: Sequence[Path]) -> str | None:
    """Return where the tokenizer of a server's model is: what the server says it was loaded from, else its folder.

    Args:
        models_page: what the server answers at /v1/models.
        paths: files and folders of the model that its arguments name.
    """
    root = first_model(models_page).get("root")
    folder = next((str(path) for path in paths if path.is_dir()), None)
    return root if isinstance(root, str) and root else folder


def command_of(program: str, run: PlannedRun, workload: WorkloadTable, target: Target, folder: Path) -> list[str]:
    """Return the command line of a run; its result goes to a folder.

    All of these flags are in 0.11.0, and still there late in 2026. Earlier releases chose the client by
    ``--endpoint-type``, and failed at ``--ready-check-timeout-sec 0`` (a flag since 0.10.1) where later ones leave the
    request out. The client in Rust (``VLLM_USE_RUST_BENCH=1``, since mid-2026) takes these flags with dashes alone.
    """
    spread = workload.length_spread if workload.lengths == "uniform" else 0.0
    options: dict[str, object] = {
        "backend": BACKENDS[workload.api], "base-url": target.url, "endpoint": PATHS[workload.api],
        "model": target.model, "tokenizer": target.tokenizer,
        "dataset-name": "random", "random-input-len": run.input_tokens, "random-output-len": run.output_tokens,
        "random-range-ratio": spread, "num-prompts": run.requests,
        "max-concurrency": run.concurrency, "request-rate": run.rate,
        "burstiness": workload.burstiness if run.rate is not None and workload.arrival == "gamma" else None,
        "seed": run.seed % SEEDS, "temperature": 0,
        # Its test request would be the first prompt, which a cache then knows.
        "ready-check-timeout-sec": 0,
        "percentile-metrics": "ttft,tpot,itl,e2el", "metric-percentiles": "50,90,95,99",
        "result-dir": folder, "result-filename": RESULT,
    }  # fmt: skip
    given = [part for name, value in options.items() if value is not None for part in (f"--{name}", str(value))]
    flags = ["--save-result", "--save-detailed", "--disable-tqdm", "--ignore-eos"]
    return [program, "bench", "serve", *given, *flags, *_goodput(workload)]


def _goodput(workload: WorkloadTable) -> list[str]:
    set_ = [f"{name}:{most:g}" for name, most in workload.targets_ms.items()]
    return ["--goodput", *set_] if set_ else []


async def bench(run: PlannedRun, workload: WorkloadTable, target: Target, shown: str) -> Benched:
    """Have the client drive a run.

    Args:
        run: what is asked.
        workload: the load of the round.
        target: the server.
        shown: round.toml for error lines.

    Raises:
        InputError: the client is not here, cannot be started, fails, never ends, or leaves no result.
        CancelledError: it was cut short; the client has ended.
    """
    program = program_of(run.series, shown)
    with tempfile.TemporaryDirectory(prefix="rounds-bench-") as name:
        folder = Path(name)
        began, began_wall = time.monotonic_ns(), time.time_ns()
        task = Task(command_of(program, run, workload, target, folder), _environment(target), name, GRACE_S)
        process = await asyncio.to_thread(start, task, folder / LOG)
        try:
            await _until_ended(process, _most_seconds(run, workload))
        finally:
            await stopped(process)
        ended = time.monotonic_ns()
        found = _result(folder / RESULT, process.log)
        return Benched(run, found, began_wall, _first_ns(folder / RESULT, began, ended), ended)


def _environment(target: Target) -> dict[str, str]:
    key = {} if target.key is None else {"OPENAI_API_KEY": target.key}
    return {**os.environ, **key, "PYTHONUNBUFFERED": "1"}


def _most_seconds(run: PlannedRun, workload: WorkloadTable) -> float:
    """Return how long a run may take: each slot's requests one after the other, each at its limit, and the arrivals."""
    in_turn = math.ceil(run.requests / (run.concurrency or run.requests))
    arriving = 2 * run.requests / run.rate if run.rate is not None else 0.0
    return START_S + in_turn * workload.timeout_s + arriving


async def _until_ended(process: EngineProcess, most_s: float) -> None:
    deadline = time.monotonic() + most_s
    while (code := process.exit_code) is None:
        if time.monotonic() > deadline:
            problem = f"{PROGRAM} bench serve has not ended after {most_s:.0f} s"
            raise engine_error(process.log, problem, "see whether the server still answers")
        await asyncio.sleep(LOOK_S)
    if code != 0:
        problem = f"{PROGRAM} bench serve ended with exit code {code}"
        raise engine_error(process.log, problem, "see its last words; vLLM 0.11 or newer is needed")


def _result(path: Path, log: Path) -> Run:
    """Return the run of a result file.

    Raises:
        InputError: there is none, or it is none of one run with its requests.
    """
    if not path.is_file():
        raise engine_error(log, f"{PROGRAM} bench serve left no result", "see its last words")
    runs = vllm.read(path, lambda _: None)
    if len(runs) != 1 or runs[0].requests is None:
        problem = f"the result of {PROGRAM} bench serve has not one run with its requests"
        raise engine_error(log, problem, "vLLM 0.11 or newer is needed")
    return runs[0]


def _first_ns(path: Path, began: int, ended: int) -> int:
    """Return the first sending on our clock: the client's ``perf_counter`` is CLOCK_MONOTONIC on Linux.

    Where it is another clock, the time lies outside of the client's life, and its start is taken; so it is where the
    result has no ``start_times``, which came early in 2026.
    """
    try:
        told: Any = json.loads(path.read_bytes())
        first = round(min(told["start_times"]) * NS)
    except (ValueError, KeyError, TypeError, OverflowError):
        return began
    return first if began <= first <= ended else began


def files_of(benched: Benched, grown: Mapping[str, Growth]) -> dict[str, bytes]:
    """Return the files of a trial, by name: level.json as of an imported run, with what we saw beside it; requests.

    Args:
        benched: what the client found.
        grown: by how much each counter of the server grew.
    """
    plan, run = benched.plan, benched.run
    beside: dict[str, Plain] = {
        "seed": str(plan.seed),
        "client_seed": plan.seed % SEEDS,
        "input_tokens_asked": plan.input_tokens,
        "output_tokens_asked": plan.output_tokens,
        "cold_requests": plan.cold,
        "warm_requests": plan.warm,
        "first_sent_mono_ns": str(benched.first_ns),
    }
    beside |= summary_of(grown)
    whole = replace(
        run,
        started=utc(benched.began_wall_ns),
        concurrency=plan.concurrency,
        rate=plan.rate,
        summary={**run.summary, **beside},
        reported=(*run.reported, *reported_of(grown)),
    )
    requests = run.requests
    return {LEVEL_FILE: level_json(whole, None), **(pack(requests) if requests is not None else {})}
