"""Two analysed rounds against each other: series and levels in pairs, a row a metric, and whether it can be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.comparing import telling
from generator.comparing.estimating import FAILURES, Found, Row, find
from generator.comparing.judging import TOO_MANY, Judged, judge
from generator.comparing.records import (
    DEFAULT_MARGIN,
    USUAL_PRIMARY,
    Banner,
    Comparison,
    Difference,
    Pair,
    Setting,
    Standing,
)
from generator.comparing.settings import WORK, are_equal, groups_of, settings_of, things_changed
from generator.comparing.sides import Side
from generator.frame import Analysis, shared_levels
from generator.kinds import Metric
from generator.model import Level
from generator.sentence import Sentence
from generator.values import Address

QUANTITIES: Final = ("ttft", "itl", "tpot", "e2el")
STATISTICS: Final = ("mean", "p50", "p90", "p95", "p99")
USUAL_METRICS: Final = (
    "output_throughput", "total_token_throughput", "request_throughput", "request_goodput",
    *(f"{quantity}_{statistic}" for quantity in QUANTITIES for statistic in STATISTICS),
    FAILURES,
)  # fmt: skip
"""What is measured of a level. What is derived from it by constants would only say the same once more."""
WORK_METRICS: Final = ("asked_input_tokens", "asked_output_tokens", "input_tokens_mean")
"""What was asked at a level: where it differs, the sides did not do the same work."""
SAME_WORK: Final = 0.02
"""Share by which lengths may differ, as tokenizers and random lengths make them."""


@dataclass(frozen=True, slots=True)
class Options:
    """How two rounds are compared.

    Attributes:
        primary: the metric that decides the gate, over all levels and series.
        margin: share by which values may differ and still count as the same.
        intended: groups of settings that were meant to change, and count as one thing (see ``Setting.group``).
        earlier: rounds before the base round, in the order of time: what noise is learnt from.
    """

    primary: str = USUAL_PRIMARY
    margin: float = DEFAULT_MARGIN
    intended: frozenset[str] = frozenset()
    earlier: Sequence[Analysis] = ()


def compare(
    base: Analysis, head: Analysis, declared: Mapping[str, Metric], options: Options | None = None
) -> Comparison:
    """Compare two rounds.

    Args:
        base: the round that is held to be known.
        head: the round that is judged.
        declared: metric -> its declaration, for the direction that is better.
        options: the usual ones without it.
    """
    chosen = options or Options()
    one, other = (tuple(series.id for series in side.round.series) for side in (base, head))
    pairs = tuple(_pair(base, head, series) for series in one if series in other)
    rows = [row for pair in pairs for row in _rows(base, head, pair, declared, chosen)]
    differences = tuple(judge(rows))
    apart = tuple(s for s in one if s not in other), tuple(s for s in other if s not in one)
    return Comparison(
        base.round.id, head.round.id, chosen.primary, _banner(base, head, pairs, differences, apart),
        pairs, differences, *apart,
    )  # fmt: skip


def _pair(base: Analysis, head: Analysis, series: str) -> Pair:
    before, after = (side.round.series_by_id(series).levels for side in (base, head))
    shared = tuple(level.id for level in shared_levels(before, after))
    only_base, only_head = (tuple(one.id for one in levels if one.id not in shared) for levels in (before, after))
    return Pair(series, shared, only_base, only_head, settings_of(base.round, head.round, series))


def _rows(
    base: Analysis, head: Analysis, pair: Pair, declared: Mapping[str, Metric], options: Options
) -> Iterator[Judged]:
    alike = [[one for one in options.earlier if _is_alike(one, side, pair.series)] for side in (base, head)]
    for level in pair.shared:
        before, after = (Side(side, pair.series, _level(side, pair.series, level)) for side in (base, head))
        other_work = WORK in groups_of(pair.settings) or not _same_work(before, after)
        for metric in dict.fromkeys((options.primary, *USUAL_METRICS)):
            if _is_known(before, metric) or _is_known(after, metric):
                address = Address(metric, "level", pair.series, level)
                row = Row(metric, before, after, options.margin, _histories(alike, address))
                yield _judged(row, pair, find(row), declared, options, is_other_work=other_work)


def _judged(
    row: Row, pair: Pair, found: Found, declared: Mapping[str, Metric], options: Options, *, is_other_work: bool
) -> Judged:
    return Judged(
        Address(row.metric, "level", pair.series, row.head.level.id), declared[row.metric].better, found, row.margin,
        row.metric == options.primary, _causes(pair), things_changed(pair.settings, options.intended), is_other_work,
    )  # fmt: skip


def _causes(pair: Pair) -> tuple[Setting, ...]:
    return tuple(one for one in pair.changed if one.group is not None)


def _is_known(side: Side, metric: str) -> bool:
    value = side.value(metric)
    return value is not None and value.value is not None


def _level(analysis: Analysis, series: str, level: str) -> Level:
    return next(one for one in analysis.round.series_by_id(series).levels if one.id == level)


def _same_work(base: Side, head: Side) -> bool:
    asked = ((base.value(metric), head.value(metric)) for metric in WORK_METRICS)
    known = ((one.value, other.value) for one, other in asked if one is not None and other is not None)
    return not any(a is not None and b is not None and abs(a - b) > SAME_WORK * max(a, b) for a, b in known)


def _is_alike(earlier: Analysis, base: Analysis, series: str) -> bool:
    there = any(one.id == series for one in earlier.round.series)
    return there and are_equal(settings_of(earlier.round, base.round, series))


def _histories(alike: Sequence[Sequence[Analysis]], address: Address) -> tuple[tuple[float, ...], ...]:
    """Return the values of earlier rounds of either side's setting: one list where both sides have the same."""
    return tuple(dict.fromkeys(_history(rounds, address) for rounds in alike))


