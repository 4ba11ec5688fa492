"""At which hours of the day the requests of the load come."""

from __future__ import annotations

from typing import Final

from generator.declared.profiles import HOURS, Clock
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.text import Text
from generator.told.figure_model import OF_NO_SERIES, Axis, FigureModel, Panel, Trace, TracePlot
from generator.told.sentence import Sentence, say
from generator.values import Address

DIGITS: Final = 5
EVERY: Final = 6
CLOCKS: Final[dict[Clock, Text]] = {
    "file": Text(zh="钟点按来源自己的时钟。", en="Hours are by the clock of the sources."),
    "utc": Text(zh="钟点为 UTC。", en="Hours are UTC."),
    "start": Text(
        zh="不知道真实的钟点：一天从第一条请求算起。",
        en="The true hour is not known: days begin with the first request.",
    ),
}


@figure
def profile_hours(analysis: Analysis) -> FigureModel | Missing:
    """Draw the mean rate of each hour of the day."""
    profile = analysis.round.profile
    if profile is None or profile.arrivals is None or not profile.arrivals.hours:
        return Missing(
            say(zh="画不出一天的起伏：跨度不到一天。", en="Hours of the day need a span of a day, at least.")
        )
    points = []
    for hour, rate in enumerate(profile.arrivals.hours):
        if rate is not None:
            points += [(float(hour), round(rate, DIGITS)), (hour + 1.0, round(rate, DIGITS))]
    trace = Trace(OF_NO_SERIES, "", None, tuple(points), (Address("traffic_rate", "round"),))
    ticks = tuple(float(hour) for hour in range(0, HOURS + 1, EVERY))
    return FigureModel(
        key="profile_hours",
        title=say(zh="一天里各个小时的到达率", en="Arrival rate by the hour of the day"),
        caption=_caption(profile.arrivals.clock),
        plot=TracePlot(
            Axis(Text(zh="小时", en="hour"), "h", "linear", ticks),
            (Panel(Axis(Text(zh="到达率", en="arrival rate"), "req/s", "linear"), (trace,)),),
        ),
        accents={},
    )


def _caption(clock: Clock) -> Sentence:
    return say(
        zh="各天同一小时的请求数 ÷ 这一小时在跨度里的总时长。{clock}",
        en="Requests of an hour over all days ÷ how much of that hour the span holds. {clock}",
        clock=CLOCKS[clock],
    )
