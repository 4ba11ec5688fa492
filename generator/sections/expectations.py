"""Expectations: what the authors thought before they measured, and what came of it."""

from __future__ import annotations

from generator.analysis.claims import recomputed, stated, told
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import same
from generator.told.blocks import Block, Heading, Row, Table
from generator.told.claims import VERDICTS, Judgement
from generator.told.sentence import say


@section()
def expectations(analysis: Analysis) -> Chapter | None:
    """Hold each expectation against the data, above the authors' prose; silent where there is neither."""
    judged = [one for one in analysis.claims if one.claim.kind == "expectation"]
    if not judged and analysis.round.prose_of("expectations", "en") is None:
        return None
    blocks: tuple[Block, ...] = (_table(judged),) if judged else ()
    return Chapter(say(zh="预期：动手之前的判断", en="Expectations: what was thought before measuring"), blocks)


def _table(judged: list[Judgement]) -> Table:
    """Return a row for each expectation; why one cannot be decided stands in the last column, where any cannot."""
    headings = [
        Heading(say(zh="预期", en="expectation"), is_text=True),
        Heading(say(zh="写下的数", en="stated")),
        Heading(say(zh="重算值", en="recomputed")),
        Heading(say(zh="核对", en="verdict"), is_text=True),
    ]
    with_reasons = any(one.reason is not None for one in judged)
    if with_reasons:
        headings.append(Heading(say(zh="为何无从推导", en="why it cannot be told"), is_text=True))
    caption = say(zh="动手之前写下的预期与数据", en="What was expected beforehand, and the data")
    return Table("expected", caption, tuple(headings), tuple(_row(one, with_reasons) for one in judged))


def _row(one: Judgement, with_reasons: bool) -> Row:
    cells = (told(one), stated(one), recomputed(one), VERDICTS[one.verdict])
    return Row((*cells, one.reason or same("")) if with_reasons else cells)
