"""Records of AIPerf alone: one request a line, without the totals that its export beside them has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from generator.importers.aiperf.names import REASONING as REASONING_TOLD
from generator.importers.aiperf.names import TOOL
from generator.importers.aiperf.records import REASONING, Records, read_records
from generator.importers.aiperf.telling import told_of_records
from generator.kinds import Importer
from generator.mapping import Mapped
from generator.runs.imported import Reported, Run
from generator.store.moments import utc
from generator.store.recognition import json_entries
from generator.store.unpacking import Progress
from generator.text import Text, same

SPAN: Final = "metadata.request_end_ns − metadata.request_start_ns"
COUNTED: Final = f"metrics.{REASONING}.value"
MAPPING: Final = (
    Mapped(
        SPAN, "s",
        Text(zh="最晚的结束 − 最早的发出，按墙上时钟；时钟被往回拨过，则此量未知。", en="The latest end − the earliest sending, by the wall clock; unknown where that was set back."),
        "duration",
    ),
    Mapped(COUNTED, "tok", REASONING_TOLD, "reasoning_tokens"),
)  # fmt: skip


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    records, requests = read_records(path, progress)
    ended = utc(records.ended)
    told: dict[str, str | float | bool | None] = {} if ended is None else {"ended": ended}
    run = Run(
        tool=TOOL, started=utc(records.started), summary={**told, **told_of_records(records)},
        reported=tuple(_reported(records)), requests=requests,
    )  # fmt: skip
    return [run]


def _reported(records: Records) -> Iterator[Reported]:
    if records.duration is not None:
        yield Reported("duration", SPAN, "s", records.duration)
    if records.reasoning is not None:
        yield Reported("reasoning_tokens", COUNTED, "tok", records.reasoning)


_RECOGNISES: Final = json_entries("metadata", "request_start_ns", "request_end_ns")

aiperf_records = Importer("aiperf_records", same(f"{TOOL} records"), _RECOGNISES, _read, MAPPING, tools=(TOOL,))
