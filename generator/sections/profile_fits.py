"""Which distributions stand for the load in a plan, and how far they are from it."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Heading, Paragraph, Row, Table
from generator.told.quoting import round_value
from generator.told.sentence import Sentence, say

POOR: Final = 0.1
"""Distance from which on a distribution is told to stand badly for what it was fitted to."""
NOTHING: Final = same("")


@section()
def profile_fits(analysis: Analysis) -> Chapter | None:
    """Print each fit with its distance; nothing where nothing could be fitted."""
    if analysis.round.profile is None:
        return None
    rows = [row for row in (*_lengths(analysis), *_gaps(analysis)) if row is not None]
    if not rows:
        return None
    headings = (
        Heading(say(zh="拟合", en="what was fitted"), is_text=True),
        Heading(say(zh="位置 μ", en="location μ")),
        Heading(say(zh="σ 或形状", en="σ or shape")),
        Heading(say(zh="KS 距离", en="KS distance")),
    )
    caption = say(zh="拟合的分布与真实的差距", en="Fitted distributions, and how far they are from the load")
    table = Table("profile-fits-table", caption, headings, tuple(rows))
    return Chapter(say(zh="拟合", en="Fits"), (Paragraph(_intro(analysis)), table))


def _intro(analysis: Analysis) -> Sentence:
    keys = ("traffic_input_ks", "traffic_output_ks", "traffic_gap_gamma_ks")
    distances = [value for key in keys if (value := analysis.frame.of_round(key).value) is not None]
    profile = analysis.round.profile
    if profile is None or profile.input is None or profile.output is None:
        return KS
    if max(distances, default=0.0) > POOR:
        return say(
            zh="KS 距离是两条累积曲线之间的最大差距。这里有的差得太多：要代表这份负载，用逐条重放的计划（rounds profile … --plan）比用分布稳妥。",
            en="The KS distance is the largest difference of the two cumulative curves. Some are far apart here: a plan that replays the "
            "requests themselves (rounds profile … --plan) stands for this load better than distributions do.",
        )
    return say(
        zh="KS 距离是两条累积曲线之间的最大差距。这里都不大，按分布生成的负载（rounds profile … --plan … --fitted）可以代表它。",
        en="The KS distance is the largest difference of the two cumulative curves. All are small here: a load drawn from these "
        "distributions (rounds profile … --plan … --fitted) can stand for this one.",
    )


KS: Final = say(
    zh="KS 距离是两条累积曲线之间的最大差距；长度不知道，光凭到达写不成压测计划。",
    en="The KS distance is the largest difference of the two cumulative curves. Without the lengths, arrivals alone make no plan.",
)


def _lengths(analysis: Analysis) -> list[Row | None]:
    names = {
        "input": Text(zh="输入长度，对数正态", en="input length, lognormal"),
        "output": Text(zh="输出长度，对数正态", en="output length, lognormal"),
    }
    return [
        _row(analysis, name, f"traffic_{side}_mu", f"traffic_{side}_sigma", f"traffic_{side}_ks")
        for side, name in names.items()
    ]


def _gaps(analysis: Analysis) -> list[Row | None]:
    poisson, gamma = Text(zh="到达间隔，Poisson", en="gaps, Poisson"), Text(zh="到达间隔，gamma", en="gaps, gamma")
    return [
        _row(analysis, poisson, "", "", "traffic_gap_poisson_ks"),
        _row(analysis, gamma, "", "traffic_gap_shape", "traffic_gap_gamma_ks"),
    ]


def _row(analysis: Analysis, name: Text, *keys: str) -> Row | None:
    if analysis.frame.of_round(keys[-1]).value is None:
        return None
    return Row((name, *(round_value(key) if key else NOTHING for key in keys)))
