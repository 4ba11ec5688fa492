"""Is a chunk of the stream one token? Gaps are between chunks, and ITL is a time between tokens only where it is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from generator.across.levels import at_level, at_levels, by_kind_of_data, known_addresses, level_names, number_at
from generator.checks import DETAILS
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text, same
from generator.themes import TOKENS
from generator.told.findings import Finding
from generator.told.quoting import MOST_OF_ALL, level_value, worst_of
from generator.told.sentence import LevelName, Listing, Part, Quantity, Sentence, SeriesName, say
from generator.values import Address

SEVERAL: Final = 1.05
"""Tokens a chunk above which chunks hold several: now and then two tokens come together in any stream."""
ONE_TOO_MANY: Final = 1
"""Chunks that a usual answer has beyond its tokens where one of them is empty."""
ALIKE: Final = 1e-3
"""Shares closer than this read the same where they are printed."""
FITS: Final = 0.2
"""By how much a mean gap may be above what a token of a stream takes: a run's clock and its requests' are not one."""
AT_ONCE: Final = 5e-5
"""Seconds below which two tokens came in one piece: no engine decodes one in that time."""
NEXT_TO_NOTHING: Final = 0.1
"""Share of a typical gap below which a gap is none between steps."""
SHOWS: Final = 0.01
"""Share of all gaps above which those of next to nothing show in the mean, and in what rests on it."""
RESTING_ON_MEAN: Final = ("itl_mean", "itl_mean_over_p50", "stall_overhead", "stall_share")

EMPTY_LAST: Final = Text(
    zh="{series} 在 {levels} 的流里，{share} 的回答比 token 多一个 chunk：末尾的空 chunk 只带结束原因，"
    "紧跟在前一个之后（{where}最后一个间隔的中位数 {gap}，全部间隔的中位数是 {typical}）。{effect}",
    en="At {levels}, {share} of the answers of {series} have one more chunk than tokens: an empty one at the end, "
    "which carries only the finish reason and comes at once ({where}median last gap {gap}, against a median of {typical} over all gaps). "
    "{effect}",
)
EMPTY_FIRST: Final = Text(
    zh="{series} 在 {levels} 的流里，{share} 的回答比 token 多一个 chunk：开头的 chunk 不带 token，"
    "紧跟着才是第一个 token（{where}第一个间隔的中位数 {gap}，全部间隔的中位数是 {typical}）。{effect}",
    en="At {levels}, {share} of the answers of {series} have one more chunk than tokens: an empty one at the start, "
    "with the first token right behind it ({where}median first gap {gap}, against a median of {typical} over all gaps). "
    "{effect}",
)


FOR_TABLES: Final = Text(
    zh="导入明细结果（vllm bench 用 --save-detailed），或补上 tokens_per_chunk 一列。",
    en="Import detailed results (--save-detailed of vllm bench), or fill in the column tokens_per_chunk.",
)


@check(
    theme=TOKENS,
    title=Text(zh="token 与 chunk", en="Tokens and chunks"),
    question=Text(
        zh="流里的每个 chunk 是否正好是一个 token？", en="Does each chunk of the stream hold exactly one token?"
    ),
    rule=Text(
        zh="平均每个 chunk 多于 {several} 个 token，且典型的回答也是这样，就警告：ITL 不是每个 token 的时间。首尾多出的空 chunk 只提示，判据是那个间隔不到典型间隔的 {nothing}。chunk 通常比 token 多出不止一个，也警告。没有数过 chunk 时，ITL 均值比并发 ÷ 输出吞吐长出 {fits} 以上也警告；前两个 token 相隔不到 {at_once} µs 则提示。",
        en="A warning where chunks hold more than {several} tokens on average, and a usual answer does: the ITL is then no time per token. A note for an empty chunk at either end, known by a gap below {nothing} of the typical one. A warning where a usual answer has several chunks more than tokens. Where no chunks were counted, a warning as well for a mean ITL more than {fits} above the concurrency ÷ the output throughput; and a note where the second token usually comes within {at_once} µs of the first.",
    ).format(
        several=f"{SEVERAL:g}", nothing=f"{NEXT_TO_NOTHING:.0%}", fits=f"{FITS:.0%}", at_once=f"{AT_ONCE * 1e6:.0f}"
    ),
)
def tokens_and_chunks(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose chunks were counted."""
    counted = {series: _counted(analysis, series) for series in analysis.round.series}
    found = [finding for series, levels in counted.items() if levels for finding in _examine(analysis, series, levels)]
    uncounted = {series: _too_long(analysis, series, levels) for series, levels in counted.items()}
    found += [_between_chunks(series, levels) for series, levels in uncounted.items() if levels]
    return found or [_nothing(analysis)]


