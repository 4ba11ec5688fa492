"""The quantities of the report: what each measures, how they hang together, and the range measured here."""

from __future__ import annotations

from typing import Final

from generator.across.ladders import rungs_of
from generator.across.levels import Place, all_places, amount, highest, known_at, level_names, lowest, places_with
from generator.frame import Analysis
from generator.model import Level, Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Facts, Heading, Paragraph, Row, Table, Timeline
from generator.told.quoting import level_value, series_value
from generator.told.sentence import LevelName, Listing, Part, Sentence, SeriesName, say

TERMS: Final[tuple[tuple[str, Text, Text], ...]] = (
    (
        "ttft_p50",
        Text(zh="首个 token 时延 TTFT", en="TTFT, time to first token"),
        Text(
            zh="从发出请求到收到第一个输出 token：含排队、prefill 与前端开销，不含 decode。",
            en="From sending a request to its first output token: queueing, prefill and front end, no decode.",
        ),
    ),
    (
        "itl_p50",
        Text(zh="token 间隔 ITL", en="ITL, inter-token latency"),
        Text(
            zh="相邻输出 token 相隔多久，所有请求的间隔放在一起统计。它的中位数通常就是没被打断的解码步长。",
            en="Time between one output token and the next, over the gaps of all requests. Its median is, as a rule, the "
            "undisturbed decode step.",
        ),
    ),
    (
        "itl_p99",
        Text(zh="间隔的尾部 ITL p99", en="ITL p99, the tail of the gaps"),
        Text(
            zh="停顿只落在少数间隔上，中位数看不见，只在尾部才看得出来。",
            en="Stalls fall on few of the gaps: the median does not see them, the tail does.",
        ),
    ),
    (
        "tpot_p50",
        Text(zh="每 token 耗时 TPOT", en="TPOT, time per output token"),
        Text(
            zh="先算每条请求自己的平均间隔，再取各条请求的中位数。",
            en="The mean gap within each request, then the median over requests.",
        ),
    ),
    (
        "e2el_p50",
        Text(zh="端到端时延 E2EL", en="E2EL, end-to-end latency"),
        Text(zh="从发出请求到收到最后一个 token。", en="From sending a request to its last token."),
    ),
    (
        "output_throughput",
        Text(zh="输出吞吐", en="output throughput"),
        Text(
            zh="已完成请求的输出 token 总数 ÷ 总耗时：整台机器的产出。",
            en="Output tokens of completed requests ÷ wall clock: what the whole machine delivers.",
        ),
    ),
    (
        "total_token_throughput",
        Text(zh="总吞吐", en="total throughput"),
        Text(
            zh="输入与输出 token 一起算。输入越长它越高，输出吞吐却越低：两者不能混着比。",
            en="Input and output tokens together. Longer inputs raise it and lower the output throughput: never compare one "
            "with the other.",
        ),
    ),
)
"""What the table explains: metric, name, meaning."""
WORDS: Final = (
    (
        say(zh="下限", en="floor"),
        say(
            zh="一步必须读的字节 ÷ 内存带宽（GPU 上是显存带宽）：硬件允许的最短步长。",
            en="The bytes that a step must read ÷ memory bandwidth: the shortest step that the hardware allows, a "
            "lower bound.",
        ),
    ),
    (
        say(zh="槽位", en="slot"),
        say(
            zh="引擎里放一条在途请求的位置；有几个槽位，就同时服务几条请求。",
            en="A place in the engine for one request in flight; it serves as many at once as it has slots.",
        ),
    ),
    (
        say(zh="KV 池", en="KV pool"),
        say(
            zh="为在途请求的 K 与 V 预留的一块显存，所有在途请求的上下文都要放得下。",
            en="Device memory set aside for the keys and values of the requests in flight; all their context must "
            "fit in it.",
        ),
    ),
    (
        say(zh="已排除", en="excluded"),
        say(
            zh="没有通过自检的档位：数据照样列出并加标记，但不参与任何结论。",
            en="A level that failed a check: its numbers are printed and marked, and no conclusion rests on them.",
        ),
    ),
)
"""Words that the report uses and a newcomer may not know."""
MANY: Final = 1000
"""Gaps among which a few stalls do not move the median."""


@section()
def terms(analysis: Analysis) -> Chapter:
    """Draw the timeline of a request, define the terms with their ranges, and clear up what is easily confused."""
    shown = [term for term in TERMS if places_with(analysis, term[0])]
    blocks: list[Block] = [Paragraph(_same_client()), Timeline(_gaps(analysis))]
    if shown:
        blocks.append(_table(analysis, shown))
    blocks.append(Facts(WORDS))
    blocks += [Paragraph(sentence, "callout") for sentence in _confusions(analysis)]
    return Chapter(say(zh="术语：各指标量的是哪一段", en="Terms: which interval each metric measures"), tuple(blocks))


def _same_client() -> Sentence:
    return say(
        zh="各种时延对应一条请求的不同阶段，吞吐统计的是 token 数。它们都在客户端测得，所以含有网络与前端的开销。",
        en="Each latency measures a different interval of a request; throughput counts tokens. All are taken at the "
        "client, and so include network and front end.",
    )


def _gaps(analysis: Analysis) -> Sentence:
    """Return how many gaps a request has, where all levels ask for the same output."""
    places = all_places(analysis)
    asked = {amount(analysis, "gaps_per_request", place) for place in places}
    if len(asked) != 1 or None in asked:
        return say(zh="ITL ×（输出 token 数 − 1）", en="ITL × (output tokens − 1)")
    series, level = places[0]
    return say(zh="ITL × {n}", en="ITL × {n}", n=level_value("gaps_per_request", series.id, level.id))


