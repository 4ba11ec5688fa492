"""What the load of users asks of the levels of the round: which it visits, and what lies beyond all that was measured."""

from __future__ import annotations

from typing import Final

from generator.across.ladders import ladder
from generator.across.levels import Shown, amount, known_at, level_table
from generator.frame import Analysis
from generator.model import Level, Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, Paragraph, Steps
from generator.told.quoting import level_value, passage, round_value
from generator.told.sentence import LevelName, Part, Sentence, SeriesName, say

COLUMNS: Final = (
    Shown("output_throughput", Text(zh="输出吞吐", en="output throughput"), "tok/s"),
    Shown("traffic_use", Text(zh="平均，按输出", en="on average, by output"), "%"),
    Shown("traffic_use_total", Text(zh="平均，按全部 token", en="on average, by all tokens"), "%"),
    Shown("traffic_use_peak", Text(zh="最满窗口，按输出", en="fullest window, by output"), "%"),
    Shown("traffic_use_total_peak", Text(zh="最满窗口，按全部 token", en="fullest window, by all tokens"), "%"),
    Shown("traffic_in_flight", Text(zh="按此时延的并发", en="concurrency at this latency")),
    Shown("asked_input_tokens", Text(zh="输入长度", en="input"), "tok"),
    Shown("asked_output_tokens", Text(zh="输出长度", en="output"), "tok"),
)
SHARES: Final = {
    "p5": Text(zh="绝大多数请求", en="Nineteen requests in twenty"),
    "p25": Text(zh="四分之三以上的请求", en="Three quarters of the requests or more"),
    "p50": Text(zh="一半以上的请求", en="Half of the requests or more"),
    "p75": Text(zh="四分之一以上的请求", en="A quarter of the requests or more"),
    "p90": Text(zh="十分之一以上的请求", en="A tenth of the requests or more"),
    "p95": Text(zh="二十分之一以上的请求", en="A twentieth of the requests or more"),
    "p99": Text(zh="百分之一以上的请求", en="A hundredth of the requests or more"),
}
"""Percentile -> how many requests are longer than it."""
SIDES: Final = {"input": Text(zh="输入", en="input"), "output": Text(zh="输出", en="output")}
OTHER_MIXTURE: Final = 1.5
"""Factor by which the share of output may differ before levels are told to have another mixture."""
CLUSTERED: Final = 1.5
"""Index of dispersion above which arrivals are told to come unevenly."""


@section()
def guide_traffic(analysis: Analysis) -> Chapter | None:
    """Hold the load against the levels; nothing where the round has no profile, or no level."""
    if analysis.round.profile is None:
        return None
    places = [(series, level) for series in analysis.round.series for level in _levels(analysis, series)]
    if not places:
        return None
    told = [sentence for series in analysis.round.series for sentence in _visited(analysis, series)]
    caption = say(zh="这份负载与每一档", en="The load against each level")
    blocks: list[Block] = [Paragraph(passage(_intro(analysis), *told))]
    blocks.append(level_table(analysis, "guide-traffic-table", caption, COLUMNS, places))
    beyond = tuple(_beyond(analysis))
    if beyond:
        blocks.append(Steps(say(zh="哪些是外推", en="What is extrapolated"), beyond))
    return Chapter(say(zh="真实负载落在哪些档位", en="Which levels the load of users visits"), tuple(blocks))


def _levels(analysis: Analysis, series: Series) -> list[Level]:
    """Return the levels that conclusions may rest on: those that differ in the load alone, else all that are usable."""
    return list(ladder(analysis, series)) or list(analysis.usable(series.id))


