"""How long a step of the reference server takes: a roofline over the tokens and the context of the batch.

A step reads all weights once and the KV cache of every sequence in it, and multiplies each of its tokens with the
weights and with the keys and values that the token sees. The slower of the two, memory or arithmetic, is the time; a
fixed overhead is added. The same formula holds for decode, for chunks of a prompt and for both in one step, so that
prefill slows the decode beside it down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

NANO: Final = 1_000_000_000
"""Nanoseconds in a second."""

Reserve = Literal["whole", "grow"]
"""When blocks of the KV pool are taken: for prompt and answer at once, or for the prompt and then as tokens come."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What a step costs, and how much fits.

    Attributes:
        name: the model's name, as /v1/models gives it.
        bandwidth: memory bandwidth, B/s.
        compute: arithmetic rate, FLOP/s.
        overhead: what each step costs besides, s.
        parameters: weights that each token is multiplied with.
        weight_bytes: bytes of weights that each step reads.
        kv_bytes: bytes that one token takes in the KV cache.
        attention_flops: FLOP for one token and one token of its context: 4 × layers × heads × head size.
        slots: sequences in one batch at most.
        kv_blocks: blocks of the KV pool.
        block_tokens: tokens of one block.
        chunk_tokens: prompt tokens in one step at most.
        context: prompt and answer of one sequence at most, tokens.
        reserve: when blocks are taken.
    """

    name: str
    bandwidth: float
    compute: float
    overhead: float
    parameters: float
    weight_bytes: float
    kv_bytes: float
    attention_flops: float
    slots: int
    kv_blocks: int
    block_tokens: int
    chunk_tokens: int
    context: int
    reserve: Reserve = "whole"

    def blocks_for(self, tokens: int) -> int:
        """Return the blocks that hold so many tokens; a block begun is a block taken."""
        return -(-tokens // self.block_tokens)


PLAUSIBLE: Final = Machine(
    name="reference-8b",
    bandwidth=1.0e12,
    compute=150e12,
    overhead=0.002,
    parameters=8.0e9,
    weight_bytes=16.0e9,
    kv_bytes=2 * 32 * 8 * 128 * 2,
    attention_flops=4 * 32 * 32 * 128,
    slots=64,
    kv_blocks=4096,
    block_tokens=16,
    chunk_tokens=512,
    context=8192,
)
"""8 × 10⁹ weights in BF16 on a card of 1 TB/s and 150 TFLOP/s: a step of decode takes 18 ms. 32 layers of 32 heads of
128, 8 of them with keys and values of their own, in two bytes; a pool of 65,536 tokens takes 8 GiB."""

FAST: Final = Machine(
    name="reference-fast",
    bandwidth=1.0e12,
    compute=150e12,
    overhead=0.001,
    parameters=0.5e9,
    weight_bytes=1.0e9,
    kv_bytes=2 * 16 * 2 * 64 * 2,
    attention_flops=4 * 16 * 16 * 64,
    slots=8,
    kv_blocks=1024,
    block_tokens=16,
    chunk_tokens=512,
    context=4096,
)
"""The same card with a model of half a billion weights: a step takes 2 ms, so that tests are short."""

MACHINES: Final = {"plausible": PLAUSIBLE, "fast": FAST}


def even(step: float, slots: int = 64) -> Machine:
    """Return a machine of which every step takes the same time in seconds, whatever is in it: for calibration."""
    return Machine(
        name="reference-even",
        bandwidth=1.0,
        compute=1.0,
        overhead=step,
        parameters=0.0,
        weight_bytes=0.0,
        kv_bytes=0.0,
        attention_flops=0.0,
        slots=slots,
        kv_blocks=slots * 2048,
        block_tokens=16,
        chunk_tokens=1 << 30,
        context=32768,
    )


@dataclass(frozen=True, slots=True)
class Work:
    """What a step has to do.

    Attributes:
        tokens: tokens that go through the weights.
        pairs: tokens times the context that each of them sees, itself counted.
        read: tokens whose keys and values are read from the cache.
    """

    tokens: int = 0
    pairs: int = 0
    read: int = 0

    def __add__(self, other: Work) -> Work:
        """Return both in one step."""
        return Work(self.tokens + other.tokens, self.pairs + other.pairs, self.read + other.read)


def decode_work(contexts: list[int]) -> Work:
    """Return the work of one token for each sequence, given the tokens that each of them sees."""
    seen = sum(contexts)
    return Work(len(contexts), seen, seen)


def chunk_work(done: int, tokens: int) -> Work:
    """Return the work of a prompt's next tokens, of which so many are done: token i of the chunk sees done + i."""
    return Work(tokens, tokens * done + tokens * (tokens + 1) // 2, done + tokens)


def step_seconds(machine: Machine, work: Work) -> float:
    """Return max(bytes ÷ bandwidth, FLOP ÷ rate) + overhead."""
    moved = machine.weight_bytes + machine.kv_bytes * work.read
    flops = 2 * machine.parameters * work.tokens + machine.attention_flops * work.pairs
    return max(moved / machine.bandwidth, flops / machine.compute) + machine.overhead


class Noise:
    """Lognormal factors on the time of steps, the same ones for the same seed; of spread 0 they are all exactly 1."""

    def __init__(self, spread: float = 0.0, seed: int = 0) -> None:
        """Take the standard deviation of the factor's logarithm."""
        self._spread = spread
        self._random = Random(seed)  # noqa: S311  # timing noise that can be repeated; nothing here is secret

    def factor(self) -> float:
        """Return the next factor."""
        return math.exp(self._random.gauss(0.0, self._spread)) if self._spread else 1.0
