"""What a round is: the closed list of keys of round.toml, and the records read from a round's folder."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from generator.prose import Prose
from generator.text import Lang, Text
from generator.values import Observation

ID_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"
"""Ids become folder names, anchors and CSV cells; nothing in them needs escaping or leaves the folder."""

Id = Annotated[str, Field(pattern=ID_PATTERN)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Positive = Annotated[float, Field(gt=0, le=1e18)]
NotNegative = Annotated[float, Field(ge=0, le=1e18)]


class Strict(BaseModel):
    """A table of round.toml: unknown keys, wrong types, NaN and infinity are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Title(Strict):
    """A title in both languages."""

    zh: Name
    en: Name

    def text(self) -> Text:
        """Return the title as a phrase."""
        return Text(zh=self.zh, en=self.en)


class RoundTable(Strict):
    """``[round]``: the campaign."""

    title: Title
    date: datetime.date | Name | None = None
    baseline: Id | None = None
    origin: Literal["measured", "transcribed"] = "measured"
    source: Name | None = None


class ModelTable(Strict):
    """``[model]``: the model served, as far as the floors need it."""

    name: Name
    layers: Positive | None = None
    kv_heads: Positive | None = None
    head_dim: Positive | None = None
    kv_dtype_bytes: Positive | None = None
    matmul_params: Positive | None = None


class HardwareTable(Strict):
    """``[hardware]``: the device; the vendor's peak bandwidth unless ``bandwidth_source`` says otherwise."""

    gpu: Name
    memory_bandwidth_gb_s: Positive | None = None
    bandwidth_source: Literal["datasheet", "nvml", "measured"] | None = None
    memory_gib: Positive | None = None
    driver: Name | None = None
    cuda: Name | None = None


class WorkloadTable(Strict):
    """``[workload]``: the load asked for, the same for all levels unless a level says otherwise."""

    input_tokens: Positive | None = None
    output_tokens: Positive | None = None
    ignore_eos: bool | None = None
    dataset: Name | None = None
    seed_policy: Name | None = None


class SeriesTable(Strict):
    """``[[series]]``: one engine configuration.

    ``weights_basis`` says what the weight bytes count; ``embedding_bytes`` is how much of them is the input
    embedding, which a decode step does not stream (0 where they already leave it out).
    """

    id: Id
    engine: Name | None = None
    version: Name | None = None
    precision: Name | None = None
    weight_bytes: Positive | None = None
    weight_params: Positive | None = None
    weight_dtype_bytes: Positive | None = None
    weights_basis: Literal["matmul_params", "all_params", "file_size"] | None = None
    embedding_bytes: NotNegative | None = None
    argv: tuple[str, ...] | None = None
    kv_pool_tokens: Positive | None = None
    slots: Positive | None = None

    @model_validator(mode="after")
    def _one_way_to_give_the_weights(self) -> SeriesTable:
        if self.weight_bytes is not None and (self.weight_params or self.weight_dtype_bytes):
            raise ValueError("weight_bytes and weight_params × weight_dtype_bytes both given: keep one")
        return self


class LevelTable(Strict):
    """``[[level]]``: what one level asks for where it differs from ``[workload]``."""

    id: Id
    concurrency: Positive | None = None
    rate: Positive | None = None
    requests: Positive | None = None
    input_tokens: Positive | None = None
    output_tokens: Positive | None = None
    trials: Positive | None = None
    series: tuple[Id, ...] | None = None


class RoundFile(Strict):
    """round.toml, whole."""

    schema_: Annotated[int, Field(alias="schema")]
    round: RoundTable
    model: ModelTable
    hardware: HardwareTable
    workload: WorkloadTable = WorkloadTable()
    series: Annotated[tuple[SeriesTable, ...], Field(min_length=1)]
    level: tuple[LevelTable, ...] = ()

    @model_validator(mode="after")
    def _references_hold(self) -> RoundFile:
        ids = [series.id for series in self.series]
        if len(set(ids)) != len(ids):
            raise ValueError(f"series ids must differ: {', '.join(ids)}")
        if self.round.baseline is not None and self.round.baseline not in ids:
            raise ValueError(f"[round] baseline is not one of the series: {', '.join(ids)}")
        return self


@dataclass(frozen=True, slots=True)
class Level:
    """One load point of a series: a concurrency (closed loop) or an arrival rate in req/s (open loop)."""

    id: str
    concurrency: float | None = None
    rate: float | None = None

    @property
    def load(self) -> float:
        """Return what levels are ordered by: the concurrency, else the rate."""
        return self.concurrency if self.concurrency is not None else self.rate or 0.0


@dataclass(frozen=True, slots=True)
class Series:
    """One engine configuration and its levels, by rising load."""

    table: SeriesTable
    levels: tuple[Level, ...]

    @property
    def id(self) -> str:
        """Return the id: the folder's name."""
        return self.table.id

    @property
    def label(self) -> str:
        """Return the name a reader knows it by: engine and precision, else the id."""
        named = [part for part in (self.table.engine, self.table.precision) if part]
        return " ".join(named) if self.table.engine else self.id


@dataclass(frozen=True, slots=True)
class Integrity:
    """How the data compare with MANIFEST.json; ``changed`` names the files that differ, are gone or are new."""

    status: Literal["absent", "intact", "changed"]
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """One campaign as read from its folder: what was declared, and every number found."""

    id: str
    file: RoundFile
    series: tuple[Series, ...]
    observations: tuple[Observation, ...]
    integrity: Integrity
    data_sha256: str
    prose: tuple[Prose, ...] = ()

    @property
    def title(self) -> Text:
        """Return the title in both languages."""
        return self.file.round.title.text()

    @property
    def baseline(self) -> Series | None:
        """Return the series that the others are compared with, if the round names one."""
        return next((s for s in self.series if s.id == self.file.round.baseline), None)

    @property
    def compared(self) -> tuple[Series, ...]:
        """Return the series that are compared with the baseline; none without a baseline."""
        return tuple(s for s in self.series if self.baseline is not None and s.id != self.baseline.id)

    @property
    def load_label(self) -> Text:
        """Return what the load of this round is called: concurrency in a closed loop, else arrival rate."""
        closed = all(level.concurrency is not None for series in self.series for level in series.levels)
        return Text(zh="并发", en="concurrency") if closed else Text(zh="到达率 req/s", en="arrival rate, req/s")

    def prose_of(self, section: str, lang: Lang) -> Prose | None:
        """Return what the authors wrote for a section."""
        return next((one for one in self.prose if (one.section, one.lang) == (section, lang)), None)

    def series_by_id(self, series: str) -> Series:
        """Return one series by its id."""
        return next(s for s in self.series if s.id == series)

    def label(self, series: str) -> str:
        """Return the name of a series that no other series of the round shares."""
        label = self.series_by_id(series).label
        shared = sum(1 for s in self.series if s.label == label) > 1
        return f"{label} ({series})" if shared else label
