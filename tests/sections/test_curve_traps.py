from __future__ import annotations

import pytest

from tests.support.ladder_rounds import ladder_and_sweep
from tests.support.telling import analysed, chapter_of, text_of


@pytest.mark.parametrize(
    "trap", ["Closed loop and open loop", "Coordinated omission", "The p99 of few requests", "Warm-up"]
)
def test_each_trap_is_named(trap: str) -> None:
    analysis = analysed(ladder_and_sweep())

    assert trap in text_of(chapter_of("curve_traps", analysis), analysis)
