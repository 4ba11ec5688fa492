"""The reference server as a process of its own, so that it has a core of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from generator.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST: Final = ("--print-port", "--until-eof", "--log", os.devnull)
GRACE: Final = 5.0
"""Seconds from SIGTERM to SIGKILL."""


@contextmanager
def reference_server(*options: str) -> Iterator[str]:
    """Run ``python -m generator.collect.reference`` with options and give its base URL; it is gone at the end.

    It is gone as well where this process is killed: the pipe that is its input ends then. Its log goes nowhere, unless
    an option names a file.

    Raises:
        InputError: it did not start; the options are wrong, or the port is taken.
    """
    command = [sys.executable, "-m", "generator.collect.reference", *FIRST, *options]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:  # noqa: S603  # our own module
        try:
            port = process.stdout.readline().strip() if process.stdout else ""
            if not port:
                raise InputError("reference server", "", "did not start", "see what it says above")
            yield f"http://127.0.0.1:{port}"
        finally:
            _stop(process)


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
