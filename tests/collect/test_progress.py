from __future__ import annotations

import io
import threading

import pytest

from generator.collect.progress import Progress

ESCAPE = "\x1b["


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")


def told(out: io.StringIO, *, quiet: bool = False) -> str:
    """Say two lines around two runs."""
    progress = Progress(out, quiet)
    with progress.runs(2):
        progress.begin("ref c1")
        progress.say("ref: c1 [bold]trial 1[/bold]: 3 answered in 0.1 s")
        progress.end()
        progress.begin("ref c2")
        progress.end()
    progress.say("over")
    return out.getvalue()


def test_what_is_no_terminal_gets_plain_lines_alone() -> None:
    assert told(io.StringIO()) == "ref: c1 [bold]trial 1[/bold]: 3 answered in 0.1 s\nover\n"


def test_a_terminal_shows_how_many_runs_are_done() -> None:
    shown = told(Terminal())
    assert ESCAPE in shown
    assert "0/2" in shown
    assert "1/2" in shown
    assert "ref c2" in shown
    # What is said stands above the bar as it is: nothing of it is taken for markup.
    assert "ref: c1 [bold]trial 1[/bold]: 3 answered in 0.1 s\n" in shown
    assert shown.endswith("over\n")


def test_a_dumb_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert ESCAPE not in told(Terminal())


def test_quiet_is_quiet_everywhere() -> None:
    assert told(Terminal(), quiet=True) == ""


def test_nothing_draws_while_a_run_is_timed() -> None:
    out = Terminal()
    progress = Progress(out)
    before = threading.active_count()
    with progress.runs(1):
        progress.begin("ref c1")
        assert threading.active_count() == before
