"""Do slopes and crossovers step over levels that were excluded? A line through a hole hides what lies in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.across.levels import level_names
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import COMPARISON
from generator.told.findings import Finding
from generator.told.quoting import crossing_of, series_value
from generator.told.sentence import LevelName, Listing, Quantity, SeriesName, say
from generator.values import Value


@check(
    theme=COMPARISON,
    title=Text(zh="曲线上的空缺", en="Gaps in the curves"),
    question=Text(zh="斜率与交叉点有没有跨过已排除的档位？", en="Do slopes or crossovers step over excluded levels?"),
    stage="conclusions",
    rule=Text(
        zh="斜率的两端之间有已排除的档位就提示；交叉点所在的两档之间，有任何一方已排除的档位就警告。",
        en="A note where an excluded level lies between the ends of a slope; a warning where one of either series lies inside the bracket of a crossover.",
    ),
)
def curve_gaps(analysis: Analysis) -> Sequence[Finding]:
    """Examine the slope of each series and the crossover of each pair."""
    slopes = [one for series in analysis.round.series for one in _slope(analysis, series)]
    crossings = [one for compared in analysis.round.compared for one in _crossing(analysis, compared)]
    return [*crossings, *slopes] or [_none()]


def _slope(analysis: Analysis, series: Series) -> Iterator[Finding]:
    slope = analysis.frame.of_series("marginal_step_cost", series.id)
    ends = _ends(slope, "itl_p50", series)
    if ends is None:
        return
    between = _excluded_between(analysis, series, ends)
    yield _slope_skips(series, slope, ends, between) if between else _slope_holds(series, slope, ends)


def _crossing(analysis: Analysis, compared: Series) -> Iterator[Finding]:
    crossing, baseline = analysis.frame.of_pair("crossover_concurrency", compared.id), analysis.round.baseline
    ends = _ends(crossing, "throughput_ratio", compared)
    if ends is None or baseline is None:
        return
    excluded = [
        LevelName(series.id, level.id)
        for series in (baseline, compared)
        for level in _excluded_between(analysis, series, ends)
    ]
    yield _crossing_skips(compared, crossing, ends, excluded) if excluded else _crossing_holds(compared, crossing, ends)


def _ends(value: Value, name: str, series: Series) -> tuple[Level, Level] | None:
    """Return the levels that a value was computed from, the lowest and the highest."""
    named = {one.address.level for one in value.inputs if one.name == name}
    levels = [level for level in series.levels if level.id in named]
    return (levels[0], levels[-1]) if value.value is not None and len(levels) > 1 else None


def _excluded_between(analysis: Analysis, series: Series, ends: tuple[Level, Level]) -> list[Level]:
    low, high = ends
    excluded = analysis.excluded(series.id)
    return [level for level in excluded if level.kind == low.kind and low.load < level.load < high.load]


def _slope_skips(series: Series, slope: Value, ends: tuple[Level, Level], between: list[Level]) -> Finding:
    return Finding(
        check="curve_gaps",
        status="note",
        series=series.id,
        levels=tuple(level.id for level in between),
        evidence=(slope.address,),
        message=say(
            zh="{series} 的斜率 {slope} 由 {low} 与 {high} 两点得出，跨过了已排除的 {between}：它是平均，不是曲线在那里的走势。",
            en="The slope of {series}, {slope}, is taken from {low} and {high} and steps over {between}, which is excluded: it is "
            "an average, and not how the curve runs there.",
            series=SeriesName(series.id),
            slope=series_value("marginal_step_cost", series.id),
            low=LevelName(series.id, ends[0].id),
            high=LevelName(series.id, ends[1].id),
            between=level_names(series, between),
        ),
        bias=say(
            zh="被跨过的一段里步长更长，{series} 的斜率因此显得更小。",
            en="Where steps are longer in the part stepped over, the slope flatters {series}.",
            series=SeriesName(series.id),
        ),
        looks="better",
    )


def _slope_holds(series: Series, slope: Value, ends: tuple[Level, Level]) -> Finding:
    return Finding(
        check="curve_gaps",
        status="pass",
        series=series.id,
        evidence=(slope.address,),
        message=say(
            zh="{series} 从 {low} 到 {high} 的斜率没有跨过已排除的档位。",
            en="The slope of {series} from {low} to {high} steps over no excluded level.",
            series=SeriesName(series.id),
            low=LevelName(series.id, ends[0].id),
            high=LevelName(series.id, ends[1].id),
        ),
    )


def _crossing_skips(compared: Series, crossing: Value, ends: tuple[Level, Level], excluded: list[LevelName]) -> Finding:
    return Finding(
        check="curve_gaps",
        status="warn",
        series=compared.id,
        levels=tuple(dict.fromkeys(name.level for name in excluded)),
        evidence=(crossing.address,),
        doubts=(crossing.address,),
        message=say(
            zh="{series} 的交叉点 C ≈ {c} 在 {low} 与 {high} 之间插值而来，这两档之间的 {between} 已排除。",
            en="The crossover of {series} at C ≈ {c} is interpolated between {low} and {high}, and {between} between them is "
            "excluded.",
            series=SeriesName(compared.id),
            c=_crossover(compared),
            low=LevelName(compared.id, ends[0].id),
            high=LevelName(compared.id, ends[1].id),
            between=Listing(tuple(excluded)),
        ),
        remedy=say(
            zh="重测 {between}，再报告交叉点。",
            en="Measure {between} again before a crossover is told.",
            between=Listing(tuple(excluded)),
        ),
    )


def _crossing_holds(compared: Series, crossing: Value, ends: tuple[Level, Level]) -> Finding:
    return Finding(
        check="curve_gaps",
        status="pass",
        series=compared.id,
        evidence=(crossing.address,),
        message=say(
            zh="{series} 的交叉点 C ≈ {c} 落在 {low} 与 {high} 之间，两端都可用，中间没有已排除的档位。",
            en="The crossover of {series} at C ≈ {c} lies between {low} and {high}: both are usable, and none between them is "
            "excluded.",
            series=SeriesName(compared.id),
            c=_crossover(compared),
            low=LevelName(compared.id, ends[0].id),
            high=LevelName(compared.id, ends[1].id),
        ),
    )


def _crossover(compared: Series) -> Quantity:
    return crossing_of("crossover_concurrency", compared.id)


def _none() -> Finding:
    message = say(
        zh="这一轮没有斜率，也没有交叉点，谈不上跨过哪一档。",
        en="This round has neither a slope nor a crossover that could step over a level.",
    )
    return Finding("curve_gaps", "pass", message, is_empty=True)
