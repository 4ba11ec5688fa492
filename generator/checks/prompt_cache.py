"""Did a prompt cache answer requests whose prefill the other series had to pay for?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across import watched
from generator.across.levels import by_kind_of_data
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import CACHING
from generator.told.findings import Finding
from generator.told.quoting import passage
from generator.told.sentence import LevelName, Listing, Quantity, Sentence, SeriesName, say
from generator.values import Address, Value

NEGLIGIBLE: Final = 0.01
"""A hit ratio below this moves a throughput less than runs differ."""
IN_COMMON: Final = 0.05
"""Share of the input that any prompts have in common: a start token, the head of a chat template."""
SHARES: Final = ("server_cache_hit_ratio", "log_cache_share", "log_prefix_hit_ratio_last")
"""Where shares of tokens are told: by the server's counters, by its log, and by the last line of its log."""
COUNTED: Final = SHARES[0]
OF_LINES: Final = SHARES[2]


FOR_RUNS: Final = Text(
    zh="压测结果里没有命中数：关掉 prompt cache，或每次用新的 prompt；服务端 /metrics 里的命中计数可以证实。",
    en="The client's results hold no hits: switch the prompt cache off or use new prompts for each run; the hit counters at the server's /metrics confirm it.",
)
FOR_TABLES: Final = Text(
    zh="记录服务端日志或 /metrics 里的命中计数，写进 prompt_cache_hits 一列。",
    en="Record the hits from the server's log or /metrics in the column prompt_cache_hits.",
)


@check(
    theme=CACHING,
    title=Text(zh="prompt cache 命中", en="Prompt-cache hits"),
    question=Text(
        zh="有多少请求的 prefill 被缓存省掉了？", en="How many requests were spared their prefill by a cache?"
    ),
    rule=Text(
        zh="某一档命中 prompt cache 的请求超过 {most} 就警告；没有数过请求时，看服务端计数器或日志里取自缓存的输入占比，超过 {share} 就警告（测量窗口内的计数器由另一项自检警告）。两样都没有就无从得知，启动参数不算证据。",
        en="A warning where more than {most} of the requests of a level hit a prompt cache. Where hits were not counted per request: a warning if the server's counters or log show more than {share} of the input coming from a cache (another check covers counters within the run). Without either it cannot be known, and flags are not evidence.",
    ).format(most=f"{NEGLIGIBLE:.0%}", share=f"{IN_COMMON:.0%}"),
    stage="conclusions",
)
def prompt_cache(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [_examine(analysis, series) for series in analysis.round.series]


def _examine(analysis: Analysis, series: Series) -> Finding:
    ratios = [analysis.frame.of_level("prompt_cache_hit_ratio", series.id, level.id) for level in series.levels]
    known = [value for value in ratios if value.value is not None]
    if not known:
        return _by_tokens(analysis, series)
    hit = [value for value in known if (value.value or 0.0) > NEGLIGIBLE]
    return _hits(series, known, hit) if hit else _hardly_any(series, known)


def _by_tokens(analysis: Analysis, series: Series) -> Finding:
    """Examine a series of which no hits were counted, but tokens were."""
    for share in SHARES:
        spots = watched.spots_of(analysis, series, share)
        if spots:
            warm = [spot for spot in spots if (amount_at(analysis, spot, share) or 0.0) > IN_COMMON]
            return _warm(analysis, warm, share) if warm else _cold(analysis, spots, share)
    return _unknown(series)


def _warm(analysis: Analysis, spots: Sequence[Spot], share: str) -> Finding:
    worst = watched.most(analysis, spots, share)
    told = say(zh="占 {n}", en="{n} of the input", n=worst.value(share))
    message = say(
        zh="{series} 的输入在{where}有一部分取自 prompt cache：{told}。",
        en="Input of {series} came from a prompt cache {where}: {told}.",
        series=SeriesName(worst.series.id),
        where=watched.where(spots),
        told=watched.of_worst(spots, worst, told),
    )
    is_counted = share == COUNTED
    return Finding(
        check="prompt_cache",
        status="note" if is_counted else "warn",
        series=worst.series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, share),
        message=passage(message, *_of_cold_prompts(analysis, worst), *_of_lines(share)),
        bias=None if is_counted else _flattered(worst.series),
        looks=None if is_counted else "better",
        remedy=None if is_counted else _switch_off(),
    )


