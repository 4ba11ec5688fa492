"""What is decided, and how surely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from generator.model import Level
from generator.text import Text
from generator.told.findings import Finding
from generator.told.sentence import Sentence
from generator.values import Address

Certainty = Literal["firm", "leaning", "qualitative", "open"]
SUREST: Final[tuple[Certainty, ...]] = ("firm", "leaning", "qualitative", "open")
"""From what may be relied upon to what the data do not decide."""
NAMES: Final = {
    "firm": Text(zh="可靠", en="firm"),
    "leaning": Text(zh="倾向", en="leaning"),
    "qualitative": Text(zh="仅供定性参考", en="qualitative only"),
    "open": Text(zh="未定", en="open"),
}
NEITHER: Final = Text(zh="不分高下", en="neither")
"""Who leads where nobody does."""
Better = Literal["lower", "higher"]


def least_sure(*certainties: Certainty) -> Certainty:
    """Return the weakest of some certainties; firm for none."""
    return max(certainties, key=SUREST.index, default="firm")


def surest(*certainties: Certainty) -> Certainty:
    """Return the strongest of some certainties; open for none."""
    return min(certainties, key=SUREST.index, default="open")


@dataclass(frozen=True, slots=True)
class Yardstick:
    """A quantity of a level that a choice may go by.

    Attributes:
        metric: the metric of the level.
        name: what readers call it.
        better: which direction is better.
        unit: the unit that it is printed in.
        ratio: the pair-level metric that is above 1 where the compared series is better.
        lead: the pair-level metric that says how far the better of the two is ahead.
        crossover: the pair metric at which concurrency the lead changes hands.
        is_latency: whether a queue may rule it.
    """

    metric: str
    name: Text
    better: Better
    unit: str
    ratio: str
    lead: str
    crossover: str
    is_latency: bool = True


@dataclass(frozen=True, slots=True)
class Bound:
    """Something that keeps a conclusion from being surer than ``most``; ``finding`` is the check that says so."""

    most: Certainty
    why: Sentence
    finding: Finding | None = None

    @property
    def key(self) -> str:
        """Return what tells one bound from another: its check, or its own words."""
        return self.finding.check if self.finding is not None else self.why.text.en


@dataclass(frozen=True, slots=True)
class Lead:
    """Who is ahead of whom in a quantity at a level.

    Attributes:
        ahead: the better side; where both are equal, the first of them.
        behind: the other.
        times: how far ahead, as a factor of at least 1; None where a number is zero.
        is_close: whether the two are closer than what makes a difference here.
    """

    yardstick: Yardstick
    level: Level
    ahead: str
    behind: str
    times: float | None
    certainty: Certainty
    bounds: tuple[Bound, ...] = ()
    is_close: bool = False

    @property
    def leader(self) -> str | None:
        """Return the better side; None where both are equal."""
        return None if self.times == 1 else self.ahead

    @property
    def counts(self) -> bool:
        """Say whether a choice may go by it: there is a leader, and nothing leaves open whether it leads."""
        return self.leader is not None and self.certainty != "open"


@dataclass(frozen=True, slots=True)
class Edge:
    """Where a lead begins or ends: between two levels, or at the first or last of them.

    Attributes:
        at: the concurrency or rate, interpolated on a log axis where ``crossover`` is not known.
        crossover: the value of the graph that says where, if any.
        between: the neighbouring levels that it lies between; one level where it is that of the data.
    """

    at: float
    between: tuple[Level, ...]
    crossover: Address | None = None

    @property
    def is_end(self) -> bool:
        """Say whether the data end here: what lies beyond is extrapolation."""
        return len(self.between) == 1


@dataclass(frozen=True, slots=True)
class Span:
    """Neighbouring levels at which one side leads; ``leader`` is None where the two are equal throughout."""

    leader: str | None
    begin: Edge
    end: Edge
    leads: tuple[Lead, ...]

    @property
    def certainty(self) -> Certainty:
        """Return how sure it is that this side leads anywhere here: as sure as its surest level."""
        return surest(*(lead.certainty for lead in self.leads))

    @property
    def close(self) -> tuple[Lead, ...]:
        """Return the levels at which the two are too close to choose by."""
        return tuple(lead for lead in self.leads if lead.is_close)

    @property
    def clear(self) -> tuple[Lead, ...]:
        """Return the levels at which one is ahead by enough to choose by."""
        return tuple(lead for lead in self.leads if not lead.is_close)

    @property
    def widest(self) -> Lead:
        """Return the level with the largest lead, the first of several."""
        return max(self.leads, key=lambda lead: lead.times or 0.0)


Scale = Literal["load", "series"]
Keeping = Literal["kept", "broken", "unknown"]
"""Whether a series keeps a condition: what cannot be known is not kept."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """A quantity that a rule goes by: of levels in the range of the rule, or of the series as a whole.

    Attributes:
        metrics: what it may be read from, the first that is known on both sides.
        better: of a quantity of the series; that of a level is known by its yardstick.
        name: what readers call it, of a quantity of the series.
        remedy: how it is recorded where it is not known.
    """

    scale: Scale
    metrics: tuple[str, ...]
    better: Better = "lower"
    name: Text | None = None
    remedy: Text | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """A bound that a series has to keep at each level of a rule's range; in base units."""

    metric: str
    op: Literal["<=", ">="]
    value: float
    told: Text


@dataclass(frozen=True, slots=True)
class Rule:
    """Which series a scenario is for, as data.

    Attributes:
        title: the scenario.
        about: what matters in it, as a clause.
        low: the lowest number of requests in flight that it speaks of.
        high: the highest.
        decides: what the preference goes by.
        beside: what else is compared with it: where another series leads there, the preference is less sure.
        conditions: what a series has to keep to be preferred at all.
    """

    key: str
    title: Text
    about: Text
    low: float
    high: float
    decides: Criterion
    beside: tuple[Criterion, ...] = ()
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Advice:
    """What a rule comes to on the data of a round; ``preferred`` is None where they do not decide.

    Attributes:
        levels: the levels of the round that it rests on.
        reason: why, in numbers.
        bounds: what keeps it from being surer.
        is_beyond: whether the scenario lies beyond the measured loads.
        is_lacking: whether what it goes by was not measured.
        is_unknown: whether the one that leads may fail a condition, as it is not known whether it keeps it.
        against: the quantities beside it in which another series leads.
    """

    rule: Rule
    preferred: str | None
    certainty: Certainty
    reason: Sentence
    levels: tuple[Level, ...] = ()
    bounds: tuple[Bound, ...] = ()
    is_beyond: bool = False
    is_lacking: bool = False
    is_unknown: bool = False
    against: tuple[Text, ...] = ()

    @property
    def is_unmeasured(self) -> bool:
        """Say whether nothing is preferred since there are no data, and not since they do not decide."""
        return self.is_beyond or self.is_lacking


Standing = Literal["supported", "contradicted", "undecided"]
STANDINGS: Final = {
    "supported": Text(zh="数据支持", en="supported"),
    "contradicted": Text(zh="数据不支持", en="contradicted"),
    "undecided": Text(zh="无从判断", en="not decided"),
}


@dataclass(frozen=True, slots=True)
class Held:
    """A rule of thumb as it stands before the data: what it says, what they say."""

    key: str
    says: Sentence
    standing: Standing
    reason: Sentence
