"""What a row is to a reader: its verdict, told apart by why there is none."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from generator.comparing import telling
from generator.comparing.records import Difference, Direction
from generator.text import Text

State = Literal[
    "worse", "better", "confounded", "leans_worse", "leans_better", "zero", "undirected", "failed_both", "failed_base",
    "failed_head",
    "noise", "same", "identical", "spoilt", "other_work", "only_base", "only_head", "open",
]  # fmt: skip

STATES: Final[dict[State, Text]] = {
    "worse": Text(zh="▼ 变差", en="▼ worse"),
    "better": Text(zh="▲ 变好", en="▲ better"),
    "confounded": Text(zh="◇ 有混杂因素", en="◇ confounded"),
    "leans_worse": Text(zh="▽ 疑似变差，未定论", en="▽ possibly worse"),
    "leans_better": Text(zh="△ 疑似变好，未定论", en="△ possibly better"),
    "failed_both": Text(zh="! 两边全部失败", en="! both failed"),
    "failed_base": Text(zh="! {base} 全部失败", en="! {base} failed"),
    "failed_head": Text(zh="! {head} 全部失败", en="! {head} failed"),
    "zero": Text(zh="0 有一边为零", en="0 one side is zero"),
    "undirected": Text(zh="· 无好坏之分", en="· no direction"),
    "open": Text(zh="? 未定论", en="? inconclusive"),
    "noise": Text(zh="~ 噪声之内", en="~ within noise"),
    "same": Text(zh="≈ 相同", en="≈ same"),
    "identical": Text(zh="= 同一份数据", en="= identical"),
    "spoilt": Text(zh="∅ 未过自检", en="∅ failed self-checks"),
    "other_work": Text(zh="∅ 不可比", en="∅ not comparable"),
    "only_base": Text(zh="− 只在 {base}", en="− only in {base}"),
    "only_head": Text(zh="+ 只在 {head}", en="+ only in {head}"),
}
"""A sign and a word, so that no colour has to say it; in the order in which a reader should meet them. ``{base}`` and
``{head}`` are the names of the rounds."""

QUIET: Final[frozenset[State]] = frozenset({"noise", "same", "identical"})
"""States that a reader is shown only on request: nothing was found there."""
ABSENT: Final[frozenset[State]] = frozenset({"spoilt", "other_work", "only_base", "only_head"})
"""States of rows that were not compared."""
LEANS: Final[dict[Direction, State]] = {"better": "leans_better", "worse": "leans_worse"}
OF_VERDICT: Final[dict[str, State]] = {"worse": "worse", "better": "better", "confounded": "confounded", "same": "same"}


def state_of(row: Difference) -> State:
    """Return what a row is to a reader."""
    if row.verdict == "not_comparable":
        return _absent(row)
    if row.method == "identical":
        return "identical"
    if row.verdict != "inconclusive":
        return OF_VERDICT[row.verdict]
    if row.suggests is not None:
        return LEANS[row.suggests]
    known: tuple[tuple[object, State], ...] = (
        (telling.ZERO_BASE, "zero"), (telling.NO_DIRECTION, "undirected"), (telling.NOT_FOUND, "noise"),
    )  # fmt: skip
    return next((state for reason, state in known if reason in row.reasons), "open")


def _absent(row: Difference) -> State:
    if row.base.all_failed and row.head.all_failed and telling.ALL_FAILED in row.reasons:
        return "failed_both"
    if telling.ALL_FAILED in row.reasons:
        return "failed_base" if row.base.all_failed else "failed_head"
    if row.base.value is None or row.head.value is None:
        return "only_head" if row.base.value is None else "only_base"
    return "spoilt" if telling.SPOILT in row.reasons else "other_work"


def counts_of(rows: Iterable[Difference]) -> dict[State, int]:
    """Return how many rows have each state, of those that any has, in the order of states."""
    found = Counter(map(state_of, rows))
    return {state: found[state] for state in STATES if found[state]}


def ordered(rows: Sequence[Difference]) -> list[Difference]:
    """Return rows by their states, and within one by how far they are beyond their threshold, furthest first."""
    places = list(STATES)
    return sorted(rows, key=lambda row: (places.index(state_of(row)), -_beyond(row)))


def _beyond(row: Difference) -> float:
    return 0.0 if row.estimate is None else abs(row.estimate.log_ratio) / math.log1p(row.bound or row.margin or 1.0)
