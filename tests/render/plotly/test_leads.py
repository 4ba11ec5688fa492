from __future__ import annotations

import json

import pytest

from generator.text import Lang
from generator.told.figure_model import FigureModel
from tests.support.analyses import printer
from tests.support.lead_figures import odd, of_strips, strip
from tests.support.specs import checked_spec


def test_a_stretch_is_an_area_that_says_who_leads_from_where_to_where() -> None:
    first, second, third, even, *_ = checked_spec(of_strips(strip()), printer("en"))["data"]

    assert (second["x"], second["fill"]) == ([1, 8, 8, 1, 1], "toself")
    assert (third["fillpattern"]["shape"], "fillpattern" in second) == ("/", False)
    assert (first["fillcolor"], "fillpattern" in first) == ("rgba(0,0,0,0)", False)
    assert second["text"] == "llama.cpp Q4_K_M from 1 to 8"
    assert first["text"].endswith("(extrapolated)")
    assert third["text"].endswith("from 8 to 12.5 (open)")
    assert [one["meta"]["role"] for one in (first, second, even)] == ["lead", "lead", "even"]


def test_the_legend_has_each_that_leads_somewhere_and_each_way_to_fill() -> None:
    made = checked_spec(of_strips(strip()), printer("en"))

    assert [one["name"] for one in made["data"] if one.get("showlegend", True)] == [
        "vLLM BF16", "llama.cpp Q4_K_M", "neither", "open", "extrapolated",
    ]  # fmt: skip
    assert [one["text"] for one in made["legend"]] == [
        "vLLM BF16", "llama.cpp Q4_K_M", "neither", "open", "extrapolated",
    ]  # fmt: skip


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("figure", odd().values(), ids=odd().keys())
def test_whatever_leads_the_spec_is_json(figure: FigureModel, lang: Lang) -> None:
    json.dumps(checked_spec(figure, printer(lang)), allow_nan=False)
