"""The chunks of a stream against the tokens in it: what a gap between chunks is a gap between."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, metric
from generator.numeric.statistics import count_below, count_between, percentile
from generator.text import Text
from generator.themes import TOKENS

THEME: Final = TOKENS


@metric(
    "count_between(surplus_chunks, 0, 1) ÷ count(surplus_chunks)",
    scope="level",
    unit="ratio",
    symbol="f_extra",
    style="percent",
    title=Text(zh="多出一个 chunk 的回答份额", en="share of answers with one extra chunk"),
    meaning=Text(
        zh="chunk 数比 token 数恰好多一个的回答占多少：多出的那个不带 token。",
        en="Share of the answers with exactly one more chunk than tokens: the extra one carries no token.",
    ),
)
def extra_chunk_share(surplus_chunks: Column) -> float:
    """Return the answers with one chunk more than tokens ÷ all answers with tokens."""
    return count_between(surplus_chunks, 0, 1) / len(surplus_chunks)


@metric(
    "percentile(surplus_chunks, 50)",
    scope="level",
    unit="1",
    symbol="n_surplus,p50",
    title=Text(zh="chunk 数减 token 数的中位数", en="chunks beyond tokens, median"),
    meaning=Text(
        zh="逐条回答的 chunk 数减 token 数；为负，说明通常一个 chunk 不止一个 token。",
        en="Chunks less tokens, answer by answer; below zero, chunks usually hold several tokens.",
    ),
)
def surplus_chunks_p50(surplus_chunks: Column) -> float:
    """Return the median of chunks − tokens."""
    return percentile(surplus_chunks, 50)


@metric(
    "count_below(surplus_chunks, 0)",
    scope="level",
    unit="1",
    symbol="N_merged",
    title=Text(zh="chunk 数少于 token 数的回答", en="answers with fewer chunks than tokens"),
    meaning=Text(zh="这些回答里有 chunk 不止一个 token。", en="In these, some chunk holds several tokens."),
)
def merged_answers(surplus_chunks: Column) -> float:
    """Count the answers in which some chunk holds several tokens."""
    return float(count_below(surplus_chunks, 0))


@metric(
    "0 − first(surplus_chunks)",
    scope="level",
    unit="1",
    symbol="n_merged,max",
    title=Text(zh="少掉的 chunk 数的最大值", en="most chunks missing in an answer"),
    meaning=Text(
        zh="所有回答里 token 数比 chunk 数最多多出多少。",
        en="By how much the tokens of an answer outnumber its chunks, at most.",
    ),
)
def most_merged(surplus_chunks: Column) -> float:
    """Return the largest of tokens − chunks."""
    return -float(surplus_chunks[0])


@metric(
    "percentile(first_gap, 50)",
    scope="level",
    unit="ms",
    symbol="ITL_first,p50",
    title=Text(zh="第一个间隔的中位数", en="median first gap"),
    meaning=Text(
        zh="每条回答里，第一个与第二个 chunk 之间的间隔。", en="The gap between the first two chunks of each answer."
    ),
)
def first_gap_p50(first_gap: Column) -> float:
    """Return the median of the first gaps, in seconds."""
    return percentile(first_gap, 50)


@metric(
    "percentile(last_gap, 50)",
    scope="level",
    unit="ms",
    symbol="ITL_last,p50",
    title=Text(zh="最后一个间隔的中位数", en="median last gap"),
    meaning=Text(
        zh="每条回答里，最后两个 chunk 之间的间隔。", en="The gap between the last two chunks of each answer."
    ),
)
def last_gap_p50(last_gap: Column) -> float:
    """Return the median of the last gaps, in seconds."""
    return percentile(last_gap, 50)


@metric(
    "count(request_chunks) ÷ (sum(request_chunks) − count(request_chunks))",
    scope="level",
    unit="ratio",
    symbol="f_gap",
    style="percent",
    digits=2,
    title=Text(zh="一条回答一个间隔的份额", en="share of one gap per answer"),
    meaning=Text(
        zh="若每条回答有一个间隔几乎为零，它们占全部间隔的比例，也就是 ITL 均值偏低的比例。",
        en="What share of all gaps one gap of each answer is: where it is next to nothing, the mean ITL is this much too "
        "low.",
    ),
)
def one_gap_share(request_chunks: Column) -> float:
    """Return answers ÷ gaps."""
    answers = len(request_chunks)
    return answers / float(request_chunks.sum() - answers)
