"""What the engine said of itself while a run went on: requests running and waiting, and how full its KV pool was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from generator.across.levels import at_level, number_at
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import Level, Series
from generator.numeric.thinning import cloud_rows
from generator.runs.gauges import Gauges, Numbers
from generator.text import Text
from generator.told.figure_model import Axis, FigureModel, Panel, Trace, TracePlot
from generator.told.quoting import passage
from generator.told.sentence import LevelName, Quantity, Sentence, SeriesName, say

MOST_POINTS: Final = 2000
DIGITS: Final = 3
MOST_DRAWN: Final = 3
"""Levels of a series that are drawn: the lowest, the highest, and of those between the one with most KV in use."""


class _Shown(NamedTuple):
    """A panel: the column, what it is called, its unit, by what it is multiplied, and what sums it up."""

    column: str
    label: Text
    unit: str
    times: float
    facts: tuple[str, ...]


PANELS: Final = (
    _Shown(
        "running",
        Text(zh="正在计算的请求", en="requests running"),
        "1",
        1,
        ("gauge_running_mean", "gauge_running_most"),
    ),
    _Shown(
        "waiting", Text(zh="排队的请求", en="requests waiting"), "1", 1, ("gauge_waiting_mean", "gauge_waiting_most")
    ),
    _Shown(
        "kv_usage", Text(zh="KV 池占用", en="KV pool use"), "%", 100, ("gauge_kv_usage_mean", "gauge_kv_usage_most")
    ),
)
IN_FLIGHT: Final = _Shown(
    "tokens",
    Text(zh="在途 token（客户端所知）", en="tokens in flight, as the client knew"),
    "tok",
    1,
    ("kv_fit_tokens_mean",),
)
"""Instead of the pool, where no engine says how full it is."""


class _Run(NamedTuple):
    """A run that is shown, and what was sampled."""

    series: Series
    level: Level
    trial: int | None
    gauges: Gauges
    is_drawn: bool


@figure
def gauges_over_time(analysis: Analysis) -> FigureModel | Missing:
    """Draw, of each level, the run in which the KV pool was fullest."""
    runs = [run for series in analysis.round.series for run in _runs(analysis, series)]
    if not runs:
        return _missing()
    shown = _shown(runs)
    panels = [panel for one in shown if (panel := _panel(one, runs)).traces]
    return FigureModel(
        key="gauges_over_time",
        title=_title(analysis, runs),
        caption=_caption(runs, is_of_pool=IN_FLIGHT not in shown, nobody_waits=PANELS[1] not in shown),
        plot=TracePlot(Axis(Text(zh="自第一条请求起", en="after the first request"), "s", "linear"), tuple(panels)),
        accents=analysis.round.accents,
    )


def _shown(runs: Sequence[_Run]) -> tuple[_Shown, ...]:
    """Return the panels: one of requests waiting only where some did, and one of the pool or of tokens instead."""
    someone_waits = any(np.nan_to_num(run.gauges.waiting).any() for run in runs)
    is_of_pool = any(np.isfinite(run.gauges.kv_usage).any() for run in runs)
    running, waiting, pool = PANELS
    return (running, *([waiting] if someone_waits else []), pool if is_of_pool else IN_FLIGHT)


def _runs(analysis: Analysis, series: Series) -> list[_Run]:
    """Return a run of each level of a series, if any was sampled."""
    found = [(level, run) for level in series.levels if (run := _fullest(analysis, series, level)) is not None]
    count = len(found)
    drawn = {0, _fullest_between(found), count - 1} if count > MOST_DRAWN else set(range(count))
    return [
        _Run(series, level, trial, gauges, is_drawn=row in drawn) for row, (level, (trial, gauges)) in enumerate(found)
    ]


def _fullest_between(found: Sequence[tuple[Level, tuple[int | None, Gauges]]]) -> int:
    """Return the row of the level with most KV in use, the first of several, ends left out."""
    return max(range(1, len(found) - 1), key=lambda row: _use(found[row][1][1]))


def _use(gauges: Gauges) -> tuple[float, float]:
    """Return how full the pool was at most, and how many tokens were in flight where no engine says that."""
    return _most(gauges.kv_usage), _most(gauges.tokens)


def _fullest(analysis: Analysis, series: Series, level: Level) -> tuple[int | None, Gauges] | None:
    """Return the run with the most KV in use; where no use is known, with the most tokens in flight."""
    sampled = [
        (trial, requests.gauges)
        for trial in level.runs
        if (requests := analysis.round.requests.get((series.id, level.id, trial))) is not None
        and requests.gauges is not None
    ]
    return max(sampled, key=lambda run: _use(run[1]), default=None)


def _most(values: Numbers) -> float:
    known = values[np.isfinite(values)]
    return float(known.max()) if len(known) else 0.0


def _panel(shown: _Shown, runs: Sequence[_Run]) -> Panel:
    traces = [trace for run in runs if (trace := _trace(shown, run)).points]
    return Panel(Axis(shown.label, shown.unit, "linear"), tuple(traces))


def _trace(shown: _Shown, run: _Run) -> Trace:
    values = getattr(run.gauges, shown.column)
    known = np.isfinite(values)
    x, y = run.gauges.t[known], values[known] * shown.times
    rows = cloud_rows(x, y, MOST_POINTS)
    points = zip(np.round(x[rows], DIGITS).tolist(), np.round(y[rows], DIGITS).tolist(), strict=True)
    facts = tuple(at_level(key, run.series, run.level, run.trial) for key in shown.facts)
    return Trace(run.series.id, run.level.id, run.trial, tuple(points), facts, run.is_drawn)


def _title(analysis: Analysis, runs: Sequence[_Run]) -> Sentence:
    """Speak of the fullest pool; where no engine says how full it is, of the most requests running at once."""
    for metric, text in (("gauge_kv_usage_most", FULLEST), ("gauge_running_most", BUSIEST)):
        numbers = [(number_at(analysis, at_level(metric, run.series, run.level, run.trial)), run) for run in runs]
        known = [(number, run) for number, run in numbers if number is not None]
        if known:
            _, run = max(known, key=lambda one: one[0])
            most = Quantity(at_level(metric, run.series, run.level, run.trial))
            return Sentence(
                text, {"s": SeriesName(run.series.id), "l": LevelName(run.series.id, run.level.id), "x": most}
            )
    return say(zh="引擎自报的量随时间的变化", en="What the engine said of itself over time")


FULLEST: Final = Text(
    zh="{s} 的 KV 池最高占到 {x}，在 {l} 首次达到",
    en="The KV pool of {s} was {x} full at most, first at {l}",
)
BUSIEST: Final = Text(
    zh="{s} 在 {l} 同时计算的请求最多：{x} 条",
    en="{s} computed the most requests at once at {l}: {x}",
)


def _caption(runs: Sequence[_Run], *, is_of_pool: bool, nobody_waits: bool) -> Sentence:
    told = [
        say(
            zh="引擎的 /metrics 与 /slots 在运行期间的采样；每一档取 KV（或在途 token）最多的一次运行。",
            en="Samples of the engine's /metrics and /slots during the run; of each level the run with most KV in use, or tokens in "
            "flight.",
        )
    ]
    if not is_of_pool:
        told.append(
            say(
                zh="引擎没有报告 KV 池占用，下方是客户端所知的在途 token 数。",
                en="The engine does not give the use of its KV pool; below stand the tokens that the client knew to be in flight.",
            )
        )
    if nobody_waits:
        told.append(say(zh="没有采样到排队的请求。", en="No sample saw a request wait."))
    if not all(run.is_drawn for run in runs):
        told.append(
            say(
                zh="每个系列画出最低、最高与其间 KV 占用最多的档位，文件里有全部。",
                en="Drawn are the lowest and the highest level of each series, and the one between with most KV in use; the "
                "files have all.",
            )
        )
    return passage(*told)


def _missing() -> Missing:
    return Missing(
        say(
            zh="画不出引擎自报的量：运行期间没有采样引擎的 /metrics 或 /slots。用 rounds collect 测量时会采样。",
            en="What the engine said over time cannot be drawn: its /metrics or /slots were not sampled during the runs. "
            "rounds collect samples them.",
        )
    )
