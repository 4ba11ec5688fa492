"""Samples of GPUs and processes beside the runs: cut to each run where both clocks are known, and of a whole series.

    gpu.csv, nvidia-smi.csv, dmon.txt, nvidia-smi-q.txt, nvidia-smi-q.xml, samples.parquet
        beside round.toml, in a series, in <series>/sessions/<n>, or in the folder of a run

What lies in the folder of a run is of that run, and is cut to it where that can be done. What lies above is of a run
only where it can be cut to it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.kinds import Metric
from generator.model import Series
from generator.places import Place
from generator.store.beside import Beside, Sought, reasons_for, sought
from generator.store.collected import sessions_of
from generator.store.files import refuse_outside, unreadable
from generator.store.gauges import gauges_in
from generator.store.run_window import Window, window_of
from generator.store.runs import trials_of
from generator.telemetry import own_samples
from generator.telemetry.files import SAMPLE_FILES, read_samples
from generator.telemetry.samples import Clock, Samples
from generator.telemetry.statistics import STATISTICS, Span, merged
from generator.text import Text, same
from generator.values import Address, Origin, Source

CUT_BY: Mapping[Clock, str] = {"monotonic": "cut to the run by CLOCK_MONOTONIC", "utc": "cut to the run by UTC"}
WHOLE = "whole file"

NOT_IN_FILE = Text(zh="{file} 里没有这一项", en="{file} does not have it")
WORD_IN_FILE = Text(zh="{file} 里这一项写的是 {word}", en="{file} says {word} in its place")
NO_SAMPLE = Text(zh="{file} 没有一个采样落在这次运行的时间里", en="no sample of {file} falls into the time of the run")
NO_CLOCK = Text(
    zh="{file} 与这次运行没有共同的时钟，切不出属于它的采样",
    en="{file} and the run share no clock that is known, so its samples cannot be told from others",
)


@dataclass(frozen=True, slots=True)
class Part:
    """Samples that are of a run or a series, the file that they are from, and the span that they were cut to."""

    file: str
    samples: Samples
    span: Span | None = None

    @property
    def place(self) -> str:
        """Return how many numbers, by which clock."""
        how = CUT_BY[self.samples.clock] if self.span is not None else WHOLE
        return f"{len(self.samples)} numbers of {self.samples.tool}, {how}"


Parts = Sequence[Part]
"""Samples that go together: of one file, or of the sessions of a series."""


def read_telemetry(folder: Path, series: Sequence[Series], places: Mapping[Place, Metric]) -> Beside:
    """Read the samples beside the runs of a round.

    Args:
        folder: the round's folder.
        series: the series with their levels.
        places: every place where a number may be written down, and the metric it is of.

    Raises:
        InputError: a file of samples cannot be read, or leads out of the round.
    """
    wanted, beside = sought(places, "telemetry"), Beside()
    of_round = _files_in(folder, folder)
    for one in series:
        own = _files_in(folder / one.id, folder)
        sessions = [part for path in sessions_of(folder / one.id) for part in _files_in(path, folder)]
        of_series = [[part] for part in own] + ([sessions] if sessions else [])
        if len(series) == 1:
            of_series += [[part] for part in of_round]
        _take(of_series, wanted.get("series", ()), Address("", "series", one.id), beside)
        for trial, where in trials_of(folder, one):
            found = _of_run(trial, folder, [*own, *sessions, *of_round], beside, wanted.get("level", ()), where)
            _take(found, wanted.get("level", ()), where, beside)
            _keep_gauges(found, where, beside)
    return beside


def _files_in(path: Path, folder: Path) -> list[Part]:
    """Return the samples in a folder, a part a file."""
    found = []
    for name in SAMPLE_FILES:
        file = path / name
        if os.path.lexists(file):
            try:
                refuse_outside(file, folder)
            except (OSError, RuntimeError) as error:
                raise unreadable(file, error) from error
            found.append(Part(file.relative_to(folder).as_posix(), read_samples(file)))
    return found


def _of_run(
    trial: Path, folder: Path, above: Parts, beside: Beside, wanted: Sequence[Sought], where: Address
) -> list[Parts]:
    """Return the samples that are of a run, those of its own folder first; note why there are none."""
    own = _files_in(trial, folder)
    if not own and not above:
        return []
    window = window_of(trial, folder).on_wall_clock(part.samples for part in (*own, *above))
    mine = [_cut(part, window) or part for part in own]
    cut = [found for part in above if (found := _cut(part, window)) is not None]
    for part in [] if mine or cut else above:
        beside.unread |= reasons_for(wanted, where, NO_CLOCK.format(file=same(part.file)))
    return [[part] for part in (*mine, *cut)]


def _cut(part: Part, window: Window) -> Part | None:
    span = window.span_on(part.samples)
    return None if span is None else Part(part.file, part.samples.between(*span), span)


def _take(candidates: Sequence[Parts], wanted: Iterable[Sought], where: Address, beside: Beside) -> None:
    """Take each number from the first samples that tell it; where none does, note why."""
    for one in wanted if candidates else ():
        for parts in candidates:
            value = _value(one.name, parts)
            if value is not None:
                source = Source(", ".join(part.file for part in parts), "; ".join({part.place: 0 for part in parts}))
                beside.observations.append(one.found(where, value, _origin(parts), source))
                break
        else:
            beside.unread[one.at(where)] = _reason(one.name, candidates[0])


def _keep_gauges(candidates: Sequence[Parts], where: Address, beside: Beside) -> None:
    """Keep what the engine said during a run, of the first samples that tell and share the clock of its requests."""
    for part in (part for parts in candidates for part in parts):
        if part.span is not None and part.samples.clock == "monotonic":
            gauges = gauges_in(part.samples, part.span[0])
            if gauges is not None:
                beside.gauges.setdefault((where.series or "", where.level or "", where.trial), gauges)


def _value(name: str, parts: Parts) -> float | None:
    statistic = STATISTICS[name]
    numbers = [(statistic.compute(part.samples, part.span), len(part.samples)) for part in parts]
    known = [(number, count) for number, count in numbers if number is not None]
    return merged(known, statistic.merge) if known else None


def _origin(parts: Parts) -> Origin:
    return "measured" if all(part.samples.tool == own_samples.TOOL for part in parts) else "reported"


def _reason(name: str, parts: Parts) -> Text:
    part, file = parts[0], same(parts[0].file)
    if not len(part.samples) and part.span is not None:
        return NO_SAMPLE.format(file=file)
    word = part.samples.missing.get(STATISTICS[name].field)
    return WORD_IN_FILE.format(file=file, word=same(word)) if word else NOT_IN_FILE.format(file=file)
