"""What the self-checks concluded, all of it."""

from __future__ import annotations

from generator.blocks import FindingList
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.sentence import say


@section(order=140)
def findings(analysis: Analysis) -> Chapter:
    """List every finding, the gravest first."""
    return Chapter(
        say(zh="自检：这批数据能不能信", en="Self-checks: can these data be trusted"),
        (FindingList(analysis.findings),),
    )
