"""``rounds collect``: every run of a round's plan that is not there yet, series after series."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from generator.collect.calibrate import NAME, busiest, calibrate, streams_of, write_calibration
from generator.collect.client_cost import cores_for_client, cost_in
from generator.collect.dataset import Dataset, read_dataset
from generator.collect.describing import keep_architecture
from generator.collect.engine_process.lifecycle import model_files
from generator.collect.engine_process.memory import wait_for
from generator.collect.host.json_pages import object_of
from generator.collect.host.preflight import Facts, objections
from generator.collect.probing import probe_of, told
from generator.collect.progress import Progress
from generator.collect.readiness_facts import (
    facts_of_machine,
    facts_of_server,
    gpu_memory_used,
    keeps_prompts,
    seeds_of_rounds,
)
from generator.collect.round_plan import PlannedRun, planned_runs, planned_series, requests_in_all
from generator.collect.schedule import refuse_impossible
from generator.collect.session import SESSIONS, Session, close_session, launch_of, session_of
from generator.collect.starts import start_once, starts_missing
from generator.collect.starts import told as start_told
from generator.collect.transport import StampingTransport
from generator.collect.trial import Ran, sweep, write_trial
from generator.collect.vllm_bench import refuse_unfit
from generator.declared.round_tables import RoundFile, SeriesTable
from generator.errors import InputError
from generator.kinds import Engine
from generator.store.files import shown
from generator.store.locks import locked
from generator.store.manifest import Seen, write_manifest
from generator.store.round_file import ROUND_FILE, read_round_file
from generator.store.runs import LEVELS
from generator.text import counted

LOCK: Final = ".collect.lock"
REPEATED: Final = "{n} {n:prompt|prompts} came before, a cache may know {n:it|them}"
FREED_WITHIN_S: Final = 30.0
"""Seconds that a driver may take to give back the memory of an engine that has ended."""


@dataclass(slots=True)
class Collected:
    """What came of collecting: runs that are new, further starts, and why others are not there."""

    done: list[PlannedRun] = field(default_factory=list)
    starts: int = 0
    failed: list[str] = field(default_factory=list)
    interrupted: bool = False


def pending(folder: Path, file: RoundFile) -> dict[str, tuple[PlannedRun, ...]]:
    """Return the runs that are planned and not there yet, by series, those without any left out.

    Raises:
        InputError: the plan has a gap.
    """
    found = {}
    for series in planned_series(file):
        runs = planned_runs(file, series, shown(folder / ROUND_FILE))
        missing = tuple(run for run in runs if not (folder / series.id / run.place).exists())
        if missing:
            found[series.id] = missing
    return found


def starts_pending(folder: Path, file: RoundFile) -> dict[str, int]:
    """Return how many starts without a load are still to be made, by series, those without any left out.

    The start of the session in which the load runs is one of those asked for.
    """
    to_load = pending(folder, file)
    missing = {one.id: starts_missing(folder / one.id, one) - (one.id in to_load) for one in planned_series(file)}
    return {series: starts for series, starts in missing.items() if starts > 0}


@dataclass(frozen=True, slots=True)
class Campaign:
    """What is collected, and how.

    Attributes:
        folder: of the round, with round.toml in it.
        engines: the kinds of server, by name.
        progress: told what is done.
        headers: to be sent with every request, as for a key; never written down.
        anyway: start whatever speaks against it.
    """

    folder: Path
    engines: Mapping[str, Engine]
    progress: Progress = field(default_factory=Progress)
    headers: Mapping[str, str] = field(default_factory=dict)
    anyway: bool = False
    _sealed: Seen = field(default_factory=dict, init=False, repr=False)

    async def collect(self, *, restart: bool = False) -> Collected:
        """Collect what is missing of the round. What a server does wrong fails its run, and the rest goes on.

        Args:
            restart: throw away what was collected of planned series, and begin anew.

        Raises:
            InputError: round.toml cannot be read, or plans nothing.
            OSError: the folder cannot be written.
        """
        file = read_round_file(self.folder)
        if not planned_series(file):
            problem = "has no series that can be collected"
            raise InputError(shown(self.folder / ROUND_FILE), "[[series]]", problem, "give one an argv or an endpoint")
        with locked(self.folder / LOCK):
            _tidy(self.folder, file)
            if restart:
                _forget(self.folder, file)
            waiting = pending(self.folder, file)
            dataset = self._dataset(file, waiting)
            if waiting and not (self.folder / NAME).exists():
                await self._calibrate(file)
            waiting = {series: self._manned(runs, file) for series, runs in waiting.items()}
            collected = Collected()
            try:
                with self.progress.runs(sum(map(len, waiting.values()))):
                    await self._collect_all(file, waiting, dataset, collected)
            finally:  # Ctrl-C may come anywhere, and what a session leaves is data
                self._seal()
        return collected

    async def _collect_all(
        self,
        file: RoundFile,
        waiting: Mapping[str, Sequence[PlannedRun]],
        dataset: Dataset | None,
        collected: Collected,
    ) -> None:
        seeds = seeds_of_rounds(self.folder.parent, self.folder.name) if waiting else {}
        for series in planned_series(file):
            if series.id in waiting and not collected.interrupted:
                held = gpu_memory_used()
                await self._collect_series(file, series, waiting[series.id], dataset, seeds, collected)
                await self._until_freed(series, held)
            if not collected.interrupted:
                await self._start_again(file, series, collected)

    async def _start_again(self, file: RoundFile, series: SeriesTable, collected: Collected) -> None:
        """Make the starts of a series that are asked for beyond that of the session with the load."""
        home = self.folder / series.id
        for _ in range(starts_missing(home, series)):
            held = gpu_memory_used()
            try:
                start = await start_once(series, file.workload, self.engines, home, self.headers)
            except InputError as error:
                collected.failed.append(f"{series.id}: a start without load: {error}")
                return
            finally:
                self._seal()
            collected.starts += 1
            self.progress.say(f"{series.id}: start without load{'' if start is None else f': {start_told(start)}'}")
            await self._until_freed(series, held)

    def _dataset(self, file: RoundFile, waiting: Mapping[str, Sequence[PlannedRun]]) -> Dataset | None:
        """Read the dataset file, and find out what cannot be sent before any server is started."""
        dataset = read_dataset(self.folder, file.workload.dataset_file) if waiting else None
        for series in file.series:
            if series.id in waiting:
                refuse_unfit(series, file.workload, shown(self.folder / ROUND_FILE))
                refuse_impossible(waiting[series.id], file.workload, dataset)
        if dataset is not None:
            left_out = f", {dataset.left_out} left out" if dataset.left_out else ""
            requests = counted("{n} {n:request|requests}", n=len(dataset.rows))
            self.progress.say(f"dataset: {requests} of {dataset.kind}{left_out}")
        return dataset

    async def _calibrate(self, file: RoundFile) -> None:
        runs = [run for series in planned_series(file) for run in planned_runs(file, series, ROUND_FILE)]
        found = await calibrate(busiest(runs), file.workload.client_processes)
        found = replace(found, probe=await asyncio.to_thread(probe_of, planned_series(file)))
        write_calibration(found, self.folder)
        if found.probe is not None:
            self.progress.say(f"machine: {told(found.probe)}")
        error = found.stamp_error_us["p99"]
        self.progress.say(
            f"client: {found.streams} streams, stamp error p99 {'unknown' if error is None else f'{error:.0f} µs'}, "
            f"{found.lost} of {found.chunks} chunks lost, {found.cpu_share:.0%} of a core{_by(found.processes)}"
        )

    def _manned(self, runs: Sequence[PlannedRun], file: RoundFile) -> tuple[PlannedRun, ...]:
        """Return the runs with the number of processes that each takes, as asked or by the calibration."""
        asked = file.workload.client_processes
        if asked != "auto":
            return tuple(replace(run, processes=asked) for run in runs)
        path = self.folder / NAME
        cost = cost_in(object_of(path.read_text(encoding="utf-8", errors="replace"))) if path.is_file() else None
        if cost is None:
            return tuple(runs)
        most = cores_for_client()
        return tuple(replace(run, processes=cost.processes(streams_of(run), most)) for run in runs)

    async def _collect_series(
        self,
        file: RoundFile,
        series: SeriesTable,
        runs: Sequence[PlannedRun],
        dataset: Dataset | None,
        seeds: Mapping[int, str],
        collected: Collected,
    ) -> None:
        home = self.folder / series.id
        home.mkdir(exist_ok=True)
        told = counted("{n} {n:run|runs}, {m} {m:request|requests}", n=len(runs), m=requests_in_all(runs))
        self.progress.say(f"{series.id}: {told}")
        try:
            baseline = next((one for one in file.series if one.id == file.round.baseline and one != series), None)
            launching = launch_of(series, self.engines).facts
            if described := keep_architecture(home, model_files(launch_of(series, self.engines))):
                self.progress.say(f"{series.id}: {described}")
            machine = facts_of_machine(self.folder, runs, seeds, series, baseline, launching=launching)
            self._heed(series, machine)
            async with session_of(series, file.workload, self.engines, home, self.headers, dataset) as session:
                self.progress.say(f"{series.id}: ready{_start(session)}")
                if not isinstance(session.transport, StampingTransport):
                    self.progress.say(f"{series.id}: note: no kernel stamps (TLS, a proxy, or no Linux)")
                self._heed(series, await _known_of_server(session, series, runs))
                for run in runs:
                    self.progress.begin(f"{series.id} {run.level}")
                    ran = await session.run(run)
                    if ran.level.cancelled:
                        collected.interrupted = True
                        return
                    write_trial(home, ran, file.workload, session.model)
                    self._seal()
                    collected.done.append(run)
                    self.progress.end()
                    self.progress.say(f"{series.id}: {run.level} trial {run.trial}: {_said(ran)}")
                    if again := ran.told.get("prompts_repeated"):
                        self.progress.say(f"{series.id}: note: {counted(REPEATED, n=again)}")
        except InputError as error:
            collected.failed.append(f"{series.id}: {error}")

    def _seal(self) -> None:
        """Write the manifest anew. It is right after every run, and reads only the files of that run."""
        write_manifest(self.folder, self._sealed)

    async def _until_freed(self, series: SeriesTable, before: float | None) -> None:
        """Wait until a GPU has back what the engine held: the next one would start into it."""
        if before is None:
            return
        freed = await wait_for(gpu_memory_used, before, FREED_WITHIN_S)
        if freed.back is False:
            self.progress.say(f"{series.id}: note: its GPU memory is not free after {FREED_WITHIN_S:.0f} s")

    def _heed(self, series: SeriesTable, facts: Facts) -> None:
        """Say what speaks against the start, and refuse it where it would end in failures.

        Raises:
            InputError: something refuses it, and ``anyway`` is not set.
        """
        for one in objections(facts):
            if one.level == "refuse" and not self.anyway:
                raise InputError(series.id, one.key, one.sentence, f"{one.remedy}; or say --anyway")
            self.progress.say(f"{series.id}: note: {one.sentence}; {one.remedy}")


def _tidy(folder: Path, file: RoundFile) -> None:
    """Sweep up after a collector that was killed: half a run goes, and what its session saw is kept."""
    for series in planned_series(file):
        sweep(folder / series.id)
        close_session(folder / series.id)


def _forget(folder: Path, file: RoundFile) -> None:
    (folder / NAME).unlink(missing_ok=True)
    for series in planned_series(file):
        for name in (LEVELS, SESSIONS):
            shutil.rmtree(folder / series.id / name, ignore_errors=True)


async def _known_of_server(session: Session, series: SeriesTable, runs: Sequence[PlannedRun]) -> Facts:
    keeps = keeps_prompts(series, await session.metrics())
    return facts_of_server(runs, await session.props(), kv_tokens=series.kv_pool_tokens, prefix_cache=keeps)


def _start(session: Session) -> str:
    start = session.engine.cold_start
    return f" after {start.healthy_s:.1f} s" if start is not None else ", as it was running"


def _said(ran: Ran) -> str:
    if ran.benched is not None:
        return ran.benched.said
    steady = ran.level.of_phase("steady")
    answered = sum(one.answered for one in steady)
    failed = f", {len(steady) - answered} failed" if answered < len(steady) else ""
    measures = ran.level.measures
    return f"{answered} answered{failed} in {measures.wall_s:.1f} s{_by(measures.processes)}"


def _by(processes: int) -> str:
    return f", by {processes} processes" if processes > 1 else ""
