from __future__ import annotations

from pathlib import Path

import pytest

from generator.store.run_window import Window, window_of
from tests.support.sampled import put_own_run

AT_NINE = 1777626000.0
"""2026-05-01T09:00:00Z in seconds since 1970."""


def test_a_run_of_ours_is_on_both_clocks(tmp_path: Path) -> None:
    put_own_run(tmp_path, 7.0, 9.5, started="2026-05-01T09:00:00Z")

    assert window_of(tmp_path, tmp_path) == Window((7.0, 9.5), (AT_NINE, AT_NINE + 2.5), AT_NINE)


def test_where_requests_were_sent_before_only_the_monotonic_clock_is_known(tmp_path: Path) -> None:
    put_own_run(tmp_path, 7.0, 9.5, started="2026-05-01T09:00:00Z", warm=1)

    assert window_of(tmp_path, tmp_path) == Window((7.0, 9.5), None, AT_NINE)


@pytest.mark.parametrize("started", [None, "2026-05-01T09:00:00", "20260501-090000", "yesterday"])
def test_a_time_without_a_zone_is_none(tmp_path: Path, started: str | None) -> None:
    put_own_run(tmp_path, 7.0, 9.5, started=started)

    found = window_of(tmp_path, tmp_path)

    assert (found.utc, found.started) == (None, None)


def test_a_run_that_never_began_has_no_span(tmp_path: Path) -> None:
    put_own_run(tmp_path, 0.0, 0.0)

    assert window_of(tmp_path, tmp_path).monotonic is None


def test_of_a_file_of_another_tool_nothing_is_known(tmp_path: Path) -> None:
    assert window_of(tmp_path, tmp_path) == Window()
