"""What a TTFT is, and what it is easily taken for."""

from __future__ import annotations

from typing import Final

from generator.across.levels import seen_at
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, Paragraph, Subheading
from generator.told.quoting import level_value, passage
from generator.told.sentence import LevelName, Sentence, SeriesName, say

CACHED: Final = 0.01
"""Share of the input from which a cache is worth a word: any two prompts share a start token."""
NOTABLE: Final = 1.5
"""How many medians of the others a first request takes where it was cold."""


@section(checks=("first_wave", "cold_trials", "prompt_cache", "repeated_prompts", "cache_in_window"))
def ttft_traps(analysis: Analysis) -> Chapter:
    """Define the parts, and name what distorts them."""
    blocks: list[Block] = [Paragraph(_definition())]
    for key, heading, told in (
        ("ttft-omission", say(zh="闭环看不见排队", en="A closed loop hides queues"), [OMISSION]),
        ("ttft-cache", say(zh="prompt cache", en="Prompt cache"), [CACHE, *_cached(analysis)]),
        ("ttft-cold", say(zh="第一条请求是冷的", en="The first request is cold"), [COLD, *_cold(analysis)]),
        ("ttft-tokenizing", say(zh="分词与 HTTP", en="Tokenizing and HTTP"), [TOKENIZING]),
    ):
        blocks += [Subheading(key, heading), Paragraph(passage(*told))]
    return Chapter(say(zh="定义与陷阱", en="Definitions and traps"), tuple(blocks))


def _definition() -> Sentence:
    return say(
        zh="TTFT 从客户端发出请求算起，到收到带首个 token 的 chunk 为止。首个 token 之后的解码、"
        "首个 chunk 里的角色标记之类没有文字的内容都不算在内。",
        en="The TTFT lasts from the client's sending of a request to its receiving the chunk with the first token. Decoding after "
        "that token is not in it, and a chunk without text, such as one that only names the role, does not end it.",
    )


OMISSION: Final = say(
    zh="闭环负载里一条结束才发下一条，服务端一慢，客户端就少发：过载时的排队不会出现在 TTFT 里（coordinated omission）。"
    "要看排队，用按到达率发出的档位，并从计划的发出时刻算起。",
    en="In a closed loop the next request waits for one to end, so a slow server is sent less: the queue of an overload never shows "
    "in the TTFT (coordinated omission). To see it, use levels with an arrival rate, timed from the planned sending.",
)
CACHE: Final = say(
    zh="重复的前缀不再计算，TTFT 会短得不像 prefill。这里的长度一律是真正算的 token，取自缓存的不算。",
    en="A prefix seen before is not computed again, and the TTFT is too short for a prefill. Lengths here are tokens computed, "
    "without those from a cache.",
)
COLD: Final = say(
    zh="编译、建图、分配显存的代价由最先的请求付；TTFT 均值对它敏感，中位数不敏感。",
    en="Compiling, capturing graphs and allocating memory are paid by the first requests. The mean TTFT feels them, the median does "
    "not.",
)
TOKENIZING: Final = say(
    zh="分词在引擎之前：按日志算，它归入排队；按计数器算，它归入其余。输入很长时，它与 prefill 一样随长度增长，会混进客户端拟合的斜率。",
    en="Tokenizing comes before the engine: by the log it is in the queue, by counters in the rest. It grows with the length as "
    "prefill does, and is in the slope of a fit to what the client sees.",
)


def _cached(analysis: Analysis) -> list[Sentence]:
    """Name the level with most of its input from the cache, where a log or a counter tells of any."""
    told = []
    for series in analysis.round.series:
        for key in ("log_cache_share", "server_cache_hit_ratio"):
            known = [one for one in seen_at(analysis, key, series) if one[0] > CACHED]
            if known:
                _, level = max(known, key=lambda one: one[0])
                told.append(_share(series.id, level.id, key))
                break
    return told


def _share(series: str, level: str, key: str) -> Sentence:
    return say(
        zh="{s} 在 {l} 有 {share} 的输入取自缓存。",
        en="At {l}, {share} of the input of {s} came from a cache.",
        s=SeriesName(series),
        l=LevelName(series, level),
        share=level_value(key, series, level),
    )


def _cold(analysis: Analysis) -> list[Sentence]:
    """Name the level at which the first request took longest against the others, where one stands out."""
    told = []
    for series in analysis.round.series:
        known = [one for one in seen_at(analysis, "first_ttft_over_rest", series) if one[0] > NOTABLE]
        if known:
            _, level = max(known, key=lambda one: one[0])
            told.append(_first(series.id, level.id))
    return told


def _first(series: str, level: str) -> Sentence:
    text = Text(
        zh="{s} 在 {l} 的第一条请求等了 {first}，是其余中位数的 {ratio}。",
        en="At {l} the first request of {s} waited {first}, {ratio} the median of the others.",
    )
    quoted = {
        "first": level_value("first_ttft", series, level),
        "ratio": level_value("first_ttft_over_rest", series, level),
    }
    return Sentence(text, {"s": SeriesName(series), "l": LevelName(series, level), **quoted})
