"""The timeline of requests: stalls common to all, what they coincide with, and waves."""

from __future__ import annotations

from typing import Final

from generator.across.levels import known_addresses
from generator.across.timelines import TimedRun, most_telling, stalled, timed_runs, waves_of
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.runs.stall_causes import CAUSES, causes_of
from generator.text import Text
from generator.told.blocks import Block, FigureBlock, Paragraph
from generator.told.quoting import filled, passage
from generator.told.sentence import Count, LevelName, Listing, Part, Quantity, Sentence, SeriesName, say

LATE: Final = 0.5
"""Share of the longest stall from which a lag of the client is worth a sentence."""

SEVERAL: Final = 3
"""Waves from which on one can be said to follow from another."""


@section(checks=("common_stalls", "silent_gaps"))
def timeline(analysis: Analysis) -> Chapter | None:
    """Show the requests of one run on its clock, and say of each series when its answers stood still together."""
    found = [(series, timed_runs(analysis, series)) for series in analysis.round.series]
    timed = [(series, of_series) for series, of_series in found if of_series]
    if not timed and analysis.round.prose_of("timeline", "en") is None:
        return None
    blocks: list[Block] = [FigureBlock("timeline")] if timed else []
    drawn = most_telling([run for _, of_series in timed for run in of_series])
    blocks += [Paragraph(_told(analysis, series, of_series, drawn)) for series, of_series in timed]
    if timed:
        blocks.append(Paragraph(LIMITS, "note"))
    return Chapter(say(zh="时间线：停顿与批次", en="Timeline: stalls and waves"), tuple(blocks))


def _told(analysis: Analysis, series: Series, found: list[TimedRun], drawn: TimedRun | None) -> Sentence:
    """Speak of the run that stood still longest, and of the waves of the same run."""
    worst = max(found, key=stalled)
    if not stalled(worst):
        last = found[-1]
        return passage(Sentence(_why_none(analysis, found), {"s": SeriesName(series.id)}), *_waves(last, WAVES_OF))
    said = Sentence(
        STALLED,
        {
            "run": _name(worst),
            "n": Quantity(worst.at("common_stalls")),
            "time": Quantity(worst.at("common_stall_time")),
            "share": Quantity(worst.at("common_stall_share")),
            "longest": Quantity(worst.at("longest_common_stall")),
            "since": Quantity(worst.at("longest_common_stall_start")),
        },
    )
    return passage(said, _coincide(worst), *_client(analysis, worst), *_waves(worst, WAVES, is_drawn=worst is drawn))


def _why_none(analysis: Analysis, found: list[TimedRun]) -> Text:
    """Return that there was no stall, or that none could be seen."""
    return NEVER if known_addresses(analysis, [run.at("common_stalls") for run in found]) else UNSEEN


def _name(run: TimedRun) -> Sentence:
    parts: dict[str, Part] = {"s": SeriesName(run.series.id), "l": LevelName(run.series.id, run.level)}
    if run.trial is None:
        return say(zh="{s} 在 {l}", en="{s} at {l}", **parts)
    return say(zh="{s} 在 {l}（第 {t} 次测量）", en="{s} at {l} (trial {t})", t=Count(run.trial), **parts)


def _coincide(run: TimedRun) -> Sentence:
    told = tuple(
        say(zh="{what}（{n} 次）", en="{what} ({n} {n:time|times})", what=CAUSES[cause], n=Count(count))
        for cause, count in causes_of(run.requests).items()
    )
    return say(zh="与它们同时的是：{told}。", en="Coinciding with: {told}.", told=Listing(told))


def _client(analysis: Analysis, run: TimedRun) -> list[Sentence]:
    """Say whether the client may have made the stalls, where it says how late it was."""
    lag, longest, stamped = (
        run.at(key) for key in ("client_loop_lag_most", "longest_common_stall", "client_kernel_stamps")
    )
    known = {value.address: value.value for value in analysis.frame.known((lag, longest, stamped))}
    late, stall = known.get(lag), known.get(longest)
    if late is None or stall is None:
        return []
    text = NOT_CLIENT if late < LATE * stall or known.get(stamped) == 1 else CLIENT
    return [Sentence(text, {"lag": Quantity(lag)})]


def _waves(run: TimedRun, text: Text, *, is_drawn: bool = False) -> list[Sentence]:
    count = len(waves_of(run.requests))
    parts: dict[str, Part] = {"run": _name(run), "n": Count(count)}
    told = [filled(text, parts), *([MARKED] if is_drawn else [])] if count else []
    return [*told, IN_TURN] if count >= SEVERAL else told


STALLED: Final = Text(
    zh="{run}：所有进行中的回答一起停了 {n} 次，共 {time}，占至少两条回答在进行的时间的 {share}；最长 {longest}，从第 {since} 起。",
    en="{run}: all running answers stalled at once {n} {n:time|times}, for {time} in total or {share} of the time with two or more of "
    "them; the longest stall, at {since}, lasted {longest}.",
)
NEVER: Final = Text(
    zh="{s} 的可用档位里，进行中的回答从没有一起停过。",
    en="At the usable levels of {s} the running answers never stalled at once.",
)
UNSEEN: Final = Text(
    zh="{s} 看不出共同停顿：没有 chunk 的时刻，或没有两条回答同时进行。",
    en="Simultaneous stalls cannot be detected for {s}: the times of chunks are not on record, or no two answers ran at once.",
)
CLIENT: Final = Text(
    zh="客户端自己最多滞后 {lag}，停顿可能是它造成的。",
    en="The client's own delay was up to {lag}, so it may have caused them.",
)
NOT_CLIENT: Final = Text(
    zh="客户端最多滞后 {lag}，停顿不是它造成的。",
    en="The client's own delay was at most {lag}, so it did not cause the stalls.",
)
WAVES: Final = Text(
    zh="这次运行里有 {n} 次，进行中的回答至少一半同时结束。",
    en="At least half of the running answers ended together {n} {n:time|times} in this run.",
)
MARKED: Final = say(zh="图中标为“一批回答同时结束”。", en="The figure marks them.")
WAVES_OF: Final = Text(
    zh="{run}：有 {n} 次，进行中的回答至少一半同时结束。",
    en="{run}: at least half of the running answers ended together {n} {n:time|times}.",
)
IN_TURN: Final = say(
    zh="槽位成批空出，新的请求也就成批进来。",
    en="Slots come free in waves, and so new requests come in waves.",
)
LIMITS: Final = say(
    zh="同时发生不等于因果：这里只说停顿时还有什么在进行。",
    en="Coincidence is not cause: this only says what else was going on during the stalls.",
)
