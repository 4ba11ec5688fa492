"""The decode step over the load, measured against the roofline floor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import by_kind_of_data, is_small_run, load_axis_label, why_spoilt
from generator.figures import left_off, on_axis
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import Level, Series
from generator.text import Text, same
from generator.told.figure_model import Axis, FigureModel, Line, LinePlot, Point, Role
from generator.told.quoting import level_value, passage, series_names
from generator.told.sentence import LevelName, Listing, Quantity, Sentence, SeriesName, say
from generator.units import from_base

PAIR: Final = 2

Contender = tuple[float, Series, Level]
"""Floor ÷ step of a series, and the level that it is of."""


@figure
def step_vs_floor(analysis: Analysis) -> FigureModel | Missing:
    """Draw the measured step and the floor of each series on log–log axes."""
    series = analysis.round.series
    measured = [_line(analysis, one, "itl_p50", "measured") for one in series]
    floors = [_line(analysis, one, "decode_floor", "floor") for one in series]
    lines = tuple(line for line in (*measured, *floors) if line.points)
    spoilt = [line.series for line in measured if any(point.spoilt for point in line.points)]
    if not any(line.points for line in measured):
        return _missing(analysis)
    if not any(len({point.x for point in line.points}) > 1 for line in measured):
        return Missing(Sentence(ONE_LOAD))
    return FigureModel(
        key="step_vs_floor",
        title=_title(analysis),
        caption=_caption(analysis, spoilt, has_floor=any(line.points for line in floors)),
        plot=LinePlot(
            x=Axis(
                load_axis_label(analysis),
                "",
                "log",
                tuple(sorted({p.x for line in lines for p in line.points})),
            ),
            y=Axis(Text(zh="解码步长", en="decode step"), "ms", "log"),
            lines=lines,
        ),
        accents=analysis.round.accents,
    )


def _line(analysis: Analysis, series: Series, metric: str, role: Role) -> Line:
    levels = on_axis(analysis, series)
    points = tuple(point for level in levels if (point := _point(analysis, series, level, metric)) is not None)
    label = analysis.round.label(series.id)
    name = same(label) if role == "measured" else Text(zh=f"{label} 下限", en=f"{label} floor")
    return Line(name, series.id, role, points)


def _point(analysis: Analysis, series: Series, level: Level, metric: str) -> Point | None:
    value = analysis.frame.of_level(metric, series.id, level.id)
    if not value.value:
        return None
    spoilt = why_spoilt(analysis, (series, level)) if metric == "itl_p50" else None
    return Point(level.load, from_base(value.value, "ms"), level.id, value.address, spoilt)


def _title(analysis: Analysis) -> Sentence:
    contenders = _at_highest_load(analysis)
    if not contenders:
        return say(zh="解码步长随负载的变化", en="Decode step versus load")
    if len(contenders) > 1 and not _can_be_ranked(analysis, contenders):
        return _unranked(contenders)
    _, series, level = max(contenders, key=lambda row: row[0])
    return Sentence(
        _closest(contenders, analysis.round.series),
        {
            "series": SeriesName(series.id),
            "level": LevelName(series.id, level.id),
            "ratio": _ratio(series, level),
        },
    )


def _can_be_ranked(analysis: Analysis, contenders: Sequence[Contender]) -> bool:
    """Say whether a difference is more than chance: no small single runs, and no trials that overlap the best."""
    if any(level.from_runs and is_small_run(analysis, (series, level)) for _, series, level in contenders):
        return False
    values = [analysis.frame.of_level("floor_ratio", series.id, level.id) for _, series, level in contenders]
    best, *others = sorted(values, key=lambda value: value.value or 0.0, reverse=True)
    lowest = best.low or best.value or 0.0
    return all((other.high or other.value or 0.0) < lowest for other in others)


def _unranked(contenders: Sequence[Contender]) -> Sentence:
    told = (
        say(zh="{s} 为 {ratio}", en="{ratio} on {s}", s=SeriesName(series.id), ratio=_ratio(series, level))
        for _, series, level in contenders
    )
    _, series, level = contenders[0]
    return say(
        zh="在 {level}，下限 ÷ 步长：{told}",
        en="Floor ÷ step at {level}: {told}",
        level=LevelName(series.id, level.id),
        told=Listing(tuple(told)),
    )


def _ratio(series: Series, level: Level) -> Quantity:
    return level_value("floor_ratio", series.id, level.id)


OF_TWO = Text(
    zh="两者之中 {series} 更接近下限：{level} 时下限是步长的 {ratio}",
    en="Of the two, {series} stays closer to its floor: at {level} the floor is {ratio} of its step",
)
OF_SEVERAL = Text(
    zh="在 {level}，{series} 最接近下限：下限是步长的 {ratio}",
    en="At {level} {series} is closest to its floor, which is {ratio} of its step",
)
ALONE = Text(
    zh="在 {level}，{series} 的下限是步长的 {ratio}",
    en="At {level} the floor of {series} is {ratio} of its step",
)


def _closest(contenders: Sequence[object], series: Sequence[Series]) -> Text:
    """Return how the winner is told: against nobody, against the only other one, or against several."""
    if len(contenders) == 1:
        return ALONE
    return OF_TWO if len(series) == len(contenders) == PAIR else OF_SEVERAL


def _at_highest_load(analysis: Analysis) -> list[Contender]:
    """Return whose floor is how much of its step at the highest load at which anybody's floor is known."""
    known = [
        (value.value, series, level)
        for series in analysis.round.series
        for level in on_axis(analysis, series)
        if level in analysis.usable(series.id)
        and (value := analysis.frame.of_level("floor_ratio", series.id, level.id)).value is not None
    ]
    top = max((level.load for _, _, level in known), default=None)
    return [row for row in known if row[2].load == top]


