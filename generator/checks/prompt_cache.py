"""Did a prompt cache answer requests whose prefill the other series had to pay for?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.findings import Finding
from generator.frame import Analysis
from generator.kinds import check
from generator.levels import by_kind_of_data
from generator.model import Series
from generator.sentence import LevelName, Quantity, SeriesName, say
from generator.text import Text
from generator.values import Value

NEGLIGIBLE: Final = 0.01
"""A hit ratio below this moves a throughput less than runs differ."""


FOR_RUNS: Final = Text(
    zh="压测结果里没有命中数：关掉前缀缓存，或每次用新的 prompt；服务端 /metrics 里的命中计数可以证实。",
    en="The client's results hold no hits: switch the prefix cache off or use new prompts for each run; the hit counters at the server's /metrics confirm it.",
)
FOR_TABLES: Final = Text(
    zh="记录服务端日志或 /metrics 里的命中计数，写进 prompt_cache_hits 一列。",
    en="Record the hits from the server's log or /metrics in the column prompt_cache_hits.",
)


@check(
    title=Text(zh="prompt cache 命中", en="Prompt-cache hits"),
    question=Text(
        zh="有多少请求的 prefill 被缓存省掉了？", en="How many requests were spared their prefill by a cache?"
    ),
)
def prompt_cache(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [_examine(analysis, series) for series in analysis.round.series]


def _examine(analysis: Analysis, series: Series) -> Finding:
    ratios = [analysis.frame.of_level("prompt_cache_hit_ratio", series.id, level.id) for level in series.levels]
    known = [value for value in ratios if value.value is not None]
    if not known:
        return _unknown(series)
    hit = [value for value in known if (value.value or 0.0) > NEGLIGIBLE]
    return _hits(series, known, hit) if hit else _hardly_any(series, known)


def _hits(series: Series, known: list[Value], hit: list[Value]) -> Finding:
    worst = max(hit, key=lambda value: value.value or 0.0).address
    return Finding(
        check="prompt_cache",
        status="warn",
        series=series.id,
        levels=tuple(value.address.level or "" for value in hit),
        evidence=tuple(value.address for value in known),
        message=say(
            zh="{series} 有请求命中 prompt cache，最多的是 {level}：{ratio} 的请求省掉了 prefill。",
            en="Requests to {series} hit a prompt cache, most of all at {level}, where {ratio} were spared their "
            "prefill.",
            series=SeriesName(series.id),
            level=LevelName(series.id, worst.level or ""),
            ratio=Quantity(worst),
        ),
        bias=say(
            zh="命中偏向 {series}：它的 TTFT 与吞吐显得更好，解码步长不受影响。",
            en="Hits favour {series}: its TTFT and throughput are flattered; its decode step is not.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="关掉 prompt cache（llama-server：--cache-ram 0 --slot-prompt-similarity 0；vLLM：--no-enable-prefix-caching；"
            "SGLang：--disable-radix-cache），每一档换 seed 重跑。",
            en="Switch the prompt cache off (llama-server: --cache-ram 0 --slot-prompt-similarity 0; vLLM: "
            "--no-enable-prefix-caching; SGLang: --disable-radix-cache) and run again with a new seed at each level.",
        ),
    )


def _hardly_any(series: Series, known: list[Value]) -> Finding:
    worst = max(known, key=lambda value: value.value or 0.0)
    name = SeriesName(series.id)
    return Finding(
        check="prompt_cache",
        status="pass",
        series=series.id,
        levels=tuple(value.address.level or "" for value in known),
        evidence=tuple(value.address for value in known),
        message=say(
            zh="{series} 的 prompt cache 命中率最高只有 {ratio}，可以忽略。",
            en="At most {ratio} of the requests to {series} hit a prompt cache, which is negligible.",
            series=name,
            ratio=Quantity(worst.address),
        )
        if worst.value
        else say(
            zh="在有记录的档位上，没有请求命中 {series} 的 prompt cache。",
            en="At the levels on record no request to {series} hit a prompt cache.",
            series=name,
        ),
    )


def _unknown(series: Series) -> Finding:
    return Finding(
        check="prompt_cache",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 没有记录缓存命中数；启动参数就算关了缓存，也没有计数器可以证实。",
            en="Cache hits of {series} were not recorded; even where its flags switch the cache off, no counter "
            "confirms it.",
            series=SeriesName(series.id),
        ),
        remedy=by_kind_of_data([series], runs=FOR_RUNS, table=FOR_TABLES),
    )
