"""Which levels lie past saturation? There more requests in flight only wait longer."""

from __future__ import annotations

from collections.abc import Sequence

from generator.across.ladders import ladder
from generator.across.levels import at_level, level_names
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import SATURATION
from generator.told.findings import Finding
from generator.told.quoting import series_value
from generator.told.sentence import SeriesName, say
from generator.values import Address, Value

KNEE = "knee_concurrency"


@check(
    theme=SATURATION,
    title=Text(zh="过了饱和点的档位", en="Levels past saturation"),
    question=Text(
        zh="有没有哪些档位，并发更高，吞吐却几乎不再增长？",
        en="Are there levels at which a higher concurrency brings hardly more throughput?",
    ),
    stage="conclusions",
    rule=Text(
        zh="并发高于饱和点（见该指标的定义）的可用档位，只提示。",
        en="A note on usable levels above the saturation knee, as that metric defines it.",
    ),
)
def past_saturation(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series of which the knee is known."""
    return [found for series in analysis.round.series if (found := _examine(analysis, series))] or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> Finding | None:
    knee = analysis.frame.of_series(KNEE, series.id)
    if knee.value is not None:
        return _past(series, knee, _beyond(analysis, series, knee.value))
    delivered = analysis.frame.known(_at_usable(analysis, series, "output_throughput"))
    return _rises(series, tuple(one.address for one in delivered)) if _still_grows(analysis, series) else None


def _still_grows(analysis: Analysis, series: Series) -> bool:
    """Say whether there was a curve to examine: then the knee is unknown since there is none."""
    known = [analysis.frame.known(_at_usable(analysis, series, key)) for key in ("output_throughput", "e2el_p50")]
    return all(len(values) > 1 for values in known)


def _at_usable(analysis: Analysis, series: Series, metric: str) -> list[Address]:
    return [at_level(metric, series, level) for level in ladder(analysis, series, "concurrency")]


def _beyond(analysis: Analysis, series: Series, knee: float) -> list[Level]:
    return [level for level in ladder(analysis, series, "concurrency") if level.load > knee]


def _past(series: Series, knee: Value, beyond: list[Level]) -> Finding:
    return Finding(
        check="past_saturation",
        status="note",
        series=series.id,
        levels=tuple(level.id for level in beyond),
        evidence=(knee.address, *(one.address for one in knee.inputs)),
        message=say(
            zh="{series} 在 C = {knee} 已经饱和；{levels} 的并发更高，吞吐几乎不增，E2EL 却变长。",
            en="{series} is saturated at C = {knee}: {levels}, with more in flight, deliver hardly more, and their E2EL is longer.",
            series=SeriesName(series.id),
            knee=series_value(KNEE, series.id),
            levels=level_names(series, beyond),
        ),
        remedy=say(
            zh="比较引擎的时延时用饱和点及以下的档位；再高的并发量的是排队。",
            en="Compare the latencies of engines up to the knee: above it a queue is what is measured.",
        ),
    )


def _rises(series: Series, evidence: tuple[Address, ...]) -> Finding:
    message = say(
        zh="{series} 没有过了饱和点的档位。",
        en="No level of {series} lies past saturation.",
        series=SeriesName(series.id),
    )
    return Finding("past_saturation", "pass", message, series.id, evidence=evidence)


def _nothing() -> Finding:
    message = say(
        zh="没有哪个系列有两个以上记录了吞吐与 E2EL 的闭环档位，看不出饱和点。",
        en="No series has throughput and E2EL of several levels of a closed loop on record, so a knee cannot be told.",
    )
    return Finding("past_saturation", "pass", message, is_empty=True)
