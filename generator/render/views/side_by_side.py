"""The page that lays any two rounds side by side: what its script needs, and the pairs that have verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from generator.analysis.graph import Graph
from generator.comparing.records import SAME_WORK
from generator.comparing.states import STATES
from generator.comparing.usual import USUAL_METRICS
from generator.kinds import Metric
from generator.render.diff.words import WORDS as DIFF_WORDS
from generator.render.files.summary import Summary
from generator.render.wording.numbers import unit_sign
from generator.render.wording.phrases import ARROWS
from generator.text import Lang, Text

FIRST: Final = ("output_throughput", "ttft_p50", "ttft_p99", "itl_p50", "e2el_p50", "failed")
"""What is shown unless all statistics are asked for."""
SIDES: Final[Mapping[str, Text]] = {"base": Text(zh="基准轮", en="base"), "head": Text(zh="对比轮", en="head")}
"""What the sides are called, whichever rounds are chosen."""
WORDS: Final[Mapping[str, Text]] = {
    "title": Text(zh="任选两轮并排比较", en="Any two rounds side by side"),
    "lead": Text(
        zh="选两轮，就列出两边都有的档位、各量之差，以及已知有哪些条件不同。这里不下判定：差别是否超出噪声，"
        "要看下面列出的对比页，或运行 rounds diff。",
        en="Choose two rounds: the levels that both have are listed with their differences, and so are the conditions "
        "known to differ. No verdict is given here; whether a difference exceeds the noise is told by the comparisons "
        "listed below, or by rounds diff.",
    ),
    "base_link": Text(zh="基准轮：", en="base: "),
    "head_link": Text(zh="对比轮：", en="head: "),
    "choose": Text(zh="选两轮", en="Two rounds"),
    **SIDES,
    "swap": Text(zh="对调", en="Swap"),
    "without_script": Text(
        zh="任选两轮要用到 JavaScript；下面是已经生成的对比页。",
        en="Choosing takes JavaScript. The comparisons below are there without it.",
    ),
    "built": Text(zh="已有判定的对比", en="Comparisons with verdicts"),
    "built_lead": Text(
        zh="同一模型、有共同引擎的相邻两轮，附统计检验、区间与判定。",
        en="Neighbouring rounds of one model with an engine in common, with tests, intervals and verdicts.",
    ),
    "none_built": Text(zh="没有相邻而可比的两轮。", en="No two neighbouring rounds can be compared."),
    "against": Text(zh="{head} 与 {base} 相比", en="{head} compared with {base}"),
    "has_page": Text(zh="这两轮有带统计与判定的对比页：", en="These two have a page with statistics and verdicts: "),
    "no_page": Text(zh="带统计与判定的对比，在命令行运行：", en="For statistics and verdicts, on the command line: "),
    "same_round": Text(zh="两边是同一轮：请选另一轮。", en="Both sides are the same round: choose another one."),
    "same_data": Text(zh="两边是同一份数据。", en="Both sides are the same data."),
    "unloaded": Text(zh="读不到 {round} 的数据。", en="The data of {round} could not be loaded."),
    "other_model": Text(
        zh="不可比：模型不同（{base}，{head}）。", en="Not comparable: the models differ ({base}, {head})."
    ),
    "other_work": Text(zh="不可比，不同的是：{what}。", en="Not comparable: they differ in {what}."),
    "no_pair": Text(
        zh="两轮没有同名的系列。可以在下面指定哪一个与哪一个比较。",
        en="No series has the same name in both. Choose below which series to compare with which.",
    ),
    "no_level": Text(zh="没有负载相同的档位。", en="There is no level of the same load."),
    "changed": Text(
        zh="已知有 {n} 项设置不同，{m} 项至少一方没有记录：差别不能归因于其中任何一项。",
        en="{n} {n:setting is|settings are} known to differ, and {m} {m:is|are} not recorded on at least one side: no "
        "difference can be attributed to any one of them.",
    ),
    "unchanged": Text(
        zh="已记录的设置都相同；{m} 项至少一方没有记录。",
        en="All settings on record are the same; {m} {m:is|are} not recorded on at least one side.",
    ),
    "pairing": Text(zh="系列的对应关系", en="Which series with which"),
    "nothing": Text(zh="不比较", en="none"),
    "all": Text(zh="显示全部统计量", en="Show all statistics"),
    "rows": Text(zh="逐项之差", en="Differences"),
    "rows_caption": Text(zh="两轮都有的档位；Δ = 对比轮 − 基准轮", en="Levels that both rounds have; Δ = head − base"),
    "one_sided": Text(zh="{n} 行只有一边有", en="{n} {n:row|rows} on one side only"),
    "settings": Text(zh="条件的异同", en="Conditions"),
    "settings_caption": Text(zh="不同的设置", en="Settings that differ"),
    "floors": DIFF_WORDS["floors"],
    "floors_lead": DIFF_WORDS["floors_lead"],
    "unknown": Text(zh="{n} 项至少一方没有记录", en="{n} {n:setting|settings} not recorded on at least one side"),
    "equal": Text(zh="{n} 项相同", en="{n} {n:setting|settings} the same"),
    "quantity": Text(zh="量", en="quantity"),
    "found": Text(zh="数值异同", en="numbers"),
    "setting": Text(zh="设置", en="setting"),
    "series": Text(zh="系列", en="series"),
    "affects": Text(zh="可能影响", en="what it can affect"),
    "differs": Text(zh="≠ 数值不同", en="≠ numbers differ"),
    "same": Text(zh="= 数值相同", en="= numbers equal"),
    "spoilt": STATES["spoilt"],
    "incomparable": STATES["other_work"],
    "other_lengths": Text(zh="请求长度不同", en="other lengths"),
    "only_base": STATES["only_base"].format(**SIDES),
    "only_head": STATES["only_head"].format(**SIDES),
    "not_given": Text(zh="未指定", en="not given"),
    "not_recorded": Text(zh="没有记录", en="not recorded"),
    "flags": Text(zh="启动参数", en="flags"),
    "recorded": Text(zh="有记录", en="on record"),
    "between": Text(zh="、", en=", "),
}  # fmt: skip
"""The words of the page."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The page: the rounds to choose among, the newest first, and the pairs that are built, as (base, head).

    ``comparable`` are those of the built ones in which something can be compared.
    """

    words: Mapping[str, str]
    rounds: Sequence[Summary]
    built: tuple[tuple[str, str], ...]
    comparable: tuple[tuple[str, str], ...]
    data: Mapping[str, Any]

    @property
    def first(self) -> tuple[str, str] | None:
        """Return the pair that is shown at first: the newest comparable one, else a built one, else two new ones."""
        for pairs in (self.comparable, self.built):
            if pairs:
                return pairs[0]
        return (self.rounds[1].id, self.rounds[0].id) if len(self.rounds) > 1 else None


def side_by_side(
    rounds: Sequence[Summary],
    built: Mapping[tuple[str, str], bool],
    graph: Graph,
    lang: Lang,
) -> SideBySide:
    """Return the page in one language.

    Args:
        rounds: all rounds, the newest first.
        built: the pairs that have a page, as (base, head), the newest first; whether anything of them is comparable.
        graph: the metrics.
        lang: the language.
    """
    words = {key: text[lang] for key, text in WORDS.items()}
    metrics = {key: _metric(graph.metrics[key, None], lang) for key in USUAL_METRICS}
    data = {
        "words": words,
        "metrics": metrics,
        "order": USUAL_METRICS,
        "first": FIRST,
        "sameWork": SAME_WORK,
        "lang": lang,
    }
    return SideBySide(
        words, rounds, tuple(built), tuple(pair for pair, is_comparable in built.items() if is_comparable), data
    )


def _metric(metric: Metric, lang: Lang) -> dict[str, str]:
    return {
        "title": metric.title[lang],
        "unit": unit_sign(metric.unit, metric.style),
        "arrow": ARROWS[metric.better][lang],
    }
