"""profile_export.json of perf_analyzer alone: requests with the moments of their responses, one run an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from generator.importers.genai_perf.names import SPAN
from generator.importers.genai_perf.profile import Experiment, read_experiments
from generator.kinds import Importer
from generator.mapping import Mapped
from generator.runs.imported import IMPOSSIBLE_TIMES, Reported, Run
from generator.store.moments import utc
from generator.store.only_run import placed
from generator.store.recognition import json_entries
from generator.store.unpacking import Progress
from generator.text import Text, same

TOOL: Final = "perf_analyzer"
MAPPING: Final = (
    Mapped(
        SPAN, "s",
        Text(zh="最晚的响应 − 最早的发出；有请求的时刻不可能时，则此量未知。", en="The latest response − the earliest sending; unknown where a time of a request cannot be."),
        "duration",
    ),
)  # fmt: skip


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    return placed([_run(experiment) for experiment in read_experiments(path, progress)])


def _run(experiment: Experiment) -> Run:
    duration = experiment.duration
    return Run(
        tool=TOOL,
        place=experiment.requests.source.place,
        started=utc(experiment.started),
        concurrency=experiment.concurrency,
        rate=experiment.rate,
        summary={IMPOSSIBLE_TIMES: experiment.impossible} if experiment.impossible else {},
        reported=() if duration is None else (Reported("duration", SPAN, "s", duration),),
        requests=experiment.requests,
    )


_RECOGNISES: Final = json_entries("experiments", "response_timestamps")

perf_analyzer = Importer("perf_analyzer", same(TOOL), _RECOGNISES, _read, MAPPING)
