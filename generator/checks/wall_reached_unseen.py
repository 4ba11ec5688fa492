"""Did levels above a computed wall run as if it were not there? Then the wall was computed from wrong numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from generator.across.cliffs import climbed
from generator.across.levels import at_level, level_names, number_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import SATURATION
from generator.told.findings import Finding, Status
from generator.told.quoting import series_value
from generator.told.sentence import Part, Sentence, SeriesName, say
from generator.values import Address

MARGIN: Final = 1.1
"""How far above a wall a level must lie to be judged by it."""
WAITING: Final = ("gauge_waiting_most", "log_waiting_most")
GIVEN_UP: Final = ("server_preemptions", "log_preemptions", "log_retracted", "cliff_refused")
SIGNS: Final = {"wall_scheduler": WAITING, "wall_memory": (*WAITING, *GIVEN_UP)}
"""What shows that a wall is there: requests that wait, that the engine gave up for a time, or failed for want of KV."""
NAMES: Final = {
    "wall_scheduler": Text(zh="调度墙", en="scheduler wall"),
    "wall_memory": Text(zh="显存墙", en="memory wall"),
}


class _Above(NamedTuple):
    """A level above a wall, and where its signs stand that are known; ``seen`` whether any is there."""

    level: Level
    known: tuple[Address, ...]
    seen: bool


@check(
    theme=SATURATION,
    title=Text(zh="算出的墙与所见相符", en="Computed walls match what was seen"),
    question=Text(
        zh="并发超过算出的显存墙或调度墙的档位，有排队、抢占或因 KV 放不下而失败的迹象吗？",
        en="Do levels above the computed memory or scheduler wall show requests that waited, were preempted, or failed for want of KV?",
    ),
    stage="conclusions",
    rule=Text(
        zh="看闭环档位：并发比调度墙、或者在途请求按平均上下文算比 KV 池，高出 {margin} 以上，采样与日志里却没有一条请求排队、被抢占或因 KV 放不下而失败，就警告：墙算错了。失败的请求不限于可用的档位：超过墙的档位往往整档失败。",
        en="For levels of a closed loop: a warning where the concurrency is {margin} or more above the scheduler wall, or the requests in flight at their mean context exceed the KV pool by as much, and yet samples and log show no request that waited, was preempted, or failed for want of KV: the wall is wrong. Excluded levels count: above a wall all requests of one may fail.",
    ).format(margin=f"{MARGIN - 1:.0%}"),
)
def wall_reached_unseen(analysis: Analysis) -> Sequence[Finding]:
    """Examine each wall of each series that is known."""
    found = [
        _examine(analysis, series, wall)
        for series in analysis.round.series
        for wall in SIGNS
        if analysis.frame.of_series(wall, series.id).value is not None
    ]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series, wall: str) -> Finding:
    levels = [level for level in climbed(analysis, series) if _is_above(analysis, series, level, wall)]
    above = [_signs(analysis, series, level, wall) for level in levels]
    told = [one for one in above if one.known]
    unseen = [one for one in told if not one.seen]
    if not above:
        return _finding(series, wall, "pass", BELOW, ())
    if not told:
        return _finding(series, wall, "unknown", UNTOLD, above, remedy=SAMPLE)
    if unseen:
        return _finding(series, wall, "warn", UNSEEN, unseen, remedy=REMEDY)
    return _finding(series, wall, "pass", SEEN, told)


def _is_above(analysis: Analysis, series: Series, level: Level, wall: str) -> bool:
    """Say whether a level lies above a wall; above that of memory, with requests at their mean context."""
    at = analysis.frame.of_series(wall, series.id).value or 0.0
    if wall == "wall_scheduler":
        return level.load >= MARGIN * at
    full, mean = (number_at(analysis, at_level(key, series, level)) for key in ("request_tokens", "mean_context"))
    return full is not None and mean is not None and level.load * mean >= MARGIN * at * full


def _signs(analysis: Analysis, series: Series, level: Level, wall: str) -> _Above:
    values = analysis.frame.known(at_level(key, series, level) for key in SIGNS[wall])
    return _Above(level, tuple(value.address for value in values), any((value.value or 0.0) > 0 for value in values))


def _finding(
    series: Series,
    wall: str,
    status: Status,
    text: Text,
    above: Sequence[_Above],
    *,
    remedy: Sentence | None = None,
) -> Finding:
    parts: dict[str, Part] = {"s": SeriesName(series.id), "w": NAMES[wall], "c": series_value(wall, series.id)}
    if above:
        parts["l"] = level_names(series, (one.level for one in above))
    evidence = (Address(wall, "series", series.id), *(address for one in above for address in one.known))
    levels = tuple(one.level.id for one in above)
    message = Sentence(text, parts)
    return Finding("wall_reached_unseen", status, message, series.id, levels, evidence=evidence, remedy=remedy)


BELOW: Final = Text(
    zh="{s} 没有档位高过算出的{w} C = {c}。", en="No level of {s} lies above its {w}, computed as C = {c}."
)
SEEN: Final = Text(
    zh="{s} 的{w}算出是 C = {c}；高过它的 {l} 确实有请求排队、被抢占或因 KV 放不下而失败。",
    en="The {w} of {s} is computed as C = {c}, and at {l}, above it, requests did wait, were preempted, or failed for want of KV.",
)
UNSEEN: Final = Text(
    zh="{s} 的{w}算出是 C = {c}，高过它的 {l} 却没有一条请求排队、被抢占或因 KV 放不下而失败：墙算错了。",
    en="The {w} of {s} is computed as C = {c}, yet at {l}, above it, no request waited, was preempted, or failed for want of KV: the wall is wrong.",
)
UNTOLD: Final = Text(
    zh="{s} 的 {l} 高过算出的{w} C = {c}；有没有请求排队，没有采样也没有日志可看。",
    en="{l} of {s} lie above its {w}, computed as C = {c}; whether requests waited there neither samples nor a log tell.",
)
REMEDY: Final = say(
    zh="核对 KV 池、槽位数与请求长度；共用前缀、滑动窗口或更低的 KV 精度都让池装下更多。",
    en="Check KV pool, slots and lengths of the requests; shared prefixes, sliding windows and a lower KV precision all let the "
    "pool hold more.",
)
SAMPLE: Final = say(
    zh="用 rounds collect 测量，运行期间就会采样引擎；或把 server.log 放在每次运行旁边。",
    en="Measure with rounds collect, which samples the engine meanwhile, or put server.log beside each run.",
)


def _nothing() -> Finding:
    message = say(
        zh="没有哪个系列的显存墙或调度墙算得出来。", en="Of no series can a memory or a scheduler wall be computed."
    )
    return Finding("wall_reached_unseen", "pass", message, is_empty=True)
