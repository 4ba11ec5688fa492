"""All starts on record, each with the state of the page cache, and the median of those that are alike."""

from __future__ import annotations

from typing import Final

from generator.across.cold_starts import BASES, NAMES, at_start, started, starts_of, state_at
from generator.across.levels import Shown
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.runs.starts import COLD, RESIDENT, WARM, StartState
from generator.text import Text, same
from generator.told.blocks import Block, Heading, Paragraph, Row, Table
from generator.told.sentence import Count, Part, Quantity, SeriesName, say
from generator.units import FACTORS
from generator.values import Address

SHOWN: Final = (
    Shown("cold_start_t1", same("T1"), "s"),
    Shown("cold_start_healthy", Text(zh="就绪", en="ready"), "s"),
    Shown("cold_start_t2", same("T2"), "s"),
    Shown("cold_start_t3", same("T3"), "s"),
    Shown("cold_start_perceived", same("T1 + T2"), "s"),
)


@section(checks=("page_cache_known",))
def cold_start_starts(analysis: Analysis) -> Chapter | None:
    """Show a row a start, and one for the median of each kind of which there are several."""
    rows = tuple(row for series in started(analysis) for row in _rows(analysis, series))
    if not rows:
        return None
    headings = (
        Heading(say(zh="系列", en="series")), Heading(say(zh="启动", en="start"), is_text=True),
        Heading(say(zh="页缓存", en="page cache"), is_text=True), Heading(say(zh="在内存里", en="in memory"), "%"),
        *(Heading(say("{n}", "{n}", n=one.label), one.unit) for one in SHOWN),
    )  # fmt: skip
    table = Table("cold-starts-table", say(zh="全部启动", en="All starts"), headings, rows)
    blocks: tuple[Block, ...] = (Paragraph(RULES), table)
    return Chapter(say(zh="重复的启动", en="Repeated starts"), blocks)


def _rows(analysis: Analysis, series: Series) -> list[Row]:
    starts = starts_of(analysis, series)
    if not starts:
        return [_row(analysis, series, None)]
    rows = [_row(analysis, series, start) for start in starts]
    return rows + [row for state in BASES if (row := _summary(analysis, series, state)) is not None]


def _row(analysis: Analysis, series: Series, start: int | None) -> Row:
    name: Part = DECLARED if start is None else Count(start)
    state = NAMES[state_at(analysis, series, start)]
    share = _cell(analysis, at_start(RESIDENT, series, start), "%")
    cells = (_cell(analysis, at_start(one.metric, series, start), one.unit) for one in SHOWN)
    return Row((SeriesName(series.id), name, state, share, *cells))


def _cell(analysis: Analysis, at: Address, unit: str) -> Part:
    value = analysis.frame.values.get(at)
    if value is None or value.value is None:
        return same("—")
    return Quantity(at, unit=unit if unit in FACTORS else None, bare=True)


def _summary(analysis: Analysis, series: Series, state: StartState) -> Row | None:
    if sum(state_at(analysis, series, start) == state for start in starts_of(analysis, series)) < 2:  # noqa: PLR2004
        return None
    basis = BASES[state]
    count = Quantity(Address("cold_starts_alike", "series", series.id, basis=basis))
    name = say(zh="{n} 次的中位数", en="median of {n}", n=count)
    cells = (_cell(analysis, Address(one.metric, "series", series.id, basis=basis), one.unit) for one in SHOWN)
    return Row((SeriesName(series.id), name, NAMES[state], same("—"), *cells))


DECLARED: Final = Text(zh="声明的", en="declared")
RULES: Final = say(
    zh="冷：启动前模型文件在内存里的不超过 {cold}；热：至少 {warm} 在内存里；介于两者之间或系统不说的，归为不明。中位数只在同一种启动之内取，从不混在一起。其余的磁盘读取（动态库、Python 模块、编译缓存）不在此列。",
    en="Cold: before the start at most {cold} of the model's files lay in memory; warm: at least {warm}; between the two, or where the "
    "system does not say, it is unknown. A median is of one kind alone, never of all together. Other reading from the disk "
    "(libraries, Python modules, compile caches) is not counted.",
    cold=same(f"{COLD:.0%}"),
    warm=same(f"{WARM:.0%}"),
)
