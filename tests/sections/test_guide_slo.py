from __future__ import annotations

from dataclasses import replace

from generator.model import Round
from generator.told.blocks import Table
from generator.told.sentence import LevelName
from tests.support.choices import levels
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, chapter_of, said


def round_with(ttft_ms: float | None = None, **columns: list[float]) -> Round:
    made = memory_round({"s": levels(**columns)})
    workload = made.file.workload.model_copy(update={"slo_ttft_ms": ttft_ms})
    return replace(made, file=made.file.model_copy(update={"workload": workload}))


def test_targets_of_the_round_end_the_capacity() -> None:
    round_ = round_with(300, ttft_p95=[0.1, 0.2, 0.4])
    text = said(chapter_of("guide_slo", analysed(round_)), round_)

    assert "s keeps them up to C=2; at C=4 its TTFT p95 is 400 ms." in text
    assert "TTFT ≤ 300 ms" in text


def test_a_series_may_keep_them_throughout_or_nowhere() -> None:
    all_of_them, none = round_with(900, ttft_p95=[0.1, 0.2]), round_with(50, ttft_p95=[0.1, 0.2])

    assert "up to C=2, the highest level measured" in said(chapter_of("guide_slo", analysed(all_of_them)), all_of_them)
    assert "misses them at its lowest level, C=1" in said(chapter_of("guide_slo", analysed(none)), none)


def test_what_lies_beyond_an_excluded_level_is_not_counted() -> None:
    # C=8 delivers half of C=4 and is excluded: that C=16 keeps the target again counts for nothing.
    throughput, waits = [100.0, 200, 400, 200, 800], [0.1, 0.1, 0.1, 0.1, 0.1]
    declared = round_with(300, output_throughput=throughput, ttft_p99=waits)
    usual = round_with(output_throughput=throughput, ttft_p99=waits)

    text = said(chapter_of("guide_slo", analysed(declared)), declared)
    assert "s keeps them up to C=4; C=8 above it is excluded (see Anomaly), and no level beyond that counts." in text
    assert "s 到 C=4 为止达标；再往上的 C=8 已排除（见“异常”），它以上的档位不算数。" in text
    assert "C=4 (C=8 is excluded)" in said(chapter_of("guide_slo", analysed(usual)), usual)


def test_targets_without_percentiles_cannot_be_held_against_anything() -> None:
    round_ = round_with(300, ttft_p50=[0.1])

    assert "no tail percentile" in said(chapter_of("guide_slo", analysed(round_)), round_)


def test_usual_targets_stand_in_for_none() -> None:
    # 0.3 s at C=2: below 0.5 s, above 0.2 s.
    round_ = round_with(ttft_p99=[0.1, 0.3])
    chapter = chapter_of("guide_slo", analysed(round_))

    assert chapter is not None
    assert "TTFT p99 ≤ 200" in said(chapter, round_)  # the percentile that is there
    [table] = (block for block in chapter.blocks if isinstance(block, Table))
    assert table.rows[0].cells[1] == LevelName("s", "c1")
    assert not isinstance(table.rows[1].cells[1], LevelName)  # all levels keep it, and it says so


def test_without_any_tail_there_is_nothing_to_tell() -> None:
    assert chapter_of("guide_slo", analysed(round_with(output_throughput=[100.0]))) is None
