"""Runs from the tests of llama-bench: each repetition is one, so that their spread is computed here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Final

from generator.errors import InputError, quote
from generator.importers.llama_bench.records import Record
from generator.mapping import Mapped
from generator.runs.imported import Run
from generator.store.foreign import number, number_at, reported_in, run_of, text_at
from generator.store.numbers import LARGEST
from generator.store.redact import redact_entry
from generator.text import Text

TOOL: Final = "llama-bench"
ENGINE: Final = "llama.cpp"

PP, TG, BOTH = "t/s of pp", "t/s of tg", "t/s of pp+tg"
"""What its table calls the speed of a test of each kind; the JSON has it in samples_ts, else in avg_ts."""
SPENT: Final = "samples_ns"
LENGTH: Final = "n_prompt + n_depth"
EACH: Final = Text(
    zh="每次测量（llama-bench 的 repetition）一个，取自 samples_ts；没有时用 avg_ts。",
    en="One for each trial (a repetition of llama-bench), from samples_ts; avg_ts where there are none.",
)
SPEED: Final = Text(zh="各次测量的速率的均值或标准差。", en="Mean or standard deviation of the rates of the trials.")
TIME: Final = Text(zh="各次测量的时间，以纳秒计。", en="Times of the trials, in nanoseconds.")
AGAIN: Final = Text(
    zh="由各次测量重算，文件里的统计量不采用。",
    en="It is computed anew from the trials, and the file's own is not used.",
)

MAPPING: Final = (
    Mapped(PP, "tok/s", Text(zh="n_gen 为 0 的测试：prompt 的 token 数 ÷ 时间。{each}", en="Of a test with n_gen 0: tokens of the prompt ÷ time. {each}").format(each=EACH), "prompt_throughput"),
    Mapped(TG, "tok/s", Text(zh="n_prompt 为 0 的测试：一条序列逐个解码的 token 数 ÷ 时间，不采样。{each}", en="Of a test with n_prompt 0: tokens of one sequence, decoded one by one without sampling, ÷ time. {each}").format(each=EACH), "generation_throughput"),
    Mapped(BOTH, "tok/s", Text(zh="先 prompt 后生成的测试：两者的 token 之和 ÷ 总时间。{each}", en="Of a test of a prompt and then generation: tokens of both ÷ the whole time. {each}").format(each=EACH), "mixed_throughput"),
    Mapped(SPENT, "ns", Text(zh="一次测量的时间，以纳秒计，取自 samples_ns；没有时用 avg_ns。", en="Time of a trial in nanoseconds, from samples_ns; avg_ns where there are none."), "duration", zero_is_missing=True),
    Mapped(LENGTH, "tok", Text(zh="生成之前的 token：这次处理的 prompt，加上先已在上下文里的。", en="Tokens before the generation: the prompt that is processed, and those in the context before it."), "asked_input_tokens", zero_is_missing=True),
    Mapped("n_gen", "tok", Text(zh="逐个解码的 token 数。", en="Tokens decoded one by one."), "asked_output_tokens", zero_is_missing=True),
    Mapped("avg_ts", "tok/s", SPEED, why=AGAIN),
    Mapped("stddev_ts", "tok/s", SPEED, why=AGAIN),
    Mapped("avg_ns", "ns", TIME, why=AGAIN),
    Mapped("stddev_ns", "ns", TIME, why=AGAIN),
)  # fmt: skip

OF_REPETITIONS: Final = frozenset({PP, TG, BOTH, SPENT})
RESULTS: Final = re.compile(
    r"n_prompt|n_gen|n_depth|test|test_time|(?:avg|stddev)_(?:ns|ts)|samples_(?:ns|ts)|build_commit|around\..*"
    r"|model_(?:filename|type|size|n_params)"
)
"""Entries that are no settings of a test."""
TELLING: Final = {"backends": 0, "gpu_info": 2, "build_number": 3, "cpu_info": 4}
"""Settings by which a series is named first, and last."""
FLAGS: Final = {"flash_attn": {-1.0: "auto", 0.0: "off", 1.0: "on"}}
SHARD: Final = re.compile(r"-\d{5}-of-\d{5}$")
MOST_REPETITIONS: Final = 100
NOTHING: Final = object()
REMEDY: Final = "import the file as llama-bench wrote it"
Repetition = tuple[object, object, float]
"""Its speed, its nanoseconds, and the seconds of those before it: they follow each other."""


def runs_of(record: Record, file: str, place: str) -> Iterator[Run]:
    """Yield a run for each repetition of a test; one for a file that has their mean alone.

    Raises:
        InputError: a number cannot be.
    """
    run = _run(record, file, place)
    found = _repetitions(record, file, place)
    for nth, (speed, spent, offset) in enumerate(found, start=1):
        measured = reported_in({_kind(record): speed, SPENT: spent}, MAPPING, file, place)
        told = f"{place}, repetition {nth}" if len(found) > 1 else place
        yield replace(run, place=told, started=_started(record, offset), reported=(*run.reported, *measured))


def _run(record: Record, file: str, place: str) -> Run:
    return run_of(
        {**{name: value for name, value in record.items() if name not in OF_REPETITIONS}, LENGTH: _length(record)}, MAPPING, file=file, place=place,
        tool=TOOL, tool_version=_build(record), model=_model(record), engine=ENGINE, test=_test(record),
        swept=dict(_settings(record)),
    )  # fmt: skip


def _repetitions(record: Record, file: str, place: str) -> list[Repetition]:
    """Return the repetitions of a test; one with their mean where they are not told, or all the same to the digit."""
    speeds, times = (_numbers(record, name, file, place) for name in ("samples_ts", "samples_ns"))
    if len(speeds) != len(times):
        times = [None] * len(speeds)
    if len(set(zip(speeds, times, strict=True))) <= 1:
        return [(speeds[0] if speeds else record["avg_ts"], times[0] if times else record.get("avg_ns"), 0.0)]
    before = accumulate((time or 0.0 for time in times), initial=0.0)
    return list(zip(speeds, times, (spent / 1e9 for spent in before), strict=False))


def _length(record: Record) -> float:
    return sum(number_at(record, name) or 0.0 for name in ("n_prompt", "n_depth"))


def _numbers(record: Record, name: str, file: str, place: str) -> list[float | None]:
    found = record.get(name)
    listed = found if isinstance(found, list) else []
    bad = next((one for one in listed if number(one) is None), NOTHING)
    if bad is not NOTHING or len(listed) > MOST_REPETITIONS:
        what = f"{len(listed)} entries" if bad is NOTHING else quote(bad)
        raise InputError(
            file, place, f"has {what} in `{name}`, where the numbers of some repetitions should be", REMEDY
        )
    return [number(one) for one in listed]


def _kind(record: Record) -> str:
    if not number_at(record, "n_gen"):
        return PP
    return BOTH if number_at(record, "n_prompt") else TG


def _test(record: Record) -> str:
    """Return what llama-bench's own table calls the test, with a dash for its blanks."""
    given, made, depth = (int(number_at(record, name) or 0) for name in ("n_prompt", "n_gen", "n_depth"))
    parts = [f"pp{given}" if given or not made else "", f"tg{made}" if made else ""]
    return "+".join(part for part in parts if part) + (f"-d{depth}" if depth else "")


