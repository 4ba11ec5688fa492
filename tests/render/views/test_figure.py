"""A figure as a page shows it."""

from __future__ import annotations

from generator.catalogue import load
from generator.kinds import Missing
from generator.render.views.figure import FigureView, MissingView, drawing_name, figure_view
from generator.text import Lang
from generator.told.figure_model import FigureModel
from generator.told.sentence import SeriesName, say
from tests.support.analyses import BASELINE, printer, small_analysis
from tests.support.sites import fragment, text_of


def throughput(lang: Lang = "en") -> FigureView:
    analysis = small_analysis()
    model = load().figures["throughput"].draw(analysis)
    assert isinstance(model, FigureModel)
    view = figure_view("throughput", model, printer(lang, analysis), "../data/round-2/")
    assert isinstance(view, FigureView)
    return view


def test_files_lie_beside_the_data_and_the_drawings_speak_the_language() -> None:
    folder = "../data/round-2/figures"
    assert throughput("en").files == {
        "CSV": f"{folder}/throughput.csv", "JSON": f"{folder}/throughput.json", "SVG": f"{folder}/throughput.svg",
    }  # fmt: skip
    assert throughput("zh").files["SVG"] == f"{folder}/throughput.zh.svg"
    assert throughput("zh").narrow == f"{folder}/throughput.narrow.zh.svg"
    assert drawing_name("memory", "zh") == "memory.zh"


def test_the_narrow_drawing_keeps_its_place_and_is_told_in_words() -> None:
    width, height = throughput().narrow_size
    assert width == 360
    assert 250 < height < 400
    assert "415.6\u202ftok/s" in throughput().wide  # in its description, which the narrow drawing shares
    assert throughput().name == text_of(fragment(throughput().title)).strip()


def test_the_drawing_and_the_spec_show_the_same_points() -> None:
    view = throughput()
    points = sum(len(trace["x"]) for trace in view.spec["data"] if trace["meta"]["role"] == "measured")
    dots = [element.get("d", "") for element in fragment(view.wide).iter() if element.get("class") == "dot"]
    assert sum(d.count("M") for d in dots) == points == 6


def test_the_table_holds_a_row_for_each_level() -> None:
    assert len(throughput().table.rows) == 6  # two series of three levels, all with a throughput


def test_a_figure_that_cannot_be_drawn_says_why() -> None:
    reason = say("{series} 没有数据", "{series} has no data", series=SeriesName(BASELINE))
    view = figure_view("memory", Missing(reason), printer("en"), "")
    assert isinstance(view, MissingView)
    assert text_of(fragment(view.reason)).strip() == "vLLM BF16 has no data"


def test_the_csv_to_copy_is_the_one_to_download() -> None:
    assert throughput().csv.startswith("series,level,x,y,unit,role,state,metric\r\n")
