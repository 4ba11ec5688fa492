"""Does the authors' prose quote data that are there?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.analysis.quotes import quoted
from generator.frame import Analysis
from generator.kinds import check
from generator.text import Text, same
from generator.themes import RECORDS
from generator.told.findings import Finding, Status
from generator.told.prose import Prose
from generator.told.references import Reference
from generator.told.sentence import Count, Listing, Quantity, Sentence, say

MOST_NAMED: Final = 5
"""References that a finding writes out; it counts them all."""

Quote = tuple[Prose, Reference]


@check(
    theme=RECORDS,
    title=Text(zh="正文引用的数据", en="Data quoted by the prose"),
    question=Text(zh="作者的文字引用的数都还在吗？", en="Is everything that the authors quote still there?"),
    rule=Text(
        zh="作者文字里引用的每个数都要存在：指标、系列、档位不存在，或数未知而显示为破折号，就警告。",
        en="Everything that the authors' prose quotes has to be there: a warning where metric, series or level do not exist, or the number is unknown and a dash is printed.",
    ),
    stage="conclusions",
)
def prose_references(analysis: Analysis) -> Sequence[Finding]:
    """Look up every reference of the prose. Both languages quote the same, so one is enough."""
    texts = [prose for prose in analysis.round.prose if prose.lang == "en"]
    quotes = [(prose, one) for prose in texts for one in prose.references if one.function != "typed"]
    strange = [quote for quote in quotes if quoted(quote[1], analysis) is None]
    unknown = [quote for quote in quotes if _is_unknown(quote[1], analysis)]
    found = [*_warning(strange, STRANGE, RENAME), *_warning(unknown, UNKNOWN, REWRITE)]
    if found:
        return found
    if not quotes:
        return [_finding("note", _nothing_quoted())]
    return [_finding("pass", _all_there(len(quotes)))]


def _is_unknown(reference: Reference, analysis: Analysis) -> bool:
    part = quoted(reference, analysis)
    return isinstance(part, Quantity) and analysis.frame.values[part.address].value is None


def _finding(status: Status, message: Sentence, remedy: Sentence | None = None) -> Finding:
    return Finding(check="prose_references", status=status, message=message, remedy=remedy)


def _named(quotes: list[Quote]) -> Listing:
    written = dict.fromkeys(f"{prose.section}: {reference.written}" for prose, reference in quotes)
    return Listing(tuple(same(one) for one in list(written)[:MOST_NAMED]))


def _warning(quotes: list[Quote], message: Text, remedy: Text) -> list[Finding]:
    if not quotes:
        return []
    told = Sentence(message, {"n": Count(len(quotes)), "named": _named(quotes)})
    return [_finding("warn", told, Sentence(remedy))]


STRANGE: Final = Text(
    zh="正文引用了本轮没有的指标、系列或档位，显示为破折号（{n} 处）：{named}。",
    en="The prose names metrics, series or levels that this round does not have; in {n} {n:place a dash is|places dashes are} printed: {named}.",
)
RENAME: Final = Text(zh="改正 prose 里的这些名字。", en="Correct these names under prose.")
UNKNOWN: Final = Text(
    zh="正文引用了本轮未知的数，显示为破折号（{n} 处）：{named}。",
    en="The prose quotes numbers that are unknown in this round; in {n} {n:place a dash is|places dashes are} printed: {named}.",
)
REWRITE: Final = Text(
    zh="补上数据，或改写 prose 里的这些句子。", en="Bring the data back, or rewrite these sentences under prose."
)


def _all_there(count: int) -> Sentence:
    return say(
        zh="正文引用了 {n} 处数据，都在。",
        en="The prose quotes data in {n} {n:place|places}, and all of it is there.",
        n=Count(count),
    )


def _nothing_quoted() -> Sentence:
    return say(
        zh="这一轮的正文没有引用任何数据，页面上的数都由程序直接写出。",
        en="The authors' prose quotes no data here; all numbers on the page are the program's own.",
    )
