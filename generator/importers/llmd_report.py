"""Benchmark Reports of llm-d, v0.1 and v0.2, in YAML or JSON: what another tool measured, with units in every block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError, quote
from generator.kinds import Importer
from generator.mapping import AS_NAMED, SLOT, Mapped
from generator.runs.imported import Run
from generator.store.documents import read_document, read_yaml
from generator.store.files import shown
from generator.store.foreign import number_at, pick, run_of, text_at
from generator.store.looks import no_result
from generator.store.moments import clock, duration
from generator.store.recognition import best_of, is_json, json_entries, yaml_entries
from generator.store.totals import answered
from generator.store.unpacking import Progress
from generator.text import Text, same

TOOL: Final = "llm-d Benchmark Report"
ENGINE: Final = "inference_engine"
OLD: Final = "metrics"
NEW: Final = "results.request_performance.aggregate"
AS_OURS: Final = frozenset({"vllm-benchmark", "vllm", "inference-perf", "inferencemax", "rounds"})
"""Tools that mean by TPOT and ITL what is meant here; the report passes on what each means."""
UNITS: Final = {"ms": "ms", "s": "s", "ms/token": "ms", "s/token": "s", "tokens/s": "tok/s", "queries/s": "req/s", "count": "1"}  # fmt: skip
"""Unit of a block -> ours."""
REMEDY: Final = "correct the report, or import the file that the tool itself wrote"

PASSED_ON: Final = Text(
    zh="报告转写压测工具自己的数；vLLM、inference-perf 与 InferenceMAX 的含义与这里一致。",
    en="The report passes on the number of its tool; of vLLM, inference-perf and InferenceMAX it means the same as here.",
)
LENGTH: Final = Text(zh="每条请求的平均 token 数。", en="Mean number of tokens of a request.")
NO_SUCH: Final = Text(
    zh="这里记的是 token 总数，不是每条的平均。", en="Here the tokens are counted together, not by the request."
)
A_SECOND: Final = Text(zh="全程平均。", en="The mean over the run.")


def _latency(name: str, metric: str, definition: Text, why: Text | None = None) -> Mapped:
    old = (f"{OLD}.latency.{name}.{SLOT}",)
    return Mapped(f"{NEW}.latency.{name}.{SLOT}", "s", definition, metric, why, AS_NAMED, aliases=old)


MAPPING: Final = (
    Mapped("run.time.duration", "s", Text(zh="加压的时长。", en="How long the load lasted."), "duration", aliases=("metrics.time.duration",)),
    Mapped(f"{NEW}.requests.total", "1", Text(zh="发出的请求数。", en="Requests sent."), "requests", aliases=("metrics.requests.total",)),
    Mapped(f"{NEW}.throughput.request_rate.mean", "req/s", A_SECOND, "request_throughput", aliases=("metrics.throughput.requests_per_sec",)),
    Mapped(f"{NEW}.throughput.output_token_rate.mean", "tok/s", A_SECOND, "output_throughput", aliases=("metrics.throughput.output_tokens_per_sec",)),
    Mapped(f"{NEW}.throughput.total_token_rate.mean", "tok/s", A_SECOND, "total_token_throughput", aliases=("metrics.throughput.total_tokens_per_sec",)),
    Mapped(f"{NEW}.requests.output_length.mean", "tok", LENGTH, "output_tokens_mean", aliases=(f"{OLD}.requests.output_length.mean",)),
    Mapped(f"{NEW}.requests.input_length.mean", "tok", LENGTH, "input_tokens_counted", why=NO_SUCH, aliases=(f"{OLD}.requests.input_length.mean",)),
    _latency("time_to_first_token", "ttft_{}", Text(zh="到第一个 token 的时间。", en="The time to the first token.")),
    _latency("request_latency", "e2el_{}", Text(zh="整条请求的时间。", en="The time of a whole request.")),
    _latency("time_per_output_token", "tpot_{}", PASSED_ON),
    _latency("inter_token_latency", "itl_{}", PASSED_ON),
    _latency(
        "normalized_time_per_output_token", "tpot_{}", Text(zh="整条请求的时间 ÷ n。", en="The time of a request ÷ n."),
        Text(zh="首 token 与 prefill 都算在内。", en="It counts the first token and its prefill in."),
    ),
)  # fmt: skip


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    report = read_document(path, progress) if is_json(path) else read_yaml(path, progress)
    file = shown(path)
    root = next((one for one in (NEW, OLD) if isinstance(pick(report, f"{one}.requests"), dict)), None)
    if root is None:
        raise no_result(file, "", TOOL, report, [f"{NEW}.requests"], REMEDY)
    report = _with_seconds(report)
    run = run_of(report, list(_mapping(report, root, file)), file=file, tool=TOOL, **_facts(report))
    lost = [
        f"{root}.requests.{one}"
        for one in ("failures", "incomplete")
        if number_at(report, f"{root}.requests.{one}") is not None
    ]
    return [answered(run, report, f"{root}.requests.total", *lost, file=file) if lost else run]  # fmt: skip


def _with_seconds(report: dict[str, Any]) -> dict[str, Any]:
    """Return a report whose duration, in 0.2 a text, is a number."""
    time = pick(report, "run.time")
    seconds = duration(pick(time, "duration"))
    return report if seconds is None else report | {"run": report["run"] | {"time": time | {"duration": seconds}}}


def _mapping(report: object, root: str, file: str) -> Iterator[Mapped]:
    """Yield what the report's numbers mean, each in the unit that its block says, without what its tool means otherwise."""
    said = ("native.config.statistics", "standardized.tool", "name")
    trusted = text_at(report, *(f"scenario.load.{one}" for one in said)) in AS_OURS
    for mapped in MAPPING:
        if mapped.why is not None or (mapped.quantity in ("tpot", "itl") and not trusted):
            continue
        field = mapped.field if root == NEW else mapped.aliases[0]
        block = field.rpartition(".")[0]
        unit = pick(report, f"{block}.units")
        yield replace(
            mapped, field=field, aliases=(), unit=mapped.unit if unit is None else _unit(unit, mapped, file, block)
        )


