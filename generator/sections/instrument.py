"""The instrument itself: how the client kept up, how exact its stamps are, and how the engines started."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import Place, Shown, level_table, places_with
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Heading, Paragraph, Row, Subheading, Table
from generator.told.quoting import round_value, series_value
from generator.told.sentence import Sentence, SeriesName, say

CLIENT: Final = (
    Shown("client_processes", Text(zh="进程", en="processes")),
    Shown("client_cpu_share", Text(zh="CPU 占用", en="CPU share"), "%"),
    Shown("client_cpu_total", Text(zh="CPU 合计", en="CPU in all"), "%"),
    Shown("client_schedule_lag_p99", Text(zh="发送滞后 p99", en="send lag p99"), "ms"),
    Shown("client_loop_lag_p99", Text(zh="事件循环滞后 p99", en="event-loop lag p99"), "ms"),
    Shown("client_kernel_stamps", Text(zh="内核时间戳", en="kernel stamps"), "%"),
    Shown("client_chunks_per_read", Text(zh="每次读取的 chunk", en="chunks per read")),
    Shown("client_retries", Text(zh="重发", en="sent again")),
)
CALIBRATION: Final = (
    Shown("calibration_streams", Text(zh="并发流", en="streams")),
    Shown("calibration_chunks", Text(zh="chunk 数", en="chunks")),
    Shown("calibration_lost_chunks", Text(zh="丢失", en="lost")),
    Shown("client_stamp_error_p50", Text(zh="时间戳误差 p50", en="stamp error p50"), "µs"),
    Shown("client_stamp_error_p99", Text(zh="时间戳误差 p99", en="stamp error p99"), "µs"),
    Shown("calibration_itl_p99_truth", Text(zh="ITL p99，所发", en="ITL p99, sent"), "ms"),
    Shown("calibration_itl_p99_seen", Text(zh="所见", en="seen"), "ms"),
    Shown("calibration_itl_p99_error", Text(zh="差别", en="difference"), "%"),
    Shown("calibration_cpu_share", Text(zh="CPU 占用", en="CPU share"), "%"),
)
START: Final = (
    Shown("cold_start_t1", same("T1"), "s"),
    Shown("cold_start_t2", same("T2"), "s"),
    Shown("cold_start_t3", same("T3"), "s"),
    Shown("cold_starts", Text(zh="启动次数", en="starts")),
)


@section(
    checks=(
        "client_fidelity",
        "server_counts",
        "plan_fulfilled",
        "samples_missing",
        "telemetry_plausible",
        "log_coverage",
    ),
)
def instrument(analysis: Analysis) -> Chapter | None:
    """Show what the client says of itself, what its calibration found, and the cold starts."""
    measured = (*_client(analysis), *_calibration(analysis))
    starts = _starts(analysis)
    if measured:
        return Chapter(INSTRUMENT, (*measured, *((STARTS, *starts) if starts else ())))
    return Chapter(STARTS.sentence, tuple(starts)) if starts else None


INSTRUMENT: Final = say(zh="测量工具本身：客户端与校准", en="The instrument: client and calibration")
STARTS: Final = Subheading("cold-start-moments", say(zh="冷启动", en="Cold starts"))


def _client(analysis: Analysis) -> Sequence[Block]:
    places: list[Place] = places_with(analysis, "client_cpu_share")
    if not places:
        return ()
    caption = say(zh="客户端自己的情况，逐档", en="The client itself, level by level")
    return Paragraph(_about_client()), level_table(analysis, "client-measures-table", caption, CLIENT, places)


def _about_client() -> Sentence:
    return say(
        zh="负载由 Rounds 自己的客户端施加；它若占满一个核、发得晚，或者一次读到几个 chunk，测得的时延就有一部分来自客户端本身。",
        en="The load was driven by the client of Rounds. Where it fills a core, sends late or finds several chunks in one read, "
        "part of what it measures is itself.",
    )


def _calibration(analysis: Analysis) -> Sequence[Block]:
    shown = [one for one in CALIBRATION if analysis.frame.of_round(one.metric).value is not None]
    if not shown:
        return ()
    headings = tuple(Heading(say("{n}", "{n}", n=one.label), one.unit) for one in shown)
    row = Row(tuple(round_value(one.metric, bare=True) for one in shown))
    caption = say(zh="采集之前的校准", en="The calibration before the round")
    return Paragraph(_about_calibration()), Table("calibration-table", caption, headings, (row,))


def _about_calibration() -> Sentence:
    return say(
        zh="采集之前，同一个客户端先测一台自己记下发送时刻的参考服务端，负载与计划里最高的一档相同：差多少，就是客户端自己的误差。",
        en="Before the round the same client measured a reference server that notes when it sends, under the highest load of "
        "the plan: what they differ by is the client's own error.",
    )


def _starts(analysis: Analysis) -> Sequence[Block]:
    started = [s.id for s in analysis.round.series if analysis.frame.of_series("cold_start_t1", s.id).value is not None]
    if not started:
        return ()
    headings = (Heading(say(zh="系列", en="series")), *(Heading(say("{n}", "{n}", n=c.label), c.unit) for c in START))
    rows = tuple(Row((SeriesName(one), *(series_value(c.metric, one, bare=True) for c in START))) for one in started)
    caption = say(zh="各系列的冷启动", en="The cold start of each series")
    return Paragraph(_about_starts()), Table("cold-start-table", caption, headings, rows)


def _about_starts() -> Sentence:
    return say(
        zh="T1：从启动进程到端口可连；T2：从端口可连到首个 token；T3：从端口可连到首条完整回答。启动过几次的，取第一次，之后几次模型文件可能已在内存里。",
        en="T1: process start to open port; T2: port to first token; T3: port to first complete answer. Of several starts the "
        "first counts, because later ones may find the model's files in memory.",
    )
