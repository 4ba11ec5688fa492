"""The calculator as a page holds it: its data leave the element in no way, its fields are told in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from generator.model import Round
from generator.render.views.calculator import (
    FIELDS,
    OF_SERIES,
    OUTCOMES,
    WORDS,
    CalculatorView,
    calculator_view,
    embedded,
)
from generator.render.wording.numbers import Printer
from generator.text import LANGS, Lang
from generator.told.blocks import Calculator
from tests.support.economic_rounds import SOON, economic_round, without_demand
from tests.support.telling import analysed, catalogue, chapter_of

SCRIPT = Path(__file__).parents[3] / "site_src" / "assets" / "calculator.js"
BAD = """</script><!-- <script>alert(1)</script> ' & " \\ \u2028 \u202e"""


def view(round_: Round, lang: Lang = "en") -> CalculatorView:
    analysis = analysed(round_)
    chapter = chapter_of("guide_calculator", analysis)
    assert chapter is not None
    (block,) = (one for one in chapter.blocks if isinstance(one, Calculator))
    return calculator_view(block, Printer(analysis, catalogue().graph, lang))


def test_no_sign_of_the_data_can_end_their_element() -> None:
    text = str(embedded({"name": BAD}))
    assert not set("<>&'\u2028\u202e") & set(text)
    assert json.loads(text) == {"name": BAD}


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_no_number_is_none_of_json(number: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        embedded({"number": number})


def test_the_data_are_in_the_units_of_the_fields() -> None:
    data = json.loads(str(view(without_demand()).data))
    assert data["currency"] == "USD"
    assert data["presets"][data["first"]]["lifetime_h"] == 1
    assert data["presets"][0]["price_per_hour"] == [3.6, 3.6, 3.6]
    assert [one["startup"] for one in data["series"]] == [10, 100, None]
    assert data["series"][1]["levels"][-1] == {"name": "C=16", "throughput": 2000, "ttft": 1.6, "tpot": 0.16}
    assert data["baseline"] == 0


def test_every_preset_gives_every_field_that_begins_with_something() -> None:
    data = json.loads(str(view(without_demand()).data))
    begin = {one.key for one in (*FIELDS, *OF_SERIES)} - {"slo_ttft_ms", "slo_tpot_ms", "startup_s"}
    assert all(set(preset) == begin for preset in data["presets"])


def test_money_is_in_the_currency_of_the_round_else_of_any() -> None:
    (price,) = (one for one in OF_SERIES if one.key == "price_per_hour")
    assert view(without_demand()).unit(price) == "USD/h"
    assert view(economic_round({"a": SOON}, {"a": 1000.0})).unit(price) == "currency/h"


def test_limits_are_named_after_the_statistics_that_levels_are_chosen_by() -> None:
    shown = view(without_demand())
    labels = {one.key: shown.label(one) for one in FIELDS}
    assert labels["slo_ttft_ms"] == "TTFT p99 at most (optional)"
    assert labels["slo_tpot_ms"] == "TPOT p99 at most (optional)"


def test_the_script_knows_every_name_that_the_page_uses() -> None:
    script = SCRIPT.read_text(encoding="utf-8")
    for name in (*(one.key for one in (*FIELDS, *OF_SERIES)), *(name for name, _, _ in OUTCOMES), *WORDS):
        assert re.search(rf"\b{name}\b", script), name


def test_what_is_filled_in_is_the_same_in_both_languages() -> None:
    for text in WORDS.values():
        zh, en = (set(re.findall(r"\{\w+\}", text[lang])) for lang in LANGS)
        assert zh == en
