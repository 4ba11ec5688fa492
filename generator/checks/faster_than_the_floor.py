"""Is a decode step faster than the hardware allows? Then a number behind the floor is wrong, or a gap is no step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from generator.across.levels import at_level, at_levels, level_names
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import FLOORS
from generator.told.findings import Finding, Status
from generator.told.quoting import level_value, worst_of
from generator.told.sentence import LevelName, Listing, Sentence, SeriesName, say
from generator.values import Address, Value

RESTING_ON_FLOOR: Final = ("floor_ratio", "mbu")

Ratios = dict[Level, Value]


WORST: Final = Text(zh="最甚的是 {level}，{told}", en="most of all at {level}, with {told}")


@check(
    theme=FLOORS,
    title=Text(zh="步长与下限", en="Step against floor"),
    question=Text(
        zh="有没有哪一档的步长比硬件允许的还短？", en="Is there a level whose step is shorter than the hardware allows?"
    ),
    rule=Text(
        zh="任何一档的步长短于它的下限（每步要读的字节 ÷ 显存带宽），就不通过；带宽是实测的，只警告：小模型可以留在 CPU 的缓存里。档位不因此排除：吞吐不依赖下限。",
        en="A failure where a step is shorter than its floor, the bytes that it has to read ÷ the memory bandwidth; a warning where the bandwidth was measured, since a small model may stay in the caches of a CPU. No level is excluded for it: throughput does not rest on the floor.",
    ),
)
def faster_than_the_floor(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [_examine(analysis, series) for series in analysis.round.series]


def _examine(analysis: Analysis, series: Series) -> Finding:
    ratios = {level: analysis.frame.of_level("floor_ratio", series.id, level.id) for level in series.levels}
    known = {level: value for level, value in ratios.items() if value.value is not None}
    if not known:
        return _unknown(analysis, series, ratios)
    impossible = {level: value for level, value in known.items() if (value.value or 0.0) > 1}
    status: Status = "warn" if analysis.frame.of_round("memory_bandwidth").origin == "measured" else "fail"
    return _too_fast(series, impossible, status) if impossible else _above(series, known)


def _closest(ratios: Ratios) -> Level:
    return max(ratios, key=lambda level: ratios[level].value or 0.0)


def _too_fast(series: Series, ratios: Ratios, status: Status) -> Finding:
    """Report a failure that spoils nothing: throughput does not rest on the floor, only shares of it do."""
    worst = _closest(ratios)
    return Finding(
        check="faster_than_the_floor",
        status=status,
        series=series.id,
        levels=tuple(level.id for level in ratios),
        evidence=tuple(value.address for value in ratios.values()),
        doubts=at_levels(series, ratios, *RESTING_ON_FLOOR),
        message=say(
            zh="{series} 在 {levels} 的步长比硬件允许的还短：{worst}。"
            "带宽或权重字节数有误，或者一步产出不止一个 token，ITL 就不是步长。",
            en="At {levels} a step of {series} is shorter than the hardware allows: {worst}. Bandwidth or weight "
            "bytes are wrong, or a step yields several tokens and the ITL is not a step.",
            series=SeriesName(series.id),
            levels=level_names(series, ratios),
            worst=_worst(series, worst, one_of_several=len(ratios) > 1),
        ),
        bias=say(
            zh="{series} 的下限 ÷ 步长与带宽利用率显得更好；吞吐不受影响。",
            en="Floor ÷ step and bandwidth utilisation of {series} are flattered; its throughput is not.",
            series=SeriesName(series.id),
        ),
        looks="better",
        remedy=say(
            zh="核对显存带宽，以及权重字节数是否只计每步真正读取的部分（不含输入 embedding 与没有激活的专家）；"
            "若用了投机解码，记录每个 chunk 的 token 数。",
            en="Go over the memory bandwidth, and see that the weight bytes are only what a step really reads "
            "(neither the input embedding nor idle experts); with speculative decoding, record the tokens per chunk.",
        ),
    )


def _worst(series: Series, level: Level, *, one_of_several: bool) -> Sentence:
    step = say(
        zh="{step}，而下限是 {floor}，下限 ÷ 步长为 {ratio}",
        en="{step} with a floor of {floor}, floor ÷ step {ratio}",
        step=level_value("itl_p50", series.id, level.id),
        floor=level_value("decode_floor", series.id, level.id),
        ratio=level_value("floor_ratio", series.id, level.id),
    )
    return worst_of(step, WORST, LevelName(series.id, level.id), one_of_several=one_of_several)


def _above(series: Series, ratios: Ratios) -> Finding:
    closest = _closest(ratios)
    return Finding(
        check="faster_than_the_floor",
        status="pass",
        series=series.id,
        levels=tuple(level.id for level in ratios),
        evidence=tuple(value.address for value in ratios.values()),
        message=say(
            zh="{series} 没有哪一档的步长低于下限；最接近的是 {level}，下限是步长的 {ratio}。",
            en="No step of {series} is below its floor; it comes closest at {level}, where the floor is {ratio} of the step.",
            series=SeriesName(series.id),
            level=LevelName(series.id, closest.id),
            ratio=level_value("floor_ratio", series.id, closest.id),
        ),
    )


NEEDED: Final = {
    "kv_bytes_per_token": Text(
        zh="模型的 KV 形状（[model] layers、kv_heads、head_dim、kv_dtype_bytes）",
        en="the KV geometry of the model ([model] layers, kv_heads, head_dim, kv_dtype_bytes)",
    ),
    "weight_bytes_per_step": Text(zh="权重字节数（weight_bytes）", en="the weight bytes (weight_bytes)"),
    "memory_bandwidth": Text(
        zh="内存带宽（[hardware] memory_bandwidth_gb_s）", en="the memory bandwidth ([hardware] memory_bandwidth_gb_s)"
    ),
    "mean_context": Text(
        zh="输入与输出长度（[workload] input_tokens、output_tokens）",
        en="the lengths of input and output ([workload] input_tokens, output_tokens)",
    ),
    "itl_p50": Text(zh="步长（ITL p50）", en="the step (ITL p50)"),
}
"""What a floor and its step are made of, and where it is declared."""
NO_LEVEL: Final = Text(zh="没有测过任何档位", en="it has no level")


def _unknown(analysis: Analysis, series: Series, ratios: Ratios) -> Finding:
    reason = next((value.reason for value in ratios.values() if value.reason is not None), NO_LEVEL)
    return Finding(
        check="faster_than_the_floor",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 的步长无从与下限对照：{reason}。",
            en="The steps of {series} cannot be compared with their floor: {reason}.",
            series=SeriesName(series.id),
            reason=reason,
        ),
        remedy=say(zh="补上{lacking}。", en="Fill in {lacking}.", lacking=Listing(tuple(_lacking(analysis, series)))),
    )


def _lacking(analysis: Analysis, series: Series) -> Iterator[Text]:
    """Yield what no level has of the numbers that a floor and its step are made of."""
    for key, name in NEEDED.items():
        of_series = (Address(key, "series", series.id), Address(key, "round"))
        of_levels = (at_level(key, series, level) for level in series.levels)
        if not any(value.value is not None for value in analysis.frame.known([*of_series, *of_levels])):
            yield name
