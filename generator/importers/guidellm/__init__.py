"""Reports of GuideLLM: JSON and YAML, one run a benchmark, so that a sweep is several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError
from generator.importers.guidellm.load import HIDDEN, TOOL, asked, limits, sampled
from generator.importers.guidellm.names import COMPLETED, COMPLETED_TOO, MAPPING, REQUESTS, REQUESTS_TOO
from generator.importers.guidellm.rows import ENDINGS, Rows
from generator.kinds import Importer
from generator.runs.imported import IMPOSSIBLE_TIMES, REQUESTS_IN_A_SAMPLE, Run
from generator.store.documents import read_document, read_yaml
from generator.store.files import printable, shown
from generator.store.foreign import number_at, pick, run_of, text_at
from generator.store.looks import no_result
from generator.store.moments import utc
from generator.store.only_run import placed
from generator.store.private_entries import without
from generator.store.recognition import best_of, is_json, json_entries, yaml_entries
from generator.store.unpacking import Progress
from generator.text import Text, same
from generator.values import Source

NO_BENCHMARK: Final = f"holds no result of {TOOL}: there is no benchmark in it"
ROLL_UP: Final = ("benchmark_id", "itl_mean_ms", "throughput_mean_rps", "request_latency_mean_ms")
"""Entries of what a program makes of one benchmark of a report."""
ROLLED_UP: Final = (
    f"is what another program made of a report of {TOOL}: its request_latency_mean_ms is in seconds, "
    "and its throughput a mean over moments"
)
REMEDY: Final = "import the benchmarks.json that `guidellm benchmark` writes"
VERSIONS: Final = ("metadata.guidellm_version", "config.metadata.guidellm_version")
BESIDE: Final = frozenset({"benchmarks.csv", "benchmark.csv", "benchmarks.html", "benchmark.html"})

CONDUCT: Final = Text(
    zh="默认不预热（--warmup 才有）；连接复用，默认 HTTP/2；输出按流读取。时间到了还没结束的请求记为 incomplete，不计入任何统计：短而快的请求因此占便宜。",
    en="It does not warm up unless --warmup asks for it; connections are reused, over HTTP/2 by default; answers are read as "
    "streams. Requests that have not ended when the time is up are incomplete and in no statistic, which favours the short "
    "and the quick.",
)  # fmt: skip


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    reader = _Benchmarks(path)
    if is_json(path):
        document = read_document(path, progress, {**reader.rows.sinks, "benchmarks": reader.take})
    else:
        document = read_yaml(path, progress)
        reader.take_all(document.pop("benchmarks", None) if isinstance(document, dict) else None)
    runs = [_completed(run, document) for run in reader.runs]
    if not runs:
        rolled_up = number_at(document, ROLL_UP[-1]) is not None
        raise InputError(shown(path), "", ROLLED_UP if rolled_up else NO_BENCHMARK, REMEDY)
    return placed(runs)


def _completed(run: Run, document: Any) -> Run:  # noqa: ANN401 - any JSON
    """Return a run with what the whole report says of it."""
    return replace(run, tool_version=text_at(document, *VERSIONS), model=run.model or asked(document))


class _Benchmarks:
    """The benchmarks of a report, one after another."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.rows = Rows()
        self.runs: list[Run] = []
        self._nth = 0

    def take_all(self, benchmarks: Any) -> None:  # noqa: ANN401 - any YAML
        """Take benchmarks that were read whole, with their requests."""
        for benchmark in benchmarks if isinstance(benchmarks, list) else []:
            for ending in ENDINGS:
                self._add_all(ending, pick(benchmark, f"requests.{ending}"))
            self.take(benchmark)

    def _add_all(self, ending: str, entries: Any) -> None:  # noqa: ANN401 - any YAML
        for entry in entries if isinstance(entries, list) else []:
            self.rows.add(ending, entry)

    def take(self, benchmark: Any) -> None:  # noqa: ANN401 - any JSON
        """Take a benchmark whose requests have gone by."""
        place = f"benchmarks.{self._nth}"
        self._nth += 1
        self.runs.append(self._run(sampled(benchmark), place))
        self.rows.begin()

    def _run(self, benchmark: Any, place: str) -> Run:  # noqa: ANN401 - any JSON
        _refuse(benchmark, shown(self._path), place)
        completed = number_at(benchmark, COMPLETED, *COMPLETED_TOO)
        requests = self.rows.requests(
            Source(printable(self._path.name), place), completed, number_at(benchmark, REQUESTS, *REQUESTS_TOO)
        )
        concurrency, rate = limits(pick(benchmark, "config.strategy") or pick(benchmark, "args.strategy"))
        kept, struck_out = without(benchmark, HIDDEN)
        return run_of(
            kept, MAPPING, file=shown(self._path), place=place, tool=TOOL, struck_out=struck_out,
            started=utc(number_at(benchmark, "start_time", "run_stats.start_time")), model=asked(benchmark),
            concurrency=concurrency, rate=rate, requests=requests, summary=self._told(benchmark),
        )  # fmt: skip

    def _told(self, benchmark: Any) -> dict[str, str | float | None]:  # noqa: ANN401 - any JSON
        """Return what is said of a run in words of ours, beside the entries of the file."""
        ended = utc(number_at(benchmark, "end_time", "run_stats.end_time"))
        told: dict[str, str | float | None] = {} if ended is None else {"ended": ended}
        if self.rows.impossible:
            told[IMPOSSIBLE_TIMES] = self.rows.impossible
        if 0 < self.rows.held < (number_at(benchmark, REQUESTS, *REQUESTS_TOO) or 0):
            told[REQUESTS_IN_A_SAMPLE] = self.rows.held
        return told


def _refuse(benchmark: Any, file: str, place: str) -> None:  # noqa: ANN401 - any JSON
    lacking = _missing(benchmark, {"duration": ("duration",), "request_totals": (COMPLETED, *COMPLETED_TOO)})
    if lacking:
        raise no_result(file, place, TOOL, benchmark if isinstance(benchmark, dict) else {}, lacking, REMEDY)


def _missing(benchmark: Any, needed: dict[str, Iterable[str]]) -> list[str]:  # noqa: ANN401 - any JSON
    return [name for name, paths in needed.items() if number_at(benchmark, *paths) is None]


_RECOGNISES: Final = best_of(
    json_entries("benchmarks", "type_", "requests_made"),
    json_entries("benchmarks", "guidellm_version"),
    json_entries(*ROLL_UP),
    yaml_entries("benchmarks", "type_", "requests_made"),
    yaml_entries("benchmarks", "guidellm_version"),
)

guidellm = Importer("guidellm", same(TOOL), _RECOGNISES, _read, MAPPING, beside=BESIDE, conduct=CONDUCT)
