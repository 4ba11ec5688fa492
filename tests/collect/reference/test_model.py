from __future__ import annotations

import pytest

from generator.collect.reference.model import (
    FAST,
    PLAUSIBLE,
    Machine,
    Noise,
    Work,
    chunk_work,
    decode_work,
    even,
    step_seconds,
)

ROUND_NUMBERS = Machine(
    name="m",
    bandwidth=1000.0,
    compute=10_000.0,
    overhead=0.5,
    parameters=50.0,
    weight_bytes=1000.0,
    kv_bytes=2.0,
    attention_flops=4.0,
    slots=4,
    kv_blocks=10,
    block_tokens=16,
    chunk_tokens=100,
    context=1000,
)


def test_each_sequence_decodes_one_token_that_sees_its_context() -> None:
    # 3 tokens; they see, and the step reads, 10 + 20 + 30 = 60
    assert decode_work([10, 20, 30]) == Work(tokens=3, pairs=60, read=60)


def test_the_tokens_of_a_chunk_see_what_is_done_and_one_another() -> None:
    # 3 tokens after 10: they see 11 + 12 + 13 = 36; keys and values of 13 tokens are read
    assert chunk_work(10, 3) == Work(tokens=3, pairs=36, read=13)


def test_a_prompt_in_chunks_is_the_same_attention_as_in_one_piece() -> None:
    parts = chunk_work(0, 4) + chunk_work(4, 6)
    assert (parts.tokens, parts.pairs) == (10, 55)  # 1 + 2 + … + 10 = 55
    assert chunk_work(0, 10).pairs == 55


def test_a_small_batch_waits_for_memory() -> None:
    # bytes: 1000 + 2 × 100 = 1200, ÷ 1000 = 1.2 s; FLOP: 2 × 50 × 1 + 4 × 100 = 500, ÷ 10000 = 0.05 s; 1.2 + 0.5
    assert step_seconds(ROUND_NUMBERS, decode_work([100])) == pytest.approx(1.7)


def test_a_chunk_of_a_prompt_waits_for_arithmetic() -> None:
    # FLOP: 2 × 50 × 100 + 4 × 5050 = 30200, ÷ 10000 = 3.02 s; bytes: 1000 + 2 × 100 = 1200, 1.2 s; 3.02 + 0.5
    assert step_seconds(ROUND_NUMBERS, chunk_work(0, 100)) == pytest.approx(3.52)


def test_a_chunk_slows_the_decode_beside_it() -> None:
    # FLOP: 2 × 50 × 101 + 4 × (5050 + 100) = 30700, 3.07 s; bytes: 1000 + 2 × 200 = 1400, 1.4 s; 3.07 + 0.5
    assert step_seconds(ROUND_NUMBERS, chunk_work(0, 100) + decode_work([100])) == pytest.approx(3.57)


def prefill_seconds(machine: Machine, prompt: int) -> float:
    """Return how long a prompt takes that is alone: the sum of its chunks, linear and, by attention, quadratic."""
    starts = range(0, prompt, machine.chunk_tokens)
    chunks = (chunk_work(done, min(machine.chunk_tokens, prompt - done)) for done in starts)
    return sum(step_seconds(machine, work) for work in chunks)


def test_a_prompt_takes_the_sum_of_its_chunks() -> None:
    # first 100: 3.52 s; next 50 after 100: pairs 50 × 100 + 1275 = 6275, FLOP 5000 + 25100 = 30100, 3.01 + 0.5 = 3.51 s
    assert prefill_seconds(ROUND_NUMBERS, 150) == pytest.approx(3.52 + 3.51)


def test_prefill_is_linear_and_by_attention_quadratic() -> None:
    single, double = (prefill_seconds(ROUND_NUMBERS, tokens) for tokens in (1000, 2000))
    # 10 chunks: weights 10 × 1 s, attention 4 × 500500 ÷ 10000 = 200.2 s, overhead 10 × 0.5 s
    assert single == pytest.approx(10 + 200.2 + 5)
    # 20 chunks: 20 s, 4 × 2001000 ÷ 10000 = 800.4 s, 10 s
    assert double == pytest.approx(20 + 800.4 + 10)


def test_a_step_of_the_plausible_machine() -> None:
    # 16e9 B ÷ 1e12 B/s = 16 ms; 64 sequences of 1024 read 65536 × 131072 B = 8.59 ms more; 2 ms overhead
    assert step_seconds(PLAUSIBLE, decode_work([])) == pytest.approx(0.018)
    assert step_seconds(PLAUSIBLE, decode_work([1024] * 64)) == pytest.approx(0.018 + 0.008589934592)


def test_a_step_of_the_fast_machine_takes_two_milliseconds() -> None:
    # 1e9 B ÷ 1e12 B/s + 1 ms
    assert step_seconds(FAST, decode_work([])) == pytest.approx(0.002)


@pytest.mark.parametrize("work", [decode_work([1]), decode_work([9000] * 64), chunk_work(0, 30000)])
def test_an_even_machine_takes_the_same_time_for_everything(work: Work) -> None:
    assert step_seconds(even(0.02), work) == 0.02


@pytest.mark.parametrize(("tokens", "blocks"), [(1, 1), (16, 1), (17, 2)])
def test_a_block_begun_is_a_block_taken(tokens: int, blocks: int) -> None:
    assert ROUND_NUMBERS.blocks_for(tokens) == blocks


def test_without_spread_there_is_no_noise() -> None:
    assert [Noise().factor() for _ in range(3)] == [1.0, 1.0, 1.0]


def test_noise_repeats_with_its_seed() -> None:
    first, again, other = Noise(0.1, 7), Noise(0.1, 7), Noise(0.1, 8)
    drawn = [first.factor() for _ in range(5)]
    assert drawn == [again.factor() for _ in range(5)]
    assert drawn != [other.factor() for _ in range(5)]
    assert len(set(drawn)) == 5
    assert min(drawn) > 0
