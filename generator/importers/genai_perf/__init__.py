"""Results of GenAI-Perf: profile_export_genai_perf.json, with perf_analyzer's profile where it lies beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from generator.importers.genai_perf.names import COMMON, MAPPING, STREAMED, TOOL
from generator.importers.genai_perf.profile import Experiment, read_experiments
from generator.kinds import Importer
from generator.mapping import Mapped
from generator.runs.imported import RECORDS_BESIDE, Run
from generator.store.documents import read_document, sibling
from generator.store.files import shown
from generator.store.foreign import limit_at, number_at, pick, run_of, text_at
from generator.store.looks import no_result
from generator.store.moments import utc
from generator.store.private_entries import without
from generator.store.recognition import best_of, json_entries
from generator.store.unpacking import Progress
from generator.text import Text, same

PROFILE: Final = "profile_export.json"
BESIDE: Final = frozenset({PROFILE, "profile_export_genai_perf.csv", "inputs.json"})
HIDDEN: Final = frozenset({
    "u", "url", "server_metrics_url", "server_metrics_urls", "artifact_dir", "artifact_directory", "profile_export_file",
    "tokenizer", "input_file", "path", "headers", "api_key", "cli_command", "telemetry_stats", "telemetry_data",
})  # fmt: skip
REMEDY: Final = "import the profile_export_genai_perf.json that `genai-perf profile` writes"
CONCURRENCY: Final = ("input_config.perf_analyzer.stimulus.concurrency", "input_config.concurrency")
RATE: Final = ("input_config.perf_analyzer.stimulus.request_rate", "input_config.request_rate")

CONDUCT: Final = Text(
    zh="默认测到吞吐稳定为止，之前的窗口不计入；失败的请求不出现在结果里。不用流时，它把整条请求的时延写成 TTFT。",
    en="It measures until the throughput is stable and leaves the windows before that out; failed requests are not in its "
    "result. Without a stream it writes the latency of the whole request as the TTFT.",
)  # fmt: skip


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    document = read_document(path, progress)
    if number_at(document, "request_throughput.avg", "request_latency.avg") is None:
        names = document if isinstance(document, dict) else {}
        raise no_result(shown(path), "", TOOL, names, ["request_throughput"], REMEDY)
    told, profile = _profile(path, progress, number_at(document, "request_count.avg"))
    kept, struck_out = without(document, HIDDEN)
    run = run_of(
        kept, _mapping(document), file=shown(path), tool=TOOL, struck_out=struck_out,
        model=text_at(document, "input_config.model_names.0", "input_config.model.0", "input_config.formatted_model_name"),
        concurrency=limit_at(document, *CONCURRENCY), rate=limit_at(document, *RATE),
        started=utc(profile.started) if profile is not None else None,
        requests=profile.requests if profile is not None else None, summary=told,
    )  # fmt: skip
    return [run]


def _profile(path: Path, progress: Progress, completed: float | None) -> tuple[dict[str, float], Experiment | None]:
    """Return the requests of the profile beside a result, where it has those that the result is of; else, how many."""
    beside = sibling(path, PROFILE)
    found = read_experiments(beside, progress) if beside is not None else []
    if len(found) == 1 and completed in (None, float(found[0].requests.answered.sum())):
        return {}, found[0]
    return ({RECORDS_BESIDE: float(sum(len(one.requests) for one in found))} if found else {}), None


def _mapping(document: Any) -> Iterator[Mapped]:  # noqa: ANN401 - any JSON
    yield from COMMON
    if _is_streamed(document):
        yield from STREAMED


def _is_streamed(document: Any) -> bool:  # noqa: ANN401 - any JSON
    """Say whether answers were read as streams: where they were not, the first token is as late as the last."""
    asked = pick(document, "input_config.streaming"), pick(document, "input_config.endpoint.streaming")
    if False in asked:
        return False
    first, last = number_at(document, "time_to_first_token.avg"), number_at(document, "request_latency.avg")
    return first is None or first != last


_RECOGNISES: Final = best_of(
    json_entries("request_throughput", "request_latency", "input_config", "perf_analyzer"),
    json_entries("request_throughput", "request_latency", "input_config", "formatted_model_name"),
)

genai_perf = Importer("genai_perf", same(TOOL), _RECOGNISES, _read, MAPPING, beside=BESIDE, conduct=CONDUCT)
