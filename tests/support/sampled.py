"""Files of samples, made anew: what tools print of a GPU, and what the collector writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from generator.collect.host.samples import GAP, to_parquet
from generator.runs.imported import Reported, Run
from generator.store.level_file import OURS, level_json
from generator.telemetry.own_samples import COLUMNS

QUERY: Final = """\
timestamp, index, power.draw [W], power.limit [W], temperature.gpu, clocks.current.sm [MHz], clocks.max.sm [MHz], \
utilization.gpu [%], memory.used [MiB], clocks_event_reasons.active
2026/05/01 09:00:00.000, 0, 200.00 W, 300.00 W, 60, 1500 MHz, 2000 MHz, 100 %, 1024 MiB, 0x0000000000000000
2026/05/01 09:00:01.000, 0, 220.00 W, 300.00 W, 64, 1500 MHz, 2000 MHz, 90 %, 2048 MiB, 0x0000000000000004
2026/05/01 09:00:02.000, 0, 240.00 W, 300.00 W, 68, 900 MHz, 2000 MHz, 80 %, 2048 MiB, 0x0000000000000024
2026/05/01 09:00:04.000, 0, 260.00 W, 300.00 W, 70, 600 MHz, 2000 MHz, 0 %, 1024 MiB, 0x0000000000000001
"""
"""Four moments of one GPU: at two of them it is held down, at the last one it is idle."""

Line = tuple[float, str, Mapping[str, float]]
"""Seconds of CLOCK_MONOTONIC, the source, and its numbers."""
BOOTED: Final = 1_700_000_000.0
"""Seconds since 1970 at which the clock of these machines began to count."""


def put_samples(path: Path, lines: Sequence[Line], notes: Mapping[str, str] | None = None) -> Path:
    """Write samples.parquet as the collector does; ``notes`` are why fields of gpu0 could not be read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = [
        {
            "t_mono_ns": round(t * 1e9),
            "t_wall_ns": round((t + BOOTED) * 1e9),
            "source": source,
            "values": dict(values),
            "notes": dict(notes or {}) if source == "gpu0" else {},
        }
        for t, source, values in lines
    ]
    kept = path.with_suffix(".jsonl")
    kept.write_text("".join(json.dumps(line) + "\n" for line in written), encoding="utf-8")
    to_parquet(kept, path)
    kept.unlink()
    return path


def put_own_run(trial: Path, begin: float, end: float, *, started: str | None = None, warm: int = 0) -> None:
    """Write level.json of a run of our own from ``begin`` to ``end`` of CLOCK_MONOTONIC, in s."""
    trial.mkdir(parents=True, exist_ok=True)
    summary: dict[str, str | float | bool | None] = {
        "first_sent_mono_ns": str(round(begin * 1e9)),
        "last_ended_mono_ns": str(round(end * 1e9)),
        "warm_requests": warm,
    }
    told = (Reported("duration", "duration", "s", end - begin),)
    run = Run(tool=OURS, started=started, concurrency=1, summary=summary, reported=told)
    (trial / "level.json").write_bytes(level_json(run, None))


def page(**counters: float) -> str:
    """Return a page of vLLM's counters, by their names without prefix and suffix."""
    lines = [f'vllm:{name}_total{{engine="0",model_name="m"}} {value}' for name, value in counters.items()]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Table:
    """What samples.parquet holds, whole, as columns of (n,).

    Attributes:
        t_mono_ns: ns of CLOCK_MONOTONIC.
        t_wall_ns: ns of CLOCK_REALTIME.
        source: whose number.
        field: its name.
        value: NaN where it was unknown.
        note: empty where there is none.
    """

    t_mono_ns: NDArray[np.int64]
    t_wall_ns: NDArray[np.int64]
    source: NDArray[np.object_]
    field: NDArray[np.object_]
    value: NDArray[np.float64]
    note: NDArray[np.object_]

    def series(self, source: str, field: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return times (ns, monotonic) and values of one field, those that are known, in order of time."""
        which = (self.source == source) & (self.field == field) & ~np.isnan(self.value)
        return self.t_mono_ns[which], self.value[which]

    def gaps(self) -> Iterator[tuple[str, int, float, str]]:
        """Yield the gaps: source, time in ns, seconds, and of which kind and why."""
        for place in np.flatnonzero(self.field == GAP):
            yield self.source[place], int(self.t_mono_ns[place]), float(self.value[place]), self.note[place]

    def unknown(self) -> dict[tuple[str, str], str]:
        """Return the last reason of each field that could not be read at some time."""
        places = np.flatnonzero(np.isnan(self.value))
        return {(self.source[place], self.field[place]): self.note[place] for place in places}


def read_table(path: Path) -> Table:
    """Return all that the collector wrote, with fields and notes that no metric asks for."""
    table = pq.read_table(path)
    assert table.schema.equals(COLUMNS)
    columns = {name: table.column(name).to_numpy(zero_copy_only=False) for name in COLUMNS.names}
    notes = np.array([note or "" for note in columns.pop("note")], dtype=np.object_)
    return Table(**columns, note=notes)
