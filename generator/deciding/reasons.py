"""Why a rule comes to what it does, in words with the numbers of the round in them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from generator.deciding.records import Bound, Criterion, Lead, Rule
from generator.frame import Analysis
from generator.model import Level, Series
from generator.text import Text
from generator.told.quoting import level_value, listed_levels, passage, series_names
from generator.told.sentence import Count, LevelName, Listing, Part, Quantity, Sentence, SeriesName, say
from generator.values import Address, Value

NO_NAME: Final = Text(zh="要看的量", en="what it goes by")


def tell_leads(analysis: Analysis, found: Sequence[Lead]) -> Sentence:
    """Tell the numbers at the lowest and at the highest of some levels; one or more."""
    ends = (found[0], found[-1]) if len(found) > 1 else found
    return passage(*(tell_lead(analysis, lead) for lead in ends))


def tell_lead(analysis: Analysis, lead: Lead) -> Sentence:
    """Tell both numbers at a level, the better one first, and how far apart they are where the graph says so."""
    sides = (lead.ahead, lead.behind)
    metric, unit = lead.yardstick.metric, lead.yardstick.unit
    parts: dict[str, Part] = {
        "l": LevelName(sides[0], lead.level.id),
        "q": lead.yardstick.name,
        "a": SeriesName(sides[0]),
        "x": level_value(metric, sides[0], lead.level.id, unit=unit),
        "b": SeriesName(sides[1]),
        "y": level_value(metric, sides[1], lead.level.id, unit=unit),
    }
    times = _times(analysis, lead, sides)
    if times is None:
        return Sentence(NUMBERS, parts)
    more = FORMER_MORE if lead.yardstick.better == "higher" else LATTER_MORE
    return Sentence(more, {**parts, "t": times})


NUMBERS: Final = Text(
    zh="{l} 时，{q}：{a} 为 {x}，{b} 为 {y}。",
    en="At {l}, {q} is {x} for {a} and {y} for {b}.",
)
LATTER_MORE: Final = Text(
    zh="{l} 时，{q}：{a} 为 {x}，{b} 为 {y}，后者是前者的 {t}。",
    en="At {l}, {q} is {x} for {a} and {y} for {b}: {b} takes {t} as long.",
)
FORMER_MORE: Final = Text(
    zh="{l} 时，{q}：{a} 为 {x}，{b} 为 {y}，前者是后者的 {t}。",
    en="At {l}, {q} is {x} for {a} and {y} for {b}: {a} delivers {t} as much.",
)


def _times(analysis: Analysis, lead: Lead, sides: Iterable[str]) -> Quantity | None:
    """Return the factor between two series of which one is the baseline; None where the graph has none."""
    addresses = (Address(lead.yardstick.lead, "pair-level", side, lead.level.id) for side in sides)
    baseline = analysis.round.baseline
    if baseline is None or baseline.id not in sides:
        return None
    return next((Quantity(value.address) for value in analysis.frame.known(addresses)), None)


def beyond(analysis: Analysis, rule: Rule, near: Lead | None) -> Sentence:
    """Say that no common level lies in the range of a rule, and who leads nearest to it."""
    text = NONE_FROM if math.isinf(rule.high) else NONE_BETWEEN
    parts: dict[str, Part] = {"low": Count(int(rule.low))}
    if not math.isinf(rule.high):
        parts["high"] = Count(int(rule.high))
    told = Sentence(text, parts)
    if near is None:
        return told
    nearest = say(
        zh="最近的一档是：{near}那里以外是外推。",
        en="Nearest to it: {near} What lies beyond is extrapolation.",
        near=tell_lead(analysis, near),
    )
    return passage(told, nearest)


NONE_FROM: Final = Text(
    zh="没有在途 {low} 条以上的共同可用档位。", en="No usable level with {low} or more in flight is common to all."
)
NONE_BETWEEN: Final = Text(
    zh="没有在途 {low} 到 {high} 条的共同可用档位。",
    en="No usable level with {low} to {high} in flight is common to all.",
)


def changes(analysis: Analysis, found: Sequence[Lead]) -> Sentence:
    """Say that the lead changes hands within the range of a rule."""
    told = tell_leads(analysis, found)
    return say(zh="领先者在这个范围内更替。{told}", en="The lead changes hands within this range. {told}", told=told)


def lengths_turn(analysis: Analysis, told: Sentence, turned: Lead) -> Sentence:
    """Say that another leads where requests have other lengths, behind what is so at those compared."""
    return say(
        zh="领先者随请求长度而变。{told}{turned}",
        en="Who leads depends on the lengths of requests. {told} {turned}",
        told=told,
        turned=tell_lead(analysis, turned),
    )


def all_close(analysis: Analysis, found: Sequence[Lead]) -> Sentence:
    """Say that the series are too close at every level of the range."""
    return undecided(tell_leads(analysis, found), is_close=True)


def all_doubted(analysis: Analysis, found: Sequence[Lead]) -> Sentence:
    """Say that checks leave open who leads at every level of the range."""
    return undecided(tell_leads(analysis, found), is_close=False)


def undecided(told: Sentence, *, is_close: bool) -> Sentence:
    """Say, before some numbers, why they decide nothing: they are too close, or checks and trials leave it open."""
    return Sentence(CLOSE if is_close else DOUBTED, {"told": told})


CLOSE: Final = Text(
    zh="差距太小，不足以选择。{told}",
    en="They are too close to choose between. {told}",
)
DOUBTED: Final = Text(
    zh="自检或多次测量的离散使这些数定不了先后。{told}",
    en="Checks, or the spread of the trials, leave open who leads. {told}",
)


def unknown_at(series: Series, levels: Sequence[Level]) -> Sentence:
    """Say that nothing that the rule goes by is known of all series at the levels of its range."""
    return say(
        zh="在 {levels}，要看的量不是每个系列都有。",
        en="At {levels}, what it goes by is not known of every series.",
        levels=listed_levels(series.id, (level.id for level in levels)),
    )


def unknown_of(analysis: Analysis, criterion: Criterion, lacking: Sequence[Series], beside: Sequence[Lead]) -> Sentence:
    """Say of which series a quantity is not known, how it is recorded, and what is known beside it."""
    told = [
        say(
            zh="不下结论：不知道 {who} {what}。",
            en="No verdict: {what} of {who} is not known.",
            who=series_names(series.id for series in lacking),
            what=criterion.name or NO_NAME,
        )
    ]
    if criterion.remedy is not None:
        told.append(Sentence(criterion.remedy))
    if beside:
        told.append(say(zh="知道的只有：{rest}", en="What is known: {rest}", rest=tell_leads(analysis, beside)))
    return passage(*told)


def led_by_series(criterion: Criterion, ranked: Sequence[Value]) -> Sentence:
    """Tell a quantity of two series or more, the best first."""
    parts: dict[str, Part] = {"what": capital(criterion.name or NO_NAME)}
    for number, value in enumerate(ranked):
        parts |= {f"s{number}": SeriesName(value.address.series or ""), f"x{number}": Quantity(value.address)}
    *front, last = (f"{{x{number}}} for {{s{number}}}" for number in range(len(ranked)))
    zh = "，".join(f"{{s{number}}} 为 {{x{number}}}" for number in range(len(ranked)))
    return Sentence(Text(zh=f"{{what}}：{zh}。", en=f"{{what}} is {', '.join(front)} and {last}."), parts)


def capital(text: Text) -> Text:
    """Return a text that begins a sentence."""
    return Text(zh=text.zh, en=text.en[0].upper() + text.en[1:])


def nothing_sound(rule: Rule) -> Sentence:
    """Say that no series keeps the conditions of a rule."""
    return say(zh="没有哪个系列做到：{what}。", en="No series keeps this: {what}.", what=_conditions(rule))


def only_sound(rule: Rule, kept: Series, others: Sequence[Series]) -> Sentence:
    """Say that one series alone keeps the conditions of a rule."""
    return say(
        zh="只有 {s} 做到：{what}；{others} 没有。",
        en="Only {s} keeps this: {what}; not {others}.",
        s=SeriesName(kept.id),
        what=_conditions(rule),
        others=series_names(series.id for series in others),
    )


def kept_unknown(rule: Rule, unknown: Value, others: Sequence[Series]) -> Sentence:
    """Say that whether a series keeps the conditions of a rule is not known, why, and which others do not keep them."""
    address = unknown.address
    told = say(
        zh="{s} 在 {l} 是否做到“{what}”，无从得知：{why}。",
        en="Whether {s} keeps this at {l} is unknown: {what} ({why}).",
        s=SeriesName(address.series or ""),
        l=LevelName(address.series or "", address.level or ""),
        what=_conditions(rule),
        why=unknown.reason or NO_RECORD,
    )
    if not others:
        return told
    names = series_names(series.id for series in others)
    return passage(told, say(zh="{others} 没有做到。", en="Not kept by {others}.", others=names))


NO_RECORD: Final = Text(zh="没有记录", en="there is no record of it")


def _conditions(rule: Rule) -> Listing:
    return Listing(tuple(one.told.format(bound=f"{one.value:.0%}") for one in rule.conditions))


def conflicts(against: Sequence[Text]) -> Bound:
    """Return the bound of a preference that other quantities speak against."""
    return Bound("leaning", Sentence(CONFLICT, {"what": Listing(tuple(against))}))


CONFLICT: Final = Text(zh="{what} 上另一方领先", en="another leads in {what}")
