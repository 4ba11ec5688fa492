"""The requests of one run as bars on its clock: who waited, who stood still, and what the server did then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from generator.across.timelines import (
    Shown,
    TimedRun,
    in_flight,
    lanes_of,
    most_telling,
    shown_of,
    spans_of,
    timed_runs,
    waves_of,
)
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.runs.requests import Numbers, Requests
from generator.runs.server_times import HAPPENINGS, Happening
from generator.runs.stall_causes import dealt_launches
from generator.text import Text
from generator.told.figure_model import Axis, Course, FigureModel, Stage, Stretch, Strip, TimelinePlot
from generator.told.quoting import passage
from generator.told.sentence import Count, LevelName, Part, Quantity, Sentence, SeriesName, say

DIGITS: Final = 4
"""Decimals of seconds."""
MOST_MOMENTS: Final = 200
"""Moments of a strip that are shown; of more, some at even distances."""
STEPS: Final = (1, 2, 5, 10, 20, 50, 100)
MOST_TICKS: Final = 5
"""Steps of the axis of rows: of the most rows there may be, one has few enough."""
MOST_STALLS: Final = 100
"""Stalls that are shown: the longest."""
FACTS: Final = (
    "requests",
    "failed",
    "common_stalls",
    "common_stall_time",
    "common_stall_share",
    "longest_common_stall",
    "longest_common_stall_start",
)
NAMES: Final[dict[Happening, Text]] = {
    "launch": Text(zh="服务端受理请求（日志）", en="accepted by the server (log)"),
    "cache_hit": Text(zh="命中 prompt cache（日志）", en="prompt-cache hit (log)"),
    "preemption": Text(zh="抢占（日志）", en="preemptions (log)"),
    "kv_full": Text(zh="KV 池已满（日志）", en="KV pool full (log)"),
    "error": Text(zh="引擎报错（日志）", en="errors of the engine (log)"),
    "cancel": Text(zh="请求被取消（日志）", en="requests cancelled (log)"),
}
ROWS: Final = Text(zh="请求，按空位叠放", en="requests, each in the first free row")
WAVES: Final = Text(zh="一批回答同时结束", en="answers ended together")
WAITING: Final = Text(zh="有请求在引擎里排队（采样）", en="requests waiting in the engine (sampled)")


@figure
def timeline(analysis: Analysis) -> FigureModel | Missing:
    """Draw the run in which all answers under way stood still longest."""
    run = most_telling([run for series in analysis.round.series for run in timed_runs(analysis, series)])
    if run is None:
        return _missing()
    plot = _plot(run)
    return FigureModel(
        key="timeline",
        title=_title(run),
        caption=_caption(plot, run),
        plot=plot,
        accents=analysis.round.accents,
    )


def _plot(run: TimedRun) -> TimelinePlot:
    shown = shown_of(run.requests)
    courses = _courses(run.requests, shown)
    left_out = int(np.isfinite(run.requests.start).sum()) - len(shown.rows)
    return TimelinePlot(
        x=Axis(Text(zh="自第一条请求起", en="after the first request"), "s", "linear"),
        y=Axis(ROWS, "", "linear", _ticks(max(one.lane for one in courses) + 1)),
        series=run.series.id,
        level=run.level,
        trial=run.trial,
        courses=courses,
        stalls=_stalls(run.requests, shown.window),
        strips=tuple(_strips(run.requests, shown.window)),
        window=_rounded(*shown.window),
        whole=round(float(spans_of(run.requests)[1].max()), DIGITS),
        left_out=left_out,
        in_flight=tuple(_rounded(*point) for point in in_flight(run.requests)) if left_out else (),
        facts=tuple(run.at(metric) for metric in FACTS),
    )


def _ticks(lanes: int) -> tuple[float, ...]:
    """Return where the rows are counted: whole numbers at round steps."""
    step = next(step for step in STEPS if lanes / step <= MOST_TICKS)
    return tuple(float(lane) for lane in range(0, lanes + 1, step))


def _rounded(x: float, y: float) -> tuple[float, float]:
    return round(x, DIGITS), round(y, DIGITS)


def _courses(requests: Requests, shown: Shown) -> tuple[Course, ...]:
    begins, ends, rows = spans_of(requests)
    is_shown = np.isin(rows, shown.rows)
    lanes = lanes_of(begins[is_shown], ends[is_shown])
    launches = dealt_launches(requests)
    return tuple(
        Course(
            int(number) + 1, lane, round(float(requests.start[row]), DIGITS), tuple(_stretches(requests, row, launches))
        )
        for number, lane, row in zip(np.flatnonzero(is_shown), lanes, rows[is_shown].tolist(), strict=True)
    )


def _stretches(requests: Requests, row: int, launches: Numbers | None) -> Iterator[Stretch]:
    """Yield what a request did; of one that failed no more than up to its first token is known."""
    sent = float(requests.start[row])
    first, last = sent + float(requests.ttft[row]), sent + float(requests.e2el[row])
    launch = float(launches[row]) if launches is not None else float("nan")
    edges: list[tuple[Stage, float, float]] = (
        [("queue", sent, launch), ("prefill", launch, first)] if np.isfinite(launch) else [("wait", sent, first)]
    )
    for stage, begin, end in (*edges, ("decode", first, last)):
        if np.isfinite(begin) and np.isfinite(end) and end > begin:
            yield Stretch(stage, *_rounded(begin, end))


def _stalls(requests: Requests, window: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    begins, ends = requests.stalls.begins, requests.stalls.ends
    inside = np.flatnonzero((ends > window[0]) & (begins < window[1]))
    longest = np.sort(inside[np.argsort(begins[inside] - ends[inside], kind="stable")[:MOST_STALLS]])
    return tuple(_rounded(float(begins[row]), float(ends[row])) for row in longest)


def _strips(requests: Requests, window: tuple[float, float]) -> Iterator[Strip]:
    """Yield the strips that have something in the window."""
    found = [(WAVES, waves_of(requests))]
    if requests.server is not None:
        found += [(NAMES[one], requests.server.of(one)) for one in HAPPENINGS]
    for name, moments in found:
        inside = moments[(moments >= window[0]) & (moments <= window[1])]
        if len(inside):
            rows = np.unique(np.linspace(0, len(inside) - 1, min(len(inside), MOST_MOMENTS)).astype(np.int64))
            yield Strip(name, moments=tuple(np.round(inside[rows], DIGITS).tolist()))
    waited = tuple(_waited(requests, window))
    if waited:
        yield Strip(WAITING, spans=waited)


def _waited(requests: Requests, window: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Yield from which sample to which one requests waited: up to the first one that saw none."""
    gauges = requests.gauges
    if gauges is None or not np.isfinite(gauges.waiting).any():
        return
    known = np.isfinite(gauges.waiting)
    t, waits = gauges.t[known], gauges.waiting[known] > 0
    turns = np.flatnonzero(np.diff(np.concatenate([[False], waits, [False]]).astype(np.int8)))
    for first, after in zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True):
        begin, end = max(float(t[first]), window[0]), min(float(t[min(after, len(t) - 1)]), window[1])
        if end > begin:
            yield _rounded(begin, end)


