"""Which series of one round is compared with which of the other: those of one id, unless somebody says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from generator.comparing.settings import plain_name
from generator.errors import InputError, nearest, quote
from generator.frame import Analysis

OPTION: Final = "--pair"
TABLE: Final = "[round] pairs"
MOST_HINTS: Final = 3

Pairs = Mapping[str, str]
"""Series of the base round -> series of the head round that it is compared with."""
SAME_IDS: Final[Pairs] = {}
"""No pairs but those of one id."""


def named_pairs(base: Analysis, head: Analysis, asked: Pairs) -> dict[str, str]:
    """Return the pairs that a command asks for, and those that the rounds name where it says nothing of either series.

    A round names series of another one on the left, and its own on the right, whichever of them is the base.

    Raises:
        InputError: a command names a series that is not there, or a series would be compared with two.
    """
    _refuse_missing(base, head, asked)
    found = dict(asked)
    for file, (one, other) in _declared(base, head):
        if found.get(one) == other or one in asked or other in asked.values():
            continue
        if one in found or other in found.values():
            problem = f"{quote(one)} or {quote(other)} is compared with another series already"
            raise InputError(f"{file}/round.toml", TABLE, problem, "name each series once, in one of the rounds")
        found[one] = other
    return found


def paired(base: Sequence[str], head: Sequence[str], named: Pairs) -> list[tuple[str, str]]:
    """Return the series that are compared with each other, in the order of the base round."""
    taken = set(named.values())
    alike = {one: one for one in base if one in head and one not in named and one not in taken}
    held = {**alike, **named}
    return [(one, held[one]) for one in base if one in held]


def might_pair(base: Analysis, head: Analysis, only_base: Sequence[str], only_head: Sequence[str]) -> list[str]:
    """Return what would hold series against each other that one round alone has, as the command takes it.

    Only series of one engine, as far as it is known; none is ever taken for another without being named.
    """
    left, lines = list(only_head), []
    for one in only_base:
        for other in [other for other in left if _may_be_same(_engine(base, one), _engine(head, other))][:1]:
            lines.append(f"{OPTION} {one}={other}")
            left.remove(other)
    return lines[:MOST_HINTS]


def _may_be_same(one: str, other: str) -> bool:
    return one == other or not (one and other)


def _engine(analysis: Analysis, series: str) -> str:
    return plain_name(analysis.round.series_by_id(series).table.engine or "")


def _declared(base: Analysis, head: Analysis) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield what the rounds name, as base and head, where both series are there."""
    before, after = (_ids(side) for side in (base, head))
    for side in (base, head):
        _refuse_strays(side)
    for other, own in head.round.file.round.pairs.items():
        if other in before and own in after:
            yield head.round.id, (other, own)
    for other, own in base.round.file.round.pairs.items():
        if own in before and other in after:
            yield base.round.id, (own, other)


def _refuse_strays(side: Analysis) -> None:
    """Refuse a round that names as its own what it does not have; another round may lack what it names of others."""
    ids, file = _ids(side), f"{side.round.id}/round.toml"
    for own in side.round.file.round.pairs.values():
        if own not in ids:
            raise InputError(file, TABLE, f"the round has no series {quote(own)}", nearest(own, ids))


def _refuse_missing(base: Analysis, head: Analysis, asked: Pairs) -> None:
    for side, names in ((base, list(asked)), (head, list(asked.values()))):
        ids = _ids(side)
        for name in names:
            if name not in ids:
                problem = f"{side.round.id} has no series {quote(name)}"
                raise InputError(OPTION, "", problem, nearest(name, ids))
            if names.count(name) > 1:
                raise InputError(OPTION, "", f"{quote(name)} is named twice", "name each series once")


def _ids(side: Analysis) -> list[str]:
    return [one.id for one in side.round.series]
