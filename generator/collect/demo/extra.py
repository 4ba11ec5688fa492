"""The optional extra ``demo``: its packages, and what is said where they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from generator.errors import InputError

PACKAGES: Final = ("xllamacpp", "gguf")
"""llama.cpp's server, and the writer of its files; by the names under which they are imported."""


def is_installed() -> bool:
    """Return whether all of the extra can be used. They are imported for it: a wheel may not fit the machine."""
    return all(_can_import(package) for package in PACKAGES)


def require(package: str) -> None:
    """Raise InputError where a package of the extra cannot be used."""
    if not _can_import(package):
        raise InputError(package, "", "cannot be imported", "pip install 'rounds[demo]'")


def _can_import(package: str) -> bool:
    try:
        import_module(package)
    except ImportError:
        return False
    return True
