"""What the time to the first token is made of: in one paragraph a series, and a few numbers."""

from __future__ import annotations

from typing import Final

from generator.across.ladders import bend_is_known, is_curved, ladder, sweep
from generator.across.levels import at_level, highest, known_at, number_at, seen_usable
from generator.frame import Analysis
from generator.model import Level, Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, Card, Cards, Paragraph
from generator.told.quoting import level_value, passage, series_value
from generator.told.sentence import LevelName, Part, Sentence, SeriesName, say

SLOWED: Final = 1.1
"""By what factor a time or a speed differs at least where it is said to change."""

QUEUED: Final = 0.5
"""Share of queueing in the TTFT from which a wait for a first token is not that of a prefill."""


@section()
def ttft_verdict(analysis: Analysis) -> Chapter:
    """Say of each series what its TTFT is made of, alone and under load, and what a token of a prompt costs."""
    blocks: list[Block] = []
    for series in analysis.round.series:
        told = [*_of_levels(analysis, series), *_of_length(analysis, series), *_of_neighbours(analysis, series)]
        if told:
            blocks.append(Paragraph(passage(*told), "lead"))
        if cards := _cards(analysis, series):
            blocks.append(Cards(say(zh="{s}", en="{s}", s=SeriesName(series.id)), tuple(cards)))
    return Chapter(_heading(analysis), tuple(blocks))


def _heading(analysis: Analysis) -> Sentence:
    """Say what most of the TTFT is at the highest level of each series, where that is one part in all of them."""
    parts = {
        _most(analysis, series) for series in analysis.round.series if _levels(analysis, series, "ttft_prefill_share")
    }
    return HEADINGS[parts.pop()] if len(parts) == 1 else DIFFERENT if len(parts) > 1 else HEADINGS[None]


def _most(analysis: Analysis, series: Series) -> str | None:
    """Return the metric of the share that is more than half of the TTFT; None where neither is."""
    level = _levels(analysis, series, "ttft_prefill_share")[-1]
    shares = {
        key: number_at(analysis, at_level(key, series, level)) or 0.0
        for key in ("ttft_queue_share", "ttft_prefill_share")
    }
    return next((key for key, share in shares.items() if share > HALF), None)


HALF: Final = 0.5
HEADINGS: Final = {
    "ttft_queue_share": say(
        zh="结论：最高的一档里，首个 token 主要在等排队",
        en="Verdict: at the highest level a first token mostly waits in a queue",
    ),
    "ttft_prefill_share": say(
        zh="结论：最高的一档里，首个 token 的时间主要是 prefill",
        en="Verdict: at the highest level the time to the first token is mostly prefill",
    ),
    None: say(zh="结论：首个 token 的时间花在哪里", en="Verdict: where the time to the first token goes"),
}
DIFFERENT: Final = say(
    zh="结论：最高的一档里首个 token 的时间花在哪里，各系列不同",
    en="Verdict: what a first token waits for at the highest level differs between the series",
)


def _levels(analysis: Analysis, series: Series, metric: str) -> list[Level]:
    """Return the usable levels at which a metric is known, by rising load."""
    return [level for _, level in seen_usable(analysis, metric, series)]


def _of_levels(analysis: Analysis, series: Series) -> list[Sentence]:
    """Tell of the lowest and the highest level of one length; of a sweep of lengths alone, of its ends."""
    whole, part, seen = (
        _alike(analysis, series, _levels(analysis, series, key))
        for key in ("ttft_front", "ttft_outside_prefill", "ttft_p50")
    )
    if whole:
        return [_in_three(series, level) for level in dict.fromkeys((whole[0], whole[-1]))]
    if part:
        return [_in_two(series, level) for level in dict.fromkeys((part[0], part[-1]))]
    return _undivided(series, seen) if seen else []


def _alike(analysis: Analysis, series: Series, levels: list[Level]) -> list[Level]:
    """Return those of some levels that differ in the load alone, or else in the length alone, by rising load or length."""
    rungs, swept = ([one for one in kind(analysis, series) if one in levels] for kind in (ladder, sweep))
    return swept if len(rungs) <= 1 and swept else rungs or levels


def _in_three(series: Series, level: Level) -> Sentence:
    queue, prefill, rest, mean = (
        level_value(key, series.id, level.id) for key in ("ttft_queue", "ttft_prefill", "ttft_front", "ttft_mean")
    )
    return say(
        zh="{s} 在 {l} 平均要等 {mean} 才出首个 token：排队 {queue}，prefill {prefill}，其余 {rest}。",
        en="At {l} a first token of {s} takes {mean} on average: {queue} in the queue, {prefill} in prefill, {rest} for the rest.",
        s=SeriesName(series.id),
        l=LevelName(series.id, level.id),
        mean=mean,
        queue=queue,
        prefill=prefill,
        rest=rest,
    )


