"""Programs that some tests need: without one they are skipped, loudly, or fail where REQUIRE_BROWSER=1."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

import pytest

MODULES: Final = Path(__file__).parents[2] / ".ci" / "tools" / "node_modules"
"""Where `make tools` puts what npm has."""


def needed(found: str | Path | None, what: str) -> str:
    """Return the path of a program; ``what`` says what is lacking, and how it is had."""
    if found is not None and Path(found).exists():
        return str(found)
    message = f"{what}; these tests did NOT run"
    if os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(message)
    pytest.skip(message)


def program(variable: str, *names: str) -> str | None:
    """Return the path in an environment variable, else of the first of the programs that is there."""
    named = [os.environ.get(variable), *(shutil.which(name) for name in names)]
    return next((path for path in named if path), None)


def chromium_here() -> str:
    """Return the path of a Chromium."""
    found = program("CHROMIUM", "chromium", "chromium-browser")
    return needed(found, "no Chromium: install chromium, or name one in CHROMIUM")


def firefox_here() -> str:
    """Return the path of a Firefox."""
    found = program("FIREFOX", "firefox-esr", "firefox")
    return needed(found, "no Firefox: install firefox-esr, or name one in FIREFOX")


def node_here() -> str:
    """Return the path of Node.js."""
    return needed(program("NODE", "node"), "no Node.js: install nodejs and npm, or name one in NODE")


def module_here(path: str) -> str:
    """Return the path of a file that npm installed."""
    return needed(MODULES / path, f"no {path.partition('/')[0]}: run make tools")


def java_here() -> str:
    """Return the path of a Java runtime."""
    return needed(program("JAVA", "java"), "no Java: install default-jre-headless, or name one in JAVA")
