"""Runs of a file, and where in it each stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generator.runs.imported import Run
from generator.values import Source


def placed(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return runs as they are; one that is the only one without its place: the file is the run."""
    return tuple(runs) if len(runs) != 1 else (_alone(runs[0]),)


def _alone(run: Run) -> Run:
    if run.requests is None:
        return replace(run, place="")
    return replace(run, place="", requests=replace(run.requests, source=Source(run.requests.source.file, "")))
