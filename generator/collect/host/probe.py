"""What this machine's memory and CPU reach, measured where there is no GPU: bandwidth of large arrays, FP32 products.

The work is done in a child process, so that its memory goes with it and its BLAS has as many threads as the engine
will. Bandwidth is the better of reading (the largest of an array of integers) and copying (bytes read and written) over
arrays far larger than any cache, by as many threads, each with a part of its own. Compute is numpy's matrix product.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

REPEATS: Final = 7
ARRAY_BYTES: Final = 256 * 2**20
"""Bytes of each of two arrays: several times the largest cache of a CPU that is shared by few."""
SIDE: Final = 1536
"""Rows and columns of the matrices that are multiplied."""
TIMEOUT_S: Final = 60.0
GIGA, TERA = 1e9, 1e12
OF_BLAS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Reached:
    """A rate over its repeats, the first left out: it finds the memory not yet there. ``how`` says what was timed."""

    median: float
    low: float
    high: float
    how: str


@dataclass(frozen=True, slots=True)
class Probe:
    """What was reached: GB/s of memory, TFLOP/s of FP32 matrix products; ``threads`` is by how many."""

    bandwidth_gb_s: Reached
    compute_tflops: Reached
    threads: int


def probe_machine(threads: int) -> Probe | None:
    """Measure in a child process; None where that fails or takes too long: no round is worth less without it."""
    environment = {**os.environ, **dict.fromkeys(OF_BLAS, str(threads))}
    command = [sys.executable, "-m", "generator.collect.host.probe", str(threads)]
    try:
        done = subprocess.run(  # noqa: S603 - our own module
            command, env=environment, capture_output=True, timeout=TIMEOUT_S, check=True, text=True
        )
        told = json.loads(done.stdout)
        return Probe(Reached(**told["bandwidth_gb_s"]), Reached(**told["compute_tflops"]), threads)
    except (OSError, subprocess.SubprocessError, ValueError, TypeError, KeyError):
        return None


def measured(threads: int, array_bytes: int = ARRAY_BYTES, side: int = SIDE) -> dict[str, dict[str, float | str]]:
    """Measure in this process.

    Args:
        threads: by how many; the BLAS has those that its environment gives it.
        array_bytes: bytes of each of two arrays.
        side: rows and columns of the matrices.

    Returns:
        ``bandwidth_gb_s`` and ``compute_tflops``, each with the keys of ``Reached``.
    """
    read, copy = _bandwidths(threads, array_bytes)
    best = max(read, copy, key=lambda one: float(one["median"]))
    return {"bandwidth_gb_s": best, "compute_tflops": _compute(side)}


def _bandwidths(threads: int, array_bytes: int) -> tuple[dict[str, float | str], dict[str, float | str]]:
    source = np.ones(array_bytes // 4, dtype=np.int32)
    target = np.zeros_like(source)
    parts = list(zip(np.array_split(source, threads), np.array_split(target, threads), strict=True))
    with ThreadPoolExecutor(threads) as pool:
        read = _timed(lambda: list(pool.map(_read, parts)), source.nbytes / GIGA)
        copy = _timed(lambda: list(pool.map(_copy, parts)), 2 * source.nbytes / GIGA)
    return _spread(read, "read"), _spread(copy, "copy")


def _read(part: tuple[Array, Array]) -> None:
    part[0].max()


def _copy(part: tuple[Array, Array]) -> None:
    np.copyto(part[1], part[0])


def _compute(side: int) -> dict[str, float | str]:
    left = np.ones((side, side), dtype=np.float32)
    into = np.empty_like(left)
    return _spread(_timed(lambda: np.matmul(left, left, out=into), 2 * side**3 / TERA), "FP32 matrix product")


def _timed(work: Callable[[], object], amount: float) -> list[float]:
    """Return the rate of each repeat but the first, in amounts a second."""
    rates = []
    for _ in range(REPEATS + 1):
        began = time.perf_counter()
        work()
        rates.append(amount / max(time.perf_counter() - began, 1e-9))
    return rates[1:]


def _spread(rates: Sequence[float], how: str) -> dict[str, float | str]:
    return {"median": float(np.median(rates)), "low": min(rates), "high": max(rates), "how": how}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measured(int(sys.argv[1]))))
