"""Which of two series is ahead at which load, in each quantity that a choice goes by."""

from __future__ import annotations

from typing import Final

from generator.deciding.leads import common_levels, pairs_of
from generator.deciding.strips import lead_strips
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import LOAD_LABELS
from generator.text import Text
from generator.told.figure_model import Axis, FigureModel, LeadPlot
from generator.told.sentence import Sentence, SeriesName, say


@figure
def guide_leads(analysis: Analysis) -> FigureModel | Missing:
    """Draw a strip for each quantity of each pair."""
    strips = lead_strips(analysis)
    if not strips:
        return Missing(Sentence(NOTHING))
    loads = sorted({level.load for pair in pairs_of(analysis) for level in common_levels(analysis, pair)})
    return FigureModel(
        key="guide_leads",
        title=say(zh="什么负载谁领先", en="Which series leads at which load"),
        caption=say(
            zh="每个系列都与基线 {baseline} 相比。横轴是对数坐标，刻度是计入的档位。实心：两侧的档位由同一个领先，都足以据此选择。斜线：未定，颜色只表示哪一方的数更好：领先者在这里更替，或某一侧差距太小、存疑，或中间隔着不计在内的档位。空心：两端之外，只是外推。",
            en="Each series is compared with the baseline, {baseline}. The x axis is logarithmic, with a tick at each level that counts. Solid: the same one leads at the levels on both sides, "
            "surely enough to choose by. Hatched: open, and the colour only says whose number is better: the lead changes here, or is too small or in doubt at one of the levels, or a level that does not "
            "count lies in between. Empty: beyond the levels, extrapolated.",
            baseline=SeriesName(strips[0].sides[0]),
        ),
        plot=LeadPlot(Axis(LOAD_LABELS[analysis.round.load_kinds[0]], "", "log", tuple(loads)), strips),
        accents=analysis.round.accents,
    )


NOTHING: Final = Text(
    zh="画不出谁领先：没有两个系列在两个以上的共同档位有可比的数。",
    en="Who leads cannot be drawn: no two series have numbers to compare at two shared levels or more.",
)
