"""The stages of a start: as long as asked, one after the other, each told of when it is over.

``import=0.4,weights=1.0,compile=0.5,kv=0.2,warm_up=0.3`` names them with their seconds; what is not
named takes no time. vLLM listens when all are over; llama.cpp after the first, and answers 503 until the last is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from generator.collect.reference.settings import STAGES, Stage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.collect.reference.settings import Style

LONGEST: Final = 3600.0
"""Seconds of a stage at most."""


def stages_of(text: str) -> dict[Stage, float]:
    """Return the seconds of each stage that is named.

    Raises:
        ValueError: a stage is not known or stands there twice, or is no number of seconds.
    """
    found: dict[Stage, float] = {}
    for part in text.split(","):
        name, _, seconds = part.strip().partition("=")
        stage = next((one for one in STAGES if one == name), None)
        if stage is None or stage in found:
            raise ValueError(f"{name!r} is none of {', '.join(STAGES)}, or stands there twice")
        found[stage] = _seconds(seconds)
    return found


def _seconds(text: str) -> float:
    seconds = float(text) if text.replace(".", "", 1).isdecimal() and text.isascii() else math.nan
    if not 0 <= seconds <= LONGEST:
        raise ValueError(f"{text!r} is no number of seconds up to {LONGEST:g}")
    return seconds


def before_listening(style: Style, stages: Mapping[Stage, float]) -> tuple[Stage, ...]:
    """Return the stages that pass before the port is open; the others pass behind it."""
    return tuple(stage for stage in STAGES if stage in stages and (style == "vllm" or stage == "import"))


def after_listening(style: Style, stages: Mapping[Stage, float]) -> tuple[Stage, ...]:
    """Return the stages that pass while the port is open already."""
    return tuple(stage for stage in STAGES if stage in stages and stage not in before_listening(style, stages))
