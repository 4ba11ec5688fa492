"""Did all answers under way stand still together? Each such time is a gap in every one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import amount, at_level, at_levels, highest, level_names, seen_at, worst_level
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.numeric.common_stalls import GAPS, SECONDS
from generator.text import Text
from generator.themes import DECODING
from generator.told.findings import Finding
from generator.told.quoting import MOST_OF_ALL, level_value
from generator.told.sentence import LevelName, Sentence, SeriesName, say

SHARE: Final = 0.05
"""Share of the time with two answers under way from which stalls are told of."""
EXPLAINED: Final = 0.5
"""Share of the stalls that have to go with the first token of another request, so that prefill explains them."""
OWN: Final = 0.5
"""Share of the longest stall that the client has to have been late once, so that it may be the client's."""
ALL_STAMPED: Final = 1.0


@check(
    theme=DECODING,
    title=Text(zh="共同停顿", en="Simultaneous stalls"),
    question=Text(
        zh="进行中的回答是否一起停下来过，占多少时间？",
        en="Did all answers under way stand still together, and for how much of the time?",
    ),
    rule=Text(
        zh="共同停顿指至少两条回答在进行而没有一条收到 chunk，超过间隔中位数的 {gaps} 倍与 {ms} ms。它占至少两条回答在进行的时间超过 {share}："
        "一半以上伴随别的请求的首个 token，只提示；否则警告。客户端有过一次滞后达到最长停顿的一半，而时间戳不全由内核记录，也警告，并指向客户端。",
        en="A simultaneous stall is a time in which two answers or more are under way and none gets a chunk, longer than {gaps} median "
        "gaps and {ms} ms. Where such times take more than {share} of the time with two answers under way: a note if half of them go with the first "
        "token of another request, else a warning. Where the client was late once by half of the longest stall and not all stamps are the "
        "kernel's, a warning that points at the client.",
    ).format(gaps=GAPS, ms=f"{SECONDS * 1000:.0f}", share=f"{SHARE:.0%}"),
)
def common_stalls(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose chunks are on record."""
    known = {
        series: found for series in analysis.round.series if (found := seen_at(analysis, "common_stall_share", series))
    }
    return [_examine(analysis, series, found) for series, found in known.items()] or [_nothing()]


def _examine(analysis: Analysis, series: Series, known: list[tuple[float, Level]]) -> Finding:
    stalled = [(share, level) for share, level in known if share > SHARE]
    return _stalled(analysis, series, stalled) if stalled else _flowing(series, known)


def _stalled(analysis: Analysis, series: Series, stalled: list[tuple[float, Level]]) -> Finding:
    levels, worst = [level for _, level in stalled], highest(stalled)
    is_own = _is_own(analysis, series, worst)
    is_prefill = not is_own and _goes_with_prefill(analysis, series, worst)
    told = say(
        zh="{n} 次，共 {time}，占 {share}，最长 {longest}",
        en="{n} {n:time|times}, for {time} in all or {share} of the time, at most {longest} at a time",
        n=level_value("common_stalls", series.id, worst.id),
        time=level_value("common_stall_time", series.id, worst.id),
        share=level_value("common_stall_share", series.id, worst.id),
        longest=level_value("longest_common_stall", series.id, worst.id),
    )
    keys = ("common_stalls", "common_stall_time", "common_decode_time", "common_stall_share", "longest_common_stall")
    return Finding(
        check="common_stalls",
        status="note" if is_prefill else "warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, *keys),
        doubts=() if is_prefill else at_levels(series, levels, "itl_p99", "tpot_mean", "output_throughput"),
        message=say(
            zh="{series} 在 {levels} 时，所有进行中的回答一起停过：{worst}。{why}",
            en="All running answers of {series} stalled at once at {levels}: {worst}. {why}",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=worst_level(told, MOST_OF_ALL, series, worst, levels),
            why=CLIENT if is_own else _beside_prefill(series, worst) if is_prefill else UNEXPLAINED,
        ),
        bias=say(
            zh="间隔的均值与尾部、吞吐都含着停顿，{series} 因此显得更差。",
            en="Mean and tail of the gaps and the throughput hold these stalls, which makes {series} look worse.",
            series=SeriesName(series.id),
        )
        if not is_prefill
        else None,
        looks=None if is_prefill else "worse",
        remedy=REMEDY_PREFILL if is_prefill else REMEDY_CLIENT if is_own else REMEDY,
    )


def _is_own(analysis: Analysis, series: Series, level: Level) -> bool:
    """Say whether the client may have made the longest stall: it was late, and took times itself."""
    place = (series, level)
    late, longest = (amount(analysis, key, place) for key in ("client_loop_lag_most", "longest_common_stall"))
    stamped = amount(analysis, "client_kernel_stamps", place)
    return late is not None and longest is not None and late >= OWN * longest and stamped != ALL_STAMPED


def _goes_with_prefill(analysis: Analysis, series: Series, level: Level) -> bool:
    place = (series, level)
    count, explained = (amount(analysis, key, place) for key in ("common_stalls", "common_stalls_with_first_token"))
    return bool(count and explained is not None and explained >= EXPLAINED * count)


def _beside_prefill(series: Series, worst: Level) -> Sentence:
    return say(
        zh="在 {l}，其中 {n} 次伴随别的请求的首个 token：它的 prefill 占住了引擎。",
        en="At {l}, {n} of them go with the first token of another request, whose prefill held the engine.",
        l=LevelName(series.id, worst.id),
        n=level_value("common_stalls_with_first_token", series.id, worst.id),
    )


UNEXPLAINED: Final = say(
    zh="多数并不伴随别的请求的首个 token。", en="Most of them do not go with a first token of another request."
)
CLIENT: Final = say(
    zh="客户端自己有过一次差不多长的滞后，时间戳又不全由内核记录，停顿可能是它造成的。",
    en="The client was late itself by about as much, and not all stamps are the kernel's: it may have made them.",
)
REMEDY: Final = say(
    zh="看时间线里停顿的时刻服务端在做什么（抢占、换页、垃圾回收、同机的别的负载），排除之后重测。",
    en="See in the timeline what the server did then: preemption, swapping, garbage collection, other load on the machine. Run again "
    "without it.",
)
REMEDY_CLIENT: Final = say(
    zh="给客户端留出空闲的核，或加客户端进程，再测一次。",
    en="Leave the client a core of its own, or give it more processes, and run again.",
)
REMEDY_PREFILL: Final = say(
    zh="想让解码不停，就把 prefill 切小：vLLM 用 --max-num-batched-tokens，llama.cpp 用 --ubatch-size 与 --batch-size。",
    en="To keep decoding going, cut prefills smaller: --max-num-batched-tokens of vLLM, --batch-size and --ubatch-size of llama.cpp.",
)


def _flowing(series: Series, known: list[tuple[float, Level]]) -> Finding:
    worst = highest(known)
    return Finding(
        check="common_stalls",
        status="pass",
        series=series.id,
        levels=tuple(level.id for _, level in known),
        evidence=tuple(at_level("common_stall_share", series, level) for _, level in known),
        message=say(
            zh="{series} 的回答很少一起停下：最多占 {share}（{level}）。",
            en="Answers of {series} hardly stalled at once: {share} of the time at most, at {level}.",
            series=SeriesName(series.id),
            share=level_value("common_stall_share", series.id, worst.id),
            level=LevelName(series.id, worst.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有哪一档记录了两条以上同时进行的回答的 chunk，看不出共同停顿。",
        en="No level has the chunks of two answers under way at once on record, so simultaneous stalls cannot be seen.",
    )
    return Finding("common_stalls", "pass", message, is_empty=True)