def _intro(analysis: Analysis) -> Sentence:
    profile = analysis.round.profile
    if profile is not None and profile.input is None and profile.output is None:
        return say(
            zh="负载的长度无从得知，说不出它要用到哪一档；按每一档的时延，只能算出它会有的并发。",
            en="The lengths of the load are not known, so it cannot be said which level it needs; by the latency of each there is only "
            "the concurrency that it would have.",
        )
    if analysis.frame.of_round("traffic_output_rate").value is None:
        return say(
            zh="负载的到达率与输出长度不全，说不出它要用到哪一档；只能比长度。",
            en="The load lacks its arrival rate or its output length, so it cannot be said which level it needs; only lengths can be "
            "compared.",
        )
    told = say(
        zh="这份负载平均要 {x} 的输出。",
        en="The load asks for {x} of output on average.",
        x=round_value("traffic_output_rate"),
    )
    if analysis.frame.of_round("traffic_total_rate").value is None:
        return told
    both = say(
        zh="连输入一起是 {y}。表里按两者各算一个占比，够不够用以大的那个为准：prefill 与 decode 抢同一块设备，真实的占比取决于两者怎么混。",
        en="With its input that is {y}. The table has a share by either, and the larger decides here: prefill and decode compete for one "
        "device, and what is true depends on how they mix.",
        y=round_value("traffic_total_rate"),
    )
    return passage(told, both)


def _visited(analysis: Analysis, series: Series) -> list[Sentence]:
    """Say from which level on a series produces what the load asks for, on average and at its peak."""
    mean, peak = (_shares(analysis, series, *keys) for keys in (MEAN, PEAK))
    if not mean:
        return []
    first, first_at_peak = (_first(shares) for shares in (mean, peak))
    if first is None:
        return [_enough(series, mean, NEVER)]
    if first == first_at_peak:
        return [_enough(series, mean, EVEN_AT_PEAK)]
    told = [_enough(series, mean, ON_AVERAGE)]
    if peak:
        told.append(_enough(series, peak, NOT_AT_PEAK if first_at_peak is None else AT_PEAK))
    return told


MEAN: Final = ("traffic_use", "traffic_use_total")
PEAK: Final = ("traffic_use_peak", "traffic_use_total_peak")
Shares = list[tuple[float, Level]]


def _shares(analysis: Analysis, series: Series, by_output: str, by_all: str) -> Shares:
    """Return, of each level, the larger of the shares that the load asks for."""
    levels = _levels(analysis, series)
    whole = {level.id: share for share, level in known_at(analysis, by_all, series, levels)}
    found = known_at(analysis, by_output, series, levels)
    return [(max(share, whole.get(level.id, share)), level) for share, level in found]


def _first(shares: Shares) -> Level | None:
    return next((level for share, level in shares if share <= 1), None)


def _enough(series: Series, shares: Shares, text: Text) -> Sentence:
    """Fill a sentence with the first level that does; with the one that comes closest where none does."""
    level = _first(shares) or min(shares, key=lambda one: one[0])[1]
    parts: dict[str, Part] = {"s": SeriesName(series.id), "l": LevelName(series.id, level.id)}
    return Sentence(text, {**parts, "x": level_value("output_throughput", series.id, level.id)})


EVEN_AT_PEAK: Final = Text(
    zh="{s} 从 {l} 起（输出 {x}）连最满的窗口也够用。",
    en="{s} keeps up from {l} on ({x} of output), in the fullest window, too.",
)
ON_AVERAGE: Final = Text(
    zh="{s} 从 {l} 起（输出 {x}）够平均负载用。", en="{s} keeps up on average from {l} on ({x} of output)."
)
NEVER: Final = Text(
    zh="{s} 在测过的任何一档都跟不上平均负载，最接近的是 {l}（输出 {x}）：一台不够，要多台分担；更高的负载没有测过。",
    en="{s} does not keep up with the average at any level measured, {l} ({x} of output) coming closest: several servers would have to "
    "share the load, and what lies beyond was not measured.",
)
AT_PEAK: Final = Text(
    zh="最满的窗口，{s} 要到 {l}（输出 {x}）才够用。", en="For its fullest window {s} has to go to {l} ({x} of output)."
)
NOT_AT_PEAK: Final = Text(
    zh="最满的窗口，{s} 哪一档都跟不上，最接近的是 {l}（输出 {x}）：请求会排队，那时的时延这一轮没有测过。",
    en="In its fullest window no level of {s} keeps up, {l} ({x} of output) coming closest: requests queue, with latencies that this round "
    "does not hold.",
)


