"""Results of AIPerf: profile_export_aiperf.json, with the records of its requests where they lie beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from generator.importers.aiperf.names import MAPPING, TOOL
from generator.importers.aiperf.records import read_records
from generator.importers.aiperf.telling import told_of_records
from generator.importers.aiperf.totals import counted
from generator.kinds import Importer
from generator.runs.imported import RECORDS_BESIDE, Run
from generator.runs.requests import Requests
from generator.store.documents import read_document, sibling
from generator.store.files import shown
from generator.store.foreign import limit_at, number_at, pick, run_of, text_at
from generator.store.looks import no_result
from generator.store.private_entries import without
from generator.store.recognition import best_of, json_entries
from generator.store.unpacking import Progress
from generator.text import Text, same

RECORDS: Final = "profile_export.jsonl"
BESIDE: Final = frozenset({
    RECORDS, "profile_export_raw.jsonl", "profile_export_aiperf.csv", "profile_export_aiperf_timeslices.json",
    "profile_export_aiperf_timeslices.csv", "phase_manifest.json", "inputs.json", "server_metrics_export.json",
    "server_metrics_export.jsonl", "server_metrics_export.csv", "gpu_telemetry_export.jsonl",
})  # fmt: skip
HIDDEN: Final = frozenset({
    "telemetry_data", "url", "urls", "cli_command", "artifact_directory", "headers", "api_key", "gpu_telemetry",
    "hostname", "gpu_uuid", "artifact_dir", "server_metrics",
})  # fmt: skip
REMEDY: Final = "import the profile_export_aiperf.json that `aiperf profile` writes"
CONDUCT: Final = Text(
    zh="默认不预热，除非给了 --warmup-request-count；预热的请求不计入。连接复用；用不用流由 --streaming 决定：没有它就没有 TTFT 与 ITL。",
    en="It does not warm up unless --warmup-request-count asks for it, and leaves those requests out. Connections are reused; "
    "answers are read as streams where --streaming is given: without it there is no TTFT and no ITL.",
)  # fmt: skip


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    document = read_document(path, progress)
    file = shown(path)
    if number_at(document, "request_count.avg", "error_request_count.avg") is None:
        names = document if isinstance(document, dict) else {}
        raise no_result(file, "", TOOL, names, ["request_count"], REMEDY)
    reported = counted(document, MAPPING, file)
    told, requests = _records(path, progress, next(one.value for one in reported if one.metric == "completed"))
    kept, struck_out = without(document, HIDDEN)
    run = run_of(
        kept | {"telemetry": _telemetry(document)}, (), file=file, tool=TOOL, reported=reported, struck_out=struck_out,
        tool_version=text_at(document, "aiperf_version", "version"), started=text_at(document, "start_time"),
        model=text_at(document, "input_config.endpoint.model_names.0", "input_config.models.0"),
        concurrency=limit_at(document, "input_config.loadgen.concurrency"),
        rate=limit_at(document, "input_config.loadgen.request_rate"),
        requests=requests, summary=told,
    )  # fmt: skip
    return [run]


def _records(path: Path, progress: Progress, completed: float) -> tuple[dict[str, float], Requests | None]:
    """Return the requests of the records beside an export, where they are all there, and what is to be said of them."""
    beside = sibling(path, RECORDS)
    if beside is None:
        return {}, None
    records, requests = read_records(beside, progress)
    if int(requests.answered.sum()) != completed:
        return {RECORDS_BESIDE: float(len(requests))}, None
    return told_of_records(records), requests


def _telemetry(document: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """Return the samples of GPUs without the hosts that they are of: endpoint by number -> GPU -> metric."""
    endpoints = pick(document, "telemetry_data.endpoints")
    return {
        str(nth): {name: {"name": pick(gpu, "gpu_name"), **_metrics(gpu)} for name, gpu in _gpus(endpoint)}
        for nth, endpoint in enumerate(endpoints.values() if isinstance(endpoints, dict) else (), start=1)
    }


def _gpus(endpoint: Any) -> list[tuple[str, Any]]:  # noqa: ANN401 - any JSON
    gpus = pick(endpoint, "gpus")
    return list(gpus.items()) if isinstance(gpus, dict) else []


def _metrics(gpu: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    metrics = pick(gpu, "metrics")
    return metrics if isinstance(metrics, dict) else {}


OTHERS: Final = ("perf_analyzer", "formatted_model_name", "experiments")
"""Entries of the tool that it descends from."""

_RECOGNISES: Final = best_of(
    json_entries("request_latency", "request_count", "input_config", without=OTHERS),
    json_entries("request_throughput", "request_count", "time_to_first_token", "inter_token_latency", without=OTHERS),
    json_entries("error_request_count", "input_config", without=OTHERS),
    json_entries("error_summary", "was_cancelled", "input_config", without=OTHERS),
)

aiperf = Importer("aiperf", same(TOOL), _RECOGNISES, _read, MAPPING, beside=BESIDE, conduct=CONDUCT)
