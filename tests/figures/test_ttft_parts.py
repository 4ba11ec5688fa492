from __future__ import annotations

import pytest

from generator.figures.ttft_parts import ttft_parts
from generator.frame import Analysis
from generator.kinds import Missing
from generator.render.files.figures import csv_text, table_rows
from generator.render.wording.numbers import Printer
from generator.told.figure_model import BarPlot, FigureModel
from generator.told.sentence import LevelName, SeriesName
from tests.support.anatomy_rounds import by_log, divided, listed, of_levels
from tests.support.telling import analysed, catalogue, text_of


def drawn(analysis: Analysis) -> tuple[FigureModel, BarPlot]:
    model = ttft_parts.draw(analysis)
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, BarPlot)
    return model, model.plot


def test_a_bar_is_queue_prefill_and_rest_which_add_up_to_the_mean_ttft() -> None:
    model, plot = drawn(divided())

    # 500 − 1 − 490 ms; 500 − 200 − 280 ms
    assert [part.name.en for part in plot.bars[0].segments] == ["queue", "prefill", "rest"]
    assert [part.length for part in plot.bars[0].segments] == pytest.approx([1, 490, 9])
    assert [part.length for part in plot.bars[1].segments] == pytest.approx([200, 280, 20])
    assert [bar.name.en for bar in plot.bars] == ["a C=1", "a C=4"]
    assert text_of(model.title, divided()) == "Of the mean TTFT of a at C=4, 56.0% is prefill"


def test_without_queueing_on_record_a_bar_has_two_parts() -> None:
    numbers = {key: value for key, value in by_log(0.1, 0.3).items() if key != "first_sent_clock"}
    _, plot = drawn(analysed(of_levels({"c4": numbers})))

    (bar,) = plot.bars
    assert [part.name.en for part in bar.segments] == ["prefill", "queue and rest"]
    assert [part.length for part in bar.segments] == pytest.approx([300, 200])


def test_levels_that_differ_in_length_say_so() -> None:
    short, long = by_log(0.1, 0.3), {**by_log(0.1, 0.3), "asked_input_tokens": 512.0}

    _, plot = drawn(analysed(of_levels({"c1": short, "c4": long})))

    assert [bar.name.en for bar in plot.bars] == ["a C=1 · 128 tok", "a C=4 · 512 tok"]


def test_table_and_csv_tell_the_levels_apart() -> None:
    analysis = divided()
    model, _ = drawn(analysis)
    printer = Printer(analysis, catalogue().graph, "en")

    assert [row.cells[:2] for row in table_rows(model, printer).rows[::3]] == [
        (SeriesName("a"), LevelName("a", "c1")),
        (SeriesName("a"), LevelName("a", "c4")),
    ]
    assert "a,c4,200" in csv_text(model, printer)


def test_a_table_of_results_has_no_parts() -> None:
    assert isinstance(ttft_parts.draw(listed()), Missing)


def test_the_title_names_the_largest_part() -> None:
    # 300 of 500 ms
    analysis = analysed(of_levels({"c4": by_log(0.3, 0.19)}))
    model, _ = drawn(analysis)

    assert text_of(model.title, analysis) == "Of the mean TTFT of a at C=4, 60.0% is queueing"
