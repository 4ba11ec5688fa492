"""Were the servers started alike? A cache or a graph that only one of them has is no property of an engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import machine_of
from generator.frame import Analysis
from generator.kinds import check
from generator.machines.fact_kinds import ON_OFF
from generator.machines.flags import (
    ENVIRONMENT,
    FLAG,
    SETTINGS,
    Set,
    Setting,
    alike,
    compared_flags,
    setting_of,
)
from generator.machines.records import Machine
from generator.machines.telling import difference, listed
from generator.model import Round, Series
from generator.text import Text, same
from generator.themes import FAIRNESS
from generator.told.findings import Finding, Status
from generator.told.quoting import clipped, series_names
from generator.told.sentence import Part, Sentence, SeriesName, say


@check(
    theme=FAIRNESS,
    title=Text(zh="启动参数", en="Flags"),
    question=Text(
        zh="各系列的启动参数与环境变量，凡是含义相同的，值也相同吗？",
        en="Do flags and environment of the servers agree wherever they mean the same?",
    ),
    rule=Text(
        zh="同一引擎逐个参数比较；不同引擎只比较含义相同的：prompt cache、CUDA graphs、KV 精度、tensor parallel 不同就警告，显存份额、槽位与上下文不同只提示。没写的参数按引擎的默认值算，默认值未知的不比较。",
        en="Flags are compared one by one within an engine, and between engines where they mean the same: a warning where prompt cache, CUDA graphs, KV precision or tensor parallelism differ, a note where the share of memory, slots or context do. A flag that is not given counts as the engine's default; where that is not known, nothing is compared.",
    ),
)
def same_flags(analysis: Analysis) -> Sequence[Finding]:
    """Compare each series with the baseline, or with the first where there is none."""
    round_ = analysis.round
    if len(round_.series) == 1:
        return [_alone()]
    known = [series for series in round_.series if machine_of(round_, series).has_flags]
    if not known:
        return [_unknown()]
    base = round_.baseline or round_.series[0]
    pairs = [(base, other) for other in known if other.id != base.id and base in known]
    found = [finding for pair in pairs for finding in _examine(round_, *pair)]
    lacking = [series for series in round_.series if series not in known]
    return [*found, *([_partly(lacking)] if lacking else [] if found else [_same()])]


@dataclass(frozen=True, slots=True)
class Differing:
    """A setting that two series do not share."""

    setting: Setting
    base: Set
    other: Set


def _examine(round_: Round, base: Series, other: Series) -> list[Finding]:
    one, two = machine_of(round_, base), machine_of(round_, other)
    settings = [known for setting in SETTINGS if (known := _differing(setting, one, two)) is not None]
    heavy = [known for known in settings if known.setting.is_heavy]
    light = [known for known in settings if not known.setting.is_heavy]
    found = [_settings(base, other, heavy, "warn")] if heavy else []
    found += [_settings(base, other, light, "note")] if light else []
    flags = _flags(one, two) if one.family is not None and one.family == two.family else {}
    return found + ([_each(base, other, flags)] if flags else [])


def _differing(setting: Setting, base: Machine, other: Machine) -> Differing | None:
    one, two = setting_of(base, setting), setting_of(other, setting)
    if one is None or two is None or alike(setting, one.text, two.text):
        return None
    return Differing(setting, one, two)


def _flags(one: Machine, two: Machine) -> dict[str, tuple[str | None, str | None]]:
    """Return flags and variables that two series of one engine do not share; None where one does not have it."""
    left, right = compared_flags(one), compared_flags(two)
    paths = sorted({*left, *right})
    return {path: (left.get(path), right.get(path)) for path in paths if left.get(path) != right.get(path)}


def _settings(base: Series, other: Series, found: Sequence[Differing], status: Status) -> Finding:
    favoured = _favoured(base, other, found)
    return Finding(
        check="same_flags",
        status=status,
        series=other.id,
        message=say(
            zh="{other} 与 {base} 含义相同的参数取值不同：{told}。",
            en="Flags that mean the same have other values for {other} than for {base}: {told}.",
            other=SeriesName(other.id),
            base=SeriesName(base.id),
            told=listed([_told(base, other, one) for one in found]),
        ),
        bias=favoured,
        remedy=_same_for_both(found) if status == "warn" else None,
    )


def _same_for_both(found: Sequence[Differing]) -> Sentence:
    return say(
        zh="让两边的设置一致（{what}）再测，或者在结论里写明它们不同。",
        en="Give both series the same setting ({what}) and measure again, or say in the conclusions that they differ.",
        what=listed([one.setting.title for one in found]),
    )


def _told(base: Series, other: Series, one: Differing) -> Sentence:
    values = {base.id: _value(one.base), other.id: _value(one.other)}
    return difference(one.setting.title, values)


DEFAULT: Final = Text(zh="{text}（默认）", en="{text} by default")


def _value(found: Set) -> Text:
    text = ON_OFF.get(found.text) or clipped(found.text)
    return DEFAULT.format(text=text) if found.is_default else text


def _favoured(base: Series, other: Series, found: Sequence[Differing]) -> Sentence | None:
    """Name whom each setting flatters that one of them has alone; None where that cannot be said."""
    told: list[Part] = []
    for one in found:
        if one.setting.helps is not None:
            series = base if one.base.text == one.setting.helps else other
            told.append(
                say(zh="{what} 对 {s} 有利", en="{what} favours {s}", what=one.setting.title, s=SeriesName(series.id))
            )
    return say("{told}。", "{told}.", told=listed(told)) if told else None


NOT_GIVEN: Final = Text(zh="没有", en="not given")


def _each(base: Series, other: Series, flags: Mapping[str, tuple[str | None, str | None]]) -> Finding:
    several = len(flags) > 1
    return Finding(
        check="same_flags",
        status="warn" if several else "note",
        series=other.id,
        message=say(
            zh="{other} 与 {base} 同一引擎，参数或环境变量不同：{told}。",
            en="{other} and {base} are of one engine and differ in flags or environment: {told}.",
            other=SeriesName(other.id),
            base=SeriesName(base.id),
            told=listed([_flag(base, other, path, texts) for path, texts in flags.items()]),
        ),
        bias=say(
            zh="同时变了不止一处：差别不能归到其中任何一处。",
            en="More than one thing changed: what they differ by cannot be put down to any of them.",
        )
        if several
        else None,
        remedy=say(zh="一次只改一处。", en="Change one thing at a time.") if several else None,
    )


def _flag(base: Series, other: Series, path: str, texts: tuple[str | None, str | None]) -> Sentence:
    one, two = (NOT_GIVEN if text is None else ON_OFF.get(text) or clipped(text) for text in texts)
    name = path.removeprefix(FLAG).removeprefix(ENVIRONMENT)
    return difference(same(name), {base.id: one, other.id: two})


def _same() -> Finding:
    return Finding(
        check="same_flags",
        status="pass",
        message=say(
            zh="凡是含义相同、又有记录或默认值的设置，各系列都一致。",
            en="Wherever a setting means the same and is on record or known by default, the series agree.",
        ),
    )


def _partly(lacking: Sequence[Series]) -> Finding:
    return Finding(
        check="same_flags",
        status="note",
        message=say(
            zh="{series} 的启动参数没有记录：与其他系列是否一致无从得知。",
            en="The flags of {series} are not on record: whether they agree with the others cannot be known.",
            series=series_names(series.id for series in lacking),
        ),
        remedy=_remedy(),
    )


def _unknown() -> Finding:
    return Finding(
        check="same_flags",
        status="unknown",
        message=say(
            zh="没有一个系列记录了启动参数。", en="The flags with which the servers were started are not on record."
        ),
        remedy=_remedy(),
    )


def _remedy() -> Sentence:
    return say(
        zh="把完整的启动命令写进 round.toml 的 argv；只用默认值的写 argv = []。",
        en="Put the whole command into argv of round.toml; argv = [] where nothing but defaults was used.",
    )


def _alone() -> Finding:
    return Finding(
        check="same_flags",
        status="pass",
        is_empty=True,
        message=say(
            zh="这一轮只有一个系列，没有别的参数可比。", en="This round has a single series: there are no other flags."
        ),
    )
