"""How full the KV pool was against the tokens in flight: every settled sample, the line through them, and the formula's."""

from __future__ import annotations

from typing import Final

import numpy as np

from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import Level, Series
from generator.numeric.thinning import cloud_rows
from generator.runs.gauges import Gauges, Numbers
from generator.text import Text, same
from generator.told.figure_model import Axis, FigureModel, FitPlot, Scatter, Spot, Trend, TrendRole
from generator.told.quoting import passage, series_value
from generator.told.sentence import Sentence, SeriesName, say

MOST_POINTS: Final = 4000
"""Points of a series: each is written to the files."""
DIGITS: Final = 4
PERCENT: Final = 100.0

FITTED: Final = Text(zh="{s}：拟合", en="{s}: fitted")
FORMULA: Final = Text(zh="{s}：公式", en="{s}: formula")


@figure
def kv_linearity(analysis: Analysis) -> FigureModel | Missing:
    """Draw the samples of each series with both lines."""
    scatters = [scatter for series in analysis.round.series if (scatter := _scatter(analysis, series)).spots]
    if not scatters:
        return _missing()
    drawn = [analysis.round.series_by_id(scatter.series) for scatter in scatters]
    reach = {scatter.series: max(spot.x for spot in scatter.spots) for scatter in scatters}
    trends = [trend for series in drawn for trend in _trends(analysis, series, reach[series.id])]
    return FigureModel(
        key="kv_linearity",
        title=_title(analysis, drawn),
        caption=_caption(),
        plot=FitPlot(
            x=Axis(Text(zh="在途 token 数", en="tokens in flight"), "tok", "linear"),
            y=Axis(Text(zh="KV 池占用", en="KV pool use"), "%", "linear"),
            scatters=tuple(scatters),
            trends=tuple(trends),
        ),
        accents=analysis.round.accents,
    )


def _scatter(analysis: Analysis, series: Series) -> Scatter:
    """Return the settled samples of all runs at usable levels; of very many some stand for all."""
    places = [
        (level, tokens, use)
        for level in analysis.usable(series.id)
        for tokens, use in _of_level(analysis, series, level)
        if len(tokens)
    ]
    if not places:
        return Scatter(series.id, ())
    levels = np.repeat([level.id for level, _, _ in places], [len(tokens) for _, tokens, _ in places])
    x = np.concatenate([tokens for _, tokens, _ in places])
    y = np.concatenate([use for _, _, use in places]) * PERCENT
    rows = cloud_rows(x, y, MOST_POINTS)
    spots = (
        Spot(round(float(x[row]), 1), round(float(y[row]), DIGITS), str(levels[row])) for row in np.sort(rows).tolist()
    )
    return Scatter(series.id, tuple(spots))


def _of_level(analysis: Analysis, series: Series, level: Level) -> list[tuple[Numbers, Numbers]]:
    runs = (analysis.round.requests.get((series.id, level.id, trial)) for trial in level.runs)
    sampled = (requests.gauges for requests in runs if requests is not None and requests.gauges is not None)
    return [found for gauges in sampled if (found := _of_run(analysis, series, gauges)) is not None]


def _of_run(analysis: Analysis, series: Series, gauges: Gauges) -> tuple[Numbers, Numbers] | None:
    """Return tokens in flight and share of the pool, as the metrics of a run take them."""
    rounding = analysis.frame.of_series("kv_block_rounding", series.id).value or 0.0
    pool = analysis.frame.of_series("kv_pool_tokens", series.id).value
    tokens = gauges.settled_tokens + rounding * gauges.settled_sequences
    if len(gauges.settled_usage):
        return tokens, gauges.settled_usage
    if len(gauges.settled_slot_tokens) and pool:
        return tokens, gauges.settled_slot_tokens / pool
    return None


def _trends(analysis: Analysis, series: Series, reach: float) -> list[Trend]:
    """Return the fitted line and that of the formula, as far as there are samples."""

    def value(key: str) -> float | None:
        return analysis.frame.of_series(key, series.id).value

    slope, intercept = value("kv_slope"), value("kv_intercept")
    found = []
    if slope is not None and intercept is not None:
        found.append(_line(analysis, series, FITTED, "fit", slope, intercept, reach))
    each, pool = value("kv_bytes_per_token_here"), value("kv_pool_bytes")
    if each is not None and pool:
        found.append(_line(analysis, series, FORMULA, "theory", each / pool, 0.0, reach))
    return found


def _line(
    analysis: Analysis, series: Series, name: Text, role: TrendRole, slope: float, intercept: float, reach: float
) -> Trend:
    label = analysis.round.label(series.id)
    ends = ((x, round((intercept + slope * x) * PERCENT, DIGITS)) for x in (0.0, reach))
    return Trend(name.format(s=same(label)), series.id, role, tuple(ends))


def _title(analysis: Analysis, drawn: list[Series]) -> Sentence:
    """Speak of the series whose ratio is furthest from one."""
    known = [
        (abs(ratio - 1), series)
        for series in drawn
        if (ratio := analysis.frame.of_series("kv_bytes_over_formula", series.id).value) is not None
    ]
    if not known:
        return _title_of_slope(analysis, drawn)
    _, series = max(known, key=lambda one: one[0])
    return say(
        zh="{s} 每个在途 token 在池里占 {x}，是公式的 {r}",
        en="A token in flight takes {x} of the pool of {s}, {r} of the formula",
        s=SeriesName(series.id),
        x=series_value("kv_bytes_measured", series.id),
        r=series_value("kv_bytes_over_formula", series.id),
    )


def _title_of_slope(analysis: Analysis, drawn: list[Series]) -> Sentence:
    """Where there is no formula, speak of the first series with measured bytes."""
    measured = (one for one in drawn if analysis.frame.of_series("kv_bytes_measured", one.id).value is not None)
    if (series := next(measured, None)) is None:
        return say(zh="KV 池占用与在途 token 数", en="Use of the KV pool against tokens in flight")
    return say(
        zh="{s} 每个在途 token 在池里平均占 {x}",
        en="A token in flight takes {x} of the pool of {s} on average",
        s=SeriesName(series.id),
        x=series_value("kv_bytes_measured", series.id),
    )


def _caption() -> Sentence:
    return passage(
        say(
            zh="每个点是可用档位的一个采样，当时引擎处理的请求都已有首个 token；块大小已知时，横轴加上按块取整多占的。",
            en="Each point is a sample at a usable level at which every admitted request had its first token; "
            "where the size of blocks is known, tokens include what rounding to blocks adds.",
        ),
        say(
            zh="虚线是模型形状给出的每 token 字节 ÷ 池的字节。",
            en="The dashed line is the bytes per token of the model's shape ÷ bytes of the pool.",
        ),
    )


def _missing() -> Missing:
    return Missing(
        say(
            zh="画不出 KV 池占用与在途 token 数的关系：没有可用档位采样到 KV 池占用或槽位里的 token 数。",
            en="Pool use against tokens in flight cannot be drawn: at no usable level was the use of the KV pool sampled, nor "
            "the tokens in slots.",
        )
    )