def _started(record: Record, offset: float) -> str | None:
    """Return when a repetition began at the earliest: the file gives the begin of the test, before its warm-up."""
    text = record.get("test_time")
    try:
        begun = datetime.fromisoformat(text.removesuffix("Z")) if isinstance(text, str) else None
        return (begun.replace(tzinfo=None) + timedelta(seconds=offset)).isoformat() if begun is not None else None
    except (ValueError, OverflowError):
        return None


def _build(record: Record) -> str | None:
    commit, nth = text_at(record, "build_commit"), number_at(record, "build_number")
    named = f"b{nth:.0f}" if nth is not None and 0 < nth <= LARGEST else ""
    return " ".join(part for part in (named, commit if commit != "unknown" else None) if part) or None


def _model(record: Record) -> str | None:
    """Return the name of the model's file without its folder; the kind of model where there is no file."""
    file = text_at(record, "model_filename")
    name = re.split(r"[/\\]", file)[-1].removesuffix(".gguf") if file else ""
    return SHARD.sub("", name) or text_at(record, "model_type")


def _settings(record: Record) -> Iterator[tuple[str, str]]:
    """Yield what a test was run with: what differs in any of it is another configuration."""
    for name, value in sorted(record.items(), key=lambda entry: TELLING.get(entry[0], 1)):
        if not RESULTS.fullmatch(name) and isinstance(value, str | int | float) and value != "":
            yield name[:100], _told(name, value)


def _told(name: str, value: str | float) -> str:
    """Return a setting as text, the same whether a format writes true, 1 or "1"."""
    amount = float(value) if isinstance(value, bool) else number(value)
    if amount is None:
        return redact_entry(name, str(value)[:200])
    return FLAGS.get(name, {}).get(amount) or f"{amount:.10g}"
