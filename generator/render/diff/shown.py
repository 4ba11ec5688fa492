"""What the page of a comparison shows beside its rows: settings, findings, counts and conclusions, in one language."""

from __future__ import annotations

from dataclasses import dataclass

from generator.comparing.records import SettingStatus
from generator.render.diff.rows import Side
from generator.text import Text
from generator.told.findings import Status


@dataclass(frozen=True, slots=True)
class SettingView:
    """A setting of both sides, with its flag where it is a known one; ``series`` is empty where all have it so."""

    path: str
    title: str
    flag: str
    affects: str
    base: str
    head: str
    status: SettingStatus
    label: str
    series: str


@dataclass(frozen=True, slots=True)
class SideFinding:
    """What a check said on one side: its status and sentence, and where it is told whole."""

    status: Status
    label: str
    message: str
    round_id: str
    anchor: str


@dataclass(frozen=True, slots=True)
class FlawView:
    """What became of a finding."""

    check: str
    title: str
    series: str
    fate: str
    looks: str
    base: SideFinding | None
    head: SideFinding | None


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rows have a state."""

    label: str
    looks: str
    number: int

    @property
    def said(self) -> Text:
        """Return both, apart: a label may end in the name of a round, which may end in a number."""
        return Text(zh="{label}：{n}", en="{label}: {n}").format(label=self.label, n=self.number)


@dataclass(frozen=True, slots=True)
class FlawGroup:
    """Findings under one heading, and how many have each fate."""

    key: str
    title: str
    flaws: tuple[FlawView, ...]
    fates: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class ConclusionView:
    """What both rounds conclude of a pair; ``between`` are the levels around it in either round, of a crossover."""

    title: str
    unit: str
    series: str
    base: Side
    head: Side
    change: str
    between: str
