"""The quick start is typed here as it stands: each command of it, in its order, prints what the document says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.markdown import ROOT, blocks
from tests.support.serve_results import Load, write_results

BEFORE: Final = (Load(1, 20, 0.05, 0.0190), Load(8, 160, 0.12, 0.0220))
AFTER: Final = (Load(1, 20, 0.05, 0.0178), Load(8, 160, 0.12, 0.0196))
PROGRAM: Final = f'#!/bin/sh\nexec "{sys.executable}" -m generator "$@"\n'
MAKE: Final = f"make -f {ROOT / 'Makefile'} -o .venv/.runtime "
"""`make` in another folder, whose .venv counts as made."""
OF_MAKE: Final = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
"""What a `make` that runs the tests leaves to a `make` below it: a reader types the first one."""
LEFT_OUT: Final = "…"


def document(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Return what is to be done, in its order: files with what they hold, and commands with what they print."""
    for block in blocks(text):
        if block.language == "toml" and block.text.startswith("# runs/"):
            yield block.text.splitlines()[0].removeprefix("# "), block.text
        if block.language == "console":
            for typed in re.split(r"^(?=\$ )", block.text, flags=re.MULTILINE)[1:]:
                command, _, printed = typed.partition("\n")
                yield command, printed


def as_expected(printed: str) -> re.Pattern[str]:
    """Return the pattern of what is printed: a line `…` stands for any lines, and in a line for anything."""
    lines = [
        r"(?:.*\n)*?" if line == LEFT_OUT else ".*".join(map(re.escape, line.split(LEFT_OUT))) + r"\n"
        for line in printed.splitlines()
    ]
    return re.compile("".join(lines))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the result files, and with a program where .venv has it."""
    write_results(tmp_path / "results", *BEFORE)
    write_results(tmp_path / "results-2", *AFTER)
    program = tmp_path / ".venv" / "bin" / "rounds"
    program.parent.mkdir(parents=True)
    program.write_text(PROGRAM, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(command: str, folder: Path) -> str:
    """Return what a command prints, on both outputs, as a terminal shows it."""
    environment = {
        **{name: value for name, value in os.environ.items() if name not in OF_MAKE},
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "XDG_CACHE_HOME": str(folder / ".cache"),
    }
    line = re.sub(r"^make ", MAKE, command.removeprefix("$ "))
    done = subprocess.run(
        ["sh", "-c", line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, check=True
    )
    return done.stdout


def known(folder: Path) -> list[str]:
    """Return which of the two numbers that the document names are known of the first round."""
    table = typed(".venv/bin/rounds analyse runs/my-round", folder)
    return [metric for metric in ("kv_bytes_per_token", "decode_floor") if f" {metric} " in table]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_is_typed_prints_what_the_document_says(folder: Path) -> None:
    for what, text in steps(document("quickstart.md")):
        if what.startswith("$ "):
            printed = typed(what, folder)
            assert as_expected(text).fullmatch(printed), f"{what}\nprints\n{printed}\nand not\n{text}"
            continue
        path = folder / what
        path.parent.mkdir(parents=True, exist_ok=True)
        if what == "runs/my-round/round.toml":
            assert known(folder) == []
        path.write_text(text, encoding="utf-8")

    assert known(folder) == ["kv_bytes_per_token", "decode_floor"]
    assert (folder / "site" / "en" / "rounds" / "my-engine" / "index.html").exists()


def test_both_languages_type_the_same() -> None:
    english, chinese = (blocks(document(name)) for name in ("quickstart.md", "quickstart.zh.md"))

    assert len(english) > 10
    assert [(one.language, one.text) for one in english] == [(one.language, one.text) for one in chinese]


def test_what_is_left_out_is_any_line_or_any_words() -> None:
    expected = as_expected("…\nclient: …, fine\n…\ndone\n")

    assert expected.fullmatch("a\nb\nclient: 4 streams, fine\ndone\n")
    assert expected.fullmatch("client: 4 streams, fine\nmore\ndone\n")
    assert not expected.fullmatch("client: 4 streams, bad\ndone\n")
    assert not expected.fullmatch("client: 4 streams, fine\ndone\nmore\n")
