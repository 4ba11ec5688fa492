"""Can what the GPU is said to have done be true?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across import watched
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import MACHINE
from generator.told.findings import Finding
from generator.told.sentence import Sentence, SeriesName, say

WHOLE: Final = 1.0
OVER_LIMIT: Final = 1.10
"""Power above the limit by more than a regulator overshoots."""
APART: Final = 0.10
"""Difference between the counter of energy and mean power × time, relative to the latter, that samples explain."""
FEWEST: Final = 5
"""Samples below which mean power × time is too rough to hold the counter against."""
SAMPLED: Final = ("gpu_utilisation_max", "gpu_power_max", "gpu_energy")


@check(
    theme=MACHINE,
    title=Text(zh="采样是否可信", en="Plausible samples"),
    question=Text(
        zh="GPU 的利用率、功率与能耗互相说得通吗？",
        en="Do utilisation, power and energy of the GPU agree with what is possible, and with each other?",
    ),
    rule=Text(
        zh="利用率高过可能的最大值、功率超过上限的 {over}、能量计数器与平均功率 × 时间相差 {apart} 以上（至少 {fewest} 个采样），都警告。",
        en="A warning where utilisation is above what is possible, power above {over} of the limit, or the counter of energy more than {apart} from mean power × time (over {fewest} samples or more).",
    ).format(over=f"{OVER_LIMIT:.0%}", apart=f"{APART:.0%}", fewest=FEWEST),
    stage="conclusions",
)
def telemetry_plausible(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose GPU was sampled."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    spots = watched.spots_of(analysis, series, *SAMPLED)
    found = [finding for spot in spots for finding in _of_spot(analysis, spot)]
    return found or ([_sound(spots)] if spots else [])


def _of_spot(analysis: Analysis, spot: Spot) -> list[Finding]:
    used = amount_at(analysis, spot, "gpu_utilisation_max")
    power, limit = amount_at(analysis, spot, "gpu_power_max"), amount_at(analysis, spot, "gpu_power_limit")
    found = []
    if used is not None and used > WHOLE:
        found.append(_odd(spot, _scaled(spot), "gpu_utilisation_max"))
    if power is not None and limit is not None and power > OVER_LIMIT * limit:
        found.append(_odd(spot, _over_limit(spot), "gpu_power_max", "gpu_power_limit"))
    if _energy_is_off(analysis, spot):
        found.append(_odd(spot, _other_energy(spot), "gpu_energy", "gpu_energy_by_power"))
    return found


def _energy_is_off(analysis: Analysis, spot: Spot) -> bool:
    names = ("gpu_energy", "gpu_energy_by_power", "gpu_samples")
    counted, expected, samples = (amount_at(analysis, spot, name) for name in names)
    if counted is None or not expected or samples is None or samples < FEWEST:
        return False
    return abs(counted - expected) > APART * expected


def _scaled(spot: Spot) -> Sentence:
    return say(
        zh="{place}：GPU 利用率达到 {used}，超过 100%；这是 MIG 切片的换算，不是 GPU 的利用率。",
        en="{place}: the utilisation of the GPU reaches {used}, above the whole; that is how slices of MIG are scaled, and not the "
        "use of the GPU.",
        place=watched.place(spot),
        used=spot.value("gpu_utilisation_max"),
    )


def _over_limit(spot: Spot) -> Sentence:
    return say(
        zh="{place}：功率采到 {power}，而上限是 {limit}；功率采样不可信。",
        en="{place}: a power of {power} was sampled where the limit is {limit}; the samples of power are not to be relied on.",
        place=watched.place(spot),
        power=spot.value("gpu_power_max"),
        limit=spot.value("gpu_power_limit"),
    )


def _other_energy(spot: Spot) -> Sentence:
    return say(
        zh="{place}：能量计数器增加了 {counted}，而平均功率 × 时间是 {expected}；两者至少有一个不对。",
        en="{place}: the counter of energy grew by {counted}, where mean power × time is {expected}; one of them is wrong.",
        place=watched.place(spot),
        counted=spot.value("gpu_energy"),
        expected=spot.value("gpu_energy_by_power"),
    )


def _odd(spot: Spot, message: Sentence, *metrics: str) -> Finding:
    addresses = watched.evidence([spot], *metrics)
    return Finding(
        check="telemetry_plausible",
        status="warn",
        series=spot.series.id,
        levels=watched.levels_of([spot]),
        evidence=addresses,
        doubts=addresses,
        message=message,
        remedy=say(
            zh="用 NVML 或另一个工具重新采样，核对驱动与工具的版本。",
            en="Sample again with NVML or another tool, and look up the versions of driver and tool.",
        ),
    )


def _sound(spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="telemetry_plausible",
        status="pass",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=tuple(watched.evidence(spots, "gpu_samples")),
        message=say(
            zh="{series} 的 GPU 采样互相说得通。",
            en="What was sampled of the GPU of {series} is possible, and agrees with itself.",
            series=SeriesName(spots[0].series.id),
        ),
    )


def _nothing() -> Finding:
    return Finding(
        check="telemetry_plausible",
        status="pass",
        is_empty=True,
        message=say(zh="没有 GPU 采样，没有可检查的。", en="The GPU was not sampled, so there is nothing to examine."),
    )
