"""What reading the log of a server takes, beside ``grep -c`` with the same pattern on the same file: ``make bench``.

Times are CPU seconds, best of three; the file is read by both, from the cache of the system.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from generator.catalogue import load
from generator.logs.llamacpp import EVENTS
from generator.logs.scan import scan
from generator.runs.log_events import EventKind
from generator.store.server_log import PIECE

SIZE: Final = 200_000_000
TURNS: Final = 3
NUMBERS: Final = r"prompt eval time = +[0-9.,]+ ms / +[0-9]+ tokens"
PROMPTS: Final = tuple(kind for kind in EVENTS if kind.key == "prompt_timing")
LEAST: Final = {"one kind of event": 0.25, "all kinds of llama.cpp": 0.08, "kinds of all servers": 0.06}
"""Share of the speed of ``grep -c`` that each has to reach, also where others use the caches of the machine."""
BATCHES: Final = 4
"""Batches in which a prompt is computed, with a line for each."""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "server.log"
        requests = write(path)
        greps = min(grep(path, requests) for _ in range(TURNS))
        print(f"grep -c {SIZE / 1e6 / greps:6.0f} MB/s, of {SIZE / 1e6:.0f} MB with {requests:,} requests")
        everyone = [kind for engine in load().engines.values() for kind in engine.events]
        times = [min(scanned(path, kinds) for _ in range(TURNS)) for kinds in (PROMPTS, EVENTS, everyone)]
    return max(verdict(name, greps / took) for name, took in zip(LEAST, times, strict=True))


def write(path: Path) -> int:
    """Write a log of some size as llama.cpp's server does at full verbosity, and return its number of requests."""
    size, number = 0, 0
    with path.open("w", encoding="ascii") as file:
        while size < SIZE:
            size += file.write(request(number))
            number += 1
    return number


def request(number: int) -> str:
    """Return the lines of a request."""
    task, slot, made = number * 53, number % 8, 256 + number % 13
    told = [
        ("get_availabl", "selected slot by LRU, t_last = 197872333583"),
        ("launch_slot_", "processing task, is_child = 0"),
        ("update_slots", "new prompt, n_ctx_slot = 4096, n_keep = 0, task.n_tokens = 512"),
        *(("update_slots", f"n_tokens = {at}, memory_seq_rm [{at}, end)") for at in range(0, 128 * BATCHES, 128)),
        ("update_slots", "prompt processing done, n_tokens = 512, batch.n_tokens = 128"),
        ("print_timing", f"prompt eval time = {timing(made, 512)}"),
        ("print_timing", f"       eval time = {timing(4 * made, 50)}"),
        ("print_timing", f"      total time = {5 * made:10.2f} ms /   562 tokens"),
        ("print_timing", f"   graphs reused = {49 * number:10d}"),
        ("release", "stop processing: n_tokens = 561, truncated = 0"),
    ]
    since = clock(number)
    lines = [f"{since} I slot {place:>12}: id {slot:2d} | task {task} | {text}" for place, text in told]
    return "\n".join([*lines, f"{since} I srv  update_slots: all slots are idle", ""])


def timing(ms: float, tokens: int) -> str:
    each, rate = ms / tokens, 1000 * tokens / ms
    return f"{ms:10.2f} ms / {tokens:5d} tokens ({each:8.2f} ms per token, {rate:8.2f} tokens per second)"


def clock(number: int) -> str:
    micros = 41_137 * number
    return f"{micros // 60_000_000}.{micros // 1_000_000 % 60:02d}.{micros // 1000 % 1000:03d}.{micros % 1000:03d}"


def grep(path: Path, requests: int) -> float:
    """Return the CPU seconds that grep takes to count the lines with the timing of a prompt."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["grep", "-cE", NUMBERS, str(path)]
    counted = subprocess.run(command, env={**os.environ, "LC_ALL": "C"}, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert int(counted.stdout) == requests
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def scanned(path: Path, kinds: Sequence[EventKind]) -> float:
    """Return the CPU seconds that it takes to find the events of some kinds."""
    start = time.process_time()
    scan(pieces(path), kinds)
    return time.process_time() - start


def pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb", buffering=0) as file:
        while piece := file.read(PIECE):
            yield piece


def verdict(name: str, ratio: float) -> int:
    """Print a ratio; fail where it is too small."""
    print(f"{name:28} {ratio:.2f} of grep's speed, at least {LEAST[name]}")
    return 0 if ratio >= LEAST[name] else 1


if __name__ == "__main__":
    sys.exit(main())
