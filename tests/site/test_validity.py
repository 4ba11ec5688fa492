"""The Nu Html Checker, the reference for HTML, finds no error and nothing to warn of on any kind of page."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.support.page_kinds import all_kinds
from tests.support.tools import java_here, module_here

pytestmark = pytest.mark.slow

VNU: Final = "vnu-jar/build/dist/vnu.jar"
NO_FAULTS: Final = (
    # A file has no origin of its own for the checker, so 'self' allows it nothing; the browsers' tests watch the
    # policy.
    r".*violates Content Security Policy.*",
    # It guesses at the language of a page of numbers and names.
    r"This document appears to be written in .*",
)


def complaints(site: Path, paths: Sequence[str]) -> list[str]:
    """Return what the checker says of pages, one line each; warnings count as errors do."""
    command = [java_here(), "-Xss4m", "-jar", module_here(VNU), "--format", "gnu", "--Werror"]
    command += ["--filterpattern", "|".join(NO_FAULTS), *paths]
    done = subprocess.run(command, cwd=site, capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert done.returncode == bool(lines), done.stderr
    return lines


def test_no_kind_of_page_has_a_fault(site: Path) -> None:
    paths = all_kinds(site)
    assert len(paths) >= 1 + 2 * 17
    assert complaints(site, paths) == []


def test_the_checker_finds_an_error_and_a_warning(tmp_path: Path) -> None:
    head = "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>A page</title>"
    (tmp_path / "index.html").write_text(
        f"{head}<h1>One</h1><figure><p>x</p><ul><p>y</p></ul></figure><section></section>"
    )
    found = "\n".join(complaints(tmp_path, ["index.html"]))
    assert "error: Element “p” not allowed as child of element “ul”" in found
    assert "warning: Section lacks heading" in found
