"""The methods keep the rates that they promise; docs/statistics.md prints what was counted (`make golden`)."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.comparing.calibration import Line, calibrate

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "statistics.md"
REWRITE: Final = os.environ.get("REWRITE_GOLDEN") == "1"
TABLE: Final = re.compile(r"(<!-- calibration -->\n).*?(<!-- /calibration -->)", re.DOTALL)


@cache
def lines() -> tuple[Line, ...]:
    return tuple(calibrate())


def table() -> str:
    head = "| simulated | counted | observed | of | promised |\n| --- | --- | --- | --- | --- |"
    rows = [f"| {one.what} | {one.counted} | {one.observed:.1%} | {one.count} | {one.limit} |" for one in lines()]
    return "\n".join([head, *rows]).replace("%", "\u202f%")


@pytest.mark.slow
@pytest.mark.golden
def test_every_promise_is_kept_and_printed() -> None:
    assert [one for one in lines() if not one.allowed[0] <= one.observed <= one.allowed[1]] == []

    # Two runs that differ by noise between runs alone: their own intervals miss most of the differences.
    quiet, noisy = (one.observed for one in lines() if one.counted == "1 outside the interval")
    assert quiet < 0.1
    assert noisy > 0.3

    document = DOCUMENT.read_text(encoding="utf-8")
    written = TABLE.sub(lambda found: f"{found[1]}{table()}\n{found[2]}", document)
    if REWRITE:
        DOCUMENT.write_text(written, encoding="utf-8")
    assert "| 1000 | ≤ 5" in written
    assert DOCUMENT.read_text(encoding="utf-8") == written


def test_a_rate_is_allowed_to_miss_its_limit_by_chance_alone() -> None:
    # Of 1000 at a true rate of 5 %, 50 ± 6.9 are counted: 73 and more with a chance below 0.1 %.
    assert Line("", "", 0.0, 1000, at_most=0.05).allowed == (0.0, 0.073)
    assert Line("", "", 0.0, 1000, at_least=0.85).allowed == (0.814, 1.0)
