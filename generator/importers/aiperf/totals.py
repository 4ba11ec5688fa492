"""How many requests an export of AIPerf tells of: it counts the answered ones, and the failed ones only if any did."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from generator.errors import InputError, quote
from generator.importers.aiperf.names import ERRORS, UNITS
from generator.mapping import Mapped
from generator.runs.imported import Reported
from generator.store.foreign import number, pick, reported_in


def counted(document: Any, mapping: Iterable[Mapped], file: str) -> tuple[Reported, ...]:  # noqa: ANN401 - any JSON
    """Return the numbers of an export, with the requests that were sent.

    Raises:
        InputError: a number cannot be what the mapping says, or stands in another unit.
    """
    mapping = tuple(mapping)
    _refuse_other_units(document, mapping, file)
    found = {one.metric: one for one in reported_in(document, mapping, file)}
    failed = _failed(document)
    if "completed" not in found and failed is not None:
        found["completed"] = Reported("completed", _answered_key(mapping), "1", 0.0)
    completed = found.get("completed")
    if completed is not None:
        key = completed.key if failed is None else f"{completed.key} + {failed.key}"
        total = completed.value + (failed.value if failed is not None else 0.0)
        found["requests"] = Reported("requests", key, "1", total)
    return tuple(found.values())


def _failed(document: Any) -> Reported | None:  # noqa: ANN401 - any JSON
    """Return the failed requests; None where the export has no such number, as it has where none failed."""
    for key in ERRORS:
        value = number(pick(document, key))
        if value is not None and value >= 0:
            return Reported("failed", key, "1", value)
    return None


def _answered_key(mapping: Iterable[Mapped]) -> str:
    return next(mapped.field for mapped in mapping if mapped.metric == "completed")


def _refuse_other_units(document: Any, mapping: Iterable[Mapped], file: str) -> None:  # noqa: ANN401 - any JSON
    for mapped in mapping:
        name = mapped.field.removesuffix(".{}").removesuffix(".avg")
        unit = pick(document, f"{name}.unit")
        if mapped.why is None and isinstance(unit, str) and unit not in UNITS[mapped.unit]:
            problem = f"{quote(name)} is in {quote(unit)}, where {UNITS[mapped.unit][0]} is known"
            raise InputError(file, "", problem, "export it with a version of the tool that is known")
