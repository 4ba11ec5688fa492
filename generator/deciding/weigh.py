"""Rules compared with a round: which series each scenario is for, why, and how surely."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from generator.across.excluded import barrier, tell_barred, tell_past
from generator.across.levels import amount
from generator.deciding.bounds import TOO_CLOSE, bounding, by_findings, by_trials, is_close, too_close
from generator.deciding.leads import common_levels, lead_at, other_lengths, times_apart
from generator.deciding.reasons import (
    all_close,
    all_doubted,
    beyond,
    changes,
    conflicts,
    kept_unknown,
    led_by_series,
    lengths_turn,
    nothing_sound,
    only_sound,
    tell_lead,
    tell_leads,
    undecided,
    unknown_at,
    unknown_of,
)
from generator.deciding.records import (
    Advice,
    Bound,
    Certainty,
    Condition,
    Criterion,
    Keeping,
    Lead,
    Rule,
    least_sure,
    surest,
)
from generator.deciding.rules import RULES, THROUGHPUT
from generator.deciding.yardsticks import BY_METRIC
from generator.frame import Analysis
from generator.model import Level, Series
from generator.text import Text
from generator.told.quoting import passage
from generator.told.sentence import Sentence
from generator.values import Value

EXACT = frozenset({"weights_loaded"})
"""Quantities that do not vary from one trial to the next."""
BY_LENGTH = "best_throughput"
"""The quantity of a series that is another at other lengths of requests."""


def candidates(analysis: Analysis) -> tuple[Series, ...]:
    """Return the series that may be chosen among, the baseline first; none where nothing is compared."""
    baseline = analysis.round.baseline
    everyone = (baseline, *analysis.round.compared) if baseline is not None else ()
    return tuple(series for series in everyone if analysis.usable(series.id))


def advise(analysis: Analysis) -> tuple[Advice, ...]:
    """Return what each rule comes to; nothing where there are not two series to choose between."""
    among = candidates(analysis)
    return tuple(weigh(analysis, rule, among) for rule in RULES) if len(among) > 1 else ()


def weigh(analysis: Analysis, rule: Rule, among: Sequence[Series]) -> Advice:
    """Hold a rule against two series or more.

    Args:
        analysis: the round.
        rule: the scenario.
        among: the series, the baseline first.
    """
    levels = [level for level in common_levels(analysis, among) if _is_in(analysis, rule, among, level)]
    keeping = {series.id: _keeping(analysis, rule, series, levels) for series in among}
    sound = [series for series in among if keeping[series.id] != "broken"]
    others = [series for series in among if series not in sound]
    if not sound:
        return Advice(rule, None, "open", nothing_sound(rule), tuple(levels))
    if len(sound) == 1:
        if keeping[sound[0].id] == "unknown":
            reason = _unknown_of(analysis, rule, sound[0], levels, others)
            return Advice(rule, None, "open", reason, tuple(levels), is_unknown=True)
        kept = only_sound(rule, sound[0], others)
        advice = Advice(rule, sound[0].id, _most(analysis, among), kept, tuple(levels), tuple(bounding(analysis)))
        return _reachable(analysis, advice, sound)
    by = _by_series if rule.decides.scale == "series" else _by_load
    found = _reachable(analysis, _beside(analysis, by(analysis, rule, sound, levels), sound), sound)
    if found.preferred is None or keeping[found.preferred] != "unknown":
        return found
    leader = analysis.round.series_by_id(found.preferred)
    reason = passage(found.reason, _unknown_of(analysis, rule, leader, levels, others))
    return Advice(rule, None, "open", reason, found.levels, is_unknown=True)


def _reachable(analysis: Analysis, advice: Advice, among: Sequence[Series]) -> Advice:
    """Take a preference back where every level that it rests on lies beyond the excluded one of the preferred series.

    One of the others may be compared beyond its own excluded level, which is said: it has that number, and is not advised.
    """
    if advice.preferred is None or not advice.levels or advice.rule.decides.scale == "series":
        return advice
    highest, lowest = advice.levels[-1], advice.levels[0]
    past = [sentence for series in among for sentence in tell_past(analysis, series, highest)]
    reason = passage(advice.reason, *past) if past else advice.reason
    barred = barrier(analysis, analysis.round.series_by_id(advice.preferred))
    if barred is not None and lowest.load > barred.load:
        return Advice(advice.rule, None, "open", reason, advice.levels)
    return replace(advice, reason=reason)


def _most(analysis: Analysis, among: Iterable[Series]) -> Certainty:
    bounds = by_findings(analysis, (series.id for series in among))
    return least_sure("leaning", *(bound.most for bound in bounds))


def in_flight(analysis: Analysis, among: Iterable[Series], level: Level) -> float | None:
    """Return how many requests a level keeps under way: its concurrency, else the largest mean of some series."""
    if level.kind == "concurrency":
        return level.concurrency
    seen = (amount(analysis, "mean_concurrency", (series, level)) for series in among)
    return max((number for number in seen if number is not None), default=None)


def _is_in(analysis: Analysis, rule: Rule, among: Iterable[Series], level: Level) -> bool:
    number = in_flight(analysis, among, level)
    return number is not None and rule.low <= number <= rule.high


def _keeping(analysis: Analysis, rule: Rule, series: Series, levels: Iterable[Level]) -> Keeping:
    """Say whether a series keeps all conditions at all of some levels, breaks one, or cannot be known to do either."""
    numbers = [(one, amount(analysis, one.metric, (series, level))) for one in rule.conditions for level in levels]
    if any(number is not None and not _keeps(condition, number) for condition, number in numbers):
        return "broken"
    return "unknown" if any(number is None for _, number in numbers) else "kept"


def _unknown_of(
    analysis: Analysis, rule: Rule, series: Series, levels: Iterable[Level], others: Sequence[Series]
) -> Sentence:
    """Say why it cannot be known whether a series keeps the conditions, at the first level at which it cannot."""
    values = (
        analysis.frame.of_level(condition.metric, series.id, level.id)
        for level in levels
        for condition in rule.conditions
    )
    return kept_unknown(rule, next(value for value in values if value.value is None), others)


def _keeps(condition: Condition, number: float) -> bool:
    return number <= condition.value if condition.op == "<=" else number >= condition.value


# By what happens at the levels of the range


def _by_load(analysis: Analysis, rule: Rule, among: Sequence[Series], levels: Sequence[Level]) -> Advice:
    if not levels:
        near = _nearest(analysis, rule, among)
        return Advice(rule, None, "open", beyond(analysis, rule, near), is_beyond=True)
    found = leads_of(analysis, rule.decides, among, levels)
    if not found:
        return Advice(rule, None, "open", unknown_at(among[0], levels), tuple(levels), is_lacking=True)
    rested = tuple(lead.level for lead in found)
    clear = [lead for lead in found if lead.counts]
    if len({lead.leader for lead in clear}) != 1:
        tell = changes if clear else all_close if all(lead.is_close for lead in found) else all_doubted
        return Advice(rule, None, "open", tell(analysis, found), rested, _bounds(found))
    turned = _turned(analysis, rule, rule.decides, among, clear[0].leader)
    if turned is not None:
        return Advice(
            rule, None, "open", lengths_turn(analysis, tell_lead(analysis, clear[0]), turned), rested, _bounds(found)
        )
    certainty = surest(*(lead.certainty for lead in clear))
    return Advice(rule, clear[0].leader, certainty, tell_leads(analysis, found), rested, _bounds(clear))


def _turned(
    analysis: Analysis, rule: Rule, criterion: Criterion, among: Sequence[Series], leader: str | None
) -> Lead | None:
    """Return how another series leads within the range of a rule where requests have other lengths; None if none does."""
    levels = _of_other_lengths(analysis, rule, among)
    found = leads_of(analysis, criterion, among, levels)
    return next((lead for lead in found if lead.counts and lead.leader != leader), None)


def _of_other_lengths(analysis: Analysis, rule: Rule, among: Sequence[Series]) -> list[Level]:
    return [level for level in other_lengths(analysis, among) if _is_in(analysis, rule, among, level)]


def leads_of(analysis: Analysis, criterion: Criterion, among: Sequence[Series], levels: Sequence[Level]) -> list[Lead]:
    """Return who leads at each level in the first quantity of a criterion that all series have at some of them."""
    for metric in criterion.metrics:
        found = [lead for level in levels if (lead := _best_at(analysis, metric, among, level)) is not None]
        if found:
            return found
    return []


def _best_at(analysis: Analysis, metric: str, among: Sequence[Series], level: Level) -> Lead | None:
    """Return how far the best of some series is ahead of the second; None where the quantity is not known of all."""
    yardstick = BY_METRIC[metric]
    numbers = [(amount(analysis, metric, (series, level)), series) for series in among]
    known = [(number, series) for number, series in numbers if number is not None]
    if len(known) < len(among):
        return None
    best, second, *_ = sorted(known, key=lambda one: one[0], reverse=yardstick.better == "higher")
    first, other = (best[1], second[1])
    pair = (other, first) if other.id == among[0].id else (first, other)
    return lead_at(analysis, pair, yardstick, level)


def _nearest(analysis: Analysis, rule: Rule, among: Sequence[Series]) -> Lead | None:
    """Return who leads at the measured level that is nearest to a range that has none."""
    levels = common_levels(analysis, among)
    near = sorted(levels, key=lambda level: min(abs(level.load - rule.low), abs(level.load - rule.high)))
    return next(iter(leads_of(analysis, rule.decides, among, near[:1])), None)


def _bounds(found: Iterable[Lead]) -> tuple[Bound, ...]:
    return tuple({bound.key: bound for lead in found for bound in lead.bounds}.values())


# By a quantity of the series


def _by_series(analysis: Analysis, rule: Rule, among: Sequence[Series], levels: Sequence[Level]) -> Advice:
    metric = rule.decides.metrics[0]
    values = [analysis.frame.of_series(metric, series.id) for series in among]
    lacking = [series for series, value in zip(among, values, strict=True) if value.value is None]
    if lacking:
        beside = [lead for criterion in rule.beside[:1] for lead in leads_of(analysis, criterion, among, levels)]
        reason = unknown_of(analysis, rule.decides, lacking, beside)
        return Advice(rule, None, "open", reason, tuple(levels), is_lacking=True)
    ranked = sorted(values, key=_number, reverse=rule.decides.better == "higher")
    bounds = tuple(_bounds_of(analysis, among, ranked[0], ranked[1]))
    reason = led_by_series(rule.decides, ranked)
    if metric == BY_LENGTH:
        reason = passage(reason, *(one for series in among for one in tell_barred(analysis, series)))
    certainty = least_sure(*(bound.most for bound in bounds))
    if certainty == "open":
        is_too_close = any(bound.why.text is TOO_CLOSE for bound in bounds)
        return Advice(rule, None, certainty, undecided(reason, is_close=is_too_close), tuple(levels), bounds)
    turned = _turned(analysis, rule, THROUGHPUT, among, ranked[0].address.series) if metric == BY_LENGTH else None
    if turned is not None:
        return Advice(rule, None, "open", lengths_turn(analysis, reason, turned), tuple(levels), bounds)
    return Advice(rule, ranked[0].address.series, certainty, reason, tuple(levels), bounds)


def _number(value: Value) -> float:
    return value.value or 0.0


def _bounds_of(analysis: Analysis, among: Iterable[Series], best: Value, second: Value) -> Iterator[Bound]:
    """Yield what bounds the comparison of two values of series; that they are too close comes last."""
    yield from by_findings(analysis, (series.id for series in among))
    if best.address.metric not in EXACT:
        yield from by_trials(_trials_behind(analysis, best), _trials_behind(analysis, second))
    times = times_apart(_number(best), _number(second))
    if is_close(analysis.round, best.address.metric, times):
        yield too_close(analysis.round, best.address.metric)


def _trials_behind(analysis: Analysis, value: Value) -> Value:
    """Return the value of a level that a value of a series was taken from, which knows its trials; else the value."""
    for one in value.inputs:
        behind = analysis.frame.values[one.address]
        if behind.value == value.value and behind.n is not None:
            return behind
    return value


# What stands beside


def _beside(analysis: Analysis, advice: Advice, among: Sequence[Series]) -> Advice:
    """Make an advice less sure where another series leads in what is held beside it."""
    if advice.preferred is None:
        return advice
    against = tuple(_against(analysis, advice, among))
    if not against:
        return advice
    bounds = (*advice.bounds, conflicts(against))
    return Advice(
        advice.rule, advice.preferred, least_sure(advice.certainty, "leaning"), advice.reason, advice.levels, bounds,
        against=against,
    )  # fmt: skip


def _against(analysis: Analysis, advice: Advice, among: Sequence[Series]) -> Iterator[Text]:
    levels = (*advice.levels, *_of_other_lengths(analysis, advice.rule, among))
    for criterion in advice.rule.beside:
        found = leads_of(analysis, criterion, among, levels)
        others = [lead for lead in found if lead.counts and lead.leader != advice.preferred]
        if others:
            yield others[0].yardstick.name
