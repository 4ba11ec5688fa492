"""Levels that belong together."""

from __future__ import annotations

from generator.across.ladders import is_curved, ladder, limit_of, most_in_flight, rungs, rungs_of, sweep, walls
from generator.model import Level
from tests.support.analyses import small_analysis
from tests.support.ladder_rounds import ladder_and_sweep
from tests.support.memory_round import Levels, memory_round
from tests.support.telling import analysed


def swept(levels: Levels) -> list[str]:
    analysis = analysed(memory_round({"a": levels}))
    return [level.id for level in sweep(analysis, analysis.round.series[0])]


def at(concurrency: float, length: float) -> dict[str, float]:
    return {"concurrency": concurrency, "asked_input_tokens": length}


def test_levels_of_one_load_and_three_lengths_are_a_sweep_by_rising_length() -> None:
    assert swept({"long": at(1, 512), "short": at(1, 32), "middle": at(1, 128), "c8": at(8, 128)}) == [
        "short",
        "middle",
        "long",
    ]


def test_two_lengths_are_none() -> None:
    assert swept({"long": at(1, 512), "short": at(1, 32), "again": at(1, 32), "c8": at(8, 128)}) == []


def test_of_two_sweeps_that_at_the_lower_load_counts() -> None:
    low = {f"low{length}": at(1, length) for length in (32, 64, 128)}
    high = {f"high{length}": at(4, length) for length in (32, 64, 128, 256)}

    assert swept({**high, **low}) == ["low32", "low64", "low128"]


def test_a_curve_is_one_where_the_square_is_more_than_twice_its_error_from_zero() -> None:
    # t = 0.01 + 1e-4 n + 1e-8 n², and the same without the square but with noise of both signs
    lengths = (100, 1000, 2000, 4000, 8000)
    bent = {f"n{n}": {**at(1, n), "ttft_p50": 0.01 + 1e-4 * n + 1e-8 * n * n} for n in lengths}
    noise = (0.003, -0.003, 0.003, -0.003, 0.003)
    straight = {f"n{n}": {**at(1, n), "ttft_p50": 0.01 + 1e-4 * n + off} for n, off in zip(lengths, noise, strict=True)}
    analysis = analysed(memory_round({"bent": bent, "straight": straight}))

    assert is_curved(analysis, "bent")
    assert not is_curved(analysis, "straight")


# Ladders


def laddered(levels: Levels) -> list[str]:
    analysis = analysed(memory_round({"a": levels}))
    return [level.id for level in ladder(analysis, analysis.round.series[0])]


def test_levels_of_the_length_with_most_loads_are_the_ladder_by_rising_load() -> None:
    sweep_at_one = {f"in{length}": at(1, length) for length in (32, 64, 128, 256)}

    assert laddered({"c4": at(4, 512), "c2": at(2, 512), **sweep_at_one, "c1": at(1, 512)}) == ["c1", "c2", "c4"]


def test_more_levels_of_one_load_are_no_more_of_a_ladder() -> None:
    again = {f"again{number}": at(1, 64) for number in range(5)}

    assert laddered({**again, "c1": at(1, 512), "c2": at(2, 512)}) == ["c1", "c2"]


def test_counted_lengths_need_only_be_alike() -> None:
    # Means of 100, 110 and 200 tokens out; 10 % is one workload, twice as much is another.
    counted = {
        f"c{load}": {
            "concurrency": load, "completed": 10, "input_tokens_counted": 500, "output_tokens_counted": 10 * each,
        }
        for load, each in ((1, 100), (2, 110), (4, 200))
    }  # fmt: skip

    assert laddered(counted) == ["c1", "c2"]


def test_rates_of_one_limit_are_a_ladder_of_their_own() -> None:
    rates = {f"r{rate}": {"rate": float(rate)} for rate in (1, 2, 3)}
    limited = {f"l{rate}": {"rate": float(rate), "concurrency": 4.0} for rate in (1, 2)}
    analysis = analysed(memory_round({"a": {**rates, **limited, "c1": at(1, 64), "c2": at(2, 64)}}))
    [series] = analysis.round.series

    assert [level.id for level in ladder(analysis, series)] == ["r1", "r2", "r3"]
    assert [level.id for level in ladder(analysis, series, "concurrency")] == ["c1", "c2"]
    assert {level.id for level in rungs_of(analysis, series)} == {"r1", "r2", "r3", "c1", "c2"}


def test_levels_without_a_load_are_left_as_they_are() -> None:
    assert [level.id for level in rungs([Level("pp"), Level("tg")], lambda _, __: None)] == ["pp", "tg"]
    assert laddered({"pp": {}, "tg": {}}) == []


def test_excluded_levels_are_no_rungs() -> None:
    analysis = small_analysis(spoil={"vllm-bf16": ["c8"]})

    assert [level.id for level in ladder(analysis, analysis.round.series_by_id("vllm-bf16"))] == ["c1", "c64"]


def test_a_limit_stands_beside_a_rate_alone() -> None:
    assert limit_of(Level("a", concurrency=4)) is None
    assert limit_of(Level("b", concurrency=4, rate=2.0)) == 4


def test_walls_are_told_the_lowest_first() -> None:
    # 16000 ÷ 1200 = 13.3 by memory, 16 slots, 16 GB ÷ (1100 × 131072 B) = 111 by bandwidth; 64 in flight at most.
    analysis = analysed(ladder_and_sweep())
    [series] = analysis.round.series

    assert [key for _, key in walls(analysis, series)] == ["wall_memory", "wall_scheduler", "wall_bandwidth"]
    most = most_in_flight(analysis, series)
    assert most is not None
    assert (most[0], most[1].id) == (64, "c64")
