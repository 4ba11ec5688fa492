"""Results of MLPerf Inference: mlperf_log_summary.txt as LoadGen prints it, latencies in nanoseconds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError, quote
from generator.kinds import Importer
from generator.mapping import Mapped, Words, spelled
from generator.runs.imported import Run
from generator.store.documents import read_lines
from generator.store.files import shown
from generator.store.foreign import number_at, run_of
from generator.store.only_run import placed
from generator.store.recognition import best_of, text_marks
from generator.store.unpacking import Progress
from generator.text import Text, same

TOOL: Final = "MLPerf LoadGen"
HEADING: Final = "MLPerf Results Summary"
ENTRY: Final = re.compile(r"\s*([^:]{1,100}?)\s*:\s*(\S.{0,200}?)\s*")
MOST_ENTRIES: Final = 500
DETAIL: Final = ":::MLLOG"
SCENARIOS: Final = frozenset({"SingleStream", "MultiStream", "Server", "Offline"})
MEASURED: Final = "PerformanceOnly"
REMEDY: Final = "import mlperf_log_summary.txt of a performance run"

Summary = dict[str, str]


def _percentiles(of: str, mean: str) -> Mapping[str, Words]:
    return {"mean": f"Mean {mean}"} | {f"p{n}": f"{n}.00 percentile {of}" for n in (50, 90, 95, 99)}


SENT: Final = Text(
    zh="从计划发出的时刻到整条输出完成；Server 下含发出前的等待。",
    en="From when it was scheduled to the whole output; in Server with the wait before it was issued.",
)
MAPPING: Final = (
    Mapped("Completed samples per second", "req/s", Text(zh="完成的样本 ÷ 时长（Server）。", en="Completed samples ÷ duration (Server)."), "request_throughput", aliases=("Samples per second", "QPS w/ loadgen overhead")),
    Mapped("Completed tokens per second", "tok/s", Text(zh="输出 token ÷ 时长。", en="Output tokens ÷ duration."), "output_throughput", aliases=("Tokens per second", "TPS w/ loadgen overhead")),
    *spelled(Mapped("{} latency (ns)", "ns", SENT, "e2el_{}", statistics={"mean": "Mean", **{f"p{n}": f"{n}.00 percentile" for n in (50, 90, 95, 99)}}, versions="SingleStream, Server")),
    *spelled(
        Mapped(
            "{} (ns)", "ns", Text(zh="从计划发出的时刻到首个 token。", en="From when it was scheduled to the first token."), "ttft_{}",
            statistics=_percentiles("first token latency", "First Token latency"), versions="SingleStream, Server",
        )
    ),
    *spelled(
        Mapped(
            "{} (ns)", "ns", Text(zh="（完成 − 首 token）÷（n − 1），逐条样本。", en="(completion − first token) ÷ (n − 1) of each sample."), "tpot_{}",
            statistics={
                "mean": ("Mean Time to Output Token", "Mean Time per Output Token"),
                **{f"p{n}": (f"{n}.00 percentile time to output token", f"{n}.00 percentile time per output token") for n in (50, 90, 95, 99)},
            },
        )
    ),
    Mapped(
        "Scheduled samples per second", "req/s", Text(zh="发出的速率（Server）。", en="The rate at which samples were issued (Server)."), "request_throughput",
        why=Text(zh="这是发出的速率，不是完成的；服务端跟不上时比完成的高。", en="It is what was issued, not what was completed, and larger where the server falls behind."),
    ),
)  # fmt: skip

OF_BATCHES: Final = frozenset({"e2el", "ttft"})
"""Latencies that in Offline, where all samples are due at once, tell how long the whole took; in MultiStream, of a group."""

CONDUCT: Final = Text(
    zh="SingleStream 一条接一条，Server 按 Poisson 到达，Offline 一次给出全部样本；时间从计划时刻算起；每个样本可能重复出现。",
    en="SingleStream sends one sample after another, Server at Poisson times, Offline all at once. Times count from when a "
    "sample was due; samples may come more than once.",
)


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    file = shown(path)
    summaries = list(_summaries(read_lines(path, progress), file))
    if not summaries:
        raise InputError(file, "", "is the detailed log of MLPerf LoadGen, whose summary is a file beside it", REMEDY)
    runs = [_run(one, file, f"summary {number}") for number, one in enumerate(summaries, start=1)]
    return placed(runs)


def _summaries(lines: Iterable[str], file: str) -> Iterator[Summary]:
    """Yield the entries of each summary; of an entry that comes twice, the first."""
    current: Summary | None = None
    for line in lines:
        if line.strip() == HEADING:
            yield from [current] if current is not None else []
            current = {}
        found = ENTRY.fullmatch(line)
        if current is None or found is None or line.startswith(DETAIL):
            continue
        current.setdefault(found[1], found[2])
        if len(current) > MOST_ENTRIES:
            raise InputError(file, "", f"has more than {MOST_ENTRIES} entries in one summary", REMEDY)
    yield from [current] if current is not None else []


def _run(summary: Summary, file: str, place: str) -> Run:
    scenario, mode = summary.get("Scenario", ""), summary.get("Mode", "")
    if scenario not in SCENARIOS:
        problem = (
            f"names no scenario of MLPerf LoadGen ({quote(scenario)})" if scenario else "breaks off before its scenario"
        )
        raise InputError(file, place, problem, REMEDY)
    if mode != MEASURED:
        raise InputError(file, place, f"is of the mode {quote(mode)}, which measures no performance", REMEDY)
    if "Result is" not in summary:
        raise InputError(file, place, "breaks off before its result (`Result is`)", REMEDY)
    return run_of(
        summary, [one for one in MAPPING if _holds(one, scenario)], file=file, place=place, tool=TOOL,
        swept={"Scenario": scenario}, summary=_numbers(summary), **_load(summary, scenario),
    )  # fmt: skip


def _holds(mapped: Mapped, scenario: str) -> bool:
    return mapped.quantity not in OF_BATCHES or scenario in ("SingleStream", "Server")


def _numbers(summary: Summary) -> dict[str, str | float]:
    """Return the entries with numbers as numbers; seeds are longer than a number holds, and stay text."""
    found = {name: number_at(summary, name) for name in summary if not name.endswith("seed")}
    return {name: value if (value := found.get(name)) is not None else summary[name] for name in summary}


def _load(summary: Summary, scenario: str) -> Mapping[str, Any]:
    if scenario == "SingleStream":
        return {"concurrency": 1.0}
    if scenario == "MultiStream":
        return {"concurrency": number_at(summary, "samples_per_query")}
    return {"rate": number_at(summary, "target_qps")} if scenario == "Server" else {}


mlperf = Importer(
    "mlperf",
    same(TOOL),
    best_of(text_marks(rb"^MLPerf Results Summary\s*$"), text_marks(rb"^:::MLLOG \{")),
    _read,
    MAPPING,
    conduct=CONDUCT,
)
