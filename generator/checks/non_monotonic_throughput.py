"""Does throughput fall at a level and recover above it? Then that level is spoilt: a plateau does not recover."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from generator.across.levels import amount, at_level, is_small_run, known_at, level_names, workloads
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.numeric.dips import TOLERANCE, dips
from generator.text import Text, same
from generator.themes import THROUGHPUT
from generator.told.findings import Finding, Status
from generator.told.quoting import level_value
from generator.told.sentence import Count, LevelName, Listing, Quantity, Sentence, SeriesName, say
from generator.values import Address

FEWEST: Final = 3
"""Levels that it takes for one to fall and a later one to recover."""
SLACK: Final = same(f"{TOLERANCE:.0%}")
"""The fall from which on a dip counts, as it is printed."""
DIP: Final = Text(
    zh="{series} 在 {level} 只有 {here}，低于 {before} 的 {low}（跌幅超过 {slack} 即算），而 {after} 又升到 {high}：{verdict}。",
    en="{series} delivers {here} at {level}, less than {low} at {before} (a fall of more than {slack} counts), while {after} reaches {high}: "
    "{verdict}.",
)
SPIKE: Final = Text(
    zh="{series} 在 {level} 冲到 {here}，而 {before} 是 {low}，{after} 又落到 {high}：{verdict}。",
    en="{series} leaps to {here} at {level}, between {low} at {before} and {high} at {after}: {verdict}.",
)
LEFT_OUT: Final = Text(zh="这一档已排除", en="this level is excluded")
FALLS_BEHIND: Final = Text(
    zh="其后吞吐跌落（跌幅超过 {slack} 即算），所以这一档已排除",
    en="throughput falls behind it (a fall of more than {slack} counts), so this level is excluded",
)
PERHAPS: Final = Text(
    zh="原因可能只是{causes}，所以这一档没有排除", en="perhaps only because {causes}, so it is not excluded"
)
AGAIN: Final = Text(
    zh="{n} 次测量都是如此，引擎在这里就是这样，所以这一档没有排除",
    en="all {n} runs of it show this, so it is how the engine behaves here, and it is not excluded",
)
SCATTER: Final = Text(
    zh="这一档的各次测量与 {before} 的有重叠，可能只是波动，所以没有排除",
    en="its runs overlap those at {before}, so this may be scatter, and it is not excluded",
)
REPEATED: Final = 3
"""Runs of a level from which on they tell what happens again from what happened once."""
FEW_ANSWERS: Final = Text(zh="这一档只有 {n} 条回答", en="it rests on {n} {n:answer|answers}")
FAILURES: Final = Text(zh="{of} 条请求里有 {n} 条失败", en="{n} of its {of} {of:request|requests} failed")
MANY_FAILED: Final = 0.01
"""Share of failed requests from which on they may explain a low throughput."""

WORSE: Final = Text(zh="留着这一档会让 {series} 显得更差。", en="Kept in, the level would make {series} look worse.")
BETTER: Final = Text(zh="留着这一档会让 {series} 显得更好。", en="Kept in, the level would make {series} look better.")

Point = tuple[Level, float]
Curve = list[Point]
Neighbours = tuple[Point, Point, Point]


@check(
    theme=THROUGHPUT,
    title=Text(zh="吞吐有无塌陷", en="Dips in throughput"),
    question=Text(
        zh="有没有哪一档的吞吐先跌，更高的档位又恢复？",
        en="Does throughput dip at a level and then recover at a higher one?",
    ),
    rule=Text(
        zh="某一档的吞吐比更低的档位低 {slack} 以上，更高的档位又恢复，就不通过，这一档排除；回答太少或失败达到 {failed} 时只警告。测过 {repeated} 次以上的不排除：各次都如此，就是引擎的表现，只提示；各次与相邻档位有重叠，只警告。过了峰值而更高的档位都没有超过它的，也只警告：与峰值相差不到 {slack} 即视为已恢复。至少要有 {fewest} 种负载。",
        en="A failure where a level delivers more than {slack} less than a lower one and a higher one recovers: it is excluded. Only a warning where it rests on few answers or {failed} of its requests failed. A level that was run {repeated} times or more is never excluded: where all runs agree it is how the engine behaves, and noted; where they overlap those of its neighbour, a warning. A warning, too, where throughput falls and never passes its peak again; within {slack} of the peak it counts as back. It takes {fewest} loads or more.",
    ).format(slack=SLACK.en, failed=f"{MANY_FAILED:.0%}", fewest=FEWEST, repeated=REPEATED),
    spoils=True,
)
def non_monotonic_throughput(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [finding for series in analysis.round.series for finding in _examine(analysis, series)]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    curves = _curves(analysis, series)
    examined = [finding for curve in curves if _is_long_enough(curve) for finding in _conclude(analysis, series, curve)]
    idle = bool(curves) and not any(amount for curve in curves for _, amount in curve)
    return examined or [_delivers_nothing(series) if idle else _too_few(series)]


def _conclude(analysis: Analysis, series: Series, curve: Curve) -> list[Finding]:
    gone = set(dipped(curve))
    falls = [level for level in _tail_falls(curve) if level not in gone]
    back = _back_at(curve)
    lasting = [level for level in falls if back is None or level.load >= back.load]
    passing = [level for level in falls if level not in lasting]
    findings = [_dip(analysis, neighbours, series) for neighbours in _neighbours(curve, gone)]
    findings += [_passing(series, curve, passing, back)] if passing and back is not None else []
    findings += [_decline(series, _peak(curve), lasting)] if lasting else []
    return findings or [_rises(series, curve)]


def _neighbours(curve: Curve, gone: set[Level]) -> Iterator[Neighbours]:
    """Yield each level that goes between its neighbours among those that stay: the first and the last always do."""
    stay = [row for row, (level, _) in enumerate(curve) if level not in gone]
    for row, point in enumerate(curve):
        if point[0] in gone:
            after = bisect(stay, row)
            yield curve[stay[after - 1]], point, curve[stay[after]]


def _curves(analysis: Analysis, series: Series) -> list[Curve]:
    """Return one curve for each kind of load and pair of lengths, levels of one load by rising throughput.

    A sweep over lengths is no curve over the load, and rates do not continue concurrencies. Rates under a limit
    make a curve of their own over the rate.
    """
    by_kind: dict[tuple[bool, bool], list[Level]] = {}
    for level in series.levels:
        by_kind.setdefault((level.rate is None, level.concurrency is None), []).append(level)
    groups = [group for levels in by_kind.values() for group in workloads(analysis, series, levels)]
    curves = [known_at(analysis, "output_throughput", series, group) for group in groups]
    points = [[(level, delivered) for delivered, level in curve] for curve in curves if curve]
    return [sorted(curve, key=lambda point: (point[0].load, point[1])) for curve in points]


def _causes(analysis: Analysis, series: Series, level: Level) -> list[Sentence]:
    """Say what but the engine may have made a level stand out: few answers in a single run, or failed requests."""
    causes = []
    if is_small_run(analysis, (series, level)):
        causes.append(Sentence(FEW_ANSWERS, {"n": level_value("completed", series.id, level.id)}))
    if (amount(analysis, "failure_ratio", (series, level)) or 0.0) >= MANY_FAILED:
        failed, sent = (level_value(key, series.id, level.id) for key in ("failed", "requests"))
        causes.append(Sentence(FAILURES, {"n": failed, "of": sent}))
    return causes


def _is_long_enough(curve: Curve) -> bool:
    return len({level.load for level, _ in curve}) >= FEWEST and any(amount for _, amount in curve)


def dipped(curve: Curve) -> list[Level]:
    """Return the levels that must go for the curve to rise, each of which a higher level recovers from."""
    rows = dips(np.array([level.load for level, _ in curve]), np.array([amount for _, amount in curve]))
    return [curve[row][0] for row in rows]


def _peak(curve: Curve) -> Level:
    return max(curve, key=lambda point: point[1])[0]


def _tail_falls(curve: Curve) -> list[Level]:
    peak = max(range(len(curve)), key=lambda row: curve[row][1])
    return [level for level, amount in curve[peak + 1 :] if amount < curve[peak][1] * (1 - TOLERANCE)]


def _back_at(curve: Curve) -> Level | None:
    """Return the last level behind the peak that is as high as it, within what two runs of one level differ by."""
    peak = max(range(len(curve)), key=lambda row: curve[row][1])
    as_high = [level for level, amount in curve[peak + 1 :] if amount >= curve[peak][1] * (1 - TOLERANCE)]
    return as_high[-1] if as_high else None


def _throughput(series: Series, level: Level) -> Address:
    return at_level("output_throughput", series, level)


def _dip(analysis: Analysis, neighbours: Neighbours, series: Series) -> Finding:
    """Spoil a level that stands out, unless few answers or failures may have made it do so."""
    (before, low), (level, here), (after, _) = neighbours
    is_low = here < low * (1 - TOLERANCE)
    causes = _causes(analysis, series, level)
    again = _again(analysis, neighbours, series)
    status: Status = again[0] if again else "warn" if causes else "fail"
    left_out = LEFT_OUT if is_low else Sentence(FALLS_BEHIND, {"slack": SLACK})
    verdict = again[1] if again else Sentence(PERHAPS, {"causes": Listing(tuple(causes))}) if causes else left_out
    return Finding(
        check="non_monotonic_throughput",
        status=status,
        series=series.id,
        levels=(level.id,),
        spoils=(level.id,) if status == "fail" else (),
        evidence=tuple(_throughput(series, one) for one in (before, level, after)),
        message=Sentence(
            DIP if is_low else SPIKE,
            {
                "verdict": verdict,
                "series": SeriesName(series.id),
                "level": LevelName(series.id, level.id),
                "before": LevelName(series.id, before.id),
                "after": LevelName(series.id, after.id),
                "here": Quantity(_throughput(series, level)),
                "low": Quantity(_throughput(series, before)),
                "high": Quantity(_throughput(series, after)),
                **({"slack": SLACK} if is_low else {}),
            },
        ),
        bias=None if status == "note" else Sentence(WORSE if is_low else BETTER, {"series": SeriesName(series.id)}),
        looks=None if status == "note" else "worse" if is_low else "better",
        remedy=_remedy(series, level, is_known=status == "note"),
    )


def _remedy(series: Series, level: Level, *, is_known: bool) -> Sentence:
    name = LevelName(series.id, level.id)
    if is_known:
        return say(
            zh="想知道 {level} 为什么这样，就逐项改变引擎参数再测。",
            en="To learn why {level} is so, measure it again with one engine setting changed at a time.",
            level=name,
        )
    return say(
        zh="把 {level} 与相邻两档在同一次启动里各重跑几遍；若能重现，再逐项改变引擎参数查原因。",
        en="Run {level} and both neighbours again, several times within one start of the engine; if it happens "
        "again, vary one engine setting at a time.",
        level=name,
    )


def _again(analysis: Analysis, neighbours: Neighbours, series: Series) -> tuple[Status, Sentence] | None:
    """Say of a level that was run several times whether all runs show what the median shows; None for too few runs."""
    (before, _), (level, here), _ = neighbours
    ranges = [_range(analysis, series, one) for one in (before, level)]
    (low, high), (least, most) = ranges[0], ranges[1]
    count = analysis.frame.values[_throughput(series, level)].n or 1
    if count < REPEATED:
        return None
    apart = most < low if here < low else least > high
    if apart:
        return "note", Sentence(AGAIN, {"n": Count(count)})
    return "warn", Sentence(SCATTER, {"before": LevelName(series.id, before.id)})


def _range(analysis: Analysis, series: Series, level: Level) -> tuple[float, float]:
    """Return the least and the most throughput of the runs of a level."""
    value = analysis.frame.values[_throughput(series, level)]
    numbers = [one for one in (value.low, value.value, value.high) if one is not None]
    return min(numbers), max(numbers)


def _passing(series: Series, curve: Curve, falls: list[Level], back: Level) -> Finding:
    """Warn of levels behind the peak that a later one makes good without passing it: a plateau with a dent."""
    peak, amounts = _peak(curve), dict(curve)
    lowest = min(falls, key=amounts.__getitem__)
    return Finding(
        check="non_monotonic_throughput",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in falls),
        evidence=tuple(_throughput(series, level) for level in (peak, *falls, back)),
        message=say(
            zh="{series} 的吞吐在 {level} 跌到 {low}，到 {back} 又回到 {high}，没有超过 {peak} 的峰值 {top}：曲线大体是平的，"
            "这一档可能只是波动，没有排除。",
            en="The throughput of {series} dips to {low} at {level} and is back to {high} at {back}, no higher than the peak of "
            "{top} at {peak}: the curve is flat by and large, the dip may be scatter, and the level is not excluded.",
            series=SeriesName(series.id),
            level=LevelName(series.id, lowest.id),
            low=Quantity(_throughput(series, lowest)),
            back=LevelName(series.id, back.id),
            high=Quantity(_throughput(series, back)),
            peak=LevelName(series.id, peak.id),
            top=Quantity(_throughput(series, peak)),
        ),
        bias=Sentence(WORSE, {"series": SeriesName(series.id)}),
        looks="worse",
        remedy=say(
            zh="把 {levels} 与相邻的档位在同一次启动里各重跑几遍，看它是否重现。",
            en="Run {levels} and the levels beside it again, several times within one start of the engine, and see whether it "
            "happens again.",
            levels=level_names(series, falls),
        ),
    )


def _decline(series: Series, peak: Level, falls: list[Level]) -> Finding:
    levels = level_names(series, falls)
    return Finding(
        check="non_monotonic_throughput",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in falls),
        evidence=tuple(_throughput(series, level) for level in (peak, *falls)),
        message=say(
            zh="{series} 的吞吐在 {peak} 达到峰值 {top}，到 {levels} 回落，之后没有恢复：可能已过饱和点，也可能测量出了问题。",
            en="The throughput of {series} peaks at {peak} with {top}, is lower at {levels} and does not recover: past "
            "saturation, or a fault in the measurement.",
            series=SeriesName(series.id),
            peak=LevelName(series.id, peak.id),
            top=Quantity(_throughput(series, peak)),
            levels=levels,
        ),
        remedy=say(
            zh="查看 {levels} 的抢占与排队计数；再加测一个更高的负载。",
            en="Look at preemptions and queueing at {levels}, and add a level of higher load.",
            levels=levels,
        ),
    )


def _rises(series: Series, curve: Curve) -> Finding:
    return Finding(
        check="non_monotonic_throughput",
        status="pass",
        series=series.id,
        levels=tuple(level.id for level, _ in curve),
        evidence=tuple(_throughput(series, level) for level, _ in curve),
        message=say(
            zh="{series} 没有哪一档的吞吐明显低于更低的档位。",
            en="No level of {series} delivers noticeably less than a lower one.",
            series=SeriesName(series.id),
        ),
    )


def _too_few(series: Series) -> Finding:
    return Finding(
        check="non_monotonic_throughput",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 在同样的输入输出长度下不足 {fewest} 个档位有吞吐数据，看不出有没有塌陷。",
            en="{series} has a throughput at fewer than {fewest} levels of the same lengths, too few to see a dip.",
            series=SeriesName(series.id),
            fewest=Count(FEWEST),
        ),
        remedy=say(
            zh="同样的长度至少测 {fewest} 个负载档位。",
            en="Measure {fewest} loads or more with the same lengths.",
            fewest=Count(FEWEST),
        ),
    )


def _delivers_nothing(series: Series) -> Finding:
    return Finding(
        check="non_monotonic_throughput",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 在有记录的档位上什么也没有产出，没有曲线可查。",
            en="{series} delivers nothing at any level on record, so there is no curve to examine.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="查看引擎日志里请求为什么失败，再重跑。",
            en="See in the engine's log why its requests failed, then run again.",
        ),
    )
