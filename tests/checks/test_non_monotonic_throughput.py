from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import Levels, address, memory_round, observation
from tests.support.telling import found_by, said, throughputs

CHECK = "non_monotonic_throughput"


def findings(levels: Levels) -> list[Finding]:
    return found_by(CHECK, memory_round({"s": levels}))


def words(levels: Levels) -> str:
    return said(findings(levels), memory_round({"s": levels}))


def test_collapse_of_the_second_round_spoils_its_level() -> None:
    # 443.7 at C=32 is 19 % below the 548.0 of C=16, and C=64 delivers 1064.8.
    # Off the log–log line of its neighbours: C=32 by ln(√(548.0 × 1064.8) ÷ 443.7) = ln(763.9 ÷ 443.7) = 0.54,
    # C=16 by ln(548.0 ÷ √(415.6 × 443.7)) = ln(548.0 ÷ 429.4) = 0.24: C=32 is at fault.
    (dip, rises) = found_by(CHECK, published("round-2"))

    assert (dip.status, dip.series, dip.spoils) == ("fail", "llamacpp-q4_k_m", ("c32",))
    assert dip.looks == "worse"
    assert [address.level for address in dip.evidence] == ["c16", "c32", "c64"]
    assert (rises.status, rises.series, rises.spoils) == ("pass", "vllm-bf16", ())
    text = said(dip, published("round-2"))
    assert "delivers 443.7 tok/s at C=32, less than 548.0 tok/s at C=16 (a fall of more than 2% counts), while" in text
    assert "look worse" in text


@pytest.mark.parametrize(
    "levels",
    [
        pytest.param(throughputs(100, 200, 400), id="rises"),
        pytest.param(throughputs(100, 200, 200, 200), id="plateau"),
        pytest.param(throughputs(100, 98.5, 120), id="fall within the tolerance: 98.5 > 98"),
        pytest.param(throughputs(100, 200, 300, 296), id="fall within the tolerance at the end: 296 > 294"),
        pytest.param(throughputs(0, 100, 200), id="nothing at first"),
    ],
)
def test_curve_that_does_not_fall_passes(levels: Levels) -> None:
    (finding,) = findings(levels)

    assert (finding.status, finding.spoils) == ("pass", ())
    assert {address.level for address in finding.evidence} == set(levels)


def test_fall_beyond_the_tolerance_spoils() -> None:
    (finding,) = findings(throughputs(100, 97.9, 120))  # 97.9 < 100 × 0.98

    assert finding.spoils == ("c2",)


def repeated(*by_level: tuple[float, ...]) -> Round:
    """Return levels of 1, 2, 4 … at once with the throughput of each of their runs."""
    levels = {f"c{2**row}": runs for row, runs in enumerate(by_level)}
    further = [
        observation(address("output_throughput", "level", "s", level, trial=trial), speed, "reported")
        for level, runs in levels.items()
        for trial, speed in enumerate(runs, start=1)
    ]
    series: Levels = {level: {"concurrency": 2.0**row} for row, level in enumerate(levels)}
    return memory_round(
        {"s": series},
        further=further,
        runs={("s", level, trial): None for level, runs in levels.items() for trial in range(1, len(runs) + 1)},
    )


def test_what_every_run_of_a_level_shows_is_the_engine_and_stays() -> None:
    # Medians 30, 27, 36: a dip of 10 %. The most of C=2, 28, is below the least of C=1, 29.
    round_ = repeated((29.0, 30.0, 31.0), (26.0, 27.0, 28.0), (35.0, 36.0, 37.0))
    (finding,) = found_by(CHECK, round_)

    assert (finding.status, finding.spoils, finding.looks) == ("note", (), None)
    assert "all 3 runs of it show this, so it is how the engine behaves here" in said(finding, round_)


def test_runs_that_overlap_those_of_the_level_before_may_be_scatter() -> None:
    # Medians 30, 27, 36 again, and one run of C=2 delivered 29.5, more than the least of C=1.
    round_ = repeated((29.0, 30.0, 31.0), (26.0, 27.0, 29.5), (35.0, 36.0, 37.0))
    (finding,) = found_by(CHECK, round_)

    assert (finding.status, finding.spoils) == ("warn", ())
    assert "its runs overlap those at C=1, so this may be scatter, and it is not excluded" in said(finding, round_)


