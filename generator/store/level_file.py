"""level.json: one run of one level, as another tool's file described it, with what was struck out on entry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from generator import SCHEMA
from generator.errors import InputError
from generator.runs.imported import Reported, Run
from generator.store.files import read_bytes, shown
from generator.store.numbers import LARGEST
from generator.units import FACTORS

LEVEL_FILE: Final = "level.json"


OURS: Final = "rounds collect"
"""The tool of runs that we drove ourselves: what they say was measured, not reported."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Original(_Strict):
    """The file that a run was imported from, so that it can be found again.

    Attributes:
        file: its name.
        path: the folders it was found in below the one that was given, without homes and hosts; empty where it was
            given itself.
        written: the day and time, UTC, at which it was last written to.
    """

    file: str
    sha256: str
    bytes: int
    place: str = ""
    path: str = ""
    written: str | None = None


class ReportedNumber(_Strict):
    """A number of the client's own summary."""

    metric: str
    key: str
    unit: str
    value: Annotated[float, Field(ge=0, le=LARGEST)]

    @field_validator("unit")
    @classmethod
    def _known(cls, unit: str) -> str:
        if unit not in FACTORS:
            raise ValueError
        return unit

    def record(self) -> Reported:
        """Return it as importers do."""
        return Reported(self.metric, self.key, self.unit, self.value)


class LevelFile(_Strict):
    """level.json, whole."""

    schema_: Annotated[Literal[1], Field(alias="schema")]
    tool: str
    tool_version: str | None = None
    test: str | None = None
    original: Original | None = None
    started: str | None = None
    model: str | None = None
    engine: str | None = None
    label: str | None = None
    concurrency: Annotated[float | None, Field(gt=0, le=LARGEST)] = None
    rate: Annotated[float | None, Field(gt=0, le=LARGEST)] = None
    swept: dict[str, str] = {}
    summary: dict[str, str | float | bool | None] = {}
    struck_out: tuple[str, ...] = ()
    damaged_texts: Annotated[int, Field(ge=0)] = 0
    errors: dict[str, Annotated[int, Field(gt=0)]] = {}
    reported: tuple[ReportedNumber, ...] = ()

    @model_validator(mode="after")
    def _each_metric_once(self) -> Self:
        if len({one.metric for one in self.reported}) < len(self.reported):
            raise ValueError
        return self

    def run(self) -> Run:
        """Return what the file says of its run; the requests lie beside it."""
        return Run(
            tool=self.tool, tool_version=self.tool_version, test=self.test,
            place=self.original.place if self.original is not None else "",
            started=self.started, model=self.model, engine=self.engine,
            label=self.label, concurrency=self.concurrency, rate=self.rate, swept=self.swept, summary=self.summary,
            struck_out=self.struck_out, damaged_texts=self.damaged_texts,
            reported=tuple(one.record() for one in self.reported),
        )  # fmt: skip


def level_json(run: Run, original: Original | None) -> bytes:
    """Return level.json of a run; ``original`` is None where the run is our own."""
    reported = [{"metric": r.metric, "key": r.key, "unit": r.unit, "value": r.value} for r in run.reported]
    written = {
        "schema": SCHEMA, "tool": run.tool, "tool_version": run.tool_version, "test": run.test,
        "original": original.model_dump() if original is not None else None, "started": run.started,
        "model": run.model, "engine": run.engine, "label": run.label, "concurrency": run.concurrency,
        "rate": run.rate, "swept": dict(run.swept), "summary": dict(run.summary),
        "struck_out": list(run.struck_out), "damaged_texts": run.damaged_texts,
        "errors": dict(run.requests.kinds_of_error) if run.requests is not None else {}, "reported": reported,
    }  # fmt: skip
    return (json.dumps(written, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def read_level_file(folder: Path, within: Path) -> LevelFile:
    """Read the level.json of a folder.

    Raises:
        FileNotFoundError: there is none.
        InputError: it is not one that Rounds wrote.
    """
    path = folder / LEVEL_FILE
    try:
        return LevelFile.model_validate_json(read_bytes(path, within))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise InputError(
            shown(path), place, "is not as Rounds writes it", "restore it, or import the run again"
        ) from error
