"""A format of our own for tests of importing: a JSON list of runs, read by an importer of a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from generator.errors import InputError
from generator.kinds import Importer
from generator.runs.imported import Reported, Run
from generator.runs.requests import Requests
from generator.text import same
from generator.values import Source

UNITS: Final = {"duration": "s", "completed": "1", "requests": "1", "ttft_p50": "ms", "output_tokens_counted": "tok",
                "input_tokens_counted": "tok"}  # fmt: skip


def requests_of(rows: Sequence[tuple[float, float, Sequence[float]]], *, failed: int = 0) -> Requests:
    """Make requests of (start s, TTFT s, gaps ms); each gap brings a token. Failed ones come last."""
    n = len(rows) + failed
    nothing = [np.nan] * failed
    gaps = [np.array(gaps) for _, _, gaps in rows]
    e2el = [ttft + gap.sum() / 1000 for (_, ttft, _), gap in zip(rows, gaps, strict=True)]
    return Requests(
        answered=np.arange(n) < len(rows),
        start=np.array([*(start for start, _, _ in rows), *[0.0] * failed]),
        ttft=np.array([*(ttft for _, ttft, _ in rows), *nothing]),
        e2el=np.array([*e2el, *nothing]),
        input_tokens=np.full(n, 16.0),
        output_tokens=np.array([*(len(gap) + 1.0 for gap in gaps), *nothing]),
        gap_counts=np.array([*(len(gap) for gap in gaps), *[0] * failed], dtype=np.int64),
        gaps=np.rint(np.concatenate([*gaps, np.array([])]) * 1000).astype(np.int32),
        source=Source("", ""),
        kinds_of_error={"ClientOSError": failed} if failed else {},
    )


def _recognises(head: bytes) -> bool:
    return head.startswith(b'[{"toy"')


def _read(path: Path, progress: Callable[[int], object]) -> list[Run]:
    data = path.read_bytes()
    progress(len(data))
    try:
        found = json.loads(data)
    except ValueError as error:
        raise InputError(str(path), "", "is not JSON", "look at it") from error
    return [_run(one, nth, many=len(found) > 1) for nth, one in enumerate(found, start=1)]


def _run(one: Mapping[str, Any], nth: int, *, many: bool) -> Run:
    rows = one.get("rows")
    return Run(
        tool="toy",
        place=f"object {nth}" if many else "",
        started=one.get("started"),
        model=one.get("model"),
        engine=one.get("engine"),
        concurrency=one.get("concurrency"),
        rate=one.get("rate"),
        swept=one.get("swept", {}),
        summary={key: one[key] for key in UNITS if key in one},
        reported=tuple(Reported(key, key, unit, float(one[key])) for key, unit in UNITS.items() if key in one),
        requests=requests_of(rows, failed=one.get("failed", 0)) if rows is not None else None,
    )


TOY: Final = Importer("toy", same("toy"), _recognises, _read)
TOYS: Final = {"toy": TOY}


def toy_file(path: Path, *runs: Mapping[str, Any]) -> Path:
    """Write some runs into a file and return it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([{"toy": 1, **run} for run in runs]), encoding="utf-8")
    return path
