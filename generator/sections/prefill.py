"""Prefill: the time to the first token, and how much of it is the engine's own work."""

from __future__ import annotations

from typing import Final

from generator.across.levels import (
    IN_PARENTHESES,
    Place,
    all_places,
    amount,
    in_row,
    level_names,
    row_name,
    usable_on_both,
)
from generator.frame import Analysis
from generator.model import Level, Series
from generator.pairs import queued_levels
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Heading, Ledger, LedgerGroup, LedgerLine, Paragraph, Row, Table
from generator.told.quoting import level_value, pair_level_value, pair_value, passage, series_value
from generator.told.sentence import LevelName, Part, Sentence, SeriesName, say

TAILS: Final = {"ttft_p50": same("TTFT p50"), "ttft_p99": same("TTFT p99")}


@section(
    checks=(
        "prompt_cache",
        "repeated_prompts",
        "cache_in_window",
        "waiting_requests",
        "tail_percentiles",
        "prefill_roofline",
    ),
)
def prefill(analysis: Analysis) -> Chapter | None:
    """Print the median and the tail of the TTFT side by side, then server against client."""
    blocks: list[Block] = []
    table = _table(analysis)
    if table.rows:
        blocks += [Paragraph(_intro()), table]
    for compared in analysis.round.compared:
        blocks += [Paragraph(sentence) for key in TAILS if (sentence := _who_leads(analysis, compared, key))]
        blocks += [Paragraph(left_out, "note")] if (left_out := _queued(analysis, compared)) else []
        blocks += _server(analysis, compared)
    if not blocks and analysis.round.prose_of("prefill", "en") is None:
        return None
    return Chapter(
        say(zh="TTFT 与 prefill：等多久才出第一个 token", en="TTFT and prefill: how long the first token takes"),
        tuple(blocks),
    )


def _intro() -> Sentence:
    return say(
        zh="prefill 把整段输入一次算完：权重只读一遍，由全部输入 token 分摊，瓶颈通常是算力而不是带宽。"
        "所以光是权重字节变少，首个 token 快不了多少。",
        en="Prefill takes the whole input in one pass: the weights are read once for all of its tokens, and compute, not "
        "bandwidth, is usually the limit. Fewer weight bytes alone therefore do little for the first token.",
    )


def _table(analysis: Analysis) -> Table:
    """Return a row for each level at which any series has a TTFT, under the name of the first one that has."""
    places = [place for place in all_places(analysis) if any(amount(analysis, key, place) is not None for key in TAILS)]
    columns = [
        (key, series)
        for key in TAILS
        for series in analysis.round.series
        if any(amount(analysis, key, place) is not None for place in places if place[0] == series)
    ]
    headings = (
        Heading(Sentence(analysis.round.load_label)),
        *(_heading(TAILS[key], series) for key, series in columns),
    )
    alike: dict[str, list[Place]] = {}
    for series, level in places:
        alike.setdefault(level.id, []).append((series, level))
    by_load = sorted(alike.values(), key=lambda there: there[0][1].order)
    rows = tuple(_row(analysis, there, columns) for there in by_load)
    caption = say(zh="TTFT 的中位数与尾部。", en="TTFT, median and tail.")
    struck = any((series.id, level.id) in analysis.spoilt for series, level in places)
    return Table("ttft-table", passage(caption, IN_PARENTHESES) if struck else caption, headings, rows)


def _heading(name: Text, series: Series) -> Heading:
    return Heading(say("{s} {name}", "{s} {name}", s=SeriesName(series.id), name=name), "ms")


def _row(analysis: Analysis, there: list[Place], columns: list[tuple[str, Series]]) -> Row:
    level = there[0][1]
    cells: list[Part] = [row_name(analysis, there)]
    for key, series in columns:
        has = any(one.id == level.id for one in series.levels)
        number = level_value(key, series.id, level.id, bare=True)
        cells.append(in_row(analysis, number) if has else same("—"))
    spoilt = [analysis.spoilt.get((series.id, one.id)) for series, one in there]
    return Row(tuple(cells), spoilt[0].message if spoilt[0] and all(spoilt) else None)