def _of_cold_prompts(analysis: Analysis, worst: Spot) -> list[Sentence]:
    """Tell how fast prefill is without hits, where the log tells prompts apart."""
    if amount_at(analysis, worst, "log_cold_prefill_rate") is None:
        return []
    rate = worst.value("log_cold_prefill_rate")
    return [say(zh="没有命中的那些，prefill 是 {n}。", en="Of those without a hit the prefill rate is {n}.", n=rate)]


def _of_lines(share: str) -> list[Sentence]:
    if share != OF_LINES:
        return []
    return [
        say(
            zh="这是日志最后一行的数，算的是最近的请求，预热和更早的也可能在内，不都是本次测量的。",
            en="That is what the last line of the log says of the most recent requests: warm-up and earlier ones may be among "
            "them, and it is not of the measurement alone.",
        )
    ]


def _cold(analysis: Analysis, spots: Sequence[Spot], share: str) -> Finding:
    worst = watched.most(analysis, spots, share)
    name = SeriesName(worst.series.id)
    none = say(
        zh="凡是有计数的地方，{series} 的输入没有取自 prompt cache 的。",
        en="Wherever it was counted, no input of {series} came from a prompt cache.",
        series=name,
    )
    some = say(
        zh="{series} 的输入至多 {ratio} 取自 prompt cache，可以忽略。",
        en="At most {ratio} of the input of {series} came from a prompt cache, which is negligible.",
        series=name,
        ratio=worst.value(share),
    )
    return Finding(
        check="prompt_cache",
        status="pass",
        series=worst.series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, share),
        message=some if amount_at(analysis, worst, share) else none,
    )


def _flattered(series: Series) -> Sentence:
    return say(
        zh="命中对 {series} 有利：它的 TTFT 与吞吐显得更好，解码步长不受影响。",
        en="Hits favour {series}: its TTFT and throughput are flattered; its decode step is not.",
        series=SeriesName(series.id),
    )


def _switch_off() -> Sentence:
    return say(
        zh="关掉 prompt cache（llama-server：--cache-ram 0 --slot-prompt-similarity 0；vLLM：--no-enable-prefix-caching；"
        "SGLang：--disable-radix-cache），每一档换 seed 重跑。",
        en="Switch the prompt cache off (llama-server: --cache-ram 0 --slot-prompt-similarity 0; vLLM: "
        "--no-enable-prefix-caching; SGLang: --disable-radix-cache) and run again with a new seed at each level.",
    )


def _hits(series: Series, known: list[Value], hit: list[Value]) -> Finding:
    worst = max(hit, key=lambda value: value.value or 0.0).address
    return Finding(
        check="prompt_cache",
        status="warn",
        series=series.id,
        levels=tuple(value.address.level or "" for value in hit),
        evidence=tuple(value.address for value in known),
        message=say(
            zh="{series} 有请求命中 prompt cache（{all}），最多的是 {level}：{ratio} 的请求省掉了 prefill。",
            en="Requests to {series} hit a prompt cache ({all}), most of all at {level}, where {ratio} were spared their "
            "prefill.",
            series=SeriesName(series.id),
            all=Listing(tuple(_at(value.address) for value in hit)),
            level=LevelName(series.id, worst.level or ""),
            ratio=Quantity(worst),
        ),
        bias=_flattered(series),
        looks="better",
        remedy=_switch_off(),
    )


def _at(hits: Address) -> Sentence:
    """Return the hit ratio of one level."""
    return say(zh="{l} {n}", en="{n} at {l}", l=LevelName(hits.series or "", hits.level or ""), n=Quantity(hits))


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
