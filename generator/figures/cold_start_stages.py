"""The first start of each series in stages: from outside, and by the engine's own log."""

from __future__ import annotations

from typing import Final

from generator.across.cold_starts import STAGE_NAMES, at_start, first_of, started
from generator.across.levels import number_at
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import Series
from generator.text import Text
from generator.told.figure_model import Axis, Bar, BarPlot, FigureModel, Fill, Segment
from generator.told.sentence import say

SEEN: Final = (
    ("cold_start_t1", Text(zh="到端口", en="to the port")),
    ("cold_start_unready", Text(zh="端口到就绪", en="port to ready")),
    ("cold_start_first_wait", Text(zh="就绪到首个 token", en="ready to first token")),
    ("cold_start_answer", Text(zh="到首条完整回答", en="to the first completion")),
)
DECLARED: Final = (
    ("cold_start_t1", Text(zh="到端口", en="to the port")),
    ("cold_start_t2", Text(zh="端口到首个 token", en="port to first token")),
    ("cold_start_answer", Text(zh="到首条完整回答", en="to the first completion")),
)
NAMES: Final = {key: Text(zh=f"日志：{name.zh}", en=f"log: {name.en}") for key, name in STAGE_NAMES.items()}
UNTOLD: Final = ("start_untold", Text(zh="日志没有说明", en="not explained by the log"))


@figure
def cold_start_stages(analysis: Analysis) -> FigureModel | Missing:
    """Draw two bars a series: the moments, and the stages of its log where there are any."""
    bars = tuple(bar for series in started(analysis) for bar in _bars(analysis, series) if bar.segments)
    if not bars:
        return Missing(
            say(
                zh="画不出启动的各阶段：没有哪次启动的时刻是知道的。",
                en="The stages of a start cannot be drawn: of no start the moments are known.",
            )
        )
    return FigureModel(
        key="cold_start_stages",
        title=say(zh="从拉起进程到首条完整回答", en="From the spawn to the first completion"),
        caption=say(
            zh="实心段是从外面看到的时刻，斜纹段是引擎日志里的各阶段，空白段是日志没有说明的时间。单位 s。",
            en="Solid: times taken from outside; hatched: stages by the engine's log; white: time that the log does not explain. "
            "In s.",
        ),
        plot=BarPlot(x=Axis(Text(zh="从拉起进程起", en="since the spawn"), "s", "linear"), bars=bars),
        accents=analysis.round.accents,
    )


def _bars(analysis: Analysis, series: Series) -> tuple[Bar, Bar]:
    start, label = first_of(analysis, series), analysis.round.label(series.id)
    knows_health = number_at(analysis, at_start("cold_start_unready", series, start)) is not None
    seen = _segments(analysis, series, start, SEEN if knows_health else DECLARED, "solid")
    logged = _segments(analysis, series, start, tuple(NAMES.items()), "hatched")
    if logged:
        logged += _segments(analysis, series, start, (UNTOLD,), "empty")
    by_log = Text(zh=f"{label}，日志", en=f"{label}, its log")
    return Bar(Text(zh=label, en=label), series.id, seen), Bar(by_log, series.id, logged)


def _segments(
    analysis: Analysis, series: Series, start: int | None, parts: tuple[tuple[str, Text], ...], fill: Fill
) -> tuple[Segment, ...]:
    """Return the parts that are known and take any time: no bar has a part of less than none."""
    places = [(name, at_start(key, series, start)) for key, name in parts]
    return tuple(
        Segment(name, seconds, fill, at)
        for name, at in places
        if (seconds := number_at(analysis, at)) is not None and seconds > 0
    )
