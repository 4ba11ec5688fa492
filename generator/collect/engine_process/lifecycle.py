"""An engine for the time of a block: started and timed, or found running; and gone, or left alone, at its end.

async with running(launch, folder) as engine:
    ...  # engine.base_url, engine.pid, engine.log, engine.cold_start
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from generator.collect.engine_process.cold_start import ColdStart, cold_start_of, write_cold_start
from generator.collect.engine_process.failure import ended_early, engine_error
from generator.collect.engine_process.first_answer import AskFirst, asking
from generator.collect.engine_process.page_cache import dropped, page_cache_of
from generator.collect.engine_process.ports import (
    ANY_PORT,
    LOOPBACK,
    address_of,
    following,
    free_port,
    port_in,
    refuse_taken,
    value_of,
)
from generator.collect.engine_process.process import EngineProcess, Stopped, start, stopped
from generator.collect.engine_process.readiness import until_attached, until_ready
from generator.collect.engine_process.task import Task
from generator.kinds import Launching

LOG: Final = "server.log"
THIS_PYTHON: Final = "{python}"
"""Stands in the arguments of an engine for the interpreter that runs this, so that no path has to be published."""
UNKNOWN_ENGINE: Final = Launching()
ATTACHED: Final = "the server was running already: it was not started here"


@dataclass(frozen=True, slots=True)
class Launch:
    """How a series gets its engine: started by ``argv``, or found at ``endpoint``.

    Attributes:
        argv: program and arguments, where it is to be started; ``{port}`` stands for a port that is free,
            ``{python}`` for our own Python.
        endpoint: base URL; with ``argv`` only where it cannot be told from the arguments.
        facts: what is known of this kind of engine.
        environment: its whole environment; None for ours.
        folder: where it runs; None for the present folder.
        health: path that tells whether it is well; None for the usual one of its kind.
        model_files: files and folders of the model; None for what its arguments name.
        ready_timeout_s: seconds from its start until it has to be ready.
        grace_s: seconds that it has to end after SIGTERM.
        drop_page_cache: put the model's files out of the page cache before the start.
    """

    argv: tuple[str, ...] = ()
    endpoint: str | None = None
    facts: Launching = UNKNOWN_ENGINE
    environment: Mapping[str, str] | None = None
    folder: Path | None = None
    health: str | None = None
    model_files: tuple[Path, ...] | None = None
    ready_timeout_s: float = 1800.0
    grace_s: float = 30.0
    drop_page_cache: bool = False


@dataclass(slots=True)
class RunningEngine:
    """An engine that can be asked.

    Attributes:
        base_url: where.
        pid: of the process that was started; None where none was.
        log: its log; None where there is none of ours.
        cold_start: how it started; None with a reason where it was running already.
        reason: why there is no cold start.
        stopped: how it ended; None before that, and where it was not started here.
    """

    base_url: str
    pid: int | None = None
    log: Path | None = None
    cold_start: ColdStart | None = None
    reason: str | None = None
    stopped: Stopped | None = None
    _process: EngineProcess | None = field(default=None, repr=False)

    def refuse_dead(self) -> None:
        """Raise EngineError, with its last words, where an engine of ours has ended meanwhile."""
        code = None if self._process is None else self._process.exit_code
        if self._process is not None and code is not None:
            raise ended_early(self._process.log, code)


@asynccontextmanager
async def running(launch: Launch, folder: Path, ask_first: AskFirst | None = None) -> AsyncIterator[RunningEngine]:
    """Have an engine for the time of the block.

    Args:
        launch: how.
        folder: of the series, for ``server.log`` and ``cold_start.json``.
        ask_first: asks for the first answer; None for plain httpx.

    Raises:
        EngineError: it cannot be started, ends early, is not ready in time, or does not end.
        InputError: the port is taken, the endpoint does not answer, the log cannot be written.
    """
    ask = ask_first or asking(launch.facts.api)
    opened = _started(launch, folder, ask) if launch.argv else _attached(launch)
    async with opened as engine:
        yield engine


@asynccontextmanager
async def _attached(launch: Launch) -> AsyncIterator[RunningEngine]:
    url = _trimmed(launch.endpoint or "")
    await until_attached(url, launch.health or launch.facts.health)
    yield RunningEngine(url, reason=ATTACHED)


@asynccontextmanager
async def _started(launch: Launch, folder: Path, ask: AskFirst) -> AsyncIterator[RunningEngine]:
    argv = _filled(launch.argv)
    url = _trimmed(launch.endpoint or f"http://{LOOPBACK}:{port_in(argv, launch.facts)}")
    await refuse_taken(*address_of(url))
    cache = (dropped if launch.drop_page_cache else page_cache_of)(model_files(launch))
    process = start(_task(launch, argv), folder / LOG)
    engine = RunningEngine(url, process.pid, process.log, _process=process)
    try:
        ready = await until_ready(process, url, launch.health or launch.facts.health, launch.ready_timeout_s)
        answer = await ask(url)
        engine.refuse_dead()
        engine.cold_start = cold_start_of(process, ready, answer, cache)
        write_cold_start(engine.cold_start, folder)
        yield engine
    finally:
        engine.stopped = await stopped(process)
    if engine.stopped.left:
        ids = ", ".join(map(str, engine.stopped.left))
        raise engine_error(process.log, f"processes {ids} of the engine do not end", "end them before the next run")


def _filled(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Put a port that is free in the place of ``{port}``, and our Python in that of ``{python}``.

    Other braces are the engine's.
    """
    argv = tuple(sys.executable if argument == THIS_PYTHON else argument for argument in argv)
    if not any(ANY_PORT in argument for argument in argv):
        return argv
    port = str(free_port())
    return tuple(argument.replace(ANY_PORT, port) for argument in argv)


def _task(launch: Launch, argv: tuple[str, ...]) -> Task:
    environment = os.environ if launch.environment is None else launch.environment
    return Task(list(argv), dict(environment), str(launch.folder or Path.cwd()), launch.grace_s)


def model_files(launch: Launch) -> tuple[Path, ...]:
    """Return the files of the model: as given, or those that the arguments name and that are there."""
    if launch.model_files is not None:
        return launch.model_files
    named = value_of(launch.facts.model_flags, launch.argv) or following(launch.facts.model_follows, launch.argv)
    path = None if named is None else (launch.folder or Path.cwd()) / os.path.expanduser(named)  # noqa: PTH111  # it never raises
    return (path,) if path is not None and path.exists() else ()


def _trimmed(url: str) -> str:
    return url.rstrip("/").removesuffix("/v1")
