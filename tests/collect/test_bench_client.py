"""The benchmark's own servers, and with them the stamps of the client against times that are known."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.bench_client import (
    CLIENTS,
    FIFO,
    OTHER,
    SOURCES,
    Scenario,
    Turn,
    built,
    fifo_allowed,
    measured,
    report,
    schedulers_for,
)

pytestmark = pytest.mark.slow

SMALL = Scenario(4, 10, "step", seconds=0.4)
NEEDS_CC = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


@NEEDS_CC
@pytest.mark.parametrize("name", ["mock", "floor"])
def test_the_programs_compile_without_a_warning(name: str, tmp_path: Path) -> None:
    words = ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(tmp_path / name), str(SOURCES / f"{name}.c"), "-lm"]
    subprocess.run(words, check=True)


@pytest.mark.parametrize("server", [pytest.param("C", marks=NEEDS_CC), "Python"])
def test_no_stamp_is_before_the_truth_and_most_are_close(server: str, tmp_path: Path) -> None:
    tools = built(tmp_path) if server == "C" else {"mock": [sys.executable, str(SOURCES / "slow_mock.py")]}
    turn = measured("rounds", SMALL, tools, tmp_path, fifo=False)
    assert turn.seen is not None
    assert turn.seen.shape == (8, 20)  # 2 × 4 requests, 0.4 s ÷ 10 ms ÷ 2 tokens
    assert turn.errors_us.min() > -50  # the offset between the clocks is known to less
    assert np.median(turn.errors_us) < 20_000  # 20 ms: other tests may hold up the server between its note and its send


@NEEDS_CC
@pytest.mark.parametrize("name", ["floor", "aiohttp", "httpx"])
def test_those_it_is_measured_against(name: str, tmp_path: Path) -> None:
    turn = measured(name, SMALL, built(tmp_path), tmp_path, fifo=False)
    assert (turn.chunks, turn.cpu_us > 0) == (160, True)
    assert name == "floor" or turn.errors_us.min() > 0


def test_numbers_of_a_turn_by_hand() -> None:
    # Sent every 10 ms; seen 1 µs, 2 µs and 12 µs later: gaps of 10.001 and 10.010 ms.
    sent = np.array([[0, 10_000_000, 20_000_000]])
    turn = Turn(1.0, 1.0, 3, seen=sent + np.array([1000, 2000, 12_000]), sent=sent)
    assert turn.errors_us.tolist() == [[1, 2, 12]]
    assert turn.itl_p99_ms(turn.seen) == pytest.approx(10.00991)  # 99 % of the way from 10.001 to 10.010


@pytest.mark.parametrize(
    ("asked", "allowed", "taken"),
    [
        ("both", True, [OTHER, FIFO]),
        ("both", False, [OTHER]),
        (FIFO, True, [FIFO]),
        (FIFO, False, [OTHER]),
        (OTHER, True, [OTHER]),
    ],
)
def test_the_schedulers_that_are_measured_under(
    asked: str, allowed: bool, taken: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert schedulers_for(asked, allowed) == taken
    assert ("not permitted" in capsys.readouterr().out) == (not allowed)


def test_to_ask_whether_it_is_allowed_changes_nothing() -> None:
    before = os.sched_getscheduler(0)
    fifo_allowed()
    assert os.sched_getscheduler(0) == before


@pytest.mark.parametrize("scheduler", [OTHER, FIFO])
def test_each_table_says_under_which_scheduler_it_was_taken(scheduler: str, capsys: pytest.CaptureFixture[str]) -> None:
    report(SMALL, scheduler, {name: [] for name in CLIENTS})
    assert f"4 × 10 ms step, {scheduler}: 400 chunks/s offered" in capsys.readouterr().out  # 4 ÷ 10 ms
