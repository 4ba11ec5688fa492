"""The requests of per_request_lifecycle_metrics.json. They do not say which stage they are of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from generator.runs.requests import MOST_SECONDS, Requests
from generator.store.documents import read_documents
from generator.store.files import printable, shown
from generator.store.foreign import number, number_at, pick, text_at
from generator.store.looks import no_result
from generator.store.recognition import json_entries
from generator.store.request_rows import UNKNOWN_ERROR, RequestRows
from generator.store.unpacking import Progress
from generator.values import Source

PER_REQUEST: Final = "per_request_lifecycle_metrics.json"
LIST: Final = re.compile(rb"\s*\[")
ENTRY: Final = json_entries("start_time", "end_time", "info", without=("load_summary",))
TOKENS: Final = "info.response_metrics"


def holds_requests(head: bytes) -> bool:
    """Say whether a file that begins so is a list of requests."""
    return (
        LIST.match(head) is not None
        and ENTRY(head) > 0
        and (b"request_metrics" in head or b"output_token_times" in head)
    )


def requests_of(path: Path, progress: Progress) -> Requests:
    """Return the requests of a file.

    Raises:
        InputError: it cannot be read, or holds none.
    """
    rows = RequestRows()
    for entry in read_documents(path, progress):
        if number_at(entry, "start_time") is not None and number_at(entry, "end_time") is not None:
            _add(rows, entry)
    found = rows.requests(Source(printable(path.name), ""))
    if found is None:
        raise no_result(shown(path), "", "inference-perf", [], ["start_time"], "import the file as it was written")
    return found


def _add(rows: RequestRows, entry: Any) -> None:  # noqa: ANN401 - any JSON
    start, end = number_at(entry, "start_time"), number_at(entry, "end_time")
    if start is None or end is None:
        return
    times = list(_token_times(entry))
    streamed = len(times) > 1
    rows.add(
        start=start, e2el=end - start, ttft=times[0] - start if streamed else None,
        input_tokens=number_at(entry, "info.request_metrics.text.input_tokens", "info.input_tokens"),
        output_tokens=number_at(entry, f"{TOKENS}.server_usage.completion_tokens", f"{TOKENS}.output_tokens", "info.output_tokens"),
        gaps=[min(later - earlier, MOST_SECONDS) for earlier, later in pairwise(times) if later > earlier], error=_error(entry),
    )  # fmt: skip


def _token_times(entry: Any) -> Iterator[float]:  # noqa: ANN401 - any JSON
    """Yield when the tokens came; those of one chunk share a time."""
    times = pick(entry, f"{TOKENS}.output_token_times") or pick(entry, "info.output_token_times")
    for time in times if isinstance(times, list) else ():
        found = number(time)
        if found is not None:
            yield found


def _error(entry: Any) -> str | None:  # noqa: ANN401 - any JSON
    error = pick(entry, "error")
    if not error:
        return None
    kind = text_at(entry, "error.error_type")
    return f"{kind}:" if kind else UNKNOWN_ERROR
