"""What levels are called: by their load; those of one load by the lengths that they differ in, else by their ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from generator.frame import Analysis
from generator.model import Level
from generator.render.wording.rounding import exact, written
from generator.text import Lang, Text
from generator.values import Address

TOLD_APART: Final = Text(zh="{name}（{by}）", en="{name} ({by})")
"""A level among others of the same load."""
COMMA: Final = Text(zh="，", en=", ")
LENGTHS: Final[Mapping[str, Text]] = {
    "asked_input_tokens": Text(zh="输入 {n}", en="input {n}"),
    "asked_output_tokens": Text(zh="输出 {n}", en="output {n}"),
}
"""What levels of one load mostly differ in, in tokens: short enough for an axis."""


def level_names(analysis: Analysis, lang: Lang) -> dict[tuple[str, str], str]:
    """Return what the levels of each series are called in a language, by series and level."""
    return {
        (series.id, level): name
        for series in analysis.round.series
        for _, alike in groupby(sorted(series.levels, key=lambda one: one.name), key=lambda one: one.name)
        for level, name in _names(analysis, series.id, list(alike), lang).items()
    }


def _names(analysis: Analysis, series: str, alike: Sequence[Level], lang: Lang) -> dict[str, str]:
    """Return the names of levels of one load."""
    if len(alike) == 1:
        return {alike[0].id: alike[0].name}
    lengths = {level.id: _lengths(analysis, series, level) for level in alike}
    differing = [key for key in LENGTHS if len({each.get(key) for each in lengths.values()}) > 1]
    told = {level: COMMA[lang].join(_words(each, differing, lang)) for level, each in lengths.items()}
    if "" in told.values() or len({*told.values()}) < len(told):
        told = {level: level for level in told}
    return {level.id: TOLD_APART[lang].format(name=level.name, by=told[level.id]) for level in alike}


def _lengths(analysis: Analysis, series: str, level: Level) -> dict[str, float]:
    values = (analysis.frame.values.get(Address(key, "level", series, level.id)) for key in LENGTHS)
    return {one.address.metric: one.value for one in values if one is not None and one.value is not None}


def _words(lengths: Mapping[str, float], differing: Sequence[str], lang: Lang) -> list[str]:
    return [LENGTHS[key][lang].format(n=written(exact(lengths[key]), 0, lang)) for key in differing if key in lengths]
