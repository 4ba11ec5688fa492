"""What keeps a lead from being sure: the findings of checks, doubted numbers, closeness, and how often it was measured."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.comparing.records import DEFAULT_MARGIN
from generator.comparing.shares import share_for
from generator.deciding.records import Bound, Certainty
from generator.frame import Analysis
from generator.model import Round
from generator.text import Text, same
from generator.told.findings import GRAVE, Finding, Status
from generator.told.sentence import Sentence, say
from generator.values import Address, Value

ByCheck = Mapping[str, Sequence[Finding]]
BOUNDING: Final[frozenset[Status]] = GRAVE | {"unknown"}
"""What bounds a conclusion, where a check could not be carried out included."""
CHANCE: Final = 0.05
"""How likely trials may come to lie apart by chance alone for a lead to be firm."""


@dataclass(frozen=True, slots=True)
class Cap:
    """A check whose warning bounds what may be concluded.

    Attributes:
        most: the surest that a conclusion may then be.
        only_latency: whether it bounds latencies alone.
        if_unknown: whether it bounds also where it could not be carried out.
    """

    check: str
    most: Certainty
    only_latency: bool = False
    if_unknown: bool = False


CAPS: Final[tuple[Cap, ...]] = (
    Cap("reporting_demands", "qualitative"),
    Cap("same_precision", "leaning", if_unknown=True),
    Cap("same_machine", "leaning", if_unknown=True),
    Cap("same_time", "leaning"),
    Cap("same_flags", "leaning"),
    Cap("same_work", "leaning"),
    Cap("same_prompts", "leaning"),
    Cap("mixed_tools", "leaning"),
    Cap("mixed_trials", "leaning"),
    Cap("output_tokens", "leaning"),
    Cap("token_accounting", "leaning"),
    Cap("failed_requests", "leaning"),
    Cap("lost_requests", "leaning"),
    Cap("latency_identity", "leaning", only_latency=True),
    Cap("prompt_cache", "leaning"),
    Cap("repeated_prompts", "leaning"),
    Cap("client_fidelity", "leaning"),
    Cap("throttling", "leaning"),
    Cap("power_state", "leaning"),
    Cap("cold_trials", "leaning"),
    Cap("speculation", "leaning"),
    Cap("reasoning_in_output", "leaning"),
    Cap("queue_dominated", "open", only_latency=True),
    Cap("concurrency_reached", "open"),
    Cap("buffered_stream", "open", only_latency=True),
    Cap("unit_slips", "open"),
    Cap("other_model", "open"),
    Cap("data_integrity", "open"),
)
"""The checks that bound a choice, in the order in which a reader should meet them."""


def bounding(analysis: Analysis) -> list[Bound]:
    """Return every finding of the round that bounds some conclusion, by the order of the checks."""
    found = _by_check(analysis)
    return [_of(analysis, cap, finding) for cap in CAPS for finding in _of_cap(found, cap)]


def by_findings(
    analysis: Analysis, sides: Iterable[str], level: str | None = None, *, is_latency: bool = False
) -> Iterator[Bound]:
    """Yield what checks say of some series, at a level or as a whole, that bounds a comparison of them."""
    named, found = frozenset(sides), _by_check(analysis)
    for cap in CAPS:
        if cap.only_latency and not is_latency:
            continue
        for finding in _of_cap(found, cap):
            of_level = level is None or not finding.levels or level in finding.levels
            if of_level and (finding.series is None or finding.series in named):
                yield _of(analysis, cap, finding)


def _by_check(analysis: Analysis) -> ByCheck:
    """Return the findings that some cap may bound by, by their checks."""
    found: dict[str, list[Finding]] = {}
    for finding in analysis.findings:
        if finding.status in BOUNDING:
            found.setdefault(finding.check, []).append(finding)
    return found


def _of_cap(found: ByCheck, cap: Cap) -> list[Finding]:
    bad = BOUNDING if cap.if_unknown else GRAVE
    return [finding for finding in found.get(cap.check, ()) if finding.status in bad]


def _of(analysis: Analysis, cap: Cap, finding: Finding) -> Bound:
    title = analysis.titles.get(cap.check, same(cap.check))
    return Bound(cap.most, say(zh="{check}", en="{check}", check=title), finding)


def by_doubts(analysis: Analysis, numbers: Iterable[Address]) -> Iterator[Bound]:
    """Yield the findings that put one of some numbers in doubt: nothing is decided by it."""
    asked = frozenset(numbers)
    for finding in analysis.findings:
        if asked & set(finding.doubts):
            title = analysis.titles.get(finding.check, same(finding.check))
            yield Bound("open", say(zh="{check}", en="{check}", check=title), finding)


def margin_of(round_: Round, metric: str) -> float:
    """Return by which share two numbers of a metric may differ and still count as the same."""
    declared = round_.file.round
    own = share_for(metric, declared.margins)
    usual = DEFAULT_MARGIN if declared.margin is None else declared.margin
    return usual if own is None else own


def is_close(round_: Round, metric: str, times: float | None) -> bool:
    """Say whether a factor is too near to 1 to choose by; what has no factor is not."""
    return times is not None and times - 1 < margin_of(round_, metric)


def too_close(round_: Round, metric: str) -> Bound:
    """Return the bound of two numbers that are closer than the margin."""
    margin = same(f"{margin_of(round_, metric):.0%}")
    return Bound("open", Sentence(TOO_CLOSE, {"margin": margin}))


TOO_CLOSE: Final = Text(zh="相差不到 {margin}", en="less than {margin} apart")


def by_trials(one: Value, other: Value) -> Iterator[Bound]:
    """Yield what follows from how often two numbers were measured, and from how far their trials spread."""
    counts = (one.n or 1, other.n or 1)
    if min(counts) == 1:
        yield Bound("leaning", Sentence(ONE_TRIAL))
    elif _overlap(one, other):
        yield Bound("open", Sentence(OVERLAP))
    elif chance_apart(*counts) > CHANCE:
        yield Bound("leaning", Sentence(FEW_TRIALS))


def chance_apart(one: int, other: int) -> float:
    """Return how likely all trials of one side lie on the same side of all of the other's where nothing differs.

    Of the (n + m)! ÷ (n! m!) orders in which the trials may come, two have them apart.
    """
    return 2 / math.comb(one + other, one)


def _overlap(one: Value, other: Value) -> bool:
    low, high, others_low, others_high = one.low, one.high, other.low, other.high
    if low is None or high is None or others_low is None or others_high is None:
        return True
    return low <= others_high and others_low <= high


ONE_TRIAL: Final = Text(zh="只测了一次", en="a single trial")
OVERLAP: Final = Text(zh="几次测量的范围重叠", en="the ranges of the trials overlap")
FEW_TRIALS: Final = Text(zh="测量次数太少", en="too few trials")
