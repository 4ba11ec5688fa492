from __future__ import annotations

from itertools import chain, count, repeat

import pytest

from generator.collect.clock import Sample
from generator.collect.host import clock_look
from generator.collect.host.clock_look import look_at_clocks


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock_look, "BETWEEN_S", 0)


def still() -> Sample:
    return Sample(0, 0, 10)


def test_the_clock_of_this_machine_is_fit() -> None:
    seen = look_at_clocks()
    assert seen.monotonic
    assert seen.finest_s is not None
    assert seen.finest_s < 1e-3


def test_a_clock_that_goes_back_is_seen() -> None:
    readings = chain([1000, 2000, 1500], count(3000, 10))
    assert not look_at_clocks(lambda: next(readings), still).monotonic


def test_a_coarse_clock_is_measured_by_its_steps() -> None:
    # It moves by 4 ms every 100 readings.
    readings = (number // 100 * 4_000_000 for number in count())
    seen = look_at_clocks(lambda: next(readings), still)
    assert (seen.monotonic, seen.finest_s) == (True, 0.004)


def test_a_clock_that_stands_is_of_no_known_fineness() -> None:
    assert look_at_clocks(lambda: 7, still).finest_s is None


def test_a_wall_clock_that_is_set_meanwhile_is_seen() -> None:
    # Its offset is 0 at the first look, and a quarter of a second from then on.
    offsets = chain([0], repeat(250_000_000))
    at = count(0, 1000)
    seen = look_at_clocks(sample=lambda: Sample(next(at), next(offsets), 10))
    assert seen.steps_s == (0.25,)


@pytest.mark.parametrize(
    ("kernel", "kept"),
    [({"synchronised": False}, False), ({"synchronised": True, "offset_s": 0.0}, True), (None, None)],
)
def test_whether_anybody_keeps_it_right(kernel: dict[str, object] | None, kept: bool | None) -> None:
    assert look_at_clocks(sample=still, kernel=lambda: kernel).synchronised is kept
