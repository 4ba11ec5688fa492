from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from generator.analysis.stages import analyse
from generator.frame import Analysis
from generator.sections.expectations import expectations
from generator.text import LANGS, Text, same
from generator.told.blocks import Table
from generator.told.claims import VERDICTS, Claim
from generator.told.prose import parse_prose
from generator.told.sentence import Quantity
from tests.support.memory_round import GRAPH, memory_round

FASTER = Claim("faster", "expectation", metric="itl_p50", series="s", level="c1", op="<", stated=Decimal(25))
LOST = Claim(
    "lost",
    "expectation",
    text=Text(zh="说不清", en="nobody knows"),
    reason=Text(zh="没有留存", en="it did not survive"),
)


def analysed(*claims: Claim, with_prose: bool = False) -> Analysis:
    round_ = memory_round({"s": {"c1": {"concurrency": 1, "itl_p50": 0.020}}})
    prose = tuple(parse_prose("As we thought.", "expectations", lang) for lang in LANGS) if with_prose else ()
    return analyse(replace(round_, claims=claims, prose=prose), GRAPH, ())


def table_of(analysis: Analysis) -> Table:
    chapter = expectations.tell(analysis)
    assert chapter is not None
    (table,) = chapter.blocks
    assert isinstance(table, Table)
    return table


def test_each_expectation_is_held_against_the_data() -> None:
    table = table_of(analysed(FASTER))
    (row,) = table.rows
    _, stated, recomputed, verdict = row.cells

    assert (stated, verdict) == (same("< 25\u202fms"), VERDICTS["holds"])
    assert isinstance(recomputed, Quantity)
    assert recomputed.address.metric == "itl_p50"
    assert len(table.headings) == 4


def test_why_one_cannot_be_told_has_a_column_where_any_cannot() -> None:
    table = table_of(analysed(FASTER, LOST))
    told, untold = table.rows

    assert len(table.headings) == len(told.cells) == len(untold.cells) == 5
    assert (told.cells[4], untold.cells[4]) == (same(""), LOST.reason)
    assert untold.cells[1:4] == (same("—"), same("—"), VERDICTS["not_derivable"])


def test_prose_alone_has_a_chapter_too() -> None:
    chapter = expectations.tell(analysed(with_prose=True))

    assert chapter is not None
    assert chapter.blocks == ()
    assert chapter.heading.text.zh == "预期：动手之前的判断"


def test_without_prose_and_expectations_there_is_no_chapter() -> None:
    assert expectations.tell(analysed()) is None
    assert expectations.tell(analysed(replace(FASTER, kind="published"))) is None