def _number(analysis: Analysis, key: str, series: Series, level: Level) -> float | None:
    return number_at(analysis, at_level(key, series, level))


def _counted(analysis: Analysis, series: Series) -> list[Level]:
    return [level for level in series.levels if _number(analysis, "tokens_per_chunk", series, level) is not None]


def _examine(analysis: Analysis, series: Series, levels: list[Level]) -> list[Finding]:
    tokens = {level: _number(analysis, "tokens_per_chunk", series, level) or 0.0 for level in levels}
    above = [level for level in levels if tokens[level] > SEVERAL]
    several = [level for level in above if _is_merged(_number(analysis, "surplus_chunks_p50", series, level))]
    odd = [level for level in above if level not in several]
    findings = [_several(analysis, series, several)] if several else []
    findings += [_odd(series, odd)] if odd else []
    lacking = [one for one in levels if (_number(analysis, "surplus_chunks_p50", series, one) or 0) > ONE_TOO_MANY]
    findings += [_lacking(series, lacking)] if lacking else []
    for edge, message in (("last_gap_p50", EMPTY_LAST), ("first_gap_p50", EMPTY_FIRST)):
        empty = [level for level in levels if level not in several and _is_empty(analysis, series, level, edge)]
        if empty:
            findings.append(_extra(analysis, series, empty, edge, message))
    if together := [one for one in levels if one not in several and _is_together(analysis, series, one)]:
        findings.append(_together(series, together))
    return findings or [_alike(series, levels)]


def _too_long(analysis: Analysis, series: Series, counted: list[Level]) -> list[Level]:
    """Return the levels without counted chunks whose mean gap is longer than a token of a stream takes in all."""
    found = []
    for level in series.levels:
        gap, most = (_number(analysis, key, series, level) for key in ("itl_mean", "stream_token_time"))
        if level not in counted and gap is not None and most is not None and gap > most * (1 + FITS):
            found.append(level)
    return found


def _is_together(analysis: Analysis, series: Series, level: Level) -> bool:
    """Say whether the second token usually came with the first, though no chunk is one too many."""
    gap, surplus = (_number(analysis, key, series, level) for key in ("first_gap_p50", "surplus_chunks_p50"))
    return gap is not None and gap < AT_ONCE and surplus == 0


def _is_merged(surplus: float | None) -> bool:
    """Say whether a usual answer has fewer chunks than tokens; where single answers are unknown, the level decides."""
    return surplus is None or surplus < 0


def _is_empty(analysis: Analysis, series: Series, level: Level, edge: str) -> bool:
    """Say whether a usual answer has one chunk too many, which lies at this end of the stream."""
    surplus, gap, typical = (_number(analysis, key, series, level) for key in ("surplus_chunks_p50", edge, "itl_p50"))
    if surplus is None or gap is None or typical is None:
        return False
    return surplus == ONE_TOO_MANY and gap < NEXT_TO_NOTHING * typical


def _several(analysis: Analysis, series: Series, levels: list[Level]) -> Finding:
    worst = max(levels, key=lambda level: _number(analysis, "tokens_per_chunk", series, level) or 0.0)
    itl = [at_level(f"itl_{one}", series, level) for level in levels for one in ("mean", "p50", "p90", "p95", "p99")]
    return Finding(
        check="tokens_and_chunks",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, "tokens_per_chunk", "itl_mean", "tpot_mean"),
        doubts=known_addresses(analysis, itl),
        message=say(
            zh="{series} 在 {levels} 的 chunk 里不止一个 token：{worst}。ITL 是 chunk 之间的间隔，不是每个 token 的时间；"
            "后者看 TPOT。{means}",
            en="Chunks of {series} hold several tokens at {levels}: {worst}. Its ITL is a gap between chunks and not "
            "a per-token time, which is what TPOT gives. {means}",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=_most(series, worst, one_of_several=len(levels) > 1),
            means=_means(analysis, series, worst),
        ),
        bias=say(
            zh="拿 ITL 当作每个 token 的时间，{series} 显得更慢；与逐 token 输出的引擎比 ITL，比的不是同一种量。",
            en="Read as a per-token time, the ITL makes {series} look slower; beside an engine that sends each token "
            "alone it is another quantity.",
            series=SeriesName(series.id),
        ),
        looks="worse",
        remedy=say(
            zh="比较 TPOT；若想让每个 token 单独返回，关掉投机解码与流的合并输出再测一次。",
            en="Compare the TPOT; to have each token come alone, run again without speculative decoding and without an "
            "interval between outputs.",
        ),
    )


