"""Rounds in memory whose engine was sampled: small ones by hand, and ones made from a pool that is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from generator.model import Round, Trial
from generator.runs.gauges import Gauges, Numbers
from generator.runs.in_flight import with_gauges
from generator.runs.requests import Requests
from tests.support.memory_round import Numbers as Constants
from tests.support.memory_round import memory_round
from tests.support.request_rows import Row, answer, requests_of

SHAPE: Final = {"layers": 4.0, "kv_heads": 2.0, "head_dim": 64.0, "kv_dtype_bytes": 2.0}
Runs = dict[Trial, Requests | None]

BYTES: Final = 2 * 4 * 2 * 64 * 2.0
"""Bytes of a token by that shape: 2 × 4 × 2 × 64 × 2 = 2048."""


def readings(t: Sequence[float], **columns: Sequence[float]) -> Gauges:
    """Return what an engine said at some moments; NaN in all columns that are not given."""
    made = {name: np.full(len(t), np.nan) for name in Gauges.__slots__}
    made |= {name: np.array(column, dtype=np.float64) for name, column in columns.items()}
    return Gauges(**made | {"t": np.array(t, dtype=np.float64)})


@dataclass(frozen=True)
class Pool:
    """A KV pool as it truly is.

    Attributes:
        tokens: places of it.
        block: places that are allotted together.
        each: bytes of a token.
        held: share of it that something else takes.
        noise: standard deviation of a reading of its use.
    """

    tokens: int = 50_000
    block: int = 16
    each: float = BYTES
    held: float = 0.0
    noise: float = 0.001

    def use(self, lengths: Numbers) -> float:
        """Return the share in use where sequences are of some lengths: each takes whole blocks."""
        return self.held + float((np.ceil(lengths / self.block) * self.block).sum()) / self.tokens

    @property
    def constants(self) -> dict[str, float]:
        """What is known of it by its log and by its gauges."""
        return {
            "kv_pool_tokens": float(self.tokens),
            "kv_pool_bytes": self.tokens * self.each,
            "engine_block_tokens_of_series": float(self.block),
        }


def served(concurrency: int, pool: Pool, *, requests: int = 0, seed: int = 1) -> Requests:
    """Return a closed loop of requests of 100 to 500 tokens and answers of 64, and what a pool says meanwhile.

    While a prompt is computed, half of it is in the pool: at those moments the pool tells more than a client knows.
    """
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    free = [0.0] * concurrency
    for _ in range(requests or 6 * concurrency):
        slot = int(np.argmin(free))
        gaps = np.round(rng.uniform(0.018, 0.022, 63), 6)
        ttft = float(rng.uniform(0.05, 0.15))
        rows.append(answer(ttft, *gaps.tolist(), start=free[slot], prompt=float(rng.integers(100, 500))))
        free[slot] += ttft + float(gaps.sum()) + 0.005
    t = np.arange(0.05, max(free), 0.1)
    use = np.array([pool.use(_lengths(rows, moment)) for moment in t.tolist()])
    said = readings(
        t.tolist(),
        kv_usage=np.clip(use + rng.normal(0, pool.noise, len(t)), 0, 1).tolist(),
        running=[float(concurrency)] * len(t),
        waiting=[0.0] * len(t),
    )
    return with_gauges(requests_of(*rows), said)


def _lengths(rows: Sequence[Row], moment: float) -> Numbers:
    """Return the tokens of each sequence in the pool at a moment, counted one by one."""
    found = []
    for row in rows:
        since = moment - row.start
        if 0 <= since < row.ttft:
            found.append(row.prompt / 2)
        elif row.ttft <= since < row.ended:
            found.append(row.prompt + 1 + sum(after <= since - row.ttft for after in np.cumsum(row.gaps)))
    return np.array(found)


def pool_round(
    pool: Pool,
    concurrencies: Sequence[int] = (1, 4, 16),
    *,
    shape: Constants = SHAPE,
    without: Sequence[str] = (),
    in_log: bool = False,
) -> Round:
    """Return a round of one series ``a`` whose pool is known; ``without`` names constants that nobody wrote down.

    ``in_log``: the bytes of the pool are known from the server's log.
    """
    runs: Runs = {("a", f"c{number}", None): served(number, pool, seed=number) for number in concurrencies}
    levels = {f"c{number}": {"concurrency": float(number)} for number in concurrencies}
    constants = {key: number for key, number in pool.constants.items() if key not in without}
    if in_log:
        constants["log_kv_pool_bytes_of_series"] = constants.pop("kv_pool_bytes")
    return memory_round({"a": levels}, runs=runs, of_series={"a": constants}, of_round=shape)


def gauged_round(gauges: Mapping[str, Gauges], constants: Constants | None = None) -> Round:
    """Return a round of one series ``a``: at each level one answer of 2 tokens, and what was sampled.

    What was in flight stands in the readings as it is given.
    """
    requests = requests_of(answer(1.0, 1.0, start=0.0, prompt=8))
    runs: Runs = {("a", level, None): replace(requests, gauges=said) for level, said in gauges.items()}
    levels = {level: {"concurrency": float(level.removeprefix("c"))} for level in gauges}
    return memory_round({"a": levels}, runs=runs, of_series={"a": constants or {}}, of_round=SHAPE)


def sampled(**constants: float) -> Round:
    """Return a round of an engine that says the share of its pool, at two levels; what else is known stands there."""
    both = {"awaiting": [0.0, 0.0, 0.0], "waiting": [0.0, 1.0, 0.0]}
    return gauged_round(
        {
            "c1": readings(
                [0, 1, 2.5],
                running=[1, 1, 1],
                sequences=[1, 1, 1],
                tokens=[100, 120, 145],
                kv_usage=[0.1, 0.13, 0.15],
                **both,
            ),
            "c2": readings(
                [0, 1, 2],
                running=[1, 2, 2],
                sequences=[1, 2, 2],
                tokens=[90, 210, 250],
                kv_usage=[0.1, 0.22, 0.27],
                **both,
            ),
        },
        constants,
    )


def sampled_slots() -> Round:
    """Return one of an engine that says the tokens in each of its four slots, which have 512 each."""
    constants = {"kv_pool_tokens": 2048.0, "kv_pool_bytes": 2048 * BYTES, "log_slots_of_series": 4.0}
    said = readings(
        [0, 1, 2], running=[2, 2, 2], sequences=[2, 2, 2], tokens=[200, 240, 280], slot_tokens=[202, 241, 283],
        awaiting=[0, 0, 0],
    )  # fmt: skip
    return gauged_round({"c2": said}, constants | {"log_slot_context_of_series": 512.0})


BLOCKS: Final = {
    "engine_block_tokens_of_series": 16.0,
    "engine_pool_blocks_of_series": 64.0,
    "kv_pool_bytes": 1024 * BYTES,
}
PRINTED: Final = {"log_kv_pool_tokens_of_series": 1000.0, "kv_pool_bytes": 1000 * BYTES}
"""What is known of a pool by its gauges, and by the log alone."""
