"""Is it the engines that differ, or the precision of the weights as well? A control run tells the two apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from generator.frame import Analysis
from generator.kinds import check
from generator.machines.flags import family_of
from generator.model import Round, Series
from generator.text import Text
from generator.themes import FAIRNESS
from generator.told.findings import Finding
from generator.told.quoting import clipped, series_names
from generator.told.sentence import Sentence, SeriesName, say

SIXTEEN: Final = re.compile(r"^(?:bf|fp|f)16$|^(?:b?float16|half)$", re.IGNORECASE)
"""Precisions of two bytes a weight: they read the same bytes and are no other precision here."""


@check(
    theme=FAIRNESS,
    title=Text(zh="精度与对照", en="Precision and control"),
    question=Text(
        zh="精度不同的两个引擎，有没有一次同精度的对照？",
        en="Where two engines differ in precision, is there a control at the same precision?",
    ),
    rule=Text(
        zh="与基线引擎不同、权重精度也不同的系列，若这一轮里没有哪个系列是其中一个引擎加另一方的精度，就警告；BF16 与 FP16 算同一精度。",
        en="A warning for a series that differs from the baseline in engine and in precision of the weights, unless some series has one of the engines at the precision of the other. BF16 and FP16 count as one precision.",
    ),
)
def same_precision(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series that is compared with another of another engine."""
    pairs = list(_pairs(analysis.round))
    if not pairs:
        return [_none()]
    if not any(base.table.precision and other.table.precision for base, other in pairs):
        return [_unknown()]
    mixed = [(base, other) for base, other in pairs if _differ(base, other)]
    return [_examine(analysis.round, base, other) for base, other in mixed] or [_same()]


def _pairs(round_: Round) -> Iterator[tuple[Series, Series]]:
    """Yield series of different engines: each with the baseline, or with the first where there is none."""
    base = round_.baseline or round_.series[0]
    for other in round_.series:
        if other.id != base.id and _engine(base) and _engine(other) and _engine(base) != _engine(other):
            yield base, other


def _engine(series: Series) -> str:
    return family_of(series.table.kind, series.table.engine) or (series.table.engine or "").strip().lower()


def _precision(series: Series) -> str:
    name = (series.table.precision or "").strip()
    return "16" if SIXTEEN.match(name) else name.lower()


def _differ(base: Series, other: Series) -> bool:
    return bool(_precision(base) and _precision(other)) and _precision(base) != _precision(other)


def _examine(round_: Round, base: Series, other: Series) -> Finding:
    wanted = {(_engine(base), _precision(other)), (_engine(other), _precision(base))}
    controls = [one for one in round_.series if (_engine(one), _precision(one)) in wanted]
    return _controlled(base, other, controls) if controls else _confounded(base, other)


def _confounded(base: Series, other: Series) -> Finding:
    return Finding(
        check="same_precision",
        status="warn",
        series=other.id,
        message=say(
            zh="{other} 与 {base} 引擎不同，精度也不同（{precision} 对 {base_precision}），又没有同精度的对照：结果对“引擎加精度”成立，对引擎本身只是定性的。",
            en="{other} differs from {base} in engine and in precision ({precision} against {base_precision}), and there is no "
            "control at the same precision: the result holds for engine plus precision; for the engine alone it is only qualitative.",
            other=SeriesName(other.id),
            base=SeriesName(base.id),
            precision=clipped(other.table.precision or ""),
            base_precision=clipped(base.table.precision or ""),
        ),
        bias=say(
            zh="每个权重占字节更少的一方，每步读取量更小：decode 的领先有一部分由此而来，prefill 则未必。",
            en="The one with fewer bytes per weight reads less in each step: part of a lead in decode comes from that; in prefill it "
            "need not.",
        ),
        remedy=_missing_control(base, other),
    )


def _missing_control(base: Series, other: Series) -> Sentence:
    return say(
        zh="补测一个对照：{one}，或 {two}。",
        en="Measure a control: {one}, or {two}.",
        one=_named(other, base),
        two=_named(base, other),
    )


def _named(engine: Series, precision: Series) -> Sentence:
    return say(
        zh="{engine} 用 {precision}",
        en="{engine} at {precision}",
        engine=clipped(engine.table.engine or ""),
        precision=clipped(precision.table.precision or ""),
    )


def _controlled(base: Series, other: Series, controls: Sequence[Series]) -> Finding:
    return Finding(
        check="same_precision",
        status="pass",
        series=other.id,
        message=say(
            zh="{other} 与 {base} 精度不同，有对照把引擎与精度分开：{controls}。",
            en="{other} and {base} differ in precision, and a control tells engine and precision apart: {controls}.",
            other=SeriesName(other.id),
            base=SeriesName(base.id),
            controls=series_names(one.id for one in controls),
        ),
    )


def _same() -> Finding:
    return Finding(
        check="same_precision",
        status="pass",
        message=say(
            zh="凡是写明精度的，不同引擎用的是同一精度的权重。",
            en="As far as it is declared, the engines were given weights of one precision.",
        ),
    )


def _none() -> Finding:
    return Finding(
        check="same_precision",
        status="pass",
        is_empty=True,
        message=say(zh="这一轮没有比较两个引擎。", en="This round does not compare two engines."),
    )


def _unknown() -> Finding:
    return Finding(
        check="same_precision",
        status="unknown",
        message=say(
            zh="各引擎的权重精度没有写明，是否相同无从得知。",
            en="The precision of the weights is not declared for both engines: whether it is the same cannot be known.",
        ),
        remedy=say(
            zh="在 round.toml 里给每个系列写上 precision。", en="Declare the precision of each series in round.toml."
        ),
    )