def _beyond(analysis: Analysis) -> list[Sentence]:
    """Say what of the load no level has."""
    told = [sentence for side in SIDES if (sentence := _longer(analysis, side)) is not None]
    mixture = _mixture(analysis)
    told += [mixture] if mixture is not None else []
    told += [sentence for series in analysis.round.series if (sentence := _below(analysis, series)) is not None]
    dispersion = analysis.frame.of_round("traffic_dispersion").value
    if dispersion is not None and dispersion > CLUSTERED:
        told.append(
            say(
                zh="请求来得有密有疏（离散指数 {i}，Poisson 为一），而各档的负载是均匀的：高峰里的排队要用逐条重放来测。",
                en="Requests come unevenly (index of dispersion {i}, one for Poisson), and the load of a level is steady: queueing at the peak takes a replay "
                "to be measured.",
                i=round_value("traffic_dispersion"),
            )
        )
    return told


def _longer(analysis: Analysis, side: str) -> Sentence | None:
    """Say how many requests are longer than any level asked for, or that hardly any is."""
    metric = f"asked_{side}_tokens"
    asked = [
        (length, series, level)
        for series in analysis.round.series
        for level in analysis.usable(series.id)
        if (length := amount(analysis, metric, (series, level))) is not None
    ]
    percentiles = {name: analysis.frame.of_round(f"traffic_{side}_{name}").value for name in SHARES}
    if not asked or any(value is None for value in percentiles.values()):
        return None
    longest, series, level = max(asked, key=lambda one: one[0])
    first = next((name for name, value in percentiles.items() if value is not None and value > longest), None)
    parts: dict[str, Part] = {"side": SIDES[side], "l": level_value(metric, series.id, level.id)}
    if first is None:
        return Sentence(HARDLY_ANY, {**parts, "q": round_value(f"traffic_{side}_p99")})
    return Sentence(LONGER, {**parts, "share": SHARES[first], "q": round_value(f"traffic_{side}_{first}")})


LONGER: Final = Text(
    zh="{share}的{side}（{q} 以上）比任何一档（最长 {l}）都长：对它们，这一轮没有依据。",
    en="{share} have a longer {side} ({q} or more) than any level ({l} at most): of those the round tells nothing.",
)
HARDLY_ANY: Final = Text(
    zh="{side}：p99 为 {q}，没有超过最长的一档（{l}）。",
    en="By {side}, the p99 of {q} is within the longest level ({l}).",
)


def _mixture(analysis: Analysis) -> Sentence | None:
    """Say that the load has more input for its output than the levels, or less, where it has."""
    load = analysis.frame.of_round("traffic_output_share").value
    asked = [
        (output / (given + output), series, level)
        for series in analysis.round.series
        for level in analysis.usable(series.id)
        if (given := amount(analysis, "asked_input_tokens", (series, level))) is not None
        and (output := amount(analysis, "asked_output_tokens", (series, level))) is not None
    ]
    if load is None or not asked:
        return None
    nearest, series, level = min(asked, key=lambda one: max(one[0] / load, load / one[0]))
    if max(nearest / load, load / nearest) <= OTHER_MIXTURE:
        return None
    return say(
        zh="负载的 token 里 {x} 是输出；最接近的档位是输入 {a}、输出 {b}：prefill 与 decode 的比例不同，每一档的占比与并发都只是估计。",
        en="Of the tokens of the load {x} are output; the level nearest to that has {a} of input and {b} of output. Prefill and decode mix "
        "otherwise, and shares and concurrencies are estimates.",
        x=round_value("traffic_output_share"),
        a=level_value("asked_input_tokens", series.id, level.id),
        b=level_value("asked_output_tokens", series.id, level.id),
    )


def _below(analysis: Analysis, series: Series) -> Sentence | None:
    """Say that a load lies below the lowest level, where that is not one request at a time."""
    known = known_at(analysis, "traffic_in_flight", series, _levels(analysis, series))
    if not known:
        return None
    in_flight, level = known[0]
    if level.concurrency is None or level.rate is not None or level.concurrency <= 1 or in_flight >= level.concurrency:
        return None
    return say(
        zh="{s} 最低的一档 {l} 已经高于这份负载的并发（按其时延 {n}）：更低处的时延没有测过。",
        en="The lowest level of {s}, {l}, is above the concurrency of the load ({n} at its latency): latencies below it were not measured.",
        s=SeriesName(series.id),
        l=LevelName(series.id, level.id),
        n=level_value("traffic_in_flight", series.id, level.id),
    )
