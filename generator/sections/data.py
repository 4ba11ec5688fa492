"""The full table: every level of every series."""

from __future__ import annotations

from typing import Final

from generator.across.levels import Place, Shown, all_places, amount, level_table
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Paragraph
from generator.told.sentence import Sentence, say

COLUMNS: Final = (
    Shown("output_throughput", Text(zh="输出吞吐", en="output"), "tok/s"),
    Shown("prompt_throughput", same("prefill"), "tok/s"),
    Shown("generation_throughput", Text(zh="生成", en="generation"), "tok/s"),
    Shown("mixed_throughput", Text(zh="prefill 与生成", en="prefill and generation"), "tok/s"),
    Shown("time_per_generated_token", Text(zh="每生成一个", en="per token generated"), "ms"),
    Shown("ttft_p50", same("TTFT p50"), "ms"),
    Shown("ttft_p99", same("TTFT p99"), "ms"),
    Shown("itl_p50", same("ITL p50"), "ms"),
    Shown("itl_p99", same("ITL p99"), "ms"),
    Shown("failed", Text(zh="失败", en="failed"), ""),
    Shown("decode_floor", Text(zh="下限", en="floor"), "ms"),
    Shown("floor_ratio", Text(zh="下限 ÷ 步长", en="floor ÷ step"), "%"),
    Shown("itl_mean", Text(zh="ITL 均值", en="ITL mean"), "ms"),
    Shown("tpot_p50", same("TPOT p50"), "ms"),
    Shown("tpot_mean", Text(zh="TPOT 均值", en="TPOT mean"), "ms"),
    Shown("e2el_p50", same("E2EL p50"), "ms"),
    Shown("total_token_throughput", Text(zh="总吞吐", en="total"), "tok/s"),
    Shown("requests", Text(zh="请求", en="requests"), ""),
    Shown("completed", Text(zh="完成", en="completed"), ""),
    Shown("duration", Text(zh="耗时", en="duration"), "s"),
    Shown("output_tokens_mean", Text(zh="每请求输出", en="output per request"), "tok"),
    Shown("prompt_cache_hits", Text(zh="缓存命中", en="cache hits"), ""),
    Shown("prompt_cache_hit_ratio", Text(zh="命中率", en="hit ratio"), "%"),
)
"""In the order in which they matter: a narrow screen shows no more than the first few."""


@section(
    checks=(
        "data_integrity",
        "requests_add_up",
        "rates_add_up",
        "unit_slips",
        "zero_latencies",
        "repeated_load",
        "repeated_runs",
        "tail_percentiles",
        "claims_hold",
    ),
)
def data(analysis: Analysis) -> Chapter:
    """Print every number that was read, beside its floor; spoilt rows say why."""
    blocks: list[Block] = [Paragraph(_about_spoilt(), "note")] if analysis.spoilt else []
    places = all_places(analysis)
    caption = say(zh="全部档位", en="All levels")
    if any(level.trials > 1 for _, level in places):
        caption = MEDIANS
    blocks.append(level_table(analysis, "full", caption, _columns(analysis, places), places))
    return Chapter(say(zh="数据：完整测量结果", en="Data: all that was measured"), tuple(blocks))


MEDIANS: Final = say(
    zh="全部档位；测过几次的档位，每个数都是各次的中位数，请求数与失败数也是",
    en="All levels; of a level with several trials each number is their median, counts of requests and failures as well",
)


def _columns(analysis: Analysis, places: list[Place]) -> list[Shown]:
    """Return the columns; failures only where there are any."""
    any_failed = any(amount(analysis, "failed", place) for place in places)
    return [column for column in COLUMNS if column.metric != "failed" or any_failed]


def _about_spoilt() -> Sentence:
    return say(
        zh="带空心圈的是已排除的档位，数据照常列出。",
        en="Levels with a hollow ring are excluded; their numbers are listed all the same.",
    )
