from __future__ import annotations

import pytest

from generator.render.plotting.axis_texts import amount_text, axis_title, in_axis_unit
from generator.text import Text
from generator.told.figure_model import Axis
from generator.told.sentence import Quantity
from generator.values import Address
from tests.support.analyses import BASELINE, printer

STEP = Axis(Text(zh="步长", en="step"), "ms", "log")
ITL = Address("itl_p50", "level", BASELINE, "c1")


def test_a_title_names_its_unit() -> None:
    assert [axis_title(STEP, "zh"), axis_title(STEP, "en")] == ["步长（ms）", "step (ms)"]


def test_a_count_has_no_unit() -> None:
    assert axis_title(Axis(Text(zh="并发", en="concurrency"), "1", "log"), "en") == "concurrency"


@pytest.mark.parametrize(
    ("amount", "text"), [(1234.0, "1,234\u202fms"), (0.5, "0.500\u202fms"), (float("nan"), "—"), (float("inf"), "—")]
)
def test_amounts(amount: float, text: str) -> None:
    assert amount_text(amount, STEP, "en") == text


def test_a_value_is_told_in_the_unit_of_its_axis_where_that_is_of_its_kind() -> None:
    seconds, tokens = (Axis(STEP.label, unit, "log") for unit in ("s", "tok"))

    assert in_axis_unit(ITL, seconds, printer()) == Quantity(ITL, unit="s")
    assert in_axis_unit(ITL, tokens, printer()) == Quantity(ITL)
