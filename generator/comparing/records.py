"""What a comparison of two rounds holds: differences with their evidence, and what may be concluded from each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

from generator.kinds import Better
from generator.text import Text
from generator.told.sentence import Sentence
from generator.values import Address

Verdict = Literal["better", "worse", "same", "inconclusive", "not_comparable", "confounded"]
Direction = Literal["better", "worse"]
MethodKey = Literal["welch", "blocks", "noise", "exact", "identical", "none"]
Grade = Literal["A", "B", "C", "D"]
Standing = Literal["identical", "comparable", "partial", "not_comparable"]
SettingStatus = Literal["equal", "different", "unknown"]

SIGNIFICANCE: Final = 0.05
"""Chance of a verdict where nothing differs."""
CONFIDENCE: Final = 1 - SIGNIFICANCE
POWER: Final = 0.8
"""Chance to find the smallest difference that is called detectable."""
USUAL_PRIMARY: Final = "output_throughput"
"""The metric that decides, unless the round says otherwise."""
DEFAULT_MARGIN: Final = 0.05
"""Share by which values may differ and still count as the same, unless the round says otherwise."""
COUNTING: Final = "floor."
"""How the paths of settings begin that say how floors are counted, and nothing of what was run."""
SAME_WORK: Final = 0.02
"""How far lengths may lie apart as tokenizers make them, as a share of the longer one; shares, as their difference."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A ratio head ÷ base as a method finds it.

    Kept as natural logarithms: when the sides are swapped they change sign, and nothing else, to the last bit.

    Attributes:
        log_ratio: ln(head ÷ base).
        log_low: lower end of the interval at ``CONFIDENCE``; None where the method gives none.
        log_high: its upper end.
        p: two-sided p value of "the ratio is 1"; None where the method gives none.
        log_detectable: the smallest |ln ratio| that would be found with probability ``POWER``; None where unknown.
        p_same: p value of "the ratio lies outside the margin" (TOST); None where the method gives none.
    """

    log_ratio: float
    log_low: float | None = None
    log_high: float | None = None
    p: float | None = None
    log_detectable: float | None = None
    p_same: float | None = None

    @property
    def ratio(self) -> float:
        """Return head ÷ base."""
        return math.exp(self.log_ratio)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return the interval of the ratio."""
        if self.log_low is None or self.log_high is None:
            return None
        return math.exp(self.log_low), math.exp(self.log_high)

    @property
    def detectable(self) -> float | None:
        """Return the smallest detectable rise, as a share of the base."""
        return None if self.log_detectable is None else math.expm1(self.log_detectable)


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that the sides may differ in: what each has; None where it is not known, empty where it is not given.

    Attributes:
        group: what changes together, as all facts of the machine do, or all of the engine's version; None where it
            cannot change what is measured at a level.
        base_said: what ``base`` is in words of either language, where its author says it so.
        head_said: the same of ``head``.
    """

    path: str
    title: Text
    base: str | None
    head: str | None
    group: str | None
    base_said: Text | None = None
    head_said: Text | None = None

    @property
    def is_counting(self) -> bool:
        """Say whether it is how floors are counted, and not the engine or what it ran on."""
        return self.path.startswith(COUNTING)

    @property
    def status(self) -> SettingStatus:
        """Say how the sides stand; what is not known on one of them is never the same."""
        if self.base is None or self.head is None:
            return "unknown"
        return "equal" if self.base == self.head else "different"


@dataclass(frozen=True, slots=True)
class Measured:
    """What the method counts on one side.

    Attributes:
        value: in base units; of several trials their geometric mean, whose ratio is tested. None where it is unknown.
        trials: runs that differ from each other; copies count once.
        n: what the method counts: trials, requests or, of counts, all requests that were sent.
        all_failed: whether no request was answered.
    """

    value: float | None
    trials: int
    n: int | None = None
    all_failed: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of one level, in both rounds.

    Attributes:
        address: what is compared, named as in the head round.
        better: which direction is better; None where neither is.
        estimate: the ratio with its evidence; None where there is no ratio (see ``reasons``).
        p: the p value of the method, of counts too, which may have no ratio.
        p_adjusted: p after all rows of its family were counted: Holm for the primary metric, Benjamini–Hochberg else.
        bound: the change that noise alone may make, where there is no interval; a share of the base.
        margin: within which share the values count as the same.
        verdict: what may be concluded.
        suggests: where the numbers point, though nothing is concluded.
        grade: A trials on both sides, B one run of many requests, C too few or only summaries, D confounded. None
            where nothing was tested.
        reasons: why the verdict is no stronger, or what has to be known of it.
        changed: the settings that differ and may be the cause.
    """

    address: Address
    better: Better | None
    base: Measured
    head: Measured
    method: MethodKey
    is_primary: bool
    margin: float
    verdict: Verdict
    estimate: Estimate | None = None
    p: float | None = None
    p_adjusted: float | None = None
    bound: float | None = None
    suggests: Direction | None = None
    grade: Grade | None = None
    reasons: tuple[Sentence, ...] = ()
    changed: tuple[Setting, ...] = ()

    @property
    def ratio(self) -> float | None:
        """Return head ÷ base."""
        return None if self.estimate is None else self.estimate.ratio

    @property
    def change(self) -> float | None:
        """Return the change as a share of the base: 0.05 is 5 % more."""
        return None if self.estimate is None else math.expm1(self.estimate.log_ratio)


@dataclass(frozen=True, slots=True)
class Pair:
    """One series in both rounds: the levels they share, those of one side, and how their settings compare.

    Attributes:
        series: its id in the head round.
        base_series: its id in the base round.
        other_lengths: levels that were not asked for the same lengths.
        other_output: levels of which answers of another length came, or ended otherwise.
    """

    series: str
    shared: tuple[str, ...]
    only_base: tuple[str, ...]
    only_head: tuple[str, ...]
    settings: tuple[Setting, ...]
    base_series: str
    other_lengths: tuple[str, ...] = ()
    other_output: tuple[str, ...] = ()

    @property
    def changed(self) -> tuple[Setting, ...]:
        """Return the settings that are known to differ."""
        return tuple(one for one in self.settings if one.status == "different")


@dataclass(frozen=True, slots=True)
class Banner:
    """Whether the rounds can be compared at all, and why not, or not wholly."""

    standing: Standing
    reasons: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rounds against each other.

    ``gate`` is what the primary metric says over all its rows: worse where one row is worse, else better where one
    is better, else the same where all are, and inconclusive where some are and others could not be compared; None
    where the metric is in neither round.
    """

    base: str
    head: str
    primary: str
    banner: Banner
    pairs: tuple[Pair, ...]
    differences: tuple[Difference, ...]
    only_base: tuple[str, ...] = ()
    only_head: tuple[str, ...] = ()

    def base_series(self, series: str) -> str:
        """Return the id in the base round of a series of the head round."""
        return next((one.base_series for one in self.pairs if one.series == series), series)

    @property
    def gate(self) -> Verdict | None:
        """Return what the primary metric says."""
        verdicts = [one.verdict for one in self.differences if one.is_primary]
        if set(verdicts) == {"same", "not_comparable"}:
            return "inconclusive"
        ordered: tuple[Verdict, ...] = ("worse", "confounded", "better", "inconclusive", "same", "not_comparable")
        return next((one for one in ordered if one in verdicts), None)

    @property
    def left_out(self) -> int:
        """Return at how many levels the primary metric could not be compared."""
        one_sided = sum(len(one.only_base) + len(one.only_head) for one in self.pairs)
        return one_sided + sum(one.is_primary and one.verdict == "not_comparable" for one in self.differences)