def _in_two(series: Series, level: Level) -> Sentence:
    return say(
        zh="{s} 在 {l} 平均等 {mean} 出首个 token，其中 prefill {prefill}；剩下的 {outside} 里排队占多少，服务端没有说。",
        en="At {l} a first token of {s} takes {mean} on average, {prefill} of it in prefill; how much of the other {outside} is "
        "queueing the server does not tell.",
        s=SeriesName(series.id),
        l=LevelName(series.id, level.id),
        mean=level_value("ttft_mean", series.id, level.id),
        prefill=level_value("ttft_prefill", series.id, level.id),
        outside=level_value("ttft_outside_prefill", series.id, level.id),
    )


def _undivided(series: Series, levels: list[Level]) -> list[Sentence]:
    """Say how far the TTFT rises, where nothing tells what it is made of."""
    first, last = levels[0], levels[-1]
    name, at = SeriesName(series.id), LevelName(series.id, first.id)
    began, ended = (level_value("ttft_p50", series.id, level.id) for level in (first, last))
    if first == last:
        told = say(zh="{s} 在 {l} 的 TTFT p50 是 {a}。", en="The TTFT p50 of {s} at {l} is {a}.", s=name, l=at, a=began)
        return [told, UNDIVIDED]
    parts: dict[str, Part] = {"s": name, "a": began, "b": ended}
    if first.order == last.order:
        lengths = [level_value("asked_input_tokens", series.id, level.id) for level in (first, last)]
        return [Sentence(BY_LENGTH, {**parts, "n": lengths[0], "k": lengths[1]})]
    return [Sentence(BY_LOAD, {**parts, "l": at, "m": LevelName(series.id, last.id)}), UNDIVIDED]


BY_LOAD: Final = Text(
    zh="{s} 的 TTFT p50 从 {l} 的 {a} 变为 {m} 的 {b}。", en="The TTFT p50 of {s} goes from {a} at {l} to {b} at {m}."
)
BY_LENGTH: Final = Text(
    zh="{s} 的 TTFT p50 从输入 {n} 时的 {a} 变为 {k} 时的 {b}。",
    en="The TTFT p50 of {s} goes from {a} at an input of {n} to {b} at {k}.",
)
UNDIVIDED: Final = say(
    zh="其中多少是排队、多少是 prefill，没有服务端的日志或计数器就分不开。",
    en="How much of it is queueing and how much prefill cannot be told without the server's log or counters.",
)


def _of_length(analysis: Analysis, series: Series) -> list[Sentence]:
    """Give the terms of the fit that stands."""
    if analysis.frame.of_series("prefill_per_token", series.id).value is None:
        return []
    if not bend_is_known(analysis, series.id):
        return _of_few_lengths(analysis, series)
    if not is_curved(analysis, series.id):
        return [Sentence(STRAIGHT, {"b": series_value("prefill_per_token", series.id), **_fixed(analysis, series)})]
    term = analysis.frame.of_series("prefill_per_token_squared", series.id).value or 0.0
    quoted = {
        "b": series_value("prefill_curve_per_token", series.id),
        "c": series_value("prefill_per_token_squared", series.id),
    }
    return [Sentence(DEARER if term > 0 else CHEAPER, {**quoted, **_fixed(analysis, series)})]


def _of_few_lengths(analysis: Analysis, series: Series) -> list[Sentence]:
    """Give the speed at both ends of a sweep that is too short to tell a line from a bend."""
    why = analysis.frame.of_series("prefill_per_token_squared", series.id).reason or NOT_RECORDED
    known = known_at(analysis, "prefill_speed", series, sweep(analysis, series))
    if not known:
        return [Sentence(UNTOLD, {"why": why})]
    (began, first), (ended, last) = known[0], known[-1]
    parts: dict[str, Part] = {
        name: level_value(key, series.id, level.id)
        for name, key, level in (
            ("v", "prefill_speed", first), ("n", "prefill_tokens", first),
            ("w", "prefill_speed", last), ("k", "prefill_tokens", last),
        )
    }  # fmt: skip
    text = SLOWER if ended * SLOWED < began else FASTER if ended > began * SLOWED else AS_FAST
    return [Sentence(text, {**parts, "untold": Sentence(UNTOLD, {"why": why})})]


NOT_RECORDED: Final = Text(zh="没有记录", en="there is no record of it")
UNTOLD: Final = Text(
    zh="prefill 随输入长度是直线还是弯曲，分不出：{why}。",
    en="Whether prefill grows in a straight line with the input or bends cannot be told: {why}.",
)
SLOWER: Final = Text(
    zh="prefill 比输入长度增长得快：速度从 {n} 时的 {v} 降到 {k} 时的 {w}。{untold}",
    en="Prefill grows faster than the input: its speed falls from {v} at {n} to {w} at {k}. {untold}",
)
FASTER: Final = Text(
    zh="prefill 比输入长度增长得慢：速度从 {n} 时的 {v} 升到 {k} 时的 {w}。{untold}",
    en="Prefill grows more slowly than the input: its speed rises from {v} at {n} to {w} at {k}. {untold}",
)
AS_FAST: Final = Text(
    zh="prefill 的速度在 {n} 时是 {v}，{k} 时是 {w}，相差无几。{untold}",
    en="The speed of prefill is {v} at {n} and {w} at {k}, much the same. {untold}",
)


