"""What the self-checks found, in short: what failed or warned in a sentence each, how many of the rest, and the bias."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, FindingSummary, Paragraph
from generator.told.findings import Looks
from generator.told.sentence import Count, Listing, Sentence, SeriesName, say

FLATTERED: Final[dict[tuple[Looks, bool], Text]] = {
    ("better", True): Text(zh="{n} 项对 {series} 有利", en="{n} finding favours {series}"),
    ("better", False): Text(zh="{n} 项对 {series} 有利", en="{n} findings favour {series}"),
    ("worse", True): Text(zh="{n} 项对 {series} 不利", en="{n} finding works against {series}"),
    ("worse", False): Text(zh="{n} 项对 {series} 不利", en="{n} findings work against {series}"),
}
"""By the direction, and whether it is a single finding."""

UNDERSTATED_TOO: Final[dict[bool, Text]] = {
    True: Text(zh="{n} 项对它不利", en="{n} works against it"),
    False: Text(zh="{n} 项对它不利", en="{n} work against it"),
}
"""Behind what flatters the same series."""


@section()
def checked(analysis: Analysis) -> Chapter:
    """Tell the grave findings, count the others, and say whom they favour."""
    blocks: list[Block] = [FindingSummary(analysis.findings)]
    told = tuple(_biased(analysis))
    if told:
        direction = say(zh="偏差方向：{told}。", en="Direction of bias: {told}.", told=Listing(told))
        blocks.append(Paragraph(direction, "note"))
    return Chapter(say(zh="自检查出了什么", en="What the checks found"), tuple(blocks))


def _biased(analysis: Analysis) -> Iterator[Sentence]:
    """Say how many findings make each series look better, or worse, than it is; nothing where none does."""
    counts = Counter((finding.series, finding.looks) for finding in analysis.findings)
    for series in analysis.round.series:
        better, worse = counts[series.id, "better"], counts[series.id, "worse"]
        name = SeriesName(series.id)
        if better:
            yield Sentence(FLATTERED["better", better == 1], {"n": Count(better), "series": name})
        if worse and better:
            yield Sentence(UNDERSTATED_TOO[worse == 1], {"n": Count(worse)})
        elif worse:
            yield Sentence(FLATTERED["worse", worse == 1], {"n": Count(worse), "series": name})
