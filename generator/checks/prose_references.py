"""Does the authors' prose quote data that are there?"""

from __future__ import annotations

from collections.abc import Sequence

from generator.findings import Finding
from generator.frame import Analysis
from generator.kinds import check
from generator.prose import Prose, Reference
from generator.sentence import Count, Listing, say
from generator.text import Text, same


@check(
    title=Text(zh="正文引用的数据", en="Data quoted by the prose"),
    question=Text(zh="作者的文字引用的数都还在吗？", en="Is everything that the authors quote still there?"),
    stage="conclusions",
)
def prose_references(analysis: Analysis) -> Sequence[Finding]:
    """Look up every reference of the prose. Both languages quote the same, so one is enough."""
    texts = [prose for prose in analysis.round.prose if prose.lang == "en"]
    if not texts:
        return [_nothing()]
    gone = [(prose, one) for prose in texts for one in prose.references if not _is_there(analysis, one)]
    return [_gone(gone)] if gone else [_all_there(sum(len(prose.references) for prose in texts))]


def _is_there(analysis: Analysis, reference: Reference) -> bool:
    known = {series.id: {level.id for level in series.levels} for series in analysis.round.series}
    match reference.function:
        case "series":
            return reference.name in known
        case "level":
            return reference.name in known.get(str(reference.keywords.get("series")), set())
        case "value":
            address = analysis.frame.find(reference.name, *reference.place)
            return address is not None and analysis.frame.values[address].value is not None
        case _:
            return True


def _gone(gone: list[tuple[Prose, Reference]]) -> Finding:
    named = tuple(same(f"{prose.section}: {one.source}") for prose, one in gone)
    return Finding(
        check="prose_references",
        status="warn",
        message=say(
            zh="正文引用了已经不在的数据，印成破折号：{named}。",
            en="The prose quotes data that are not there, printed as a dash: {named}.",
            named=Listing(named),
        ),
        remedy=say(
            zh="改写 prose 里的这些句子，或补上数据。",
            en="Rewrite these sentences under prose, or bring the data back.",
        ),
    )


def _all_there(count: int) -> Finding:
    return Finding(
        check="prose_references",
        status="pass",
        message=say(
            zh="正文引用的 {n} 处数据都在。", en="All {n} references of the prose lead to data.", n=Count(count)
        ),
    )


def _nothing() -> Finding:
    return Finding(
        check="prose_references",
        status="note",
        message=say(
            zh="这一轮没有作者的文字，页面全部由数据生成。",
            en="This round has no prose by its authors; the page is made from the data alone.",
        ),
    )
