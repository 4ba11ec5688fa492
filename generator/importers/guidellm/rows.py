"""The requests of a GuideLLM benchmark, in three lists by how they ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from generator.runs.requests import Requests
from generator.store.documents import Sink, drop
from generator.store.foreign import number_at, text_at
from generator.store.request_rows import RequestRows
from generator.values import Source

LISTS: Final = "benchmarks.requests"
STARTS: Final = ("start_time", "info.timings.request_start", "request_start_time")
FIRSTS: Final = ("first_token_time", "info.timings.first_token_iteration")
LASTS: Final = ("last_token_time", "info.timings.last_token_iteration")
ERRORS: Final = ("error", "info.error", "info.status", "type_")
MILLI: Final = 1e-3
ENDINGS: Final = ("successful", "errored", "incomplete")
Entry = Any


class Rows:
    """The requests of the benchmark that is being read."""

    def __init__(self) -> None:
        """Begin without a request."""
        self.begin()
        self.sinks: Mapping[str, Sink] = {
            f"{LISTS}.successful": lambda entry: self.add("successful", entry),
            f"{LISTS}.errored": lambda entry: self.add("errored", entry),
            f"{LISTS}.incomplete": lambda entry: self.add("incomplete", entry),
            f"{LISTS}.total": drop,
        }
        """What takes the requests of each list."""

    def begin(self) -> None:
        """Forget the requests: those of another benchmark come."""
        self._rows = RequestRows()
        self._counts = dict.fromkeys(ENDINGS, 0)

    def add(self, ending: str, entry: Entry) -> None:
        """Add a request of one of the lists."""
        self._counts[ending] += 1
        start = number_at(entry, *STARTS)
        since = _since(start)
        ttft, last = since(number_at(entry, *FIRSTS)), since(number_at(entry, *LASTS))
        self._rows.add(
            start=start,
            ttft=ttft if ttft is not None else _scaled(number_at(entry, "time_to_first_token_ms")),
            e2el=last if last is not None else number_at(entry, "request_latency"),
            input_tokens=number_at(entry, "prompt_tokens", "input_metrics.total_tokens", "input_metrics.text_tokens"),
            output_tokens=number_at(entry, "output_tokens", "output_metrics.total_tokens"),
            error=None if ending == "successful" else text_at(entry, *ERRORS) or ending,
        )  # fmt: skip

    @property
    def impossible(self) -> int:
        """Return of how many requests a time could not be."""
        return self._rows.impossible

    @property
    def held(self) -> int:
        """Return how many requests the lists hold, which may be a sample of all."""
        return len(self._rows)

    def requests(self, source: Source, completed: float | None, attempted: float | None) -> Requests | None:
        """Return the requests, None where the lists hold a sample of them only."""
        answered, held = self._counts["successful"], self.held
        whole = (completed is None or answered == completed) and (attempted is None or held == attempted)
        return self._rows.requests(source) if whole else None


def _since(start: float | None) -> Callable[[float | None], float | None]:
    return lambda moment: None if start is None or moment is None else moment - start


def _scaled(amount: float | None) -> float | None:
    return None if amount is None else amount * MILLI
