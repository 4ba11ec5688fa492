"""The mean TTFT of each level in parts: queueing, prefill, and the rest."""

from __future__ import annotations

from generator.across.levels import amount, at_level, known_at, number_at, seen_usable
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import Level, Series
from generator.text import Text, same
from generator.told.figure_model import Axis, Bar, BarPlot, FigureModel, Fill, Segment
from generator.told.quoting import level_value
from generator.told.sentence import LevelName, Sentence, SeriesName, say
from generator.units import from_base

QUEUE = Text(zh="排队", en="queue")
PREFILL = same("prefill")
REST = Text(zh="其余", en="rest")
OUTSIDE = Text(zh="排队与其余", en="queue and rest")


@figure
def ttft_parts(analysis: Analysis) -> FigureModel | Missing:
    """Draw one bar a level: what of the mean TTFT is queueing, prefill and the rest."""
    places = [(series, level) for series in analysis.round.series for level in analysis.usable(series.id)]
    bars = tuple(bar for series, level in places if (bar := _bar(analysis, series, level)) is not None)
    if not bars:
        return _missing()
    return FigureModel(
        key="ttft_parts",
        title=_title(analysis, bars[-1].series),
        caption=say(
            zh="每一档的 TTFT 均值。实心段是服务端自己计的 prefill；斜纹段是排队与其余，来源见表下。单位 ms。",
            en="Mean TTFT of each level. Solid is prefill as the server times it; hatched are queueing and the rest, whose source "
            "stands below the table. In ms.",
        ),
        plot=BarPlot(x=Axis(Text(zh="TTFT 均值", en="mean TTFT"), "ms", "linear"), bars=bars),
        accents=analysis.round.accents,
    )


def _bar(analysis: Analysis, series: Series, level: Level) -> Bar | None:
    parts: tuple[tuple[str, Text, Fill], ...] = (
        ("ttft_queue", QUEUE, "hatched"), ("ttft_prefill", PREFILL, "solid"), ("ttft_front", REST, "hatched"),
    )  # fmt: skip
    if number_at(analysis, at_level("ttft_front", series, level)) is None:
        parts = (("ttft_prefill", PREFILL, "solid"), ("ttft_outside_prefill", OUTSIDE, "hatched"))
    places = [(name, fill, at_level(key, series, level)) for key, name, fill in parts]
    segments = tuple(
        Segment(name, from_base(seconds, "ms"), fill, address)
        for name, fill, address in places
        if (seconds := number_at(analysis, address)) is not None
    )
    return Bar(_name(analysis, series, level), series.id, segments, level.id) if len(segments) == len(parts) else None


def _name(analysis: Analysis, series: Series, level: Level) -> Text:
    """Return the name of a bar; where the levels of a series differ in length, with the length."""
    lengths = {length for length, _ in known_at(analysis, "asked_input_tokens", series, series.levels)}
    named = f"{analysis.round.label(series.id)} {level.name}"
    length = amount(analysis, "asked_input_tokens", (series, level))
    return same(f"{named} · {length:.10g} tok" if len(lengths) > 1 and length is not None else named)


def _title(analysis: Analysis, series: str) -> Sentence:
    """Say which part of the TTFT is the largest of those known at the last level that is drawn."""
    one = analysis.round.series_by_id(series)
    _, level = seen_usable(analysis, "ttft_prefill_share", one)[-1]
    queue, prefill = (
        number_at(analysis, at_level(key, one, level)) or 0.0 for key in ("ttft_queue_share", "ttft_prefill_share")
    )
    key, name = ("ttft_queue_share", QUEUEING) if queue > prefill else ("ttft_prefill_share", IN_PREFILL)
    return say(
        zh="{s} 在 {l} 的 TTFT 均值里，{share} 是{part}",
        en="Of the mean TTFT of {s} at {l}, {share} is {part}",
        s=SeriesName(series),
        l=LevelName(series, level.id),
        share=level_value(key, series, level.id),
        part=name,
    )


QUEUEING = Text(zh="排队", en="queueing")
IN_PREFILL = Text(zh=" prefill 的时间", en="prefill")


def _missing() -> Missing:
    return Missing(
        say(
            zh="TTFT 分不开：没有哪一档的服务端日志或 /metrics 给出 prefill 时间。用 rounds collect 采集，"
            "或在每次运行旁边保存 server.log 与 metrics-before.prom、metrics-after.prom 即可。",
            en="The TTFT cannot be taken apart: at no level does the server's log or /metrics tell the prefill time. Collect with "
            "rounds collect, or save server.log, metrics-before.prom and metrics-after.prom beside each run.",
        )
    )
