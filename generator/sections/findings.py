"""What the self-checks noted, and the way to all that they concluded."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import FindingList, Paragraph
from generator.told.sentence import SectionLink, say


@section()
def findings(analysis: Analysis) -> Chapter:
    """Lead to every finding with its evidence; what failed or warned stands at the top, and is not told again."""
    noted = any(finding.shown == "note" for finding in analysis.findings)
    return Chapter(REMAINING if noted else ALL, (Paragraph(GRAVE), FindingList(analysis.findings)))


REMAINING: Final = say(zh="自检的其余提示", en="The remaining notes of the checks")
ALL: Final = say(zh="全部自检结果", en="All that the checks concluded")
GRAVE: Final = say(
    zh="不通过与警告列在“结果”页的“{checked}”。",
    en="Failures and warnings are on the page “Results”, under “{checked}”.",
    checked=SectionLink("checked", Text(zh="自检发现了什么", en="What the checks found")),
)
