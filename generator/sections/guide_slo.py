"""Which latency targets each series keeps, and up to which load."""

from __future__ import annotations

from typing import Final

from generator.across.excluded import ANOMALY
from generator.across.ladders import ladder
from generator.across.levels import Place, Shown, level_table
from generator.deciding.targets import TAILS, USUAL, Kept, Target, declared, kept, tail_of
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Heading, Paragraph, Row, Table
from generator.told.quoting import filled, level_value, passage
from generator.told.sentence import LevelName, Listing, Part, Sentence, SeriesName, say
from generator.units import from_base

PERCENTILES: Final = Listing(tuple(same(tail) for tail in TAILS))


@section(checks=("tail_percentiles", "queue_dominated"))
def guide_slo(analysis: Analysis) -> Chapter | None:
    """Hold the targets of the round, or usual ones, against each level; nothing where no tail is known."""
    told = [series for series in analysis.round.series if len(ladder(analysis, series)) > 0]
    targets = declared(analysis)
    blocks = _declared(analysis, told, targets) if targets else _usual(analysis, told)
    return Chapter(say(zh="达不达得到时延目标", en="Latency targets"), tuple(blocks)) if blocks else None


# Targets of the round


def _declared(analysis: Analysis, told: list[Series], targets: tuple[Target, ...]) -> list[Block]:
    found = [(series, kept(analysis, series, targets)) for series in told]
    if not any(one.is_known for _, one in found):
        return [Paragraph(NO_TAILS, "note")]
    limits = Listing(tuple(_target(target) for target in targets))
    intro = say(
        zh="这一轮的目标：{limits}。一档达标，是它的尾部分位数不超过目标（{tails} 里每一档都有的第一个）；容量只数到第一个不达标或已排除的档位之前。",
        en="The targets of this round: {limits}. A level keeps them where its tail percentile, the first of {tails} that all levels have, is not above them; the "
        "capacity ends before the first level that does not, or is excluded.",
        limits=limits,
        tails=PERCENTILES,
    )
    return [
        Paragraph(intro),
        Paragraph(passage(*(_kept(series, one) for series, one in found)), "lead"),
        _levels(analysis, told, targets),
    ]


NO_TAILS: Final = say(
    zh="这一轮设了时延目标，但没有每一档都有的尾部分位数可以对照。",
    en="This round sets latency targets, and no tail percentile is there at each level to hold against them.",
)


def _target(target: Target) -> Sentence:
    return say(zh="{name} ≤ {limit}", en="{name} ≤ {limit}", name=target.name, limit=_duration(target.limit))


def _duration(seconds: float) -> Text:
    return same(f"{from_base(seconds, 'ms'):g}\u202fms" if seconds < 1 else f"{seconds:g}\u202fs")


def _kept(series: Series, found: Kept) -> Sentence:
    parts: dict[str, Part] = {"s": SeriesName(series.id)}
    if not found.is_known:
        return Sentence(UNKNOWN, parts)
    if found.last is not None:
        parts["last"] = LevelName(series.id, found.last.id)
    if found.broken is not None:
        level, metric = found.broken
        parts |= {
            "broken": LevelName(series.id, level.id),
            "q": _metric_name(metric),
            "x": level_value(metric, series.id, level.id),
        }
    if found.barrier is not None:
        parts |= {"barrier": LevelName(series.id, found.barrier.id), "anomaly": ANOMALY}
        return filled(BARRED, parts)
    text = THROUGHOUT if found.broken is None else NOWHERE if found.last is None else UP_TO
    return filled(text, parts)


