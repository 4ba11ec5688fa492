"""The records of AIPerf, one request a line: profile_export.jsonl, and with every chunk profile_export_raw.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from generator.errors import InputError
from generator.runs.requests import MOST_SECONDS, MOST_TOKENS, Requests
from generator.store.documents import read_documents
from generator.store.files import printable, shown
from generator.store.foreign import number, number_at, pick, text_at
from generator.store.moments import nanoseconds
from generator.store.request_rows import RequestRows
from generator.store.stream_chunks import carries_content, tokens_counted
from generator.store.unpacking import Progress
from generator.values import Source

NS: Final = 1e-9
SECONDS: Final = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "sec": 1.0, "s": 1.0}
REASONING: Final = "reasoning_token_count"
REMEDY: Final = "import the profile_export.jsonl that `aiperf profile` writes"


class Records:
    """The requests of the records of one run: those of warming up are left out.

    Attributes:
        rows: the requests.
        warm_ups: how many records of warming up there were.
        moved: by how many seconds the clock seems to have been set, at the record that shows it most.
        steps: how many records end before they start.
        reasoning: tokens of reasoning of the answered ones, added up; None where no record counts them.
    """

    def __init__(self) -> None:
        """Begin without a record."""
        self.rows = RequestRows()
        self.warm_ups = self.steps = 0
        self.moved = 0.0
        self.reasoning: float | None = None
        self._first: int | None = None
        self._last: int | None = None
        self._end = 0
        self._begin = 0

    def add(self, record: Any) -> None:  # noqa: ANN401 - any JSON
        """Add a record."""
        if text_at(record, "metadata.benchmark_phase", "metadata.credit_phase") == "warmup":
            self.warm_ups += 1
            return
        start, end = (nanoseconds(pick(record, f"metadata.request_{which}_ns")) for which in ("start", "end"))
        if start is not None and end is not None:
            self._watch(start, end)
        since = None if start is None or self._first is None else (start - self._first) * NS
        request = _request(record)
        self.rows.add(**request, start=since)
        reasoning = _tokens(record, REASONING)
        if request["error"] is None and reasoning is not None and 0 <= reasoning <= MOST_TOKENS:
            self.reasoning = (self.reasoning or 0.0) + reasoning

    def _watch(self, start: int, end: int) -> None:
        self._first = start if self._first is None else self._first
        self._last = end
        self._begin, self._end = (min(self._begin or start, start), max(self._end, end))
        if end < start:
            self.steps += 1
            self.moved = min(self.moved, (end - start) * NS)

    def requests(self, source: Source) -> Requests | None:
        """Return the requests; after the clock was set nobody knows when one was sent beside another."""
        requests = self.rows.requests(source)
        if requests is None or not self.steps:
            return requests
        return replace(requests, start=np.full(len(requests), np.nan))

    @property
    def started(self) -> float | None:
        """Return when the first record of the file began, in seconds since 1970."""
        return None if self._first is None else self._first * NS

    @property
    def ended(self) -> float | None:
        """Return when the last record of the file ended."""
        return None if self._last is None else self._last * NS

    @property
    def duration(self) -> float | None:
        """Return the seconds from the first sending to the last end; None where the clock does not tell."""
        length = (self._end - self._begin) * NS
        return length if not self.steps and self._end and 0 < length <= MOST_SECONDS else None


def read_records(path: Path, progress: Progress) -> tuple[Records, Requests]:
    """Read a file of records.

    Raises:
        InputError: it cannot be read, or has no record of a request.
    """
    records = Records()
    for nth, record in enumerate(read_documents(path, progress), start=1):
        if not isinstance(pick(record, "metadata"), dict):
            problem = "is no record of a request: it has no metadata"
            raise InputError(shown(path), f"record {nth}", problem, REMEDY)
        records.add(record)
    requests = records.requests(Source(printable(path.name), ""))
    if requests is None:
        told = f": all {records.warm_ups} are of warming up" if records.warm_ups else ""
        raise InputError(shown(path), "", f"holds no record of a measured request{told}", REMEDY)
    return records, requests


def _request(record: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """Return what is known of a request, as ``RequestRows.add`` takes it but for its start."""
    raw = _chunk_times(record)
    of_metrics = {
        "ttft": _seconds(record, "time_to_first_token", "ttft"),
        "e2el": _seconds(record, "request_latency"),
        "gaps": _gaps(record),
    }
    times = raw if of_metrics["e2el"] is None and raw else of_metrics
    return {
        **times,
        "input_tokens": _tokens(record, "input_sequence_length", "isl", "error_isl"),
        "output_tokens": _tokens(record, "output_sequence_length", "osl") or _usage(record),
        "error": _error(record),
    }  # fmt: skip


def _seconds(record: Any, *names: str) -> float | None:  # noqa: ANN401 - any JSON
    for name in names:
        value = number_at(record, f"metrics.{name}.value")
        if value is not None:
            return value * _factor(record, name)
    return None


def _factor(record: Any, name: str) -> float:  # noqa: ANN401 - any JSON
    return SECONDS.get(text_at(record, f"metrics.{name}.unit") or "ms", 1e-3)


def _gaps(record: Any) -> list[float]:  # noqa: ANN401 - any JSON
    listed = pick(record, "metrics.inter_chunk_latency.value")
    factor = _factor(record, "inter_chunk_latency")
    return [gap * factor for one in listed if (gap := number(one)) is not None] if isinstance(listed, list) else []


def _tokens(record: Any, *names: str) -> float | None:  # noqa: ANN401 - any JSON
    return number_at(record, *(f"metrics.{name}.value" for name in names))


def _error(record: Any) -> str | None:  # noqa: ANN401 - any JSON
    if isinstance(pick(record, "error"), dict):
        return text_at(record, "error.type", "error.message") or "error"
    return "CancelledError" if pick(record, "metadata.was_cancelled") is True else None


def _chunk_times(record: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """Return the latencies that the chunks themselves tell, where a raw record has them."""
    start = pick(record, "start_perf_ns") or pick(record, "metadata.start_perf_ns")
    stamps = [at for at, texts in _responses(record) if at is not None and any(map(carries_content, texts))]
    if not isinstance(start, int) or not stamps:
        return {}
    since = [(stamp - start) * NS for stamp in stamps]
    gaps = [later - earlier for earlier, later in pairwise(since)]
    return {"ttft": since[0] if len(since) > 1 else None, "e2el": since[-1], "gaps": gaps}


def _usage(record: Any) -> float | None:  # noqa: ANN401 - any JSON
    counts = [tokens_counted(text) for _, texts in _responses(record) for text in texts]
    return next((float(count) for count in reversed(counts) if count is not None), None)


def _responses(record: Any) -> Iterator[tuple[int | None, list[str]]]:  # noqa: ANN401 - any JSON
    listed = pick(record, "responses")
    for response in listed if isinstance(listed, list) else []:
        stamp, packets = pick(response, "perf_ns"), pick(response, "packets")
        texts = (
            [text for one in packets if isinstance(text := pick(one, "value"), str)]
            if isinstance(packets, list)
            else []
        )
        yield (stamp if isinstance(stamp, int) else None), texts
