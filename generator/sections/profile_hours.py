"""How the load goes with the hour of the day."""

from __future__ import annotations

from generator.declared.profiles import DAY, WEEK
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.told.blocks import FigureBlock, Paragraph
from generator.told.quoting import passage, round_value
from generator.told.sentence import say


@section()
def profile_hours(analysis: Analysis) -> Chapter | None:
    """Draw the hours where the span holds a day; nothing where it does not."""
    profile = analysis.round.profile
    if profile is None or profile.arrivals is None or not profile.arrivals.hours:
        return None
    told = [
        say(
            zh="容量要按最忙的小时来定，平均之下夜里的空闲会把白天的拥挤抹平。",
            en="Capacity has to do for the busiest hour: over a whole day, idle nights average away crowded hours.",
        )
    ]
    if DAY <= profile.arrivals.span_s < WEEK:
        told.append(
            say(
                zh="跨度只有 {t}，有些小时只见过几次。",
                en="With a span of {t}, some hours were seen a few times only.",
                t=round_value("traffic_span", unit="h"),
            )
        )
    return Chapter(
        say(zh="一天里的起伏", en="Hours of the day"), (Paragraph(passage(*told)), FigureBlock("profile_hours"))
    )
