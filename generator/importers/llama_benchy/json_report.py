"""The JSON report of llama-benchy: a run for each batch of a block, as far as no request of it is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from generator.importers.llama_benchy.blocks import run_of_block
from generator.runs.imported import BATCHES_TOGETHER, Run
from generator.store.documents import drop, read_document
from generator.store.files import printable, shown
from generator.store.foreign import number, number_at, pick
from generator.store.request_rows import RequestRows
from generator.store.unpacking import Progress
from generator.values import Source

SERIES_OF_TIMES: Final = {
    "benchmarks.throughput_over_time": drop,
    "benchmarks.requests_throughput_over_time": drop,
}
RATES: Final = ("pp_throughput", "tg_throughput")
MOST_BATCHES: Final = 100


def runs_of_report(path: Path, progress: Progress) -> Iterator[Run]:
    """Yield the runs of a report.

    Raises:
        InputError: while iterating; the file cannot be read, or a number in it cannot be.
    """
    document = read_document(path, progress, SERIES_OF_TIMES)
    blocks = pick(document, "benchmarks")
    header = (
        {name: value for name, value in document.items() if name != "benchmarks"} if isinstance(document, dict) else {}
    )
    for nth, block in enumerate(blocks if isinstance(blocks, list) else []):
        if isinstance(block, dict):
            yield from _runs(block, header, path, f"benchmarks.{nth}")


def _runs(block: dict[str, Any], header: Mapping[str, Any], path: Path, place: str) -> Iterator[Run]:
    batches, waits = _batches(block)
    if not 0 < batches <= MOST_BATCHES:
        run = run_of_block(block, header, shown(path), place)
        yield replace(run, summary={**run.summary, BATCHES_TOGETHER: float(batches)}) if batches else run
        return
    each = len(waits) // batches
    for nth in range(batches):
        run = run_of_block(_of_batch(block, nth), header, shown(path), place)
        where = f"{place}, batch {nth + 1}" if batches > 1 else place
        rows = RequestRows()
        for wait in waits[nth * each : (nth + 1) * each]:
            rows.add(ttft=wait / 1e3)
        yield replace(run, place=where, requests=rows.requests(Source(printable(path.name), where)))


def _batches(block: Mapping[str, Any]) -> tuple[int, Sequence[float]]:
    """Return how many batches a block has, and the wait for the first token of each request.

    There are none where a value is missing: it is of a request that failed, of which nothing else is written down.
    """
    rates = [_values(block, name) for name in RATES if pick(block, name) is not None]
    waits = _values(block, "e2e_ttft")
    counts = {len(values) for values in rates}
    batches = counts.pop() if len(counts) == 1 else 0
    concurrency = number_at(block, "concurrency") or 0
    complete = batches > 0 and len(waits) == batches * concurrency
    return (batches, waits) if complete else (0, ())


def _values(block: Mapping[str, Any], name: str) -> list[float]:
    found = pick(block, f"{name}.values")
    numbers = [number(one) for one in found] if isinstance(found, list) else []
    return [one for one in numbers if one is not None]


def _of_batch(block: Mapping[str, Any], nth: int) -> dict[str, Any]:
    """Return a block with the numbers of one batch, and no statistic of a quantity that the requests give."""
    rates = {name: {"values": _values(block, name)[nth]} for name in RATES if pick(block, name) is not None}
    return {name: value for name, value in block.items() if name != "e2e_ttft"} | rates
