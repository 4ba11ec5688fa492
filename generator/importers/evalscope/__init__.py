"""Results of EvalScope's perf: a folder for each load, of which benchmark_summary.json is what is named here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError
from generator.importers.evalscope.database import DATABASE, requests_in
from generator.importers.evalscope.names import CONCURRENCY, CONDUCT, MAPPING, PERCENTILES, RATE, TOOL
from generator.kinds import Importer
from generator.mapping import ours
from generator.runs.imported import Reported, Run
from generator.runs.requests import Requests
from generator.store.documents import read_beside, read_document, sibling
from generator.store.files import shown
from generator.store.foreign import number, number_at, pick, run_of, text_at
from generator.store.looks import no_result
from generator.store.recognition import best_of, json_entries
from generator.store.totals import of_same_run, total_of
from generator.store.unpacking import Progress, unpacked_head
from generator.text import same

ARGUMENTS: Final = "benchmark_args.json"
PERCENTILE_FILE: Final = "benchmark_percentile.json"
NEEDED: Final = ("Total Requests", "Success Requests")
OLD: Final = {"Total Requests": "Total requests", "Success Requests": "Succeed requests"}
REMEDY: Final = "import the benchmark_summary.json of the folder of one load"
TOLD: Final = ("model", "api", "dataset", "stream", "parallel", "number", "rate", "max_tokens", "min_tokens",
               "max_prompt_length", "min_prompt_length", "tokenizer_path", "seed", "warmup_num")  # fmt: skip
"""Arguments that are kept; others hold the key of the API, headers and URLs."""
DASHBOARD: Final = best_of(
    json_entries("summary_rows", "summary_columns"), json_entries("percentile_rows", "percentile_columns")
)


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    file = shown(path)
    if DASHBOARD(unpacked_head(path)):
        problem = "is what EvalScope's dashboard shows of several runs, rounded and without their counts, not the result of one"
        raise InputError(file, "", problem, REMEDY)
    summary = read_document(path, progress)
    missing = [name for name in NEEDED if number_at(summary, name, OLD[name]) is None]
    if missing or not isinstance(summary, dict):
        raise no_result(file, "", TOOL, summary, missing or NEEDED, REMEDY)
    arguments = read_beside(path, ARGUMENTS)
    told, requests = _requests(path, summary)
    run = run_of(
        _told_alone({**summary, PERCENTILES: _percentiles(read_beside(path, PERCENTILE_FILE))}), MAPPING, file=file,
        tool=TOOL, model=text_at(arguments, "model"), **_load(summary), requests=requests,
        summary=_arguments(arguments) | told, derived=_prompts(summary),
    )  # fmt: skip
    return [run]


def _prompts(summary: object) -> list[Reported]:
    """Return the tokens of all prompts, of which the file gives the mean to four decimals."""
    names = ("Avg Input Tokens", "Success Requests")
    old = ("Average input tokens per request", "Succeed requests")
    return total_of(summary, *names, "input_tokens_counted") or total_of(summary, *old, "input_tokens_counted")


def _percentiles(rows: object) -> dict[str, Any]:
    """Return the rows of percentiles by their names: ``50%``."""
    listed = rows if isinstance(rows, list) else []
    named = {text_at(row, "Percentiles", "Percentile"): row for row in listed if isinstance(row, dict)}
    return {name: row for name, row in named.items() if name is not None}


def _told_alone(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document without the -1 that stands for "not applicable" in whatever would be read from it."""
    told = dict(document)
    for entry in ours(MAPPING):
        if (number(told.get(entry.field)) or 0) < 0:
            told[entry.field] = None
    return told


def _load(summary: object) -> dict[str, Any]:
    """Return the load: -1 and 0 stand for no rate."""
    found = (number_at(summary, *names) for names in (CONCURRENCY, RATE))
    concurrency, rate = (one if one is not None and one > 0 else None for one in found)
    return {"concurrency": concurrency, "rate": rate}


def _arguments(arguments: object) -> dict[str, Any]:
    found = {name: pick(arguments, name) for name in TOLD}
    return {
        f"args.{name}": text_at(arguments, name) if isinstance(value, str) else value
        for name, value in found.items()
        if isinstance(value, str | int | float | bool) and value == value  # noqa: PLR0124 - NaN
    }


def _requests(path: Path, summary: object) -> tuple[dict[str, float], Requests | None]:
    """Return the requests of the database beside a summary, where it holds as many as that counts; else, how many."""
    beside = sibling(path, DATABASE)
    requests = requests_in(beside) if beside is not None else None
    return of_same_run(requests, number_at(summary, "Total Requests", OLD["Total Requests"]))


evalscope = Importer(
    "evalscope",
    same(TOOL),
    best_of(
        json_entries("Success Requests", "Failed Requests", "Avg Latency (s)"),
        json_entries("Succeed requests", "Failed requests", "Average latency (s)"),
        DASHBOARD,
    ),
    _read,
    MAPPING,
    beside=frozenset(
        {
            ARGUMENTS, PERCENTILE_FILE, DATABASE, "workload_throughput.json", "workload_timeline.json",
            "trace_summary.json", "sla_summary.json",
        }
    ),
    conduct=CONDUCT,
)  # fmt: skip