def _unit(said: object, mapped: Mapped, file: str, block: str) -> str:
    found = UNITS.get(str(said))
    if mapped.unit == "tok" and found == "1":
        return "tok"
    if found is None or (found != mapped.unit and not {found, mapped.unit} <= {"s", "ms"}):
        raise InputError(file, block, f"is in {quote(str(said))}, which is no unit of it", REMEDY)
    return found


def _facts(report: object) -> Mapping[str, Any]:
    """Return what the report says of the load and of what served it."""
    parts = pick(report, "scenario.stack")
    engine = next((one for one in _dicts(parts) if ENGINE in _kinds(one)), {})
    return {
        "model": text_at(engine, "standardized.model.name") or text_at(report, "scenario.model.name"),
        "engine": text_at(engine, "standardized.tool") or text_at(report, "scenario.platform.engine.0.name"),
        "rate": number_at(report, "scenario.load.standardized.rate_qps"),
        "concurrency": number_at(report, "scenario.load.standardized.concurrency"),
        "started": clock(pick(report, "run.time.start")) or clock(pick(report, "metrics.time.start")),
    }  # fmt: skip


def _kinds(part: object) -> tuple[object, object]:
    """Return the kinds of a part: the one of the schema, and what a generic one says itself."""
    return pick(part, "standardized.kind"), pick(part, "standardized.kind_draft")


def _dicts(parts: object) -> list[dict[str, Any]]:
    return [one for one in parts if isinstance(one, dict)] if isinstance(parts, list) else []


llmd_report = Importer(
    "llmd_report",
    same(TOOL),
    best_of(
        yaml_entries("version", "run", "results", "request_performance", "aggregate"),
        json_entries("version", "run", "results", "request_performance", "aggregate"),
        yaml_entries("version", "scenario", "metrics", "requests", "latency", "throughput"),
        json_entries("version", "scenario", "metrics", "requests", "latency", "throughput"),
    ),
    _read,
    MAPPING,
    conduct=Text(
        zh="报告由别的工具的结果转写而成：怎样加压，看 scenario.load 里的工具。",
        en="The report is made from the results of another tool, which scenario.load names: that is what drove the load.",
    ),
)
