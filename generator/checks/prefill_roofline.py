"""Was the prompt read faster than the device can multiply? Then it was not read, or a number is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import at_level, at_levels, highest, known_at, level_names, worst_level
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.store.devices import SHEET
from generator.text import Text
from generator.themes import FLOORS
from generator.told.findings import Finding
from generator.told.quoting import MOST_OF_ALL, level_value, round_value, series_value
from generator.told.sentence import Part, SeriesName, say
from generator.values import Address

CEILING: Final = Address("prefill_ceiling", "round")
SERVER: Final = "server_prefill_rate"
LOWER_PRECISION: Final = 2.0
"""How much faster products of 8 bits are than those of BF16, which a data sheet gives."""


@check(
    theme=FLOORS,
    title=Text(zh="prefill 与算力上限", en="Prefill and the compute ceiling"),
    question=Text(
        zh="prefill 有没有快过硬件的峰值算力？", en="Was any prefill faster than the peak compute of the device?"
    ),
    stage="conclusions",
    rule=Text(
        zh="输入 token ÷ TTFT（或服务端的 prefill 时间）超过峰值算力 ÷（两倍参数量）就警告：那些 token 没有算过，或有数写错了。峰值取自数据手册（BF16）时容许 {times} 倍，因为更低精度的 kernel 更快；CPU 上实测的 FP32 算力不是上限，不用来判断。",
        en="A warning where input tokens ÷ TTFT, or ÷ the server's prefill time, exceed the peak compute ÷ twice the parameters: these tokens were not computed, or a number is wrong. A peak of a data sheet (BF16) may be exceeded by a factor of {times}, since kernels of a lower precision are faster; what a CPU reaches in FP32 is not a ceiling, and decides nothing.",
    ).format(times=f"{LOWER_PRECISION:g}"),
)
def prefill_roofline(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    ceiling = _most(analysis)
    if ceiling is None:
        return [_no_ceiling()]
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series, ceiling)]
    return found or [_nothing()]


def _most(analysis: Analysis) -> float | None:
    """Return the rate that is impossible to exceed; None where no peak is known."""
    ceiling, peak = (analysis.frame.of_round(key) for key in ("prefill_ceiling", "peak_compute"))
    if ceiling.value is None:
        return None
    by_sheet = peak.source is not None and peak.source.file == SHEET
    return ceiling.value * LOWER_PRECISION if by_sheet else ceiling.value


def _examine(analysis: Analysis, series: Series, ceiling: float) -> list[Finding]:
    rates = known_at(analysis, "prefill_rate", series, series.levels)
    server = analysis.frame.of_series(SERVER, series.id).value
    beyond = [one for one in rates if one[0] > ceiling]
    findings = [_beyond(series, beyond)] if beyond else []
    if server is not None and server > ceiling:
        findings.append(_server_beyond(series))
    if findings or (not rates and server is None):
        return findings
    return [_below(series, rates)]


def _beyond(series: Series, beyond: list[tuple[float, Level]]) -> Finding:
    levels, worst = [level for _, level in beyond], highest(beyond)
    told = say(zh="{rate}", en="{rate}", rate=level_value("prefill_rate", series.id, worst.id))
    where = worst_level(told, MOST_OF_ALL, series, worst, levels)
    evidence = [at_level("prefill_rate", series, level) for level in levels]
    doubts = at_levels(series, levels, "ttft_p50")
    return _warning(series, (level_names(series, levels), where), (*evidence, CEILING), tuple(levels), doubts)


def _server_beyond(series: Series) -> Finding:
    where = say(zh="服务端日志", en="the server's log")
    rate = series_value(SERVER, series.id)
    doubts = (Address("server_prefill", "series", series.id),)
    return _warning(series, (where, rate), (rate.address, CEILING), (), doubts)


def _warning(
    series: Series,
    told: tuple[Part, Part],
    evidence: tuple[Address, ...],
    levels: tuple[Level, ...],
    doubts: tuple[Address, ...],
) -> Finding:
    where, rate = told
    return Finding(
        check="prefill_roofline",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=evidence,
        doubts=doubts,
        message=say(
            zh="按 {where}，{series} 的 prefill 快过硬件：{rate}，而算力上限是 {ceiling}。输入多半在缓存里，否则长度、时间或峰值有误。",
            en="By {where} the prefill of {series} is faster than the device: {rate}, where its compute allows {ceiling}. The "
            "input was cached, most likely; otherwise a length, a time or the peak is wrong.",
            series=SeriesName(series.id),
            where=where,
            rate=rate,
            ceiling=round_value("prefill_ceiling"),
        ),
        bias=say(
            zh="{series} 的 TTFT 显得更好：没有算过的 token 也算进了速率。",
            en="The TTFT flatters {series}: tokens that were never computed count in the rate.",
            series=SeriesName(series.id),
        ),
        looks="better",
        remedy=say(
            zh="只用没有命中缓存的输入 token 来算速率；关掉 prompt cache，换新的 prompt 再测一次。",
            en="Divide only the input tokens that no cache held; switch the prompt cache off and run again with new prompts.",
        ),
    )


def _below(series: Series, rates: list[tuple[float, Level]]) -> Finding:
    evidence = tuple(at_level("prefill_rate", series, level) for _, level in rates)
    return Finding(
        check="prefill_roofline",
        status="pass",
        series=series.id,
        levels=tuple(level.id for _, level in rates),
        evidence=(*evidence, CEILING),
        message=say(
            zh="{series} 的 prefill 没有快过算力上限 {ceiling}。",
            en="No prefill of {series} is faster than its compute allows, {ceiling}.",
            series=SeriesName(series.id),
            ceiling=round_value("prefill_ceiling"),
        ),
    )


def _no_ceiling() -> Finding:
    message = say(
        zh="没有声明峰值算力（[hardware] peak_tflops）或参数量（[model] matmul_params），prefill 没有上限可比。",
        en="Peak compute ([hardware] peak_tflops) or parameters ([model] matmul_params) are not declared, so there is no ceiling.",
    )
    return Finding("prefill_roofline", "pass", message, is_empty=True)


def _nothing() -> Finding:
    message = say(
        zh="没有哪个系列记录了 TTFT 与输入长度，prefill 速率无从算起。",
        en="No series has its TTFT and input lengths on record, so no prefill rate can be told.",
    )
    return Finding("prefill_roofline", "pass", message, is_empty=True)
