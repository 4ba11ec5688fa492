"""Placed runs into the folder of a round: all of them, or none."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.intake.placing import Placed, Standing
from generator.intake.round_toml import round_toml
from generator.store.files import LARGEST_TEXT, WORK, move_new, read_text, shown, write_atomically, write_new
from generator.store.level_file import LEVEL_FILE, level_json
from generator.store.locks import locked
from generator.store.request_columns import write_columns
from generator.store.round_file import ROUND_FILE, read_round_file

LOCK: Final = ".importing"
"""The file that one import holds while another waits."""


@contextmanager
def alone_in(into: Path) -> Iterator[None]:
    """Make the folder of a round and let no other import into it; it is gone again where nothing came into it.

    Raises:
        InputError: the folder cannot be made or written.
    """
    is_new = not into.exists()
    try:
        into.mkdir(parents=True, exist_ok=True)
        with locked(into / LOCK):
            for left in into.glob(f"{WORK}*"):  # of an import that was killed: no other is at work
                shutil.rmtree(left, ignore_errors=True)
            yield
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise InputError(shown(into), "", problem, "check its permissions and the room on its disk") from error
    finally:
        if is_new:
            with suppress(OSError):
                into.rmdir()


@contextmanager
def work_in(into: Path) -> Iterator[Path]:
    """Make a folder in that of a round for what is not yet whole; it is gone afterwards, with what is left in it."""
    work = Path(tempfile.mkdtemp(prefix=WORK, dir=into))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def write(into: Path, placed: Sequence[Placed], standing: Standing) -> list[str]:
    """Write all runs, or none; return the series that round.toml did not know.

    Raises:
        InputError: round.toml cannot be added to, or a run is too large to be read again.
        OSError: the disk is full, or something stands in the way.
    """
    known = standing.declared or ()
    new = list(dict.fromkeys(one.series for one in placed if one.series not in known))
    before = read_text(into / ROUND_FILE, within=into) if standing.declared is not None else None
    with work_in(into) as work:
        for one in placed:
            _write_trial(work, one)
        text = _added(work, into, before, [one for one in placed if one.series in new]) if new else None
        _publish(work, into, placed, before, text)
    return new


def _added(work: Path, into: Path, before: str | None, placed: Sequence[Placed]) -> str:
    """Return round.toml with further series, once it has been found to be one."""
    text = round_toml(before or "", into.resolve().name, placed)
    (work / ROUND_FILE).write_text(text, encoding="utf-8")
    try:
        read_round_file(work)
    except InputError as error:
        problem = f"no [[series]] can be added at its end ({error.problem})"
        raise InputError(shown(into / ROUND_FILE), "", problem, "write every series as a [[series]] table") from error
    return text


def _publish(work: Path, into: Path, placed: Sequence[Placed], before: str | None, text: str | None) -> None:
    """Put everything in its place; where something fails, all is as before.

    The series come first: should the machine stop between the two, importing again completes the round.
    """
    try:
        if text is not None:
            write_atomically(into / ROUND_FILE, text.encode())
        _move(work, into, placed)
    except BaseException:
        if text is not None:
            _restore(into, before)
        raise


def _restore(into: Path, before: str | None) -> None:
    """Put round.toml back as it was; what failed has been said, so this fails in silence."""
    with suppress(OSError):
        if before is None:
            (into / ROUND_FILE).unlink()
        else:
            write_atomically(into / ROUND_FILE, before.encode())


def _write_trial(work: Path, one: Placed) -> None:
    folder = work / one.folder
    folder.mkdir(parents=True)
    run = one.arrived.run
    described = level_json(run, one.arrived.original)
    if len(described) > LARGEST_TEXT:
        problem = f"the summary of the run takes more than {LARGEST_TEXT // 2**20} MiB"
        raise InputError(one.arrived.name, "", problem, "check that it is a result, or leave the file out")
    write_new(folder / LEVEL_FILE, described)
    if run.requests is not None:
        write_columns(folder, run.requests)


def _move(work: Path, into: Path, placed: Iterable[Placed]) -> None:
    """Move the trials to their places; what was moved is taken back where one cannot be."""
    moved: list[Path] = []
    try:
        for one in placed:
            target = into / one.folder
            move_new(work / one.folder, target)
            moved.append(target)
    except BaseException:
        for target in moved:
            with suppress(OSError):
                shutil.rmtree(target)
        raise
