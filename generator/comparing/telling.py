"""Why a verdict is what it is, in words; numbers stand beside it in the fields of the difference."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from generator.comparing.affects import shown_sides
from generator.comparing.records import SAME_WORK, MethodKey, Setting
from generator.text import Text, same
from generator.told.quoting import listed_levels, series_names
from generator.told.sentence import Count, Listing, Sentence, SeriesName, say

ASSUMPTIONS: Final[dict[MethodKey, Text]] = {
    "welch": Text(
        zh="对各次运行的对数做 Welch t 检验：以一次运行为单位，假定各次运行相互独立、对数大致正态，两边的方差可以不同。"
        "比值是几何平均之比，区间由对数区间取指数而来。",
        en="Welch's t test on the logarithms of the trials. A trial is the unit: trials are taken to be independent, "
        "and their logarithms roughly normal, with a variance of its own on each side. The ratio is that of geometric "
        "means, and its interval is that of the logarithms, exponentiated.",
    ),
    "blocks": Text(
        zh="单次运行之内、按时间先后的分块自助法：假定这段时间里的情形是平稳的。区间只反映一次运行之内的波动，"
        "换一次运行会差多少无从得知。",
        en="A bootstrap over blocks of one run, in the order of time; the run is taken to be stationary. The interval "
        "covers what varies within a run. How much another run would differ is unknown.",
    ),
    "noise": Text(
        zh="只有汇总的数字：没有区间，也没有 p 值，只与噪声阈值比较。",
        en="Only summary values are available: there is no interval and no p value, so the change is compared with a "
        "noise bound.",
    ),
    "exact": Text(
        zh="对失败数做 Fisher 精确检验：假定每条请求是否失败相互独立。",
        en="Fisher's exact test on counts of failures: it assumes that requests fail independently.",
    ),
    "identical": Text(
        zh="两边是同一份数据，没有什么可检验。", en="Both sides are the same data: there is nothing to test."
    ),
    "none": Text(zh="没有可检验的数字。", en="There are no numbers to test."),
}
"""Method -> what it does, and what it takes for granted."""


ONE_RUN: Final = say(
    zh="每边只有一次运行：运行之间的波动未知，这里的数字只能作参考。",
    en="Each round has a single run, so run-to-run variation is unknown and the numbers are suggestive at best.",
)
UNEVEN_RUNS: Final = say(
    zh="只有一边测了多次：另一边的波动未知，两边按汇总的数字比较。",
    en="One side alone has several trials: how far the other varies is unknown, and the summaries are compared.",
)
FEW_TRIALS: Final = say(zh="每边至少要有三次运行才下结论。", en="A verdict needs at least three trials on each side.")
NO_SPREAD: Final = say(
    zh="各次运行的数字一个也不差，看不出噪声有多大：或许经过了取整。",
    en="No trial differs from another, so how large the noise is cannot be seen; the numbers may have been rounded.",
)
NOT_FOUND: Final = say(
    zh="差别没有超出噪声；这不等于相同。",
    en="No difference exceeds the noise. That does not show the sides to be equal.",
)
ONE_OF_MANY: Final = say(
    zh="单独检验时显著；对同时检验的各行做多重比较校正后不显著，不下结论。",
    en="Significant on its own, but not after correction for all the rows that were tested.",
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
    zh="这一系列此前可比的轮次太少，噪声阈值用的是默认值。",
    en="Too few earlier rounds of this series used the same settings, so the default noise bound applies.",
)
HISTORY_BOUND: Final = say(
    zh="噪声阈值取自这一系列此前设置相同的各轮。",
    en="The noise bound is taken from earlier rounds of this series with the same settings.",
)
SET_BOUND: Final = say(
    zh="噪声阈值是写定的。",
    en="The noise bound is the one that was set, on the command line or in round.toml.",
)
FEW_SAMPLES: Final = say(zh="请求太少，撑不起这个分位数。", en="There are too few requests for this percentile.")
ZERO_BASE: Final = say(zh="有一边是零：没有比值可言。", en="One side is zero: there is no ratio.")
UNEVEN_FAILURES: Final = say(
    zh="同一边的几次运行，失败率也不一样：失败是成批出现的，精确检验的前提不成立。",
    en="Failure rates differ between the trials of one side: failures cluster, and the exact test does not hold.",
)
IDENTICAL: Final = say(
    zh="两边的数据完全相同：是同一次运行。",
    en="The data of both sides are identical: they are of one and the same run.",
)
RELABELLED: Final = say(
    zh="两边的数据完全相同，说明却不同：至少有一边标错了。",
    en="The data of both sides are identical, and what is said of them is not: one of them at least is mislabelled.",
)
COPIES: Final = say(zh="有几次运行互为副本，只算一次。", en="Some of the trials are copies of one run, and count once.")
SHARED_RUN: Final = say(
    zh="有一次运行同时在两边：检验要求各次运行相互独立，不下结论。",
    en="A run is on both sides: the test takes runs to be independent, so nothing is concluded.",
)
NO_DIRECTION: Final = say(zh="这个量没有好坏之分。", en="Neither direction of this quantity is better.")
OTHER_OUTPUT: Final = say(
    zh="两边产出的答案长短不同，这个量随答案的长短而变：差别归于引擎还是归于长短，分不开。",
    en="The answers of both sides are not of one length, and this quantity changes with their length: what is due to "
    "the engine cannot be separated from what is due to the length.",
)
OTHER_WORK: Final = say(zh="两边被要求做的事不同。", en="The sides were not asked to do the same work.")
SPOILT: Final = say(zh="有一边的这一档没有通过自检。", en="On one side this level did not pass the self-checks.")
ALL_FAILED: Final = say(zh="有一边的请求全部失败。", en="On one side every request failed.")
ONE_SIDED: Final = say(zh="只有一边有这个数字。", en="Only one side has this number.")
UNKNOWN_SETTINGS: Final = say(
    zh="有些设置至少一方没有记录，不能当作相同。",
    en="Some settings are not recorded on at least one side, so they cannot be assumed equal.",
)
NO_SERIES: Final = say(zh="两轮没有同名的系列。", en="The rounds share no series.")
NO_LEVEL: Final = say(zh="两轮没有负载相同的档。", en="The rounds share no level of the same load.")
MOST_APART: Final = same(f"{SAME_WORK:.0%}")
NOTHING_LEFT: Final = say(zh="没有一行可比。", en="No row can be compared.")


def changed_at_once(count: int) -> Sentence:
    """Say that too much changed for a cause to be named."""
    return say(
        zh="同时有 {n} 项改动，无法区分差别由哪一项引起。",
        en="{n} settings changed at once, so the difference cannot be attributed to any one of them.",
        n=Count(count),
    )


def other_lengths(series: str, levels: Collection[str]) -> Sentence:
    """Say at which levels the lengths that were asked for differ."""
    return say(
        zh="{series} 在 {levels}，两轮的 prompt 长度或要求的输出长度相差超过 {most}：这些档不比较。",
        en="At {levels} of {series}, prompts or the output asked for differ in length by more than {most}: these "
        "levels are not compared.",
        series=SeriesName(series),
        levels=listed_levels(series, levels),
        most=MOST_APART,
    )


def other_output(series: str, levels: Collection[str]) -> Sentence:
    """Say at which levels the answers are not of one length, and which rows that confounds."""
    return say(
        zh="{series} 在 {levels}，两轮平均每条请求的输出长度，或提前结束的答案所占的比例，相差超过 {most}："
        "E2EL 与各种吞吐因此有混杂因素。",
        en="At {levels} of {series}, the mean output of a request, or the share of answers that ended early, differs "
        "by more than {most}: this confounds E2EL and every throughput.",
        series=SeriesName(series),
        levels=listed_levels(series, levels),
        most=MOST_APART,
    )


def might_pair(lines: Collection[str]) -> Sentence:
    """Say what to write where series of other ids are meant to be the same."""
    return say(
        zh="若本是同一系列而改了名，请写明：{lines}；或在 round.toml 的 [round] 里写 pairs。不写明就不配对。",
        en="Where they are one series under two names, say so: {lines}, or pairs in [round] of round.toml. None is "
        "taken for another unasked.",
        lines=Listing(tuple(same(line) for line in lines)),
    )


def changed_together(series: str, count: int, titles: Iterable[Text]) -> Sentence:
    """Say of which series too much changed for a cause to be named, and what."""
    return say(
        zh="{series} 同时有 {n} 项改动（{what}），差别无法归因于其中任何一项。",
        en="For {series}, {n} settings changed at once ({what}): no difference can be attributed to any one of them.",
        series=SeriesName(series),
        n=Count(count),
        what=Listing(tuple(titles)),
    )


def one_sided_levels(round_id: str, series: Sequence[str], levels: Collection[str]) -> Sentence:
    """Say which levels of one or more series only one of the rounds has."""
    return say(
        zh="{series} 的 {levels} 只有 {round} 测过。",
        en="Only {round} has {levels} of {series}.",
        round=same(round_id),
        series=series_names(series),
        levels=listed_levels(series[0], levels),
    )


def one_sided_series(round_id: str, series: Collection[str]) -> Sentence:
    """Say which series only one of the rounds has."""
    return say(
        zh="只有 {round} 有 {series}。",
        en="Only {round} has {series}.",
        round=same(round_id),
        series=Listing(tuple(same(one) for one in series)),
    )


def other_settings(settings: Iterable[Setting]) -> Sentence:
    """Say which settings differ, with what each side has."""
    told = tuple(_both_sides(one) for one in settings)
    return say(zh="两边不同的是：{what}。", en="What differs: {what}.", what=Listing(told))


def _both_sides(setting: Setting) -> Sentence:
    base, head = shown_sides(setting)
    return say(
        zh="{title}（{base} → {head}）", en="{title} ({base} → {head})", title=setting.title, base=base, head=head
    )


METHODS: Final[dict[MethodKey, Text]] = {
    "welch": same("Welch t"),
    "blocks": Text(zh="分块自助法", en="block bootstrap"),
    "noise": Text(zh="噪声阈值", en="noise bound"),
    "exact": Text(zh="Fisher 精确检验", en="Fisher's exact test"),
    "identical": Text(zh="同一份数据", en="the same data"),
    "none": Text(zh="无", en="none"),
}
"""What a method is called."""
USUAL_REASONS: Final = frozenset({
    ONE_RUN.text, UNEVEN_RUNS.text, FEW_TRIALS.text, NOT_FOUND.text, DEFAULT_BOUND.text, HISTORY_BOUND.text,
    SET_BOUND.text, SHARED_RUN.text, OTHER_OUTPUT.text, WITHIN_MARGIN.text, IDENTICAL.text, ONE_SIDED.text,
    OTHER_WORK.text,
    changed_at_once(0).text,
})  # fmt: skip
"""Reasons that most rows of a comparison share: said once for all of them, not in each."""
