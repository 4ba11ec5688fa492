"""The TTFT in parts, level by level, and where the parts are from."""

from __future__ import annotations

from typing import Final

from generator.across.levels import Place, Shown, at_level, known_at, level_table, number_at, places_with, seen_at
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, FigureBlock, Paragraph
from generator.told.quoting import passage, series_names
from generator.told.sentence import Sentence, SeriesName, say

COLUMNS: Final = (
    Shown("asked_input_tokens", Text(zh="输入长度", en="input length"), "tok"),
    Shown("ttft_p50", same("TTFT p50"), "ms"),
    Shown("ttft_mean", Text(zh="TTFT 均值", en="mean TTFT"), "ms"),
    Shown("ttft_queue", Text(zh="排队", en="queue"), "ms"),
    Shown("ttft_prefill", Text(zh="prefill", en="prefill"), "ms"),
    Shown("ttft_front", Text(zh="其余", en="rest"), "ms"),
    Shown("ttft_prefill_share", Text(zh="prefill 占比", en="share of prefill"), "%"),
    Shown("ttft_queue_share", Text(zh="排队占比", en="share of queue"), "%"),
    Shown("ttft_server", Text(zh="服务端自计的 TTFT", en="TTFT by the server"), "ms"),
)
OF_TABLES: Final = (*COLUMNS[:3], Shown("ttft_p99", same("TTFT p99"), "ms"))
"""Those that a table of results may have."""
SOURCES: Final = {
    "log": Text(
        zh="{s} 的各部分取自服务端日志：排队从客户端发出算到服务端把请求放进槽位，两边的时刻在同一个时钟上。服务端算完手上的一个 "
        "batch 才接收新请求，所以引擎自报的排队为零时，这里的排队也可以不为零。",
        en="The parts of {s} are from the server's log: queueing lasts from sending until the server puts the request into a slot, "
        "both on one clock. The server admits requests between two batches, so there is queueing here even where the engine's "
        "own gauge has none.",
    ),
    "metrics": Text(
        zh="{s} 的各部分取自 /metrics 直方图的增量：排队是引擎自己计的，网络、HTTP 与分词落在“其余”里；其余里，服务端自计的 TTFT 减去排队与 prefill 所剩的部分仍在服务端。",
        en="The parts of {s} are from the growth of histograms at /metrics: queueing is the engine's own; network, HTTP and "
        "tokenizing are in the rest. Of the rest, the server's own TTFT less the other two is spent in the server.",
    ),
}


@section(checks=("ttft_sources_agree", "queue_dominated", "waiting_requests"))
def ttft_by_level(analysis: Analysis) -> Chapter | None:
    """Draw the parts and print them, level by level."""
    places = _any(analysis, "ttft_p50", "ttft_mean")
    if not places:
        return None
    intro = _intro() if _is_divided(analysis) else UNDIVIDED
    blocks: list[Block] = [Paragraph(intro), FigureBlock("ttft_parts")]
    blocks += [level_table(analysis, *table) for table in _tables(places)]
    blocks += [Paragraph(told, "note") for told in _sources(analysis)]
    blocks += [Paragraph(why, "note") for why in (*_listed(analysis), *_lacking(analysis))]
    return Chapter(say(zh="各档的 TTFT 由什么组成", en="What the TTFT of each level is made of"), tuple(blocks))


def _tables(places: list[Place]) -> list[tuple[str, Sentence, tuple[Shown, ...], list[Place]]]:
    """Return what each table holds: one of the levels whose runs are there, and one of those of a table of results."""
    ran, listed = ([place for place in places if place[1].from_runs is kind] for kind in (True, False))
    tables = [
        ("ttft-parts-table", say(zh="逐档的 TTFT 与它的各部分", en="TTFT and its parts, level by level"), COLUMNS, ran),
        ("ttft-levels-table", say(zh="逐档的 TTFT", en="TTFT, level by level"), OF_TABLES, listed),
    ]
    return [table for table in tables if table[-1]]


def _any(analysis: Analysis, *metrics: str) -> list[Place]:
    """Return the levels at which one of some metrics is known, in their order."""
    known = {(s.id, level.id) for metric in metrics for s, level in places_with(analysis, metric)}
    return [(s, level) for s in analysis.round.series for level in s.levels if (s.id, level.id) in known]


