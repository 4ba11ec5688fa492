"""The runbook: how far to load each series, where to switch between them, and when to roll back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.across.excluded import ANOMALY
from generator.across.levels import amount, level_names
from generator.deciding.bounds import margin_of
from generator.deciding.capacity import (
    Capacity,
    Ends,
    Switch,
    capacity,
    even_levels,
    is_settled,
    leader_throughout,
    switches,
    without_failures,
)
from generator.deciding.leads import Pair, pairs_of
from generator.deciding.rules import FAILURES
from generator.frame import Analysis
from generator.model import Level, Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Paragraph, Steps
from generator.told.quoting import crossing, filled, level_value, passage
from generator.told.sentence import LevelName, Part, Sentence, SeriesName, say


@section(checks=("failed_requests", "kv_pressure"))
def guide_runbook(analysis: Analysis) -> Chapter | None:
    """Tell capacity, switching points and conditions of a rollback; nothing where no level is usable."""
    found = [capacity(analysis, series) for series in analysis.round.series if analysis.usable(series.id)]
    if not found:
        return None
    blocks: list[Block] = [
        Paragraph(passage(INTRO, *_reserves(analysis))),
        Steps(CAPACITY, tuple(_capacity(analysis, one) for one in found)),
    ]
    moves = tuple(step for pair in pairs_of(analysis) for step in _switching(analysis, pair, found))
    if moves:
        blocks.append(Steps(SWITCHING, moves))
    backs = tuple(step for one in found for step in _rollback(analysis, one))
    if backs:
        blocks.append(Steps(ROLLBACK, (*backs, _by_default(analysis))))
    blocks.append(Steps(AGAIN, (REMEASURE,)))
    return Chapter(say(zh="运行手册", en="Runbook"), tuple(blocks))


INTRO: Final = say(
    zh="由这一轮的数生成，只在同样的模型、精度、参数、硬件与请求长度下成立；可信程度见上文。档位之间没有测过，所以门槛都取测过的档位。",
    en="Generated from the numbers of this round, for the same model, precision, flags, hardware and lengths; how sure they are is told above. "
    "Nothing was measured between levels, so every threshold is a measured level.",
)
RESERVES: Final = {
    "reporting_demands": say(
        zh="这一轮只供定性参考：把门槛当作起点，上线前在自己的流量上核对。",
        en="This round is qualitative only: take the thresholds as a starting point, and verify them on your own traffic before use.",
    ),
    "same_precision": say(
        zh="各系列的精度不同：切换后回答会不同，先确认两边的质量都够用。",
        en="The series do not have the same precision: switching changes the answers, so make sure that both are good enough.",
    ),
}
"""What has to be said before anything else where a check warns."""


def _reserves(analysis: Analysis) -> list[Sentence]:
    return [told for check, told in RESERVES.items() if analysis.warnings_of(check)]


CAPACITY: Final = say(zh="容量", en="Capacity")
SWITCHING: Final = say(zh="主用、备用与切换", en="Primary, backup and switching")
ROLLBACK: Final = say(zh="何时回滚", en="When to roll back")
AGAIN: Final = say(zh="何时重测", en="When to measure again")
REMEASURE: Final = say(
    zh="换了模型、精度、引擎版本、启动参数、显卡或驱动，或者真实流量的长度与这一轮差得多了，就重测，再用 rounds diff 与这一轮相比。",
    en="After a change of model, precision, engine version, flags, GPU or driver, or where real requests have become much longer or shorter than those of this "
    "round: measure again, and compare the two with rounds diff.",
)


# Capacity


def _capacity(analysis: Analysis, found: Capacity) -> Sentence:
    parts: dict[str, Part] = {"s": SeriesName(found.series.id)}
    if found.level is None:
        return Sentence(NONE[found.ends], parts)
    parts["at"] = _at(analysis, found.series, found.level)
    if found.barrier is not None:
        parts |= {"barrier": LevelName(found.series.id, found.barrier.id), "anomaly": ANOMALY}
    unknown = without_failures(analysis, found)
    told = filled(UP_TO[found.ends], parts)
    return passage(told, Sentence(NO_FAILURES, {"levels": level_names(found.series, unknown)})) if unknown else told


def _at(analysis: Analysis, series: Series, level: Level) -> Sentence:
    """Name a level with its throughput, where that is known."""
    name = LevelName(series.id, level.id)
    if amount(analysis, "output_throughput", (series, level)) is None:
        return say(zh="{l}", en="{l}", l=name)
    return say(zh="{l}（{x}）", en="{l} ({x})", l=name, x=level_value("output_throughput", series.id, level.id))


NO_FAILURES: Final = Text(
    zh="{levels} 有多少请求失败，没有记录，所以没有据此限制。",
    en="How many requests fail at {levels} is not on record, so failures set no limit here.",
)


NONE: Final[dict[Ends, Text]] = {
    "targets": Text(
        zh="{s}：最低的档位就不达标，不要上线。",
        en="{s}: even its lowest level misses the targets: do not put it into service.",
    ),
    "failures": Text(
        zh="{s}：最低的档位就有太多请求失败，不要上线。",
        en="{s}: too many requests fail even at its lowest level: do not put it into service.",
    ),
    "knee": Text(zh="{s}：没有可用的档位。", en="{s}: no level is usable."),
    "excluded": Text(zh="{s}：没有可用的档位。", en="{s}: no level is usable."),
    "measured": Text(zh="{s}：没有可用的档位。", en="{s}: no level is usable."),
}
UP_TO: Final[dict[Ends, Text]] = {
    "targets": Text(
        zh="{s} 最多给到 {at}，再往上就不达标；多的请求排队、限流或扩容。",
        en="{s}: no more than {at}, as the next level misses the targets; queue, refuse or scale out what comes beyond.",
    ),
    "knee": Text(
        zh="{s} 最多给到 {at}，再往上吞吐几乎不增，只是等得更久；多的请求排队、限流或扩容。",
        en="{s}: no more than {at}, as beyond it requests wait longer for hardly more throughput; queue, refuse or scale out what comes beyond.",
    ),
    "failures": Text(
        zh="{s} 最多给到 {at}，再往上失败的请求太多；多的请求排队、限流或扩容。",
        en="{s}: no more than {at}, as too many requests fail at the next level; queue, refuse or scale out what comes beyond.",
    ),
    "excluded": Text(
        zh="{s} 最多给到 {at}：再往上的 {barrier} 已排除（见“{anomaly}”），更高的负载要先经过它；多的请求排队、限流或扩容，要给更多，先重测。",
        en="{s}: no more than {at}: {barrier} above it is excluded (see {anomaly}), and any higher load passes through it. Queue, refuse or scale out what "
        "comes beyond; to give it more, measure again first.",
    ),
    "measured": Text(
        zh="{s} 最多给到 {at}，那是测过的最高可用档位，未必是它的极限；要给更多，先测。",
        en="{s}: no more than {at}, the highest usable level measured, which need not be its limit: measure before giving it more.",
    ),
}  # fmt: skip


# Switching


def _switching(analysis: Analysis, pair: Pair, found: list[Capacity]) -> Iterator[Sentence]:
    moves = switches(analysis, pair)
    if not is_settled(analysis, pair):
        if moves or leader_throughout(analysis, pair) is not None:
            yield say(
                zh="{a} 与 {b} 谁领先，这些数还定不了：没有明确的领先者，主用与切换的门槛要先补测。",
                en="No clear lead: which of {a} and {b} leads is left open by these numbers, and so are the primary and the switching "
                "points. Measure more first.",
                a=SeriesName(pair[0].id),
                b=SeriesName(pair[1].id),
            )
            yield from _backup(pair, found)
        return
    yield from (_switch(pair, move) for move in moves)
    leader = leader_throughout(analysis, pair)
    if leader is not None:
        other = next(side for side in pair if side.id != leader)
        even = even_levels(analysis, pair)
        yield passage(
            Sentence(PRIMARY, {"a": SeriesName(leader), "b": SeriesName(other.id)}),
            *([Sentence(EITHER, {"even": level_names(pair[1], even)})] if even else []),
        )
    if moves or leader is not None:
        yield from _backup(pair, found)


PRIMARY: Final = Text(
    zh="{a} 与 {b} 之间，主用 {a}：在每个共同的可用档位上都产出更多；备用 {b}。",
    en="Of {a} and {b}, {a} is primary: it delivers more at every usable level that both have. {b} is the backup.",
)


def _switch(pair: Pair, move: Switch) -> Sentence:
    parts: dict[str, Part] = {
        "a": SeriesName(move.below),
        "b": SeriesName(move.above),
        "low": LevelName(pair[1].id, move.low.id),
        "high": LevelName(pair[1].id, move.high.id),
    }
    told = [filled(SWITCH, parts)]
    if move.even:
        told.append(Sentence(EITHER, {"even": level_names(pair[1], move.even)}))
    ends = {key: parts[key] for key in ("low", "high")}
    if move.crossover is None:
        return passage(*told, Sentence(BETWEEN, ends))
    return passage(*told, Sentence(BETWEEN_AT, {**ends, "c": crossing(move.crossover)}))


SWITCH: Final = Text(
    zh="在途请求不超过 {low} 时主用 {a}、备用 {b}；持续到 {high} 就切到 {b}，回落到 {low} 再切回。",
    en="Up to {low} in flight, {a} is primary and {b} the backup. Switch to {b} once {high} is sustained, and back once the load is down to {low}.",
)
EITHER: Final = Text(
    zh="在 {even}，两者差距太小，用哪一个都行。", en="At {even} the two are too close to choose: either will do."
)
BETWEEN: Final = Text(
    zh="{low} 与 {high} 之间维持现状，不切换：领先者在这里更替，选哪一个还定不下来，先补测。",
    en="Between {low} and {high}, keep what is running: the lead changes there, and nothing is concluded; measure first.",
)
BETWEEN_AT: Final = Text(
    zh="{low} 与 {high} 之间维持现状，不切换：吞吐的领先者在这里更替（曲线在 C ≈ {c} 相交），选哪一个还定不下来，先补测。",
    en="Between {low} and {high}, keep what is running: the lead in throughput changes there (the curves meet at C ≈ {c}), and nothing is concluded; measure first.",
)


def _backup(pair: Pair, found: list[Capacity]) -> Iterator[Sentence]:
    """Say how much each side takes over where the other fails."""
    for side in pair:
        own = next((one for one in found if one.series.id == side.id), None)
        if own is not None and own.level is not None:
            other = next(one for one in pair if one.id != side.id)
            yield say(
                zh="{b} 出故障时由 {a} 接手，最多到 {l}；超出的请求应直接拒绝，不要排队。",
                en="If {b} fails, {a} takes over up to {l}; refuse what comes beyond instead of queueing it.",
                a=SeriesName(side.id),
                b=SeriesName(other.id),
                l=LevelName(side.id, own.level.id),
            )


# Rollback


def _rollback(analysis: Analysis, found: Capacity) -> Iterator[Sentence]:
    """Say from which numbers on a change is to be taken back, at the level of the capacity."""
    level, series = found.level, found.series
    if level is None or amount(analysis, "output_throughput", (series, level)) is None:
        return
    tail = next((key for key in ("ttft_p95", "ttft_p99") if amount(analysis, key, (series, level)) is not None), None)
    parts: dict[str, Part] = {
        "s": SeriesName(series.id),
        "l": LevelName(series.id, level.id),
        "x": level_value("output_throughput", series.id, level.id),
        "m": _margin(analysis),
        "f": same(f"{FAILURES:.0%}"),
    }
    if tail is not None:
        parts["q"] = _tail_name(tail)
        parts["y"] = level_value(tail, series.id, level.id)
    yield filled(BACK if tail is None else BACK_TAIL, parts)


BACK: Final = Text(
    zh="{s} 在 {l}：输出吞吐比 {x} 低 {m} 以上，或失败的请求超过 {f}，就回滚最近一次变更。",
    en="{s} at {l}: roll the last change back if throughput is more than {m} below {x}, or more than {f} of the requests fail.",
)
BACK_TAIL: Final = Text(
    zh="{s} 在 {l}：输出吞吐比 {x} 低 {m} 以上，{q} 比 {y} 高 {m} 以上，或失败的请求超过 {f}，就回滚最近一次变更。",
    en="{s} at {l}: roll the last change back if throughput is more than {m} below {x}, {q} is more than {m} above {y}, or more than {f} of the "
    "requests fail.",
)


def _by_default(analysis: Analysis) -> Sentence:
    """Say that the thresholds of a rollback are no measurements."""
    declared = analysis.round.file.round
    is_stated = declared.margin is not None or bool(declared.margins)
    return Sentence(STATED if is_stated else DEFAULTS, {"f": same(f"{FAILURES:.0%}"), "m": _margin(analysis)})


def _margin(analysis: Analysis) -> Text:
    return same(f"{margin_of(analysis.round, 'output_throughput'):.0%}")


DEFAULTS: Final = Text(
    zh="{m} 与 {f} 是默认值，不是测出来的：前者换成你自己几次测量之间的离散，写进 [round] 的 margin；后者换成你容许的失败率。",
    en="{m} and {f} are defaults, not measurements: replace the first by the spread between runs of your own (margin of [round]), the second by the "
    "share of failures that you tolerate.",
)
STATED: Final = Text(
    zh="{m} 是这一轮声明的 margin，{f} 是默认值，都不是测出来的：前者应是你自己几次测量之间的离散，后者换成你容许的失败率。",
    en="{m} is the margin that this round declares and {f} a default, neither a measurement: the first ought to be the spread between runs of your own, "
    "the second the share of failures that you tolerate.",
)


def _tail_name(metric: str) -> Text:
    quantity, _, tail = metric.rpartition("_")
    return same(f"{quantity.upper()} {tail}")
