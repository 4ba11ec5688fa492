"""What the memory budget allows: whether weights and KV fit, at which precision, and for how much context."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.across.ladders import WALLS, walls
from generator.frame import Analysis
from generator.metrics.memory_budget import PRECISIONS
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, Heading, Ledger, LedgerGroup, LedgerLine, Paragraph, Row, Table
from generator.told.quoting import clipped, filled, passage, round_value, series_value
from generator.told.sentence import Part, Sentence, SeriesName, say
from generator.values import Address, Value


@section(checks=("memory_account", "kv_accounting", "slot_context", "kv_pressure"))
def guide_memory(analysis: Analysis) -> Chapter | None:
    """Set memory out as a budget for each series of which it is known; nothing where no capacity is declared."""
    told = [series for series in analysis.round.series if _left(analysis, series).value is not None]
    if not told:
        return None
    blocks: list[Block] = [
        Paragraph(passage(*(one for series in told for one in _fits(analysis, series)))),
        Ledger("guide-memory", LEDGER, tuple(_group(analysis, series) for series in told)),
    ]
    other = [series for series in told if _at(analysis, series, next(iter(PRECISIONS))).value is not None]
    blocks += [_precisions(other)] if other else []
    return Chapter(say(zh="装不装得下", en="What fits into memory"), tuple(blocks))


LEDGER: Final = say(
    zh="显存的账：能留给 KV 的，装得下的上下文与请求",
    en="Memory as a budget: what is left for KV, and what fits into it",
)


def _left(analysis: Analysis, series: Series) -> Value:
    return analysis.frame.of_series("memory_for_kv", series.id)


def _at(analysis: Analysis, series: Series, basis: str) -> Value:
    return analysis.frame.of_series("context_that_fits", series.id, basis)


def _is_bound(left: Value) -> bool:
    """Say whether nothing but the weights was taken off the capacity."""
    return all(one.name != "device_memory_used" for one in left.inputs)


def _fits(analysis: Analysis, series: Series) -> Iterator[Sentence]:
    left, context = _left(analysis, series), analysis.frame.of_series("context_that_fits", series.id)
    parts = _parts(series)
    if (left.value or 0.0) <= 0:
        yield filled(TOO_LARGE, parts)
        return
    yield filled(ROOM_AT_MOST if _is_bound(left) else ROOM, parts)
    if context.value is not None:
        requests = analysis.frame.of_series("requests_that_fit", series.id).value
        yield filled(HOLDS if requests is None else HOLDS_REQUESTS, parts)
    yield from _walls(analysis, series)


def _parts(series: Series) -> dict[str, Part]:
    return {
        "s": SeriesName(series.id),
        "p": clipped(series.table.precision) if series.table.precision else Text(zh="精度不明", en="unknown precision"),
        "all": round_value("memory_capacity"),
        "w": series_value("weights_loaded", series.id),
        "left": series_value("memory_for_kv", series.id),
        "context": series_value("context_that_fits", series.id),
        "requests": series_value("requests_that_fit", series.id),
    }


TOO_LARGE: Final = Text(
    zh="{s}（{p}）的权重 {w} 装不进 {all} 的显存。", en="{s} ({p}): its weights of {w} do not fit into {all}."
)
ROOM: Final = Text(
    zh="{s}（{p}）：{all} 的显存里，除去权重 {w} 与其余占用，能留给 KV 的有 {left}。",
    en="{s} ({p}): of {all}, weights of {w} and whatever else is in use leave {left} for KV.",
)
ROOM_AT_MOST: Final = Text(
    zh="{s}（{p}）：{all} 的显存里，除去权重 {w}，能留给 KV 的最多 {left}；缓冲区占多少没有记录。",
    en="{s} ({p}): of {all}, weights of {w} leave {left} for KV at most; what buffers take is not on record.",
)
HOLDS: Final = Text(
    zh="全部用作 KV，装得下 {context} 的上下文。", en="If all of it went to KV, {context} of context would fit."
)
HOLDS_REQUESTS: Final = Text(
    zh="全部用作 KV，装得下 {context} 的上下文，按这一轮的长度是 {requests} 条请求。",
    en="If all of it went to KV, {context} of context would fit, or {requests} {requests:request|requests} of this round's length.",
)


def _walls(analysis: Analysis, series: Series) -> Iterator[Sentence]:
    """Say what bounds the requests in flight as the series was started, where that is less than what would fit."""
    fit = analysis.frame.of_series("requests_that_fit", series.id).value
    found = [wall for wall in walls(analysis, series) if wall[1] != "wall_bandwidth"]
    if found and fit is not None and found[0][0] < fit:
        number, wall = series_value(found[0][1], series.id), found[0][1]
        yield filled(POOL if wall == "wall_memory" else WALL, {"w": WALLS[wall], "x": number})


POOL: Final = Text(zh="这次配置的 KV 池在 C = {x} 就满。", en="The pool configured here is full at C = {x}.")
WALL: Final = Text(
    zh="照这次的启动参数，先到的是{w}：{x} 条。",
    en="As it was started, its {w} comes first, at {x} {x:request|requests}.",
)


def _group(analysis: Analysis, series: Series) -> LedgerGroup:
    lines = [LedgerLine(round_value("memory_capacity")), LedgerLine(series_value("weights_loaded", series.id))]
    known = analysis.frame.known(
        Address(key, "series", series.id) for key in ("device_memory_used", "kv_pool_bytes", "kv_bytes_per_token")
    )
    lines += [LedgerLine(series_value(value.address.metric, series.id)) for value in known]
    lines.append(LedgerLine(series_value("memory_for_kv", series.id), is_sum=True))
    sums = analysis.frame.known(Address(key, "series", series.id) for key in ("context_that_fits", "requests_that_fit"))
    lines += [LedgerLine(series_value(value.address.metric, series.id)) for value in sums]
    return LedgerGroup(say(zh="{s}", en="{s}", s=SeriesName(series.id)), tuple(lines))


def _precisions(told: list[Series]) -> Table:
    headings = [Heading(say(zh="每个权重", en="a weight takes"), is_text=True)]
    headings += [Heading(say(zh="{s}", en="{s}", s=SeriesName(series.id)), "tok") for series in told]
    rows = tuple(
        Row((_bits(basis), *(series_value("context_that_fits", one.id, basis, bare=True) for one in told)))
        for basis in PRECISIONS
    )
    caption = say(
        zh="换一种精度装得下多少上下文；只算解码一步要读的权重，所以是上限",
        en="Context that fits at other precisions, counting only the weights that a step reads: upper bounds",
    )
    return Table("guide-memory-precisions", caption, tuple(headings), rows)


def _bits(basis: str) -> Text:
    return Text(zh="{bits} 位", en="{bits} bits").format(bits=basis.removeprefix("bits"))
