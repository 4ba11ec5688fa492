"""Results of Hugging Face's inference-benchmarker: one JSON of a sweep, a run for each load."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.kinds import Importer
from generator.mapping import Mapped
from generator.runs.imported import Run
from generator.store.documents import read_document
from generator.store.files import shown
from generator.store.foreign import number_at, pick, plain_entries, run_of, text_at
from generator.store.looks import no_result, refuse_without
from generator.store.recognition import json_entries
from generator.store.unpacking import Progress
from generator.text import Text, same

TOOL: Final = "inference-benchmarker"
WARM_UP: Final = "warmup"
STATISTICS: Final = {"mean": "avg", "p90": "p90", "p95": "p95"}
NEEDED: Final = ("total_requests", "duration_ms")
REMEDY: Final = "import the JSON of a benchmark that ended"

MAPPING: Final = (
    Mapped("total_requests", "1", Text(zh="有了结局的请求数；到点时还没答完的不算。", en="Requests that came to an end; those in flight when the time was up are not counted."), "requests"),
    Mapped("successful_requests", "1", Text(zh="没有出错的请求数。", en="Requests without an error."), "completed"),
    Mapped("duration_ms", "ms", Text(zh="从第一条的开始到最后一条的结束。", en="From the start of the first request to the end of the last."), "duration"),
    Mapped("request_rate", "req/s", Text(zh="成功的请求 ÷ 时长。", en="Successful requests ÷ duration."), "request_throughput"),
    Mapped("token_throughput_secs", "tok/s", Text(zh="成功请求的输出 token ÷ 时长。", en="Output tokens of successful requests ÷ duration."), "output_throughput"),
    Mapped("total_tokens", "tok", Text(zh="输出 token 之和，由客户端逐个 chunk 分词得出。", en="Output tokens together, tokenized by the client chunk by chunk."), "output_tokens_counted"),
    Mapped("total_tokens_sent", "tok", Text(zh="成功请求的 prompt token 之和。", en="Prompt tokens of successful requests together."), "input_tokens_counted", versions="with e2e_latency_ms_avg"),
    Mapped("time_to_first_token_ms_{}", "ms", Text(zh="从发送到第一个非空 chunk。", en="From sending to the first chunk that is not empty."), "ttft_{}", statistics=STATISTICS, zero_is_missing=True),
    Mapped("e2e_latency_ms_{}", "ms", Text(zh="从发送到流的结束，取整到毫秒。", en="From sending to the end of the stream, in whole milliseconds."), "e2el_{}", statistics=STATISTICS, zero_is_missing=True),
    Mapped(
        "inter_token_latency_ms_{}", "ms", Text(zh="一条请求的平均 token 间隔。", en="The mean gap between tokens of a request."), "tpot_{}",
        why=Text(
            zh="除数是 chunk 数、n 还是 n − 1，取决于版本，而文件不记录版本；只有一个 chunk 的回答记作 0。",
            en="It divides by the chunks, by n or by n − 1, depending on the version, which the file does not record; an answer of one chunk counts as 0.",
        ),
        statistics=STATISTICS,
    ),
)  # fmt: skip

CONDUCT: Final = Text(
    zh="先用一个虚拟用户预热（不导入）；max_vus 是同时在途的上限，固定速率下满了就跳过请求；每条请求新建流式连接。",
    en="It warms up with one virtual user, which is not imported. max_vus caps what is in flight; under a fixed rate, "
    "requests beyond it are skipped. Answers are read as streams.",
)


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    report, file = read_document(path, progress), shown(path)
    results = pick(report, "results")
    if not isinstance(results, list):
        raise no_result(file, "", TOOL, report, ["results"], REMEDY)
    runs = [
        _run(result, report, file, f"results.{number}")
        for number, result in enumerate(results)
        if text_at(result, "id") != WARM_UP
    ]
    if not runs:
        raise InputError(file, "", "holds the warm-up alone, and no load", "import the file of a benchmark that ended")
    return runs


def _run(result: object, report: object, file: str, place: str) -> Run:
    refuse_without(result, NEEDED, file=file, place=place, tool=TOOL, remedy=REMEDY)
    settings, struck_out = plain_entries({"config": pick(report, "config")})
    return run_of(
        result, MAPPING, file=file, place=place, tool=TOOL, model=text_at(report, "config.model_name"),
        concurrency=number_at(result, "config.max_vus"), rate=number_at(result, "config.rate"),
        summary={f"of the sweep: {name}": value for name, value in settings.items()}, struck_out=struck_out,
    )  # fmt: skip


inference_benchmarker = Importer(
    "inference_benchmarker",
    same(TOOL),
    json_entries("executor_type", "max_vus", "results", "duration_secs"),
    _read,
    MAPPING,
    conduct=CONDUCT,
)
