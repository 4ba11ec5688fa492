"""Prefill of a request alone against the tokens computed, with the line and the parabola through it."""

from __future__ import annotations

from typing import Final

import numpy as np

from generator.across.ladders import bend_is_known, is_curved, sweep
from generator.across.levels import at_level, known_at, number_at
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import Series
from generator.text import Text
from generator.told.figure_model import Axis, FigureModel, FitPlot, Scatter, Spot, Trend, TrendRole
from generator.told.quoting import series_value
from generator.told.sentence import Sentence, SeriesName, say
from generator.units import from_base

LEAST: Final = 2
"""Corners that a floor needs."""
CORNERS: Final = 41

LINE: Final = Text(zh="{s}：直线", en="{s}: line")
CURVE: Final = Text(zh="{s}：抛物线", en="{s}: parabola")
FLOOR: Final = Text(zh="{s}：下限", en="{s}: floor")
LINE_TERMS: Final = ("prefill_fixed", "prefill_per_token")
CURVE_TERMS: Final = ("prefill_curve_fixed", "prefill_curve_per_token", "prefill_per_token_squared")


@figure
def prefill_by_length(analysis: Analysis) -> FigureModel | Missing:
    """Draw a point a level with one request in flight, and what was fitted to them."""
    swept = [scatter for series in analysis.round.series if (scatter := _scatter(analysis, series)).spots]
    if not swept:
        return _missing()
    trends = [trend for one in swept for trend in _trends(analysis, one)]
    return FigureModel(
        key="prefill_by_length",
        title=_title(analysis, swept[0].series),
        caption=say(
            zh="每个点是一档，一次只有一条请求在途；横轴是真正算的输入 token，取自缓存的不算。线是对各次运行的最小二乘拟合。",
            en="Each point is a level with one request in flight at a time; the x axis is the prompt tokens computed, without those "
            "from a cache. The lines are least-squares fits to all runs.",
        ),
        plot=FitPlot(
            x=Axis(Text(zh="真正算的输入 token", en="prompt tokens computed"), "tok", "linear"),
            y=Axis(Text(zh="单独一条请求的 prefill", en="prefill of a request alone"), "ms", "linear"),
            scatters=tuple(swept),
            trends=tuple(trends),
        ),
        accents=analysis.round.accents,
    )


def _scatter(analysis: Analysis, series: Series) -> Scatter:
    spots = [
        Spot(tokens, from_base(seconds, "ms"), level.id, at_level("prefill_alone", series, level))
        for seconds, level in known_at(analysis, "prefill_alone", series, sweep(analysis, series))
        if (tokens := number_at(analysis, at_level("prefill_tokens", series, level))) is not None
    ]
    return Scatter(series.id, tuple(sorted(spots, key=lambda spot: spot.x)))


def _trends(analysis: Analysis, scatter: Scatter) -> list[Trend]:
    """Return both fits, the one that the text goes by first, and the floor beneath."""
    series, longest = scatter.series, scatter.spots[-1].x
    line = _polynomial(analysis, series, LINE_TERMS, LINE, np.array([0.0, longest]))
    curve = _polynomial(analysis, series, CURVE_TERMS, CURVE, np.linspace(0.0, longest, CORNERS))
    fits = [curve, line] if is_curved(analysis, series) else [line, curve]
    floor = tuple((spot.x, height) for spot in scatter.spots if (height := _floor(analysis, series, spot)) is not None)
    floors = [_trend(analysis, series, FLOOR, "floor", floor)] if len(floor) >= LEAST else []
    return [*(fit for fit in fits if fit is not None), *floors]


def _polynomial(
    analysis: Analysis, series: str, terms: tuple[str, ...], name: Text, places: np.ndarray
) -> Trend | None:
    known = [analysis.frame.of_series(term, series).value for term in terms]
    found = [one for one in known if one is not None]
    if len(found) < len(terms):
        return None
    heights = sum(term * places**power for power, term in enumerate(found))
    points = tuple((float(x), from_base(float(y), "ms")) for x, y in zip(places, np.asarray(heights), strict=True))
    return _trend(analysis, series, name, "fit", points)


def _floor(analysis: Analysis, series: str, spot: Spot) -> float | None:
    level = next(one for one in analysis.round.series_by_id(series).levels if one.id == spot.level)
    seconds = number_at(analysis, at_level("prefill_floor", analysis.round.series_by_id(series), level))
    return None if seconds is None else from_base(seconds, "ms")


def _trend(
    analysis: Analysis, series: str, name: Text, role: TrendRole, points: tuple[tuple[float, float], ...]
) -> Trend:
    label = analysis.round.label(series)
    return Trend(Text(zh=name.zh.format(s=label), en=name.en.format(s=label)), series, role, points)


def _title(analysis: Analysis, series: str) -> Sentence:
    name = SeriesName(series)
    if analysis.frame.of_series("prefill_per_token", series).value is None:
        return say(zh="{s} 的 prefill 随长度的变化", en="Prefill of {s} by length", s=name)
    if is_curved(analysis, series):
        return say(
            zh="{s} 的 prefill 随长度弯曲：一次项 {b}，二次项 {c}",
            en="Prefill of {s} bends with the length: {b} in line with it, {c} with its square",
            s=name,
            b=series_value("prefill_curve_per_token", series),
            c=series_value("prefill_per_token_squared", series),
        )
    text = STRAIGHT if bend_is_known(analysis, series) else UNTOLD
    return Sentence(text, {"s": name, "b": series_value("prefill_per_token", series)})


STRAIGHT: Final = Text(
    zh="{s} 的 prefill 随长度增长 {b}，分辨不出弯曲", en="Prefill of {s} grows by {b}, and no bend can be told"
)
UNTOLD: Final = Text(
    zh="{s} 的 prefill 平均每 token {b}；长度太少，直线还是弯曲分不出",
    en="Prefill of {s} grows by {b} on average; the lengths are too few to tell a line from a bend",
)


def _missing() -> Missing:
    return Missing(
        say(
            zh="看不出 prefill 随长度的变化：没有哪个系列在并发为一时测过几种输入长度。"
            "在 round.toml 里给几个 [[level]] 写上 concurrency = 1 与不同的 input_tokens 即可。",
            en="How prefill grows with the length does not show: no series was run at several input lengths with one request in "
            "flight. Give some [[level]] of round.toml concurrency = 1 and different input_tokens.",
        )
    )
