"""level.json: one run of one level, as another tool's file described it, with what was struck out on entry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from generator import SCHEMA
from generator.errors import InputError
from generator.imported import Reported, Run
from generator.store.files import read_bytes, shown

LEVEL_FILE: Final = "level.json"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Original(_Strict):
    """The file that a run was imported from, so that it can be found again."""

    file: str
    sha256: str
    bytes: int
    place: str = ""


class ReportedNumber(_Strict):
    """A number of the client's own summary."""

    metric: str
    key: str
    unit: str
    value: float

    def record(self) -> Reported:
        """Return it as importers do."""
        return Reported(self.metric, self.key, self.unit, self.value)


class LevelFile(_Strict):
    """level.json, whole."""

    schema_: Annotated[Literal[1], Field(alias="schema")]
    tool: str
    original: Original
    started: str | None = None
    model: str | None = None
    engine: str | None = None
    label: str | None = None
    concurrency: Annotated[float | None, Field(gt=0, le=1e18)] = None
    rate: Annotated[float | None, Field(gt=0, le=1e18)] = None
    swept: dict[str, str] = {}
    summary: dict[str, str | float | bool | None] = {}
    struck_out: tuple[str, ...] = ()
    damaged_texts: Annotated[int, Field(ge=0)] = 0
    errors: dict[str, int] = {}
    reported: tuple[ReportedNumber, ...] = ()

    def run(self) -> Run:
        """Return what the file says of its run; the requests lie beside it."""
        return Run(
            tool=self.tool, place=self.original.place, started=self.started, model=self.model, engine=self.engine,
            label=self.label, concurrency=self.concurrency, rate=self.rate, swept=self.swept, summary=self.summary,
            struck_out=self.struck_out, damaged_texts=self.damaged_texts,
            reported=tuple(one.record() for one in self.reported),
        )  # fmt: skip


def level_json(run: Run, original: Original) -> bytes:
    """Return level.json of a run."""
    reported = [{"metric": r.metric, "key": r.key, "unit": r.unit, "value": r.value} for r in run.reported]
    written = {
        "schema": SCHEMA, "tool": run.tool, "original": original.model_dump(), "started": run.started,
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