def test_what_excludes_a_level_says_from_which_fall_on_it_does() -> None:
    # 27 is 10 % below 30, and 36 is above both. 40 lies off the line from 30 to 44, and 36 behind it is 10 % lower.
    low, high = (words(throughputs(*amounts)) for amounts in ((30, 27, 36), (30, 40, 36, 44)))

    assert (
        "s 在 C=2 只有 27.0 tok/s，低于 C=1 的 30.0 tok/s（跌幅超过 2% 即算），而 C=4 又升到 36.0 tok/s：这一档已排除。"
        in low
    )
    assert "s delivers 27.0 tok/s at C=2, less than 30.0 tok/s at C=1 (a fall of more than 2% counts), while C=4" in low
    assert "leaps to 40.0 tok/s at C=2" in high
    assert "其后吞吐跌落（跌幅超过 2% 即算），所以这一档已排除。" in high
    assert "throughput falls behind it (a fall of more than 2% counts), so this level is excluded." in high


def test_two_runs_are_too_few_to_tell() -> None:
    (finding,) = found_by(CHECK, repeated((29.0, 30.0), (26.0, 27.0), (35.0, 36.0)))

    assert finding.spoils == ("c2",)


def test_fall_at_the_end_warns_and_spoils_nothing() -> None:
    (finding,) = findings(throughputs(100, 200, 300, 250))  # 250 < 300 × 0.98, and nothing recovers

    assert (finding.status, finding.levels, finding.spoils) == ("warn", ("c8",), ())
    text = words(throughputs(100, 200, 300, 250))
    assert "peaks at C=4 with 300 tok/s, is lower at C=8 and does not recover" in text
    assert "在 C=4 达到峰值 300 tok/s，到 C=8 回落" in text


def test_spike_is_blamed_and_not_the_level_behind_it() -> None:
    # Off the line: C=2 by ln(100 ÷ √(10 × 20)) = 1.96, C=4 by ln(√(100 × 40) ÷ 20) = 1.15.
    levels = throughputs(10, 100, 20, 40, 160)
    (finding,) = findings(levels)

    assert (finding.status, finding.spoils) == ("fail", ("c2",))
    assert "leaps to 100 tok/s at C=2, between 10.0 tok/s at C=1 and 20.0 tok/s at C=4" in words(levels)
    assert finding.looks == "better"
    assert "look better" in words(levels)


def test_two_dips_are_found_and_held_against_levels_that_stay() -> None:
    first, second = findings(throughputs(100, 50, 200, 120, 400))

    assert [address.level for address in first.evidence] == ["c1", "c2", "c4"]
    assert [address.level for address in second.evidence] == ["c4", "c8", "c16"]


def test_neighbouring_dips_are_not_held_against_each_other() -> None:
    first, second = findings(throughputs(100, 80, 70, 200))

    assert [address.level for address in first.evidence] == ["c1", "c2", "c8"]
    assert [address.level for address in second.evidence] == ["c1", "c4", "c8"]


def test_dip_and_a_fall_at_the_end_are_two_findings() -> None:
    dip, fall = findings(throughputs(100, 50, 200, 150))

    assert (dip.status, dip.levels) == ("fail", ("c2",))
    assert (fall.status, fall.levels) == ("warn", ("c8",))


def test_level_that_only_seemed_a_spike_is_taken_back() -> None:
    # C=2 goes first: it is ln(100 ÷ √(60 × 55)) = 0.55 off, C=4 only ln(√(100 × 56) ÷ 55) = 0.31.
    # Once C=4 and C=8 have gone as well, 60, 100, 101 rises.
    assert [finding.spoils for finding in findings(throughputs(60, 100, 55, 56, 101))] == [("c4",), ("c8",)]


@pytest.mark.parametrize(
    "levels",
    [
        pytest.param({}, id="no level"),
        pytest.param(throughputs(100, 50), id="two levels"),
        pytest.param(
            {f"c1-in{n}": {"concurrency": 1, "asked_input_tokens": n, "output_throughput": n} for n in (3, 2, 1)},
            id="a sweep over lengths",
        ),
        pytest.param(
            {f"c1-{n}": {"concurrency": 1, "output_throughput": n} for n in (3, 2, 1)}, id="three times the same load"
        ),
    ],
)
def test_fewer_than_three_loads_say_nothing(levels: Levels) -> None:
    (finding,) = findings(levels)

    assert finding.status == "unknown"
    assert finding.remedy is not None
    assert "at fewer than 3 levels" in words(levels)


def test_curves_of_other_lengths_are_examined_apart() -> None:
    short = {f"{key}-in1": {**seen, "asked_input_tokens": 1} for key, seen in throughputs(100, 200, 400).items()}
    long = {f"{key}-in9": {**seen, "asked_input_tokens": 9} for key, seen in throughputs(10, 5, 40).items()}

    dip, rise = findings({**short, **long})

    assert dip.spoils == ("c2-in9",)
    assert rise.levels == ("c1-in1", "c2-in1", "c4-in1")


