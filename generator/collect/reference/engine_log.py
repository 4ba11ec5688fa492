"""A log with the lines that readers of engine logs look for; its first line says that it is the reference server's."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Protocol, TextIO

from generator.collect.reference.shapes import FINGERPRINT, timings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from generator.collect.reference.scheduler import Engine, Sequence
    from generator.collect.reference.settings import Stage, Style

NOTICE: Final = "reference server (simulated): timing model only, nothing is inferred"


class EngineLog(Protocol):
    """What is logged, and when."""

    def loading(self, engine: Engine) -> None:
        """Log that the server begins to load."""

    def passed(self, engine: Engine, stage: Stage, seconds: float) -> None:
        """Log that a stage of the start is over, and how long it took."""

    def listening(self, engine: Engine, port: int) -> None:
        """Log that it answers."""

    def answered(self, peer: str, request_line: str, status: int) -> None:
        """Log an answer's head."""

    def launched(self, sequence: Sequence) -> None:
        """Log that a request got its slot."""

    def ended(self, sequence: Sequence) -> None:
        """Log that a request has been answered."""

    def cancelled(self, sequence: Sequence) -> None:
        """Log that a client went away."""

    def statistics(self) -> None:
        """Log what was done since the last time."""

    def stopping(self) -> None:
        """Log the end."""


class LlamaLog:
    """Lines as llama.cpp's server writes them at its usual verbosity: a clock since start, level, place."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        """Take where lines go."""
        self._out = out
        self._clock = clock
        self._start = clock()
        self._told: set[str] = set()

    def loading(self, engine: Engine) -> None:  # noqa: ARG002  # of the model when its loading begins
        """Log the notice."""
        self._say("srv  llama_server", NOTICE)

    def passed(self, engine: Engine, stage: Stage, seconds: float) -> None:  # noqa: ARG002  # the stamps tell
        """Log what the next stage begins with, or what the stage leaves."""
        if stage == "import":
            self._load_model(engine)
        elif stage == "weights":
            self._load_model(engine)
            mebibytes = engine.machine.weight_bytes / 2**20
            self._say("load_tensors", f"       CPU model buffer size = {mebibytes:8.2f} MiB")
        elif stage == "kv":
            self._kv_cache(engine)
            self._say("cmn  common_init_", "warming up the model with an empty run - please wait ...")

    def listening(self, engine: Engine, port: int) -> None:
        """Log slots and address, and before them what has not been told of the start."""
        machine = engine.machine
        self._load_model(engine)
        self._kv_cache(engine)
        slots = f"n_slots = {machine.slots}, n_ctx_slot = {machine.context}, kv_unified = 'true'"
        self._say("srv    load_model", f"initializing, {slots}")
        self._say("srv  llama_server", "model loaded")
        self._say("srv  llama_server", f"listening on http://127.0.0.1:{port}")

    def answered(self, peer: str, request_line: str, status: int) -> None:
        """Log nothing: llama.cpp does not, at this verbosity."""

    def launched(self, sequence: Sequence) -> None:
        """Log the slot."""
        self._slot("launch_slot_", sequence, "processing task, is_child = 0")

    def ended(self, sequence: Sequence) -> None:
        """Log timings and release."""
        times = timings_of(sequence)
        total = times["prompt_ms"] + times["predicted_ms"]
        tokens = sequence.prompt + sequence.made
        self._slot("print_timing", sequence, f"prompt eval time = {_timing(times, 'prompt')}")
        self._slot("print_timing", sequence, f"       eval time = {_timing(times, 'predicted')}")
        self._slot("print_timing", sequence, f"      total time = {total:10.2f} ms / {tokens:5d} tokens")
        self._release(sequence)

    def cancelled(self, sequence: Sequence) -> None:
        """Log that the task is cancelled and, if it had one, its slot released."""
        self._say("srv          stop", f"cancel task, id_task = {sequence.id}", "W")
        if sequence.slot >= 0:
            self._release(sequence)

    def stopping(self) -> None:
        """Log the end."""
        self._say("srv    operator()", "operator(): cleaning up before exit...")

    def statistics(self) -> None:
        """Log nothing: llama.cpp does not."""

    def _load_model(self, engine: Engine) -> None:
        self._once("srv    load_model", f"loading model '{engine.machine.name}'")

    def _kv_cache(self, engine: Engine) -> None:
        size = engine.machine.kv_blocks * engine.machine.block_tokens
        mebibytes = size * engine.machine.kv_bytes / 2**20
        self._once("llama_kv_cache", f"size = {mebibytes:8.2f} MiB ({size:6d} cells)")

    def _once(self, place: str, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._say(place, text)

    def _release(self, sequence: Sequence) -> None:
        self._slot("release", sequence, f"stop processing: n_tokens = {sequence.context}, truncated = 0")

    def _slot(self, place: str, sequence: Sequence, text: str) -> None:
        self._say(f"slot {place:>12}", f"id {sequence.slot:2d} | task {sequence.id} | {text}")

    def _say(self, place: str, text: str, level: str = "I") -> None:
        _write(self._out, f"{_since(self._clock() - self._start)} {level} {place}: {text}")


def _timing(times: dict[str, float], name: str) -> str:
    took, tokens = times[f"{name}_ms"], times[f"{name}_n"]
    each, rate = times[f"{name}_per_token_ms"], times[f"{name}_per_second"]
    return f"{took:10.2f} ms / {tokens:5.0f} tokens ({each:8.2f} ms per token, {rate:8.2f} tokens per second)"


def _since(seconds: float) -> str:
    """Return llama.cpp's clock: minutes, seconds, ms, µs."""
    micros = round(seconds * 1e6)
    return f"{micros // 60_000_000}.{micros // 1_000_000 % 60:02d}.{micros // 1000 % 1000:03d}.{micros % 1000:03d}"


