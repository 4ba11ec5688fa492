"""Did the two sides of a comparison produce the same output? A rate of unequal work names no winner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import amount, at_level, level_names, usable_on_both, worst_level
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import COMPARISON
from generator.told.findings import Finding
from generator.told.quoting import FURTHEST_OFF
from generator.told.sentence import LevelName, Quantity, Sentence, SeriesName, say
from generator.values import Address

APART: Final = 0.02
"""Difference between the outputs of two sides from which on their throughputs are not of the same work."""
PRODUCED: Final = "output_tokens_per_request"


@check(
    theme=COMPARISON,
    title=Text(zh="双方的输出量", en="Output on both sides"),
    question=Text(
        zh="共有的可用档位上，两边每发一条请求产出的 token 一样多吗？",
        en="At the usable levels that both sides have, did each produce as many tokens for a request sent?",
    ),
    stage="conclusions",
    rule=Text(
        zh="共有的可用档位上，两边平摊到每条发出的请求的输出相差超过 {apart}，就警告：那里的吞吐之比存疑，不判谁领先。",
        en="A warning where, at a usable level that both have, the output for each request sent is more than {apart} apart: the ratio of throughputs is doubted there and names no winner.",
    ).format(apart=f"{APART:.0%}"),
)
def produced_output(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series against the baseline."""
    baseline = analysis.round.baseline
    if baseline is None or not analysis.round.compared:
        return [_nothing()]
    return [_examine(analysis, baseline, compared) for compared in analysis.round.compared]


def _examine(analysis: Analysis, baseline: Series, compared: Series) -> Finding:
    apart = {
        level: by
        for level in usable_on_both(analysis, compared.id)
        if (by := _apart(analysis, baseline, compared, level)) is not None
    }
    unlike = {level: by for level, by in apart.items() if by > APART}
    if unlike:
        return _unlike(analysis, baseline, compared, unlike)
    return _alike(baseline, compared, list(apart)) if apart else _unknown(baseline, compared)


def _apart(analysis: Analysis, baseline: Series, compared: Series, level: Level) -> float | None:
    """Return by which share the larger output exceeds the smaller; None where one of them is unknown, or none."""
    low, high = sorted(amount(analysis, PRODUCED, (side, level)) or 0.0 for side in (baseline, compared))
    return high / low - 1 if low > 0 else None


def _evidence(baseline: Series, compared: Series, levels: Sequence[Level]) -> tuple[Address, ...]:
    return tuple(at_level(PRODUCED, side, level) for level in levels for side in (baseline, compared))


def _unlike(analysis: Analysis, baseline: Series, compared: Series, unlike: dict[Level, float]) -> Finding:
    worst = max(unlike, key=unlike.__getitem__)
    told = worst_level(_amounts(baseline, compared, worst), FURTHEST_OFF, compared, worst, unlike)
    return Finding(
        check="produced_output",
        status="warn",
        series=compared.id,
        levels=tuple(level.id for level in unlike),
        evidence=_evidence(baseline, compared, list(unlike)),
        doubts=_doubted(analysis, compared, unlike),
        message=say(
            zh="{s} 与 {b} 在 {levels} 产出的输出不一样多，平摊到每条发出的请求：{told}。做的不是同样的活，那里的吞吐分不出胜负。",
            en="At {levels} {s} and {b} did not produce the same output, for each request sent: {told}. That is not the same "
            "work, and throughput names no winner there.",
            s=SeriesName(compared.id),
            b=SeriesName(baseline.id),
            levels=level_names(compared, list(unlike)),
            told=told,
        ),
        bias=_favoured(analysis, baseline, compared, worst),
        remedy=say(
            zh="让两边的每条请求都产出固定的长度（ignore_eos），查失败的请求，再重测这几档。",
            en="Let each request run to a fixed length on both sides (ignore_eos), look into failed requests, and run these "
            "levels again.",
        ),
    )


def _doubted(analysis: Analysis, compared: Series, unlike: dict[Level, float]) -> tuple[Address, ...]:
    """Return the ratios at these levels, and where the lead changes hands if that rests on one of them."""
    ids = {level.id for level in unlike}
    crossing = analysis.frame.of_pair("crossover_concurrency", compared.id)
    rests = any(one.address.level in ids for one in crossing.inputs if one.name == "throughput_ratio")
    ratios = tuple(Address("throughput_ratio", "pair-level", compared.id, level.id) for level in unlike)
    return (*ratios, crossing.address) if rests else ratios


def _favoured(analysis: Analysis, baseline: Series, compared: Series, worst: Level) -> Sentence:
    least = min((baseline, compared), key=lambda side: amount(analysis, PRODUCED, (side, worst)) or 0.0)
    return say(
        zh="{level} 上 {s} 产出得少：它的端到端时延显得更好；回答先后结束，批也更空，吞吐偏向哪边说不准。",
        en="At {level} {s} produced less: its end-to-end latency looks better. Its batches empty sooner as well, so which side "
        "throughput favours is open.",
        level=LevelName(compared.id, worst.id),
        s=SeriesName(least.id),
    )


def _amounts(baseline: Series, compared: Series, level: Level) -> Sentence:
    own, other = (Quantity(at_level(PRODUCED, side, level)) for side in (compared, baseline))
    return say(
        zh="{s} 为 {own}、{b} 为 {other}",
        en="{own} on {s} and {other} on {b}",
        s=SeriesName(compared.id),
        b=SeriesName(baseline.id),
        own=own,
        other=other,
    )


def _alike(baseline: Series, compared: Series, levels: list[Level]) -> Finding:
    message = say(
        zh="凡是两边都计过输出的可用档位，{s} 与 {b} 产出的相差都在限度之内。",
        en="Wherever both have their output counted at a usable level, {s} and {b} differ by no more than the limit.",
        s=SeriesName(compared.id),
        b=SeriesName(baseline.id),
    )
    evidence = _evidence(baseline, compared, levels)
    return Finding("produced_output", "pass", message, compared.id, tuple(one.id for one in levels), evidence)


def _unknown(baseline: Series, compared: Series) -> Finding:
    return Finding(
        check="produced_output",
        status="unknown",
        series=compared.id,
        message=say(
            zh="{s} 与 {b} 产出的是否一样多，无从得知：没有哪个共有的可用档位两边都计过输出。",
            en="Whether {s} and {b} produced the same cannot be known: there is no usable level that both have with its output "
            "counted.",
            s=SeriesName(compared.id),
            b=SeriesName(baseline.id),
        ),
        remedy=say(
            zh="在共有的档位上记录输出 token 数，或吞吐、总耗时与完成数。",
            en="Record the output tokens at the levels that both have, or throughput, duration and completed requests.",
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="这一轮没有哪个系列与基线比较，谈不上两边的产出。",
        en="No series of this round is compared with a baseline, so there are no two sides.",
    )
    return Finding("produced_output", "pass", message, is_empty=True)
