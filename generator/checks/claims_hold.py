"""Do the statements made of this round hold, recomputed from its data?"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from generator.analysis.claims import recomputed, stated, told
from generator.frame import Analysis
from generator.kinds import check
from generator.text import Text
from generator.themes import RECORDS
from generator.told.claims import Judgement, Verdict
from generator.told.findings import Finding
from generator.told.sentence import Count, Listing, Sentence, say

MOST_NAMED: Final = 5
"""Statements that a finding writes out; it counts them all, and the page of the statements has them all."""


@check(
    theme=RECORDS,
    title=Text(zh="发表值与重算值", en="Published and recomputed values"),
    question=Text(
        zh="报告里写的数、动手前的预期，由数据重算一遍还成立吗？",
        en="Do the numbers that were published, and the expectations, hold when the data are put through the formulas?",
    ),
    rule=Text(
        zh="每条陈述与未舍入的重算值比：在允许的偏差以内，或舍入到所写的位数后相同，就成立；只差末位一个单位的算舍入不同；差得更多就警告。数据推不出来的只提示。",
        en="Each statement is compared with the unrounded number: it holds within its tolerance, or where the number rounds to the digits written; one unit of the last digit away it rounds differently; further away is a warning. What the data cannot tell is a note.",
    ),
    stage="conclusions",
)
def claims_hold(analysis: Analysis) -> Sequence[Finding]:
    """Warn of statements that the data contradict, and note those on which they are silent."""
    if not analysis.claims:
        nothing = say(zh="没有登记要核对的陈述。", en="No statement is on record to be compared with the data.")
        return [Finding("claims_hold", "pass", nothing, is_empty=True)]
    wrong, silent = _of(analysis, "contradicted"), _of(analysis, "not_derivable")
    found = [_contradicted(wrong, len(analysis.claims))] if wrong else []
    found += [_not_derivable(silent, len(analysis.claims))] if silent else []
    return found or [_all_hold(analysis)]


def _of(analysis: Analysis, verdict: Verdict) -> list[Judgement]:
    return [one for one in analysis.claims if one.verdict == verdict]


def _contradicted(wrong: list[Judgement], of: int) -> Finding:
    """Name those that are furthest off, by how far as a share of the larger of both numbers."""
    first = sorted(wrong, key=_share_off, reverse=True)[:MOST_NAMED]
    some = Text(zh="差得最多的是", en="Furthest off: ") if len(wrong) > len(first) else Text(zh="", en="")
    message = say(
        zh="{of} 条陈述里有 {n} 条与数据不符。{some}{first}。",
        en="{n} of {of} {of:statement|statements} {n:is|are} contradicted by the data. {some}{first}.",
        n=Count(len(wrong)),
        of=Count(of),
        some=some,
        first=Listing(tuple(_against(one) for one in first)),
    )
    remedy = say(
        zh="逐条核对是报告写错还是数据转录错，再更正出错的一方。",
        en="Correct the contradicted statements, or the data where they were transcribed wrongly.",
    )
    evidence = tuple(dict.fromkeys(one.address for one in wrong if one.address is not None))
    return Finding("claims_hold", "warn", message, evidence=evidence, remedy=remedy)


def _share_off(judgement: Judgement) -> Decimal:
    difference, number, written = judgement.difference, judgement.recomputed, judgement.claim.stated
    if difference is None or number is None or written is None:
        return Decimal(0)
    return abs(difference) / max(abs(number), abs(written), Decimal("1e-300"))


def _against(judgement: Judgement) -> Sentence:
    return say(
        zh="{what}（原文 {stated}，重算 {found}）",
        en="{what} ({stated} stated, {found} recomputed)",
        what=_quoted(judgement),
        stated=stated(judgement),
        found=recomputed(judgement),
    )


def _quoted(judgement: Judgement) -> Sentence:
    """Return a statement, in quotation marks where the words are its author's."""
    if judgement.claim.text is None:
        return told(judgement)
    return say(zh="“{words}”", en="“{words}”", words=told(judgement))


def _not_derivable(silent: list[Judgement], of: int) -> Finding:
    message = say(
        zh="{of} 条陈述里有 {n} 条无从由数据推导：{first}{more}",
        en="{n} of {of} {of:statement|statements} cannot be derived from the data: {first}{more}",
        n=Count(len(silent)),
        of=Count(of),
        first=Listing(tuple(_quoted(one) for one in silent[:MOST_NAMED])),
        more=Text(zh="等。", en=", and others.") if len(silent) > MOST_NAMED else Text(zh="。", en="."),
    )
    return Finding("claims_hold", "note", message)


def _all_hold(analysis: Analysis) -> Finding:
    rounded = _of(analysis, "rounds_differently")
    told_all = say(
        zh="全部 {n} 条陈述都成立",
        en="{n:The|All} {n} {n:statement holds|statements hold}",
        n=Count(len(analysis.claims)),
    )
    if not rounded:
        return Finding("claims_hold", "pass", say(zh="{all}。", en="{all}.", all=told_all))
    differently = say(
        zh="{all}，其中 {n} 条末位舍入不同。",
        en="{all}; {n} of them {n:is|are} rounded differently in the last digit.",
        all=told_all,
        n=Count(len(rounded)),
    )
    return Finding("claims_hold", "pass", differently)
