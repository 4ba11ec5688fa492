"""What holds at loads between two measured levels, a sentence for each gap or run of gaps: none of them is passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from generator.across.excluded import ANOMALY
from generator.deciding.leads import (
    Known,
    Pair,
    are_neighbours,
    common_levels,
    excluded_between,
    is_settled_between,
    known_spans,
    lead_alike,
    loads_of,
    pairs_of,
)
from generator.deciding.records import Edge, Span, Yardstick
from generator.frame import Analysis
from generator.model import Level
from generator.text import Text
from generator.told.blocks import ByLoad, LoadLine
from generator.told.quoting import crossing, passage
from generator.told.sentence import LevelName, Listing, Part, Sentence, SeriesName, say

Gap = tuple[Level, ...]
"""The levels on either side."""

TURNS: Final = "turns"
"""In the id of a line: the lead changes there."""
NOT_MEASURED: Final = say(zh="两档之间的负载没有测过：", en="Loads between two levels were not measured:")


def between_levels(analysis: Analysis, pair: Pair, levels: Sequence[Level], known: Known) -> ByLoad | None:
    """Say who likely leads there in the first quantity, where in any the lead changes, and where nothing tells.

    Args:
        analysis: the round.
        pair: the two series.
        levels: the levels that they are compared at, by rising load.
        known: who leads over which loads, in each quantity.
    """
    [(first, found), *_] = known.items()
    loads = loads_of(analysis, pair)
    gaps = list(pairwise(levels))
    runs = [(span, run) for span in found for run in _runs(span, loads)]
    turned = _turns(known)
    stays = {gap for _, run in runs for gap in pairwise(run)}
    untold = [gap for gap in gaps if gap not in stays and gap not in turned]
    told = [
        *(("leads", run, _stays(pair, first, span, run)) for span, run in runs),
        *(
            (
                TURNS,
                gap,
                passage(
                    _changes(pair, gap, turns),
                    *_others(pair, gap, _unturned(known, turns), loads),
                    *_excluded_in(analysis, pair, gap),
                ),
            )
            for gap, turns in turned.items()
        ),
        *(("open", run, _open(analysis, pair, first, run)) for run in _joined(untold, loads)),
    ]
    lines = tuple(_line(pair, *one) for one in sorted(told, key=lambda one: one[1][0].load))
    return ByLoad(NOT_MEASURED, lines) if lines else None


def _line(pair: Pair, kind: str, levels: Gap, sentence: Sentence) -> LoadLine:
    """Return a line of the gaps between some levels; loads that are rates are not those that it can be found by."""
    in_flight = all(level.kind == "concurrency" for level in levels)
    return LoadLine(
        _key(pair, kind, levels), sentence, tuple((a.load, b.load) for a, b in pairwise(levels)) if in_flight else ()
    )


def _key(pair: Pair, kind: str, levels: Gap) -> str:
    return f"guide-gap-{kind}-{pair[1].id}-{levels[0].id}-{levels[-1].id}"


def turning_place(analysis: Analysis, pair: Pair, gap: Gap) -> str | None:
    """Return the id of what the guide says of two levels between which a lead changes hands; None where it says nothing."""
    told = _turns(dict(known_spans(analysis, pair)))
    return next((_key(pair, TURNS, one) for one in told if _ids(one) == _ids(gap)), None)


def first_place_of(analysis: Analysis, low: float, high: float) -> str | None:
    """Return the id of the first line on loads from one to another; None where the guide of the round has none."""
    told = (
        between_levels(analysis, pair, common_levels(analysis, pair), known)
        for pair in pairs_of(analysis)
        if (known := dict(known_spans(analysis, pair)))
    )
    lines = (line for one in told if one is not None for line in one.lines)
    return next((line.key for line in lines if any(a < high and b > low for a, b in line.gaps)), None)


def _ids(gap: Gap) -> list[str]:
    return [level.id for level in gap]


def _runs(span: Span, loads: Sequence[float]) -> Iterator[Gap]:
    """Yield neighbouring levels, two or more, between which one side likely leads as well."""
    run: list[Level] = []
    for before, after in pairwise(span.leads):
        if is_settled_between(before, after, loads):
            run = [*(run or [before.level]), after.level]
        elif run:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)


def _stays(pair: Pair, yardstick: Yardstick, span: Span, run: Gap) -> Sentence:
    first, last = _ends(pair, run)
    return say(
        zh="从 {first} 到 {last}，各档{what}都是 {who} 领先；中间没测过的负载，多半也由它领先。",
        en="From {first} to {last} {who} leads in {what} at every level, and likely at the loads between them too.",
        first=first,
        last=last,
        who=SeriesName(span.leader or ""),
        what=yardstick.name,
    )


def _ends(pair: Pair, levels: Sequence[Level]) -> tuple[LevelName, LevelName]:
    return LevelName(pair[1].id, levels[0].id), LevelName(pair[1].id, levels[-1].id)


def _turns(known: Known) -> dict[Gap, list[tuple[Yardstick, Edge]]]:
    """Return between which levels a lead changes hands, from the lowest on, with each quantity in which it does."""
    turned: dict[Gap, list[tuple[Yardstick, Edge]]] = {}
    for yardstick, found in known.items():
        for before, after in pairwise(found):
            if before.leader is not None and after.leader is not None:
                turned.setdefault(before.end.between, []).append((yardstick, before.end))
    return dict(sorted(turned.items(), key=lambda one: [level.load for level in one[0]]))


def _changes(pair: Pair, gap: Gap, turned: list[tuple[Yardstick, Edge]]) -> Sentence:
    """Say in which quantities a lead changes hands between two levels, and where their curves meet as far as that is known."""
    low, high = _ends(pair, gap)
    return say(
        zh="{low} 与 {high} 之间没有测过，领先者在这里更替的有{what}：谁领先还定不下来，先补测再选。",
        en="Between {low} and {high} the lead changes in {what}: these data do not settle who leads there; measure before choosing.",
        low=low,
        high=high,
        what=Listing(tuple(_turn(*one) for one in turned)),
    )


def _turn(yardstick: Yardstick, edge: Edge) -> Part:
    if edge.crossover is None:
        return yardstick.name
    return say(
        zh="{what}（在 C ≈ {c} 附近）",
        en="{what} (at C ≈ {c})",
        what=yardstick.name,
        c=crossing(edge.crossover),
    )


def _unturned(known: Known, turned: list[tuple[Yardstick, Edge]]) -> Known:
    turning = [yardstick for yardstick, _ in turned]
    return {yardstick: found for yardstick, found in known.items() if yardstick not in turning}


def _others(pair: Pair, gap: Gap, known: Known, loads: Sequence[float]) -> Iterator[Sentence]:
    """Say of quantities in which the lead does not change between two levels who keeps it, and in which that is open."""
    keeping: dict[str | None, list[Text]] = {pair[0].id: [], pair[1].id: [], None: []}
    for yardstick, found in known.items():
        for before, after in pairwise(lead for span in found for lead in span.leads):
            if (before.level, after.level) == gap:
                keeping[before.ahead if lead_alike(before, after) else None].append(yardstick.name)
    unclear = keeping.pop(None)
    kept = KEPT if _is_whole(gap, loads) else KEPT_AT_BOTH
    for who, names in keeping.items():
        if names:
            yield Sentence(kept, {"who": SeriesName(who or ""), "what": Listing(tuple(names))})
    if unclear:
        yield Sentence(UNCLEAR, {"what": Listing(tuple(unclear))})


KEPT: Final = Text(
    zh="{what}在两侧都由 {who} 领先，中间多半也是。",
    en="In {what} {who} leads at both levels, and likely between them.",
)
UNCLEAR: Final = Text(
    zh="{what}谁领先，两侧的档位分不出。", en="The levels on either side leave open who leads in {what}."
)
KEPT_AT_BOTH: Final = Text(zh="{what}在两侧都由 {who} 领先。", en="In {what} {who} leads at both levels.")


def _joined(gaps: Iterable[Gap], loads: Sequence[float]) -> Iterator[Gap]:
    """Yield gaps that follow each other as one; a gap over a level that does not count stays alone."""
    run: Gap = ()
    for gap in gaps:
        if not _is_whole(gap, loads):
            yield from filter(None, (run, gap))
            run = ()
        elif run and run[-1] == gap[0]:
            run = (*run, gap[1])
        else:
            yield from filter(None, (run,))
            run = gap
    yield from filter(None, (run,))


def _is_whole(gap: Gap, loads: Sequence[float]) -> bool:
    return are_neighbours(gap[0].load, gap[-1].load, loads)


def _open(analysis: Analysis, pair: Pair, yardstick: Yardstick, run: Gap) -> Sentence:
    """Say why nothing is told of some gaps: a level in them does not count, or those beside them settle nothing."""
    first, last = _ends(pair, run)
    excluded = _excluded_in(analysis, pair, run)
    if excluded:
        advice = say(
            zh="{first} 与 {last} 之间谁领先还定不下来，先补测再选。",
            en="Between {first} and {last} these data do not settle who leads; measure before choosing.",
            first=first,
            last=last,
        )
        return passage(advice, *excluded)
    return say(
        zh="从 {first} 到 {last}，各档之间的负载谁领先还定不下来，先补测再选：两侧的档位分不出谁的{what}领先。",
        en="From {first} to {last} these data do not settle who leads at loads between levels; measure before choosing: the levels on either "
        "side leave open who leads in {what}.",
        first=first,
        last=last,
        what=yardstick.name,
    )


def _excluded_in(analysis: Analysis, pair: Pair, gap: Gap) -> list[Sentence]:
    """Name the levels in a gap that a check excluded, each with its series, and lead to what is told of them."""
    excluded = tuple(
        say(zh="{s} 的 {l}", en="{l} of {s}", s=SeriesName(side.id), l=LevelName(side.id, level.id))
        for side, level in excluded_between(analysis, pair, gap[0].load, gap[-1].load)
        if gap[0].load < level.load < gap[-1].load
    )
    if not excluded:
        return []
    return [
        say(
            zh="自检排除了 {excluded}（见“{anomaly}”）。",
            en="A check excluded {excluded} (see {anomaly}).",
            excluded=Listing(excluded),
            anomaly=ANOMALY,
        )
    ]