def _between_chunks(series: Series, levels: list[Level]) -> Finding:
    told = tuple(
        say(
            zh="{l} 的 {itl} 对 {most}",
            en="{itl} against {most} at {l}",
            l=LevelName(series.id, level.id),
            itl=level_value("itl_mean", series.id, level.id),
            most=level_value("stream_token_time", series.id, level.id),
        )
        for level in levels
    )
    return Finding(
        check="tokens_and_chunks",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, "itl_mean", "stream_token_time"),
        doubts=at_levels(series, levels, "itl_mean"),
        message=say(
            zh="{series} 的 ITL 均值比一条流每个 token 的总时间还长：{told}。它是 chunk 之间的间隔，一个 chunk 不止一个 token。",
            en="The mean ITL of {series} is longer than a token of a stream takes in all: {told}. It is a gap between chunks, which "
            "hold several tokens.",
            series=SeriesName(series.id),
            told=Listing(told),
        ),
        bias=say(
            zh="拿 ITL 当作每个 token 的时间，{series} 显得更慢。",
            en="Read as a per-token time, the ITL makes {series} look slower.",
            series=SeriesName(series.id),
        ),
        looks="worse",
        remedy=say(
            zh="比较 TPOT；投机解码与合并输出都会让 chunk 不止一个 token。",
            en="Compare the TPOT; speculative decoding and intervals between outputs make chunks of several tokens.",
        ),
    )


def _together(series: Series, levels: list[Level]) -> Finding:
    return Finding(
        check="tokens_and_chunks",
        status="note",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, "first_gap_p50"),
        message=say(
            zh="{series} 在 {levels} 的前两个 token 一起到达，间隔的中位数是 {gaps}：那不是速度。",
            en="At {levels} the first two tokens of {series} arrive together, with a median gap of {gaps}: that is not a speed.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            gaps=Listing(tuple(level_value("first_gap_p50", series.id, level.id) for level in levels)),
        ),
        remedy=say(
            zh="看第一个 chunk 是否被客户端、代理或推理内容的解析器攒住了。",
            en="See whether the client, a proxy or a parser of reasoning held the first chunk back.",
        ),
    )


def _means(analysis: Analysis, series: Series, level: Level) -> Part:
    """Hold both means of a level against each other, where they are known."""
    itl, tpot = at_level("itl_mean", series, level), at_level("tpot_mean", series, level)
    if len(analysis.frame.known([itl, tpot])) < len((itl, tpot)):
        return same("")
    return say(
        zh="{level} 的 ITL 均值是 {itl}，TPOT 均值是 {tpot}。",
        en="At {level} the mean ITL is {itl} and the mean TPOT {tpot}.",
        level=LevelName(series.id, level.id),
        itl=Quantity(itl),
        tpot=Quantity(tpot),
    )


def _most(series: Series, level: Level, *, one_of_several: bool) -> Sentence:
    tokens = level_value("tokens_per_chunk", series.id, level.id, bare=True)
    each = say(zh="平均每个 chunk 有 {n} 个 token", en="{n} tokens per chunk", n=tokens)
    return worst_of(each, MOST_OF_ALL, LevelName(series.id, level.id), one_of_several=one_of_several)


def _extra(analysis: Analysis, series: Series, levels: list[Level], edge: str, message: Text) -> Finding:
    clearest = max(levels, key=lambda level: _number(analysis, "extra_chunk_share", series, level) or 0.0)
    keys = ("extra_chunk_share", edge, "itl_p50", "one_gap_share")
    return Finding(
        check="tokens_and_chunks",
        status="note",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, *keys),
        doubts=tuple(_lowered(analysis, series, levels)),
        message=Sentence(
            message,
            {
                "series": SeriesName(series.id),
                "levels": level_names(series, levels),
                "share": _range(analysis, "extra_chunk_share", series, levels),
                "gap": level_value(edge, series.id, clearest.id),
                "typical": level_value("itl_p50", series.id, clearest.id),
                "where": _where(series, clearest, one_of_several=len(levels) > 1),
                "effect": _effect(_range(analysis, "one_gap_share", series, levels)),
            },
        ),
        bias=say(
            zh="ITL 均值偏低，{series} 显得更好；TPOT 与 p50 不受影响。",
            en="The mean ITL is too low and flatters {series}; TPOT and p50 are not affected.",
            series=SeriesName(series.id),
        ),
        looks="better",
        remedy=say(
            zh="比较均值时用 TPOT，停顿则看 ITL 的 p99。", en="Compare means by TPOT, and stalls by the p99 of the ITL."
        ),
    )


