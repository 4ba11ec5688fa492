"""A figure as a page shows it."""

from __future__ import annotations

from typing import Any

from generator.catalogue import load
from generator.figure_model import FigureModel
from generator.kinds import Missing
from generator.render.figure_view import FigureView, MissingView, figure_view, svg_name
from generator.sentence import SeriesName, say
from generator.text import Lang
from tests.support.analyses import BASELINE, printer, small_analysis
from tests.support.sites import SVG, fragment, text_of


def throughput(lang: Lang = "en") -> FigureView:
    analysis = small_analysis()
    model = load().figures["throughput"].draw(analysis)
    assert isinstance(model, FigureModel)
    view = figure_view("throughput", model, printer(lang, analysis), "../data/round-2/")
    assert isinstance(view, FigureView)
    return view


def test_files_lie_beside_the_data_and_the_svg_speaks_the_language() -> None:
    assert throughput("en").csv == throughput("zh").csv == "../data/round-2/figures/throughput.csv"
    assert throughput("en").svg == "../data/round-2/figures/throughput.svg"
    assert throughput("zh").svg == "../data/round-2/figures/throughput.zh.svg"
    assert svg_name("memory", "zh") == "memory.zh.svg"


def test_both_drawings_and_the_spec_show_the_same_points() -> None:
    view = throughput()
    specs: Any = view.spec["data"]
    points = sum(len(trace["x"]) for trace in specs)
    for drawing in (view.wide, view.narrow):
        groups = [g for g in fragment(drawing).iter(f"{SVG}g") if g.get("class", "").startswith("point")]
        assert sum(1 for group in groups if group.find(f"{SVG}title") is not None) == points


def test_the_table_holds_a_row_for_each_level() -> None:
    assert len(throughput().table.rows) == 6  # two series of three levels, all with a throughput


def test_a_figure_that_cannot_be_drawn_says_why() -> None:
    reason = say("{series} 没有数据", "{series} has no data", series=SeriesName(BASELINE))
    view = figure_view("memory", Missing(reason), printer("en"), "")
    assert isinstance(view, MissingView)
    assert text_of(fragment(view.reason)).strip() == "vLLM BF16 has no data"
