"""What is said of the records of a run beside their numbers."""

from __future__ import annotations

from generator.importers.aiperf.records import Records
from generator.runs.imported import IMPOSSIBLE_TIMES


def told_of_records(records: Records) -> dict[str, float]:
    """Return entries of a summary: what was left out of the records, and what their clock did."""
    told = {"warm_up_records": float(records.warm_ups)} if records.warm_ups else {}
    if records.rows.impossible:
        told[IMPOSSIBLE_TIMES] = float(records.rows.impossible)
    if records.steps:
        told["client_clock_steps"] = float(records.steps)
        told["clock_moved_s"] = float(round(records.moved))
    return told