UNKNOWN: Final = Text(zh="{s} 缺尾部分位数，无从对照。", en="{s} lacks the percentiles to tell.")
THROUGHOUT: Final = Text(
    zh="{s} 直到测过的最高档位 {last} 都达标。", en="{s} keeps them up to {last}, the highest level measured."
)
BARRED: Final = Text(
    zh="{s} 到 {last} 为止达标；再往上的 {barrier} 已排除（见“{anomaly}”），它以上的档位不算数。",
    en="{s} keeps them up to {last}; {barrier} above it is excluded (see {anomaly}), and no level beyond that counts.",
)
NOWHERE: Final = Text(
    zh="{s} 在最低的档位 {broken} 就不达标：{q} 为 {x}。",
    en="{s} misses them at its lowest level, {broken}: its {q} is {x}.",
)
UP_TO: Final = Text(
    zh="{s} 到 {last} 为止达标，{broken} 的 {q} 为 {x}。",
    en="{s} keeps them up to {last}; at {broken} its {q} is {x}.",
)


def _metric_name(metric: str) -> Text:
    quantity, _, tail = metric.rpartition("_")
    return same(f"{quantity.upper()} {tail}")


def _levels(analysis: Analysis, told: list[Series], targets: tuple[Target, ...]) -> Table:
    keys = {
        key: _metric_name(key)
        for target in targets
        for series in told
        if (key := tail_of(analysis, target.quantity, series, ladder(analysis, series))) is not None
    }
    columns = [Shown(key, name, "ms") for key, name in keys.items()]
    columns += [Shown("goodput_share", Text(zh="达标的请求", en="requests that met them"), "%")]
    places: list[Place] = [(series, level) for series in told for level in ladder(analysis, series)]
    caption = say(zh="每一档的尾部时延", en="Tail latencies at each level")
    return level_table(analysis, "guide-slo-levels", caption, columns, places)


# Usual targets


def _usual(analysis: Analysis, told: list[Series]) -> list[Block]:
    rows = tuple(_row(analysis, told, Target(key, limit)) for key, limits in USUAL for limit in limits)
    known = any(kept(analysis, series, (Target(key, 1.0),)).is_known for series in told for key, _ in USUAL)
    if not known:
        return []
    headings = [Heading(say(zh="目标", en="target"), is_text=True)]
    headings += [Heading(say(zh="{s}", en="{s}", s=SeriesName(series.id)), is_text=True) for series in told]
    caption = say(zh="各目标之下，最高到哪一档", en="Up to which level each target is kept")
    return [Paragraph(_about()), Table("guide-slo-usual", caption, tuple(headings), rows)]


def _about() -> Sentence:
    return say(
        zh="这一轮没有设时延目标（[workload] slo_ttft_ms、slo_tpot_ms、slo_e2el_ms），下面试几个常用的：看尾部分位数（{tails} 里每一档都有的第一个），容量只数到第一个不达标或已排除的档位之前。",
        en="This round sets no latency targets (slo_ttft_ms, slo_tpot_ms, slo_e2el_ms of [workload]); these are common ones, judged by a tail percentile: the first "
        "of {tails} that every level has. The capacity ends before the first level that misses the target or is excluded.",
        tails=PERCENTILES,
    )


def _row(analysis: Analysis, told: list[Series], target: Target) -> Row:
    return Row((_named(analysis, told, target), *(_cell(series, kept(analysis, series, (target,))) for series in told)))


def _named(analysis: Analysis, told: list[Series], target: Target) -> Sentence:
    """Name a target by the percentile that it is held by, where that is the same for every series."""
    keys = {tail_of(analysis, target.quantity, one, ladder(analysis, one)) for one in told} - {None}
    key = next(iter(keys), None) if len(keys) == 1 else None
    name = target.name if key is None else _metric_name(key)
    return say(zh="{name} ≤ {limit}", en="{name} ≤ {limit}", name=name, limit=_duration(target.limit))


def _cell(series: Series, found: Kept) -> Part:
    if not found.is_known:
        return same("—")
    if found.last is None:
        return Text(zh="没有一档", en="no level")
    name = LevelName(series.id, found.last.id)
    if found.barrier is not None:
        over = LevelName(series.id, found.barrier.id)
        return say(zh="{l}（{over} 已排除）", en="{l} ({over} is excluded)", l=name, over=over)
    return name if found.broken is not None else say(zh="{l}（最高档）", en="{l} (the highest)", l=name)
