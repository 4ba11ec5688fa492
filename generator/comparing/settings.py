"""What the sides of a comparison ran on and were asked: each setting equal, different or unknown."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from generator.comparing.affects import ALL_FLAGS
from generator.comparing.records import Setting
from generator.machines.comparing import Compared, compare
from generator.machines.fact_kinds import LOADING, Kind
from generator.machines.flags import ENVIRONMENT, FLAG, ON, compared_flags
from generator.machines.records import NOTHING_KNOWN, Machine
from generator.model import Round
from generator.round_tables import RoundFile
from generator.text import Text, same

BASE: Final = "base"
HEAD: Final = "head"
WORK: Final = "work"
"""The group of what was asked, and of which engine: where it differs, the numbers are of different things."""
NOT_GIVEN: Final = ""
KINDS: Final[tuple[Kind, ...]] = ("machine", "software", "engine", "model", "workload")
TOGETHER: Final[dict[Kind, str]] = {"machine": "machine", "engine": "engine", "model": "model"}
"""Kinds whose facts change together: another machine is one change, however many of its facts it shows in."""
FROM_FLAGS: Final = frozenset({"engine.slots", "engine.slot_context"})
"""Facts that follow from flags: no change of their own where flags are known."""
PACKAGES: Final = "python.packages"
ENGINE: Final = "engine.name"
NOT_IN_NAMES: Final = re.compile(r"[^a-z0-9]")
"""What the names of engines are written with, or not: ``llama.cpp`` and ``llamacpp`` are one."""
ASKED: Final[Mapping[str, Text]] = {
    "input_tokens": Text(zh="输入长度", en="input tokens"),
    "output_tokens": Text(zh="输出长度", en="output tokens"),
    "ignore_eos": Text(zh="忽略 EOS", en="EOS ignored"),
    "dataset": Text(zh="数据集", en="dataset"),
    "dataset_file": Text(zh="数据集文件", en="dataset file"),
    "warm_up": Text(zh="预热", en="warm-up"),
    "api": same("API"),
    "lengths": Text(zh="长度的分布", en="distribution of lengths"),
    "length_spread": Text(zh="长度的散布", en="spread of lengths"),
    "arrival": Text(zh="到达方式", en="arrivals"),
    "burstiness": Text(zh="突发程度", en="burstiness"),
    "seed_policy": Text(zh="种子", en="seeds"),
}
"""Keys of ``[workload]`` that say what is asked; a seed draws other prompts of the same kind, and is none of them."""
FLAGS: Final = Text(zh="启动参数", en="flags")
MODEL: Final = Text(zh="模型", en="model")


def settings_of(base: Round, head: Round, series: str) -> tuple[Setting, ...]:
    """Return how the two rounds compare in all that is known of one series."""
    before, after = base.machines.get(series, NOTHING_KNOWN), head.machines.get(series, NOTHING_KNOWN)
    asked = _asked(base.file, head.file)
    return (*asked, *_facts(before, after), *_flags(before, after))


def groups_of(settings: Iterable[Setting]) -> set[str]:
    """Return the groups of the settings that are known to differ and that can change what is measured."""
    return {one.group for one in settings if one.status == "different" and one.group is not None}


def things_changed(settings: Iterable[Setting], intended: Collection[str] = ()) -> int:
    """Count what changed at once; all that was intended to change counts as one thing."""
    groups = groups_of(settings) - {WORK}
    return len(groups - set(intended)) + bool(groups & set(intended))


def are_equal(settings: Collection[Setting]) -> bool:
    """Say whether all that is compared is known and the same; nothing known is not the same."""
    return bool(settings) and all(one.status == "equal" for one in settings if one.group is not None)


def _asked(base: RoundFile, head: RoundFile) -> Iterator[Setting]:
    yield Setting("model.name", MODEL, base.model.name, head.model.name, WORK)
    for key, title in ASKED.items():
        one, other = (_text(getattr(file.workload, key, None)) for file in (base, head))
        if one is not None or other is not None:
            yield Setting(f"workload.{key}", title, one, other, WORK)


def _text(value: object) -> str | None:
    if value is None or isinstance(value, bool):
        return None if value is None else str(value).lower()
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _facts(base: Machine, head: Machine) -> Iterator[Setting]:
    with_flags = base.has_flags and head.has_flags
    for one in compare({BASE: base.facts, HEAD: head.facts}, KINDS):
        before, after = one.texts.get(BASE), one.texts.get(HEAD)
        if before is not None and after is not None and _alike(one, before, after):
            after = before  # two ways to write one thing
        yield Setting(one.path, one.title, before, after, _group(one, with_flags=with_flags))


def _alike(fact: Compared, before: str, after: str) -> bool:
    if fact.path != ENGINE:
        return not fact.differs
    return plain_name(before) == plain_name(after)


def plain_name(engine: str) -> str:
    """Return the name of an engine without what it may be written with or without."""
    return NOT_IN_NAMES.sub("", engine.lower())


def _group(fact: Compared, *, with_flags: bool) -> str | None:
    if fact.path == ENGINE:
        return WORK  # another engine is no other state of the same thing
    if fact.kind.affects == LOADING or (with_flags and fact.path in FROM_FLAGS):
        return None
    if fact.path.startswith(PACKAGES):
        return PACKAGES
    return TOGETHER.get(fact.kind.kind, fact.path)


def _flags(base: Machine, head: Machine) -> Iterator[Setting]:
    if not (base.has_flags and head.has_flags):
        before, after = (_command(one) if one.has_flags else None for one in (base, head))
        yield Setting(ALL_FLAGS, FLAGS, before, after, ALL_FLAGS)
        return
    one, other = compared_flags(base), compared_flags(head)
    for path in sorted({*one, *other}):
        title = same(path.removeprefix(FLAG).removeprefix(ENVIRONMENT))
        yield Setting(path, title, one.get(path, NOT_GIVEN), other.get(path, NOT_GIVEN), path)


def _command(machine: Machine) -> str:
    flags = {path.removeprefix(FLAG).removeprefix(ENVIRONMENT): text for path, text in compared_flags(machine).items()}
    return " ".join(flag if text == ON else f"{flag} {text}" for flag, text in flags.items())
