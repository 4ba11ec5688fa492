from __future__ import annotations

import datetime
from typing import Annotated, Literal

import pytest
from pydantic import Field

from generator.declared.table_types import Day, Id, Positive, Share
from generator.reference.holds import holds


@pytest.mark.parametrize(
    ("annotation", "en", "zh"),
    [
        (str, "string", "文本"),
        (Id, "string", "文本"),
        (bool | None, "true or false", "true 或 false"),
        (datetime.date, "date", "日期"),
        (Day | None, "date or words", "日期或一句话"),
        (Positive | None, "number above 0", "数，大于 0"),  # its highest, 1e18, is the highest of anything
        (Share, "number from 0 to 1", "数，0 至 1"),
        (Annotated[float, Field(gt=0, le=1)], "number above 0, 1 at most", "数，大于 0，不超过 1"),
        (Annotated[int, Field(ge=0)], "whole number from 0", "整数，不小于 0"),
        (
            Annotated[int, Field(ge=1, le=64)] | Literal["auto"],
            "whole number from 1 to 64 or `auto`",
            "整数，1 至 64 或 `auto`",
        ),
        (Literal["a", "b"], "`a` or `b`", "`a` 或 `b`"),
        (tuple[str, ...], "list of strings", "文本列表"),
        (dict[str, float], "table", "表"),
    ],
)
def test_what_a_key_holds_is_said_with_its_bounds(annotation: object, en: str, zh: str) -> None:
    assert holds(annotation).as_dict() == {"zh": zh, "en": en}
