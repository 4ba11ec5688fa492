"""Aggregates of InferenceX: one flat JSON object a run, or a list of them; all latencies in seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from generator.kinds import Importer
from generator.mapping import Mapped, Words
from generator.runs.imported import Reported, Run
from generator.store.documents import read_documents
from generator.store.files import shown
from generator.store.foreign import number_at, pick, run_of, text_at
from generator.store.looks import no_result
from generator.store.only_run import placed
from generator.store.recognition import json_entries
from generator.store.redact import redact_entry
from generator.store.unpacking import Progress
from generator.text import Text, same

TOOL: Final = "InferenceX"
WORDS: Final[dict[str, Words]] = {"mean": "mean", "p50": ("median", "p50"), "p90": "p90", "p95": "p95", "p99": "p99"}
PER_GPU: Final = Text(
    zh="按 GPU 数摊分，别的工具给的是整台服务的值。",
    en="It is shared out among the GPUs; other tools give the whole server.",
)


def _latency(quantity: str, definition: Text) -> Mapped:
    return Mapped(f"{{}}_{quantity}", "s", definition, f"{quantity}_{{}}", statistics=WORDS, zero_is_missing=True)


MAPPING: Final = (
    Mapped("isl", "tok", Text(zh="要求的输入长度。", en="Input length asked for."), "asked_input_tokens"),
    Mapped("osl", "tok", Text(zh="要求的输出长度。", en="Output length asked for."), "asked_output_tokens"),
    _latency("ttft", Text(zh="vLLM 客户端的 TTFT，除以 1000。", en="The TTFT of vLLM's client, divided by 1000.")),
    _latency("tpot", Text(zh="vLLM 客户端的 TPOT，除以 1000。", en="The TPOT of vLLM's client, divided by 1000.")),
    _latency("itl", Text(zh="vLLM 客户端的 ITL，除以 1000。", en="The ITL of vLLM's client, divided by 1000.")),
    _latency("e2el", Text(zh="vLLM 客户端的 E2EL，除以 1000。", en="The E2EL of vLLM's client, divided by 1000.")),
    Mapped(
        "tput_per_gpu", "tok/s", Text(zh="总吞吐 ÷ GPU 数。", en="Total token throughput ÷ GPUs."),
        "total_token_throughput", why=PER_GPU,
    ),
    Mapped(
        "output_tput_per_gpu", "tok/s", Text(zh="输出吞吐 ÷ GPU 数。", en="Output throughput ÷ GPUs."),
        "output_throughput", why=PER_GPU,
    ),
    Mapped(
        "input_tput_per_gpu", "tok/s", Text(zh="输入吞吐 ÷ GPU 数。", en="Input throughput ÷ GPUs."), why=PER_GPU,
    ),
    Mapped(
        "{}_intvty", "tok/s", Text(zh="1 ÷ 同一统计量的 TPOT。", en="1 ÷ the same statistic of the TPOT."), "tpot_{}",
        statistics=WORDS | {"std": "std"},
        why=Text(
            zh="是 TPOT 的倒数：它的 p99 说的是最慢的请求，而 std_intvty 是标准差的倒数，没有意义。",
            en="The inverse of a TPOT: its p99 belongs to the slowest requests, and std_intvty, the inverse of a standard "
            "deviation, means nothing.",
        ),
    ),
    Mapped(
        "avg_power_w", "W", Text(zh="一块 GPU 的平均功率。", en="Mean power of a GPU."),
        why=Text(zh="由它自己的采样器量得，样本不在文件里。", en="Taken by its own sampler, whose samples the file does not hold."),
    ),
)  # fmt: skip
SETTINGS: Final = (
    "hw", "precision", "spec_decoding", "mtp", "disagg", "is_multinode", "tp", "pp", "ep", "dcp_size", "pcp_size",
    "dp_attention", "num_prefill_gpu", "num_decode_gpu",
)  # fmt: skip
SPLIT: Final = ("pp", "pcp_size")
"""Settings that multiply the GPUs beside ``tp``."""
WHOLE: Final = {"total_token_throughput": "tput_per_gpu", "output_throughput": "output_tput_per_gpu"}
REMEDY: Final = "import the agg_….json that its process_result.py writes"


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    found = enumerate(read_documents(path, progress), start=1)
    runs = [_run(document, shown(path), f"object {number}") for number, document in found]
    if not runs:
        raise no_result(shown(path), "", TOOL, [], ["conc"], REMEDY)
    return placed(runs)


def _run(document: object, file: str, place: str) -> Run:
    concurrency = number_at(document, "conc", "users")
    if not isinstance(document, dict) or concurrency is None or number_at(document, "tput_per_gpu") is None:
        raise no_result(file, place, TOOL, document, ["conc", "tput_per_gpu"], REMEDY)
    return run_of(
        document, MAPPING, file=file, place=place, tool=TOOL, model=text_at(document, "model"),
        engine=text_at(document, "framework"), concurrency=concurrency if concurrency > 0 else None,
        swept=_settings(document), derived=_of_the_server(document),
    )  # fmt: skip


def _settings(document: Mapping[str, Any]) -> dict[str, str]:
    told = {name: document.get(name) for name in SETTINGS}
    return {name: redact_entry(name, str(value).lower()[:100]) for name, value in told.items() if _is_plain(value)}


def _is_plain(value: object) -> bool:
    return isinstance(value, str | bool | int | float) and value != ""


def _of_the_server(document: Mapping[str, Any]) -> list[Reported]:
    """Return the throughputs of the whole server where all its GPUs are those of one tensor-parallel group."""
    gpus = number_at(document, "tp")
    is_apart = any(str(pick(document, name)).lower() == "true" for name in ("disagg", "is_multinode"))
    is_split = any((number_at(document, name) or 1) != 1 for name in SPLIT)
    if gpus is None or gpus < 1 or is_apart or is_split:
        return []
    shares = {metric: (name, number_at(document, name)) for metric, name in WHOLE.items()}
    return [
        Reported(metric, f"{name} × tp", "tok/s", share * gpus)
        for metric, (name, share) in shares.items()
        if share is not None and share >= 0
    ]


inferencex = Importer(
    "inferencex",
    same(TOOL),
    json_entries("hw", "conc", "tput_per_gpu"),
    _read,
    MAPPING,
    conduct=Text(
        zh="用 vLLM 的客户端施加负载，再把结果换算成秒与每 GPU 的值。",
        en="It drives the load with vLLM's client and turns its result into seconds and shares of a GPU.",
    ),
)
