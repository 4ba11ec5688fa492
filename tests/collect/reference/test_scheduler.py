from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.collect.reference.model import FAST, Machine, Noise, Reserve, even
from generator.collect.reference.scheduler import Engine, Sequence, Token, spread_over
from tests.collect.reference.simulating import simulate

MS = 1_000_000
TEN = even(0.010, slots=2)
"""Two slots; every step takes 10 ms."""


def asked(number: int, output: int, arrived: int = 0, prompt: int = 4) -> Sequence:
    return Sequence(number, prompt, output, arrived * MS)


def told(machine: Machine, *sequences: Sequence) -> list[tuple[int, int, int]]:
    """Return request, index and ms of each token."""
    return [(token.sequence.id, token.index, token.at // MS) for token in simulate(Engine(machine), sequences)]


def test_a_request_alone_gets_a_token_a_step() -> None:
    # prompt in one step, whose end is the first token; then 10 ms each
    assert told(TEN, asked(0, 3, arrived=5)) == [(0, 0, 15), (0, 1, 25), (0, 2, 35)]


def test_a_request_waits_for_the_step_under_way() -> None:
    # 1 comes at 5 ms, in the step from 0 to 10: its prompt is done from 10 to 20
    assert told(TEN, asked(0, 2), asked(1, 1, arrived=5)) == [(0, 0, 10), (0, 1, 20), (1, 0, 20)]


def test_the_third_of_two_slots_waits_until_one_is_free() -> None:
    # 0 ends at 10 ms, so 2 is taken up at 10 and has its token at 20
    assert told(TEN, asked(0, 1), asked(1, 3), asked(2, 1)) == [
        (0, 0, 10),
        (1, 0, 10),
        (1, 1, 20),
        (2, 0, 20),
        (1, 2, 30),
    ]


def test_an_idle_engine_starts_when_the_next_request_comes() -> None:
    assert told(TEN, asked(0, 1), asked(1, 1, arrived=500)) == [(0, 0, 10), (1, 0, 510)]


def test_a_long_prompt_is_done_in_chunks_beside_the_decode() -> None:
    # 100 tokens a step: 250 tokens take three steps, in each of which 0 gets its token
    machine = replace(TEN, chunk_tokens=100)
    expected = [(0, 0, 10), (0, 1, 20), (0, 2, 30), (0, 3, 40), (1, 0, 40)]
    assert told(machine, asked(0, 4), asked(1, 1, arrived=1, prompt=250)) == expected


def test_prompts_share_a_step_in_the_order_of_their_admission() -> None:
    # 100 tokens a step: 60 of 0 and 40 of 1 in the first, the other 20 of 1 in the second
    machine = replace(TEN, chunk_tokens=100)
    assert told(machine, asked(0, 1, prompt=60), asked(1, 1, prompt=60)) == [(0, 0, 10), (1, 0, 20)]


def test_prefill_makes_the_step_longer_for_those_that_decode() -> None:
    alone = simulate(Engine(FAST), [asked(0, 3)])
    disturbed = simulate(Engine(FAST), [asked(0, 3), asked(1, 1, arrived=1, prompt=512)])
    before, during = alone[1].at - alone[0].at, disturbed[1].at - disturbed[0].at
    # FLOP of 512 + 1 tokens: 2 × 0.5e9 × 513 + 65536 × (512 × 513 ÷ 2 + 5) = 5.216e11, ÷ 150e12 = 3.477 ms, + 1 ms
    assert before == pytest.approx(2.0 * MS, rel=0.001)
    assert during == pytest.approx(4.477 * MS, rel=0.001)


def test_a_request_waits_for_room_in_the_pool_and_those_behind_it_wait_too() -> None:
    # 4 blocks of 16: 0 takes 2 (4 + 28 tokens), 1 wants 3, 2 would fit but does not overtake
    machine = replace(TEN, slots=3, kv_blocks=4)
    tokens = simulate(Engine(machine), [asked(0, 28), asked(1, 44), asked(2, 4)])
    firsts = {token.sequence.id: token.at // MS for token in tokens if token.index == 0}
    # 0 ends at 280; 1 (3 blocks) and 2 (1 block) are taken up together then
    assert firsts == {0: 10, 1: 290, 2: 290}


def test_what_cannot_ever_fit_is_refused() -> None:
    engine = Engine(replace(TEN, kv_blocks=2, context=100))
    assert engine.fits(20, 12)
    assert not engine.fits(20, 13)  # 33 tokens want 3 blocks
    assert not Engine(replace(TEN, context=100)).fits(90, 11)
    with pytest.raises(ValueError, match="7"):
        engine.arrive(asked(7, 100))


@pytest.mark.parametrize(("prompt", "output"), [(0, 1), (1, 0)])
def test_nothing_cannot_be_asked_for(prompt: int, output: int) -> None:
    with pytest.raises(ValueError, match="0"):
        Engine(TEN).arrive(Sequence(0, prompt, output, 0))


def test_who_gives_up_makes_room() -> None:
    engine = Engine(TEN)
    running, waiting, last = asked(0, 50), asked(1, 50), asked(2, 1)
    other = asked(3, 50)
    for sequence in (running, other, waiting, last):
        engine.arrive(sequence)
    step = engine.begin(0)
    assert step is not None
    engine.cancel(running)
    engine.cancel(waiting)
    assert [token.sequence.id for token in engine.finish(step)] == [3]
    following = engine.begin(step.ends)
    assert following is not None
    assert [sequence.id for sequence in following.admitted] == [2]
    assert engine.totals.cancelled == 2


def test_giving_up_what_has_ended_changes_nothing() -> None:
    engine, sequence = Engine(TEN), asked(0, 1)
    simulate(engine, [sequence])
    engine.cancel(sequence)
    assert (engine.totals.completed, engine.totals.cancelled, engine.pool.used) == (1, 0, 0)


def test_a_long_run_does_not_drift() -> None:
    # 10000 tokens in steps of exactly 10 ms
    assert simulate(Engine(TEN), [asked(0, 10_000)])[-1].at == 10_000 * 10 * MS


def test_the_totals_add_up() -> None:
    engine = Engine(TEN)
    simulate(engine, [asked(0, 3), asked(1, 1, prompt=10)])
    totals = engine.totals
    assert (totals.prompt_tokens, totals.generated, totals.completed, totals.steps) == (14, 4, 2, 3)
    # both prompts take one step of 10 ms; 0 decodes for two more; slots in use: 2 + 1 + 1
    assert (totals.prompt_time, totals.decode_time, totals.batched) == (20 * MS, 20 * MS, 4)
    assert totals.longest == 11


def test_the_same_arrivals_and_seed_give_the_same_times() -> None:
    def times(seed: int) -> list[int]:
        engine = Engine(FAST, Noise(0.2, seed))
        return [token.at for token in simulate(engine, [asked(n, 20, arrived=n) for n in range(12)])]

    assert times(1) == times(1)
    assert times(1) != times(2)


def test_slots_show_who_holds_them() -> None:
    first, second = asked(0, 1), asked(1, 1)
    first.slot, second.slot = 2, 0
    assert spread_over([first, second], 3) == [second, None, first]


GROWING = replace(TEN, kv_blocks=4, block_tokens=4, reserve="grow")
"""Two slots, steps of 10 ms, and four blocks of four tokens that are taken as tokens come."""


def test_blocks_are_taken_as_tokens_come() -> None:
    engine = Engine(GROWING)
    engine.arrive(asked(0, 6))
    held = []
    at = 0
    while (step := engine.begin(at)) is not None:
        held.append(engine.pool.used)
        engine.finish(step)
        at = step.ends
    # a prompt of 4 takes one block; the steps that compute tokens 5 to 8 and 9 take a second and a third
    assert held == [1, 2, 2, 2, 2, 3]


def test_the_youngest_gives_way_and_computes_again_what_it_had() -> None:
    engine = Engine(GROWING)
    old, young = asked(0, 8), asked(1, 8)
    tokens = simulate(engine, [old, young])
    # Both have 1 token at 10 ms and hold two blocks each from then on, until 8 tokens are in them: 5 made, at 50 ms.
    # The ninth of the old one wants a block: the young one gives up its two. The old one ends at 80 ms.
    # The young one computes 4 + 5 tokens in the step to 90 ms, which makes its sixth, and has its eighth at 110 ms.
    times = [token.at // MS for token in tokens if token.sequence is young]
    assert times == [10, 20, 30, 40, 50, 90, 100, 110]
    assert old.ended // MS == 80
    assert (engine.totals.preemptions, young.preempted, old.preempted) == (1, 1, 0)
    assert (engine.totals.prompt_tokens, engine.totals.again) == (8, 9)
    assert (young.admitted, engine.pool.used) == (0, 0)


def test_nobody_is_taken_up_in_a_step_that_preempts() -> None:
    engine = Engine(replace(GROWING, slots=3))
    for sequence in (asked(0, 8), asked(1, 8), asked(2, 8, arrived=1)):
        engine.arrive(sequence)
    steps = []
    at = 0
    while (step := engine.begin(at)) is not None:
        steps.append(step)
        engine.finish(step)
        at = step.ends
    [preempting] = [step for step in steps if 1 in {one.id for one in step.preempted}][:1]
    assert preempting.admitted == ()
    assert [one.id for step in steps for one in step.admitted][:3] == [0, 1, 1]  # it goes ahead of who came later


def test_reserving_the_whole_preempts_nobody() -> None:
    engine = Engine(replace(GROWING, reserve="whole"))
    simulate(engine, [asked(0, 8), asked(1, 8)])
    assert (engine.totals.preemptions, engine.totals.again) == (0, 0)


requests = st.lists(st.tuples(st.integers(1, 200), st.integers(1, 40), st.integers(0, 300)), min_size=1, max_size=30)


@given(
    requests=requests,
    slots=st.integers(1, 5),
    blocks=st.integers(15, 40),
    chunk=st.integers(1, 150),
    reserve=st.sampled_from(["whole", "grow"]),
)
def test_whatever_comes_is_answered_in_full_in_order_and_within_the_slots(
    requests: list[tuple[int, int, int]], slots: int, blocks: int, chunk: int, reserve: Reserve
) -> None:
    # 15 blocks hold the largest, 240 tokens
    machine = replace(FAST, slots=slots, kv_blocks=blocks, chunk_tokens=chunk, reserve=reserve)
    sequences = [asked(n, output, arrived, prompt) for n, (prompt, output, arrived) in enumerate(requests)]
    engine = Engine(machine)
    tokens, most, blocks_used = driven(engine, sequences)
    assert Counter(token.sequence.id for token in tokens) == {one.id: one.output for one in sequences}
    assert most <= slots
    assert blocks_used <= blocks
    assert (engine.pool.used, len(engine.running), len(engine.waiting)) == (0, 0, 0)
    by_arrival = sorted(sequences, key=lambda one: one.arrived)
    admitted = [one.admitted for one in by_arrival]
    assert admitted == sorted(admitted)
    assert all(one.arrived <= one.admitted < one.first <= one.ended for one in sequences)
    assert engine.totals.prompt_tokens == sum(one.prompt for one in sequences)
    assert engine.totals.preemptions == sum(one.preempted for one in sequences)


def driven(engine: Engine, sequences: list[Sequence]) -> tuple[list[Token], int, int]:
    """Return the tokens, the largest batch, and the most blocks in use, looking at each step."""
    for sequence in sorted(sequences, key=lambda one: one.arrived):
        engine.arrive(sequence)
    tokens: list[Token] = []
    at = most = blocks = 0
    while (step := engine.begin(at)) is not None:
        most, blocks = max(most, len(engine.running)), max(blocks, engine.pool.used)
        tokens += engine.finish(step)
        at = step.ends
    return tokens, most, blocks
