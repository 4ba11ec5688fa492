"""Where a profile and a plan are put: the folder of a round, or any other, and never half of one."""

from __future__ import annotations

import json
from pathlib import Path

from generator.declared.profiles import PROFILE_FILE, ProfileFile
from generator.errors import InputError
from generator.intake.writing import alone_in
from generator.store.files import shown, write_atomically
from generator.store.round_file import ROUND_FILE
from generator.traffic.plan import Plan

TRACE_END = ".trace.jsonl"
UNNAMED = "plan"


def profile_json(profile: ProfileFile) -> str:
    """Return the text of profile.json: numbers, and the words that Rounds itself has for what they are of."""
    told = {key: value for key, value in profile.model_dump(by_alias=True).items() if value not in (None, (), {})}
    return json.dumps({**told, "unknown": profile.unknown}, indent=1, allow_nan=False) + "\n"


def keep_profile(into: Path, profile: ProfileFile, plan: Plan | None) -> list[str]:
    """Write profile.json into the folder of a round; where that has no round.toml, a plan becomes it.

    Returns:
        what was written, by name.

    Raises:
        InputError: the folder cannot be made or written, or has no round.toml and there is no plan.
    """
    with alone_in(into):
        written = []
        if not (into / ROUND_FILE).exists():
            if plan is None:
                problem = f"has no {ROUND_FILE}, and no plan can be made of this load to stand for one"
                raise InputError(shown(into), "", problem, "write one first, as rounds new does")
            written += _put_plan(into / ROUND_FILE, plan)
        _written(into / PROFILE_FILE, profile_json(profile))
        return [*written, PROFILE_FILE]


def keep_beside(out: Path, profile: ProfileFile) -> None:
    """Write profile.json into any folder, which is made where it is not there.

    Raises:
        InputError: it cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(out, error) from error
    _written(out / PROFILE_FILE, profile_json(profile))


def keep_plan(path: Path, plan: Plan) -> list[str]:
    """Write a plan, and the trace that it replays beside it; return their names.

    Raises:
        InputError: one of them is there already, or cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(path.parent, error) from error
    return _put_plan(path, plan)


def trace_name(plan: Path) -> str:
    """Return the name of the trace that goes with a plan, in which it has to be fit to be written."""
    return f"{plan.stem if plan.stem.isprintable() else UNNAMED}{TRACE_END}"


def _put_plan(path: Path, plan: Plan) -> list[str]:
    files = {path: plan.text}
    if plan.trace is not None:
        files[path.with_name(trace_name(path))] = plan.trace
    for file, text in files.items():
        if file.is_symlink() or (file.exists() and (file == path or not _holds(file, text))):
            raise InputError(shown(file), "", "is there already", "choose another name with --plan, or move it away")
    try:
        for file, text in reversed(files.items()):  # a plan without its trace would be half of one
            write_atomically(file, text.encode())
    except OSError as error:
        raise _unwritable(path, error) from error
    return [file.name for file in files]


def _holds(file: Path, text: str) -> bool:
    """Say whether a file holds that text: a trace does whose plan was not written because the program was killed."""
    try:
        return file.read_bytes() == text.encode()
    except OSError:
        return False


def _written(path: Path, text: str) -> None:
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> InputError:
    problem = f"cannot be written ({error.strerror})"
    return InputError(shown(path), "", problem, "check its permissions and the room on its disk")
