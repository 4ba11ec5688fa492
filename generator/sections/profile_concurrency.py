"""How many requests of the load are under way at once, by Little's law and as counted."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.told.blocks import Block, Ledger, LedgerGroup, LedgerLine, Paragraph
from generator.told.quoting import passage, round_value
from generator.told.sentence import Sentence, say

LINES: Final = ("traffic_rate", "traffic_duration_mean", "traffic_concurrency", "traffic_concurrency_peak")
SUMS: Final = frozenset({"traffic_concurrency"})


@section()
def profile_concurrency(analysis: Analysis) -> Chapter | None:
    """Print the arithmetic where durations are known; say why not where they are not."""
    profile = analysis.round.profile
    if profile is None or profile.arrivals is None:
        return None
    heading = say(zh="并发", en="Concurrency")
    value = analysis.frame.of_round("traffic_concurrency")
    if value.value is None:
        has_levels = any(series.levels for series in analysis.round.series)
        return Chapter(heading, (Paragraph(passage(UNKNOWN, *([AT_LEVELS] if has_levels else []))),))
    lines = tuple(
        LedgerLine(round_value(key), is_sum=key in SUMS)
        for key in LINES
        if analysis.frame.of_round(key).value is not None
    )
    caption = say(
        zh="Little 定律：平均在途 = 到达率 × 时长", en="Little's law: under way on average = rate × time of a request"
    )
    group = LedgerGroup(say(zh="在途请求", en="Requests under way"), lines)
    blocks: list[Block] = [Ledger("profile-littles-law", caption, (group,))]
    if analysis.frame.of_round("traffic_in_flight_most").value is not None:
        blocks.append(Paragraph(_counted()))
    return Chapter(heading, tuple(blocks))


UNKNOWN: Final = say(
    zh="来源里没有请求的时长，负载自己的并发无从得知。",
    en="The sources do not say how long requests took, so the concurrency of the load is not known.",
)
AT_LEVELS: Final = say(
    zh="换一台服务器，时长也会变：下面按每一档在它自己的请求长度上测到的时延，算出这份负载在那里会有的并发；负载的请求更长，并发就更高。",
    en="It depends on the server anyway: for each level, the table below has the concurrency that the load would have at the latency measured "
    "there, with requests as long as that level's; longer ones keep more in flight.",
)


def _counted() -> Sentence:
    return say(
        zh="逐条请求的起止时刻数下来，同时在途最多 {n} 条；并发上限与 KV 池要按它来定，不能按平均。",
        en="By the begin and the end of every request, {n} were under way at once at most; limits on concurrency and the KV pool have to do "
        "for that, not for the mean.",
        n=round_value("traffic_in_flight_most"),
    )
