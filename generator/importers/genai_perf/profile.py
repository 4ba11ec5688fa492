"""profile_export.json of perf_analyzer: each request with the moment of each response, in whole nanoseconds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError
from generator.runs.requests import MOST_SECONDS, Requests
from generator.store.documents import Sink, read_document
from generator.store.files import printable, shown
from generator.store.foreign import limit_at, pick, text_at
from generator.store.moments import nanoseconds
from generator.store.request_rows import RequestRows
from generator.store.stream_chunks import carries_content, tokens_counted
from generator.store.unpacking import Progress
from generator.values import Source

NS: Final = 1e-9
NO_RESPONSE: Final = "no response"
PLAIN: Final = frozenset({"text_output", "output_text"})
"""Outputs of a model that are the text itself, and no chunk around it."""
REMEDY: Final = "import the profile_export.json that perf_analyzer writes"


@dataclass(frozen=True, slots=True)
class Experiment:
    """One load: its kind (``concurrency``, ``request_rate``), how much of it, and its requests.

    Attributes:
        kind: what was held or sent.
        value: how much of it.
        requests: its requests.
        duration: seconds from the first sending to the last response; None where the clock does not tell.
        started: when the first was sent, in seconds since 1970.
        impossible: requests of which a time could not be.
    """

    kind: str | None
    value: float | None
    requests: Requests
    duration: float | None
    started: float | None
    impossible: int

    @property
    def concurrency(self) -> float | None:
        """Return the requests that were kept in flight; None where that was not what was asked."""
        return self.value if self.kind == "concurrency" else None

    @property
    def rate(self) -> float | None:
        """Return the requests a second that were sent; None where that was not what was asked."""
        return self.value if self.kind == "request_rate" else None


def read_experiments(path: Path, progress: Progress) -> list[Experiment]:
    """Read the experiments of a profile.

    Raises:
        InputError: it cannot be read, or no experiment in it has a request.
    """
    reader = _Profile(path)
    read_document(path, progress, reader.sinks)
    if not reader.found:
        raise InputError(shown(path), "", "holds no request of an experiment", REMEDY)
    return reader.found


class _Profile:
    def __init__(self, path: Path) -> None:
        self._name = printable(path.name)
        self.found: list[Experiment] = []
        self._nth = 0
        self._begin()
        self.sinks: Mapping[str, Sink] = {"experiments": self._take, "experiments.requests": self._add}

    def _begin(self) -> None:
        self._rows = RequestRows()
        self._first: int | None = None
        self._earliest = self._latest = 0

    def _add(self, request: Any) -> None:  # noqa: ANN401 - any JSON
        start = nanoseconds(pick(request, "timestamp"))
        chunks = list(_chunks(request))
        self._first = start if self._first is None else self._first
        since = None if start is None or self._first is None else (start - self._first) * NS
        if start is not None and chunks:
            self._earliest = min(self._earliest or start, start)
            self._latest = max(self._latest, *(stamp for stamp, _ in chunks))
        counts = [count for _, text in chunks if (count := tokens_counted(text)) is not None]
        self._rows.add(
            start=since, output_tokens=float(counts[-1]) if counts else None, error=None if chunks else NO_RESPONSE,
            **_times(start, [stamp for stamp, _ in _with_content(chunks)]),
        )  # fmt: skip

    def _take(self, experiment: Any) -> None:  # noqa: ANN401 - any JSON
        requests = self._rows.requests(Source(self._name, f"experiments.{self._nth}"))
        self._nth += 1
        if requests is not None:
            self.found.append(self._experiment(experiment, requests))
        self._begin()

    def _experiment(self, experiment: Any, requests: Requests) -> Experiment:  # noqa: ANN401 - any JSON
        length = (self._latest - self._earliest) * NS
        return Experiment(
            kind=text_at(experiment, "experiment.mode"),
            value=limit_at(experiment, "experiment.value"),
            requests=requests,
            duration=length if self._rows.impossible == 0 and 0 < length <= MOST_SECONDS else None,
            started=self._earliest * NS if self._earliest else None,
            impossible=self._rows.impossible,
        )


def _chunks(request: Any) -> Iterator[tuple[int, str]]:  # noqa: ANN401 - any JSON
    """Yield the responses: when each came, and its text; a plain one as though a chunk stood around it."""
    stamps, outputs = pick(request, "response_timestamps"), pick(request, "response_outputs")
    texts = [_text(output) for output in outputs] if isinstance(outputs, list) else []
    for nth, value in enumerate(stamps if isinstance(stamps, list) else []):
        stamp = nanoseconds(value)
        if stamp is not None:
            yield stamp, texts[nth] if nth < len(texts) else ""


def _text(output: Any) -> str:  # noqa: ANN401 - any JSON
    if not isinstance(output, dict):
        return output if isinstance(output, str) else ""
    told = ((name, value) for name, value in output.items() if isinstance(value, str))
    return "\n".join('"text":"…"' if name in PLAIN and value else value for name, value in told)


def _with_content(chunks: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """Return the chunks that carry content; all of them where none is of a kind that is known."""
    return [chunk for chunk in chunks if carries_content(chunk[1])] or chunks


def _times(start: int | None, stamps: Sequence[int]) -> dict[str, Any]:
    """Return the latencies of a request; an answer in one piece has no first token of its own."""
    if start is None or not stamps:
        return {}
    return {
        "ttft": (stamps[0] - start) * NS if len(stamps) > 1 else None,
        "e2el": (stamps[-1] - start) * NS,
        "gaps": [(later - earlier) * NS for earlier, later in pairwise(stamps)],
    }
