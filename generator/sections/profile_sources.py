"""What the profile of the load was made from, and what could not be known from it."""

from __future__ import annotations

from typing import Final

from generator.declared.profiles import KINDS, NOTES, ProfileFile, Source
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Facts, Heading, Paragraph, Row, Table
from generator.told.sentence import Count, Listing, Sentence, say

SHOWN: Final = 12
"""Digits of a sha256 that tell files apart for a reader."""
PARTS: Final = {
    "input": Text(zh="输入长度", en="input length"),
    "output": Text(zh="输出长度", en="output length"),
    "correlation": Text(zh="长度的相关系数", en="correlation of the lengths"),
    "arrivals": Text(zh="到达", en="arrivals"),
    "arrivals.window": Text(zh="突发程度", en="burstiness"),
    "arrivals.hours": Text(zh="一天里的起伏", en="hours of the day"),
    "service": Text(zh="时长与并发", en="durations and concurrency"),
    "service.in_flight_most": Text(zh="最多的在途请求", en="most requests under way"),
}


@section()
def profile_sources(analysis: Analysis) -> Chapter | None:
    """List the files by kind, what has to be known of them, and what they do not tell."""
    profile = analysis.round.profile
    if profile is None:
        return None
    blocks: list[Block] = [_table(profile.sources)]
    blocks += [Paragraph(_open_quotes(one), "note") for one in profile.sources if one.open_quotes]
    blocks += [Paragraph(_sentence(NOTES[note]), "note") for note in profile.notes]
    facts = tuple(_not_known(profile))
    if facts:
        blocks.append(Facts(facts))
    blocks.append(Paragraph(_kept()))
    return Chapter(say(zh="来源", en="Sources"), tuple(blocks))


def _table(sources: tuple[Source, ...]) -> Table:
    headings = (
        Heading(say(zh="种类", en="kind"), is_text=True),
        Heading(say(zh="请求", en="requests")),
        Heading(say(zh="读不出的行", en="lines not read")),
        Heading(say(zh="不是请求", en="no requests")),
        Heading(say(zh="校验和", en="checksum"), is_text=True),
    )
    rows = tuple(
        Row((KINDS[one.kind], Count(one.requests), Count(one.bad), Count(one.left_out), same(one.sha256[:SHOWN])))
        for one in sources
    )
    return Table("profile-sources-table", say(zh="读了什么", en="What was read"), headings, rows)


def _not_known(profile: ProfileFile) -> list[tuple[Sentence, Sentence]]:
    found = []
    for key, name in PARTS.items():
        why = profile.why_unknown(key) if key in profile.unknown else None
        if why is not None:
            told = say(zh="不知道：{why}", en="not known: {why}", why=why)
            found.append((say(zh="{name}", en="{name}", name=name), told))
    return found


def _open_quotes(source: Source) -> Sentence:
    """Name the lines of a table that could not be read for their quotes; what stands behind them is counted."""
    lines = tuple(Text(zh=f"第{line}行", en=f"line {line}") for line in source.open_quotes)
    return say(
        zh="校验和为{file}的文件里，{lines}有没有合上的引号，读不出来；其余各行不受影响。",
        en="Note: quotes that are never closed are opened in {lines} of the file with the checksum {file}; "
        "no other line is lost with them.",
        file=same(source.sha256[:SHOWN]),
        lines=Listing(lines),
    )


def _sentence(text: Text) -> Sentence:
    return say(zh="{text}。", en="Note: {text}.", text=text)


def _kept() -> Sentence:
    return say(
        zh="画像里只有数：没有文本，没有地址与路径，也没有文件名。",
        en="The profile holds numbers only: no text, no address, no path, and no name of a file.",
    )
