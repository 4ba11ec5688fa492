"""Was the GPU in the state of power that it is known for, and in the same one each time?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from generator.across import watched
from generator.across.levels import at_level
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import MACHINE
from generator.told.findings import Finding
from generator.told.sentence import LevelName, Quantity, SeriesName, say
from generator.values import Address

PINNED: Final = 0.5
"""Share of samples under the power cap from which on the cap is the state of the card."""
BELOW_LIMIT: Final = 0.95
"""Part of the limit below which a capped card does not draw what it may."""
SAME_CLOCK: Final = 0.02
"""How far apart, relative to the larger, two mean clocks are still the same."""
OTHER_POWER: Final = 0.15
"""Difference in mean power, relative to the smaller, from which on two runs are of different states."""


@check(
    theme=MACHINE,
    title=Text(zh="功率状态", en="Power state"),
    question=Text(
        zh="GPU 是否处在应有的功率状态，每次运行都一样吗？",
        en="Was the GPU in the expected power state, and in the same one in every run?",
    ),
    rule=Text(
        zh="{pinned} 以上的采样触及功率上限、而此时的功率不到上限的 {below}，就警告：另有一道上限在起作用。同一档的两次运行时钟相差不到 {clock}、平均功率却相差 {power} 以上，也警告。",
        en="A warning where the power cap was active at {pinned} of the samples or more and the draw was then below {below} of the limit: another limit is at work. A warning, too, where two runs of one level have clocks less than {clock} apart and differ in mean power by more than {power}.",
    ).format(pinned=f"{PINNED:.0%}", below=f"{BELOW_LIMIT:.0%}", clock=f"{SAME_CLOCK:.0%}", power=f"{OTHER_POWER:.0%}"),
    stage="conclusions",
)
def power_state(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose GPU power was sampled."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    spots = watched.spots_of(analysis, series, "gpu_power_mean")
    pinned = [spot for spot in spots if _is_pinned(analysis, spot)]
    found = [_pinned(spot) for spot in pinned]
    found += [
        _two_states(series, level, *pair) for level in series.levels if (pair := _unlike(analysis, series, level))
    ]
    return found or ([_sound(spots)] if spots else [])


def _is_pinned(analysis: Analysis, spot: Spot) -> bool:
    names = ("gpu_power_capped_share", "gpu_power_while_capped", "gpu_power_limit")
    share, draw, limit = (amount_at(analysis, spot, name) for name in names)
    if share is None or draw is None or limit is None:
        return False
    return share >= PINNED and draw < BELOW_LIMIT * limit


def _pinned(spot: Spot) -> Finding:
    return Finding(
        check="power_state",
        status="warn",
        series=spot.series.id,
        levels=watched.levels_of([spot]),
        evidence=watched.evidence([spot], "gpu_power_capped_share", "gpu_power_while_capped", "gpu_power_limit"),
        looks="worse",
        message=say(
            zh="{place}：{share} 的采样触及功率上限，功率却停在 {draw}，而上限是 {limit}。",
            en="{place}: the power cap was active at {share} of the samples, and the draw stayed at {draw} where the limit is {limit}.",
            place=watched.place(spot),
            share=spot.value("gpu_power_capped_share"),
            draw=spot.value("gpu_power_while_capped"),
            limit=spot.value("gpu_power_limit"),
        ),
        bias=say(
            zh="偏向不利于 {series}：卡没有拿到它可用的功率。",
            en="It speaks against {series}: the card did not get the power that it may draw.",
            series=SeriesName(spot.series.id),
        ),
        remedy=say(
            zh="查明另一道上限：机箱或 BMC 的功率限额、供电线、模块功率。",
            en="Look for the other limit: a budget of the chassis or its BMC, a power cable, the power of the module.",
        ),
    )


def _unlike(analysis: Analysis, series: Series, level: Level) -> tuple[Address, Address] | None:
    """Return two runs of a level with the same clock and another power, those that differ most."""
    pairs = [(apart, one, other) for one, other, apart in _pairs(analysis, series, level) if apart > OTHER_POWER]
    return max(pairs, key=lambda pair: pair[0])[1:] if pairs else None


def _pairs(analysis: Analysis, series: Series, level: Level) -> Iterator[tuple[Address, Address, float]]:
    for one, other in combinations(level.runs, 2):
        power = [at_level("gpu_power_mean", series, level, trial) for trial in (one, other)]
        clock = [at_level("gpu_clock_sm_mean", series, level, trial) for trial in (one, other)]
        powers = [value.value or 0.0 for value in analysis.frame.known(power)]
        clocks = [value.value or 0.0 for value in analysis.frame.known(clock)]
        known = len(powers) == len(clocks) == len(power) and min(powers) > 0 and min(clocks) > 0
        if known and max(clocks) - min(clocks) <= SAME_CLOCK * max(clocks):
            yield power[0], power[1], max(powers) / min(powers) - 1


def _two_states(series: Series, level: Level, one: Address, other: Address) -> Finding:
    return Finding(
        check="power_state",
        status="warn",
        series=series.id,
        levels=(level.id,),
        evidence=(one, other),
        message=say(
            zh="{series} 的 {level} 有两次运行时钟相同，平均功率却是 {one} 与 {other}：卡处在两种不同的状态。",
            en="Two runs of {series} at {level} had the same clock, yet drew {one} and {other} in the mean: the card was in two "
            "different states.",
            series=SeriesName(series.id),
            level=LevelName(series.id, level.id),
            one=Quantity(one),
            other=Quantity(other),
        ),
        bias=say(
            zh="不知偏向哪一边：中位数混合了两种状态。",
            en="It may cut either way: the median mixes two states.",
        ),
        remedy=say(
            zh="重启机器或重置 GPU 之后再测，只比较功率状态相同的运行。",
            en="Measure again after a restart of the machine or a reset of the GPU, and compare runs of one state only.",
        ),
    )


def _sound(spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="power_state",
        status="pass",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, "gpu_power_mean"),
        message=say(
            zh="{series} 的 GPU 功率没有停在上限之下，重复运行之间也没有两种状态。",
            en="The GPU of {series} did not stay below its power limit while capped, and its runs show no two states.",
            series=SeriesName(spots[0].series.id),
        ),
    )


def _nothing() -> Finding:
    return Finding(
        check="power_state",
        status="pass",
        is_empty=True,
        message=say(
            zh="没有 GPU 功率的采样，没有可检查的。", en="GPU power was not sampled, so there is none to examine."
        ),
    )
