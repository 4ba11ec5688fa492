"""Each request by when it was sent and how long it took: waves, stalls and the warm-up show here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from generator.across.distributions import FAR, runs
from generator.across.levels import at_level
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import Level, Series
from generator.numeric.thinning import cloud_rows
from generator.runs.requests import Numbers, Requests
from generator.text import Text, same
from generator.told.figure_model import Axis, Cloud, CloudPlot, FigureModel, Scale
from generator.told.quoting import passage
from generator.told.sentence import Count, LevelName, Quantity, Sentence, SeriesName, say
from generator.units import FACTORS
from generator.values import Address

MOST_POINTS: Final = 10_000
MANY: Final = 500
"""So many requests have room in the static drawing, each with a dot of its own."""

UNIT: Final = "ms"
DIGITS: Final = 4
"""Decimals of points: a tenth of a millisecond across, of a microsecond upright."""
FACTS: Final = ("requests", "failed", "e2el_p50", "e2el_p99", "steady_start", "steady_end")


@figure
def requests_over_time(analysis: Analysis) -> FigureModel | Missing:
    """Draw one cloud a series, at its highest usable level: when each request was sent, and its E2EL."""
    clouds = tuple(cloud for series in analysis.round.series if (cloud := _cloud(analysis, series)) is not None)
    heights = [y for cloud in clouds for _, y in cloud.points]
    if not heights:
        return _missing(analysis)
    return FigureModel(
        key="requests_over_time",
        title=_title(analysis, clouds),
        caption=_caption(clouds),
        plot=CloudPlot(
            x=Axis(Text(zh="发出时刻，自第一条请求起", en="sent, after the first request"), "s", "linear"),
            y=Axis(same("E2EL"), UNIT, _scale(heights)),
            clouds=clouds,
        ),
        accents=analysis.round.accents,
    )


def _cloud(analysis: Analysis, series: Series) -> Cloud | None:
    """Return the cloud of the highest usable level of a series, in its first trial that says when requests were sent."""
    for level in reversed(analysis.usable(series.id)):
        for trial, requests in _timed(analysis, series, level):
            return _drawn(analysis, series, level, trial, requests)
    return None


def _timed(analysis: Analysis, series: Series, wanted: Level) -> Iterator[tuple[int | None, Requests]]:
    for level, trial, requests in runs(analysis, series):
        if level == wanted and np.isfinite(requests.start).any():
            yield trial, requests


def _drawn(analysis: Analysis, series: Series, level: Level, trial: int | None, requests: Requests) -> Cloud:
    has_both = requests.spoke & np.isfinite(requests.start) & np.isfinite(requests.e2el)
    x, y = requests.start[has_both], requests.e2el[has_both]
    rows = cloud_rows(x, y, MOST_POINTS)
    heights = np.round(y[rows] / FACTORS[UNIT][1], DIGITS)
    facts = tuple(at_level(key, series, level, trial) for key in FACTS)
    return Cloud(
        series=series.id,
        level=level.id,
        trial=trial,
        points=tuple(zip(np.round(x[rows], DIGITS).tolist(), heights.tolist(), strict=True)),
        failed=_failed(requests.start[~requests.spoke]),
        window=_window(analysis, facts),
        facts=facts,
    )


def _failed(starts: Numbers) -> tuple[float, ...]:
    known = np.sort(starts[np.isfinite(starts)])
    return tuple(np.round(known[cloud_rows(known, known, MOST_POINTS)], DIGITS).tolist())


def _window(analysis: Analysis, facts: Sequence[Address]) -> tuple[float, float] | None:
    begins, ends = (analysis.frame.values[address].value for address in facts[-2:])
    if begins is None or ends is None or ends <= begins:
        return None
    return begins, ends


def _scale(heights: Sequence[float]) -> Scale:
    return "log" if min(heights) > 0 and max(heights) > FAR * min(heights) else "linear"


def _title(analysis: Analysis, clouds: Sequence[Cloud]) -> Sentence:
    """Speak of failures where there are any, else of the steady part of the only series, or the first one that has it."""
    failed = max(clouds, key=lambda cloud: _failures(analysis, cloud))
    if _failures(analysis, failed) > 0:
        return _told(FAILED, failed, n="failed", of="requests")
    steady = next((cloud for cloud in clouds if cloud.window is not None), None)
    if steady is not None:
        return _steady(analysis, steady)
    return say(zh="每条请求的发出时刻与 E2EL", en="When each request was sent, and its E2EL")


def _steady(analysis: Analysis, cloud: Cloud) -> Sentence:
    """Say from when to when, and of how long a run where that is known."""
    if analysis.frame.values[_of_run("duration", cloud)].value is None:
        return _told(STEADY, cloud, begins="steady_start", ends="steady_end")
    return _told(STEADY_PART, cloud, begins="steady_start", ends="steady_end", d="duration")


def _failures(analysis: Analysis, cloud: Cloud) -> float:
    """Return how many requests failed in the run that is drawn."""
    return analysis.frame.values[_of_run("failed", cloud)].value or 0.0


def _of_run(metric: str, cloud: Cloud) -> Address:
    return Address(metric, "level", cloud.series, cloud.level, trial=cloud.trial)


def _told(text: Text, cloud: Cloud, **metrics: str) -> Sentence:
    """Quote numbers of the run that is drawn, and say which it is of several."""
    quoted = {name: Quantity(_of_run(metric, cloud)) for name, metric in metrics.items()}
    said = Sentence(text, {"s": SeriesName(cloud.series), "l": LevelName(cloud.series, cloud.level), **quoted})
    if cloud.trial is None:
        return said
    return say(zh="{said}（第 {t} 次测量）", en="{said} (trial {t})", said=said, t=Count(cloud.trial))


FAILED: Final = Text(
    zh="{s} 在 {l} 的 {of} 条请求里有 {n} 条失败",
    en="{n} of {of} {of:request|requests} to {s} failed at {l}",
)
STEADY: Final = Text(
    zh="{s} 在 {l}：从 {begins} 到 {ends} 是稳态",
    en="{s} at {l}: the load was steady from {begins} to {ends}",
)
STEADY_PART: Final = Text(
    zh="{s} 在 {l}：{d} 里，从 {begins} 到 {ends} 是稳态",
    en="{s} at {l}: of {d}, the load was steady from {begins} to {ends}",
)


def _caption(clouds: Sequence[Cloud]) -> Sentence:
    told = [
        say(
            zh="每个点是一条请求；每个系列取可用的最高档位，重复测量时取第一次。",
            en="Each point is a request, at the highest usable level of its series; of several runs, in the first.",
        )
    ]
    if any(len(cloud.points) > MANY for cloud in clouds):
        told.append(
            say(
                zh="请求很多时由一部分点代表全部，每一段里最慢与最快的都在其中。",
                en="Of many requests some stand for all, the slowest and the quickest of each interval among them.",
            )
        )
    if any(cloud.window is not None for cloud in clouds):
        told.append(
            say(
                zh="顶上的横条是稳态：从第一条回答结束，到末条请求发出。",
                en="The bar at the top is the steady part: from the end of the first answer to the last request sent.",
            )
        )
    if any(cloud.failed for cloud in clouds):
        told.append(
            say(
                zh="底边的叉号是失败或没有收到 token 的请求。",
                en="Crosses on the base line are requests that failed or got no token.",
            )
        )
    return passage(*told)


def _missing(analysis: Analysis) -> Missing:
    if analysis.round.requests:
        return Missing(
            say(
                zh="画不出请求随时间的分布：没有可用档位记录了每条请求的发出时刻。",
                en="Requests over time cannot be drawn: no usable level says when its requests were sent.",
            )
        )
    return Missing(
        say(
            zh="画不出请求随时间的分布：没有逐条请求的记录。导入压测工具的明细结果（vLLM 用 --save-detailed）即可。",
            en="Requests over time cannot be drawn: there are no per-request records. Import the detailed results of "
            "the load client (vLLM: --save-detailed).",
        )
    )
