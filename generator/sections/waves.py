"""Waves: what the wall clock says of scheduling, and what it cannot say."""

from __future__ import annotations

from typing import Final

from generator.across.levels import (
    Place,
    Shown,
    amount,
    highest,
    known_at,
    level_table,
    place_name,
    places_with,
    seen_at,
)
from generator.across.timelines import timed_runs
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Paragraph, Table
from generator.told.quoting import filled, level_value, passage
from generator.told.sentence import LevelName, Listing, Part, SectionLink, Sentence, SeriesName, say

LARGE: Final = 0.1
"""A mean this far from the median, as a part of it, is worth a sentence."""
COLUMNS: Final = (
    Shown("waves", Text(zh="批次", en="waves")),
    Shown("e2el_p50", same("E2EL p50"), "ms"),
    Shown("littles_law_e2el", Text(zh="由 Little 定律得到的均值", en="mean by Little's law"), "ms"),
    Shown("e2el_mean", Text(zh="实测均值", en="measured mean"), "ms"),
    Shown("wave_closure", Text(zh="偏差", en="difference"), "%"),
    Shown("ttft_share", same("TTFT ÷ E2EL"), "%"),
    Shown("failure_ratio", Text(zh="失败", en="failed"), "%"),
)


@section(checks=("first_wave", "concurrency_reached", "slots_idle", "releases_of_requests"))
def waves(analysis: Analysis) -> Chapter | None:
    """Compare the mean latency by Little's law with the median, and say what follows from it."""
    known = places_with(analysis, "wave_closure")
    if not known and analysis.round.prose_of("waves", "en") is None:
        return None
    blocks: list[Block] = [Paragraph(_intro()), _table(analysis, known)] if known else []
    blocks += [Paragraph(sentence) for s in analysis.round.series if (sentence := _skewed(analysis, s)) is not None]
    if known and (left_out := _skipped(analysis)) is not None:
        blocks.append(Paragraph(left_out, "note"))
    sampled = tuple(told for series in analysis.round.series for told in _slots(analysis, series))
    if any(run.requests.spoke.any() for series in analysis.round.series for run in timed_runs(analysis, series)):
        blocks.append(Paragraph(ON_ITS_CLOCK, "note"))
    blocks.append(Paragraph(_sampled(sampled) if sampled else _not_sampled(), "callout"))
    heading = say(zh="批次：仅凭总耗时看不出调度方式", en="Waves: the wall clock does not reveal the scheduler")
    return Chapter(heading, tuple(blocks))


ON_ITS_CLOCK: Final = say(
    zh="每条请求何时发出、何时收到首个与末个 token，画在{timeline}里。",
    en="When each request was sent, and had its first and its last token, is drawn in the {timeline}.",
    timeline=SectionLink("timeline", Text(zh="时间线", en="timeline")),
)


def _intro() -> Sentence:
    return say(
        zh="闭环负载里，请求数 ÷ 并发是“批次”，总耗时 ÷ 批次就是平均时延：这是 Little 定律，任何调度方式都满足。"
        "拿它与 E2EL 的中位数比，只能看出时延的分布偏不偏。",
        en="In a closed loop, requests ÷ concurrency is a number of “waves”, and the wall clock divided by it is the "
        "mean latency. That is Little's law, and every scheduler obeys it. Compared with the median E2EL it shows "
        "whether latencies are skewed, and nothing else.",
    )


def _table(analysis: Analysis, known: list[Place]) -> Table:
    caption = say(
        zh="平均时延与中位数：均值更高时偏差为正，两者相等时为零。",
        en="Mean latency against the median: the difference is positive where the mean is higher, zero where they "
        "agree.",
    )
    if any(level.trials > 1 for _, level in known):
        caption = passage(caption, MEDIANS)
    any_failed = any(amount(analysis, "failure_ratio", place) for place in known)
    columns = [column for column in COLUMNS if column.metric != "failure_ratio" or any_failed]
    return level_table(analysis, "waves-table", caption, columns, known)


MEDIANS: Final = say(
    zh="测过几次的档位，每一列各取各次的中位数，所以偏差与前面几列不一定正好对得上。",
    en="Of a level that was run several times each column has the median of its runs, so the difference need not be "
    "that of the columns before it.",
)


