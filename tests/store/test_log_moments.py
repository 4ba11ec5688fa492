from __future__ import annotations

from pathlib import Path
from typing import Final

from generator.declared.round_tables import SeriesTable
from generator.logs.llamacpp import EVENTS
from generator.model import Level, Series, Trial
from generator.runs.requests import Requests
from generator.runs.server_times import ServerTimes
from generator.store.log_moments import times_in
from generator.store.server_log import read_server_logs
from tests.support.memory_round import GRAPH
from tests.support.request_rows import answer, requests_of
from tests.support.sampled import put_own_run
from tests.support.server_logs import events_of
from tests.support.telling import catalogue

ENGINE: Final = catalogue().engines["llamacpp"]
LAUNCH: Final = "slot launch_slot_: id  0 | task {task} | processing task, is_child = 0"


def launched(task: int, ns: int, own: str = "") -> str:
    return f"{ns} 2026-01-01T00:00:00.0Z | {own}{LAUNCH.format(task=task)}\n"


def launches(times: ServerTimes | None) -> list[float]:
    assert times is not None
    return [round(time, 6) for time in times.of("launch").tolist()]


def test_moments_are_seconds_after_the_first_sending() -> None:
    log = launched(1, 10_500_000_000) + launched(2, 12_000_000_000)

    times = times_in(ENGINE, events_of(log, EVENTS), 10.0, "server.log")

    assert launches(times) == [0.5, 2.0]
    assert times is not None
    assert times.of("error").tolist() == []


def test_the_time_of_the_log_itself_is_finer() -> None:
    # The second line was read 40 ms late: by its own time it was written 1 s after the first.
    log = launched(1, 10_500_000_000, "0.01.000.000 I ") + launched(2, 11_540_000_000, "0.02.000.000 I ")

    assert launches(times_in(ENGINE, events_of(log, EVENTS), 10.0, "server.log")) == [0.5, 1.5]


def test_a_log_without_our_clock_tells_no_moments() -> None:
    log = f"0.01.000.000 I {LAUNCH.format(task=1)}\n"

    assert times_in(ENGINE, events_of(log, EVENTS), 10.0, "server.log") is None


def test_a_part_of_a_log_that_lacks_kinds_tells_none() -> None:
    events = dict(events_of(launched(1, 10_500_000_000), EVENTS))
    del events["kv_full"]

    assert times_in(ENGINE, events, 10.0, "server.log") is None


def test_a_log_beside_a_run_is_put_on_its_clock(tmp_path: Path) -> None:
    trial = tmp_path / "s" / "levels" / "c1" / "1"
    put_own_run(trial, 10.0, 13.0)
    (trial / "server.log").write_text(launched(1, 10_500_000_000) + launched(2, 12_000_000_000))
    series = Series(SeriesTable(id="s"), (Level("c1", 1.0, from_runs=True),))

    found = read_server_logs(tmp_path, [series], GRAPH.places(), catalogue().engines)

    assert {run: launches(times) for run, times in found.times.items()} == {("s", "c1", None): [0.5, 2.0]}
    assert found.times["s", "c1", None].file == "s/levels/c1/1/server.log"


def test_the_log_of_a_series_is_put_on_the_clock_of_each_of_its_runs(tmp_path: Path) -> None:
    requests: dict[Trial, Requests] = {}
    log = ""
    for number, level in enumerate(("c1", "c2")):
        begin = 10.0 + 10 * number
        put_own_run(tmp_path / "s" / "levels" / level / "1", begin, begin + 3)
        requests["s", level, None] = requests_of(answer(0.5, start=0.0), answer(0.5, start=1.0))
        log += launched(2 * number, int((begin + 0.25) * 1e9)) + launched(2 * number + 1, int((begin + 1.5) * 1e9))
    (tmp_path / "s" / "server.log").write_text(log)
    series = Series(SeriesTable(id="s"), tuple(Level(name, 1.0, from_runs=True) for name in ("c1", "c2")))

    found = read_server_logs(tmp_path, [series], GRAPH.places(), catalogue().engines, requests)

    assert [launches(found.times["s", level, None]) for level in ("c1", "c2")] == [[0.25, 1.5], [0.25, 1.5]]
