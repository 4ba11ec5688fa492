"""Were all series asked for the same work?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import Place, all_places, amount, at_level
from generator.frame import Analysis
from generator.kinds import check
from generator.text import Text
from generator.themes import FAIRNESS
from generator.told.findings import Finding
from generator.told.sentence import LevelName, Listing, Part, Quantity, Sentence, SeriesName, say
from generator.values import Address

Shared = list[Place]
"""One level, as each of several series has it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Something that all series should be asked alike, and whom it favours where they are not."""

    metric: str
    differs: Text
    bias: Text


ASKED: Final = (
    Asked(
        "asked_input_tokens",
        Text(
            zh="各系列在 {levels} 拿到的输入长度不同：{told}。",
            en="At {levels} the series were not given input of the same length: {told}.",
        ),
        Text(
            zh="{series} 在 {level} 的输入最短，TTFT 与吞吐因此显得更好。",
            en="At {level} the input was shortest for {series}, which flatters TTFT and throughput.",
        ),
    ),
    Asked(
        "asked_output_tokens",
        Text(
            zh="各系列在 {levels} 要产出的长度不同：{told}。",
            en="At {levels} the series were not asked for output of the same length: {told}.",
        ),
        Text(
            zh="{series} 在 {level} 的输出最短，端到端时延因此显得更好。",
            en="At {level} the shortest output was requested of {series}, which flatters the end-to-end latency.",
        ),
    ),
    Asked(
        "requests",
        Text(
            zh="各系列在 {levels} 收到的请求数不同：{told}。",
            en="At {levels} the series were not sent the same number of requests: {told}.",
        ),
        Text(
            zh="{series} 在 {level} 的请求最少：起步与收尾占的比重更大，分位数也更不可靠。",
            en="At {level} the fewest were sent to {series}: there the start and the end of the run weigh more, and percentiles "
            "are less certain.",
        ),
    ),
)


@check(
    theme=FAIRNESS,
    title=Text(zh="负载是否一致", en="Workload"),
    question=Text(
        zh="共有的档位上，各系列拿到的输入、输出长度与请求数相同吗？",
        en="At the levels they share, were all series asked for the same lengths and number of requests?",
    ),
    rule=Text(
        zh="共有的档位上，输入长度、输出长度或请求数不同就警告。",
        en="A warning where series were asked for other lengths or another number of requests at the levels that they share.",
    ),
)
def same_work(analysis: Analysis) -> Sequence[Finding]:
    """Examine the round as a whole."""
    if len(analysis.round.series) == 1:
        return [_alone()]
    shared = _shared(analysis)
    comparable = [(asked, place) for asked in ASKED for level in shared for place in _known(analysis, asked, level)]
    if not comparable:
        return [_unknown()]
    differing = [(asked, [level for level in shared if _differs(analysis, asked, level)]) for asked in ASKED]
    found = [_differ(analysis, asked, levels) for asked, levels in differing if levels]
    return found or [_alike(tuple(_address(asked, place) for asked, place in comparable))]


def _shared(analysis: Analysis) -> list[Shared]:
    """Return the levels of one id and load that several series have."""
    alike: dict[tuple[object, ...], Shared] = {}
    for series, level in all_places(analysis):
        alike.setdefault((level.id, *level.order), []).append((series, level))
    return [places for places in alike.values() if len(places) > 1]


def _known(analysis: Analysis, asked: Asked, level: Shared) -> list[Place]:
    """Return where it is known what was asked; nothing where that leaves nothing to compare."""
    known = [place for place in level if amount(analysis, asked.metric, place) is not None]
    return known if len(known) > 1 else []


def _differs(analysis: Analysis, asked: Asked, level: Shared) -> bool:
    return len({amount(analysis, asked.metric, place) for place in _known(analysis, asked, level)}) > 1


def _address(asked: Asked, place: Place) -> Address:
    series, level = place
    return at_level(asked.metric, series, level)


def _differ(analysis: Analysis, asked: Asked, levels: list[Shared]) -> Finding:
    compared = [_known(analysis, asked, level) for level in levels]
    return Finding(
        check="same_work",
        status="warn",
        evidence=tuple(_address(asked, place) for places in compared for place in places),
        message=Sentence(
            asked.differs,
            {
                "levels": Listing(tuple(_level_name(places) for places in compared)),
                "told": _told(asked, compared[0], one_of_several=len(compared) > 1),
            },
        ),
        bias=_favoured(analysis, asked, compared[0]),
        remedy=say(
            zh="让每个系列以同样的长度与请求数重跑这几档，或者只比较相同的档位。",
            en="Run these levels again with the same lengths and number of requests for every series, or compare only the "
            "levels that have them.",
        ),
    )


def _favoured(analysis: Analysis, asked: Asked, places: Shared) -> Sentence:
    """Name all that were asked the least at a level: several may share the lowest number."""
    least = min(amount(analysis, asked.metric, place) or 0.0 for place in places)
    lowest = tuple(SeriesName(place[0].id) for place in places if amount(analysis, asked.metric, place) == least)
    return Sentence(asked.bias, {"series": Listing(lowest), "level": _level_name(places)})


def _level_name(places: Shared) -> LevelName:
    series, level = places[0]
    return LevelName(series.id, level.id)


def _told(asked: Asked, places: Shared, *, one_of_several: bool) -> Part:
    """Return what each series was asked at a level, as an example where there are more such levels."""
    amounts = Listing(tuple(_amount_of(asked, place) for place in places))
    if not one_of_several:
        return amounts
    return say(
        zh="例如在 {level}，{amounts}",
        en="{amounts} at {level}, for example",
        level=_level_name(places),
        amounts=amounts,
    )


def _amount_of(asked: Asked, place: Place) -> Sentence:
    return say(
        zh="{series} 为 {amount}",
        en="{amount} for {series}",
        series=SeriesName(place[0].id),
        amount=Quantity(_address(asked, place)),
    )


def _alike(evidence: tuple[Address, ...]) -> Finding:
    return Finding(
        check="same_work",
        status="pass",
        evidence=evidence,
        message=say(
            zh="在共有的档位上，凡是有记录的，各系列的输入、输出长度与请求数都相同。",
            en="At the levels they share, and as far as it is on record, all series were asked for the same lengths and number "
            "of requests.",
        ),
    )


def _alone() -> Finding:
    return Finding(
        check="same_work",
        status="pass",
        is_empty=True,
        message=say(
            zh="这一轮只有一个系列，不与别的系列比较。",
            en="This round has a single series, and compares it with no other.",
        ),
    )


def _unknown() -> Finding:
    return Finding(
        check="same_work",
        status="unknown",
        message=say(
            zh="各系列的负载是否一致无从得知：没有共有的档位，或者只有一方记录了长度与请求数。",
            en="Whether the series were given the same workload cannot be known: they share no level, or only one of "
            "them has its lengths and requests on record.",
        ),
        remedy=say(
            zh="让各系列测同样的档位，并在 round.toml 的 [workload] 里写明长度。",
            en="Measure the same levels for all series, and declare the lengths in [workload] of round.toml.",
        ),
    )
