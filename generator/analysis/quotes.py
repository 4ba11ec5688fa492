"""What a reference of the authors' prose stands for in the data of a round."""

from __future__ import annotations

from generator.frame import Analysis
from generator.text import same
from generator.told.references import Reference
from generator.told.sentence import LevelName, Part, Quantity, SeriesName


def quoted(reference: Reference, analysis: Analysis) -> Part | None:
    """Return what a reference quotes; None where the round has no such metric, series or level."""
    match reference.function:
        case "typed":
            return same(reference.name)
        case "series":
            known = any(series.id == reference.name for series in analysis.round.series)
            return SeriesName(reference.name) if known else None
        case "level":
            return _level(reference, analysis)
        case _:
            return _value(reference, analysis)


def _level(reference: Reference, analysis: Analysis) -> LevelName | None:
    """Find a level by its id, in the first series that has it where none is named."""
    asked = reference.text("series")
    for series in analysis.round.series:
        if asked in (None, series.id) and any(level.id == reference.name for level in series.levels):
            return LevelName(series.id, reference.name)
    return None


def _value(reference: Reference, analysis: Analysis) -> Quantity | None:
    series, level, basis = (reference.text(key) for key in ("series", "level", "basis"))
    address = analysis.frame.find(reference.name, series, level, basis)
    if address is None:
        return None
    return Quantity(address, reference.style, reference.decimals, reference.text("unit"))
