"""What of the KV pool no token fills: last blocks that are not full, and slots that keep their whole context."""

from __future__ import annotations

from typing import Final

from generator.across.levels import Place, Shown, highest, level_table, seen_places, seen_usable
from generator.frame import Analysis
from generator.model import Level, Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, Paragraph, Table
from generator.told.quoting import filled, level_value, passage, series_value
from generator.told.sentence import LevelName, Part, Sentence, SeriesName, say

COLUMNS: Final = (
    Shown("kv_fit_tokens_mean", Text(zh="在途 token，均值", en="tokens in flight, mean"), "tok"),
    Shown("kv_fit_usage_mean", Text(zh="池占用，均值", en="pool use, mean"), "%"),
    Shown("kv_fragmentation", Text(zh="占住却没用到", en="held but unused"), "%"),
    Shown("kv_fit_samples", Text(zh="采样数", en="samples")),
)


@section()
def kv_rounding(analysis: Analysis) -> Chapter | None:
    """Say what rounding adds and what slots keep, and print how much of what is held is filled."""
    known = seen_places(analysis, "kv_fragmentation")
    told = [sentence for series in analysis.round.series for sentence in _told(analysis, series)]
    if not known and not told:
        return None
    blocks: list[Block] = [Paragraph(passage(*told))] if told else []
    blocks += [_table(analysis, known)] if known else []
    return Chapter(say(zh="取整与碎片：白占的 KV", en="Rounding and fragments: KV reserved but unused"), tuple(blocks))


def _told(analysis: Analysis, series: Series) -> list[Sentence]:
    found = []
    for key, text in (("kv_block_rounding", BLOCKS), ("kv_slot_context", SLOTS)):
        if analysis.frame.of_series(key, series.id).value is not None:
            parts: dict[str, Part] = {"s": SeriesName(series.id), "n": series_value(key, series.id)}
            parts["b"] = series_value("engine_block_tokens_of_series", series.id)
            found.append(filled(text, parts))
    held = seen_usable(analysis, "kv_fragmentation", series)
    return [*found, _worst(series, held)] if held else found


BLOCKS: Final = Text(
    zh="{s} 按 {b} 的块分配 KV，每条序列的最后一块平均空着 {n}；序列越短，这一份越显眼。",
    en="{s} allots KV in blocks of {b}: on average {n} of the last block of a sequence stay empty, which tells the more the shorter "
    "sequences are.",
)
SLOTS: Final = Text(
    zh="{s} 的每个槽位在启动时就留出 {n} 的 KV，用没用到都占着。",
    en="{s} keeps {n} of KV for each slot from its start on, used or not.",
)


def _worst(series: Series, held: list[tuple[float, Level]]) -> Sentence:
    level = highest(held)
    return say(
        zh="{s} 在 {l} 白占得最多：为在途请求占住的位置里，{x} 没有 token。",
        en="With {s} most is held but unused at {l}: {x} of the places held for requests in flight have no token.",
        s=SeriesName(series.id),
        l=LevelName(series.id, level.id),
        x=level_value("kv_fragmentation", series.id, level.id),
    )


def _table(analysis: Analysis, known: list[Place]) -> Table:
    caption = say(
        zh="占住的 KV 里有多少没有 token，逐档；只取在途 token 数已知的采样",
        en="How much of the reserved KV has no token, level by level; over the samples at which the tokens in flight are known",
    )
    return level_table(analysis, "kv-rounding-table", caption, COLUMNS, known)
