"""One series: its engine for the time of its runs, watched once a second, and what it leaves of the session.

    <series>/sessions/<n>/   fingerprint.json, cold_start.json, server.log.zst, samples.parquet

A session that was killed is found in its hidden folder by the next one, and kept like any other.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import httpx
import pyarrow as pa

from generator.collect.crew import run_crew
from generator.collect.dataset import Dataset
from generator.collect.engine_process.first_answer import asking
from generator.collect.engine_process.lifecycle import LOG, Launch, RunningEngine, model_files, running
from generator.collect.host.fingerprint import Subject, fingerprint
from generator.collect.host.gauges import metrics_source, slots_source
from generator.collect.host.gpus import gpu_source
from generator.collect.host.json_pages import first_model
from generator.collect.host.nvml import NvmlGpus
from generator.collect.host.proc import Machine, Processes
from generator.collect.host.readings import Source
from generator.collect.host.sampler import Sampler
from generator.collect.host.samples import LINES_FILE, SAMPLES_FILE, to_parquet
from generator.collect.host.secrets import this_identity
from generator.collect.host.software import Said
from generator.collect.load import Job, LevelRun, Plan, run_level
from generator.collect.log_part import part_of_log
from generator.collect.prompts import Prompt, jobs_of, prompts_of, told_of
from generator.collect.reach import get
from generator.collect.recorded import RecordingTransport
from generator.collect.recording import Limits
from generator.collect.round_plan import PlannedRun
from generator.collect.schedule import arrivals_of
from generator.collect.server_counts import times_of
from generator.collect.tokenizing import Vocabulary, vocabulary_of
from generator.collect.transport import transport_for
from generator.collect.trial import Ran
from generator.collect.vllm_bench import CLIENT, Target, bench, tokenizer_of
from generator.declared.round_tables import SeriesTable, WorkloadTable
from generator.kinds import Engine
from generator.store.files import move_new, write_atomically
from generator.store.round_file import ROUND_FILE
from generator.telemetry.page import Growth, Scrape, growth, scrape

SESSIONS: Final = "sessions"
OPEN: Final = ".session"
"""The folder of a session that is not over."""
REFERENCE: Final = (sys.executable, "-m", "generator.collect.reference", "--port", "{port}", "--style", "llamacpp")
"""The command of a series of the kind ``reference`` that gives none."""
PAGE_S: Final = 2.0
"""Seconds that the server has to answer for its gauges."""


@dataclass(frozen=True, slots=True)
class Session:
    """A server that can be loaded, with what has to be known of it.

    Attributes:
        engine: the running server.
        model: the name by which it knows the model; None where it does not say.
        vocabulary: words for prompts.
        workload: the load of the round.
        transport: what times its answers.
        log: its log so far; None where it is not ours.
        headers: to be sent with every request.
        dataset: what prompts and arrivals are taken from; None: they are made.
        target: what `vllm bench serve` is pointed at; None where our own client is used.
    """

    engine: RunningEngine
    model: str | None
    vocabulary: Vocabulary
    workload: WorkloadTable
    transport: RecordingTransport
    log: Path | None
    headers: Mapping[str, str]
    dataset: Dataset | None = None
    target: Target | None = None

    async def run(self, run: PlannedRun) -> Ran:
        """Load the server as planned.

        Raises:
            EngineError: the engine has ended meanwhile.
        """
        if self.target is not None:
            return await self._benched(run, self.target)
        prompts = prompts_of(run, self.workload, self.vocabulary, self.dataset)
        jobs, arrivals = self._jobs(prompts), arrivals_of(run, self.workload, self.dataset)
        plan = Plan(jobs, run.concurrency, arrivals, run.cold, run.warm, headers=self.headers)
        at, began = self._log_size(), time.time_ns()
        before = await self._scrape()
        ready = _Marked(self._scrape)
        level = await run_crew(plan, self.engine.base_url, self.transport, run.processes, ready=ready.mark)
        grown = await self._grown_since(before, ready.page)
        told = told_of(prompts, run, self.workload, self.dataset)
        return Ran(run, level, began, grown, self._log_of(level, at), told)

    async def _benched(self, run: PlannedRun, target: Target) -> Ran:
        """Warm the server up ourselves, with prompts that are not the client's; then have the client load it."""
        before_it = self._jobs(prompts_of(run, self.workload, self.vocabulary))[: run.cold + run.warm]
        plan = Plan(before_it, run.concurrency or 1, None, run.cold, run.warm, headers=self.headers)
        warm_up = await run_level(plan, self.engine.base_url, self.transport)
        at, before = self._log_size(), await self._scrape()
        try:
            found = await bench(run, self.workload, target, ROUND_FILE)
        except asyncio.CancelledError:
            return Ran(run, replace(warm_up, cancelled=True), time.time_ns())
        grown = await self._grown_since(before)
        log = self._log_between(at, found.first_ns, found.last_ns)
        return Ran(run, warm_up, found.began_wall_ns, grown, log, benched=found)

    def _jobs(self, prompts: Sequence[Prompt]) -> list[Job]:
        return jobs_of(prompts, self.workload, self.model)

    def _log_size(self) -> int:
        return self.log.stat().st_size if self.log is not None else 0

    async def props(self) -> str:
        """Return what the server says of itself at /props; empty where it says nothing."""
        return await asyncio.to_thread(_page, f"{self.engine.base_url}/props")

    async def metrics(self) -> str:
        """Return what the server says of itself at /metrics; empty where it says nothing."""
        return await asyncio.to_thread(_page, f"{self.engine.base_url}/metrics")

    async def _scrape(self) -> Scrape | None:
        page = await self.metrics()
        return scrape(page) if page else None

    async def _grown_since(self, before: Scrape | None, ready: Scrape | None = None) -> dict[str, Growth]:
        """Return by how much the server's counters grew; those of times since the warm-up, where that page is there.

        Raises:
            EngineError: the engine has ended meanwhile.
        """
        after = await self._scrape()
        self.engine.refuse_dead()
        grown = growth(before, after) if before is not None and after is not None else {}
        timed = growth(ready, after) if ready is not None and after is not None else {}
        return {**grown, **times_of(timed)}

    def _log_of(self, level: LevelRun, at: int) -> bytes:
        steady = level.of_phase("steady")
        sent = [one.sent for one in steady if one.sent]
        return self._log_between(at, min(sent), max(one.ended for one in steady)) if sent else b""

    def _log_between(self, at: int, first_ns: int, last_ns: int) -> bytes:
        return part_of_log(self.log, at, first_ns, last_ns) if self.log is not None else b""


