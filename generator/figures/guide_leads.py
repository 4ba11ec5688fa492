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
        title=say(zh="什么负载由谁领先", en="Which series leads at which load"),
        caption=say(
            zh="每个系列都与基线 {baseline} 相比。横轴是对数坐标，刻度是计入的档位。画斜线的各段没有可用的测量作依据：两端之外只是外推，中间要么是领先者在两档之间更替，要么跨过了不计在内的档位。",
            en="Each series is compared with the baseline, {baseline}. The x axis is logarithmic, with a tick at each level that counts. Hatched stretches rest on no usable "
            "measurement: at the ends they only extend the outermost result; in between, the lead changes from one level to the next, or a level that does not count is passed over.",
            baseline=SeriesName(strips[0].sides[0]),
        ),
        plot=LeadPlot(Axis(LOAD_LABELS[analysis.round.load_kinds[0]], "", "log", tuple(loads)), strips),
        accents=analysis.round.accents,
    )


NOTHING: Final = Text(
    zh="画不出由谁领先：没有两个系列在两个以上的共同档位有可比的数。",
    en="Who leads cannot be drawn: no two series have numbers to compare at two shared levels or more.",
)
