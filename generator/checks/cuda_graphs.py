"""Did each engine run with CUDA graphs? A start flag asks for them; only the log tells whether they were captured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import machine_of, number_at
from generator.frame import Analysis
from generator.kinds import check
from generator.machines.flags import ON, SETTINGS, setting_of
from generator.model import Series
from generator.text import Text
from generator.themes import DECODING
from generator.told.findings import Finding, Status
from generator.told.quoting import series_names
from generator.told.sentence import SeriesName, say
from generator.values import Address

SETTING: Final = next(one for one in SETTINGS if one.key == "cuda_graphs")
OFF: Final = "log_graphs_off_of_series"
OF_THE_START: Final = ("log_context_length_of_series", "log_start_seconds_of_series")
"""What a log tells that holds the start of the engine."""


@check(
    theme=DECODING,
    title=Text(zh="CUDA graph 是否生效", en="CUDA graphs in use"),
    question=Text(
        zh="各系列的引擎是否真的用上了 CUDA graph？", en="Did the engine of each series really use CUDA graphs?"
    ),
    rule=Text(
        zh="看服务端日志的启动部分：只有一方没有用 CUDA graph，或参数没有关、日志却说没有用，就警告；日志有启动部分却没有捕获的记录，就无从得知。",
        en="By the start in the server's log: a warning where only one side goes without CUDA graphs, or where flags leave them on and the log has them off; where the start is there and mentions no capture, it cannot be known.",
    ),
    stage="conclusions",
)
def cuda_graphs(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose log holds the start, and all of them together."""
    found = [finding for series in analysis.round.series for finding in _against_flags(analysis, series)]
    off = [series for series in analysis.round.series if _off(analysis, series) == 1]
    on = [series for series in analysis.round.series if _off(analysis, series) == 0]
    found += [_one_sided(series, on) for series in off if on]
    return found or ([_alike(off or on, is_off=bool(off))] if off or on else [_nothing()])


def _address(series: Series) -> Address:
    return Address(OFF, "series", series.id)


def _off(analysis: Analysis, series: Series) -> float | None:
    return number_at(analysis, _address(series))


def _against_flags(analysis: Analysis, series: Series) -> list[Finding]:
    asked = setting_of(machine_of(analysis.round, series), SETTING)
    if asked is None or asked.text != ON:
        return []
    if _off(analysis, series) == 1:
        return [_without_effect(series)]
    starts = analysis.frame.known(Address(key, "series", series.id) for key in OF_THE_START)
    return [_not_captured(series, starts[0].address)] if _off(analysis, series) is None and starts else []


def _without_effect(series: Series) -> Finding:
    name = SeriesName(series.id)
    return Finding(
        check="cuda_graphs",
        status="warn",
        series=series.id,
        evidence=(_address(series),),
        looks="worse",
        message=say(
            zh="{series} 的启动参数没有关掉 CUDA graph，日志却说没有用上。",
            en="The flags of {series} leave CUDA graphs on, and its log says that it goes without them.",
            series=name,
        ),
        bias=say(
            zh="{series} 的解码步显得更慢：每一步都多付一次逐个启动 kernel 的开销，并发越小越明显。",
            en="The decode step of {series} looks slower: each pays for the launch of every kernel, most of all at low concurrency.",
            series=name,
        ),
        remedy=say(
            zh="查日志里为什么没有捕获（显存不足、模型或后端不支持），改好再测；或写明没有用 CUDA graph。",
            en="See in the log why they were not captured (memory, a model or a backend without support), mend that and measure "
            "again; or say that there were none.",
        ),
    )


def _not_captured(series: Series, start: Address) -> Finding:
    return Finding(
        check="cuda_graphs",
        status="unknown",
        series=series.id,
        evidence=(start,),
        message=say(
            zh="{series} 的日志有启动部分，却没有捕获 CUDA graph 的记录，用没用上无从得知。",
            en="The log of {series} holds its start and mentions no capture of CUDA graphs: whether it used them cannot be known.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="保留完整的启动日志（日志级别 INFO），里面会写捕获用了多久。",
            en="Keep the whole log of the start at level INFO: it tells how long the capture took.",
        ),
    )


def _one_sided(series: Series, on: Sequence[Series]) -> Finding:
    name = SeriesName(series.id)
    others = series_names(one.id for one in on)
    return Finding(
        check="cuda_graphs",
        status="warn",
        series=series.id,
        evidence=(_address(series), *(_address(one) for one in on)),
        looks="worse",
        message=say(
            zh="{series} 没有用 CUDA graph，{others} 用了。",
            en="{series} went without CUDA graphs, and {others} did not.",
            series=name,
            others=others,
        ),
        bias=say(
            zh="偏向 {others}：不用 CUDA graph 的一方每个解码步都更慢，小并发时最明显。",
            en="It favours {others}: without CUDA graphs every decode step is slower, most of all at low concurrency.",
            others=others,
        ),
        remedy=say(
            zh="两边都打开（vLLM：去掉 --enforce-eager；SGLang：去掉 --disable-cuda-graph）或都关掉，再测一遍。",
            en="Switch them on for both (vLLM: without --enforce-eager; SGLang: without --disable-cuda-graph) or off for both, and "
            "measure again.",
        ),
    )


def _alike(told: Sequence[Series], *, is_off: bool) -> Finding:
    names = series_names(one.id for one in told)
    message = (
        say(zh="按日志，{s} 没有用 CUDA graph。", en="By its log {s} went without CUDA graphs.", s=names)
        if is_off
        else say(zh="按日志，{s} 用上了 CUDA graph。", en="By its log {s} used CUDA graphs.", s=names)
    )
    status: Status = "note" if is_off else "pass"
    return Finding("cuda_graphs", status, message, evidence=tuple(_address(one) for one in told))


def _nothing() -> Finding:
    message = say(
        zh="服务端日志没有提到 CUDA graph，不适用。",
        en="No server's log mentions CUDA graphs: not applicable.",
    )
    return Finding("cuda_graphs", "pass", message, is_empty=True)
