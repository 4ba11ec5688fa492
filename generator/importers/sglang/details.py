"""The requests of a result of SGLang's bench_serving, where --output-details wrote them: arrays beside the totals."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, Final

from generator.errors import InputError
from generator.numeric.spilled import Pile, let_go
from generator.runs.requests import Requests
from generator.store.documents import Sink, drop
from generator.store.foreign import number
from generator.store.request_rows import UNKNOWN_ERROR, RequestRows
from generator.values import Source

REMEDY: Final = "import the file as the tool wrote it"
NUMBERS: Final = ("input_lens", "output_lens", "ttfts")
TEXTS: Final = ("generated_texts", "output_ids", "cached_tokens", "cached_tokens_details")


class Details:
    """The arrays of one result after another, taken entry by entry as they are read."""

    def __init__(self) -> None:
        """Begin without an entry."""
        self._begin()
        self.sinks: Mapping[str, Sink] = {
            **{name: self._taker(name) for name in NUMBERS},
            **dict.fromkeys(TEXTS, drop),
            "itls": self._take_gaps,
            "errors": self._take_error,
        }
        """What takes the entries of each array."""

    def _begin(self) -> None:
        self._numbers: dict[str, list[float | None]] = {name: [] for name in NUMBERS}
        self._gaps = Pile("d")
        self._counts = array("q")
        self._open: array[float] = array("d")
        self._errors: list[str] = []

    def _taker(self, name: str) -> Sink:
        return lambda value: self._numbers[name].append(number(value))

    def _take_gaps(self, value: Any) -> None:  # noqa: ANN401 - any JSON
        """Take the gaps of a request one by one, then the end of their list: the two lists have one path."""
        if isinstance(value, list):
            self._gaps.extend(self._open)
            self._counts.append(len(self._open))
            self._open = array("d")
        elif (gap := number(value)) is not None:
            self._open.append(gap)

    def _take_error(self, error: object) -> None:
        self._errors.append(error if isinstance(error, str) else "")

    def requests(self, source: Source, file: str, completed: float, *, shared: bool) -> Requests | None:
        """Return the requests of the result that was read last, None where it has none, and begin anew.

        Args:
            source: where the result was read.
            file: how error lines call the file.
            completed: how many it counts as answered.
            shared: whether a chunk's gap is divided among its tokens: there is no gap between chunks then.

        Raises:
            InputError: the arrays differ in length.
        """
        columns: dict[str, Sequence[object]] = {**self._numbers, "itls": self._counts, "errors": self._errors}
        lengths = {name: len(column) for name, column in columns.items() if column}
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise InputError(file, source.place, f"arrays of one result differ in length: {told}", REMEDY)
        count = max(lengths.values(), default=0)
        rows = self._rows(count, self._kinds(count, completed), shared=shared)
        self._begin()
        return rows.requests(source)

    def _kinds(self, count: int, completed: float) -> list[str]:
        """Return the error of each request, "" for none: one that failed without a word has no token."""
        errors, tokens = self._errors or [""] * count, self._numbers["output_lens"]
        if errors.count("") <= completed or not tokens:
            return errors
        return [error or ("" if length else UNKNOWN_ERROR) for error, length in zip(errors, tokens, strict=True)]

    def _rows(self, count: int, errors: Iterable[str], *, shared: bool) -> RequestRows:
        rows = RequestRows()
        given, made, ttfts = (self._numbers[name] or repeat(None, count) for name in NUMBERS)
        gaps = self._between() if self._counts else repeat((), count)
        for n_in, n_out, ttft, between, error in zip(given, made, ttfts, gaps, errors, strict=True):
            first = ttft or None  # 0 stands for no token that was read
            last = first + sum(between) if first is not None and self._counts else None
            rows.add(
                ttft=first, e2el=last, input_tokens=n_in, output_tokens=n_out, error=error,
                gaps=() if shared or first is None else between,
            )  # fmt: skip
        return rows

    def _between(self) -> Iterator[Sequence[float]]:
        """Yield the gaps of one request after another."""
        gaps, end = self._gaps.column(), 0
        for count in self._counts:
            own, end = gaps[end : end + count], end + count
            yield own.tolist()
            let_go(own)