def _title(run: TimedRun) -> Sentence:
    quoted: dict[str, Part] = {name: Quantity(run.at(metric)) for name, metric in QUOTED.items()}
    where: dict[str, Part] = {"s": SeriesName(run.series.id), "l": LevelName(run.series.id, run.level)}
    stalled = len(run.requests.stalls.begins) > 0
    begins, ends, _ = spans_of(run.requests)
    flowing = FLOWING if max(lanes_of(begins, ends), default=0) else ALONE
    said = Sentence(STALLED if stalled else flowing, {**where, **(quoted if stalled else {})})
    if run.trial is None:
        return said
    return say(zh="{said}（第 {t} 次测量）", en="{said} (trial {t})", said=said, t=Count(run.trial))


QUOTED: Final = {"n": "common_stalls", "t": "common_stall_time"}
STALLED: Final = Text(
    zh="{s} 在 {l}：所有进行中的回答一起停了 {n} 次，共 {t}",
    en="{s} at {l}: all running answers stalled at once {n} {n:time|times}, for {t} in total",
)
FLOWING: Final = Text(
    zh="{s} 在 {l} 的每一条请求：没有一起停顿",
    en="Each request of {s} at {l}: the answers never stalled at once",
)
ALONE: Final = Text(
    zh="{s} 在 {l} 的每一条请求，一次一条",
    en="Each request of {s} at {l}, one at a time",
)


def _caption(plot: TimelinePlot, run: TimedRun) -> Sentence:
    told = [BARS]
    stages = {stretch.stage for course in plot.courses for stretch in course.stretches}
    if "queue" in stages or "prefill" in stages:
        told.append(DEALT)
    if plot.stalls:
        told.append(VEILED)
    if any(not course.stretches for course in plot.courses):
        told.append(CROSSES)
    if plot.left_out:
        told.append(Sentence(LEFT_OUT, {"n": Count(plot.left_out), "why": AROUND if plot.stalls else BEGINNING}))
    if run.requests.server is None:
        told.append(NO_LOG)
    return passage(*told)


BARS: Final = say(
    zh="每条横杠是一条请求，从发出到末个 token；叠起的行数就是在途的请求数。",
    en="Each bar is a request, from its sending to its last token; the number of filled rows is the number of requests in flight.",
)
DEALT: Final = say(
    zh="日志不说受理的是客户端的哪一条，按发出的先后对应。",
    en="The log does not say which request it accepts: they are matched in the order of sending.",
)
VEILED: Final = say(
    zh="灰色竖带是共同停顿：至少两条回答在进行，却没有一条收到新的 chunk。",
    en="Grey vertical bands are simultaneous stalls: two or more answers were running, and none got a chunk.",
)
CROSSES: Final = say(
    zh="叉号是失败的请求，只知道何时发出。", en="Crosses are requests that failed: no more than their sending is known."
)
LEFT_OUT: Final = Text(
    zh="请求太多，只画{why}，其余 {n} 条见下方在途请求数的曲线。",
    en="There are too many requests to draw all of them, so only {why} is shown; the other {n} {n:is|are} in the curve of "
    "requests in flight below.",
)
AROUND: Final = Text(zh="最长的一次停顿前后", en="the time around the longest stall")
BEGINNING: Final = Text(zh="开头一段", en="the beginning")
NO_LOG: Final = say(
    zh="没有与请求同一时钟的服务端日志，看不出排队与 prefill 的分界。",
    en="No log of the server shares a clock with the requests, so queueing and prefill cannot be separated.",
)


def _missing() -> Missing:
    return Missing(
        say(
            zh="画不出请求的时间线：没有可用的档位记录了每条请求的发出时刻。用 rounds collect 测量，或导入明细结果（vLLM 用 --save-detailed）。",
            en="The timeline of requests cannot be drawn: no usable level says when its requests were sent. Measure with "
            "rounds collect, or import detailed results (vLLM: --save-detailed).",
        )
    )
