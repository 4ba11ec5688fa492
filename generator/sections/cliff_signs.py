"""What shows a cliff, level by level: each sign with its number, and which of them have set in."""

from __future__ import annotations

from typing import Final

from generator.across.cliffs import FLAT, JUMP, NAMES, WAITING, climbed, observed_at, signs_at, with_cliff
from generator.across.levels import Place, Shown, at_level, number_at, why_spoilt
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Heading, Paragraph, Row, Table
from generator.told.sentence import LevelName, Listing, Part, SeriesName, say

SHOWN: Final = (
    Shown("cliff_tokens", Text(zh="在途 token", en="tokens in flight"), "tok"),
    Shown("cliff_preemptions", Text(zh="抢占", en="preempted")),
    Shown("cliff_waiting", Text(zh="排队，均值", en="waiting, mean")),
    Shown("log_kv_full", Text(zh="KV 已满（日志行）", en="KV full (log lines)")),
    Shown("cliff_refused", Text(zh="KV 不足而失败", en="failed, no KV")),
    Shown("failed", Text(zh="失败", en="failed")),
    Shown("log_truncated", Text(zh="截断", en="truncated")),
    Shown("gauge_kv_usage_most", Text(zh="KV 占用，最大", en="most KV use"), "%"),
    Shown("output_throughput", Text(zh="吞吐", en="throughput"), "tok/s"),
    Shown("ttft_p50", same("TTFT p50"), "ms"),
    Shown("ttft_p99", same("TTFT p99"), "ms"),
)
NONE: Final = Text(zh="没有", en="none")


@section(checks=("past_saturation", "non_monotonic_throughput"))
def cliff_signs(analysis: Analysis) -> Chapter | None:
    """Show a row a level; a row in which the observed cliff lies says so."""
    places = [(series, level) for series in with_cliff(analysis) for level in climbed(analysis, series)]
    if not places:
        return None
    shown = [one for one in SHOWN if any(_number(analysis, one, place) is not None for place in places)]
    headings = (
        Heading(say(zh="系列", en="series")), Heading(say(zh="并发", en="concurrency")),
        Heading(say(zh="征兆", en="signs"), is_text=True),
        *(Heading(say("{n}", "{n}", n=one.label), one.unit) for one in shown),
    )  # fmt: skip
    rows = tuple(_row(analysis, place, shown) for place in places)
    caption = say(zh="悬崖的征兆，逐档", en="Signs of a cliff, level by level")
    table = Table("cliff-signs-table", caption, headings, rows)
    return Chapter(say(zh="逐档的征兆", en="Signs by level"), (Paragraph(RULES), table))


def _number(analysis: Analysis, shown: Shown, place: Place) -> float | None:
    return number_at(analysis, at_level(shown.metric, *place))


def _row(analysis: Analysis, place: Place, shown: list[Shown]) -> Row:
    series, level = place
    cells = (one.cell(*place) if _number(analysis, one, place) is not None else same("—") for one in shown)
    head = (SeriesName(series.id), LevelName(series.id, level.id))
    return Row((*head, _signs(analysis, place), *cells), why_spoilt(analysis, place))


def _signs(analysis: Analysis, place: Place) -> Part:
    series, level = place
    signs = Listing(tuple(NAMES[sign] for sign in signs_at(analysis, series, level)))
    if not signs.parts:
        return NONE
    if observed_at(analysis, series) == level:
        return say(zh="悬崖：{signs}", en="cliff: {signs}", signs=signs)
    return say("{signs}", "{signs}", signs=signs)


RULES: Final = say(
    zh="引擎自报的三种征兆：抢占、平均排队不少于 {waiting} 条、请求因 KV 放不下而失败（起初放不下、换小一点的批或清掉旧 KV 后放下的不算）。客户端可见的两种：吞吐不再上升（并发翻一番而增幅不到 {flat}，或下降），TTFT 超过上一档的 {jump} 倍。前三种里最先出现的一档即实测的悬崖；引擎什么也没报告时，后两种须同时出现。因别的缘故失败、失败而原因没有记录，以及截断，都不算征兆，只列出条数。",
    en="The engine reports three signs: requests preempted, {waiting} requests or more waiting on average, requests failed for want of KV (what "
    "fits in smaller batches, or once old KV is given up, does not count). The client sees two: throughput that no longer rises (it grows by "
    "less than {flat} per doubling), and a TTFT more than {jump} times that of the level before. The observed cliff is the first "
    "level with any of the engine's signs; where the engine reports none of them, the first with both of the client's. Other failures, and "
    "those of unknown cause, are counted and no signs.",
    waiting=same(f"{WAITING:g}"),
    flat=same(f"{FLAT:.0%}"),
    jump=same(f"{JUMP:g}"),
)
