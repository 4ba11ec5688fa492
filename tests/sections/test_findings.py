from __future__ import annotations

from generator.told.blocks import FindingList
from generator.told.findings import SEVERITY
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import chapter_of


def test_all_findings_are_listed_the_gravest_first() -> None:
    analysis = ANALYSES["round-2"]()
    told = chapter_of("findings", analysis)
    assert told is not None
    _, listed = told.blocks
    assert isinstance(listed, FindingList)

    assert listed.findings == analysis.findings
    ranks = [SEVERITY.index(finding.status) for finding in listed.findings]
    assert ranks == sorted(ranks)
