"""Reports of inference-perf: a stage or the sum of all stages, JSON or YAML, and the requests one by one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError
from generator.importers.inference_perf.names import CONDUCT, MAPPING
from generator.importers.inference_perf.requests import PER_REQUEST, holds_requests, requests_of
from generator.kinds import Importer
from generator.runs.imported import Reported, Run
from generator.runs.requests import Requests
from generator.store.documents import drop, read_beside, read_document, read_yaml, sibling
from generator.store.files import shown
from generator.store.foreign import number_at, plain_entries, run_of, text_at
from generator.store.looks import no_result
from generator.store.recognition import BEGINS_JSON, best_of, json_entries, yaml_entries
from generator.store.totals import of_same_run, span_of, total_of
from generator.store.unpacking import Progress, unpacked_head
from generator.text import same

TOOL: Final = "inference-perf"
CONFIG: Final = "config.yaml"
ALL_STAGES: Final = "all-stages"
"""What the level is called whose file sums up requests of every stage: it has no load of its own."""
NEEDED: Final = ("successes.count",)
REMEDY: Final = "import a stage_…_lifecycle_metrics.json, or summary_lifecycle_metrics.json"
MOST_STAGES: Final = 100
SERVER: Final = frozenset(
    f"{part}_prometheus_metrics.json" for part in ("summary", *(f"stage_{n}" for n in range(MOST_STAGES)))
)


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    head = unpacked_head(path)
    if holds_requests(head):
        requests = requests_of(path, progress)
        return [Run(tool=TOOL, test=ALL_STAGES, requests=requests, **_served(path))]
    document = read_document(path, progress) if BEGINS_JSON.match(head) else read_yaml(path, progress)
    return [_run(document, path)]


def _run(document: Any, path: Path) -> Run:  # noqa: ANN401 - any JSON
    file = shown(path)
    missing = [name for name in NEEDED if number_at(document, name) is None]
    if missing or not isinstance(document, dict) or not isinstance(document.get("successes"), dict):
        raise no_result(file, "", TOOL, document, missing or NEEDED, REMEDY)
    if not isinstance(document.get("load_summary"), dict) or not document["load_summary"]:
        problem = "is what the metrics of the server say, gathered by inference-perf, not what its client measured"
        raise InputError(file, "", problem, REMEDY)
    rate = _positive(document, "load_summary.requested_rate")
    concurrency = _positive(document, "load_summary.concurrency")
    is_stage = rate is not None or concurrency is not None
    entries, _ = plain_entries(document)
    told, requests = ({}, None) if is_stage else _beside(path, document)
    return run_of(
        _as_told(document), MAPPING, file=file, tool=TOOL, summary=entries | told,
        rate=None if concurrency is not None else rate, concurrency=concurrency,
        test=None if is_stage else ALL_STAGES, requests=requests, derived=_derived(document),
        **_served(path),
    )  # fmt: skip


def _derived(document: dict[str, Any]) -> list[Reported]:
    """Return what older reports give in other terms: the span and the prompts."""
    found: list[Reported] = []
    if not number_at(document, "benchmark_time_seconds"):
        found += span_of(document, "successes.count", "successes.throughput.requests_per_sec")
    if number_at(document, "successes.prompt_tokens.total") is None:
        found += total_of(document, "successes.prompt_len.mean", "successes.count", "input_tokens_counted")
    return found


def _positive(document: object, name: str) -> float | None:
    found = number_at(document, name)
    return found if found is not None and found > 0 else None


def _as_told(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document without what it cannot be read from.

    A delay below 0 is of what was sent early. A report without its own span is of a version whose TPOT is divided by
    the events of the stream, of which there may be two a token.
    """
    load, successes = dict(document["load_summary"]), dict(document["successes"])
    delays = load.get("schedule_delay")
    if isinstance(delays, dict):
        load["schedule_delay"] = {name: None if (number_at(delays, name) or 0) < 0 else delays[name] for name in delays}
    latency = successes.get("latency")
    if isinstance(latency, dict) and number_at(document, "benchmark_time_seconds") is None:
        successes["latency"] = {name: block for name, block in latency.items() if name != "time_per_output_token"}
    return {**document, "load_summary": load, "successes": successes}


def _beside(path: Path, document: object) -> tuple[dict[str, float], Requests | None]:
    """Return the requests of the file beside a summary, where it holds as many as the summary counts; else, how many."""
    beside = sibling(path, PER_REQUEST)
    requests = requests_of(beside, drop) if beside is not None else None
    return of_same_run(requests, number_at(document, "load_summary.count"))


def _served(path: Path) -> dict[str, Any]:
    """Return the model and the engine as the configuration beside a report names them; nothing else of it is read."""
    config = read_beside(path, CONFIG, read_yaml)
    return {"model": text_at(config, "server.model_name"), "engine": text_at(config, "server.type")}


inference_perf = Importer(
    "inference_perf",
    same(TOOL),
    best_of(
        json_entries("load_summary", "successes", "failures"),
        yaml_entries("load_summary", "successes", "failures"),
        lambda head: 3 if holds_requests(head) else 0,
    ),
    _read,
    MAPPING,
    beside=frozenset({PER_REQUEST, CONFIG, "validation.json", *SERVER}),
    conduct=CONDUCT,
)
