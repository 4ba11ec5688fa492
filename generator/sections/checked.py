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

FLATTERED: Final[dict[Looks, Text]] = {
    "better": Text(zh="{n} 项使结果偏向 {series}", en="{n} {n:finding favours|findings favour} {series}"),
    "worse": Text(zh="{n} 项使结果不利于 {series}", en="{n} {n:finding works|findings work} against {series}"),
}

UNDERSTATED_TOO: Final = Text(zh="{n} 项偏向另一方", en="{n} {n:works|work} against it")
"""Behind what flatters the same series."""


@section()
def checked(analysis: Analysis) -> Chapter:
    """Tell the grave findings, count the others, and say whom they favour."""
    blocks: list[Block] = [FindingSummary(analysis.findings)]
    told = tuple(_biased(analysis))
    if told:
        direction = say(zh="这些问题中，{told}。", en="Direction of bias: {told}.", told=Listing(told))
        blocks.append(Paragraph(direction, "note"))
    return Chapter(say(zh="自检发现了什么", en="What the checks found"), tuple(blocks))


def _biased(analysis: Analysis) -> Iterator[Sentence]:
    """Say how many findings make each series look better, or worse, than it is; nothing where none does."""
    counts = Counter((finding.series, finding.looks) for finding in analysis.findings)
    for series in analysis.round.series:
        better, worse = counts[series.id, "better"], counts[series.id, "worse"]
        name = SeriesName(series.id)
        if better:
            yield Sentence(FLATTERED["better"], {"n": Count(better), "series": name})
        if worse and better:
            yield Sentence(UNDERSTATED_TOO, {"n": Count(worse)})
        elif worse:
            yield Sentence(FLATTERED["worse"], {"n": Count(worse), "series": name})
