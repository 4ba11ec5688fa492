from __future__ import annotations

import re

import pytest

from generator.render.plotting.palette import DARK, LIGHT, LIGHT_SURFACE
from generator.render.svg.axes import Width
from generator.render.svg.drawing import adaptive, draw, plot_css, size, standalone
from generator.told.figure_model import FigureModel
from tests.support.analyses import printer
from tests.support.figure_models import HOSTILE, bar_figure, parsed, step_figure, stress_figures

SVG = "{http://www.w3.org/2000/svg}"
STRESS = stress_figures()


@pytest.mark.parametrize("width", ["wide", "narrow"])
@pytest.mark.parametrize("figure", STRESS.values(), ids=STRESS.keys())
def test_every_drawing_is_well_formed_and_safe(figure: FigureModel, width: Width) -> None:
    root = parsed(standalone(draw(figure, printer("zh"), width)))
    used = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert used <= {"svg", "style", "title", "desc", "g", "path", "line", "polyline", "polygon", "circle", "text",
                    "rect", "defs", "pattern"}  # fmt: skip
    assert not any("style" in element.attrib for element in root.iter())


@pytest.mark.parametrize("width", ["wide", "narrow"])
@pytest.mark.parametrize("figure", STRESS.values(), ids=STRESS.keys())
def test_every_position_is_a_number_on_the_sheet(figure: FigureModel, width: Width) -> None:
    root = parsed(draw(figure, printer("en"), width))
    _, _, sheet_width, height = (float(side) for side in root.attrib["viewBox"].split())
    for element in root.iter():
        across = [float(element.attrib[name]) for name in ("x", "x1", "x2", "cx") if name in element.attrib]
        down = [float(element.attrib[name]) for name in ("y", "y1", "y2", "cy") if name in element.attrib]
        assert all(0 <= x <= sheet_width for x in across)
        assert all(0 <= y <= height for y in down)


def test_a_drawing_is_an_image_with_title_and_numbers() -> None:
    root = parsed(draw(step_figure(), printer("en"), "narrow"))
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-labelledby"] == "step-narrow-title"
    assert root.attrib["viewBox"].startswith("0 0 360 ")
    title, desc = root[0], root[1]
    assert (title.text, title.attrib["id"]) == ("The step", "step-narrow-title")
    assert "15.83\u202fms" in (desc.text or "")


def test_ids_differ_between_figures_and_widths() -> None:
    drawings = [draw(f, printer("en"), w) for f in (step_figure(), bar_figure()) for w in ("wide", "narrow")]
    ids = [found for drawing in drawings for found in re.findall(r' id="([^"]+)"', drawing)]
    assert len(set(ids)) == len(ids)


def test_the_same_figure_is_drawn_the_same() -> None:
    assert draw(step_figure(), printer("en"), "wide") == draw(step_figure(), printer("en"), "wide")


def test_hostile_names_are_text() -> None:
    root = parsed(draw(STRESS["hostile"], printer("en"), "wide"))
    assert (root[0].text or "") == HOSTILE.replace("\x00", "\ufffd")


def test_a_file_of_its_own_carries_its_style() -> None:
    alone = standalone(draw(step_figure(), printer("en"), "wide"))
    assert alone.startswith('<svg class="plot wide" viewBox=')
    assert ' xmlns="http://www.w3.org/2000/svg"><style>' in alone
    assert f".s0{{color:{LIGHT[0]}}}" in alone
    assert "{ink}" not in alone


def test_the_rules_are_limited_to_drawings_and_name_the_colours_of_the_page() -> None:
    css = plot_css("INK", "MUTED", "RULE", "SURFACE")
    selectors = [selector for block in css.split("}") if block for selector in block.split("{")[0].split(",")]
    assert all(selector.startswith(".plot ") for selector in selectors)
    assert all(colour in css for colour in ("INK", "MUTED", "RULE", "SURFACE"))


def test_a_file_that_a_page_shows_follows_the_scheme_of_the_reader() -> None:
    shown = adaptive(draw(step_figure(), printer("en"), "narrow"))
    light, dark = shown.split("@media(prefers-color-scheme:dark)")[0], shown.split("@media", 2)[2]
    assert f"--surface:{LIGHT_SURFACE}" in light
    assert f".s0{{color:{LIGHT[0]}}}" in shown
    assert f".s0{{color:{DARK[0]}}}" in dark
    parsed(shown)


def test_a_drawing_knows_its_size_in_whole_pixels() -> None:
    assert size('<svg viewBox="0 0 360 337.6" role="img">') == (360, 338)
