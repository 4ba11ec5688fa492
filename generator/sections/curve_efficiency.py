"""How much of what more requests could bring they do bring: against one alone, and against the floor."""

from __future__ import annotations

from typing import Final

from generator.across.ladders import ladder
from generator.across.levels import Shown, amount, known_at, level_names, level_table
from generator.figures import makes_line, on_axis
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, FigureBlock, Paragraph
from generator.told.quoting import level_value, passage, series_value
from generator.told.sentence import LevelName, Part, Sentence, SeriesName, say

COLUMNS: Final = (
    Shown("output_throughput", Text(zh="输出吞吐", en="output"), "tok/s"),
    Shown("scaling_efficiency", Text(zh="扩展效率", en="scaling efficiency"), "%"),
    Shown("floor_throughput", Text(zh="下限允许的吞吐", en="floor allows"), "tok/s"),
    Shown("throughput_floor_ratio", Text(zh="吞吐 ÷ 下限允许的", en="output ÷ that"), "%"),
    Shown("floor_ratio", Text(zh="步长下限 ÷ 步长", en="floor ÷ step"), "%"),
    Shown("itl_p50", same("ITL p50"), "ms"),
    Shown("e2el_p50", same("E2EL p50"), "ms"),
)
HALF: Final = 0.5


@section()
def curve_efficiency(analysis: Analysis) -> Chapter | None:
    """Print throughput, scaling efficiency and floor of each level of the ladders, and draw step against floor."""
    places = [(series, level) for series in analysis.round.series for level in on_axis(analysis, series)]
    known = [place for place in places if amount(analysis, "output_throughput", place) is not None]
    if not known:
        return None
    told = [sentence for series in analysis.round.series if (sentence := _half(analysis, series)) is not None]
    told += [sentence for series in analysis.round.series if (sentence := _waiting(analysis, series)) is not None]
    caption = say(zh="每一档的吞吐与扩展效率", en="Throughput and scaling efficiency at each level")
    intro = [_intro()]
    if any(amount(analysis, "floor_throughput", place) is not None for place in known):
        caption = say(zh="每一档的吞吐、扩展效率与下限", en="Throughput, scaling efficiency and floor at each level")
        intro.append(_of_floor())
    blocks: list[Block] = [
        Paragraph(passage(*intro, *told)),
        level_table(analysis, "curve-efficiency-table", caption, COLUMNS, known),
    ]
    if makes_line(analysis, "itl_p50", "decode_floor"):
        blocks.append(FigureBlock("step_vs_floor"))
    return Chapter(say(zh="效率", en="Efficiency"), tuple(blocks))


def _intro() -> Sentence:
    return say(
        zh="扩展效率是输出吞吐 ÷（并发 × 单条请求的吞吐）：100% 表示每多一条请求就多一份吞吐。",
        en="The scaling efficiency is output throughput ÷ (concurrency × that of one request at a time): at 100%, each further request "
        "brings as much as the first.",
    )


def _of_floor() -> Sentence:
    return say(
        zh="“下限允许的”是每一步只花读权重与 KV 的时间、没有 prefill 也没有停顿时的吞吐。",
        en="What the floor allows is the throughput with steps that only read weights and KV, without prefill and without stalls.",
    )


def _half(analysis: Analysis, series: Series) -> Sentence | None:
    """Say up to which level half of it is kept, and what the highest has of it."""
    found = [
        one for one in known_at(analysis, "scaling_efficiency", series, ladder(analysis, series)) if one[1].load > 1
    ]
    if not found:
        return None
    last = found[-1][1]
    kept = [level for share, level in found if share >= HALF]
    parts: dict[str, Part] = {
        "s": SeriesName(series.id),
        "x": series_value("throughput_alone", series.id),
        "l": LevelName(series.id, last.id),
        "e": level_value("scaling_efficiency", series.id, last.id),
    }
    if not kept:
        return Sentence(NEVER, parts)
    if kept[-1] == last:
        return Sentence(STILL, parts)
    return Sentence(
        UP_TO,
        {
            **parts,
            "k": LevelName(series.id, kept[-1].id),
            "f": level_value("scaling_efficiency", series.id, kept[-1].id),
        },
    )


NEVER: Final = Text(
    zh="{s} 单条请求时 {x}；往上每一档都不到一半，{l} 是 {e}。",
    en="{s} delivers {x} to one request at a time; at every higher level each gets less than half of that ({e} at {l}).",
)
STILL: Final = Text(
    zh="{s} 单条请求时 {x}，到 {l} 还有 {e}。",
    en="{s} delivers {x} to one request at a time, and still keeps {e} of that for each at {l}.",
)
UP_TO: Final = Text(
    zh="{s} 单条请求时 {x}，到 {k} 还保住一半以上（{f}），{l} 是 {e}。",
    en="{s} delivers {x} to one request at a time; each still gets at least half of that up to {k} ({f}), and {e} at {l}.",
)


def _waiting(analysis: Analysis, series: Series) -> Sentence | None:
    """Say at which levels the floor counts fewer requests than are in flight, since the engine has the others wait."""
    fewer = [
        (decoded, level)
        for decoded, level in known_at(analysis, "decoded_together", series, ladder(analysis, series))
        if decoded < (amount(analysis, "in_flight", (series, level)) or 0)
    ]
    if not fewer or not known_at(analysis, "floor_throughput", series, [level for _, level in fewer]):
        return None
    last = fewer[-1][1]
    return say(
        zh="{s} 在 {l} 有请求排队，没有一起解码；下限只算一起解码的，{k} 是 {n} 条。",
        en="At {l} some requests of {s} wait and are not decoded with the others; the floor counts those that are, {n} at {k}.",
        s=SeriesName(series.id),
        l=level_names(series, [level for _, level in fewer]),
        k=LevelName(series.id, last.id),
        n=level_value("decoded_together", series.id, last.id),
    )
