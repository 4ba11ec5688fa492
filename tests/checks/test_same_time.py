from __future__ import annotations

from tests.support.example_rounds import published
from tests.support.machines import machine, ran_on, run
from tests.support.telling import found_by, said

CHECK = "same_time"
MORNING = run(started="2026-01-01T06:00:00Z")
EVENING = run(started="2026-01-01T20:00:00Z")
DAYS_LATER = run(started="2026-01-04T06:00:00Z")


def statuses(*machines: object) -> list[str]:
    named = {f"s{number}": one for number, one in enumerate(machines)}
    return [finding.status for finding in found_by(CHECK, ran_on(named))]  # type: ignore[arg-type]


def test_one_day_is_one_time() -> None:
    assert statuses(machine(runs=[MORNING]), machine(runs=[EVENING])) == ["pass"]


def test_days_between_two_series_are_told() -> None:
    round_ = ran_on({"a": machine(runs=[MORNING]), "b": machine(runs=[DAYS_LATER])})
    (finding,) = found_by(CHECK, round_)
    assert finding.status == "warn"
    assert "dates (2026-01-01 for a; 2026-01-04 for b)" in said(finding, round_)


def test_days_between_the_runs_of_one_series_are_told() -> None:
    round_ = ran_on({"a": machine(runs=[MORNING, DAYS_LATER])})
    spread, alone = sorted(found_by(CHECK, round_), key=lambda finding: finding.is_empty)
    assert (spread.status, spread.series, alone.is_empty) == ("warn", "a", True)
    assert "2026-01-01 – 2026-01-04" in said(spread, round_)


def test_where_one_has_no_date_nothing_is_the_same() -> None:
    assert statuses(machine(runs=[MORNING]), machine(runs=[EVENING]), machine()) == ["note"]
    assert statuses(machine({"date": "08-15"}), machine({"date": "2026-08-15"})) == ["note"]


def test_without_dates_it_is_unknown() -> None:
    assert statuses(machine(runs=[MORNING]), machine()) == ["unknown"]


def test_the_first_published_round_was_measured_on_two_days() -> None:
    (finding,) = found_by(CHECK, published("round-1"))
    assert finding.status == "warn"
    assert "08-15 for vLLM BF16; 08-24 for llama.cpp Q4_K_M" in said(finding, published("round-1"))
