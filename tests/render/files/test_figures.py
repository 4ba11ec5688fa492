from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from generator.render.files.figures import (
    absent,
    alt_text,
    csv_text,
    harmless,
    left_out,
    limit_text,
    point_quantity,
    point_text,
    segment_text,
    table_rows,
)
from generator.render.plotting.axis_texts import amount_text, axis_title
from generator.text import Lang, Text, same
from generator.told.figure_model import Axis, BarPlot, LinePlot, Segment
from generator.told.sentence import LevelName, Quantity, SeriesName
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED, printer
from tests.support.figure_models import (
    CONCURRENCY,
    HOSTILE,
    MEMORY,
    STEP,
    bar_figure,
    figure,
    line,
    step_figure,
    stress_figures,
)

NNBSP = "\u202f"
ITL = Address("itl_p50", "level", BASELINE, "c1")


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_the_csv_of_lines_has_a_row_per_point() -> None:
    rows = cells(csv_text(step_figure(), printer("en")))
    assert rows[0] == ["series", "level", "x", "y", "unit", "role", "state", "metric"]
    assert rows[1] == ["vllm-bf16", "c1", "1", "15.83", "ms", "measured", "usable", "itl_p50"]
    assert rows[5] == ["llamacpp-q4_k_m", "c8", "8", "10.3", "ms", "measured", "spoilt", "itl_p50"]
    assert rows[6][5:] == ["floor", "usable", "decode_floor"]
    assert len(rows) == 1 + 3 + 2 + 3


def test_the_csv_of_bars_says_what_was_read_and_what_was_computed() -> None:
    rows = cells(csv_text(bar_figure(), printer("zh")))
    assert rows[1] == ["vllm-bf16", "", "14.49", "", "GiB", "权重", "read", ""]
    assert [row[6] for row in rows[2:]] == ["computed", "free", "read", "limit"]


def test_lines_of_a_csv_end_as_rfc_4180_says() -> None:
    text = csv_text(step_figure(), printer("en"))
    assert text.count("\r\n") == text.count("\n") == len(cells(text))


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_cell_that_a_spreadsheet_would_execute_is_made_text(cell: str) -> None:
    assert harmless(cell) == "'" + cell
    assert harmless("a" + cell) == "a" + cell


def test_numbers_below_zero_stay_numbers_in_a_csv() -> None:
    below = figure(LinePlot(CONCURRENCY, replace(STEP, scale="linear"), (line("a", [(1, -5.0)]),)))
    assert cells(csv_text(below, printer("en")))[1][3] == "-5"


def test_the_table_behind_lines_has_a_row_per_series_and_level() -> None:
    table = table_rows(step_figure(), printer("en"))
    assert table.key == "step-data"
    assert [heading.unit for heading in table.headings] == ["", "", "ms", "ms"]
    assert len(table.rows) == 5
    assert table.rows[0].cells == (
        SeriesName(BASELINE),
        LevelName(BASELINE, "c1"),
        Quantity(ITL, bare=True),
        Quantity(Address("decode_floor", "level", BASELINE, "c1"), bare=True),
    )
    assert table.rows[3].cells[3] == same("—")  # the second series has no floor
    assert [row.spoilt is not None for row in table.rows] == [False, False, False, False, True]


def test_the_table_behind_bars_has_a_row_per_part() -> None:
    table = table_rows(bar_figure(), printer("zh"))
    assert [row.cells[2] for row in table.rows] == [same("14.5"), same("6.41"), same("2.90"), same("0.200")]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        (
            "en",
            (
                "vLLM BF16: from 15.83 ms at C=1 to 22.50 ms at C=64, staying between the two. "
                "llama.cpp Q4_K_M: from 5.84 ms at C=1 to 10.30 ms at C=8, staying between the two. "
                "llama.cpp Q4_K_M, excluded: C=8: 10.30 ms (spoilt by <stalls>). "
            ),
        ),
        (
            "zh",
            (
                "vLLM BF16：从 C=1 的 15.83 ms 到 C=64 的 22.50 ms，中间不出这个范围。"
                "llama.cpp Q4_K_M：从 C=1 的 5.84 ms 到 C=8 的 10.30 ms，中间不出这个范围。"
                "llama.cpp Q4_K_M 已排除的档位：C=8：10.30 ms（作废，因为 <停顿>）。"
            ),
        ),
    ],
)
def test_lines_in_words(lang: Lang, text: str) -> None:
    assert alt_text(step_figure(), printer(lang)).replace(NNBSP, " ").startswith(text)


