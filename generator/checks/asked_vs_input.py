"""Were the prompts as long as asked, and of one length for all series? Templates, BOS tokens and ranges change them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import (
    Place,
    all_places,
    amount,
    at_level,
    at_levels,
    known_at,
    level_names,
    shared_places,
    worst_level,
)
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import TOKENS
from generator.told.findings import Finding
from generator.told.quoting import FURTHEST_OFF, level_value
from generator.told.sentence import LevelName, Listing, Quantity, SeriesName, say
from generator.values import Address

COUNTED: Final = "input_tokens_mean"
ASKED: Final = 0.05
"""Difference between the input counted and asked that a template or a BOS token does not explain."""
APART: Final = 0.02
"""Difference between the inputs of series from which on they did not do the same work."""


@check(
    theme=TOKENS,
    title=Text(zh="输入长度", en="Input lengths"),
    question=Text(
        zh="实际输入与要求的相符吗，各系列之间相同吗？",
        en="Is the input that was counted the one requested, and the same for all series?",
    ),
    rule=Text(
        zh="每条请求的实际输入与要求的相差超过 {asked} 就警告；共有的档位上，各系列的实际输入相差超过 {apart} 也警告。",
        en="A warning where the input counted per request differs from what was requested by more than {asked}, or where it differs between series by more than {apart} at a level that they share.",
    ).format(asked=f"{ASKED:.0%}", apart=f"{APART:.0%}"),
)
def asked_vs_input(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series, and then all of them at the levels that they share."""
    known = {s: found for s in analysis.round.series if (found := known_at(analysis, "input_departure", s, s.levels))}
    far = {series: off for series, found in known.items() if (off := [one for one in found if abs(one[0]) > ASKED])}
    findings = [_not_as_asked(series, off) for series, off in far.items()]
    shared = shared_places(place for place in all_places(analysis) if amount(analysis, COUNTED, place))
    unlike = [places for places in shared if _spread(analysis, places) > APART]
    if unlike:
        findings.append(_unlike(analysis, unlike))
    return findings or [_alike(list(known), shared)]


def _not_as_asked(series: Series, off: list[tuple[float, Level]]) -> Finding:
    levels, worst = [level for _, level in off], max(off, key=lambda one: abs(one[0]))[1]
    told = say(
        zh="计到 {counted}，要求 {asked}",
        en="{counted} counted, {asked} asked",
        counted=level_value(COUNTED, series.id, worst.id),
        asked=level_value("asked_input_tokens", series.id, worst.id),
    )
    return Finding(
        check="asked_vs_input",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, COUNTED, "asked_input_tokens"),
        message=say(
            zh="{series} 在 {levels} 的输入不是要求的长度：每条请求 {worst}。",
            en="At {levels} the input of {series} is not of the length asked: {worst} per request.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=worst_level(told, FURTHEST_OFF, series, worst, levels),
        ),
        bias=say(
            zh="输入更短，TTFT 与吞吐就显得更好；更长则更差。与按要求的长度测的系列不可比。",
            en="Shorter input flatters TTFT and throughput, longer input does the opposite; neither compares with what was requested.",
        ),
        remedy=say(
            zh="查压测工具的长度范围与前缀参数、对话模板与 tokenizer；在 round.toml 里写实际输入的长度。",
            en="See the client's range and prefix options, the chat template and the tokenizer; declare the counted length in "
            "round.toml.",
        ),
    )


def _spread(analysis: Analysis, places: list[Place]) -> float:
    counted = [amount(analysis, COUNTED, place) or 0.0 for place in places]
    return max(counted) / min(counted) - 1


def _unlike(analysis: Analysis, unlike: list[list[Place]]) -> Finding:
    worst = max(unlike, key=lambda places: _spread(analysis, places))
    told = tuple(
        say(
            zh="{s} 为 {n}",
            en="{n} for {s}",
            s=SeriesName(series.id),
            n=Quantity(at_level(COUNTED, series, level)),
        )
        for series, level in worst
    )
    least = min(worst, key=lambda place: amount(analysis, COUNTED, place) or 0.0)[0]
    return Finding(
        check="asked_vs_input",
        status="warn",
        evidence=tuple(at_level(COUNTED, *place) for places in unlike for place in places),
        doubts=tuple(one for places in unlike for one in _doubted(analysis, places)),
        message=say(
            zh="各系列在 {levels} 实际输入长度不同：{level} 的每条请求，{told}。这不是同样的活。",
            en="At {levels} the inputs counted differ between series: per request at {level}, {told}. That is not the same work.",
            levels=Listing(tuple(LevelName(places[0][0].id, places[0][1].id) for places in unlike)),
            level=LevelName(worst[0][0].id, worst[0][1].id),
            told=Listing(told),
        ),
        bias=say(
            zh="输入最短的 {s} 在 TTFT 与总吞吐的比较里占便宜。",
            en="{s}, with the shortest input, has the advantage in TTFT and throughput.",
            s=SeriesName(least.id),
        ),
        remedy=say(
            zh="用同样的 prompt 与模板重测，再谈这几档的吞吐之比；同名的长度范围参数在不同工具里意思不同。",
            en="Run again with the same prompts and template before ratios are told at these levels; an option for the range of "
            "lengths of one name means different things in different clients.",
        ),
    )


def _doubted(analysis: Analysis, places: list[Place]) -> list[Address]:
    """Return the ratios of throughput at a level, of those series whose input is not that of the baseline."""
    baseline = analysis.round.baseline
    base = [place for place in places if place[0] == baseline]
    return [
        Address("throughput_ratio", "pair-level", series.id, level.id)
        for one in base
        for series, level in places
        if series != baseline and _spread(analysis, [one, (series, level)]) > APART
    ]


def _alike(known: list[Series], shared: list[list[Place]]) -> Finding:
    if not known and not shared:
        message = say(
            zh="没有哪一档数过输入 token，无从比较。",
            en="No level has its input tokens counted, so there is nothing to compare.",
        )
        return Finding("asked_vs_input", "pass", message, is_empty=True)
    message = say(
        zh="凡是数过的档位，输入长度与要求的相符，各系列之间也相同。",
        en="Wherever it was counted, the input has the length asked, and the same for all series.",
    )
    evidence = [at_level("input_departure", series, level) for series in known for level in series.levels]
    return Finding("asked_vs_input", "pass", message, evidence=tuple(evidence))
