"""When the requests of the load came: arrivals a second over the whole span."""

from __future__ import annotations

from typing import Final

from generator.declared.profiles import DAY, Course
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.text import Text, same
from generator.told.figure_model import OF_NO_SERIES, Axis, FigureModel, Panel, Trace, TracePlot
from generator.told.quoting import round_value
from generator.told.sentence import Sentence, say
from generator.values import Address

UNITS: Final = ((4 * DAY, DAY, "d"), (2 * 3600.0, 3600.0, "h"), (0.0, 1.0, "s"))
"""From which span on times are shown in which unit, of how many seconds."""
DIGITS: Final = 5
RATE: Final = Text(zh="到达率", en="arrival rate")
FACTS: Final = ("traffic_rate", "traffic_window_peak")


@figure
def profile_arrivals(analysis: Analysis) -> FigureModel | Missing:
    """Draw the counts of windows as a stepped line."""
    profile = analysis.round.profile
    if profile is None or profile.arrivals is None:
        return Missing(
            say(zh="画不出到达：负载里没有时刻。", en="Arrivals cannot be drawn: their times are not known.")
        )
    course = profile.arrivals.course
    seconds, unit = next((size, sign) for least, size, sign in UNITS if profile.arrivals.span_s >= least)
    facts = tuple(Address(key, "round") for key in FACTS)
    trace = Trace(OF_NO_SERIES, "", None, _steps(course, seconds), facts)
    return FigureModel(
        key="profile_arrivals",
        title=_title(analysis),
        caption=say(
            zh="从第一条请求起，逐窗口计数 ÷ 窗口宽度（图中每窗 {w}）；更短的高峰被平均掉了。",
            en="Counts of windows ÷ their width, {w} each in this drawing, from the first request on: what peaks for a shorter "
            "time is averaged.",
            w=same(f"{course.width_s:g} s"),
        ),
        plot=TracePlot(
            Axis(Text(zh="自第一条请求起", en="after the first request"), unit, "linear"),
            (Panel(Axis(RATE, "req/s", "linear"), (trace,)),),
        ),
        accents={},
    )


def _steps(course: Course, seconds: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of the line, in the unit of the axis."""
    points = []
    for number, count in enumerate(course.counts):
        begin, end = (round((number + side) * course.width_s / seconds, DIGITS) for side in (0, 1))
        height = round(count / course.width_s, DIGITS)
        points += [(begin, height), (end, height)]
    return tuple(points)


def _title(analysis: Analysis) -> Sentence:
    if analysis.frame.of_round("traffic_burstiness").value is None:
        return say(zh="平均到达率 {r}", en="{r} arrive on average", r=round_value("traffic_rate"))
    return say(
        zh="最满的窗口（宽 {w}）是平均的 {b}",
        en="The fullest window of {w} has {b} the requests of an average one",
        w=round_value("traffic_window"),
        b=round_value("traffic_burstiness", style="times"),
    )
