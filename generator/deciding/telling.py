"""Who leads where, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from generator.deciding.leads import Pair
from generator.deciding.records import Advice, Bound, Lead, Span, Yardstick
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


def tell_spans(pair: Pair, yardstick: Yardstick, found: Sequence[Span]) -> Sentence:
    """Say who leads in a quantity over which levels, by how much at most, and where that changes.

    Args:
        pair: the two series.
        yardstick: the quantity.
        found: the spans of the pair, one at least.
    """
    clauses = (_clause(pair, yardstick, number, span, len(found)) for number, span in enumerate(found))
    return joined(clauses, COMMA)


def _clause(pair: Pair, yardstick: Yardstick, number: int, span: Span, count: int) -> Sentence:
    if span.leader is None:
        return say(zh="两边一样", en="the two are equal")
    text = _words(is_only=count == 1, is_first=number == 0, is_last=number == count - 1, is_one=len(span.leads) == 1)
    is_level_told = len(span.leads) == 1 and number + 1 < max(count, 2)
    parts: dict[str, Part] = {
        "who": SeriesName(span.leader),
        "does": does(yardstick),
        "first": _name(pair, span.leads[0].level),
        "last": _name(pair, span.leads[-1].level),
        "most": _with_close(pair, span, _by_how_much(pair, span.widest, is_level_told=is_level_told)),
    }
    return filled(text, parts)


def _with_close(pair: Pair, span: Span, most: Sentence) -> Sentence:
    """Say by how much one leads, at which levels of the span that is too little to choose by, and if checks leave it open."""
    close = any(lead.is_close for lead in span.leads)
    if close:
        most = say(
            zh="{most}；{levels} 处差距太小",
            en="{most}; too close to choose at {levels}",
            most=most,
            levels=close_levels(pair, (span,)),
        )
    is_doubted = span.certainty == "open" and not all(lead.is_close for lead in span.leads)
    return say(zh="{most}；谁领先未定", en="{most}; who leads is open", most=most) if is_doubted else most


def _by_how_much(pair: Pair, lead: Lead, *, is_level_told: bool) -> Sentence:
    """Say by how much one leads, without the level where the clause has named that one alone."""
    times = factor(pair, lead)
    if is_level_told and times is not None:
        return say(zh="{times}", en="{times}", times=times)
    return tell_lead(pair, lead)


def _words(*, is_only: bool, is_first: bool, is_last: bool, is_one: bool) -> Text:
    """Return the words for a span: the only one, the first, the last or one between; of one level or of several."""
    if is_only:
        return AT_ONE if is_one else ONLY
    if is_first:
        return AT_LOWEST if is_one else FIRST
    if is_last:
        return LAST
    return AT_NEXT if is_one else BETWEEN


ONLY: Final = Text(
    zh="从 {first} 到 {last} 的每个可用档位，都是 {who} {does}（{most}）",
    en="{who} {does} at each usable level from {first} to {last} ({most})",
)
AT_ONE: Final = Text(zh="{first} 处 {who} {does}（{most}）", en="{who} {does} at {first} ({most})")
FIRST: Final = Text(zh="{last} 及以下，{who} {does}（{most}）", en="{who} {does} up to {last} ({most})")
AT_LOWEST: Final = Text(zh="{last} 处 {who} {does}（{most}）", en="{who} {does} at {last} ({most})")
BETWEEN: Final = Text(zh="从 {first} 到 {last} 是 {who}（{most}）", en="{who} from {first} to {last} ({most})")
AT_NEXT: Final = Text(zh="{last} 处是 {who}（{most}）", en="{who} at {last} ({most})")
LAST: Final = Text(zh="从 {first} 起是 {who}（{most}）", en="{who} from {first} on ({most})")


def tell_lead(pair: Pair, lead: Lead) -> Sentence:
    """Say by how much one leads at a level."""
    times = factor(pair, lead)
    level = _name(pair, lead.level)
    if times is None:
        return say(zh="在 {level}", en="at {level}", level=level)
    return say(zh="{level} 处 {times}", en="{times} at {level}", times=times, level=level)


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
