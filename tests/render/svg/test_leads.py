from __future__ import annotations

import re
from itertools import pairwise

import pytest

from generator.render.svg.drawing import draw
from generator.text import Lang
from generator.told.figure_model import FigureModel
from tests.support.analyses import COMPARED, printer
from tests.support.figure_models import parsed
from tests.support.lead_figures import odd, of_strips, strip


def test_what_is_settled_is_solid_what_is_open_hatched_the_ends_empty_and_neither_framed() -> None:
    svg = draw(of_strips(strip()), printer("en"), "wide")
    bars = re.findall(r'<rect class="([^"]+)"[^>]*><title>', svg)

    assert bars == ["bar empty s1", "bar solid s1", "bar hatched s1", "frame", "bar solid s0", "bar empty s0"]
    assert svg.count('fill="url(#leads-wide-hatch-1)"') == svg.count('id="leads-wide-hatch-1"') == 1


def test_the_key_says_what_is_not_solid_in_no_colour_of_a_series() -> None:
    svg = draw(of_strips(strip()), printer("en"), "wide")

    assert re.findall(r'class="(label floor[^"]*)"[^>]*>([^<]+)<', svg) == [
        ("label floor", "neither"), ("label floor", "open"), ("label floor", "extrapolated"),
    ]  # fmt: skip
    assert svg.count('class="hatch"') == 2  # the pattern, and the sign


def test_stretches_follow_each_other_on_a_log_axis() -> None:
    svg = draw(of_strips(strip()), printer("en"), "wide")
    places = [
        tuple(map(float, one)) for one in re.findall(r'x="([\d.]+)" y="[\d.]+" width="([\d.]+)"[^>]*><title>', svg)
    ]

    for (x, width), (beside, _) in pairwise(places):
        assert x + width == pytest.approx(beside, abs=0.2)
    assert places[0][1] == pytest.approx(places[-1][1], abs=0.2)  # a doubling at either end


def test_several_pairs_are_told_by_the_series_that_is_held_against_the_baseline() -> None:
    one, two = (draw(figure, printer("en"), "narrow") for figure in (of_strips(strip()), odd()["two pairs"]))

    name = printer("en").analysis.round.label(COMPARED)
    assert one.count(f">{name}</text>") == 1  # in the key
    assert two.count(f">{name}</text>") == 2


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("width", ["wide", "narrow"])
@pytest.mark.parametrize("figure", odd().values(), ids=odd().keys())
def test_whatever_leads_the_drawing_is_well_formed(figure: FigureModel, width: str, lang: Lang) -> None:
    svg = draw(figure, printer(lang), "wide" if width == "wide" else "narrow")

    parsed(svg)
    assert "nan" not in svg