def _fixed(analysis: Analysis, series: Series) -> dict[str, Part]:
    """Return what is to be said of the fixed cost of the fit that stands."""
    key = "prefill_curve_fixed" if is_curved(analysis, series.id) else "prefill_fixed"
    term, error = (analysis.frame.of_series(one, series.id).value for one in (key, f"{key}_error"))
    if term is not None and error is not None and abs(term) > 2 * error:
        quoted = {"a": series_value(key, series.id), "e": series_value(f"{key}_error", series.id)}
        return {"fixed": Sentence(FIXED, quoted)}
    return {"fixed": NO_FIXED}


STRAIGHT: Final = Text(
    zh="prefill 随输入长度增长，每 token 成本 {b}，分辨不出弯曲；{fixed}。",
    en="Prefill grows with the input by {b}, and no bend can be told; {fixed}.",
)
DEARER: Final = Text(
    zh="prefill 的每 token 成本是 {b}，外加显著不为零的二次项 {c}：输入越长，每个 token 越贵；{fixed}。",
    en="Prefill grows by {b} and by {c} with the square, which can be told from zero: a token costs more the longer the prompt is; {fixed}.",
)
CHEAPER: Final = Text(
    zh="prefill 的每 token 成本是 {b}，外加显著不为零的二次项 {c}：输入越长，每个 token 越便宜；{fixed}。",
    en="Prefill grows by {b} and by {c} with the square, which can be told from zero: a token costs less the longer the prompt is; {fixed}.",
)
FIXED: Final = Text(
    zh="与长度无关的固定开销是 {a}（标准误 {e}）", en="what does not depend on the length is {a} (standard error {e})"
)
NO_FIXED: Final = say(
    zh="与长度无关的固定开销分辨不出来", en="no cost that does not depend on the length can be told from zero"
)


def _of_neighbours(analysis: Analysis, series: Series) -> list[Sentence]:
    known = [
        (ratio, level)
        for ratio, level in seen_usable(analysis, "itl_beside_prefill_ratio", series)
        if ratio > SLOWED and (number_at(analysis, at_level("ttft_queue_share", series, level)) or 0.0) < QUEUED
    ]
    if not known:
        return []
    level = highest(known)
    return [
        say(
            zh="反过来看，其他请求 prefill 时，正在解码的请求的 ITL 中位数是平时的 {r}（{l}）。",
            en="In turn, the prefill of others makes the median gap of a request that decodes {r} what it is otherwise ({l}).",
            r=level_value("itl_beside_prefill_ratio", series.id, level.id),
            l=LevelName(series.id, level.id),
        )
    ]


def _cards(analysis: Analysis, series: Series) -> list[Card]:
    cards = []
    levels = _levels(analysis, series, "ttft_prefill_share")
    if levels:
        level = levels[-1]
        cards.append(
            _level_card(Text(zh="prefill 占 TTFT", en="Share of prefill"), "ttft_prefill_share", series, level)
        )
        if number_at(analysis, at_level("ttft_queue_share", series, level)) is not None:
            title = Text(zh="排队占 TTFT", en="Share of queueing")
            cards.append(_level_card(title, "ttft_queue_share", series, level))
    speeds = known_at(analysis, "prefill_speed", series, analysis.usable(series.id))
    if speeds:
        _, level = max(speeds, key=lambda one: number_at(analysis, at_level("prefill_tokens", series, one[1])) or 0.0)
        cards.append(
            Card(
                say(zh="单独一条请求的 prefill 速度", en="Prefill speed of a request alone"),
                level_value("prefill_speed", series.id, level.id),
                Sentence(
                    BY_SERVER if level in _levels(analysis, series, "ttft_prefill") else BY_CLIENT,
                    {"n": level_value("prefill_tokens", series.id, level.id)},
                ),
            )
        )
    return cards


BY_SERVER: Final = Text(zh="输入 {n}", en="at {n}")
BY_CLIENT: Final = Text(
    zh="输入 {n} ÷ TTFT p50：含网络与 HTTP，是下限", en="{n} ÷ TTFT p50: with network and HTTP, a lower bound"
)


def _level_card(title: Text, metric: str, series: Series, level: Level) -> Card:
    label = say(zh="{t}", en="{t}", t=title)
    where = say(
        zh="{l}，TTFT 均值 {m}",
        en="{l}, mean TTFT {m}",
        l=LevelName(series.id, level.id),
        m=level_value("ttft_mean", series.id, level.id),
    )
    return Card(label, level_value(metric, series.id, level.id), where)
