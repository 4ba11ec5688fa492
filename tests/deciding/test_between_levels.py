"""What the guide says of loads between two measured levels: a sentence for every gap."""

from __future__ import annotations

from itertools import pairwise

import pytest

from generator.model import Round
from generator.told.blocks import ByLoad, LoadLine, Table
from tests.support.choices import levels, two
from tests.support.example_rounds import published
from tests.support.telling import analysed, chapter_of, said


def lines_of(round_: Round) -> list[LoadLine]:
    chapter = chapter_of("guide_verdict", analysed(round_))
    assert chapter is not None
    return [line for block in chapter.blocks if isinstance(block, ByLoad) for line in block.lines]


def test_a_load_between_two_levels_has_its_answer() -> None:
    # At C=1 and C=2 the other is ahead by half, at C=4 and C=8 by less than nothing: the lead changes between 2 and 4.
    round_ = two(levels(output_throughput=[100, 200, 400, 800]), levels(output_throughput=[150, 300, 300, 500]))
    text = said(chapter_of("guide_verdict", analysed(round_)), round_)

    assert "Loads between two levels were not measured:" in text
    assert "From C=1 to C=2" in text
    assert "at every level, and likely at the loads between them too." in text
    assert "From C=4 to C=8" in text
    # Straight on log-log axes: the ratio is 1.5 at C=2 and half of that at twice the load: 3 ÷ C, which is 1 at C=3.
    assert (
        "Between C=2 and C=4 the lead changes in output throughput (at C ≈ 3.0): these data do not settle who leads "
        "there; measure before choosing." in text
    )
    assert (
        "C=2 与 C=4 之间没有测过，领先者在这里更替的有输出吞吐（在 C ≈ 3.0 附近）：谁领先还定不下来，先补测再选。"
        in text
    )


def test_a_gap_says_in_which_quantities_its_lead_stays_and_in_which_nobody_leads() -> None:
    # From C=1 to C=2 throughput turns (1.5, then 0.75); TTFT p50 stays with the other (0.5 s to 1 s at both), E2EL p50
    # with the base, and ITL p50 is one per cent apart at C=2: too close to say.
    base = levels(output_throughput=[100, 200], ttft_p50=[1, 1], e2el_p50=[2, 2], itl_p50=[0.010, 0.010])
    other = levels(output_throughput=[150, 150], ttft_p50=[0.5, 0.5], e2el_p50=[3, 3], itl_p50=[0.008, 0.0099])
    round_ = two(base, other)
    (line,) = lines_of(round_)

    zh, en = said(line.sentence, round_).splitlines()

    assert zh == (
        "C=1 与 C=2 之间没有测过，领先者在这里更替的有输出吞吐（在 C ≈ 1.5 附近）：谁领先还定不下来，先补测再选。"
        "E2EL p50 在两侧都由 base 领先，中间多半也是。TTFT p50 在两侧都由 other 领先，中间多半也是。"
        "ITL p50 谁领先，两侧的档位分不出。"
    )
    # ln 1.5 ÷ (ln 1.5 − ln 0.75) = 0.585 of the way, in octaves: C = 1.50.
    assert en == (
        "Between C=1 and C=2 the lead changes in output throughput (at C ≈ 1.5): these data do not settle who leads "
        "there; measure before choosing. In E2EL p50 base leads at both levels, and likely between them. In TTFT p50 "
        "other leads at both levels, and likely between them. The levels on either side leave open who leads in ITL "
        "p50."
    )


def test_a_quantity_that_keeps_its_leader_where_others_change_it_is_named() -> None:
    # TTFT p50 is llama.cpp's from C=1 to C=64; that of p99 is too close at C=8.
    round_ = published("round-2")
    (turning,) = (line for line in lines_of(round_) if list(line.gaps) == [(8, 16)])
    text = said(turning.sentence, round_)

    assert "In TTFT p50 llama.cpp Q4_K_M leads at both levels, and likely between them." in text
    assert "The levels on either side leave open who leads in TTFT p99." in text


def test_each_line_names_its_gaps_by_rising_load() -> None:
    round_ = two(levels(output_throughput=[100, 200, 400, 800]), levels(output_throughput=[150, 300, 300, 500]))
    assert [(line.key, line.gaps) for line in lines_of(round_)] == [
        ("guide-gap-leads-other-c1-c2", ((1, 2),)),
        ("guide-gap-turns-other-c2-c4", ((2, 4),)),
        ("guide-gap-leads-other-c4-c8", ((4, 8),)),
    ]


def test_where_the_levels_are_too_close_nothing_is_likely_and_that_is_said() -> None:
    # One per cent apart everywhere: nobody leads by enough, and gaps that follow each other are told of as one.
    round_ = two(levels(output_throughput=[100, 200, 400]), levels(output_throughput=[101, 202, 404]))
    (line,) = lines_of(round_)

    assert list(line.gaps) == [(1, 2), (2, 4)]
    text = said(chapter_of("guide_verdict", analysed(round_)), round_)
    assert "从 C=1 到 C=4，各档之间的负载谁领先还定不下来，先补测再选：两侧的档位分不出谁的输出吞吐领先。" in text
    assert "the levels on either side leave open who leads in output throughput" in text


def test_a_gap_over_a_level_that_does_not_count_says_so() -> None:
    round_ = published("round-2")
    (*_, last) = lines_of(round_)  # C=32 failed a check
    text = said(chapter_of("guide_verdict", analysed(round_)), round_)

    assert list(last.gaps) == [(16, 64)]
    assert "C=16 与 C=64 之间谁领先还定不下来，先补测再选。" in text
    assert "自检排除了 llama.cpp Q4_K_M 的 C=32（见“异常”）。" in text
    assert (
        "Between C=16 and C=64 these data do not settle who leads; measure before choosing. "
        "A check excluded C=32 of llama.cpp Q4_K_M (see Anomaly)." in text
    )


@pytest.mark.parametrize("name", ["round-1", "round-2", "cpu-engines", "cpu-cliff"])
def test_every_gap_between_the_levels_of_a_table_has_a_line_and_an_address_of_its_own(name: str) -> None:
    chapter = chapter_of("guide_verdict", analysed(published(name)))
    assert chapter is not None
    tables = [block for block in chapter.blocks if isinstance(block, Table)]
    by_load = [block for block in chapter.blocks if isinstance(block, ByLoad)]
    for table, block in zip(tables, by_load, strict=True):
        assert {gap for line in block.lines for gap in line.gaps} == set(pairwise(table.loads))
    keys = [line.key for block in by_load for line in block.lines]
    assert len(keys) == len(set(keys)) > 0


def test_one_level_has_no_gap() -> None:
    assert lines_of(two(levels(output_throughput=[100]), levels(output_throughput=[200]))) == []


def test_rates_are_no_requests_in_flight() -> None:
    at = ({"rate": 1, "output_throughput": 100}, {"rate": 2, "output_throughput": 200})
    base, other = (
        {
            f"r{number}": {**level, "output_throughput": level["output_throughput"] * times}
            for number, level in enumerate(at)
        }
        for times in (1, 2)
    )
    (line,) = lines_of(two(base, other))
    assert line.gaps == ()
