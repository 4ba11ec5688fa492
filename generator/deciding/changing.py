"""Where a lead changes hands, told by the levels at which one is ahead by enough to choose by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from generator.across.levels import level_names
from generator.deciding.leads import Pair, excluded_between, leads, spans
from generator.deciding.reasons import capital
from generator.deciding.yardsticks import BY_METRIC
from generator.frame import Analysis
from generator.model import Level
from generator.text import Text
from generator.told.quoting import joined
from generator.told.sentence import LevelName, Part, Sentence, SeriesName

THROUGHPUT: Final = BY_METRIC["output_throughput"]
CLAUSES: Final = Text(zh="，", en="; ")


@dataclass(frozen=True, slots=True)
class Change:
    """What stands beside a change of the lead in throughput.

    Attributes:
        gap: the neighbouring levels between which the number of the other becomes the better one.
        low: the last level up to there at which the one is ahead by enough to choose by; None where there is none.
        high: the first level from there on at which the other is.
        even: the levels of both at which they are too close.
    """

    gap: tuple[Level, Level]
    low: Level | None
    high: Level | None
    even: tuple[Level, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Say whether both are ahead by enough right beside the change."""
        return (self.low, self.high) == self.gap

    @property
    def unsettled(self) -> tuple[Level, Level]:
        """Return between which levels nothing settles who leads."""
        return self.low or self.gap[0], self.high or self.gap[1]


def change_at(analysis: Analysis, pair: Pair, gap: tuple[Level, Level]) -> Change:
    """Return what stands beside a change of the lead between two neighbouring levels."""
    for before, after in pairwise(spans(analysis, pair, leads(analysis, pair, THROUGHPUT))):
        if (before.leads[-1].level.id, after.leads[0].level.id) == (gap[0].id, gap[1].id):
            low = before.clear[-1].level if before.clear else None
            high = after.clear[0].level if after.clear else None
            return Change(gap, low, high, tuple(lead.level for lead in (*before.close, *after.close)))
    return Change(gap, *gap)


def tell_change(
    analysis: Analysis, pair: Pair, change: Change, sides: Sequence[str], unsettled: Sentence, *, is_last: bool
) -> Sentence:
    """Say who delivers more up to a change of the lead and from there on, where the two are too close, and what is open.

    Args:
        analysis: the round.
        pair: the two series.
        change: what stands beside the change.
        sides: who leads before it, and who behind it.
        unsettled: that nothing settles who leads between the levels.
        is_last: whether the lead does not change again.
    """
    clauses: list[tuple[Text, dict[str, Part]]] = []
    other = pair[1].id
    if change.low is not None:
        text = UP_TO_USABLE if excluded_between(analysis, pair, 0.0, change.low.load) else UP_TO
        clauses.append((text, {"low": LevelName(other, change.low.id), "who": SeriesName(sides[0])}))
    if is_last and change.high is not None:
        usable = excluded_between(analysis, pair, change.high.load, math.inf)
        does = DOES if clauses else DELIVERS
        clauses.append(
            (
                (FROM_USABLE if usable else FROM).format(does=does),
                {"high": LevelName(other, change.high.id), "who": SeriesName(sides[1])},
            )
        )
    if change.even:
        clauses.append((EVEN, {"even": level_names(pair[1], change.even)}))
    if is_last:
        low, high = (LevelName(other, level.id) for level in change.unsettled)
        ends: dict[str, Part] = {} if change.is_plain else {"low": low, "high": high}
        clauses.append((BETWEEN_THEM if change.is_plain else BETWEEN, {**ends, "unsettled": unsettled}))
    told = [Sentence(text if number else capital(text), parts) for number, (text, parts) in enumerate(clauses)]
    return joined(told, CLAUSES)


UP_TO: Final = Text(zh="到 {low} 为止 {who} 吞吐更高", en="up to {low}, {who} delivers more")
UP_TO_USABLE: Final = Text(
    zh="到 {low} 为止的可用档位上 {who} 吞吐更高", en="at the usable levels up to {low}, {who} delivers more"
)
FROM: Final = Text(zh="从 {{high}} 起 {{who}} {does}", en="from {{high}} on, {{who}} {does}")
FROM_USABLE: Final = Text(
    zh="从 {{high}} 起的可用档位上 {{who}} {does}", en="at the usable levels from {{high}} on, {{who}} {does}"
)
DOES: Final = Text(zh="反超", en="does")
DELIVERS: Final = Text(zh="吞吐更高", en="delivers more")
EVEN: Final = Text(zh="在 {even} 两者差距太小、不足以选择", en="at {even} it is too close to call")
BETWEEN_THEM: Final = Text(zh="两档之间{unsettled}", en="between the two, {unsettled}")
BETWEEN: Final = Text(zh="{low} 与 {high} 之间{unsettled}", en="between {low} and {high}, {unsettled}")
