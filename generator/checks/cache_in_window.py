"""Was the prompt cache warm while the run was timed? What it holds is not worked out, whatever the prompts were made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across import watched
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import CACHING
from generator.told.findings import Finding
from generator.told.quoting import passage
from generator.told.sentence import Sentence, SeriesName, say

NEGLIGIBLE: Final = 0.05
"""Share of the input from the cache up to which TTFT and throughput are still those of a cold cache."""
RATIO: Final = "server_cache_hit_ratio"


@check(
    theme=CACHING,
    title=Text(zh="测量窗口内的 prompt cache", en="Prompt cache within the run"),
    question=Text(
        zh="测量期间，有多少输入是服务端直接从 prompt cache 取用的？",
        en="How much of the input did the server take from its prompt cache during the run?",
    ),
    rule=Text(
        zh="按服务端计数器在运行期间的增量（不是它启动以来的总数）：命中超过输入的 {share} 就警告。",
        en="By the growth of the server's counters over the run, and not by their totals since it was started: a warning where hits are above {share} of the input.",
    ).format(share=f"{NEGLIGIBLE:.0%}"),
    stage="conclusions",
)
def cache_in_window(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose server counts hits."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    spots = watched.spots_of(analysis, series, RATIO)
    warm = [spot for spot in spots if (amount_at(analysis, spot, RATIO) or 0.0) > NEGLIGIBLE]
    if warm:
        return [_warm(analysis, warm)]
    return [_cold(analysis, spots)] if spots else []


def _warm(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    worst = watched.most(analysis, spots, RATIO)
    name = SeriesName(worst.series.id)
    return Finding(
        check="cache_in_window",
        status="warn",
        series=worst.series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, RATIO),
        looks="better",
        message=passage(_told(worst, spots), *_computed(analysis, worst)),
        bias=say(
            zh="偏向 {series}：它的 TTFT 与吞吐不是冷缓存的数字；解码步长不受影响。",
            en="It flatters {series}: its TTFT and throughput are not those of a cold cache; its decode step is not affected.",
            series=name,
        ),
        remedy=say(
            zh="关掉 prompt cache（vLLM：--no-enable-prefix-caching），或在每次运行前重启服务端、换一个 seed；若要测热缓存，就写明。",
            en="Switch the prompt cache off (vLLM: --no-enable-prefix-caching), or start the server anew and take another seed before "
            "each run; where a warm cache is what is to be measured, say so.",
        ),
    )


def _told(worst: Spot, spots: Sequence[Spot]) -> Sentence:
    return say(
        zh="{series} 的 prompt cache 在{where}是热的：{ratio}。TTFT 与吞吐不是冷缓存的数字。",
        en="The prompt cache of {series} was warm {where}: {ratio}. TTFT and throughput are not cold numbers.",
        series=SeriesName(worst.series.id),
        where=watched.where(spots),
        ratio=watched.of_worst(
            spots,
            worst,
            say(zh="输入的 {ratio} 直接取自缓存", en="{ratio} of the input came from it", ratio=worst.value(RATIO)),
        ),
    )


def _computed(analysis: Analysis, spot: Spot) -> list[Sentence]:
    if spot.level is None or amount_at(analysis, spot, "server_computed_prompt_tokens") is None:
        return []
    computed, queried = spot.value("server_computed_prompt_tokens"), spot.value("server_prefix_cache_queries")
    return [
        say(
            zh="真正计算的只有 {queried} 中的 {computed}。",
            en="Only {computed} of {queried} were worked out.",
            computed=computed,
            queried=queried,
        )
    ]


def _cold(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    worst = watched.most(analysis, spots, RATIO)
    return Finding(
        check="cache_in_window",
        status="pass",
        series=worst.series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, RATIO),
        message=_negligible(worst) if amount_at(analysis, worst, RATIO) else _nothing_of(worst),
    )


def _negligible(worst: Spot) -> Sentence:
    return say(
        zh="{series} 的输入至多 {ratio} 取自 prompt cache，可以忽略。",
        en="At most {ratio} of the input of {series} came from its prompt cache, which is negligible.",
        series=SeriesName(worst.series.id),
        ratio=worst.value(RATIO),
    )


def _nothing_of(worst: Spot) -> Sentence:
    return say(
        zh="凡是有计数的地方，{series} 的输入没有一个 token 取自 prompt cache。",
        en="Wherever it was counted, no token of the input of {series} came from its prompt cache.",
        series=SeriesName(worst.series.id),
    )


def _nothing() -> Finding:
    return Finding(
        check="cache_in_window",
        status="pass",
        is_empty=True,
        message=say(
            zh="没有服务端的缓存命中计数，没有可检查的。",
            en="No server's count of cache hits is on record, so there is none to examine.",
        ),
    )
