"""Who leads where, in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from generator.deciding.leads import Pair, excluded_between
from generator.deciding.reasons import capital
from generator.deciding.records import Advice, Bound, Lead, Span, Yardstick
from generator.frame import Analysis
from generator.model import Level
from generator.text import Text
from generator.told.quoting import filled, joined, pair_level_value
from generator.told.sentence import LevelName, Listing, Part, Quantity, Sentence, SeriesName, say

COMMA: Final = Text(zh="，", en=", ")
MORE: Final = Text(zh="产出更多", en="delivers more")
SHORTER: Final = Text(zh="的 {name} 更短", en="has the shorter {name}")


def does(yardstick: Yardstick) -> Text:
    """Return what the one that leads in a quantity does better, as a predicate."""
    return MORE if yardstick.better == "higher" else SHORTER.format(name=yardstick.name)


def tell_spans(analysis: Analysis, pair: Pair, yardstick: Yardstick, found: Sequence[Span]) -> Sentence:
    """Say who leads in a quantity over which levels, by how much at most, and where that changes.

    Args:
        analysis: the round.
        pair: the two series.
        yardstick: the quantity.
        found: the spans of the pair, one at least.
    """
    clauses = []
    for number, span in enumerate(found):
        is_before, is_after = number > 0, number + 1 < len(found)
        stated = any(one.leader is not None and one.certainty != "open" for one in found[:number])
        clauses.append(
            _clause(analysis, pair, yardstick, span, is_before=is_before, is_after=is_after, is_stated=stated)
        )
    return joined(clauses, COMMA)


def _clause(
    analysis: Analysis,
    pair: Pair,
    yardstick: Yardstick,
    span: Span,
    *,
    is_before: bool,
    is_after: bool,
    is_stated: bool,
) -> Sentence:
    """Tell a span; where it does not stand alone, its levels next to a change that are too close are no part of the lead."""
    if span.leader is None:
        return Sentence(EQUAL if is_before else capital(EQUAL))
    is_open = span.certainty == "open"
    told = span.leads if is_open else span.clear
    where = _where(analysis, pair, told, is_before=is_before, is_after=is_after)
    parts: dict[str, Part] = {"where": where, "who": SeriesName(span.leader), "does": does(yardstick)}
    if is_open:
        text = OPEN_CLOSE if len(span.close) == len(span.leads) else OPEN
        return filled(
            text if is_before else capital(text),
            {**parts, "what": yardstick.name, "most": tell_lead(pair, span.widest)},
        )
    is_level_told = len(told) == 1 and (is_after or not is_before)
    most = _with_close(pair, span, _by_how_much(pair, span.widest, is_level_told=is_level_told))
    return filled(NEXT if is_stated else LEADS, {**parts, "most": most})


def _with_close(pair: Pair, span: Span, most: Sentence) -> Sentence:
    """Say by how much one leads, and at which levels of the span that is too little to choose by."""
    if not span.close:
        return most
    levels = close_levels(pair, (span,))
    return say(
        zh="{most}；在 {levels} 差距太小", en="{most}; too close to choose at {levels}", most=most, levels=levels
    )


def _by_how_much(pair: Pair, lead: Lead, *, is_level_told: bool) -> Sentence:
    """Say by how much one leads, without the level where the clause has named that one alone."""
    times = factor(pair, lead)
    if is_level_told and times is not None:
        return say(zh="{times}", en="{times}", times=times)
    return tell_lead(pair, lead)


EQUAL: Final = Text(zh="两边一样", en="the two are equal")
LEADS: Final = Text(zh="{where} {who} {does}（{most}）", en="{who} {does} {where} ({most})")
NEXT: Final = Text(zh="{where}是 {who}（{most}）", en="{who} {where} ({most})")
OPEN: Final = Text(
    zh="{where}，谁{does}未定（数值上 {who} 占先，{most}）", en="who {does} {where} is open ({who} is ahead, {most})"
)
OPEN_CLOSE: Final = Text(
    zh="{where}，两者的{what}太接近，分不出先后（{who} 占先，{most}）",
    en="the two are too close to choose between in {what} {where} ({who} is ahead, {most})",
)


def _where(analysis: Analysis, pair: Pair, told: Sequence[Lead], *, is_before: bool, is_after: bool) -> Sentence:
    """Say at which levels something holds: to the first or last of all, unless a check took some out there."""
    first, last = told[0].level, told[-1].level
    low, high = first.load if is_before else 0.0, last.load if is_after else math.inf
    is_whole = not is_before and not is_after
    usable = not is_whole and bool(excluded_between(analysis, pair, low, high))
    if is_whole or (is_before and is_after) or (len(told) == 1 and not is_before):
        text = AT if len(told) == 1 else EACH if is_whole else USABLE_BETWEEN if usable else BETWEEN
    elif is_after:
        text = USABLE_UP_TO if usable else UP_TO
    else:
        text = USABLE_FROM if usable else FROM
    return filled(text, {"first": _name(pair, first), "last": _name(pair, last)})


AT: Final = Text(zh="在 {last} 这一档", en="at {last}")
EACH: Final = Text(zh="从 {first} 到 {last} 的每个可用档位都是", en="at each usable level from {first} to {last}")
BETWEEN: Final = Text(zh="从 {first} 到 {last} 这几档", en="from {first} to {last}")
USABLE_BETWEEN: Final = Text(zh="从 {first} 到 {last} 的可用档位上", en="at the usable levels from {first} to {last}")
UP_TO: Final = Text(zh="到 {last} 为止", en="up to {last}")
USABLE_UP_TO: Final = Text(zh="到 {last} 为止的可用档位上", en="at the usable levels up to {last}")
FROM: Final = Text(zh="从 {first} 起", en="from {first} on")
USABLE_FROM: Final = Text(zh="从 {first} 起的可用档位上", en="at the usable levels from {first} on")


def tell_lead(pair: Pair, lead: Lead) -> Sentence:
    """Say by how much one leads at a level."""
    times = factor(pair, lead)
    level = _name(pair, lead.level)
    if times is None:
        return say(zh="在 {level}", en="at {level}", level=level)
    return say(zh="在 {level} 是 {times}", en="{times} at {level}", times=times, level=level)


def factor(pair: Pair, lead: Lead) -> Quantity | None:
    """Return how far one leads at a level, as a value of the graph; None where it has none."""
    return None if lead.times is None else pair_level_value(lead.yardstick.lead, pair[1].id, lead.level.id)


def close_levels(pair: Pair, found: Iterable[Span]) -> Listing:
    """Return the names of the levels at which two series are too close to choose by."""
    close = (lead.level for span in found for lead in span.leads if lead.is_close)
    return Listing(tuple(_name(pair, level) for level in close))


def tell_bounds(bounds: Iterable[Bound]) -> Listing:
    """Return what keeps conclusions from being surer, each once, in the order of the bounds."""
    told = {bound.key: bound.why for bound in bounds}
    return Listing(tuple(told.values()))


def told_without(advice: Advice) -> Text:
    """Return what stands in place of a preference where there is none."""
    return UNMEASURED if advice.is_unmeasured else UNKNOWN if advice.is_unknown else NONE


NONE: Final = Text(zh="不选", en="none")
UNKNOWN: Final = Text(zh="无从得知", en="unknown")
UNMEASURED: Final = Text(zh="没有测过", en="not measured")


def _name(pair: Pair, level: Level) -> LevelName:
    return LevelName(pair[1].id, level.id)
