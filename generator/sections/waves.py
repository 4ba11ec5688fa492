"""Waves: what the wall clock says of scheduling, and what it cannot say."""

from __future__ import annotations

from typing import Final

from generator.blocks import Block, Paragraph, Table
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.levels import Place, Shown, highest, known_at, level_table, places_with
from generator.model import Series
from generator.quoting import level_value
from generator.sentence import LevelName, Sentence, SeriesName, say
from generator.text import Text, same

LARGE: Final = 0.1
"""A mean this far from the median, as a part of it, is worth a sentence."""
COLUMNS: Final = (
    Shown("waves", Text(zh="批次", en="waves")),
    Shown("e2el_p50", same("E2EL p50"), "ms"),
    Shown("littles_law_e2el", Text(zh="由 Little 定律得到的均值", en="mean by Little's law"), "ms"),
    Shown("wave_closure", Text(zh="偏差", en="departure"), "%"),
    Shown("ttft_share", same("TTFT ÷ E2EL"), "%"),
)


@section(order=80)
def waves(analysis: Analysis) -> Chapter | None:
    """Compare the mean latency by Little's law with the median, and say what follows from it."""
    known = places_with(analysis, "wave_closure")
    if not known and analysis.round.prose_of("waves", "en") is None:
        return None
    blocks: list[Block] = [Paragraph(_intro()), _table(analysis, known)] if known else []
    blocks += [Paragraph(sentence) for s in analysis.round.series if (sentence := _skewed(analysis, s)) is not None]
    blocks.append(Paragraph(_not_sampled(), "callout"))
    heading = say(zh="批次：总耗时说明不了调度", en="Waves: the wall clock does not reveal the scheduler")
    return Chapter(heading, tuple(blocks))


def _intro() -> Sentence:
    return say(
        zh="闭环负载里，请求数 ÷ 并发是“批次”，总耗时 ÷ 批次就是平均时延：这是 Little 定律，任何调度方式都满足。"
        "拿它与 E2EL 的中位数比，只能看出时延的分布偏不偏。",
        en="In a closed loop, requests ÷ concurrency is a number of “waves”, and the wall clock divided by it is the mean "
        "latency. That is Little's law, and every scheduler obeys it. Held against the median E2EL it shows whether "
        "latencies are skewed, and nothing else.",
    )


def _table(analysis: Analysis, known: list[Place]) -> Table:
    caption = say(
        zh="平均时延与中位数：均值更高时偏差为正，两者相等时为零",
        en="Mean latency against the median: the departure is positive where the mean is higher, zero where they agree",
    )
    return level_table(analysis, "waves-table", caption, COLUMNS, known)


def _skewed(analysis: Analysis, series: Series) -> Sentence | None:
    usable = known_at(analysis, "wave_closure", series, analysis.usable(series.id))
    far = [(abs(departure), level) for departure, level in usable if abs(departure) >= LARGE]
    if not far:
        return None
    worst = highest(far)
    return say(
        zh="在可用档位中，{s} 在 {l} 偏差最大，为 {d}：那里各条请求的时延参差不齐。",
        en="Over its usable levels {s} departs most at {l}, by {d}: latencies there differ widely between requests.",
        s=SeriesName(series.id),
        l=LevelName(series.id, worst.id),
        d=level_value("wave_closure", series.id, worst.id),
    )


def _not_sampled() -> Sentence:
    return say(
        zh="引擎是否整批替换，要看槽位：还有请求在等的时候，有没有槽位空着。"
        "这一轮没有逐秒采样，也没有每条请求释放槽位的时刻，所以这个问题没有答案。",
        en="Whether an engine swaps whole batches shows in its slots: do any stay empty while requests wait? This round has "
        "neither per-second samples nor the times at which slots were released, so the question stays open.",
    )
