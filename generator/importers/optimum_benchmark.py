"""Reports of optimum-benchmark on text generation: a model called in its own process, with no server and no load."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError, quote
from generator.kinds import Importer
from generator.mapping import AS_NAMED, Mapped
from generator.runs.imported import Run
from generator.store.documents import drop, read_document, sibling
from generator.store.files import shown
from generator.store.foreign import number_at, pick, run_of, text_at
from generator.store.looks import no_result
from generator.store.recognition import best_of, json_entries
from generator.store.unpacking import Progress
from generator.text import Text, same

TOOL: Final = "optimum-benchmark"
CONFIG: Final = "benchmark_config.json"
LATENCIES: Final = ("report.prefill", "report.decode", "report.per_token")
REMEDY: Final = "import the report of a scenario of text generation"

NO_SERVER: Final = Text(
    zh="没有服务端，也没有排队和网络；到 logits 为止，整个 batch 一起算。",
    en="No server, no queue and no network are in it; it ends at the logits, for the whole batch at once.",
)
MAPPING: Final = (
    Mapped(
        "report.per_token.latency.{}", "s",
        Text(zh="相邻两步 decode 之间的时间，所有调用合在一起。", en="The time between two steps of decode, of all calls together."),
        "itl_{}", statistics=AS_NAMED,
    ),
    Mapped(
        "config.scenario.input_shapes.sequence_length", "tok", Text(zh="给定的 prompt 长度。", en="The length of prompts as asked."), "asked_input_tokens",
        aliases=("config.benchmark.input_shapes.sequence_length",),
    ),
    Mapped(
        "config.scenario.generate_kwargs.max_new_tokens", "tok", Text(zh="给定的输出长度。", en="The length of answers as asked."), "asked_output_tokens",
        aliases=("config.benchmark.generate_kwargs.max_new_tokens",),
    ),
    Mapped("report.prefill.latency.{}", "s", Text(zh="一次 prefill 的时间。", en="The time of a prefill."), "ttft_{}", why=NO_SERVER, statistics=AS_NAMED),
    Mapped(
        "report.decode.latency.{}", "s", Text(zh="一次 generate 里 prefill 之后的时间。", en="The time of a call after its prefill."), "e2el_{}",
        why=Text(zh="不含 prefill，是整个 batch 的时间。", en="It leaves the prefill out, and is of a whole batch."), statistics=AS_NAMED,
    ),
    Mapped(
        "report.decode.throughput.value", "tok/s", Text(zh="batch × 新 token ÷ decode 时间。", en="batch × new tokens ÷ time of decode."), "output_throughput",
        why=Text(zh="时间里没有 prefill。", en="The time leaves the prefill out."),
    ),
    Mapped(
        "report.prefill.throughput.value", "tok/s", Text(zh="batch × prompt token ÷ prefill 时间。", en="batch × prompt tokens ÷ time of prefill."),
        why=Text(zh="是 prefill 自己的速率，不是一次压测的吞吐。", en="It is the speed of prefill itself, not the throughput of a load."),
    ),
)  # fmt: skip

CONDUCT: Final = Text(
    zh="在模型的进程里直接调用，没有服务端；先预热，再反复调用到满一段时间；CUDA 上用设备事件计时。",
    en="The model is called in its own process, without a server: after warming up, again and again for a while; on CUDA "
    "the time is that of events of the device.",
)


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    document, file = _whole(read_document(path, progress), path), shown(path)
    found = [name for name in LATENCIES if number_at(document, f"{name}.latency.mean") is not None]
    if not found:
        raise _no_generation(document, file)
    for name in found:
        _refuse_unit(text_at(document, f"{name}.latency.unit"), file, name)
    return [
        run_of(
            document, MAPPING, file=file, tool=TOOL, test=_test(document), engine=text_at(document, "config.backend.name"),
            tool_version=text_at(document, "config.environment.optimum_benchmark_version"),
            model=text_at(document, "config.backend.model"), label=text_at(document, "config.name"),
        )
    ]  # fmt: skip


def _whole(document: Any, path: Path) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """Return configuration and report, also where the report is a file of its own and the other one lies beside it."""
    if pick(document, "report") is not None:
        return {"config": pick(document, "config"), "report": pick(document, "report")}
    config = sibling(path, CONFIG)
    return {"config": None if config is None else read_document(config, drop), "report": document}


def _no_generation(document: object, file: str) -> InputError:
    """Return the reason why a report has nothing of tokens."""
    if number_at(document, "report.forward.latency.mean") is not None:
        problem = "times forward passes of whole batches (`forward`), without a token being generated"
        return InputError(file, "", problem, REMEDY)
    if number_at(document, "report.call.latency.mean") is not None:
        return InputError(file, "", "times the generation of images (`call`)", REMEDY)
    return no_result(file, "", TOOL, pick(document, "report") or {}, ["prefill.latency", "per_token.latency"], REMEDY)


def _refuse_unit(unit: str | None, file: str, name: str) -> None:
    if unit not in (None, "s"):
        raise InputError(file, name, f"gives latencies in {quote(unit or '')}, where they are known in seconds", REMEDY)


def _test(document: object) -> str:
    """Name what was run: a call of generate, with the batch that it was made of."""
    batch = number_at(document, *(f"config.{one}.input_shapes.batch_size" for one in ("scenario", "benchmark")))
    return "generate" if batch is None else f"generate-b{batch:.0f}"


optimum_benchmark = Importer(
    "optimum_benchmark",
    same(TOOL),
    best_of(
        json_entries("latency", "throughput", "energy", "efficiency"),
        json_entries("latency", "throughput", "energy", "efficiency", "report", "config"),
    ),
    _read,
    MAPPING,
    beside=frozenset({CONFIG}),
    conduct=CONDUCT,
)
