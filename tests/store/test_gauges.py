from __future__ import annotations

from pathlib import Path

import numpy as np

from generator.declared.round_tables import SeriesTable
from generator.model import Level, Series, Trial
from generator.runs.gauges import Gauges
from generator.store.gauges import gauges_in
from generator.store.telemetry import read_telemetry
from generator.telemetry.own_samples import read
from tests.support.memory_round import GRAPH
from tests.support.sampled import Line, put_own_run, put_samples

RUN: Trial = ("s", "c1", None)


def said(folder: Path, lines: list[Line], begin: float = 0.0) -> Gauges | None:
    return gauges_in(read(put_samples(folder / "samples.parquet", lines)), begin)


def test_readings_of_one_source_are_rows(tmp_path: Path) -> None:
    found = said(
        tmp_path,
        [(10.0, "engine", {"running": 1, "waiting": 2, "kv_usage": 0.5}), (11.0, "engine", {"running": 3})],
        begin=9.0,
    )

    assert found is not None
    # the moments are those at which the use of the pool was read
    assert (found.t.tolist(), found.running.tolist(), found.waiting.tolist()) == ([1.0], [1], [2])
    assert found.kv_usage.tolist() == [0.5]
    assert np.isnan(found.tokens).all()


def test_slots_lead_where_no_share_is_said_and_the_rest_is_of_the_nearest_moment(tmp_path: Path) -> None:
    lines: list[Line] = [
        (10.02, "engine", {"running": 1, "waiting": 5}),
        (11.03, "engine", {"running": 2, "waiting": 6}),
        (10.0, "slots", {"running": 1, "slot_tokens": 100}),
        (11.0, "slots", {"running": 2, "slot_tokens": 200}),
        (14.0, "slots", {"running": 2, "slot_tokens": 300}),
    ]
    found = said(tmp_path, lines)

    assert found is not None
    assert found.t.tolist() == [10, 11, 14]
    assert found.slot_tokens.tolist() == [100, 200, 300]
    assert found.waiting.tolist()[:2] == [5, 6]
    assert np.isnan(found.waiting[2])  # nothing was read within half a second


def test_running_is_of_the_slots_where_metrics_do_not_say(tmp_path: Path) -> None:
    found = said(tmp_path, [(10.0, "slots", {"running": 4, "slot_tokens": 100})])

    assert found is not None
    assert found.running.tolist() == [4]


def test_samples_of_no_engine_are_no_gauges(tmp_path: Path) -> None:
    assert said(tmp_path, [(10.0, "gpu0", {"power": 60.0})]) is None


def test_a_session_is_cut_to_each_run(tmp_path: Path) -> None:
    lines: list[Line] = [(100.0 + t, "engine", {"running": float(t), "kv_usage": t / 10}) for t in range(10)]
    put_samples(tmp_path / "s/sessions/1/samples.parquet", lines)
    put_own_run(tmp_path / "s/levels/c1/1", 102.5, 105.5)
    series = Series(SeriesTable(id="s"), (Level("c1", 1.0, from_runs=True),))

    gauges = read_telemetry(tmp_path, [series], GRAPH.places()).gauges[RUN]

    # 103, 104 and 105 s, counted from 102.5 s
    assert gauges.t.tolist() == [0.5, 1.5, 2.5]
    assert gauges.running.tolist() == [3, 4, 5]


def test_a_run_on_another_clock_has_none(tmp_path: Path) -> None:
    put_samples(tmp_path / "s/sessions/1/samples.parquet", [(100.0, "engine", {"running": 1})])
    put_own_run(tmp_path / "s/levels/c1/1", 900.0, 905.0)
    series = Series(SeriesTable(id="s"), (Level("c1", 1.0, from_runs=True),))

    assert read_telemetry(tmp_path, [series], GRAPH.places()).gauges == {}