def _table(analysis: Analysis, shown: list[tuple[str, Text, Text]]) -> Table:
    series = analysis.round.series
    headings = (
        Heading(say(zh="指标", en="metric")),
        Heading(say(zh="测的是什么", en="what it measures"), is_text=True),
        *(Heading(say(zh="{s} 的范围", en="{s}, range", s=SeriesName(one.id)), is_text=True) for one in series),
    )
    rows = tuple(Row((name, meaning, *(_range(analysis, one, key) for one in series))) for key, name, meaning in shown)
    return Table("terms-table", _caption(analysis, shown), headings, rows)


def _caption(analysis: Analysis, shown: list[tuple[str, Text, Text]]) -> Sentence:
    """Say what the ranges are over; and which series records what at some of its levels only."""
    partly = tuple(
        _recorded(name, series, found)
        for key, name, _ in shown
        for series in analysis.round.series
        if 0 < len(found := known_at(analysis, key, series, series.levels)) < len(series.levels)
    )
    if not partly:
        return EVERYWHERE
    return say(
        zh="范围是有记录的档位上实际的最小值与最大值，已排除的档位也算在内；括号里是它们所在的档位。只在部分档位有记录的：{partly}。",
        en="Ranges are the true minimum and maximum over the levels that record it, excluded ones included, with the level "
        "of each. Recorded at some levels only: {partly}.",
        partly=Listing(partly),
    )


def _recorded(name: Text, series: Series, found: list[tuple[float, Level]]) -> Sentence:
    return say(
        zh="{s} 的{name}（{levels}）",
        en="{name} of {s} ({levels})",
        name=name,
        s=SeriesName(series.id),
        levels=level_names(series, (level for _, level in found)),
    )


EVERYWHERE: Final = say(
    zh="范围是本轮全部档位上实际的最小值与最大值，已排除的档位也算在内；括号里是它们所在的档位。",
    en="Ranges are the true minimum and maximum over all levels of this round, excluded ones included, with the level of "
    "each.",
)


def _range(analysis: Analysis, series: Series, key: str) -> Part:
    known = known_at(analysis, key, series, series.levels)
    if not known:
        return same("—")
    low, high = lowest(known), highest(known)
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
    told = (_tpot_and_itl(analysis), _median_and_stalls(analysis), _throughput_and_step(analysis))
    return [sentence for sentence in told if sentence is not None]


def _busiest(analysis: Analysis, *metrics: str) -> list[Place]:
    """Return for each series the usable level of highest load at which all of these metrics are known."""
    found = {
        series.id: (series, level)
        for series in analysis.round.series
        for level in rungs_of(analysis, series)
        if all(amount(analysis, metric, (series, level)) is not None for metric in metrics)
    }
    return list(found.values())


def _tpot_and_itl(analysis: Analysis) -> Sentence | None:
    """Set TPOT beside mean and median gap on one level where all are known: it goes with the former."""
    for series, level in _busiest(analysis, "tpot_p50", "itl_mean", "itl_p50"):
        return say(
            zh="TPOT 不是 ITL p50。TPOT 与 ITL 均值都把停顿摊了进去，只是前者先在每条请求内平均，"
            "后者把全部间隔混在一起平均；ITL p50 避开了停顿。{s} 在 {l}：TPOT p50 {tpot}，ITL 均值 {mean}，"
            "ITL p50 {step}。",
            en="TPOT is not the ITL p50. TPOT and the mean ITL both include the stalls, but the former averages "
            "within each request first and the latter over all gaps together; the ITL p50 leaves the stalls out. {s} "
            "at {l}: TPOT p50 {tpot}, mean ITL {mean}, ITL p50 {step}.",
            s=SeriesName(series.id),
            l=LevelName(series.id, level.id),
            tpot=level_value("tpot_p50", series.id, level.id),
            mean=level_value("itl_mean", series.id, level.id),
            step=level_value("itl_p50", series.id, level.id),
        )
    return None


def _median_and_stalls(analysis: Analysis) -> Sentence | None:
    counted = tuple(
        say(
            zh="{s} 共 {n} 个",
            en="{n} on {s}",
            s=SeriesName(series.id),
            n=series_value("itl_samples_total", series.id),
        )
        for series in analysis.round.series
        if (analysis.frame.of_series("itl_samples_total", series.id).value or 0.0) >= MANY
    )
    if not counted:
        return None
    return say(
        zh="中位数看不见抖动。间隔很多（{counted}），几次长停顿动不了中位数，只会出现在 p99 与均值里。",
        en="The median is blind to jitter. Among so many gaps ({counted}) a few long stalls leave it where it is; they show in "
        "the p99 and in the mean.",
        counted=Listing(counted),
    )


def _throughput_and_step(analysis: Analysis) -> Sentence | None:
    """Show on the busiest level that throughput is less than what the steps alone would give."""
    for series, level in _busiest(analysis, "undisturbed_throughput", "output_throughput"):
        could = amount(analysis, "undisturbed_throughput", (series, level)) or 0.0
        if level.load > 1 and could > (amount(analysis, "output_throughput", (series, level)) or 0.0) > 0:
            return say(
                zh="吞吐不是步长的倒数。{s} 在 {l}，单个槽位不停顿时是 {slot}，全部槽位合计 {could}；实际产出 {out}，"
                "少掉的主要是停顿、等首个 token 和空着的槽位。",
                en="Throughput is not the reciprocal of the step. On {s} at {l} a slot left undisturbed decodes at {slot}, all "
                "slots together at {could}; the machine delivers {out}. Stalls, first tokens and idle slots take most of the rest.",
                s=SeriesName(series.id),
                l=LevelName(series.id, level.id),
                slot=level_value("slot_decode_rate", series.id, level.id),
                could=level_value("undisturbed_throughput", series.id, level.id),
                out=level_value("output_throughput", series.id, level.id),
            )
    return None
