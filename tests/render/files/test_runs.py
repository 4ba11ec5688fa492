from __future__ import annotations

import csv
import io

from generator.figures.requests_over_time import requests_over_time
from generator.figures.ttft_ecdf import ttft_ecdf
from generator.kinds import Figure
from generator.model import Round
from generator.render.files.figure_json import figure_json
from generator.render.files.figures import alt_text, csv_text, table_rows
from generator.render.wording.numbers import Printer
from generator.text import LANGS
from tests.support.run_figures import figure_of, printed
from tests.support.run_rounds import many_levels, repeated, two_series


def rows(figure: Figure, round_: Round) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text(figure_of(figure, round_), printed(round_)))))


def table(figure: Figure, round_: Round) -> list[list[str]]:
    printer = printed(round_)
    shown = table_rows(figure_of(figure, round_), printer)
    heads = [printer.plain_sentence(heading.label) for heading in shown.headings]
    return [heads, *([printer.plain(cell) for cell in row.cells] for row in shown.rows)]


def test_csv_has_a_row_for_each_point() -> None:
    first, second, *_ = rows(ttft_ecdf, two_series())

    assert list(first.values()) == ["a", "c1", "", "100", "ms", "0", "%", "usable"]
    assert (second["x"], second["y"]) == ("100", "25")


def test_csv_has_the_curves_that_are_not_drawn() -> None:
    assert {row["level"] for row in rows(ttft_ecdf, many_levels(6))} == {"c1", "c2", "c4", "c8", "c16", "c32"}


def test_csv_numbers_trials() -> None:
    assert {row["trial"] for row in rows(ttft_ecdf, repeated())} == {"1", "2"}


def test_csv_of_a_cloud_keeps_failed_requests_without_a_latency() -> None:
    failed = [row for row in rows(requests_over_time, two_series()) if row["state"] == "failed"]

    assert [(row["series"], row["x"], row["y"]) for row in failed] == [("b", "0.6", "")]


def test_the_table_of_curves_has_sizes_and_percentiles() -> None:
    # p90 of 100 … 400: 300 + 0.7 × 100 = 370
    assert table(ttft_ecdf, two_series())[:2] == [
        ["series", "level", "TTFT samples", "TTFT p50", "TTFT p90", "TTFT p99", "largest"],
        ["a", "C=1", "4", "250", "370", "397", "400"],
    ]


def test_the_table_tells_trials_apart() -> None:
    heads, first, second = table(ttft_ecdf, repeated())

    assert heads[2] == "trial"
    assert [first[2], second[2]] == ["1", "2"]


def test_the_table_of_clouds_has_counts_and_the_steady_part() -> None:
    heads, _, second = table(requests_over_time, two_series())

    assert heads[2:4] == ["requests attempted", "requests failed"]
    # b: E2ELs of 260, 460, 700, 1480 ms; steady from 0.26 to 0.6 s; p99 700 + 0.97 × 780 = 1456.6
    assert second == ["b", "C=2", "5", "1", "580", "1,457", "0.260", "0.600", "1,480"]


def test_alt_text_has_a_sentence_for_each_run_that_is_drawn() -> None:
    told = alt_text(figure_of(ttft_ecdf, two_series()), printed(two_series()))

    assert "a C=1: TTFT samples 4, TTFT p50 250\u202fms, TTFT p90 370\u202fms, TTFT p99 397\u202fms and largest" in told
    assert told.count("samples") == 4


def test_json_of_curves() -> None:
    round_ = many_levels(6)
    made = figure_json(figure_of(ttft_ecdf, round_), {lang: printed(round_, lang) for lang in LANGS})

    assert (made["kind"], made["begins"]) == ("curves", 100)
    assert [curve["drawn"] for curve in made["curves"]] == [True, False, False, True, False, True]
    assert made["curves"][0]["points"][1] == [100, 25]
    assert made["curves"][0]["values"][0]["metric"] == "ttft_samples"


def test_json_of_clouds() -> None:
    printers: dict[str, Printer] = {lang: printed(two_series(), lang) for lang in LANGS}
    made = figure_json(figure_of(requests_over_time, two_series()), printers)  # type: ignore[arg-type]

    assert made["kind"] == "clouds"
    assert made["clouds"][1]["failed"] == [0.6]
    assert made["clouds"][0]["points"][0] == [0, 130]