def _lowered(analysis: Analysis, series: Series, levels: list[Level]) -> Iterator[Address]:
    """Yield what the gaps of next to nothing pull down by more than a little."""
    for level in levels:
        if (_number(analysis, "one_gap_share", series, level) or 0.0) > SHOWS:
            known = analysis.frame.known(at_level(key, series, level) for key in RESTING_ON_MEAN)
            yield from (value.address for value in known)


def _range(analysis: Analysis, key: str, series: Series, levels: list[Level]) -> Part:
    """Return what a number is over some levels: from the lowest to the highest, or the one that it is everywhere."""
    known = sorted(
        analysis.frame.known(at_level(key, series, level) for level in levels), key=lambda one: one.value or 0.0
    )
    low, high = known[0], known[-1]
    if math.isclose(low.value or 0.0, high.value or 0.0, rel_tol=ALIKE):
        return Quantity(high.address)
    return say("{low}–{high}", "{low}–{high}", low=Quantity(low.address, bare=True), high=Quantity(high.address))


def _where(series: Series, level: Level, *, one_of_several: bool) -> Part:
    """Name the level that an example is from, where there are several."""
    if not one_of_several:
        return same("")
    return say(zh="{level} 的", en="at {level}, ", level=LevelName(series.id, level.id))


def _odd(series: Series, levels: list[Level]) -> Finding:
    """Name the answers that came in fewer chunks than tokens, unlike the others of their level."""
    told = tuple(_odd_answers(series, level) for level in levels)
    return Finding(
        check="tokens_and_chunks",
        status="note",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, "tokens_per_chunk", "merged_answers"),
        message=say(
            zh="{series} 有少数回答的 chunk 明显少于 token：{told}。其余回答逐 token 到达，所以这些档位的 ITL 仍可当作"
            " token 之间的间隔来读。",
            en="A few answers of {series} came in far fewer chunks than tokens: {told}. The others came token by token, so "
            "the ITL of these levels can still be read as a gap between tokens.",
            series=SeriesName(series.id),
            told=Listing(told),
        ),
        remedy=say(
            zh="看这些回答是否在客户端或代理处积压过。",
            en="See whether these answers were held up at the client or at a proxy.",
        ),
    )


def _lacking(series: Series, levels: list[Level]) -> Finding:
    return Finding(
        check="tokens_and_chunks",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, "surplus_chunks_p50"),
        message=say(
            zh="{series} 在 {levels} 的回答，chunk 数通常比统计到的 token 还多不止一个：token 数偏少，TPOT 与吞吐都不可信。",
            en="Answers of {series} usually have several chunks more than tokens counted at {levels}: too few tokens are counted, "
            "and TPOT and throughput are not to be trusted.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
        ),
        looks="worse",
        remedy=say(zh="用模型的 tokenizer 重数一遍输出。", en="Count the output again with the model's tokenizer."),
    )


def _odd_answers(series: Series, level: Level) -> Sentence:
    return say(
        zh="{level} 有 {n} 条，最多少 {most} 个 chunk",
        en="{n} at {level}, with up to {most} {most:chunk|chunks} missing",
        level=LevelName(series.id, level.id),
        n=level_value("merged_answers", series.id, level.id),
        most=level_value("most_merged", series.id, level.id),
    )


def _effect(share: Part) -> Sentence:
    return say(
        zh="每条回答因此多一个几乎为零的间隔，占全部间隔的 {share}，ITL 均值也就偏低这么多。",
        en="Each answer thus has one gap of next to nothing, {share} of all gaps, and the mean ITL is too low by as "
        "much.",
        share=share,
    )


def _alike(series: Series, levels: list[Level]) -> Finding:
    return Finding(
        check="tokens_and_chunks",
        status="pass",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, "tokens_per_chunk"),
        message=say(
            zh="凡是数过 chunk 的档位，{series} 的 ITL 都可以当作 token 之间的间隔来读。",
            en="Wherever chunks were counted, the ITL of {series} can be read as a gap between tokens.",
            series=SeriesName(series.id),
        ),
    )


def _nothing(analysis: Analysis) -> Finding:
    return Finding(
        check="tokens_and_chunks",
        status="unknown",
        message=say(
            zh="没有哪一档数过 chunk：ITL 是 token 之间的间隔，还是 chunk 之间的，无从得知。",
            en="No level has its chunks counted: whether the ITL is a gap between tokens or between chunks cannot be known.",
        ),
        remedy=by_kind_of_data(analysis.round.series, runs=DETAILS, table=FOR_TABLES),
    )
