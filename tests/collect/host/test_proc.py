"""CPU and memory, as psutil really gives them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import namedtuple
from collections.abc import Iterator

import psutil
import pytest

from generator.collect.host.proc import Machine, Processes
from generator.collect.host.readings import Reading

BUSY = """\
import time
end = time.process_time() + 0.3
while time.process_time() < end:
    pass
print("done", flush=True)
input()
"""


@pytest.fixture
def child() -> Iterator[subprocess.Popen[str]]:
    """A process that spends 0.3 s of CPU, says so, and waits."""
    with subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as it:
        yield it
        it.kill()


def by_field(readings: list[Reading]) -> dict[str, float | None]:
    return {one.field: one.value for one in readings}


def test_the_machine_says_how_busy_it_is() -> None:
    machine = Machine()
    time.sleep(0.05)
    found = by_field(machine.read())
    assert 0 <= (found["cpu_busy"] or 0) <= 1
    assert found["memory_total"] == psutil.virtual_memory().total
    assert (found["load_1min"] or 0) >= 0
    assert found.keys() == {
        "cpu_busy", "cpu_stolen", "memory_available", "memory_total", "load_1min", "context_switches", "cpu_frequency",
    }  # fmt: skip


def test_shares_are_of_the_time_since_the_last_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    times = namedtuple("times", "user system idle iowait steal guest")  # as psutil has it
    moments = iter([times(0, 0, 0, 0, 0, 0), times(30, 10, 50, 5, 5, 20)])
    monkeypatch.setattr(psutil, "cpu_times", lambda: next(moments))
    found = by_field(Machine().read())
    # 30 + 10 + 50 + 5 + 5 = 100 s in all; the guest's 20 s are in user's 30 already. Idle and waiting are 55.
    assert found["cpu_busy"] == pytest.approx(0.45)
    assert found["cpu_stolen"] == pytest.approx(0.05)


def test_two_readings_in_one_instant_have_no_share(monkeypatch: pytest.MonkeyPatch) -> None:
    still = psutil.cpu_times()
    monkeypatch.setattr(psutil, "cpu_times", lambda: still)
    assert Machine().read()[0] == Reading("host", "cpu_busy", None, "no time has passed")


@pytest.mark.parametrize("error", [psutil.AccessDenied(1), OSError(), NotImplementedError(), FileNotFoundError()])
def test_what_the_system_does_not_say_is_unknown(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail() -> None:
        raise error

    for name in ("virtual_memory", "cpu_stats", "cpu_freq", "getloadavg"):
        monkeypatch.setattr(psutil, name, fail)
    found = {one.field: one.reason for one in Machine().read() if one.value is None}
    assert {"memory_available", "context_switches", "cpu_frequency", "load_1min"} <= found.keys()
    assert found["load_1min"] == type(error).__name__


def test_a_process_is_charged_what_it_spends(child: subprocess.Popen[str]) -> None:
    ticks = iter([10.0, 12.0])
    watched = Processes("server", child.pid, clock=lambda: next(ticks))
    assert child.stdout is not None
    child.stdout.readline()
    found = by_field(watched.read())
    spent = found["cpu_time"]
    assert spent is not None
    assert 0.2 < spent < 2
    assert found["cpu"] == spent / 2  # cores: over the 2 s that the clock says
    assert found["processes"] == 1
    assert (found["rss"] or 0) > 2**20


def test_what_was_spent_before_is_not_charged(child: subprocess.Popen[str]) -> None:
    assert child.stdout is not None
    child.stdout.readline()  # its 0.3 s are over
    assert (by_field(Processes("server", child.pid).read())["cpu_time"] or 0) < 0.1


def test_descendants_are_counted_in_or_not(child: subprocess.Popen[str]) -> None:
    alone = by_field(Processes("client", tree=False).read())
    family = by_field(Processes("client", os.getpid()).read())
    assert alone["processes"] == 1
    assert (family["processes"] or 0) >= 2


def test_a_process_that_has_gone_is_none(child: subprocess.Popen[str]) -> None:
    watched = Processes("server", child.pid)
    child.kill()
    child.wait()
    assert watched.read() == [
        Reading("server", "processes", 0.0),
        Reading("server", "cpu", None, "no such process"),
    ]
