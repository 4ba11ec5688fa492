"""Do the requests fit: into the context of a slot, into the slots, into the KV pool?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import amount, at_level, level_names, machine_of
from generator.frame import Analysis
from generator.kinds import check
from generator.machines.flags import SETTINGS, context_of, number_of, setting_of
from generator.machines.records import Machine
from generator.model import Level, Series
from generator.text import Text
from generator.themes import MEMORY
from generator.told.findings import Finding
from generator.told.quoting import level_value, series_value
from generator.told.sentence import Count, LevelName, Part, Sentence, SeriesName, say
from generator.values import Address

SLOTS: Final = next(one for one in SETTINGS if one.key == "slots")


@dataclass(frozen=True, slots=True)
class Room:
    """What a series has room for, as far as it is known: tokens of a request, requests at once, tokens in all."""

    context: float | None
    slots: float | None
    pool: float | None


@check(
    theme=MEMORY,
    title=Text(zh="上下文与 KV 池是否够用", en="Room for the requests"),
    question=Text(
        zh="每请求的上下文、槽位数与 KV 池，装得下每一档要求的输入加输出吗？",
        en="Do context, slots and KV pool have room for the input and output asked at each level?",
    ),
    rule=Text(
        zh="上下文短于输入加输出，槽位少于并发，或者 KV 池的 token 数小于同时进行的请求数 ×（输入 + 输出），就警告。",
        en="A warning where the context of a request is below input + output, the slots are fewer than the concurrency, or the tokens of the KV pool are below requests in flight × (input + output).",
    ),
    stage="conclusions",
)
def slot_context(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [finding for series in analysis.round.series for finding in _examine(analysis, series)]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    room = _room(analysis, series)
    asked = [level for level in series.levels if _needed(analysis, series, level) is not None]
    examined = [level for level in series.levels if level.concurrency is not None]
    if not _can_be_examined(room, asked, examined):
        return [_unknown(series)]
    found = [
        *_wrong(asked, lambda level: _is_cut(analysis, series, room, level), lambda at: _cut(series, at, room)),
        *_wrong(examined, lambda level: _waits(room, level), lambda at: _waiting(series, at, room)),
        *_wrong(asked, lambda level: _overflows(analysis, series, room, level), lambda at: _overflow(series, at)),
    ]
    return found or [_fits(series)]


def _can_be_examined(room: Room, asked: Sequence[Level], loaded: Sequence[Level]) -> bool:
    return bool(asked and (room.context or room.pool)) or bool(loaded and room.slots)


def _wrong(
    levels: Sequence[Level], is_wrong: Callable[[Level], bool], tell: Callable[[list[Level]], Finding]
) -> Iterator[Finding]:
    found = [level for level in levels if is_wrong(level)]
    if found:
        yield tell(found)


def _room(analysis: Analysis, series: Series) -> Room:
    machine = machine_of(analysis.round, series)
    slots, pool = (analysis.frame.of_series(key, series.id).value for key in ("slots", "kv_pool_tokens"))
    slots = slots or _slots(machine)
    return Room(_context(machine, slots), slots, pool)


def _slots(machine: Machine) -> float | None:
    found = setting_of(machine, SLOTS)
    return (number_of(found.text) if found is not None else None) or number_of(machine.text("engine.slots"))


def _context(machine: Machine, slots: float | None) -> float | None:
    """Return the context of one request: as the engine said, by its flags, or its whole context over its slots."""
    said = number_of(machine.text("engine.slot_context")) or context_of(machine)
    if said is not None or machine.family != "llamacpp" or machine.text("flag.--kv-unified") is not None:
        return said
    whole = number_of(machine.text("flag.--ctx-size"))
    return whole / slots if whole and slots else None


def _needed(analysis: Analysis, series: Series, level: Level) -> float | None:
    told = [amount(analysis, key, (series, level)) for key in ("asked_input_tokens", "asked_output_tokens")]
    known = [one for one in told if one is not None]
    return sum(known) if len(known) == len(told) else None


def _is_cut(analysis: Analysis, series: Series, room: Room, level: Level) -> bool:
    return room.context is not None and room.context < (_needed(analysis, series, level) or 0.0)


def _waits(room: Room, level: Level) -> bool:
    return room.slots is not None and (level.concurrency or 0.0) > room.slots


def _overflows(analysis: Analysis, series: Series, room: Room, level: Level) -> bool:
    """Say whether the pool is too small for all that run at once: of more than there are slots, some wait."""
    at_once = min(level.concurrency or 0.0, room.slots or float("inf"))
    return room.pool is not None and room.pool < at_once * (_needed(analysis, series, level) or 0.0)


def _evidence(series: Series, levels: Sequence[Level], *of_series: str) -> tuple[Address, ...]:
    asked = ("asked_input_tokens", "asked_output_tokens")
    return (
        *(Address(key, "series", series.id) for key in of_series),
        *(at_level(key, series, level) for level in levels for key in asked),
    )


def _parts(series: Series, levels: Sequence[Level]) -> dict[str, Part]:
    worst = levels[-1]
    return {
        "series": SeriesName(series.id),
        "levels": level_names(series, levels),
        "worst": LevelName(series.id, worst.id),
        "input": level_value("asked_input_tokens", series.id, worst.id),
        "output": level_value("asked_output_tokens", series.id, worst.id),
    }


def _cut(series: Series, levels: Sequence[Level], room: Room) -> Finding:
    return _warning(
        series,
        levels,
        say(
            zh="{series} 每请求的上下文只有 {context} tok，装不下 {levels} 的输入加输出（{worst} 是 {input} 加 {output}）：输出会被截短，或者请求被拒绝。",
            en="{series} has a context of {context} tok for a request, too little for input plus output at {levels} ({input} plus "
            "{output} at {worst}): answers are cut short or requests refused.",
            context=Count(int(room.context or 0)),
            **_parts(series, levels),
        ),
        say(
            zh="被截短的回答更快做完：{series} 的时延因此显得更好。",
            en="An answer that is cut short is done sooner, which flatters the latency of {series}.",
            series=SeriesName(series.id),
        ),
        _evidence(series, levels),
    )


def _waiting(series: Series, levels: Sequence[Level], room: Room) -> Finding:
    return _warning(
        series,
        levels,
        say(
            zh="{series} 只有 {slots} 个槽位，少于 {levels} 的并发：多出来的请求在排队，TTFT 里有一部分是等槽位。",
            en="{series} has {slots} {slots:slot|slots}, fewer than the concurrency of {levels}: the other requests wait, and part "
            "of their TTFT is the wait for a slot.",
            slots=Count(int(room.slots or 0)),
            series=SeriesName(series.id),
            levels=level_names(series, levels),
        ),
        say(
            zh="TTFT 与 E2EL 显得更差，解码步长则显得更好：同时在算的请求比并发少。",
            en="TTFT and E2EL look worse, and the decode step better: fewer requests are computed at once than the concurrency says.",
        ),
        (*(Address("slots", "series", series.id),), *(at_level("concurrency", series, level) for level in levels)),
    )


def _overflow(series: Series, levels: Sequence[Level]) -> Finding:
    return _warning(
        series,
        levels,
        say(
            zh="{series} 的 KV 池只有 {pool}，装不下 {levels} 同时进行的请求（{worst} 每个请求要 {input} 加 {output}）：引擎只能让一部分等待，或者抢占后重算。",
            en="The KV pool of {series} holds {pool}, too little for the requests in flight at {levels} ({input} plus {output} each "
            "at {worst}): the engine makes some wait, or preempts and computes them again.",
            pool=series_value("kv_pool_tokens", series.id),
            **_parts(series, levels),
        ),
        say(
            zh="{series} 在这些档位显得更差：慢的是池子，不是引擎。",
            en="{series} looks worse at these levels than its engine is: what is slow is the pool.",
            series=SeriesName(series.id),
        ),
        _evidence(series, levels, "kv_pool_tokens"),
    )


def _warning(
    series: Series, levels: Sequence[Level], message: Sentence, bias: Sentence, evidence: tuple[Address, ...]
) -> Finding:
    return Finding(
        check="slot_context",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        message=message,
        evidence=evidence,
        bias=bias,
        remedy=say(
            zh="加大上下文、槽位或 KV 池，再测 {levels}：llama-server 用 -c 与 -np（上下文由各槽位平分），vLLM 用 --max-model-len、--max-num-seqs 与 --gpu-memory-utilization。",
            en="Give it more context, slots or KV pool and measure {levels} again: -c and -np of llama-server (the slots share "
            "the context), --max-model-len, --max-num-seqs and --gpu-memory-utilization of vLLM.",
            levels=level_names(series, levels),
        ),
    )


def _fits(series: Series) -> Finding:
    return Finding(
        check="slot_context",
        status="pass",
        series=series.id,
        message=say(
            zh="凡是有记录的，{series} 的上下文、槽位与 KV 池装得下每一档的请求。",
            en="As far as it is on record, context, slots and KV pool of {series} have room for the requests of every level.",
            series=SeriesName(series.id),
        ),
    )


def _unknown(series: Series) -> Finding:
    return Finding(
        check="slot_context",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 装不装得下各档的请求无从得知：没有上下文、槽位、KV 池，或者没有输入、输出长度。",
            en="Whether {series} has room for its requests cannot be known: context, slots and KV pool are not on record, or the "
            "lengths are not.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="在 round.toml 里写上 slots、kv_pool_tokens 与完整的 argv，在 [workload] 里写上长度。",
            en="Declare slots, kv_pool_tokens and the whole argv in round.toml, and the lengths in [workload].",
        ),
    )
