from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from pathlib import Path

import httpx
import pytest

from generator.collect.engine_process.failure import EngineError
from generator.collect.engine_process.first_answer import FirstAnswer
from generator.collect.engine_process.lifecycle import ATTACHED, Launch, RunningEngine, model_files, running
from generator.collect.engine_process.ports import free_port
from generator.engines.llamacpp import llamacpp
from generator.engines.reference import reference
from generator.engines.vllm import vllm
from generator.errors import InputError
from tests.collect.engine_process.toys import SERVER, SLEEP, marked, program, until, with_argument
from tests.collect.reference import running as reference_running
from tests.support.server_logs import count_requests

ENOUGH_S = 60.0


def reference_server(*options: str) -> Launch:
    command = (sys.executable, "-m", "generator.collect.reference", "--port", "{port}", *options)
    return Launch(command, facts=reference.launching, ready_timeout_s=ENOUGH_S)


def toy(script: str, *arguments: str, grace_s: float = 5.0) -> Launch:
    return Launch((*program(script, *arguments), "--port", "{port}"), ready_timeout_s=ENOUGH_S, grace_s=grace_s)


async def visit(launch: Launch, folder: Path) -> RunningEngine:
    async with running(launch, folder) as engine:
        return engine


def test_an_engine_is_started_timed_and_stopped(tmp_path: Path) -> None:
    async def use() -> RunningEngine:
        launch = reference_server("--load-seconds", "0.3", "--style", "llamacpp", "--step-ms", "2")
        async with running(launch, tmp_path) as engine:
            engine.refuse_dead()
            assert engine.pid is not None
            assert httpx.get(f"{engine.base_url}/health", trust_env=False).status_code == 200
        return engine

    engine = asyncio.run(use())
    cold = engine.cold_start
    assert cold is not None
    assert cold.first_token_s is not None
    assert cold.first_completion_s is not None
    assert 0 < cold.port_s < cold.healthy_s < cold.sent_s < cold.first_token_s < cold.first_completion_s
    # It answers 503 for 0.3 s after it has opened its port, and cannot do that before its spawn.
    assert cold.healthy_s > 0.3
    assert cold.page_cache.state == "unknown"
    assert json.loads((tmp_path / "cold_start.json").read_text())["port_s"] == cold.port_s
    assert engine.stopped is not None
    assert (engine.stopped.code, engine.stopped.killed) == (0, 0)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{engine.base_url}/health", trust_env=False)


def test_its_log_is_read_like_any_other(tmp_path: Path) -> None:
    asyncio.run(visit(reference_server("--style", "llamacpp"), tmp_path))
    counted = count_requests(tmp_path / "server.log", [llamacpp])
    assert counted == (llamacpp, 1)  # the first answer


def test_a_server_that_runs_is_neither_started_nor_stopped(tmp_path: Path) -> None:
    with reference_running.running() as server:
        url = server.url
        engine = asyncio.run(visit(Launch(endpoint=f"{url}/v1/"), tmp_path))
        assert httpx.get(f"{url}/health", trust_env=False).status_code == 200
    assert engine.base_url == url
    assert (engine.pid, engine.log, engine.cold_start, engine.stopped) == (None, None, None, None)
    assert engine.reason == ATTACHED
    assert list(tmp_path.iterdir()) == []


