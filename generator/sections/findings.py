"""The self-checks: what they noted, and the way to all that they concluded."""

from __future__ import annotations

from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.told.blocks import FindingList
from generator.told.sentence import say


@section()
def findings(analysis: Analysis) -> Chapter:
    """Lead to every finding with its evidence; what failed or warned stands at the top, and is not told again."""
    return Chapter(
        say(zh="自检：这批数据能不能信", en="Self-checks: can these data be trusted"),
        (FindingList(analysis.findings),),
    )
