"""Rules of thumb about vLLM and llama.cpp that are often told, as data, and what the numbers of a round say of each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from generator.across.ladders import ladder
from generator.across.levels import known_at, level_names
from generator.deciding.leads import Pair, common_levels, leads, leads_at_other_lengths, other_lengths, spans
from generator.deciding.reasons import capital, tell_lead, tell_leads
from generator.deciding.records import Held, Lead, Standing
from generator.deciding.telling import tell_spans
from generator.deciding.yardsticks import BY_METRIC
from generator.frame import Analysis
from generator.machines.flags import family_of
from generator.machines.records import Family
from generator.model import Series
from generator.text import Text
from generator.told.quoting import filled, level_value, passage, series_value
from generator.told.sentence import Count, LevelName, Part, Sentence, SeriesName, say

ABOUT: Final = 0.8
"""Share of a stated factor, or of a straight line, from which the data count as bearing it out."""
Engines = Mapping[Family, Series]
Judged = tuple[Standing, Sentence]


@dataclass(frozen=True, slots=True)
class Alike:
    """Both deliver about the same: within ``within``, from ``low`` to ``high`` requests in flight."""

    metric: str
    low: float
    high: float
    within: float


@dataclass(frozen=True, slots=True)
class Slower:
    """One takes so many times as long as the other, in the first of some latencies and, it may be, in others."""

    who: Family
    metrics: tuple[str, ...]
    times: float


@dataclass(frozen=True, slots=True)
class Leads:
    """One leads in a quantity from ``low`` to ``high`` requests in flight."""

    who: Family
    metric: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Linear:
    """The throughput of one grows almost in line with the concurrency."""

    who: Family


@dataclass(frozen=True, slots=True)
class Sooner:
    """One starts sooner than the other."""

    who: Family


Means = Alike | Slower | Leads | Linear | Sooner


@dataclass(frozen=True, slots=True)
class Thumb:
    """A rule of thumb: what it says, with the engines as ``{vllm}`` and ``{llamacpp}``, and what that means in numbers."""

    key: str
    says: Text
    means: Means


THUMBS: Final[tuple[Thumb, ...]] = (
    Thumb(
        "equal_when_few",
        Text(zh="在途 {low} 到 {high} 条请求时，两者的吞吐差不多", en="with {low} to {high} requests in flight the two deliver about the same"),
        Alike("output_throughput", 1, 4, 1.1),
    ),
    Thumb(
        "little_use_below",
        Text(zh="在途 {high} 条以内，{vllm} 没有优势", en="up to {high} requests in flight, {vllm} has no advantage"),
        Leads("llamacpp", "output_throughput", 1, 4),
    ),
    Thumb(
        "throughput_when_many",
        Text(zh="在途 {low} 条以上，{vllm} 产出更多", en="with {low} or more in flight, {vllm} delivers more"),
        Leads("vllm", "output_throughput", 32, math.inf),
    ),
    Thumb(
        "first_token",
        Text(zh="{llamacpp} 的首个 token 要等约 {times} 倍的时间", en="the first token of {llamacpp} takes about {times} times as long"),
        Slower("llamacpp", ("ttft_p50", "ttft_p99"), 5),
    ),
    Thumb(
        "linear",
        Text(zh="{vllm} 的吞吐几乎随并发成比例增长", en="the throughput of {vllm} grows almost in proportion to the concurrency"),
        Linear("vllm"),
    ),
    Thumb(
        "starts_sooner",
        Text(zh="{llamacpp} 启动更快", en="{llamacpp} starts sooner"),
        Sooner("llamacpp"),
    ),
)  # fmt: skip


def held(analysis: Analysis) -> tuple[Held, ...]:
    """Return each rule of thumb with what the round says of it; none where it does not compare these two engines."""
    engines = _engines(analysis)
    if engines is None:
        return ()
    pair = (engines[0], engines[1])
    by_family = {family: series for series in pair if (family := _family(series)) is not None}
    return tuple(_hold(analysis, thumb, pair, by_family) for thumb in THUMBS)


def _engines(analysis: Analysis) -> Pair | None:
    """Return the baseline and the first series that is compared with it, of vLLM the one and of llama.cpp the other."""
    baseline = analysis.round.baseline
    if baseline is None:
        return None
    wanted = {"vllm", "llamacpp"}
    return next(
        ((baseline, one) for one in analysis.round.compared if {_family(baseline), _family(one)} == wanted), None
    )


def _family(series: Series) -> Family | None:
    return family_of(series.table.kind, series.table.engine)


def _hold(analysis: Analysis, thumb: Thumb, pair: Pair, engines: Engines) -> Held:
    standing, reason = _judged(analysis, thumb.means, pair, engines)
    return Held(thumb.key, _says(thumb, engines), standing, reason)


def _judged(analysis: Analysis, means: Means, pair: Pair, engines: Engines) -> Judged:
    match means:
        case Alike():
            return _alike(analysis, pair, means)
        case Leads(who):
            return _leads(analysis, pair, means, engines[who])
        case Slower(who):
            return _slower(analysis, pair, means, engines[who])
        case Linear(who):
            return _linear(analysis, engines[who])
        case Sooner(who):
            return _sooner(analysis, pair, engines[who])


def _says(thumb: Thumb, engines: Engines) -> Sentence:
    numbers = {name: Count(int(number)) for name, number in _numbers(thumb).items() if math.isfinite(number)}
    names: dict[str, Part] = {family: SeriesName(series.id) for family, series in engines.items()}
    return filled(thumb.says, {**names, **numbers})


def _numbers(thumb: Thumb) -> dict[str, float]:
    return {name: getattr(thumb.means, name) for name in ("low", "high", "times") if hasattr(thumb.means, name)}


NO_LEVEL: Final = say(zh="这个范围内没有共同的可用档位。", en="No usable level in this range is common to both.")


def _lacks(analysis: Analysis, pair: Pair, metric: str, low: float = 0.0, high: float = math.inf) -> Judged:
    """Say why a range decides nothing: there is no level in it, or the quantity is not known of both at those there are."""
    there = [*common_levels(analysis, pair), *other_lengths(analysis, pair)]
    levels = [level for level in there if level.kind == "concurrency" and low <= level.load <= high]
    if not levels:
        return "undecided", NO_LEVEL
    told = say(
        zh="在 {levels}，{what}不是两边都有。",
        en="{what} is not known of both at {levels}.",
        levels=level_names(pair[1], levels),
        what=capital(BY_METRIC[metric].name),
    )
    return "undecided", told


def _within(analysis: Analysis, pair: Pair, metric: str, low: float, high: float) -> list[Lead]:
    """Return who leads at each level of a range, whatever the lengths of its requests: the rules name the load alone."""
    yardstick = BY_METRIC[metric]
    found = [*leads(analysis, pair, yardstick), *leads_at_other_lengths(analysis, pair, yardstick)]
    return [lead for lead in found if lead.level.kind == "concurrency" and low <= lead.level.load <= high]


def _alike(analysis: Analysis, pair: Pair, means: Alike) -> Judged:
    found = _within(analysis, pair, means.metric, means.low, means.high)
    if not found:
        return _lacks(analysis, pair, means.metric, means.low, means.high)
    apart = any(lead.times is None or lead.times > means.within for lead in found)
    return "contradicted" if apart else "supported", tell_leads(analysis, found)


def _leads(analysis: Analysis, pair: Pair, means: Leads, who: Series) -> Judged:
    found = _within(analysis, pair, means.metric, means.low, means.high)
    if not found:
        return _lacks(analysis, pair, means.metric, means.low, means.high)
    others = [lead for lead in found if lead.counts and lead.leader != who.id]
    if others:
        return "contradicted", tell_lead(analysis, max(others, key=lambda lead: lead.times or 0.0))
    return "supported" if any(lead.counts for lead in found) else "undecided", tell_leads(analysis, found)


def _slower(analysis: Analysis, pair: Pair, means: Slower, who: Series) -> Judged:
    found = {metric: leads(analysis, pair, BY_METRIC[metric]) for metric in means.metrics}
    if not found[means.metrics[0]]:
        return _lacks(analysis, pair, means.metrics[0])
    behind = [lead.times or math.inf for of in found.values() for lead in of if lead.leader not in (None, who.id)]
    told = [_spans(analysis, pair, metric, of) for metric, of in found.items() if of]
    stands = max(behind, default=0.0) >= ABOUT * means.times
    return "supported" if stands else "contradicted", passage(*told)


def _spans(analysis: Analysis, pair: Pair, metric: str, found: list[Lead]) -> Sentence:
    told = tell_spans(analysis, pair, BY_METRIC[metric], spans(analysis, pair, found))
    return say(zh="{told}。", en="{told}.", told=told)


def _linear(analysis: Analysis, who: Series) -> Judged:
    found = known_at(analysis, "scaling_efficiency", who, ladder(analysis, who, "concurrency"))
    if not found or found[-1][1].load <= 1:
        return "undecided", _not_scaled(analysis, who)
    share, level = found[-1]
    told = say(
        zh="{s} 在 {l} 产出 {x}，是按比例增长时的 {e}。",
        en="{s} delivers {x} at {l}, which is {e} of what growth in proportion would give.",
        s=SeriesName(who.id),
        l=LevelName(who.id, level.id),
        x=level_value("output_throughput", who.id, level.id),
        e=level_value("scaling_efficiency", who.id, level.id),
    )
    return "supported" if share >= ABOUT else "contradicted", told


def _not_scaled(analysis: Analysis, who: Series) -> Sentence:
    """Say what is missing to tell how throughput grows: levels, or the throughput at those there are."""
    loads = [level.load for level in ladder(analysis, who, "concurrency")]
    return Sentence(NO_THROUGHPUT if loads and loads[0] <= 1 < loads[-1] else NO_LEVELS, {"s": SeriesName(who.id)})


NO_LEVELS: Final = Text(
    zh="要有一次一条请求的档位，又有并发更高的档位，才看得出比例；{s} 的档位不齐。",
    en="It takes a level of one request at a time and one of more to tell, and {s} does not have both.",
)
NO_THROUGHPUT: Final = Text(
    zh="要知道一次一条请求与并发更高时的吞吐，才看得出比例；{s} 的没有记全。",
    en="It takes the throughput of one request at a time and of more to tell, and of {s} these are not both on record.",
)


def _sooner(analysis: Analysis, pair: Pair, who: Series) -> Judged:
    starts = {side.id: analysis.frame.of_series("cold_start_perceived", side.id).value for side in pair}
    if None in starts.values():
        return "undecided", say(zh="没有测量两边的冷启动。", en="The cold starts of the two were not measured.")
    told = say(
        zh="从拉起到首个 token，{a} 用 {x}，{b} 用 {y}。",
        en="From the spawn to the first token {a} takes {x} and {b} {y}.",
        a=SeriesName(pair[0].id),
        x=series_value("cold_start_perceived", pair[0].id),
        b=SeriesName(pair[1].id),
        y=series_value("cold_start_perceived", pair[1].id),
    )
    sooner = min(starts, key=lambda side: starts[side] or 0.0)
    return "supported" if sooner == who.id else "contradicted", told
