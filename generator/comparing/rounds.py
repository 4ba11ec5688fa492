"""Two analysed rounds against each other: series and levels in pairs, a row a metric, and whether it can be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from generator.comparing import telling
from generator.comparing.estimating import Found, Row, find
from generator.comparing.judging import TOO_MANY, Judged, judge
from generator.comparing.pairing import Pairs, might_pair, paired
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
from generator.comparing.shares import Shares, share_for
from generator.comparing.sides import Side
from generator.comparing.usual import USUAL_METRICS
from generator.comparing.work import depends_on_output, has_like_output, was_asked_alike
from generator.frame import Analysis, shared_levels
from generator.kinds import Metric
from generator.model import Level
from generator.text import Text
from generator.told.sentence import Sentence
from generator.values import Address


@dataclass(frozen=True, slots=True)
class Options:
    """How two rounds are compared.

    Attributes:
        primary: the metric that decides the gate, over all levels and series.
        margin: share by which values may differ and still count as the same.
        intended: groups of settings that were meant to change, and count as one thing (see ``Setting.group``).
        earlier: rounds before the base round, in the order of time: what noise is learnt from.
        margins: the same of single metrics or quantities.
        threshold: share that noise alone may make of a value where it cannot be seen; learnt where it is None.
        thresholds: the same of single metrics or quantities.
        pairs: series of the base round -> series of another id in the head round that it is compared with.
    """

    primary: str = USUAL_PRIMARY
    margin: float = DEFAULT_MARGIN
    intended: frozenset[str] = frozenset()
    earlier: Sequence[Analysis] = ()
    margins: Shares = field(default_factory=dict)
    threshold: float | None = None
    thresholds: Shares = field(default_factory=dict)
    pairs: Pairs = field(default_factory=dict)

    def margin_of(self, metric: str) -> float:
        """Return the margin of a metric."""
        own = share_for(metric, self.margins)
        return self.margin if own is None else own

    def threshold_of(self, metric: str) -> float | None:
        """Return the threshold of a metric; None where nobody set one."""
        own = share_for(metric, self.thresholds)
        return self.threshold if own is None else own


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
    held = paired(one, other, chosen.pairs)
    pairs = tuple(_pair(base, head, *two) for two in held)
    rows = [row for pair in pairs for row in _rows(base, head, pair, declared, chosen)]
    differences = tuple(judge(rows))
    taken = [set(side) for side in zip(*held, strict=True)] or [set(), set()]
    apart = tuple(s for s in one if s not in taken[0]), tuple(s for s in other if s not in taken[1])
    return Comparison(
        base.round.id, head.round.id, chosen.primary, _banner(base, head, pairs, differences, apart),
        pairs, differences, *apart,
    )  # fmt: skip


def _pair(base: Analysis, head: Analysis, base_series: str, series: str) -> Pair:
    before, after = base.round.series_by_id(base_series).levels, head.round.series_by_id(series).levels
    shared = tuple(level.id for level in shared_levels(before, after))
    only_base, only_head = (tuple(one.id for one in levels if one.id not in shared) for levels in (before, after))
    settings = settings_of(base.round, head.round, series, base_series)
    pair = Pair(series, shared, only_base, only_head, settings, base_series)
    sides = {level: _sides(base, head, pair, level) for level in shared}
    return replace(
        pair,
        other_lengths=tuple(level for level, two in sides.items() if not was_asked_alike(*two)),
        other_output=tuple(level for level, two in sides.items() if not has_like_output(*two)),
    )


def _sides(base: Analysis, head: Analysis, pair: Pair, level: str) -> tuple[Side, Side]:
    return (
        Side(base, pair.base_series, _level(base, pair.base_series, level)),
        Side(head, pair.series, _level(head, pair.series, level)),
    )


def _rows(
    base: Analysis, head: Analysis, pair: Pair, declared: Mapping[str, Metric], options: Options
) -> Iterator[Judged]:
    of_sides = ((base, pair.base_series), (head, pair.series))
    alike = [[one for one in options.earlier if _is_alike(one, side, series)] for side, series in of_sides]
    for level in pair.shared:
        before, after = _sides(base, head, pair, level)
        for metric in dict.fromkeys((options.primary, *USUAL_METRICS)):
            if _is_known(before, metric) or _is_known(after, metric):
                addresses = [Address(metric, "level", series, level) for _, series in of_sides]
                histories = _histories(alike, addresses)
                margin, threshold = options.margin_of(metric), options.threshold_of(metric)
                row = Row(metric, before, after, margin, histories, threshold)
                yield _judged(row, pair, find(row), declared, options)


def _judged(row: Row, pair: Pair, found: Found, declared: Mapping[str, Metric], options: Options) -> Judged:
    level = row.head.level.id
    return Judged(
        Address(row.metric, "level", pair.series, level), declared[row.metric].better, found, row.margin,
        row.metric == options.primary, _causes(pair), things_changed(pair.settings, options.intended),
        is_other_work=WORK in groups_of(pair.settings) or level in pair.other_lengths,
        is_other_output=level in pair.other_output and depends_on_output(row.metric),
    )  # fmt: skip


def _causes(pair: Pair) -> tuple[Setting, ...]:
    return tuple(one for one in pair.changed if one.group is not None)


def _is_known(side: Side, metric: str) -> bool:
    value = side.value(metric)
    return value is not None and value.value is not None


def _level(analysis: Analysis, series: str, level: str) -> Level:
    return next(one for one in analysis.round.series_by_id(series).levels if one.id == level)


def _is_alike(earlier: Analysis, base: Analysis, series: str) -> bool:
    there = any(one.id == series for one in earlier.round.series)
    return there and are_equal(settings_of(earlier.round, base.round, series))


def _histories(alike: Sequence[Sequence[Analysis]], addresses: Sequence[Address]) -> tuple[tuple[float, ...], ...]:
    """Return the values of earlier rounds of either side's setting: one list where both sides have the same."""
    found = (_history(rounds, address) for rounds, address in zip(alike, addresses, strict=True))
    return tuple(dict.fromkeys(found))


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
    is_same_data = bool(base.round.data_sha256) and base.round.data_sha256 == head.round.data_sha256
    if is_same_data and not _other_work(pairs):
        return Banner("identical", (telling.IDENTICAL,))
    reasons = (*_limits(pairs, apart, (base.round.id, head.round.id)), *_hints(base, head, apart))
    obstacle = _nothing_to_compare(pairs, differences)
    if obstacle is not None:
        relabelled = (telling.RELABELLED,) if is_same_data else ()
        return Banner("not_comparable", (obstacle, *relabelled, *_other_work(pairs), *reasons))
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


