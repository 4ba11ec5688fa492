"""Whatever ends the collector, its engine ends as well, and all that the engine started."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.collect.engine_process.toys import DEAF, RUNAWAY, SLEEP, engine, marked, said, task, until, with_argument

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks processes up in /proc")

GONE_S = 5.0
ROOT = Path(__file__).parents[3]


def collector(log: Path, script: str, mark: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.collect.engine_process.collector", str(log), script, mark]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def wait_until_started(process: subprocess.Popen[bytes]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == b"started\n"


def supervisors_of(process: int) -> set[int]:
    """Return the supervisors that a process started; their last argument is its id."""
    return with_argument(f"engine_process.supervisor\0{process}\0")


def left_of(process: subprocess.Popen[bytes], mark: str) -> set[int]:
    return with_argument(mark) | supervisors_of(process.pid)


@pytest.mark.parametrize(
    ("script", "words"),
    [(SLEEP, "here"), (DEAF, "here"), (RUNAWAY, "runaway")],
    ids=["ends when asked", "deaf", "with a runaway"],
)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_of_a_collector_that_is_ended(
    script: str, words: str, number: signal.Signals, tmp_path: Path
) -> None:
    mark, log = marked(), tmp_path / "server.log"
    with collector(log, script, mark) as process:
        wait_until_started(process)
        assert until(said(log, words))
        process.send_signal(number)
        process.wait(30)
        # After Ctrl-C the collector itself waits for the engine to end, as long as that may take.
        assert until(lambda: not left_of(process, mark), GONE_S)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_nothing_is_left_of_one_that_is_killed_at_a_random_moment(seed: int, tmp_path: Path) -> None:
    mark = marked()
    script = RUNAWAY if seed % 2 else SLEEP
    with collector(tmp_path / "server.log", script, mark) as process:
        # It takes some 0.3 s to start itself, its supervisor and the engine; on a busy machine more.
        time.sleep(random.Random(seed).uniform(0.0, 1.5))
        process.kill()
        process.wait(30)
        assert until(lambda: not left_of(process, mark), GONE_S)
        time.sleep(0.2)
        assert not left_of(process, mark)


def test_the_supervisor_is_no_weak_point(tmp_path: Path) -> None:
    mark, log = marked(), tmp_path / "server.log"
    with engine(log, task(SLEEP, mark)) as process:
        assert until(said(log, "here"))
        os.kill(_parent(process.pid), signal.SIGKILL)
        assert until(lambda: not with_argument(mark), GONE_S)
        assert until(lambda: process.exit_code is not None)
        assert process.stop().left == ()


def test_without_its_supervisor_children_of_the_engine_are_found_by_their_session(tmp_path: Path) -> None:
    mark, log = marked(), tmp_path / "server.log"
    script = "import os, time\nchild = os.fork() == 0\nprint('child' if child else 'parent')\ntime.sleep(600)"
    with engine(log, task(script, mark)) as process:
        assert until(said(log, "child"))
        os.kill(_parent(process.pid), signal.SIGKILL)
        assert until(lambda: process.exit_code is not None)
        assert process.stop().left == ()
        assert with_argument(mark) == set()


def _parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
