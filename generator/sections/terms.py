"""The quantities of the report: what each measures, how they hang together, and the range measured here."""

from __future__ import annotations

from typing import Final

from generator.blocks import Block, Heading, Paragraph, Row, Table, Timeline
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.model import Level, Series
from generator.quoting import level_value, series_value
from generator.sentence import LevelName, Listing, Part, Sentence, SeriesName, say
from generator.text import Text, same

TERMS: Final[tuple[tuple[str, Text, Text], ...]] = (
    (
        "ttft_p50",
        Text(zh="首字延迟 TTFT", en="TTFT, time to first token"),
        Text(
            zh="从发出请求到收到第一个输出 token：排队、prefill 与前端开销都在内，decode 不在内。",
            en="From sending the request to its first output token: queueing, prefill and front end, no decode.",
        ),
    ),
    (
        "itl_p50",
        Text(zh="token 间隔 ITL", en="ITL, inter-token latency"),
        Text(
            zh="相邻两次输出之间的时间；把所有请求的间隔放在一起统计。中位数就是没被打断的解码步长。",
            en="Time between one output and the next, over the gaps of all requests. Its median is the undisturbed "
            "decode step.",
        ),
    ),
    (
        "itl_p99",
        Text(zh="间隔的尾部 ITL p99", en="ITL p99, the tail of the gaps"),
        Text(
            zh="停顿只落在少数间隔上，中位数看不见，要到这里才露头。",
            en="A stall falls on few gaps; the median does not see it, the tail does.",
        ),
    ),
    (
        "tpot_p50",
        Text(zh="每 token 耗时 TPOT", en="TPOT, time per output token"),
        Text(
            zh="一条请求自己的平均间隔，再在请求之间取中位数。",
            en="The mean gap of one request; then the median over requests.",
        ),
    ),
    (
        "e2el_p50",
        Text(zh="端到端时延 E2EL", en="E2EL, end-to-end latency"),
        Text(zh="从发出请求到收到最后一个 token。", en="From sending the request to its last token."),
    ),
    (
        "output_throughput",
        Text(zh="输出吞吐", en="output throughput"),
        Text(
            zh="完成请求的输出 token 总数 ÷ 墙钟时间：整台机器的产能。",
            en="Output tokens of completed requests ÷ wall clock: what the whole machine delivers.",
        ),
    ),
    (
        "total_token_throughput",
        Text(zh="总吞吐", en="total throughput"),
        Text(
            zh="输入与输出一起算。输入长时它涨而输出吞吐跌，两者不能互相替代。",
            en="Input and output together. With long inputs it rises while the output falls: neither stands for the other.",
        ),
    ),
)


@section(order=30)
def terms(analysis: Analysis) -> Chapter:
    """Draw the timeline of a request, define the terms with their ranges, and clear up what is easily confused."""
    shown = [term for term in TERMS if any(_known(analysis, s, term[0]) for s in analysis.round.series)]
    blocks: list[Block] = [Paragraph(_same_client()), Timeline(_gaps(analysis))]
    if shown:
        blocks.append(_table(analysis, shown))
    blocks += [Paragraph(sentence, "callout") for sentence in _confusions(analysis)]
    return Chapter(say(zh="术语：每个量测的是哪一段", en="Terms: which stretch each quantity measures"), tuple(blocks))


def _same_client() -> Sentence:
    return say(
        zh="下面这些量各测流水线上不同的一段，彼此之间有恒等式相连。它们都由客户端计时，所以含有网络与前端的开销。",
        en="Each of these quantities measures another stretch of the pipeline, and identities tie them together. All are "
        "timed by the client, and so include network and front end.",
    )


def _gaps(analysis: Analysis) -> Sentence:
    """Return how many gaps a request has, where all levels ask for the same output."""
    levels = [(s.id, level.id) for s in analysis.round.series for level in s.levels]
    asked = {analysis.frame.of_level("gaps_per_request", s, level).value for s, level in levels}
    if len(asked) != 1 or None in asked:
        return say(zh="ITL ×（输出 token 数 − 1）", en="ITL × (output tokens − 1)")
    series, level = levels[0]
    return say(zh="ITL × {n}", en="ITL × {n}", n=level_value("gaps_per_request", series, level))


def _known(analysis: Analysis, series: Series, key: str) -> list[Level]:
    return [level for level in series.levels if analysis.frame.of_level(key, series.id, level.id).value is not None]


