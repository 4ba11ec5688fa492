"""The load in a few numbers, and what keeps them from being those of an ordinary week."""

from __future__ import annotations

from typing import Final

from generator.declared.profiles import WEEK
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.told.blocks import Block, Card, Cards, Paragraph
from generator.told.quoting import passage, round_value
from generator.told.sentence import Quantity, Sentence, say

HOURS_FROM: Final = 7200.0
"""Seconds from which on a span is told in hours."""
CARDS: Final = (
    ("traffic_rate", say(zh="平均到达率", en="mean arrival rate"), say(zh="请求数 ÷ 跨度", en="requests ÷ span")),
    (
        "traffic_burstiness",
        say(zh="突发：峰值 ÷ 均值", en="burstiness: peak ÷ mean"),
        say(zh="窗口宽 {w}", en="in windows of {w}", w=round_value("traffic_window")),
    ),
    (
        "traffic_input_p50",
        say(zh="输入长度 p50", en="input length p50"),
        say(zh="p95 为 {x}", en="p95 {x}", x=round_value("traffic_input_p95")),
    ),
    (
        "traffic_output_p50",
        say(zh="输出长度 p50", en="output length p50"),
        say(zh="p95 为 {x}", en="p95 {x}", x=round_value("traffic_output_p95")),
    ),
    (
        "traffic_concurrency",
        say(zh="平均并发", en="concurrency"),
        say(zh="Little 定律：到达率 × 时长", en="Little's law: rate × time of a request"),
    ),
)


@section()
def profile_verdict(analysis: Analysis) -> Chapter | None:
    """Say how much there is of the load, and warn where it is too little to stand for more."""
    if analysis.round.profile is None:
        return None
    cards = tuple(Card(label, round_value(key), context) for key, label, context in CARDS if _is_known(analysis, key))
    blocks: list[Block] = [*_cautions(analysis), Paragraph(passage(*_told(analysis)), "lead")]
    if cards:
        blocks.append(Cards(say(zh="负载", en="The load"), cards))
    return Chapter(_heading(analysis), tuple(blocks))


def _is_known(analysis: Analysis, key: str) -> bool:
    return analysis.frame.of_round(key).value is not None


def _heading(analysis: Analysis) -> Sentence:
    if not _is_known(analysis, "traffic_burstiness"):
        return say(zh="负载画像", en="The load")
    return say(
        zh="负载：平均 {r}，高峰是平均的 {b}",
        en="The load: {r} on average, {b} that at its peak",
        r=round_value("traffic_rate"),
        b=round_value("traffic_burstiness", style="times"),
    )


def _told(analysis: Analysis) -> list[Sentence]:
    told = [
        say(zh="共读到 {n} 条请求。", en="{n} {n:request was|requests were} read.", n=round_value("traffic_requests"))
    ]
    if _is_known(analysis, "traffic_span"):
        told.append(
            say(
                zh="跨度 {t}，平均 {r}。",
                en="They span {t}, and {r} come on average.",
                t=_span(analysis),
                r=round_value("traffic_rate"),
            )
        )
    for key, text in (
        (
            "traffic_unanswered",
            say(zh="{n} 条没有回答。", en="{n} had no answer.", n=round_value("traffic_unanswered")),
        ),
        (
            "traffic_bad",
            say(
                zh="{n} 行读不出，已跳过。",
                en="{n} {n:line|lines} could not be read and {n:was|were} skipped.",
                n=round_value("traffic_bad"),
            ),
        ),
    ):
        if analysis.frame.of_round(key).value:
            told.append(text)
    return told


def _span(analysis: Analysis) -> Quantity:
    """Quote the span in a unit that a reader can picture."""
    seconds = analysis.frame.of_round("traffic_span").value or 0.0
    return round_value("traffic_span", unit="h" if seconds >= HOURS_FROM else "s")


def _cautions(analysis: Analysis) -> list[Paragraph]:
    """Say what is too short: a week has the hours and the days that users have."""
    span = analysis.frame.of_round("traffic_span").value
    if span is None:
        why = say(
            zh="来源里没有可用的时刻，到达率、突发程度与并发都无从得知：这里说的只是长度。",
            en="There are no times to go by, so rate, burstiness and concurrency are not known: only lengths are told of.",
        )
        return [Paragraph(why, "caution")]
    if span >= WEEK:
        return []
    short = say(
        zh="跨度 {t}，不到一周：工作日与周末、白天与夜里的差别看不全，高峰多半比这里高。",
        en="The span of {t} is under a week: it does not hold working days and weekends, days and nights alike, and the true peak is likely "
        "higher.",
        t=_span(analysis),
    )
    return [Paragraph(short, "caution")]
