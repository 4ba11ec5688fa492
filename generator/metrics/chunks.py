"""The chunks of a stream against the tokens in it: what a gap between chunks is a gap between."""

from __future__ import annotations

from generator.kinds import Column, metric
from generator.statistics import count_between, percentile
from generator.text import Text


@metric(
    "count_between(surplus_chunks, 0, 1) ÷ count(surplus_chunks)",
    scope="level",
    unit="ratio",
    symbol="f_extra",
    style="percent",
    title=Text(zh="多出一个 chunk 的回答份额", en="share of answers with one chunk too many"),
    meaning=Text(
        zh="chunk 数比 token 数恰好多一个的回答占多少：多出的那个不带 token。",
        en="Share of the answers with exactly one chunk more than tokens: the one that brings none.",
    ),
)
def extra_chunk_share(surplus_chunks: Column) -> float:
    """Return the answers with one chunk more than tokens ÷ all answers with tokens."""
    return count_between(surplus_chunks, 0, 1) / len(surplus_chunks)


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
    title=Text(zh="一条回答一个间隔的份额", en="share of one gap an answer"),
    meaning=Text(
        zh="若每条回答有一个间隔几乎为 0，它们占全部间隔的比例，也就是 ITL 均值偏低的比例。",
        en="What share of all gaps one gap of each answer is: where it is next to nothing, the mean ITL is this much too "
        "low.",
    ),
)
def one_gap_share(request_chunks: Column) -> float:
    """Return answers ÷ gaps."""
    answers = len(request_chunks)
    return answers / float(request_chunks.sum() - answers)