def _limits(
    pairs: Sequence[Pair], apart: tuple[tuple[str, ...], tuple[str, ...]], rounds: tuple[str, str]
) -> Iterator[Sentence]:
    """Yield what keeps the rounds from being wholly comparable."""
    for round_id, series in zip(rounds, apart, strict=True):
        if series:
            yield telling.one_sided_series(round_id, series)
    yield from _one_sided(pairs, rounds)
    for pair in pairs:
        if pair.other_lengths:
            yield telling.other_lengths(pair.series, pair.other_lengths)
        if pair.other_output:
            yield telling.other_output(pair.series, pair.other_output)
        if (things := things_changed(pair.settings)) >= TOO_MANY:
            yield telling.changed_together(pair.series, things, _titles(pair))


def _one_sided(pairs: Sequence[Pair], rounds: tuple[str, str]) -> Iterator[Sentence]:
    """Yield which levels one round alone has, series that lack the same ones together."""
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for pair in pairs:
        for round_id, levels in zip(rounds, (pair.only_base, pair.only_head), strict=True):
            if levels:
                found.setdefault((round_id, tuple(levels)), []).append(pair.series)
    for (round_id, levels), series in found.items():
        yield telling.one_sided_levels(round_id, series, levels)


def _hints(base: Analysis, head: Analysis, apart: tuple[tuple[str, ...], tuple[str, ...]]) -> Iterator[Sentence]:
    """Yield what to write where series of either round might be meant to be the same."""
    if lines := might_pair(base, head, *apart):
        yield telling.might_pair(lines)


def _titles(pair: Pair) -> list[Text]:
    """Return what changed, each thing that changes together once."""
    changed = (one for one in pair.changed if one.group is not None and one.group != WORK)
    groups: dict[str, Text] = {}
    for one in changed:
        groups.setdefault(one.group or "", one.title)
    return list(groups.values())


def _unknown(pairs: Sequence[Pair]) -> tuple[Sentence, ...]:
    unknown = any(one.status == "unknown" for pair in pairs for one in pair.settings)
    return (telling.UNKNOWN_SETTINGS,) if unknown else ()