def test_a_taken_port_is_refused_and_nothing_started(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        launch = Launch((*program(SLEEP), "--port", str(server.getsockname()[1])))
        with pytest.raises(InputError, match="is taken"):
            asyncio.run(visit(launch, tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_an_engine_that_never_becomes_ready_is_stopped(tmp_path: Path) -> None:
    mark, port = marked(), str(free_port())
    launch = Launch((*program(SERVER, port, "never", mark), "--port", port), ready_timeout_s=1.0)
    with pytest.raises(EngineError, match="not ready within 1 s"):
        asyncio.run(visit(launch, tmp_path))
    assert with_argument(mark) == set()


def test_an_exception_in_the_block_stops_it(tmp_path: Path) -> None:
    async def use() -> None:
        async with running(reference_server(), tmp_path) as engine:
            seen.append(engine)
            raise ZeroDivisionError

    seen: list[RunningEngine] = []
    with pytest.raises(ZeroDivisionError):
        asyncio.run(use())
    assert seen[0].stopped is not None
    assert seen[0].stopped.code == 0


def test_a_cancellation_stops_it(tmp_path: Path) -> None:
    mark = marked()

    async def use() -> None:
        async with running(toy(SLEEP, mark), tmp_path):
            raise AssertionError

    async def cancelled() -> None:
        using = asyncio.create_task(use())
        assert await asyncio.to_thread(until, lambda: with_argument(mark))
        using.cancel()
        with pytest.raises(asyncio.CancelledError):
            await using

    asyncio.run(cancelled())
    assert with_argument(mark) == set()


def test_one_that_dies_while_it_is_used_says_its_last_words(tmp_path: Path) -> None:
    async def use() -> None:
        async with running(reference_server(), tmp_path) as engine:
            assert engine.pid is not None
            os.kill(engine.pid, signal.SIGKILL)
            while True:
                engine.refuse_dead()
                await asyncio.sleep(0.01)

    with pytest.raises(EngineError, match="was ended by signal 9; its last words: "):
        asyncio.run(asyncio.wait_for(use(), ENOUGH_S))


def test_the_first_answer_can_be_asked_for_otherwise(tmp_path: Path) -> None:
    async def ask(base_url: str) -> FirstAnswer:
        return FirstAnswer(10**18, reason=f"asked at {base_url}")

    async def use() -> RunningEngine:
        async with running(reference_server(), tmp_path, ask) as engine:
            return engine

    engine = asyncio.run(use())
    assert engine.cold_start is not None
    assert engine.cold_start.reason == f"asked at {engine.base_url}"


def test_two_engines_at_once_have_ports_of_their_own(tmp_path: Path) -> None:
    async def use() -> tuple[str, str]:
        (tmp_path / "a").mkdir()
        (tmp_path / "b").mkdir()
        async with (
            running(reference_server(), tmp_path / "a") as a,
            running(reference_server(), tmp_path / "b") as b,
        ):
            return a.base_url, b.base_url

    a, b = asyncio.run(use())
    assert a != b


def test_our_own_python_can_be_named_without_its_path(tmp_path: Path) -> None:
    command = ("{python}", "-m", "generator.collect.reference", "--port", "{port}")
    engine = asyncio.run(visit(Launch(command, facts=reference.launching, ready_timeout_s=ENOUGH_S), tmp_path))
    assert engine.cold_start is not None
    assert engine.cold_start.reason is None


def test_a_model_in_the_home_folder_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "model.gguf").touch()
    launch = Launch(("server", "--model", "~/model.gguf"), facts=llamacpp.launching)
    assert model_files(launch) == (tmp_path / "model.gguf",)
    assert model_files(Launch(("server", "--model", "~nobody/x"), facts=llamacpp.launching)) == ()


def test_the_model_is_found_among_the_arguments(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").touch()
    found = model_files(Launch(("llama-server", "-m", "model.gguf"), facts=llamacpp.launching, folder=tmp_path))
    assert found == (tmp_path / "model.gguf",)
    assert model_files(Launch(("llama-server", "-m", "other.gguf"), facts=llamacpp.launching, folder=tmp_path)) == ()


@pytest.mark.parametrize(
    ("argv", "found"),
    [
        (("vllm", "serve", "model", "--port", "1"), True),
        (("vllm", "serve", "--port", "1", "--model", "model"), True),
        (("vllm", "serve", "--port", "1"), False),
        (("vllm", "serve"), False),
    ],
    ids=["without a flag", "with a flag", "a flag follows", "nothing follows"],
)
def test_vllm_takes_the_model_behind_serve(argv: tuple[str, ...], found: bool, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    launch = Launch(argv, facts=vllm.launching, folder=tmp_path)
    assert model_files(launch) == ((tmp_path / "model",) if found else ())
