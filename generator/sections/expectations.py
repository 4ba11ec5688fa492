"""Expectations: what the authors thought before they measured, and what came of it."""

from __future__ import annotations

from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.sentence import say


@section(order=150)
def expectations(analysis: Analysis) -> Chapter | None:
    """Make room for the authors' prose; silent where they wrote none."""
    if analysis.round.prose_of("expectations", "en") is None:
        return None
    return Chapter(say(zh="预期：动手之前的判断", en="Expectations: what was thought before measuring"), ())