def _skewed(analysis: Analysis, series: Series) -> Sentence | None:
    usable = known_at(analysis, "wave_closure", series, analysis.usable(series.id))
    far = [(abs(departure), level) for departure, level in usable if abs(departure) >= LARGE]
    if not far:
        return None
    worst = highest(far)
    parts: dict[str, Part] = {
        "s": SeriesName(series.id),
        "l": LevelName(series.id, worst.id),
        "d": level_value("wave_closure", series.id, worst.id),
        "f": level_value("failure_ratio", series.id, worst.id),
        "mean": level_value("e2el_mean", series.id, worst.id),
    }
    return filled(_why(analysis, (series, worst)), parts)


def _why(analysis: Analysis, place: Place) -> Text:
    """Return what a departure tells: nothing of latencies where requests failed, or where their own mean is close."""
    if amount(analysis, "failed", place):
        return SOME_FAILED
    mean, median = amount(analysis, "e2el_mean", place), amount(analysis, "e2el_p50", place)
    if mean is not None and median and abs(mean / median - 1) < LARGE:
        return SLOTS_EMPTY
    return SKEWED


SKEWED: Final = Text(
    zh="在可用档位中，{s} 在 {l} 偏差最大，为 {d}：那里的时延分布偏斜。",
    en="Across its usable levels {s} shows the largest difference at {l}, {d}: latencies there are skewed.",
)
SOME_FAILED: Final = Text(
    zh="在可用档位中，{s} 在 {l} 偏差最大，为 {d}；但那里的请求有 {f} 失败，失败的请求占了多久槽位并不知道，由偏差看不出时延的分布。",
    en="Across its usable levels {s} shows the largest difference at {l}, {d}; but {f} of the requests failed there, and how long these held a slot is not known, so nothing "
    "follows for the latencies.",
)
SLOTS_EMPTY: Final = Text(
    zh="在可用档位中，{s} 在 {l} 偏差最大，为 {d}；逐条请求的均值却是 {mean}，所以差在开头与收尾空着的槽位，不在时延的分布。",
    en="Across its usable levels {s} shows the largest difference at {l}, {d}; but the mean of its requests is {mean}, so the difference lies in slots left empty at the start "
    "and the end, not in the latencies.",
)


def _skipped(analysis: Analysis) -> Sentence | None:
    """Name the levels of which the table says nothing though their latencies are known, with the reason."""
    reasons: dict[Text, list[Part]] = {}
    for series, level in places_with(analysis, "e2el_p50"):
        reason = analysis.frame.of_level("littles_law_e2el", series.id, level.id).reason
        if reason is not None:
            reasons.setdefault(reason, []).append(place_name(series.id, level.id))
    if not reasons:
        return None
    told = (
        say(zh="{names}（{reason}）", en="{names} ({reason})", names=Listing(tuple(names)), reason=reason)
        for reason, names in reasons.items()
    )
    return say(zh="不在表中：{told}。", en="Not in the table: {told}.", told=Listing(tuple(told)))


def _slots(analysis: Analysis, series: Series) -> list[Sentence]:
    """Say how long slots stayed empty while requests were still to be sent, where single requests show it."""
    idle = seen_at(analysis, "idle_slots_while_waiting", series)
    if not idle:
        return []
    worst = highest(idle)
    return [
        say(
            zh="{s} 占 {idle}（{l}，空出来到再次填上的中位数 {refill}）",
            en="{idle} on {s} ({l}, with a median of {refill} to refill one)",
            s=SeriesName(series.id),
            idle=level_value("idle_slots_while_waiting", series.id, worst.id),
            l=LevelName(series.id, worst.id),
            refill=level_value("refill_p50", series.id, worst.id),
        )
    ]


def _sampled(told: tuple[Sentence, ...]) -> Sentence:
    empty = say(
        zh="还有请求待发时，槽位空着的时间最多：{told}。",
        en="While requests were still to be sent, slots stayed empty for this part of the time at the most: {told}.",
        told=Listing(told),
    )
    return passage(empty, CLUSTERS)


CLUSTERS: Final = say(
    zh="请求成批结束本身说明不了什么，长度相同的请求就会一起结束；槽位空着而请求在等，才是成批处理。",
    en="That requests end in clusters proves nothing, as those of one length do; slots that stay empty while requests wait "
    "are what batches look like.",
)


def _not_sampled() -> Sentence:
    return say(
        zh="引擎用的是静态批处理还是连续批处理（continuous batching），要看槽位：还有请求在等的时候，有没有槽位空着。"
        "这一轮没有逐秒采样，也没有每条请求释放槽位的时刻，所以这个问题没有答案。",
        en="Whether an engine uses static or continuous batching shows in its slots: do any stay empty while "
        "requests wait? This round has neither per-second samples nor the times at which slots were released, so the "
        "question stays open.",
    )
