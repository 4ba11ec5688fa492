from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from generator.declared.round_tables import SeriesTable
from generator.model import Level, Series
from generator.runs.imported import Reported, Run
from generator.store.level_file import level_json
from generator.store.log_runs import LoggedRun, runs_without_log
from tests.support.run_rounds import SLOW
from tests.support.sampled import put_own_run

SERIES = Series(SeriesTable(id="s"), (Level("c1", 1.0, from_runs=True),))
TRIAL = "s/levels/c1/1"


def put(folder: Path, started: str | None, *reported: Reported) -> None:
    (folder / TRIAL).mkdir(parents=True)
    told = (Reported("duration", "duration", "s", 30.0), *reported)
    run = Run(tool="another", started=started, concurrency=1, reported=told)
    (folder / TRIAL / "level.json").write_bytes(level_json(run, None))


def only_run(folder: Path) -> LoggedRun:
    [run] = runs_without_log(folder, [SERIES], {})
    return run


def test_a_local_time_is_taken_as_its_clock_showed_it(tmp_path: Path) -> None:
    put(tmp_path, "2026-07-01T12:00:00", Reported("completed", "completed", "1", 8), Reported("failed", "f", "1", 2))

    run = only_run(tmp_path)

    noon = datetime(2026, 7, 1, 12, tzinfo=UTC).timestamp()
    assert (run.wall, run.has_zone, run.started) == ((noon, noon + 30), False, noon)
    assert (run.sent, run.answered) == (10, 8)


def test_a_time_with_its_zone_is_utc(tmp_path: Path) -> None:
    put(tmp_path, "2026-07-01T14:00:00+02:00")

    run = only_run(tmp_path)

    noon = datetime(2026, 7, 1, 12, tzinfo=UTC).timestamp()
    assert (run.wall, run.has_zone) == ((noon, noon + 30), True)
    assert (run.sent, run.answered) == (None, None)


def test_a_run_of_our_own_has_its_place_on_our_clock(tmp_path: Path) -> None:
    put_own_run(tmp_path / TRIAL, 5.0, 6.0)

    assert only_run(tmp_path).monotonic == (5.0, 6.0)


def test_a_time_that_is_none_is_not_known(tmp_path: Path) -> None:
    put(tmp_path, "9999-12-31T23:00:00")

    assert only_run(tmp_path).wall is None


def test_requests_are_counted_where_they_are_on_record(tmp_path: Path) -> None:
    put(tmp_path, None)

    [run] = runs_without_log(tmp_path, [SERIES], {("s", "c1", None): SLOW})

    assert (run.sent, run.answered) == (5, 4)  # one of five failed


def test_a_run_with_a_log_of_its_own_is_left_out(tmp_path: Path) -> None:
    put(tmp_path, None)
    (tmp_path / TRIAL / "server.log").write_bytes(b"")

    assert list(runs_without_log(tmp_path, [SERIES], {})) == []
