"""What the sides of a comparison ran on and were asked: each setting equal, different or unknown."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from generator.comparing.affects import ALL_FLAGS, STARTED
from generator.comparing.counting import NOT_GIVEN, counting
from generator.comparing.records import Setting
from generator.declared.round_tables import RoundFile, SeriesTable
from generator.declared.table_types import Words
from generator.machines.comparing import Compared, compare, plain
from generator.machines.fact_kinds import LOADING, YES_NO, Kind
from generator.machines.flags import ENVIRONMENT, FLAG, ON, SETTINGS, compared_flags
from generator.machines.records import NOTHING_KNOWN, Fact, Machine
from generator.model import Round
from generator.text import Text, same
from generator.values import Source

BASE: Final = "base"
HEAD: Final = "head"
WORK: Final = "work"
"""The group of what was asked, and of which engine: where it differs, the numbers are of different things."""
KINDS: Final[tuple[Kind, ...]] = ("machine", "software", "engine", "model", "workload")
TOGETHER: Final[dict[Kind, str]] = {"machine": "machine", "engine": "engine", "model": "model"}
"""Kinds whose facts change together: another machine is one change, however many of its facts it shows in."""
FROM_FLAGS: Final = frozenset({"engine.slots", "engine.slot_context"})
"""Facts that follow from flags: no change of their own where flags are known."""
DECLARED: Final[Mapping[str, str]] = {"engine.slots": "slots"}
"""Fact -> the key of ``[[series]]`` that says the same, where nobody recorded the fact itself."""
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
    "seed_policy": Text(zh="seed", en="seeds"),
}
"""Keys of ``[workload]`` that say what is asked; a seed draws other prompts of the same kind, and is none of them."""
FLAGS: Final = Text(zh="启动参数", en="flags")
MODEL: Final = Text(zh="模型", en="model")
STARTED_WITH: Final = Text(zh="启动命令里的模型", en="model in the command")
MODEL_FLAGS: Final = ("--model", "--model-path", "-m", "--hf-repo", "-hf")
SERVE: Final = "serve"
"""The word of a command that the model follows, where no flag names it."""
PATHS: Final = ("/", "~", ".", "{")
"""How the name of a model begins that is a way to its files, which may lie elsewhere on another machine."""


def settings_of(base: Round, head: Round, series: str, base_series: str | None = None) -> tuple[Setting, ...]:
    """Return how the two rounds compare in all that is known of one series.

    Args:
        base: the one round.
        head: the other one.
        series: the series in the head round.
        base_series: its id in the base round, where that is another one.
    """
    sides = (base, base_series or series), (head, series)
    recorded = [round_.machines.get(id_, NOTHING_KNOWN) for round_, id_ in sides]
    told = [_with_declared(machine, round_, id_) for machine, (round_, id_) in zip(recorded, sides, strict=True)]
    with_flags = all(one.has_flags for one in recorded)
    # Where flags are known, what is declared stands beside its flag, and is no row of its own.
    facts = _facts(*(recorded if with_flags else told), with_flags=with_flags)
    tables = [_table_of(*side) for side in sides]
    counted = counting(base.file, tables[0], head.file, tables[1])
    return (*_asked(base.file, head.file), *_started_with(*sides), *facts, *_flags(*told), *counted)


def settings_alone(round_: Round, series: str) -> tuple[Setting, ...]:
    """Return all that is known of one series and can change what is measured: what it is, and the same on both sides.

    Flags that were not given stand there too where a fact says what they would have said.
    """
    machine = _with_declared(round_.machines.get(series, NOTHING_KNOWN), round_, series)
    both = settings_of(round_, round_, series)
    known = (one for one in both if (one.group is not None or one.is_counting) and one.base is not None)
    return (*known, *(_implied(machine) if machine.has_flags else ()))


def _implied(machine: Machine) -> Iterator[Setting]:
    if machine.family is None:
        return
    spelt = (spelling for one in SETTINGS for spelling in one.spellings.get(machine.family, ()))
    for path in dict.fromkeys(FLAG + one.flag for one in spelt if not one.flag.startswith(ENVIRONMENT)):
        text = _said_elsewhere(machine, path)
        if text and path not in machine.facts:
            yield Setting(path, same(path.removeprefix(FLAG)), text, text, path)


def plain_text(path: str, text: str) -> str:
    """Return what two ways to write one setting share."""
    if path == ENGINE:
        return plain_name(text)
    if path == STARTED:
        return text.rstrip("/").rpartition("/")[2]
    return plain(path, text)


def _started_with(base: tuple[Round, str], head: tuple[Round, str]) -> Iterator[Setting]:
    """Yield the model that the commands of both sides name: a round may call two of them by one name."""
    tables = (_table_of(*side) for side in (base, head))
    one, other = (None if table is None else _model_of(table.argv or ()) for table in tables)
    if one is None or other is None:
        return
    if one.startswith(PATHS) or other.startswith(PATHS):
        one, other = (name.rstrip("/").rpartition("/")[2] for name in (one, other))
    yield Setting(STARTED, STARTED_WITH, one, other, TOGETHER["model"])


def _model_of(argv: Sequence[str]) -> str | None:
    """Return what a command names as its model: a way to files, or a name."""
    for word, following in pairwise(argv):
        if word in MODEL_FLAGS or (word == SERVE and not following.startswith("-")):
            return following
    joined = (word.partition("=") for word in argv)
    return next((value for flag, equals, value in joined if equals and flag in MODEL_FLAGS), None)


def _table_of(round_: Round, series: str) -> SeriesTable | None:
    return next((one.table for one in round_.series if one.id == series), None)


def _with_declared(known: Machine, round_: Round, series: str) -> Machine:
    """Return what a series ran on, with what its table says and no record does."""
    table = _table_of(round_, series)
    said = ((path, _text(getattr(table, key, None))) for path, key in DECLARED.items() if path not in known.facts)
    told = {path: Fact(text, Source("round.toml", f"[[series]] {series}")) for path, text in said if text is not None}
    return replace(known, facts={**known.facts, **told}) if told else known


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
        asked = [_asked_of(file, key) for file in (base, head)]
        if asked != [None, None]:
            (one, other), said = map(_text, asked), [_said(value) for value in asked]
            yield Setting(f"workload.{key}", title, one, other, WORK, *said)


def _asked_of(file: RoundFile, key: str) -> object:
    """Return what a round asks for; a default only where we asked ourselves, as other clients have their own."""
    is_ours = file.round.origin == "measured" and any(one.is_collectable for one in file.series)
    return getattr(file.workload, key, None) if is_ours or key in file.workload.model_fields_set else None


def _text(value: object) -> str | None:
    if isinstance(value, Words):
        return value.en
    if value is None or isinstance(value, bool):
        return None if value is None else str(value).lower()
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _said(value: object) -> Text | None:
    """Return what a value is in words of either language; None where it reads the same in both."""
    if isinstance(value, bool):
        return YES_NO[str(value).lower()]
    return value.text() if isinstance(value, Words) else None


def _facts(base: Machine, head: Machine, *, with_flags: bool) -> Iterator[Setting]:
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
        before, after = (
            flags.get(path) or _said_elsewhere(machine, path) for flags, machine in ((one, base), (other, head))
        )
        yield Setting(path, title, before, after, path)


def _said_elsewhere(machine: Machine, path: str) -> str:
    """Return what a flag that was not given would have said, from a fact that means the same."""
    if machine.family is None:
        return NOT_GIVEN
    facts = (
        one.fact
        for one in SETTINGS
        if one.fact is not None and path in {FLAG + spelling.flag for spelling in one.spellings.get(machine.family, ())}
    )
    return next((text for fact in facts if (text := machine.text(fact)) is not None), NOT_GIVEN)


def _command(machine: Machine) -> str:
    flags = {path.removeprefix(FLAG).removeprefix(ENVIRONMENT): text for path, text in compared_flags(machine).items()}
    return " ".join(flag if text == ON else f"{flag} {text}" for flag, text in flags.items())
