"""Where the templates and the site's own files lie: beside the package in a checkout, inside it when installed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parent.parent


def resource(name: str) -> Path:
    """Return the folder ``templates`` or ``site_src``."""
    beside = PACKAGE.parent / name
    return beside if (PACKAGE.parent / "pyproject.toml").is_file() and beside.is_dir() else PACKAGE / "_data" / name
