"""Why a verdict is what it is, in words; numbers stand beside it in the fields of the difference."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from generator.comparing.affects import shown
from generator.comparing.records import MethodKey, Setting
from generator.sentence import Count, LevelName, Listing, Sentence, SeriesName, say
from generator.text import Text, same

ASSUMPTIONS: Final[dict[MethodKey, Text]] = {
    "welch": Text(
        zh="对各次运行的对数做 Welch t 检验：以一次运行为单位，假定各次运行相互独立、对数大致正态，两边的方差可以不同。"
        "比值是几何平均之比，区间由对数区间取指数而来。",
        en="Welch's t test on the logarithms of the trials. A trial is the unit: trials are taken to be independent, "
        "and their logarithms roughly normal, with a variance of its own on each side. The ratio is that of geometric "
        "means, and its interval is that of the logarithms, exponentiated.",
    ),
    "blocks": Text(
        zh="单次运行之内、按时间先后的分块自助法：假定这段时间里的情形是平稳的。区间只反映一次运行之内的起伏，"
        "换一次运行会差多少无从得知。",
        en="A bootstrap over blocks of one run, in the order of time; the run is taken to be stationary. The interval "
        "covers what varies within a run. How far another run would have been off is unknown.",
    ),
    "noise": Text(
        zh="只有汇总的数字：没有区间，也没有 p 值，只与噪声的界限相比。",
        en="Summaries alone: there is no interval and no p value, only a bound of the noise that the change is held "
        "against.",
    ),
    "exact": Text(
        zh="对失败数做 Fisher 精确检验：假定每条请求是否失败相互独立。",
        en="Fisher's exact test on counts of failures; requests are taken to fail independently of each other.",
    ),
    "identical": Text(
        zh="两边是同一份数据，没有什么可检验。", en="Both sides are the same data: there is nothing to test."
    ),
    "none": Text(zh="没有可检验的数字。", en="There are no numbers to test."),
}
"""Method -> what it does, and what it takes for granted."""


ONE_RUN: Final = say(
    zh="每边只有一次运行：运行之间的起伏无从得知，这里的数字至多是一种迹象。",
    en="There is one run on each side: how far runs vary is unknown, and the numbers can suggest something at most.",
)
UNEVEN_RUNS: Final = say(
    zh="只有一边测了多次：另一边的起伏无从得知，两边按汇总的数字相比。",
    en="One side alone has several trials: how far the other varies is unknown, and the summaries are compared.",
)
FEW_TRIALS: Final = say(zh="每边至少要有三次运行才下结论。", en="A verdict takes three trials on each side at least.")
NO_SPREAD: Final = say(
    zh="各次运行的数字一个也不差，看不出噪声有多大：或许经过了取整。",
    en="No trial differs from another, so how large the noise is cannot be seen; the numbers may have been rounded.",
)
NOT_FOUND: Final = say(
    zh="差别没有超出噪声；这不等于相同。",
    en="No difference stands out from the noise, which does not make the sides the same.",
)
ONE_OF_MANY: Final = say(
    zh="单看这一行，差别超出了噪声；算上同时看的其他各行，就不足以下结论。",
    en="On its own this row would stand out; among all the rows that were looked at, it does not.",
)
SMALL: Final = say(
    zh="差别测得出来，但小于算作差别的界限。",
    en="A difference is measurable, but smaller than what counts as one.",
)
WITHIN_MARGIN: Final = say(
    zh="等效检验（TOST）表明：两边的差别小于算作差别的界限。",
    en="A test of equivalence (TOST) shows the difference to be smaller than what counts as one.",
)
DEFAULT_BOUND: Final = say(
    zh="这一系列此前可比的轮次太少，噪声的界限用的是默认值。",
    en="Too few earlier rounds of this series are of the same setting: the bound of the noise is the default.",
)
HISTORY_BOUND: Final = say(
    zh="噪声的界限取自这一系列此前设置相同的各轮。",
    en="The bound of the noise is taken from earlier rounds of this series with the same setting.",
)
FEW_SAMPLES: Final = say(zh="请求太少，撑不起这个分位数。", en="There are too few requests for this percentile.")
ZERO_BASE: Final = say(zh="有一边是零：没有比值可言。", en="One side is zero: there is no ratio.")
UNEVEN_FAILURES: Final = say(
    zh="同一边的几次运行，失败率也不一样：失败是成批出现的，精确检验的前提不成立。",
    en="Trials of one side do not share a rate of failure: failures come in bursts, and the exact test does not hold.",
)
IDENTICAL: Final = say(
    zh="两边的数据完全相同：是同一次运行。",
    en="The data of both sides are identical: they are of one and the same run.",
)
COPIES: Final = say(zh="有几次运行互为副本，只算一次。", en="Some of the trials are copies of one run, and count once.")
NO_DIRECTION: Final = say(zh="这个量没有好坏之分。", en="Neither direction of this quantity is better.")
OTHER_WORK: Final = say(zh="两边被要求做的事不同。", en="The sides were not asked to do the same work.")
SPOILT: Final = say(zh="有一边的这一档没有通过自检。", en="On one side this level did not pass the self-checks.")
ALL_FAILED: Final = say(zh="有一边的请求全部失败。", en="On one side every request failed.")
ONE_SIDED: Final = say(zh="只有一边有这个数字。", en="Only one side has this number.")
UNKNOWN_SETTINGS: Final = say(
    zh="有些设置至少一边没有记录：不能当作相同。",
    en="Some settings are not on record on one side at least, and cannot be taken to be the same.",
)
NO_SERIES: Final = say(zh="两轮没有同名的系列。", en="The rounds share no series.")
NO_LEVEL: Final = say(zh="两轮没有负载相同的档。", en="The rounds share no level of the same load.")
NOTHING_LEFT: Final = say(zh="没有一行可比。", en="No row can be compared.")


def changed_at_once(count: int) -> Sentence:
    """Say that too much changed for a cause to be named."""
    return say(
        zh="同时变了 {n} 样东西：差别归于哪一样，分不开。",
        en="{n} things changed at once: what the difference is owed to cannot be told apart.",
        n=Count(count),
    )


def one_sided_levels(series: str, levels: Collection[str]) -> Sentence:
    """Say which levels only one of the rounds has."""
    names = Listing(tuple(LevelName(series, level) for level in levels))
    return say(
        zh="{series} 的 {levels} 只有一轮测过。",
        en="Only one round has {levels} of {series}.",
        series=SeriesName(series),
        levels=names,
    )


def one_sided_series(series: Collection[str]) -> Sentence:
    """Say which series only one of the rounds has."""
    return say(
        zh="只有一轮有 {series}。",
        en="Only one round has {series}.",
        series=Listing(tuple(same(one) for one in series)),
    )


def other_settings(settings: Iterable[Setting]) -> Sentence:
    """Say which settings differ, with what each side has."""
    told = tuple(
        say(
            zh="{title}（{base} → {head}）",
            en="{title} ({base} → {head})",
            title=one.title, base=shown(one.path, one.base or ""), head=shown(one.path, one.head or ""),
        )
        for one in settings
    )  # fmt: skip
    return say(zh="两边不同的是：{what}。", en="What differs: {what}.", what=Listing(told))


METHODS: Final[dict[MethodKey, Text]] = {
    "welch": same("Welch t"),
    "blocks": Text(zh="分块自助法", en="block bootstrap"),
    "noise": Text(zh="噪声的界限", en="bound of the noise"),
    "exact": Text(zh="Fisher 精确检验", en="Fisher's exact test"),
    "identical": Text(zh="同一份数据", en="the same data"),
    "none": Text(zh="无", en="none"),
}
"""What a method is called."""
USUAL_REASONS: Final = frozenset({
    ONE_RUN.text, UNEVEN_RUNS.text, FEW_TRIALS.text, NOT_FOUND.text, DEFAULT_BOUND.text, HISTORY_BOUND.text,
    WITHIN_MARGIN.text, IDENTICAL.text, ONE_SIDED.text, OTHER_WORK.text, changed_at_once(0).text,
})  # fmt: skip
"""Reasons that most rows of a comparison share: said once for all of them, not in each."""