@dataclass(slots=True)
class _Marked:
    """A page of the server from the moment at which the warm-up was over."""

    fetch: Callable[[], Awaitable[Scrape | None]]
    page: Scrape | None = None

    async def mark(self) -> None:
        """Take it."""
        self.page = await self.fetch()


OF_ENGINE: Final = frozenset({"engine", "slots"})
"""Sources that are asked as often as the round wants; what GPUs say of power is a mean over a second."""


def _page(url: str) -> str:
    try:
        answer = get(url, PAGE_S)
    except httpx.HTTPError:
        return ""
    return answer.text if answer.status_code == httpx.codes.OK else ""


@asynccontextmanager
async def session_of(
    series: SeriesTable,
    workload: WorkloadTable,
    engines: Mapping[str, Engine],
    folder: Path,
    headers: Mapping[str, str],
    dataset: Dataset | None = None,
) -> AsyncIterator[Session]:
    """Have a series' server for the time of a block; what is known of it is kept at the end, however that comes.

    Args:
        series: how the server is started or found.
        workload: the load of the round.
        engines: the kinds of server, by name.
        folder: of the series.
        headers: to be sent with every request, as for a key; never written down.
        dataset: what prompts and arrivals are taken from; None: they are made.

    Raises:
        EngineError: the server cannot be started, or ends early.
        InputError: its port is taken, or nobody answers at its address.
    """
    close_session(folder)
    work = folder / OPEN
    work.mkdir(parents=True)
    launch = launch_of(series, engines)
    limits = Limits(total_s=workload.timeout_s, stall_s=workload.stall_timeout_s)
    try:
        ask = asking(workload.api, series.served_model, dict(headers))
        async with running(launch, work, ask) as engine:
            model = series.served_model or await asyncio.to_thread(_served_model, engine.base_url)
            write_fingerprint(work, launch, engine, series)
            transport = transport_for(engine.base_url, limits=limits)
            vocabulary = await vocabulary_of(engine.base_url, model, dict(headers))
            target = await _target(engine, model, launch, headers) if series.client == CLIENT else None
            sources, every_s = _sources(engine), workload.sample_every_s
            with Sampler(sources, work / LINES_FILE, every_s=every_s, quick=OF_ENGINE):
                try:
                    yield Session(engine, model, vocabulary, workload, transport, engine.log, headers, dataset, target)
                finally:
                    await transport.aclose()
    finally:
        close_session(folder)


