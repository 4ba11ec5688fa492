"""The files of a model to its architecture, and the architecture to the small file that is kept of it.

A model is a folder or a config.json as Hugging Face keeps it, or a GGUF file. What is kept holds numbers and the kind
of the model, no name and no path.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from generator.architecture.config import from_config, is_model_config
from generator.architecture.gguf_model import from_gguf
from generator.architecture.records import SCHEMA, Architecture, UnknownArchitectureError
from generator.errors import InputError
from generator.store.files import read_bytes, shown
from generator.store.gguf_file import PART, read_gguf

ARCHITECTURE: Final = "architecture.json"
CONFIG: Final = "config.json"
GGUF: Final = ".gguf"
REMEDY: Final = "give the numbers in round.toml instead (docs/rounds.md)"
RESTORE: Final = "restore it, or make it anew with rounds describe"


def describe_model(path: Path) -> Architecture:
    """Read the architecture of a model off its files.

    Args:
        path: a config.json, a folder with one, a GGUF file, or a folder with one (its parts count as one).

    Raises:
        InputError: it is none of these, or not of a kind that is known.
    """
    file = _file_of(path)
    try:
        if file.suffix == GGUF:
            header = read_gguf(file)
            return from_gguf(header.keys, header.tensors)
        return from_config(_table(file, file.parent))
    except UnknownArchitectureError as error:
        raise InputError(shown(file), error.place, error.problem, REMEDY) from error


def _file_of(path: Path) -> Path:
    if not path.is_dir():
        return path
    found = sorted(one for one in path.glob(f"*{GGUF}") if _is_first(one))
    if (path / CONFIG).exists() and not found:
        return path / CONFIG
    if len(found) == 1:
        return found[0]
    problem = f"holds neither a {CONFIG} nor a {GGUF} file" if not found else f"holds {len(found)} models"
    raise InputError(shown(path), "", problem, "name the file itself")


def _is_first(path: Path) -> bool:
    part = PART.search(path.name)
    return part is None or int(part[1]) == 1


def _table(path: Path, within: Path) -> dict[str, Any]:
    try:
        told = json.loads(read_bytes(path, within=within))
    except FileNotFoundError as error:
        raise InputError(shown(path), "", "there is no such file", "name a config.json or a GGUF file") from error
    except (ValueError, RecursionError) as error:
        raise InputError(shown(path), "", "is not JSON", "name a config.json or a GGUF file") from error
    if not isinstance(told, dict):
        raise InputError(shown(path), "", "is not a table of keys", "name a config.json or a GGUF file")
    return told


def as_json(model: Architecture) -> bytes:
    """Return what architecture.json holds."""
    return (json.dumps(model.model_dump(by_alias=True, exclude_none=True), indent=1) + "\n").encode()


def kept_architecture(home: Path, within: Path) -> tuple[Architecture, str] | None:
    """Return the architecture that lies in a folder of a round, and the name of its file; None where there is none.

    A config.json that was put there serves as well; what was made of one goes before it. Without a model_type it is the
    configuration of something else, and none of ours.

    Raises:
        InputError: the file is not as Rounds writes it, leads out of the round, or is of a kind that is not known.
    """
    if (home / ARCHITECTURE).exists():
        return _checked(_table(home / ARCHITECTURE, within), home / ARCHITECTURE), ARCHITECTURE
    if not (home / CONFIG).exists() or not is_model_config(told := _table(home / CONFIG, within)):
        return None
    try:
        return from_config(told), CONFIG
    except UnknownArchitectureError as error:
        raise InputError(shown(home / CONFIG), error.place, error.problem, REMEDY) from error


def _checked(told: Mapping[str, Any], path: Path) -> Architecture:
    schema = told.get("schema")
    if isinstance(schema, int) and not isinstance(schema, bool) and schema > SCHEMA:
        raise InputError(shown(path), "schema", "written by a newer Rounds", "update Rounds to read it")
    try:
        return Architecture.model_validate(told)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(step) for step in first["loc"][:6])
        raise InputError(shown(path), place[:80], f"is not as Rounds writes it ({first['type']})", RESTORE) from error