def _table(analysis: Analysis, shown: list[tuple[str, Text, Text]]) -> Table:
    headings = (
        Heading(say(zh="量", en="quantity")),
        Heading(say(zh="测的是什么", en="what it measures")),
        *(Heading(say(zh="{s} 本轮范围", en="{s} range here", s=SeriesName(s.id))) for s in analysis.round.series),
    )
    rows = tuple(
        Row((name, meaning, *(_range(analysis, s, key) for s in analysis.round.series))) for key, name, meaning in shown
    )
    caption = say(
        zh="范围是全部档位上真正的最小值与最大值，失效的档位也算在内；括号里是它们所在的档位。",
        en="Ranges are the true minimum and maximum over all levels, spoilt ones included, with the level of each.",
    )
    return Table("terms-table", caption, headings, rows)


def _range(analysis: Analysis, series: Series, key: str) -> Part:
    known = _known(analysis, series, key)
    if not known:
        return same("—")

    def size(level: Level) -> float:
        return analysis.frame.of_level(key, series.id, level.id).value or 0.0

    low, high = min(known, key=size), max(known, key=size)
    if low == high:
        return say(
            zh="{v}（{l}）", en="{v} ({l})", v=level_value(key, series.id, low.id), l=LevelName(series.id, low.id)
        )
    return say(
        zh="{a}（{la}）– {b}（{lb}）",
        en="{a} ({la}) – {b} ({lb})",
        a=level_value(key, series.id, low.id, bare=True),
        b=level_value(key, series.id, high.id),
        la=LevelName(series.id, low.id),
        lb=LevelName(series.id, high.id),
    )


def _confusions(analysis: Analysis) -> list[Sentence]:
    told = (_tpot_and_itl(analysis), _median_and_stalls(analysis), _throughput_and_tpot(analysis))
    return [sentence for sentence in told if sentence is not None]


def _tpot_and_itl(analysis: Analysis) -> Sentence | None:
    """Compare TPOT with the mean gap where both are known; the reader should not take one for the other."""
    both = [
        (series, level)
        for series in analysis.round.series
        for level in _known(analysis, series, "tpot_p50")
        if level in _known(analysis, series, "itl_mean")
    ]
    if not both:
        return None
    shown = tuple(
        say(
            zh="{s} 在 {l} 是 {tpot} 与 {itl}",
            en="{tpot} and {itl} on {s} at {l}",
            s=SeriesName(series.id),
            l=LevelName(series.id, level.id),
            tpot=level_value("tpot_p50", series.id, level.id),
            itl=level_value("itl_mean", series.id, level.id),
        )
        for series, level in both
    )
    return say(
        zh="TPOT 与 ITL 均值量的是同一件事，算法不同：前者先在请求内平均再取中位数，后者把所有间隔一起平均。没有停顿时两者相等：{shown}。",
        en="TPOT and the mean ITL measure the same thing in two ways: the former averages within a request and takes the "
        "median over requests, the latter averages all gaps at once. Without stalls they agree: {shown}.",
        shown=Listing(shown),
    )


def _median_and_stalls(analysis: Analysis) -> Sentence | None:
    counted = [
        series
        for series in analysis.round.series
        if analysis.frame.of_series("itl_samples_total", series.id).value is not None
    ]
    if not counted:
        return None
    shown = tuple(
        say(
            zh="{s} 有 {n} 个间隔",
            en="{n} gaps on {s}",
            s=SeriesName(series.id),
            n=series_value("itl_samples_total", series.id),
        )
        for series in counted
    )
    return say(
        zh="中位数说明不了抖动。这一轮 {shown}：少数几次停顿动不了中位数，只会出现在 p99 与均值里。",
        en="The median says nothing of jitter. With {shown}, a few stalls do not move it; they show in the p99 and the "
        "mean.",
        shown=Listing(shown),
    )


def _throughput_and_tpot(analysis: Analysis) -> Sentence | None:
    for series in analysis.round.series:
        for level in reversed(analysis.usable(series.id)):
            if analysis.frame.of_level("undisturbed_throughput", series.id, level.id).value is None:
                continue
            return say(
                zh="吞吐不是 TPOT 的倒数。{s} 在 {l}，一条请求的速度是 {slot}，整台机器产出 {all}。并发提高，前者变差，后者变好。",
                en="Throughput is not the reciprocal of TPOT. On {s} at {l} one request runs at {slot} while the machine "
                "delivers {all}. With more in flight the former gets worse and the latter better.",
                s=SeriesName(series.id),
                l=LevelName(series.id, level.id),
                slot=level_value("slot_decode_rate", series.id, level.id),
                all=level_value("output_throughput", series.id, level.id),
            )
    return None
