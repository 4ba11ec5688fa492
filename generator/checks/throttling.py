"""Did power or heat hold the clocks of the GPU down while it was measured?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from generator.across import watched
from generator.across.levels import known_addresses
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text, same
from generator.themes import MACHINE
from generator.told.findings import Finding, Status
from generator.told.quoting import passage
from generator.told.sentence import Listing, Sentence, SeriesName, say
from generator.values import Address

FEW: Final = 0.01
"""Share of samples below which throttling is a matter of moments."""
MOST: Final = 0.5
"""Share of samples of a level from which on its numbers are those of a throttled card."""
LOW_CLOCK: Final = 0.6
"""Part of the highest clock below which a GPU under load counts as throttled, whatever reasons it gives."""
NAMES: Final = {
    0x4: Text(zh="功率上限（SW power cap）", en="the power cap (SW power cap)"),
    0x8: Text(zh="硬件降频（HW slowdown）", en="hardware slowdown (HW slowdown)"),
    0x20: Text(zh="过热（SW thermal slowdown）", en="heat (SW thermal slowdown)"),
    0x40: Text(zh="过热（HW thermal slowdown）", en="heat (HW thermal slowdown)"),
    0x80: Text(zh="供电制动（HW power brake）", en="the power brake (HW power brake)"),
}
"""Reasons by their bits, as a reader meets them."""
SHARES: Final = ("gpu_throttled_share", "gpu_clock_sm_min")
EVIDENCE: Final = (
    "gpu_throttled_share",
    "gpu_held_share",
    "gpu_throttle_reasons",
    "gpu_clock_sm_mean",
    "gpu_temperature_max",
)
Verdict = Literal["held", "throttled", "briefly", "low_clock", "sound"]


@check(
    theme=MACHINE,
    title=Text(zh="GPU 降频", en="Throttled GPU"),
    question=Text(
        zh="测量期间，GPU 的时钟有没有被功率或温度压低？",
        en="Did power or heat hold the clocks of the GPU down while it was measured?",
    ),
    rule=Text(
        zh="时钟因功率或过热被压低的采样达到 {few} 就警告；负载下的最低 SM 时钟低于上限的 {clock} 也警告。一档自己的采样有 {most} 以上因过热或硬件制动被压低，就不通过，这一档排除。空闲与设定的时钟不算降频。",
        en="A warning where power or heat held the clocks down at {few} of the samples or more, and where the lowest SM clock under load is below {clock} of the highest one that the GPU can reach. A failure where heat or a brake of the hardware did so at {most} or more of a level's own samples: it is excluded. Idle or fixed clocks do not count as throttling.",
    ).format(few=f"{FEW:.0%}", clock=f"{LOW_CLOCK:.0%}", most=f"{MOST:.0%}"),
    spoils=True,
)
def throttling(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose GPU was sampled."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    if found:
        return found
    sampled = any(watched.spots_of(analysis, series, "server_rss_max") for series in analysis.round.series)
    return [_no_gpu() if sampled or not analysis.round.with_gpu else _unknown()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    spots = watched.spots_of(analysis, series, *SHARES)
    verdicts = {spot: _verdict(analysis, spot) for spot in spots}
    order: tuple[Verdict, ...] = ("held", "throttled", "briefly", "low_clock")
    groups = [(verdict, [spot for spot in spots if verdicts[spot] == verdict]) for verdict in order]
    found = [_slowed(analysis, verdict, group) for verdict, group in groups if group]
    return found or ([_sound(spots)] if spots else [])


def _verdict(analysis: Analysis, spot: Spot) -> Verdict:
    share = amount_at(analysis, spot, "gpu_throttled_share") or 0.0
    if spot.level is not None and (amount_at(analysis, spot, "gpu_held_share") or 0.0) >= MOST:
        return "held"
    if share >= FEW:
        return "throttled"
    lowest, limit = amount_at(analysis, spot, "gpu_clock_sm_min"), amount_at(analysis, spot, "gpu_clock_sm_limit")
    if lowest is not None and limit is not None and lowest < LOW_CLOCK * limit:
        return "low_clock"
    return "briefly" if share > 0 else "sound"


def _slowed(analysis: Analysis, verdict: Verdict, spots: Sequence[Spot]) -> Finding:
    statuses: dict[Verdict, Status] = {"held": "fail", "throttled": "warn", "briefly": "note", "low_clock": "warn"}
    series = spots[0].series
    name = SeriesName(series.id)
    return Finding(
        check="throttling",
        status=statuses[verdict],
        series=series.id,
        levels=watched.levels_of(spots),
        evidence=_evidence(analysis, spots),
        spoils=watched.levels_of(spots) if verdict == "held" else (),
        looks="worse",
        message=_low_clock(analysis, spots) if verdict == "low_clock" else _throttled(analysis, spots),
        bias=say(
            zh="偏向不利于 {series}：测到的是被降频的卡，不是这块卡本来的速度。",
            en="It speaks against {series}: its numbers are those of a card held down, and not of the card.",
            series=name,
        ),
        remedy=say(
            zh="改善散热或提高功率上限，待温度稳定后重测；或把时钟锁在两边都守得住的频率。",
            en="Cool the card or raise its power limit and measure again once its temperature is steady; or lock the clocks at what "
            "both sides can hold.",
        ),
    )


def _throttled(analysis: Analysis, spots: Sequence[Spot]) -> Sentence:
    worst = watched.most(analysis, spots, "gpu_throttled_share")
    told = say(
        zh="{series} 的 GPU 在{where}被降频，原因是{reasons}：{share}。",
        en="The GPU of {series} was throttled {where} ({reasons}): {share}.",
        series=SeriesName(worst.series.id),
        where=watched.where(spots),
        reasons=_reasons(analysis, spots),
        share=watched.of_worst(spots, worst, _share(worst)),
    )
    further = [_since(worst)] if amount_at(analysis, worst, "gpu_throttled_after") is not None else []
    further += [_clock(worst)] if amount_at(analysis, worst, "gpu_clock_sm_mean") is not None else []
    return passage(told, *further)


def _share(spot: Spot) -> Sentence:
    return say(zh="占采样的 {share}", en="at {share} of the samples", share=spot.value("gpu_throttled_share"))


def _reasons(analysis: Analysis, spots: Sequence[Spot]) -> Listing:
    masks = [int(amount_at(analysis, spot, "gpu_throttle_reasons") or 0) for spot in spots]
    return Listing(tuple(name for bit, name in NAMES.items() if any(mask & bit for mask in masks)))


def _since(spot: Spot) -> Sentence:
    return say(
        zh="降频始于 {after} 之后。",
        en="It set in {after} after the beginning.",
        after=spot.value("gpu_throttled_after"),
    )


def _clock(spot: Spot) -> Sentence:
    return say(
        zh="SM 时钟平均 {clock}。", en="The SM clock was {clock} in the mean.", clock=spot.value("gpu_clock_sm_mean")
    )


def _low_clock(analysis: Analysis, spots: Sequence[Spot]) -> Sentence:
    lowest = min(spots, key=lambda spot: amount_at(analysis, spot, "gpu_clock_sm_min") or 0.0)
    return say(
        zh="{series} 的 GPU 在{where}满载时 SM 时钟降到 {clock}，而它可达 {limit}：无论驱动给出什么原因，都是降频。",
        en="Under load the SM clock of the GPU of {series} fell to {clock} {where}, where it can reach {limit}: it was "
        "throttled, whatever reason the driver gives.",
        series=SeriesName(lowest.series.id),
        where=watched.where(spots),
        clock=lowest.value("gpu_clock_sm_min"),
        limit=lowest.value("gpu_clock_sm_limit"),
    )


def _evidence(analysis: Analysis, spots: Sequence[Spot]) -> tuple[Address, ...]:
    named = watched.evidence(spots, *EVIDENCE, "gpu_clock_sm_min", "gpu_clock_sm_limit")
    return known_addresses(analysis, named)


def _sound(spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="throttling",
        status="pass",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, "gpu_throttled_share"),
        message=say(
            zh="{series} 的 GPU 采样里，没有一个因功率或过热被降频。",
            en="In no sample of the GPU of {series} did power or heat hold its clocks down.",
            series=SeriesName(spots[0].series.id),
        ),
    )


def _no_gpu() -> Finding:
    return Finding(
        check="throttling",
        status="pass",
        is_empty=True,
        message=say(
            zh="没有 GPU，不适用。",
            en="There was no GPU: not applicable.",
        ),
    )


def _unknown() -> Finding:
    return Finding(
        check="throttling",
        status="unknown",
        message=say(
            zh="没有 GPU 时钟与降频原因的采样，降频与否无从得知。",
            en="The clocks of the GPU and what held them were not sampled, so it is unknown whether it was throttled.",
        ),
        remedy=say(
            zh="测量期间每秒采样一次（{command}），把 {file} 放进系列或运行的文件夹。",
            en="Sample once a second while measuring ({command}) and put {file} into the folder of the series or the run.",
            command=same(
                "nvidia-smi --query-gpu=timestamp,index,clocks.sm,clocks.max.sm,power.draw,power.limit,temperature.gpu,utilization.gpu,memory.used,clocks_event_reasons.active --format=csv -l 1"
            ),
            file=same("gpu.csv"),
        ),
    )
