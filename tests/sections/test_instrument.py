from __future__ import annotations

from pathlib import Path

from generator.model import Round
from generator.told.blocks import Table
from tests.sections.test_distributions import cells
from tests.support.collected_rounds import CALIBRATION, START, planned, put_json, put_run, read
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, chapter_of, said

MEASURES = {
    "client_cpu_share": 0.25,
    "client_schedule_lag_p99": 0.125,
    "client_kernel_stamps": 1.0,
    "client_chunks_per_read": 1.5,
    "client_retries": 2.0,
}


def collected(folder: Path) -> Round:
    planned(folder)
    put_json(folder / "calibration.json", CALIBRATION)
    put_json(folder / "s" / "sessions" / "1" / "cold_start.json", START)
    put_run(folder / "s" / "levels" / "c1" / "1", MEASURES)
    return read(folder)


def tables(round_: Round) -> dict[str, Table]:
    told = chapter_of("instrument", analysed(round_))
    assert told is not None
    return {block.key: block for block in told.blocks if isinstance(block, Table)}


def test_published_rounds_have_no_such_chapter() -> None:
    for name in ("round-1", "round-2"):
        assert chapter_of("instrument", analysed(published(name))) is None


def test_the_client_stands_level_by_level(tmp_path: Path) -> None:
    round_ = collected(tmp_path / "r")
    table = tables(round_)["client-measures-table"]

    # The lag of the loop is not on record, and has no column.
    assert [heading.unit for heading in table.headings] == ["", "%", "ms", "%", "", ""]
    assert cells(table, round_) == [["C=1", "25.0", "0.125", "100.0", "1.50", "2"]]


def test_the_calibration_is_one_row(tmp_path: Path) -> None:
    round_ = collected(tmp_path / "r")

    # 20.5 ÷ 20.0 − 1 = 2.5 %
    row = ["4", "1,024", "0", "5.00", "50.0", "20.0", "20.5", "2.5", "25.0"]
    assert cells(tables(round_)["calibration-table"], round_) == [row]


def test_the_times_of_a_start_count_from_the_port(tmp_path: Path) -> None:
    round_ = collected(tmp_path / "r")

    # 4.0 − 1.5 s to the first token, 4.5 − 1.5 s to the end of the answer
    assert cells(tables(round_)["cold-start-table"], round_) == [["s", "1.50", "2.50", "3.00", "1"]]


def test_what_is_not_on_record_has_no_table() -> None:
    round_ = memory_round({"s": {"c1": {"concurrency": 1, "client_cpu_share": 0.25}}})

    assert set(tables(round_)) == {"client-measures-table"}


def test_each_table_is_told_in_a_sentence(tmp_path: Path) -> None:
    round_ = collected(tmp_path / "r")
    told = said(chapter_of("instrument", analysed(round_)), round_)

    for words in ("part of what it measures is itself", "the client's own error", "T1: process start to open port"):
        assert words in told
