"""What a round's folder holds before an import: its runs, and the names that are taken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.intake.placing import LevelKey, Standing, There
from generator.kinds import Importer
from generator.store.level_file import LEVEL_FILE
from generator.store.published import PUBLISHED_CSV
from generator.store.round_file import ROUND_FILE, read_round_file
from generator.store.runs import LEVELS, run_of_trial

NUMBER: Final = re.compile(r"[0-9]{1,9}")


def standing_of(into: Path, importers: Mapping[str, Importer]) -> Standing:
    """Return what a round has already; nothing where its folder is not there.

    Raises:
        InputError: round.toml or a level.json cannot be used.
    """
    trials = sorted(path for path in into.glob(f"*/{LEVELS}/*/*") if path.is_dir() and _shown(path.relative_to(into)))
    return Standing(
        there=tuple(_there(trials, into, importers)),
        last=_last(trials),
        tables=tuple(sorted(path.parent.name for path in into.glob(f"*/{PUBLISHED_CSV}"))),
        declared=tuple(table.id for table in read_round_file(into).series) if (into / ROUND_FILE).exists() else None,
        folders=tuple(sorted(path.name for path in into.glob("*") if path.is_dir() and _shown(path.relative_to(into)))),
    )


def _shown(path: Path) -> bool:
    return not any(part.startswith(".") for part in path.parts)


def _there(trials: list[Path], into: Path, importers: Mapping[str, Importer]) -> Iterator[There]:
    for path in trials:
        try:
            run = run_of_trial(path, into, importers)
        except InputError:
            # What was imported must be known, or it would count twice; another file's fault shows where it is read.
            if (path / LEVEL_FILE).exists():
                raise
            continue
        series, _, level, trial = path.relative_to(into).parts
        yield There(run, series, level, trial)


def _last(trials: list[Path]) -> dict[LevelKey, int]:
    last: dict[LevelKey, int] = {}
    for path in trials:
        key = (path.parts[-4], path.parts[-2])
        number = int(path.name) if NUMBER.fullmatch(path.name) else 0
        last[key] = max(last.get(key, 0), number)
    return last
