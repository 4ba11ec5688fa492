"""A log with the lines that readers of engine logs look for; its first line says that it is the reference server's."""

from __future__ import annotations

import time
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Protocol, TextIO

from generator.collect.reference.shapes import timings_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.collect.reference.scheduler import Engine, Sequence
    from generator.collect.reference.settings import Style

NOTICE: Final = "reference server (simulated): timing model only, nothing is inferred"
EVERY: Final = 10.0
"""Seconds between two lines of statistics in vLLM's log."""


class EngineLog(Protocol):
    """What is logged, and when."""

    def loading(self, engine: Engine) -> None:
        """Log that the server begins to load."""

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

    def stopping(self) -> None:
        """Log the end."""


class LlamaLog:
    """Lines as llama.cpp's server writes them at its usual verbosity: a clock since start, level, place."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        """Take where lines go."""
        self._out = out
        self._clock = clock
        self._start = clock()

    def loading(self, engine: Engine) -> None:
        """Log notice and model."""
        self._say("srv  llama_server", NOTICE)
        self._say("srv    load_model", f"loading model '{engine.machine.name}'")

    def listening(self, engine: Engine, port: int) -> None:
        """Log slots and address."""
        machine = engine.machine
        slots = f"n_slots = {machine.slots}, n_ctx_slot = {machine.context}, kv_unified = 'true'"
        size = machine.kv_blocks * machine.block_tokens
        mebibytes = size * machine.kv_bytes / 2**20
        self._say("llama_kv_cache", f"size = {mebibytes:8.2f} MiB ({size:6d} cells)")
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
    """Lines as vLLM's server writes them: access lines, and statistics every ten seconds while there is work."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        """Take where lines go."""
        self._out = out
        self._clock = clock
        self._engine: Engine | None = None
        self._told = (clock(), 0, 0)

    def loading(self, engine: Engine) -> None:
        """Log notice and model."""
        self._engine = engine
        self._say("reference.py:1", NOTICE)
        self._say("model.py:1", f"Using max model len {engine.machine.context}")

    def listening(self, engine: Engine, port: int) -> None:
        """Log the KV pool and the address."""
        machine = engine.machine
        tokens = machine.kv_blocks * machine.block_tokens
        most = f"Maximum concurrency for {machine.context:,} tokens per request: {tokens / machine.context:.2f}x"
        self._say("kv_cache_utils.py:1", f"GPU KV cache size: {tokens:,} tokens, {most}")
        self._say("launcher.py:1", f"Starting server on http://127.0.0.1:{port}")
        _write(self._out, "INFO:     Application startup complete.")

    def answered(self, peer: str, request_line: str, status: int) -> None:
        """Log an access line."""
        _write(self._out, f'INFO:     {peer} - "{request_line}" {status} {HTTPStatus(status).phrase}')

    def launched(self, sequence: Sequence) -> None:  # noqa: ARG002  # of all of them together
        """Log nothing of a single request; statistics at most every ten seconds."""
        self._statistics()

    def ended(self, sequence: Sequence) -> None:  # noqa: ARG002  # the same
        """Log statistics at most every ten seconds."""
        self._statistics()

    def cancelled(self, sequence: Sequence) -> None:
        """Log that a request was given up."""
        self._say("async_llm.py:1", f"Request {sequence.id} aborted.")

    def stopping(self) -> None:
        """Log the end."""
        self._say("launcher.py:2", "Shutting down server")

    def _statistics(self) -> None:
        then, prompt, made = self._told
        now = self._clock()
        if self._engine is None or now - then < EVERY:
            return
        engine, totals, took = self._engine, self._engine.totals, now - then
        self._told = (now, totals.prompt_tokens, totals.generated)
        parts = (
            f"Avg prompt throughput: {(totals.prompt_tokens - prompt) / took:.1f} tokens/s",
            f"Avg generation throughput: {(totals.generated - made) / took:.1f} tokens/s",
            f"Running: {len(engine.running)} reqs, Waiting: {len(engine.waiting)} reqs",
            f"GPU KV cache usage: {engine.pool.used / engine.pool.blocks:.1%}, Prefix cache hit rate: 0.0%",
        )
        self._say("loggers.py:1", f"Engine 000: {', '.join(parts)}")

    def _say(self, place: str, text: str) -> None:
        stamp = time.strftime("%m-%d %H:%M:%S")
        _write(self._out, f"INFO {stamp} [{place}] {text}")


def _write(out: TextIO, line: str) -> None:
    with suppress(OSError, ValueError):  # a full disk or a closed pipe is no reason to stop answering
        out.write(line + "\n")
        out.flush()


def log_of(style: Style, out: TextIO) -> EngineLog:
    """Return the log of a style."""
    return VllmLog(out) if style == "vllm" else LlamaLog(out)