def _is_divided(analysis: Analysis) -> bool:
    """Say whether some TTFT is known in parts."""
    parts = ("ttft_front", "ttft_outside_prefill")
    return any(seen_at(analysis, part, one) for one in analysis.round.series for part in parts)


def _intro() -> Sentence:
    return say(
        zh="TTFT 是三段之和：服务端开始处理之前等了多久（排队），把整段输入算完用了多久（prefill），"
        "以及其余的：采样首个 token、HTTP、网络与客户端。三段都取均值，所以不必把服务端与客户端的请求逐条对上，也能相加。"
        "有几条请求同时在途时，prefill 那一段里引擎也在为别的请求解码或 prefill，所以负载越高它越长。",
        en="The TTFT is a sum of three: how long a request waits before the server begins with it (queue), how long its prompt takes "
        "(prefill), and the rest: sampling the first token, HTTP, network, client. All three are means. They add up without "
        "matching requests of the server with those of the client. With several requests in flight the engine also decodes or "
        "computes prompts for others during a prefill, which is why it lasts longer under load.",
    )


UNDIVIDED: Final = say(
    zh="TTFT 由排队、prefill 与其余三段组成；这一轮没有服务端的记录，只有总数。",
    en="A TTFT consists of queueing, prefill and the rest; without a record from the server, this round has only the total.",
)


def _sources(analysis: Analysis) -> list[Sentence]:
    """Say where the parts of each series are from; of levels run several times, that each is a median."""
    told = []
    for basis, text in SOURCES.items():
        known = [one for one in analysis.round.series if _source(analysis, one) == basis]
        if known:
            told.append(Sentence(text, {"s": series_names(one.id for one in known)}))
    divided = [level for one in analysis.round.series for _, level in seen_at(analysis, "ttft_front", one)]
    if any(level.trials > MOST_EXACT for level in divided):
        told.append(MEDIANS)
    return [passage(*told)] if told else []


MOST_EXACT: Final = 2
"""Trials up to which medians of parts add up to the median of the whole: the median of two is their mean."""
MEDIANS: Final = say(
    zh="跑了几次的档位，每一段各取中位数，所以三段之和可以与 TTFT 均值的中位数略有出入。",
    en="At levels with several trials each part is a median of its own, so the three may miss the median of the whole a little.",
)


def _source(analysis: Analysis, series: Series) -> str | None:
    """Return the basis from which the parts of a series are taken."""
    for _, level in seen_at(analysis, "ttft_prefill", series):
        by_log = number_at(analysis, at_level("ttft_prefill", series, level)._replace(basis="log"))
        return "log" if by_log is not None else "metrics"
    return None


def _listed(analysis: Analysis) -> list[Sentence]:
    """Name the series that have a table of results alone, which holds no parts."""
    listed = [one for one in analysis.round.series if one.levels and not any(level.from_runs for level in one.levels)]
    if not listed:
        return []
    return [
        say(
            zh="{s} 的 TTFT 分不开：只有结果表，没有服务端的日志，也没有 /metrics。",
            en="The TTFT of {s} cannot be taken apart: there is a table of results, and neither a log of the server nor /metrics.",
            s=series_names(one.id for one in listed),
        )
    ]


def _lacking(analysis: Analysis) -> list[Sentence]:
    """Say why series whose runs are there have no parts, or no queueing."""
    told = (_why(analysis, series) for series in analysis.round.series)
    return [sentence for sentence in told if sentence is not None]


def _why(analysis: Analysis, series: Series) -> Sentence | None:
    ran = [level for level in analysis.usable(series.id) if level.from_runs]
    levels = [level for _, level in known_at(analysis, "ttft_mean", series, ran)]
    for metric, what in (("ttft_prefill", PREFILL), ("ttft_queue", QUEUE)):
        values = [analysis.frame.of_level(metric, series.id, level.id) for level in levels]
        if values and all(value.value is None for value in values):
            return say(
                zh="分不出 {s} 的{what}：{reason}。",
                en="{what} of {s} cannot be told: {reason}.",
                s=SeriesName(series.id),
                what=what,
                reason=values[0].reason or NOT_RECORDED,
            )
    return None


NOT_RECORDED: Final = Text(zh="没有记录", en="there is no record of it")
PREFILL: Final = Text(zh=" prefill 时间", en="The prefill")
QUEUE: Final = Text(zh="排队时间", en="The queueing")