async def _target(engine: RunningEngine, model: str | None, launch: Launch, headers: Mapping[str, str]) -> Target:
    page = await asyncio.to_thread(_page, f"{engine.base_url}/v1/models")
    scheme, _, key = {name.lower(): value for name, value in headers.items()}.get("authorization", "").partition(" ")
    return Target(
        engine.base_url, model, tokenizer_of(page, model_files(launch)), key if scheme.lower() == "bearer" else None
    )


def launch_of(series: SeriesTable, engines: Mapping[str, Engine]) -> Launch:
    """Return how the server of a series is started, or found."""
    facts = engines[series.kind].launching if series.kind is not None and series.kind in engines else Launch().facts
    argv = series.argv or ()
    if series.kind == "reference" and not argv and series.endpoint is None:
        argv = REFERENCE
    environment = {**os.environ, **dict(_variable(one) for one in series.env)}
    return Launch(
        argv=argv, endpoint=series.endpoint, facts=facts, environment=environment, health=series.health,
        ready_timeout_s=series.ready_timeout_s, drop_page_cache=series.page_cache == "dropped",
    )  # fmt: skip


def _variable(written: str) -> tuple[str, str]:
    """Return name and value; the value ``$NAME`` is that of a variable of ours, so that no secret is written down."""
    name, _, value = written.partition("=")
    return name, os.environ.get(value[1:], "") if value.startswith("$") else value


def _served_model(url: str) -> str | None:
    model = first_model(_page(f"{url}/v1/models"))
    return str(model["id"]) if "id" in model else None


def _sources(engine: RunningEngine) -> Sequence[Source]:
    url = engine.base_url
    metrics: Source = metrics_source(lambda: _page(f"{url}/metrics"))
    watched: list[Source] = [Machine(), Processes("client", tree=False), gpu_source(), metrics]
    if _page(f"{url}/slots"):  # llama.cpp's; where it is switched off, or another server, nothing is missed each second
        watched.append(slots_source(lambda: _page(f"{url}/slots")))
    if engine.pid is not None:
        watched.append(Processes("server", engine.pid))
    return watched


def write_fingerprint(work: Path, launch: Launch, engine: RunningEngine, series: SeriesTable) -> None:
    """Write down what a server is and what it runs on.

    Raises:
        OSError: it cannot be written.
    """
    said = Said(
        kind=series.kind or "",
        version_body=_page(f"{engine.base_url}{launch.facts.version}") if launch.facts.version else "",
        props_body=_page(f"{engine.base_url}/props"),
    )
    subject = Subject(
        argv=launch.argv, environment=dict(launch.environment or {}), said=said, model_paths=model_files(launch)
    )
    with closing(NvmlGpus()) as gpus:
        found = fingerprint(subject, gpus, this_identity())
    write_atomically(work / "fingerprint.json", (json.dumps(found, indent=1) + "\n").encode())


def close_session(folder: Path) -> None:
    """Bring a session into the shape in which it is kept; nothing where there is none.

    Raises:
        OSError: it cannot be written.
    """
    work = folder / OPEN
    if not work.is_dir():
        return
    if (work / LINES_FILE).exists():
        to_parquet(work / LINES_FILE, work / SAMPLES_FILE)
        (work / LINES_FILE).unlink()
    if (work / LOG).exists():
        _compress(work / LOG)
    if not any(work.iterdir()):
        shutil.rmtree(work)
        return
    sessions = folder / SESSIONS
    sessions.mkdir(exist_ok=True)
    number = 1 + max((int(path.name) for path in sessions.iterdir() if path.name.isdecimal()), default=0)
    move_new(work, sessions / str(number))


def _compress(log: Path) -> None:
    target = log.with_name(f"{log.name}.zst")
    with log.open("rb") as words, pa.output_stream(str(target), compression="zstd") as packed:
        shutil.copyfileobj(words, packed)
    log.unlink()
