from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from generator.store.locks import locked


def test_a_lock_is_gone_afterwards(tmp_path: Path) -> None:
    with locked(tmp_path / ".lock"):
        assert (tmp_path / ".lock").exists()
    assert list(tmp_path.iterdir()) == []


def test_a_lock_is_waited_for(tmp_path: Path) -> None:
    order: list[str] = []

    def second() -> None:
        with locked(tmp_path / ".lock"):
            order.append("second")

    waiting = Thread(target=second)
    with locked(tmp_path / ".lock"):
        waiting.start()
        waiting.join(0.05)
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]


def test_the_lock_of_a_process_that_was_killed_is_free(tmp_path: Path) -> None:
    code = """
import os, sys
from pathlib import Path
from generator.store.locks import locked
with locked(Path(sys.argv[1])):
    os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path / ".lock")], check=True)
    assert (tmp_path / ".lock").exists()
    with locked(tmp_path / ".lock"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / ".lock").symlink_to("elsewhere")
    with pytest.raises(OSError, match="symbolic links"), locked(tmp_path / ".lock"):
        pass
    assert not (tmp_path / "elsewhere").exists()
