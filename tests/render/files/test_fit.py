from __future__ import annotations

import csv
import io
import json

import pytest

from generator.render.files.figure_json import figure_json
from generator.render.files.figures import absent, alt_text, csv_text, table_rows
from generator.text import LANGS, same
from generator.told.figure_model import FigureModel
from generator.told.sentence import Count, LevelName, Quantity, SeriesName
from generator.values import Address
from tests.support.analyses import BASELINE, printer
from tests.support.fit_figures import fitted, many, odd


def rows(model: FigureModel) -> list[list[str]]:
    return list(csv.reader(io.StringIO(csv_text(model, printer("en")), newline="")))


def test_the_csv_has_a_row_for_each_point_and_each_corner() -> None:
    head, first, *rest = rows(fitted())

    assert head == ["series", "level", "x", "x_unit", "y", "y_unit", "role", "name", "metric"]
    assert first == [BASELINE, "c1", "1", "tok", "15.83", "ms", "measured", "", "itl_p50"]
    assert rest[3] == [BASELINE, "", "0", "tok", "15.8", "ms", "fit", "line", ""]
    # 3 + 1 points, 2 + 3 + 2 + 2 corners
    assert len(rest) + 1 == 4 + 9


def test_the_table_prints_a_point_as_its_value_is_printed() -> None:
    table = table_rows(fitted(), printer("en"))

    assert [heading.unit for heading in table.headings] == ["", "", "tok", "ms"]
    assert table.rows[0].cells == (
        SeriesName(BASELINE),
        LevelName(BASELINE, "c1"),
        same("1"),
        Quantity(Address("itl_p50", "level", BASELINE, "c1"), bare=True),
    )


def test_many_points_of_a_level_are_one_row() -> None:
    table = table_rows(many(2000), printer("en"))

    (row,) = table.rows
    assert row.cells[2:] == (Count(2000), same("0–1,999"), same("0–3,998"))


def test_the_text_tells_points_and_trends() -> None:
    told = alt_text(fitted(), printer("en"))

    assert "vLLM BF16: 3 points, length 1–64\u202ftok, time 15.83–22.5\u202fms" in told.replace("15.8–", "15.83–")
    assert "floor: from 14\u202fms at 0\u202ftok to 18.2\u202fms at 64\u202ftok" in told


def test_json_has_points_with_their_values_and_trends() -> None:
    made = figure_json(fitted(), {lang: printer(lang) for lang in LANGS})

    assert made["kind"] == "fit"
    assert made["scatters"][0]["points"][0]["value"]["metric"] == "itl_p50"
    assert made["scatters"][1]["points"] == [{"x": 8, "y": 10.3, "level": "c8", "value": None}]
    assert [trend["role"] for trend in made["trends"]] == ["fit", "fit", "theory", "floor"]
    assert made["marks"][0]["x"] == 8


@pytest.mark.parametrize("model", odd().values(), ids=odd().keys())
def test_odd_figures_are_told(model: FigureModel) -> None:
    json.dumps(figure_json(model, {lang: printer(lang) for lang in LANGS}), allow_nan=False)

    assert alt_text(model, printer("zh"))
    assert table_rows(model, printer("zh")).key == "fit-data"


def test_a_series_without_a_point_on_the_axes_is_named() -> None:
    assert absent(fitted()) is None
    assert absent(odd()["no place"]) is not None
