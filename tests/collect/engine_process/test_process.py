from __future__ import annotations

import os
import platform
import signal
import time
from pathlib import Path

import pytest

from generator.collect.engine_process.failure import EngineError
from generator.collect.engine_process.log_format import last_lines, parse
from generator.collect.engine_process.process import start
from generator.collect.engine_process.task import Task
from generator.errors import InputError
from tests.collect.engine_process.toys import (
    DEAF,
    RUNAWAY,
    SLEEP,
    engine,
    marked,
    said,
    task,
    until,
    with_argument,
)

THREAD_EXIT = {"x86_64": 60, "aarch64": 93}
"""The number of the system call that ends one thread alone, by the kind of machine."""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "server.log"


def test_it_runs_until_it_is_stopped(log: Path) -> None:
    mark = marked()
    before = time.monotonic_ns()
    with engine(log, task(SLEEP, mark)) as process:
        assert before < process.spawned_ns < time.monotonic_ns()
        assert until(said(log, "here"))
        assert with_argument(mark) == {process.pid}
        assert process.exit_code is None
        stopped = process.stop()
    assert (stopped.code, stopped.killed, stopped.left) == (-signal.SIGTERM, 0, ())
    assert with_argument(mark) == set()


def test_to_stop_it_twice_is_to_stop_it_once(log: Path) -> None:
    with engine(log, task(SLEEP)) as process:
        assert process.stop() is process.stop()


def test_it_is_in_a_session_of_its_own(log: Path) -> None:
    with engine(log, task(SLEEP)) as process:
        assert os.getsid(process.pid) == process.pid != os.getsid(0)


def test_it_has_the_environment_that_it_was_given(log: Path) -> None:
    script = "import os; print(sorted(name for name in os.environ if name != 'LC_CTYPE'))"
    wanted = task(script)
    with engine(log, Task(wanted.argv, {"ONLY": "this"}, wanted.folder, 1)) as process:
        assert until(lambda: process.exit_code is not None)
    assert last_lines(log, 1) == ("['ONLY']",)


def test_its_exit_code_and_last_words_are_known(log: Path) -> None:
    with engine(log, task("import sys; print('no model'); sys.exit(7)")) as process:
        assert until(lambda: process.exit_code is not None)
        assert process.exit_code == 7
        assert last_lines(log, 5) == ("no model",)


def test_both_its_outputs_are_logged(log: Path) -> None:
    with engine(log, task("import sys; print('out'); print('err', file=sys.stderr)")) as process:
        assert until(lambda: process.exit_code is not None)
    assert last_lines(log, 5) == ("out", "err")


def test_what_stands_in_the_log_already_is_kept(log: Path) -> None:
    log.write_text("of yesterday\n")
    with engine(log, task("print('today')")) as process:
        assert until(lambda: process.exit_code is not None)
    assert last_lines(log, 5) == ("of yesterday", "today")


def test_a_program_that_is_not_there_is_an_error(log: Path) -> None:
    with pytest.raises(EngineError, match="cannot be started: No such file"):
        start(Task(["/no/such/engine"], {}, "/", 1), log)


def test_so_is_an_argument_that_no_program_can_have(log: Path) -> None:
    with pytest.raises(EngineError, match="cannot be started"):
        start(Task(["/bin/echo", "a\0b"], {}, "/", 1), log)


def test_so_is_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        start(task(SLEEP), tmp_path / "no-such-folder" / "server.log")


def test_one_that_ignores_the_request_to_end_is_killed(log: Path) -> None:
    mark = marked()
    with engine(log, task(DEAF, mark, grace_s=0.3)) as process:
        assert until(said(log, "here"))
        stopped = process.stop()
    assert (stopped.code, stopped.killed, stopped.left) == (-signal.SIGKILL, 1, ())
    assert stopped.seconds >= 0.3
    assert with_argument(mark) == set()


def test_a_grandchild_that_left_group_session_and_parent_is_found(log: Path) -> None:
    mark = marked()
    with engine(log, task(RUNAWAY, mark, grace_s=0.3)) as process:
        assert until(said(log, "runaway"))
        runaways = with_argument(mark) - {process.pid}
        assert len(runaways) == 1
        assert os.getsid(runaways.pop()) != process.pid
        stopped = process.stop()
    assert (stopped.code, stopped.killed, stopped.left) == (-signal.SIGTERM, 1, ())
    assert with_argument(mark) == set()