def _who_leads(analysis: Analysis, compared: Series, key: str) -> Sentence | None:
    """Say at which usable levels the compared series answers sooner, and at which later."""
    comparable = _compared(analysis, compared)
    savings = [
        (level, saving)
        for level in comparable
        if (saving := analysis.frame.of_pair_level(f"{key}_saving", compared.id, level.id).value) is not None
    ]
    every = EVERY if len(analysis.shared(compared.id)) == len(comparable) else EVERY_USABLE
    told = [
        _at(verb, compared, levels, every if len(levels) == len(savings) > 1 else None)
        for verb, levels in (
            (SOONER, [level for level, saving in savings if saving > 0]),
            (LATER, [level for level, saving in savings if saving < 0]),
        )
        if levels
    ]
    if not told:
        return None
    what = say(zh="{name}：{s} ", en="{name}: {s} answers ", name=TAILS[key], s=SeriesName(compared.id))
    if len(told) == 1:
        return say(zh="{what}{a}。", en="{what}{a}.", what=what, a=told[0])
    return say(zh="{what}{a}，{b}。", en="{what}{a} and {b}.", what=what, a=told[0], b=told[1])


def _compared(analysis: Analysis, compared: Series) -> list[Level]:
    """Return the levels at which the first tokens of a pair are compared."""
    queued = queued_levels(analysis, compared.id)
    return [level for level in usable_on_both(analysis, compared.id) if level not in queued]


def _queued(analysis: Analysis, compared: Series) -> Sentence | None:
    """Name the levels that are not compared since the TTFT there is that of a queue."""
    queued = queued_levels(analysis, compared.id)
    if not queued:
        return None
    return say(
        zh="{levels} 的时延由排队主导，不用来比较 {s} 与 {base}。",
        en="At {levels} the latency is that of a queue: {s} and {base} are not compared there.",
        levels=level_names(compared, queued),
        s=SeriesName(compared.id),
        base=SeriesName(analysis.round.baseline.id if analysis.round.baseline is not None else ""),
    )


EVERY: Final = Text(zh="在每一档都{verb}", en="{verb} at every level")
EVERY_USABLE: Final = Text(zh="在每个可用档位都{verb}", en="{verb} at every usable level")
SOONER: Final = Text(zh="更短", en="sooner")
LATER: Final = Text(zh="更长", en="later")


def _at(verb: Text, compared: Series, levels: list[Level], every: Text | None) -> Sentence:
    if every is not None:
        return Sentence(every, {"verb": verb})
    names = level_names(compared, levels)
    return say(zh="在 {levels} {verb}", en="{verb} at {levels}", levels=names, verb=verb)


def _server(analysis: Analysis, compared: Series) -> list[Block]:
    """Return the prefill as the servers record it, beside what the client sees at the lowest shared level."""
    baseline = analysis.round.baseline
    if baseline is None or analysis.frame.of_pair("server_prefill_saving", compared.id).value is None:
        return []
    sides = (compared, baseline)
    server = tuple(LedgerLine(series_value("server_prefill", s.id), SeriesName(s.id)) for s in sides)
    saving = LedgerLine(pair_value("server_prefill_saving", compared.id), is_sum=True)
    groups = [LedgerGroup(say(zh="服务端记录的 prefill", en="Prefill as the server records it"), (*server, saving))]
    groups += [
        _client(sides, level) for level in _compared(analysis, compared)[:1] if _has_saving(analysis, compared, level)
    ]
    caption = say(zh="服务端计时与客户端计时", en="Timed by the server, and by the client")
    return [Ledger(f"prefill-{compared.id}", caption, tuple(groups))]


def _has_saving(analysis: Analysis, compared: Series, level: Level) -> bool:
    return analysis.frame.of_pair_level("ttft_p50_saving", compared.id, level.id).value is not None


def _client(sides: tuple[Series, Series], level: Level) -> LedgerGroup:
    compared = sides[0].id
    lines = tuple(LedgerLine(level_value("ttft_p50", s.id, level.id), SeriesName(s.id)) for s in sides)
    saving = LedgerLine(pair_level_value("ttft_p50_saving", compared, level.id), is_sum=True)
    heading = say(zh="客户端看到的 TTFT，{l}", en="TTFT as the client sees it, {l}", l=LevelName(compared, level.id))
    return LedgerGroup(heading, (*lines, saving))
