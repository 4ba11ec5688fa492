"""Are the trials of a level repetitions of one configuration? A median over several says nothing of any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import at_level, level_names
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.runs.imported import differences
from generator.text import Text
from generator.themes import FAIRNESS
from generator.told.findings import Finding
from generator.told.quoting import clipped
from generator.told.sentence import LevelName, Listing, Quantity, Sentence, SeriesName, say
from generator.values import Value

WIDE: Final = 1.25
"""Fastest ÷ slowest throughput from which on trials scatter more than repetitions of one configuration do."""
MOST_NAMES: Final = 6
"""Things that runs differ in that a sentence names."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The slowest and the fastest of the trials of a level."""

    level: Level
    slowest: Value
    fastest: Value


@check(
    theme=FAIRNESS,
    title=Text(zh="重复测量出自同一配置", en="Runs of one configuration"),
    question=Text(
        zh="同一档的几次运行，配置是否相同，吞吐是否相近？",
        en="Are the runs of each level of the same configuration, and of about the same throughput?",
    ),
    rule=Text(
        zh="同一档的几次运行记录的配置不同，或最快的吞吐超过最慢的 {wide} 倍，就警告。",
        en="A warning where the runs of a level record different configurations, or where the fastest delivers more than {wide}× what the slowest does.",
    ).format(wide=f"{WIDE:g}"),
)
def mixed_trials(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series with levels that were run more than once."""
    repeated = [(series, [level for level in series.levels if level.trials > 1]) for series in analysis.round.series]
    if not any(levels for _, levels in repeated):
        return [_once()]
    found = [finding for series, levels in repeated for finding in _examine(analysis, series, levels)]
    return found or [_alike()]


def _examine(analysis: Analysis, series: Series, levels: Sequence[Level]) -> list[Finding]:
    told = {level: differing for level in levels if (differing := _differing(analysis, series, level))}
    spreads = [spread for level in levels if (spread := _spread(analysis, series, level)) is not None]
    return ([_mixed(series, told)] if told else []) + ([_scattered(series, spreads)] if spreads else [])


def _differing(analysis: Analysis, series: Series, level: Level) -> dict[str, tuple[str, ...]]:
    described = analysis.round.described
    runs = [(series.id, level.id, trial) for trial in level.runs]
    return differences([described[run] for run in runs if run in described])


def _spread(analysis: Analysis, series: Series, level: Level) -> Spread | None:
    of_trials = (at_level("output_throughput", series, level, trial) for trial in level.runs)
    values = sorted(analysis.frame.known(of_trials), key=lambda value: value.value or 0.0)
    if not values or not (values[-1].value or 0.0) > WIDE * (values[0].value or 0.0):
        return None
    return Spread(level, values[0], values[-1])


def _mixed(series: Series, told: Mapping[Level, Mapping[str, tuple[str, ...]]]) -> Finding:
    names = sorted({name for differing in told.values() for name in differing})
    texts = {name: sorted({text for one in told.values() for text in one.get(name, ())}) for name in names}
    return Finding(
        check="mixed_trials",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in told),
        message=say(
            zh="{series} 在 {levels} 的几次运行记录的配置不同：{told}。它们可能不是同一配置的重复测量。",
            en="The runs of {series} at {levels} record different configurations: {told}. They may not be runs of one "
            "configuration.",
            series=SeriesName(series.id),
            levels=level_names(series, told),
            told=Listing(_told({name: texts[name] for name in names[:MOST_NAMES]})),
        ),
        bias=say(
            zh="不同配置的中位数不属于其中任何一个。",
            en="The median over several configurations is that of none of them.",
        ),
        remedy=say(
            zh="把每种配置放进各自的系列；若确实是同一配置，就不用改。",
            en="Make each configuration a series of its own; where it is one after all, leave them as they are.",
        ),
    )


def _told(texts: Mapping[str, Sequence[str]]) -> tuple[Sentence, ...]:
    """Return what runs differ in: entries with their texts, and those that only some runs have."""
    several = {name: said for name, said in texts.items() if len(said) > 1}
    told = [
        say(
            zh="{name}（{texts}）",
            en="{name} ({texts})",
            name=clipped(name),
            texts=Listing(tuple(clipped(text) for text in said[:MOST_NAMES])),
        )
        for name, said in several.items()
    ]
    rest = tuple(clipped(name) for name in texts if name not in several)
    if rest:
        told.append(say(zh="只有一部分有 {names}", en="only some have {names}", names=Listing(rest)))
    return tuple(told)


def _scattered(series: Series, spreads: Sequence[Spread]) -> Finding:
    return Finding(
        check="mixed_trials",
        status="warn",
        series=series.id,
        levels=tuple(one.level.id for one in spreads),
        evidence=tuple(value.address for one in spreads for value in (one.slowest, one.fastest)),
        message=say(
            zh="{series} 的几次运行，输出吞吐相差超过四分之一：{ranges}。同一配置的重复测量很少差这么多。",
            en="The output throughput of {series} differs by more than a quarter between runs of one level: {ranges}. Runs of one "
            "configuration seldom lie so far apart.",
            series=SeriesName(series.id),
            ranges=Listing(tuple(_range(series, one) for one in spreads)),
        ),
        bias=say(
            zh="中位数掩盖了这样的差距，{series} 看起来比实际更确定。",
            en="The median hides such a gap: {series} looks more certain than it is.",
            series=SeriesName(series.id),
        ),
        looks="better",
        remedy=say(
            zh="查明 {levels} 的各次运行之间变了什么：配置、机器上的其他负载，还是温度；配置不同就拆成各自的系列。",
            en="Find out what changed between the runs of {levels}: the configuration, other work on the machine, or heat. Make other "
            "configurations series of their own.",
            levels=level_names(series, (one.level for one in spreads)),
        ),
    )


def _range(series: Series, one: Spread) -> Sentence:
    return say(
        zh="{level} 从 {low} 到 {high}",
        en="{low} to {high} at {level}",
        level=LevelName(series.id, one.level.id),
        low=Quantity(one.slowest.address, bare=True),
        high=Quantity(one.fastest.address),
    )


def _alike() -> Finding:
    return Finding(
        check="mixed_trials",
        status="pass",
        message=say(
            zh="同一档的几次运行记录的配置相同，输出吞吐相差不到四分之一。",
            en="The runs of each level record the same configuration, and their output throughput lies within a quarter.",
        ),
    )


def _once() -> Finding:
    return Finding(
        check="mixed_trials",
        status="pass",
        message=say(
            zh="没有重复运行，不适用。",
            en="No level has repeated runs: not applicable.",
        ),
        is_empty=True,
    )
