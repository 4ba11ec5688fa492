"""The data of a round as files."""

from __future__ import annotations

import csv
import io
import json

from generator.catalogue import load
from generator.render.files.data import data_files, table_csv
from generator.render.page import report_view
from generator.render.site import draw_figures
from generator.render.views.reports import tell
from generator.text import LANGS, same
from generator.told.blocks import Heading, Row, Table
from generator.told.sentence import LevelName, Quantity, SeriesName, say
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED, printer, small_analysis


def files() -> dict[str, str]:
    analysis, catalogue = small_analysis(), load()
    drawn = draw_figures(catalogue, analysis)
    reports = tell(analysis, catalogue, drawn)
    made = [told for told in reports if told.lacks is None]
    views = {
        lang: [report_view(one, reports, catalogue.checks, drawn, printer(lang, analysis), "") for one in made]
        for lang in LANGS
    }
    return data_files(views, drawn)


def test_every_figure_comes_as_numbers_as_json_and_drawn_in_two_widths_and_languages() -> None:
    names = {name.removeprefix("figures/throughput.") for name in files() if name.startswith("figures/throughput.")}
    assert names == {"csv", "json", "svg", "zh.svg", "narrow.svg", "narrow.zh.svg"}


def test_json_is_json_and_csv_says_that_it_is_utf_8() -> None:
    for name, text in files().items():
        if name.endswith(".json"):
            json.loads(text)
        if name.endswith(".csv"):
            assert text.startswith("\ufeff")
            assert text.endswith("\r\n")


def test_the_full_table_has_a_row_for_each_level() -> None:
    head, *rows = csv.reader(io.StringIO(files()["full.csv"].removeprefix("\ufeff")))
    assert (head[:3], head[-1]) == (["series", "concurrency", "output (tok/s)"], "state")
    assert "requests" in head
    assert "ITL p50 (ms)" in head
    assert [(row[0], row[1]) for row in rows] == [(s, c) for s in (BASELINE, COMPARED) for c in ("c1", "c8", "c64")]
    assert rows[1][head.index("ITL p50 (ms)")] == "16.63"


def test_cells_are_unrounded_in_the_unit_of_their_column_and_executed_by_nothing() -> None:
    floor = Address("floor_ratio", "level", BASELINE, "c8")
    cells = (
        SeriesName(BASELINE),
        LevelName(BASELINE, "c8"),
        Quantity(floor, bare=True),
        Quantity(Address("itl_p50", "level", BASELINE, "c8"), unit="s"),
        Quantity(Address("itl_p50", "level", COMPARED, "c64")),
        same("=1+1"),
    )
    headings = tuple(Heading(say(name, name), unit) for name, unit in
                     (("系列", ""), ("档", ""), ("比", "%"), ("步", "s"), ("空", ""), ("=x", "")))  # fmt: skip
    table = Table("t", say("表", "table"), headings, (Row(cells), Row(cells, spoilt=say("坏", "bad"))))
    head, sound, spoilt = csv.reader(io.StringIO(table_csv(table, printer())))
    assert head == ["系列", "档", "比 (%)", "步 (s)", "空", "'=x", "state"]
    # 14.5532942222 ms ÷ 16.63 ms = 0.875122923764
    assert sound[:2] == [BASELINE, "c8"]
    assert sound[2].startswith("87.5122923")
    assert sound[3:] == ["0.01663", "", "'=1+1", "usable"]
    assert spoilt[-1] == "spoilt"
