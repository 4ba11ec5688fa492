"""Do enough requests stand behind the tail percentiles?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from generator.across.levels import at_level, by_kind_of_data, level_names
from generator.checks import DETAILS_FOR_STATISTICS
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text, same
from generator.themes import LATENCY
from generator.told.findings import Finding
from generator.told.sentence import Count, Listing, Quantity, SeriesName, say
from generator.values import Address, Value

NEEDED: Final = {"p90": 10, "p95": 20, "p99": 100}
"""Fewest requests of which one lies beyond the percentile; with fewer it lies between the two slowest."""
CERTAIN: Final = 0.99
"""Probability with which two requests or more are to lie beyond a percentile."""
SURE: Final = {"p90": 64, "p95": 130, "p99": 662}
"""Fewest requests with which they do: p^n + n·(1 − p)·p^(n−1), the chance of one or none, is then 1 − CERTAIN or less."""
PER_REQUEST: Final = ("ttft", "tpot", "e2el")
"""Quantities with one sample a request. Gaps between tokens have hundreds and are not examined."""


FOR_TABLES: Final = Text(
    zh="补上 completed 一列。",
    en="Fill in the column completed.",
)
EACH: Final = Text(zh="各", en=" each")
"""Behind a size that several levels have alike."""


@check(
    theme=LATENCY,
    title=Text(zh="尾部分位数的样本量", en="Sample size behind tail percentiles"),
    question=Text(zh="每个尾部分位数背后的请求够多吗？", en="Do enough requests stand behind each tail percentile?"),
    rule=Text(
        zh="分位数之外至少要有一条请求：p90 要 {p90} 条，p95 要 {p95} 条，p99 要 {p99} 条；不够就警告。若要有 {certain} 的把握使该分位数之外至少有两条请求，依次需要 {sure90}、{sure95}、{sure99} 条，不够则提示。",
        en="At least one request has to lie beyond a percentile: a p90 needs {p90}, a p95 {p95}, a p99 {p99}; a warning where there are fewer. For two or more to lie beyond, with a probability of {certain}, it needs {sure90}, {sure95} and {sure99}; a note where there are fewer.",
    ).format(**NEEDED, certain=f"{CERTAIN:.0%}", **{f"sure{tail[1:]}": count for tail, count in SURE.items()}),
)
def tail_percentiles(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [finding for series in analysis.round.series for finding in _examine(analysis, series)]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    printed = [(level, address) for level in series.levels for address in _printed_tails(analysis, series, level)]
    if not printed:
        return [_nothing(analysis, series)]
    sizes = {address: _size(analysis, address) for _, address in printed}
    thin = [(level, a) for level, a in printed if (size := sizes[a]) is not None and _is_thin(size, a)]
    uncounted = list(dict.fromkeys(level for level, address in printed if sizes[address] is None))
    unsure = [(level, a) for level, a in printed if (size := sizes[a]) is not None and _is_unsure(size, a)]
    findings = [_thin(series, thin, sizes)] if thin else []
    findings += [_unsure(series, unsure, sizes)] if unsure else []
    if uncounted:
        findings.append(_uncounted(series, uncounted))
    return findings or [_enough(series, printed)]


def _size(analysis: Analysis, tail: Address) -> Value | None:
    """Return how many requests a percentile rests on: its own sample where that was counted, else all completed."""
    quantity = tail.metric.partition("_")[0]
    counts = analysis.frame.known(tail._replace(metric=key) for key in (f"{quantity}_samples", "completed"))
    return next(iter(counts), None)


def _printed_tails(analysis: Analysis, series: Series, level: Level) -> list[Address]:
    keys = [f"{quantity}_{tail}" for quantity in PER_REQUEST for tail in NEEDED]
    addresses = [at_level(key, series, level) for key in keys]
    return [value.address for value in analysis.frame.known(addresses)]


def _is_thin(size: Value, address: Address) -> bool:
    return (size.value or 0.0) < NEEDED[_tail(address)]


def _is_unsure(size: Value, address: Address) -> bool:
    return NEEDED[_tail(address)] <= (size.value or 0.0) < SURE[_tail(address)]


def _tail(address: Address) -> str:
    return address.metric.rpartition("_")[2]


def _thin(series: Series, thin: list[tuple[Level, Address]], known: Mapping[Address, Value | None]) -> Finding:
    levels = list(dict.fromkeys(level for level, _ in thin))
    sizes = tuple(dict.fromkeys(size.address for _, tail in thin if (size := known[tail]) is not None))
    smallest = [_smallest(level, thin, known) for level in levels]
    names = level_names(series, levels)
    outermost = max((_tail(address) for _, address in thin), key=NEEDED.__getitem__)
    needed = Count(NEEDED[outermost])
    return Finding(
        check="tail_percentiles",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=(*sizes, *(address for _, address in thin)),
        doubts=tuple(address for _, address in thin),
        message=say(
            zh="{series} 在 {levels} 的尾部分位数{each}只有 {sizes} 条请求支撑：不足 {needed} 条时，"
            "{tail} 只是最慢两条请求之间的插值。",
            en="The tail percentiles of {series} at {levels} rest on {sizes} {sizes:request|requests}{each}: a {tail} needs at "
            "least {needed}; with fewer it is only interpolated between the two slowest.",
            series=SeriesName(series.id),
            levels=names,
            sizes=_told(smallest),
            each=EACH if _are_alike(smallest) else same(""),
            needed=needed,
            tail=same(outermost),
        ),
        remedy=say(
            zh="在 {levels} 至少发 {needed} 条请求，或只引用 p50。",
            en="Send {needed} requests or more at {levels}, or quote the p50 only.",
            levels=names,
            needed=needed,
        ),
    )


def _unsure(series: Series, unsure: list[tuple[Level, Address]], known: Mapping[Address, Value | None]) -> Finding:
    """Note percentiles beyond which a single request may lie, so that another run could give quite another number."""
    levels = list(dict.fromkeys(level for level, _ in unsure))
    smallest = [_smallest(level, unsure, known) for level in levels]
    tails = sorted({_tail(address) for _, address in unsure}, key=SURE.__getitem__)
    return Finding(
        check="tail_percentiles",
        status="note",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=(*(size.address for size in smallest), *(address for _, address in unsure)),
        message=say(
            zh="{series} 在 {levels} 的请求数为 {sizes}，落在 {tails} 之外的只有几条：换一次运行，这个数可能大不相同；"
            "可靠的 {tail} 要 {sure} 条。",
            en="At {levels} only a few of the {sizes} requests to {series} lie beyond the {tails}, so another run may give a very "
            "different value; a reliable {tail} needs {sure}.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            tails=Listing(tuple(same(tail) for tail in tails)),
            sizes=_told(smallest),
            tail=same(tails[-1]),
            sure=Count(SURE[tails[-1]]),
        ),
    )


def _smallest(level: Level, thin: list[tuple[Level, Address]], known: Mapping[Address, Value | None]) -> Value:
    """Return the smallest of the samples behind the thin percentiles of a level."""
    sizes = [size for of, tail in thin if of == level and (size := known[tail]) is not None]
    return min(sizes, key=lambda size: size.value or 0.0)


def _told(sizes: list[Value]) -> Listing:
    """Return sizes one behind the other; once where all are alike."""
    return Listing(tuple(Quantity(size.address) for size in (sizes[:1] if _are_alike(sizes) else sizes)))


def _are_alike(sizes: list[Value]) -> bool:
    return len(sizes) > 1 and len({size.value for size in sizes}) == 1


def _enough(series: Series, printed: list[tuple[Level, Address]]) -> Finding:
    return Finding(
        check="tail_percentiles",
        status="pass",
        series=series.id,
        levels=tuple(dict.fromkeys(level.id for level, _ in printed)),
        evidence=tuple(address for _, address in printed),
        message=say(
            zh="{series} 的尾部分位数都有足够的请求支撑。",
            en="Enough requests stand behind every tail percentile of {series}.",
            series=SeriesName(series.id),
        ),
    )


def _uncounted(series: Series, levels: list[Level]) -> Finding:
    return Finding(
        check="tail_percentiles",
        status="unknown",
        series=series.id,
        levels=tuple(level.id for level in levels),
        message=say(
            zh="{series} 在 {levels} 的尾部分位数背后有多少请求，没有记录。",
            en="How many requests stand behind the tail percentiles of {series} at {levels} is not recorded.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
        ),
        remedy=by_kind_of_data([series], runs=DETAILS_FOR_STATISTICS, table=FOR_TABLES),
    )


def _nothing(analysis: Analysis, series: Series) -> Finding:
    """Say that there is nothing to examine, and which levels have too few requests for a p99 that is told elsewhere."""
    sent = [(level, at_level("requests", series, level)) for level in series.levels]
    few = [(level, count) for level, at in sent for count in analysis.frame.known([at]) if _is_too_few(count)]
    if few:
        return _none_possible(series, few)
    return Finding(
        check="tail_percentiles",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 没有给出按请求统计的尾部分位数，无从检查。",
            en="{series} gives no tail percentile over requests, so there is nothing to examine.",
            series=SeriesName(series.id),
        ),
    )


def _is_too_few(count: Value) -> bool:
    return (count.value or 0.0) < NEEDED["p99"]


def _none_possible(series: Series, few: list[tuple[Level, Value]]) -> Finding:
    levels = [level for level, _ in few]
    return Finding(
        check="tail_percentiles",
        status="note",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=tuple(count.address for _, count in few),
        message=say(
            zh="{series} 在这里没有逐条请求的尾部分位数；{levels} 只发了 {sizes} 条请求，而 {tail} 要 {needed} 条："
            "别处若给出这几档 TTFT 或 E2EL 的 {tail}，那只是最慢两条请求之间的插值。",
            en="{series} gives no tail percentile over requests here. At {levels} it was sent {sizes} {sizes:request|requests}, and "
            "a {tail} needs {needed}: a {tail} of TTFT or E2EL given elsewhere for these levels is only interpolated between "
            "the two slowest.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            sizes=Listing(tuple(Quantity(count.address) for _, count in few)),
            tail=same("p99"),
            needed=Count(NEEDED["p99"]),
        ),
    )