def _caption(analysis: Analysis, spoilt: Sequence[str], *, has_floor: bool) -> Sentence:
    told = [
        say(zh="双对数坐标。", en="Both axes are logarithmic."),
        *left_off(analysis),
        say(zh="实线是实测 ITL p50。", en="Solid lines are the measured ITL p50."),
    ]
    if has_floor:
        told.append(
            say(
                zh="虚线是下限：（每步权重 + 一起解码的请求 × 每条的 KV）÷ 显存带宽。",
                en="Dashed lines are the floor: (weights per step + requests decoded together × KV of each) ÷ memory "
                "bandwidth.",
            )
        )
    if spoilt:
        told.append(
            say(
                zh="空心点是 {series} 已排除的档位。",
                en="Hollow points are excluded levels of {series}.",
                series=series_names(spoilt),
            )
        )
    return passage(*told)


def _missing(analysis: Analysis) -> Missing:
    left = left_off(analysis)
    if left:
        return Missing(passage(Sentence(NO_AXIS), *left))
    return Missing(by_kind_of_data(analysis.round.series, runs=NO_STEP_IN_RUNS, table=NO_STEP_IN_TABLE))


ONE_LOAD: Final = Text(
    zh="每个系列只有一种负载的 ITL p50，画不成曲线。",
    en="The decode step cannot be drawn over the load: no series has an ITL p50 at more than one.",
)
NO_AXIS: Final = Text(
    zh="没有一档既有 ITL p50，又能放在负载轴上。",
    en="The decode step cannot be drawn: no level with an ITL p50 has a place on the axis.",
)


NO_STEP_IN_RUNS: Final = Text(
    zh="没有系列的 ITL p50 可画。导入明细结果（vLLM bench 用 --save-detailed）即可。",
    en="The decode step cannot be drawn: no series has an ITL p50 to draw. Import detailed results (--save-detailed of "
    "vLLM bench).",
)
NO_STEP_IN_TABLE: Final = Text(
    zh="没有系列记录了 ITL p50。补上 itl_p50_ms 一列即可。",
    en="The decode step cannot be drawn: no series has an ITL p50. Fill in the column itl_p50_ms.",
)
