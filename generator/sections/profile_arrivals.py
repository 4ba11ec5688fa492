"""When the requests of the load came, and in which bursts."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, FigureBlock, Heading, Paragraph, Row, Table
from generator.told.quoting import passage, round_value
from generator.told.sentence import Sentence, say

WIDTHS: Final = {
    "w1": Text(zh="一秒", en="one second"),
    "w10": Text(zh="十秒", en="ten seconds"),
    "w60": Text(zh="一分钟", en="one minute"),
    "w600": Text(zh="十分钟", en="ten minutes"),
    "w3600": Text(zh="一小时", en="one hour"),
}
EVEN: Final = 1.5
"""Index of dispersion up to which arrivals are told to be about independent of each other."""


@section()
def profile_arrivals(analysis: Analysis) -> Chapter | None:
    """Draw the arrivals and tell their burstiness; nothing where no times are known."""
    profile = analysis.round.profile
    if profile is None or profile.arrivals is None:
        return None
    blocks: list[Block] = [Paragraph(passage(*_told(analysis))), FigureBlock("profile_arrivals")]
    known = [name for name in WIDTHS if name in profile.arrivals.windows]
    if known:
        blocks.append(_table(known))
    return Chapter(say(zh="到达", en="Arrivals"), tuple(blocks))


def _told(analysis: Analysis) -> list[Sentence]:
    told = [_burst(analysis)]
    if analysis.frame.of_round("traffic_gap_cv").value:
        told.append(
            say(
                zh="相邻请求平均相隔 {g}，变异系数 {c}（Poisson 为一）。",
                en="Requests are {g} apart on average, with a coefficient of variation of {c}; it is one for a Poisson process.",
                g=round_value("traffic_gap_mean"),
                c=round_value("traffic_gap_cv"),
            )
        )
    return told


def _burst(analysis: Analysis) -> Sentence:
    window = analysis.frame.of_round("traffic_dispersion")
    if window.value is None:
        why = window.reason or Text(zh="没有记录", en="it is not on record")
        return say(zh="突发程度无从得知：{why}。", en="Burstiness cannot be known: {why}.", why=why)
    text = BURSTS if window.value > EVEN else ABOUT_POISSON
    parts = {
        "w": round_value("traffic_window"),
        "p": round_value("traffic_window_peak"),
        "m": round_value("traffic_window_mean"),
        "b": round_value("traffic_burstiness", style="times"),
        "i": round_value("traffic_dispersion"),
    }
    return Sentence(text, parts)


BURSTS: Final = Text(
    zh="按宽 {w} 的窗口，最满的有 {p}，平均 {m}，前者是后者的 {b}。计数的方差是均值的 {i} 倍，比互不相干的到达（Poisson）起伏大：有的窗口来得密，按固定速率压测会低估排队。",
    en="In windows of {w} the fullest has {p}, where the mean is {m}: {b} as many. The variance of the counts is {i} times their mean, "
    "more than where arrivals are independent of each other (Poisson): some windows are busier, and a test at an even rate sees less queueing than "
    "users do.",
)
ABOUT_POISSON: Final = Text(
    zh="按宽 {w} 的窗口，最满的有 {p}，平均 {m}，前者是后者的 {b}。计数的方差是均值的 {i} 倍：与互不相干的到达（Poisson）差不多。",
    en="In windows of {w} the fullest has {p}, where the mean is {m}: {b} as many. The variance of the counts is {i} times their mean, about "
    "as where arrivals are independent of each other (Poisson).",
)


def _table(known: list[str]) -> Table:
    headings = (
        Heading(say(zh="窗口", en="window")),
        Heading(say(zh="峰值 ÷ 均值", en="peak ÷ mean")),
        Heading(say(zh="离散指数", en="index of dispersion")),
    )
    rows = tuple(
        Row((WIDTHS[name], round_value(f"traffic_burstiness_{name}"), round_value(f"traffic_dispersion_{name}")))
        for name in known
    )
    caption = say(zh="窗口越窄，高峰越突出", en="The narrower the window, the more a peak stands out")
    return Table("profile-windows-table", caption, headings, rows)