class VllmLog:
    """Lines as vLLM's server writes them: its start, access lines, and statistics while there is work."""

    def __init__(
        self, out: TextIO, clock: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time
    ) -> None:
        """Take where lines go, the clock that throughput is taken by, and the one that stands in the lines."""
        self._out = out
        self._clock = clock
        self._wall = wall
        self._engine: Engine | None = None
        self._told = _Told(clock())
        self._was_busy = False
        self._initialising = 0.0
        self._has_told_pool = False

    def loading(self, engine: Engine) -> None:
        """Log notice and model."""
        self._engine = engine
        self._say("reference.py:1", NOTICE)
        self._say("model.py:1", f"Using max model len {engine.machine.context}")

    def passed(self, engine: Engine, stage: Stage, seconds: float) -> None:
        """Log how long a stage took; compiling, the KV pool and the warm-up are told together at the end as well."""
        machine = engine.machine
        self._initialising += seconds if stage in {"compile", "kv", "warm_up"} else 0.0
        if stage == "import":
            said = f"model='{machine.name}', max_seq_len={machine.context}, tensor_parallel_size=1"
            self._say("core.py:1", f"Initializing a V1 LLM engine (v{FINGERPRINT}) with config: {said}")
            self._say("gpu_model_runner.py:1", f"Starting to load model {machine.name}...")
        elif stage == "weights":
            self._say("default_loader.py:1", f"Loading weights took {seconds:.2f} seconds")
            size = f"{machine.weight_bytes / 2**30:.2f} GiB memory"
            self._say("gpu_model_runner.py:1", f"Model loading took {size} and {seconds:.6f} seconds")
        elif stage == "compile":
            self._say("monitor.py:1", f"torch.compile took {seconds:.2f} s in total")
        elif stage == "kv":
            self._pool(engine)
        else:
            took = f"took {self._initialising:.2f} s"
            self._say("core.py:2", f"init engine (profile, create kv cache, warmup model) {took}")

    def listening(self, engine: Engine, port: int) -> None:
        """Log the KV pool, where it has not been told, and the address."""
        self._pool(engine)
        self._say("launcher.py:1", f"Starting server on http://127.0.0.1:{port}")
        _write(self._out, "INFO:     Application startup complete.")

    def answered(self, peer: str, request_line: str, status: int) -> None:
        """Log an access line."""
        _write(self._out, f'INFO:     {peer} - "{request_line}" {status} {HTTPStatus(status).phrase}')

    def launched(self, sequence: Sequence) -> None:
        """Log nothing of a single request."""

    def ended(self, sequence: Sequence) -> None:
        """Log nothing of a single request."""

    def cancelled(self, sequence: Sequence) -> None:
        """Log that a request was given up."""
        self._say("async_llm.py:1", f"Request {sequence.id} aborted.")

    def stopping(self) -> None:
        """Log the end."""
        self._say("launcher.py:2", "Shutting down server")

    def statistics(self) -> None:
        """Log what was done since the last time: of nothing only once, after something."""
        if self._engine is None:
            return
        before, totals = self._told, self._engine.totals
        self._told = now = _Told(self._clock(), totals.prompt_tokens, totals.generated, totals.preemptions)
        busy = (now.prompt, now.made) != (before.prompt, before.made)
        if busy or self._was_busy:
            self._say("loggers.py:1", f"Engine 000: {', '.join(_statistics(self._engine, before, now))}")
        self._was_busy = busy

    def _pool(self, engine: Engine) -> None:
        if self._has_told_pool:
            return
        self._has_told_pool = True
        machine = engine.machine
        tokens = machine.kv_blocks * machine.block_tokens
        most = f"Maximum concurrency for {machine.context:,} tokens per request: {tokens / machine.context:.2f}x"
        self._say("gpu_worker.py:1", f"Available KV cache memory: {tokens * machine.kv_bytes / 2**30:.2f} GiB")
        self._say("kv_cache_utils.py:1", f"GPU KV cache size: {tokens:,} tokens, {most}")

    def _say(self, place: str, text: str) -> None:
        stamp = time.strftime("%m-%d %H:%M:%S", time.localtime(self._wall()))
        _write(self._out, f"INFO {stamp} [{place}] {text}")


@dataclass(frozen=True, slots=True)
class _Told:
    """What had been done when statistics were told last: prompt tokens, tokens made, preemptions."""

    at: float
    prompt: int = 0
    made: int = 0
    preemptions: int = 0


def _statistics(engine: Engine, before: _Told, now: _Told) -> Iterator[str]:
    took, preempted = now.at - before.at, now.preemptions - before.preemptions
    yield f"Avg prompt throughput: {(now.prompt - before.prompt) / took:.1f} tokens/s"
    yield f"Avg generation throughput: {(now.made - before.made) / took:.1f} tokens/s"
    yield f"Running: {len(engine.running)} reqs"
    yield f"Waiting: {len(engine.waiting)} reqs"
    if preempted:
        yield f"Preemptions: {preempted}"
    yield f"GPU KV cache usage: {engine.pool.used / engine.pool.blocks:.1%}"
    yield "Prefix cache hit rate: 0.0%"


def _write(out: TextIO, line: str) -> None:
    with suppress(OSError, ValueError):  # a full disk or a closed pipe is no reason to stop answering
        out.write(line + "\n")
        out.flush()


def log_of(style: Style, out: TextIO) -> EngineLog:
    """Return the log of a style."""
    return VllmLog(out) if style == "vllm" else LlamaLog(out)