def test_level_that_delivers_nothing_between_others_is_the_worst_dip() -> None:
    (finding,) = findings(throughputs(100, 0, 200, 300))

    assert (finding.status, finding.spoils) == ("fail", ("c2",))
    assert "delivers 0 tok/s at C=2, less than 100 tok/s at C=1 (a fall" in words(throughputs(100, 0, 200, 300))


def test_series_that_delivers_nothing_has_no_curve() -> None:
    (finding,) = findings(throughputs(0, 0, 0))

    assert finding.status == "unknown"
    assert "delivers nothing at any level" in words(throughputs(0, 0, 0))


def test_repetitions_of_a_load_are_all_examined() -> None:
    # 100, then 90 and 210 at C=2, then 400: only the lower repetition falls below C=1.
    again = {"again": {"concurrency": 2, "output_throughput": 90}}
    (dip,) = findings({**throughputs(100, 210, 400), **again})

    assert (dip.status, dip.spoils) == ("fail", ("again",))


def test_rates_do_not_continue_concurrencies() -> None:
    # By number alone 5 at 2 req/s would stand between 100 at C=1 and 400 at C=4.
    rates = {f"r{rate}": {"rate": rate, "output_throughput": amount} for rate, amount in ((2, 5), (3, 7), (5, 9))}
    closed, open_ = findings({**throughputs(100, 200, 400), **rates})

    assert (closed.status, closed.levels) == ("pass", ("c1", "c2", "c4"))
    assert (open_.status, open_.levels) == ("pass", ("r2", "r3", "r5"))


def with_dip(**seen: float) -> Levels:
    """Return a series that dips at C=2, of which more is known there."""
    levels = throughputs(100, 50, 200)
    return {**levels, "c2": {**levels["c2"], **seen}}


def test_a_dip_of_few_answers_is_a_warning_that_says_so() -> None:
    (finding,) = findings(with_dip(completed=9, requests=9))

    assert (finding.status, finding.levels, finding.spoils) == ("warn", ("c2",), ())
    text = words(with_dip(completed=9, requests=9))
    assert "perhaps only because it rests on 9 answers, so it is not excluded" in text
    assert "原因可能只是这一档只有 9 条回答，所以这一档没有排除" in text


def test_a_dip_with_failures_is_a_warning_that_says_so() -> None:
    (finding,) = findings(with_dip(completed=90, requests=120))

    assert (finding.status, finding.spoils) == ("warn", ())
    assert "perhaps only because 30 of its 120 requests failed" in words(with_dip(completed=90, requests=120))


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param({"completed": 20, "requests": 20}, id="enough answers"),
        pytest.param({"completed": 319, "requests": 320}, id="0.3 % failed"),
    ],
)
def test_a_dip_that_nothing_else_explains_spoils(seen: dict[str, float]) -> None:
    (finding,) = findings(with_dip(**seen))

    assert (finding.status, finding.spoils) == ("fail", ("c2",))


def test_rates_under_one_limit_are_a_curve_over_the_rate() -> None:
    limited = {
        f"r{rate}": {"rate": rate, "concurrency": 128, "output_throughput": amount}
        for rate, amount in ((1, 100), (2, 50), (4, 200))
    }
    (finding,) = findings(limited)

    assert finding.spoils == ("r2",)


def test_counted_lengths_part_the_curve() -> None:
    # C=1 and C=4 of 100 tokens of output, C=2 of 400: no two levels of one length fall
    counted = {
        level: {**seen, "completed": 50, "input_tokens_counted": 5000, "output_tokens_counted": 50 * tokens}
        for (level, seen), tokens in zip(throughputs(100, 50, 200).items(), (100, 400, 100), strict=True)
    }

    assert [finding.status for finding in findings(counted)] == ["unknown"]


def test_a_dent_in_a_plateau_is_no_fall_that_lasts() -> None:
    # 31.0 is more than 31.5 × 0.98 = 30.87: as high as the peak again, but no higher, so that nothing is excluded.
    levels = throughputs(31.5, 23.2, 31.0)
    (finding,) = findings(levels)

    assert (finding.status, finding.levels, finding.spoils) == ("warn", ("c2",), ())
    text = words(levels)
    assert "dips to 23.2 tok/s at C=2 and is back to 31.0 tok/s at C=4, no higher than the peak of 31.5 tok/s" in text
    assert "不再恢复" not in text
    assert "does not recover" not in text


def test_what_falls_behind_a_dent_and_stays_low_does_not_recover() -> None:
    dent, fall = findings(throughputs(31.5, 23.2, 31.0, 20.0))

    assert (dent.levels, fall.levels) == (("c2",), ("c8",))
