"""How full the KV pool was over the tokens that are in flight at full length, with both positions of the cliff."""

from __future__ import annotations

from typing import Final

from generator.across.cliffs import cliff_marks, climbed, with_cliff
from generator.across.levels import at_level, number_at, why_spoilt
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import Series
from generator.text import Text, same
from generator.told.figure_model import Axis, FigureModel, Line, LinePlot, Point
from generator.told.sentence import Sentence, say

TOKENS: Final = "cliff_tokens"
PERCENT: Final = 100
USES: Final = ("gauge_kv_usage_most", "kv_pool_share")
"""What the engine was sampled to say; where it says nothing, what requests at full length would take of the pool."""
BY_ARITHMETIC: Final = Text(zh="{s}（算得）", en="{s} (arithmetic)")


@figure
def cliff_kv_use(analysis: Analysis) -> FigureModel | Missing:
    """Draw one line a series: the most that was in use at each level."""
    told = with_cliff(analysis)
    lines = {series: line for series in told if len((line := _line(analysis, series)).points) > 1}
    if not lines:
        return Missing(Sentence(NOTHING))
    loads = sorted({point.x for line in lines.values() for point in line.points})
    marks = cliff_marks(analysis, tuple(lines), loads, TOKENS)
    return FigureModel(
        key="cliff_kv_use",
        title=say(zh="KV 池占用与在途 token", en="Use of the KV pool and tokens in flight"),
        caption=say(
            zh="横轴是全部在途请求都到最大长度时的 token 数，竖线是预测与实测的悬崖。纵轴：实线是引擎采样里的最大占用；虚线的系列没有采样，是这些 token 要占池的多少，超过 100% 就是放不下。",
            en="x axis: the tokens of all requests in flight at full length; vertical lines are the predicted and the observed cliff. "
            "y axis: solid, the most that the engine was sampled to have in use; dashed, of a series without samples, what these tokens "
            "would need of its pool: above 100% they do not fit.",
        ),
        plot=LinePlot(
            Axis(Text(zh="在途 token", en="tokens in flight"), "tok", "log", tuple(loads)),
            Axis(Text(zh="KV 池占用", en="KV pool use"), "%", "linear"),
            tuple(lines.values()),
            tuple(marks),
        ),
        accents=analysis.round.accents,
    )


def _line(analysis: Analysis, series: Series) -> Line:
    label = analysis.round.label(series.id)
    sampled, computed = (_points(analysis, series, use) for use in USES)
    if len(sampled) > 1:
        return Line(same(label), series.id, "measured", sampled)
    return Line(BY_ARITHMETIC.format(s=label), series.id, "floor", computed)


def _points(analysis: Analysis, series: Series, use: str) -> tuple[Point, ...]:
    return tuple(
        Point(tokens, PERCENT * share, level.id, at, why_spoilt(analysis, (series, level)))
        for level in climbed(analysis, series)
        if (tokens := number_at(analysis, at_level(TOKENS, series, level)))
        and (share := number_at(analysis, at := at_level(use, series, level))) is not None
    )


NOTHING: Final = Text(
    zh="画不出 KV 池占用：没有系列在两个以上的并发采样了它，也不知道池有多大。",
    en="The use of the KV pool cannot be drawn: no series was sampled at two concurrencies or more, or has a pool of known size.",
)
