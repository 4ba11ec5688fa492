from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from generator.render.files.figure_json import figure_json
from generator.render.files.figures import absent, alt_text, csv_text, table_rows
from generator.render.files.leads import BASES
from generator.text import LANGS, same
from generator.told.figure_model import FigureModel
from generator.told.sentence import SeriesName
from tests.support.analyses import BASELINE, COMPARED, printer
from tests.support.lead_figures import THROUGHPUT, odd, of_strips, strip


def test_the_csv_has_a_row_for_each_stretch() -> None:
    head, *rows = csv.reader(io.StringIO(csv_text(of_strips(strip()), printer("en")), newline=""))

    assert head == ["baseline", "compared", "metric", "leader", "begin", "end", "state"]
    assert rows[0] == [BASELINE, COMPARED, "output_throughput", COMPARED, "0.5", "1", "extrapolated"]
    assert rows[1] == [BASELINE, COMPARED, "output_throughput", COMPARED, "1", "8", "measured"]
    assert rows[3] == [BASELINE, COMPARED, "output_throughput", "", "12.5", "16", "open"]
    assert len(rows) == 6


def test_the_table_names_the_pair_only_where_there_are_several() -> None:
    one, two = (table_rows(figure, printer("en")) for figure in (of_strips(strip()), odd()["two pairs"]))

    assert one.rows[1].cells[:4] == (THROUGHPUT, SeriesName(COMPARED), same("1"), same("8"))
    assert [row.cells[-1] for row in one.rows[1:4]] == [BASES["measured"], BASES["open"], BASES["open"]]
    assert len(two.headings) == len(one.headings) + 1


def test_an_interpolated_load_has_one_decimal_as_in_sentences() -> None:
    found = strip()
    met = replace(found.reaches[1], end=8.254)
    table = table_rows(of_strips(replace(found, reaches=(met,))), printer("en"))

    assert table.rows[0].cells[2:4] == (same("1"), same("8.3"))


def test_the_words_tell_what_is_settled_and_what_is_open() -> None:
    # The open stretch of the one that has the better number and that of neither are one.
    assert alt_text(of_strips(strip()), printer("en")) == (
        "vLLM BF16 and llama.cpp Q4_K_M, output throughput: llama.cpp Q4_K_M from 1 to 8 and vLLM BF16 from 16 to 64; "
        "open: from 8 to 16."
    )
    assert "；未定：从 8 到 16。" in alt_text(of_strips(strip()), printer("zh"))
    assert absent(of_strips(strip())) is None


def test_the_json_has_each_stretch_with_its_leader() -> None:
    found = figure_json(of_strips(strip()), {lang: printer(lang) for lang in LANGS})

    assert (found["kind"], found["leads"][0]["series"]) == ("leads", [BASELINE, COMPARED])
    assert found["leads"][0]["reaches"][3] == {"leader": None, "begin": 12.5, "end": 16, "basis": "open"}


@pytest.mark.parametrize("figure", odd().values(), ids=odd().keys())
def test_whatever_leads_the_files_are_made(figure: FigureModel) -> None:
    json.dumps(figure_json(figure, {lang: printer(lang) for lang in LANGS}), allow_nan=False)
    assert table_rows(figure, printer("zh")).headings
