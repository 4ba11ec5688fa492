"""Prompts that a run had more than once, which a cache may know."""

from __future__ import annotations

from typing import Final

from generator.kinds import observed
from generator.places import column, record
from generator.text import Text
from generator.themes import CACHING

THEME: Final = CACHING

prompts_repeated = observed(
    "prompts_repeated",
    scope="level",
    unit="1",
    symbol="N_again",
    better="lower",
    digits=9,
    places=[record("level.json", "summary.prompts_repeated", "1"), column("prompts_repeated", "1")],
    title=Text(zh="重复的 prompt 数", en="prompts repeated"),
    meaning=Text(
        zh="本次运行里发过不止一次、或别的运行已经用过的 prompt 有多少条，由采集器数出。",
        en="Prompts that the run sent more than once, or that another run had before, as the collector counted them.",
    ),
)
