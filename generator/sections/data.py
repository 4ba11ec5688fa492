"""The full table: every level of every series."""

from __future__ import annotations

from generator.blocks import Block, Heading, Paragraph, Row, Table
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.model import Level, Series
from generator.quoting import level_value
from generator.sentence import LevelName, Sentence, SeriesName, say
from generator.text import Text, same

COLUMNS: tuple[tuple[str, Text, str], ...] = (
    ("requests", Text(zh="请求", en="requests"), ""),
    ("completed", Text(zh="完成", en="completed"), ""),
    ("duration", Text(zh="耗时", en="duration"), "s"),
    ("output_throughput", Text(zh="输出吞吐", en="output"), "tok/s"),
    ("total_token_throughput", Text(zh="总吞吐", en="total"), "tok/s"),
    ("ttft_p50", same("TTFT p50"), "ms"),
    ("ttft_p99", same("TTFT p99"), "ms"),
    ("itl_p50", same("ITL p50"), "ms"),
    ("itl_mean", Text(zh="ITL 均值", en="ITL mean"), "ms"),
    ("itl_p99", same("ITL p99"), "ms"),
    ("tpot_p50", same("TPOT p50"), "ms"),
    ("tpot_mean", Text(zh="TPOT 均值", en="TPOT mean"), "ms"),
    ("e2el_p50", same("E2EL p50"), "ms"),
    ("decode_floor", Text(zh="地板", en="floor"), "ms"),
    ("floor_ratio", Text(zh="地板比例", en="of floor"), "%"),
)


@section(order=130)
def data(analysis: Analysis) -> Chapter:
    """Print every number that was read, beside its floor; spoilt rows say why."""
    shown = [column for column in COLUMNS if _is_known_somewhere(analysis, column[0])]
    rows = tuple(
        _row(analysis, series, level, [key for key, _, _ in shown])
        for series in analysis.round.series
        for level in series.levels
    )
    load = analysis.round.load_label
    headings = (
        Heading(say(zh="系列", en="series")),
        Heading(say(load.zh, load.en)),
        *(Heading(say(name.zh, name.en), unit) for _, name, unit in shown),
    )
    table = Table("full", say(zh="全部档位", en="All levels"), headings, rows)
    blocks: list[Block] = [table]
    if analysis.spoilt:
        blocks.insert(0, Paragraph(_about_spoilt(), "note"))
    return Chapter(say(zh="数据：完整测量结果", en="Data: all that was measured"), tuple(blocks))


def _about_spoilt() -> Sentence:
    return say(
        zh="带删除线的档位被自检判为失效，不进入交叉点、斜率与结论，但数据照登。",
        en="Levels struck through were found spoilt by a check: no crossover, slope or verdict rests on them, but their "
        "numbers stand here all the same.",
    )


def _is_known_somewhere(analysis: Analysis, key: str) -> bool:
    return any(
        analysis.frame.of_level(key, series.id, level.id).value is not None
        for series in analysis.round.series
        for level in series.levels
    )


def _row(analysis: Analysis, series: Series, level: Level, keys: list[str]) -> Row:
    cells = (level_value(key, series.id, level.id, bare=True) for key in keys)
    spoilt = analysis.spoilt.get((series.id, level.id))
    return Row((SeriesName(series.id), LevelName(series.id, level.id), *cells), spoilt.message if spoilt else None)
