"""Statistics of Locust (``*_stats.csv``): it knows requests and failures, and nothing of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.kinds import Importer
from generator.mapping import Mapped, spelled
from generator.runs.imported import Run
from generator.store.documents import read_rows
from generator.store.files import shown
from generator.store.foreign import number, run_of
from generator.store.only_run import placed
from generator.store.recognition import best_of, csv_header
from generator.store.totals import answered
from generator.store.unpacking import Progress
from generator.text import Text, same

TOOL: Final = "Locust"
TYPE, NAME, COUNT, FAILED = "Type", "Name", "Request Count", "Failure Count"
METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
"""What the type of an HTTP request is; another one is of an event that the test itself measured."""
REMEDY: Final = "import the *_stats.csv of the test"

WITH_FAILED: Final = Text(
    zh="失败的请求（超时也在内）一并算进去；流式读取时只到响应头为止。",
    en="Failed requests, timeouts among them, are in it; of an answer that is read as a stream it ends at the headers.",
)
MAPPING: Final = (
    Mapped(COUNT, "1", Text(zh="发出的请求数，含失败的。", en="Requests sent, failed ones included."), "requests"),
    Mapped("Average Response Time", "ms", Text(zh="平均响应时间。", en="The mean time of a response."), "e2el_mean", why=WITH_FAILED),
    Mapped("Median Response Time", "ms", Text(zh="响应时间的中位数，取两位有效数字。", en="The median of the times, to two significant digits."), "e2el_p50", why=WITH_FAILED),
    *spelled(
        Mapped(
            "{}", "ms", Text(zh="响应时间的分位数，取两位有效数字。", en="Percentiles of the times, to two significant digits."), "e2el_{}", why=WITH_FAILED,
            statistics={"p90": "90%", "p95": "95%", "p99": "99%"},
        )
    ),
    Mapped(
        "Requests/s", "req/s", Text(zh="请求数 ÷ 时长。", en="Requests ÷ duration."), "request_throughput",
        why=Text(zh="失败的请求也计在内。", en="It counts failed requests too."),
    ),
)  # fmt: skip

CONDUCT: Final = Text(
    zh="每个用户一条接一条地发，间隔由测试脚本决定；这张表不写用户数；不认识 token 与流。",
    en="Each user sends one request after another, with the pauses that the test has; the table does not tell how many "
    "users there were. It knows neither tokens nor streams.",
)


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    file = shown(path)
    header, *rows = [row for row in read_rows(path, progress) if any(row)]
    if COUNT not in header:
        raise InputError(file, "", "holds the failures of Locust, without the requests that they are of", REMEDY)
    entries = [(n, dict(zip(header, row, strict=False))) for n, row in enumerate(rows, start=2)]
    of_requests = [(n, entry) for n, entry in entries if entry.get(TYPE) in METHODS and number(entry.get(COUNT))]
    if not of_requests:
        raise InputError(file, "", "holds no HTTP request", REMEDY)
    runs = [_run(entry, file, f"line {line}") for line, entry in of_requests]
    return placed(runs)


def _run(entry: dict[str, str], file: str, place: str) -> Run:
    """Return the requests of one row. Its name is a path, which may hold accounts and keys, and is left out."""
    kept = {name: number(cell) if number(cell) is not None else cell for name, cell in entry.items() if name != NAME}
    run = run_of(kept, MAPPING, file=file, place=place, tool=TOOL, struck_out=(NAME,))
    return answered(run, kept, COUNT, FAILED, file=file)


locust = Importer(
    "locust",
    same(TOOL),
    best_of(csv_header(TYPE, NAME, COUNT, FAILED), csv_header("Method", NAME, "Error", "Occurrences")),
    _read,
    MAPPING,
    conduct=CONDUCT,
)