def _history(rounds: Iterable[Analysis], address: Address) -> tuple[float, ...]:
    usable = (one for one in rounds if (address.series, address.level) not in one.spoilt)
    values = (one.frame.values.get(address) for one in usable)
    return tuple(one.value for one in values if one is not None and one.value is not None)


def _banner(
    base: Analysis,
    head: Analysis,
    pairs: Sequence[Pair],
    differences: Sequence[Difference],
    apart: tuple[tuple[str, ...], tuple[str, ...]],
) -> Banner:
    if base.round.data_sha256 and base.round.data_sha256 == head.round.data_sha256:
        return Banner("identical", (telling.IDENTICAL,))
    reasons = tuple(_limits(pairs, apart))
    obstacle = _nothing_to_compare(pairs, differences)
    if obstacle is not None:
        return Banner("not_comparable", (obstacle, *_other_work(pairs), *reasons))
    return Banner(_standing(reasons, differences), (*reasons, *_unknown(pairs)))


def _nothing_to_compare(pairs: Sequence[Pair], differences: Sequence[Difference]) -> Sentence | None:
    if not pairs:
        return telling.NO_SERIES
    if not any(pair.shared for pair in pairs):
        return telling.NO_LEVEL
    if all(WORK in groups_of(pair.settings) for pair in pairs):
        return telling.OTHER_WORK
    return telling.NOTHING_LEFT if all(one.verdict == "not_comparable" for one in differences) else None


def _other_work(pairs: Sequence[Pair]) -> tuple[Sentence, ...]:
    """Return what was asked otherwise, each thing once however many series it is asked of."""
    other = {(one.path, one.base, one.head): one for pair in pairs for one in pair.changed if one.group == WORK}
    return (telling.other_settings(other.values()),) if other else ()


def _standing(reasons: Sequence[Sentence], differences: Sequence[Difference]) -> Standing:
    excluded = any(one.verdict == "not_comparable" or one.grade == "D" for one in differences)
    return "partial" if reasons or excluded else "comparable"


def _limits(pairs: Sequence[Pair], apart: tuple[tuple[str, ...], tuple[str, ...]]) -> Iterator[Sentence]:
    """Yield what keeps the rounds from being wholly comparable."""
    if one_sided := (*apart[0], *apart[1]):
        yield telling.one_sided_series(one_sided)
    for pair in pairs:
        if levels := (*pair.only_base, *pair.only_head):
            yield telling.one_sided_levels(pair.series, levels)
        if (things := things_changed(pair.settings)) >= TOO_MANY:
            yield telling.changed_at_once(things)


def _unknown(pairs: Sequence[Pair]) -> tuple[Sentence, ...]:
    unknown = any(one.status == "unknown" for pair in pairs for one in pair.settings)
    return (telling.UNKNOWN_SETTINGS,) if unknown else ()
