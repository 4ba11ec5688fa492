from __future__ import annotations

import json

import pytest

from generator.render.files.figure_json import figure_json
from generator.render.files.figures import absent, alt_text, csv_text, table_rows
from generator.told.figure_model import FigureModel
from tests.support.analyses import printer
from tests.support.timeline_figures import odd, part, timed


def test_the_csv_has_a_row_for_each_part_of_a_bar_and_for_what_happened() -> None:
    lines = csv_text(timed(), printer("en")).splitlines()

    assert lines[0] == "series,level,trial,what,request,row,begin,end,unit"
    assert "vllm-bf16,c8,,queue,1,0,0,0.5,s" in lines
    assert "vllm-bf16,c8,,failed,3,0,4,,s" in lines
    assert "vllm-bf16,c8,,simultaneous stall,,,2.5,3.5,s" in lines
    assert "vllm-bf16,c8,,launches,,,0.5,0.5,s" in lines
    assert "vllm-bf16,c8,,waiting,,,0,1,s" in lines
    assert len(lines) == 1 + 2 * 3 + 1 + 1 + 2 + 1


def test_the_table_sums_the_run_up_in_one_row() -> None:
    table = table_rows(timed(), printer("en"))

    assert (len(table.headings), len(table.rows)) == (3, 1)  # series, level, and the one value that sums it up


def test_the_alt_text_tells_of_the_run_and_of_what_is_drawn() -> None:
    text = alt_text(timed(), printer("en"))

    assert "C=8: output throughput 411" in text
    assert "3 requests are drawn, from 0 s to 5 s, in 2 rows" in text.replace("\u202f", " ")
    assert "simultaneous stall 1, launches 2 and waiting 1" in text
    assert "画出 2 条请求，从 10 s 到 11 s，叠成 2 行。" in alt_text(part(), printer("zh")).replace("\u202f", " ")


def test_it_is_of_one_series_and_says_of_which() -> None:
    assert absent(timed()) is None


@pytest.mark.parametrize("model", [timed(), part(), *odd().values()])
def test_the_json_holds_all_that_is_drawn(model: FigureModel) -> None:
    found = json.loads(json.dumps(figure_json(model, {lang: printer(lang) for lang in ("zh", "en")}), allow_nan=False))

    assert found["kind"] == "timeline"
    assert {"requests", "stalls", "strips", "window", "whole", "left_out", "in_flight", "values"} <= set(found)


def test_the_json_tells_each_stretch() -> None:
    found = figure_json(timed(), {lang: printer(lang) for lang in ("zh", "en")})

    assert found["requests"][2] == {"number": 3, "row": 0, "sent": 4.0, "stretches": []}
    assert found["requests"][0]["stretches"][1] == {"stage": "prefill", "begin": 0.5, "end": 1.0}
    assert found["strips"][1] == {"name": {"zh": "在等", "en": "waiting"}, "moments": [], "spans": [[0.0, 1.0]]}
