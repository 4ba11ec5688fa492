"""What the prefill of one request does to those that decode: gaps beside a prefill against undisturbed ones."""

from __future__ import annotations

from operator import itemgetter
from typing import Final

from generator.across.levels import Shown, at_level, level_names, level_table, number_at, seen_at, seen_usable
from generator.frame import Analysis
from generator.model import Level, Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, Paragraph
from generator.told.quoting import filled, level_value
from generator.told.sentence import LevelName, Sentence, SeriesName, say

COLUMNS: Final = (
    Shown("itl_p50_undisturbed", Text(zh="平时的 ITL p50", en="ITL p50 undisturbed"), "ms"),
    Shown("itl_p50_beside_prefill", Text(zh="有别的请求 prefill 时的 ITL p50", en="ITL p50 beside a prefill"), "ms"),
    Shown("itl_beside_prefill_ratio", Text(zh="之比", en="ratio"), "×"),
    Shown(
        "longest_gap_beside_prefill", Text(zh="有别的请求 prefill 时最长的间隔", en="longest beside a prefill"), "ms"
    ),
    Shown("gaps_beside_prefill_share", Text(zh="重叠的间隔占比", en="share of gaps beside"), "%"),
)
SLOWED: Final = 1.1
"""By what factor the median gap beside a prefill is longer where a prefill slows the steps of others."""
QUEUED: Final = 0.5
"""Share of queueing in the TTFT from which a wait for a first token is not that of a prefill."""
LONG: Final = 3.0
"""How many undisturbed medians the longest gap beside a prefill has where one prefill holds others up."""


@section(checks=("silent_gaps",))
def ttft_neighbours(analysis: Analysis) -> Chapter | None:
    """Print the median gap with and without the prefill of another request beside it."""
    places = [
        (series, level)
        for series in analysis.round.series
        for _, level in seen_at(analysis, "itl_p50_beside_prefill", series)
    ]
    if not places:
        return None
    caption = say(zh="间隔：有别的请求 prefill 时与平时", en="Gaps beside a prefill, and undisturbed ones")
    blocks: list[Block] = [Paragraph(_intro())]
    blocks += [Paragraph(told) for one in analysis.round.series if (told := _told(analysis, one)) is not None]
    blocks += [Paragraph(told, "note") for one in analysis.round.series for told in _left_out(analysis, one)]
    blocks.append(level_table(analysis, "ttft-neighbours-table", caption, COLUMNS, places))
    return Chapter(
        say(zh="其他请求的 prefill 对解码的影响", en="How one request's prefill slows others"), tuple(blocks)
    )


def _intro() -> Sentence:
    return say(
        zh="一条请求在 prefill 时，别的请求还在解码。引擎若把 prompt 切块、与解码步混在一起（chunked prefill），每一步都慢一点；"
        "若整块插入，所有人停一步，停得很长。这里把每个 chunk 间隔分成两类：与另一条请求从发出到首个 token 的时间重叠的，和不重叠的。",
        en="While one request is in prefill, others decode. An engine that cuts prompts into chunks and mixes them with decode steps "
        "(chunked prefill) makes each step a little slower; one that runs a prompt in one piece stops everybody for one long "
        "step. Here the gaps between chunks are of two kinds: those that overlap the time from sending to first token of another "
        "request, and those that do not.",
    )


def _queued(analysis: Analysis, series: Series) -> list[Level]:
    """Return the levels at which others wait in a queue for the most part, and not in their prefill."""
    return [level for share, level in seen_at(analysis, "ttft_queue_share", series) if share >= QUEUED]


def _left_out(analysis: Analysis, series: Series) -> list[Sentence]:
    """Name those of them that have a row in the table."""
    seen = [level for _, level in seen_at(analysis, "itl_p50_beside_prefill", series)]
    queued = [level for level in _queued(analysis, series) if level in seen]
    if not queued:
        return []
    return [
        say(
            zh="{s} 在 {l} 的等待大半是排队，与它重叠的间隔说明不了 prefill。",
            en="At {l} most of the wait of {s} is a queue: gaps that overlap it say little of a prefill.",
            s=SeriesName(series.id),
            l=level_names(series, queued),
        )
    ]


def _told(analysis: Analysis, series: Series) -> Sentence | None:
    queued = _queued(analysis, series)
    known = [one for one in seen_usable(analysis, "itl_beside_prefill_ratio", series) if one[1] not in queued]
    if not known:
        return None
    ratio, level = max(known, key=itemgetter(0))
    longest, usual = (
        number_at(analysis, at_level(key, series, level)) or 0.0
        for key in ("longest_gap_beside_prefill", "itl_p50_undisturbed")
    )
    alike = ONE_STEP if longest > LONG * usual else NOTHING
    text = EACH_STEP if ratio > SLOWED else SHORTER if ratio < 1 / SLOWED else alike
    keys = {
        "beside": "itl_p50_beside_prefill", "alone": "itl_p50_undisturbed", "r": "itl_beside_prefill_ratio",
        "longest": "longest_gap_beside_prefill",
    }  # fmt: skip
    quoted = {name: level_value(key, series.id, level.id) for name, key in keys.items()}
    return filled(text, {"s": SeriesName(series.id), "l": LevelName(series.id, level.id), **quoted})


EACH_STEP: Final = Text(
    zh="{s} 在 {l} 受影响最大：有别的请求在 prefill 时，ITL 中位数为 {beside}，是平时 {alone} 的 {r}；最长一次 {longest}。",
    en="{s} is slowed most at {l}: beside a prefill the median gap is {beside}, {r} the usual {alone}; the longest was {longest}.",
)
ONE_STEP: Final = Text(
    zh="{s} 的 ITL 中位数几乎不变（{l}：{beside} 对 {alone}），但最长的间隔有 {longest}：prefill 整块插入，只拖长少数几步。",
    en="The median of {s} hardly changes ({beside} against {alone} at {l}), but the longest gap is {longest}: the prefill runs in "
    "one piece and stretches a few steps only.",
)
SHORTER: Final = Text(
    zh="{s} 在 {l} 没有别的请求 prefill 时，间隔反而更长：中位数 {alone}，有别的请求 prefill 时 {beside}；拖慢解码的另有原因。",
    en="The gaps of {s} at {l} are longer without a prefill beside them: {alone} in the middle, against {beside}. Something else holds "
    "decoding up.",
)
NOTHING: Final = Text(
    zh="{s} 看不出其他请求的 prefill 有影响（{l}：{beside} 对 {alone}，最长 {longest}）。",
    en="{s} shows no effect of a neighbour's prefill ({beside} against {alone} at {l}, the longest {longest}).",
)