def test_a_line_with_an_extreme_in_the_middle_names_it() -> None:
    # the numbers told are those of the values behind the points: C=8 is 16.63 ms
    peak = figure(LinePlot(CONCURRENCY, STEP, (line("a", [(1, 15.0), (8, 99.0), (64, 22.0)]),)))
    told = alt_text(peak, printer("en")).replace(NNBSP, " ")
    assert told == "a: from 15.83 ms at C=1 to 22.50 ms at C=64; lowest 15.83 ms (C=1), highest 16.63 ms (C=8)."


def test_points_that_cannot_be_drawn_are_told() -> None:
    told = alt_text(stress_figures()["zero and below"], printer("en")).replace(NNBSP, " ")
    assert told == "low: 22.50 ms at C=64. low, not drawable: C=1: 15.83 ms and C=8: 16.63 ms."


def test_bars_in_words() -> None:
    told = alt_text(bar_figure(), printer("zh")).replace(NNBSP, " ")
    assert told == "vLLM BF16：权重 14.5 GiB、KV 池 6.41 GiB、空闲 2.90 GiB、其余 0.200 GiB。容量 24 GiB。"


def test_a_figure_without_anything_is_a_dash() -> None:
    assert alt_text(stress_figures()["no bars"], printer("en")) == "—"


def test_hostile_names_stay_what_they_are_in_words() -> None:
    assert HOSTILE in alt_text(stress_figures()["hostile"], printer("en"))


@pytest.mark.parametrize(
    ("axis", "title"),
    [(STEP, "step (ms)"), (CONCURRENCY, "concurrency"), (Axis(same("rate, req/s"), "req/s", "log"), "rate, req/s")],
)
def test_the_title_of_an_axis_names_its_unit_once(axis: Axis, title: str) -> None:
    assert axis_title(axis, "en") == title


def test_a_point_is_printed_in_the_unit_of_its_axis() -> None:
    point = line("a", [(1, 0.01583)]).points[0]
    assert point_quantity(point, Axis(same("y"), "s", "log"), printer()) == Quantity(ITL, unit="s")
    assert point_quantity(point, STEP, printer()) == Quantity(ITL)
    assert point_quantity(point, Axis(same("y"), "GiB", "log"), printer()) == Quantity(ITL)


def test_a_segment_quotes_its_value_only_where_it_shows_it() -> None:
    weights = Address("weight_bytes_per_step", "series", COMPARED)
    part = replace(bar_parts()[0], address=weights)
    gigabytes = Axis(same("x"), "GB", "linear")
    assert segment_text(replace(part, length=4.68), gigabytes, printer()) == f"4.680{NNBSP}GB"  # its four digits
    assert segment_text(replace(part, length=4.5), gigabytes, printer()) == f"4.50{NNBSP}GB"


def bar_parts() -> tuple[Segment, ...]:
    plot = bar_figure().plot
    assert isinstance(plot, BarPlot)
    return plot.bars[0].segments


def test_amounts_and_limits() -> None:
    assert amount_text(24.0, MEMORY, "en") == f"24{NNBSP}GiB"
    assert amount_text(float("nan"), MEMORY, "en") == "—"
    assert limit_text(BarPlot(MEMORY, ()), "en") == ""
    assert limit_text(BarPlot(MEMORY, (), 24.0, Text(zh="容量", en="capacity")), "zh") == f"容量 24{NNBSP}GiB"


def test_what_a_point_says_and_which_points_are_left_out() -> None:
    drawn = line("a", [(1, 15.83), (8, 0.0)])
    plot = LinePlot(CONCURRENCY, STEP, (drawn,))
    assert point_text(drawn, drawn.points[0], plot, printer("zh")) == f"C=1：15.83{NNBSP}ms"
    assert left_out(drawn, plot) == [drawn.points[1]]


def test_a_series_that_a_figure_has_nothing_of_is_named() -> None:
    of_both = {BASELINE: 0, COMPARED: 1}
    missing = absent(replace(bar_figure(), accents=of_both))  # one bar, of the baseline
    assert missing is not None
    assert printer("en").plain_sentence(missing).endswith("has a place on these axes): llama.cpp Q4_K_M.")
    assert absent(replace(step_figure(), accents=of_both)) is None