def test_what_outlives_the_engine_is_ended_too(log: Path) -> None:
    mark = marked()
    script = "import os, time\nif os.fork() == 0: print('child', flush=True); time.sleep(600)\n"
    with engine(log, task(script, mark)) as process:
        assert until(lambda: process.exit_code is not None)
        assert process.exit_code == 0
        assert until(said(log, "child"))
        assert len(with_argument(mark)) == 1
    assert with_argument(mark) == set()


@pytest.mark.skipif(platform.machine() not in THREAD_EXIT, reason="knows the number of the system call on Linux only")
def test_one_whose_first_thread_has_ended_is_not_taken_for_dead(log: Path) -> None:
    mark = marked()
    script = (
        "import ctypes, signal, threading, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "def work():\n"
        "    while True: print('working', flush=True); time.sleep(0.05)\n"
        "threading.Thread(target=work).start()\n"
        f"ctypes.CDLL(None).syscall({THREAD_EXIT[platform.machine()]}, 0)"
    )
    with engine(log, task(script, mark, grace_s=0.3)) as process:
        assert until(lambda: ") Z " in Path(f"/proc/{process.pid}/stat").read_text())
        assert until(said(log, "working"))
        stopped = process.stop()
    assert (stopped.code, stopped.killed, stopped.left) == (-signal.SIGKILL, 1, ())


def test_words_said_while_it_ends_are_kept(log: Path) -> None:
    script = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: (print('x' * 300_000, 'bye'), sys.exit(3)))\n"
        "print('here', flush=True); time.sleep(600)"
    )
    with engine(log, task(script)) as process:
        assert until(said(log, "here"))
        assert process.stop().code == 3
    assert "bytes cut" in last_lines(log, 1)[0]


@pytest.mark.slow
def test_a_hundred_megabytes_of_log_hold_nobody_up(log: Path) -> None:
    # 96 MB in lines that are cut, 4 MB in short ones: 40 000 lines of 100 bytes.
    script = (
        "import sys\nout = sys.stdout.buffer\n"
        "for _ in range(96): out.write(b'x' * 999_999 + b'\\n')\n"
        "for n in range(40_000): out.write(b'%099d\\n' % n)\n"
    )
    with engine(log, task(script)) as process:
        assert until(lambda: process.exit_code is not None, 120)
        assert process.exit_code == 0
    lines = log.read_text().splitlines()
    assert len(lines) == 96 + 40_000
    assert lines[-1].endswith("39999")
    times = [parsed.mono_ns for line in lines if (parsed := parse(line)) is not None]
    assert len(times) == len(lines)
    assert times == sorted(times)


def test_one_that_floods_the_log_can_be_stopped(log: Path) -> None:
    with engine(log, task("while True: print('flood ' * 20)")) as process:
        assert until(said(log, "flood"))
        begun = time.monotonic()
        stopped = process.stop()
    assert stopped.code == -signal.SIGTERM
    # 16 MiB may wait to be written, at some megabytes a second.
    assert time.monotonic() - begun < 15


def test_binary_output_becomes_lines_of_text(log: Path) -> None:
    script = "import os, sys; sys.stdout.buffer.write(bytes(range(256)) * 40); print(); print('after')"
    with engine(log, task(script)) as process:
        assert until(lambda: process.exit_code is not None)
    assert last_lines(log, 1) == ("after",)
    assert all(line.isprintable() or "\t" in line for line in log.read_text().split("\n"))


def test_no_secret_of_its_start_gets_into_its_log(log: Path) -> None:
    script = "import os, sys; print(sys.argv, os.environ['MY_API_KEY'], os.environ['HF_TOKEN'])"
    secrets = ("planted-one", "planted-two", "planted-three")
    wanted = task(script, "--api-key", secrets[0], MY_API_KEY=secrets[1], HF_TOKEN=secrets[2])
    with engine(log, wanted) as process:
        assert until(lambda: process.exit_code is not None)
    text = log.read_text()
    assert "--api-key" in text
    assert "planted" not in text
