"""server.log, of a run, a series or the whole round: how many requests the server took up, line by line.

A log may be of any length, and so may its lines: it is read in pieces, and of a line only its beginning counts.
What a log says is counted and nothing of it is kept: prompts of users may stand in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyarrow as pa

from generator.errors import InputError
from generator.kinds import Engine, Metric, Place
from generator.model import Series
from generator.store.files import open_file, refuse_outside, shown, unreadable
from generator.store.runs import SERVER_LOGS, trials_of
from generator.values import Address, Observation, Scope, Source

PIECE: Final = 2**20
"""Bytes that are read at a time."""
HEAD: Final = 200
"""Bytes of a line in which its own words begin, behind a supervisor's; texts of users stand further in."""
LONGEST: Final = 2 * HEAD
"""Bytes of a line that are kept where it goes on in the next piece."""
LARGEST: Final = 2**36
"""Bytes that a log may unpack to: some minutes of reading, and a few hundred times the log of a long campaign."""

Metrics = Mapping[Scope, Metric]
"""Scope -> the metric that a log of that scope is counted for."""


def read_server_logs(
    folder: Path, series: Sequence[Series], places: Mapping[Place, Metric], engines: Mapping[str, Engine]
) -> list[Observation]:
    """Count the requests in each log of the server that a round has.

    Args:
        folder: the round's folder.
        series: the series with their levels.
        places: every place where a number may be written down, and the metric it is of.
        engines: the servers whose logs can be read.

    Returns:
        one observation a log; none for a log in which no known server took up a request.

    Raises:
        InputError: a log cannot be read, is damaged or not a file of the round.
    """
    metrics: Metrics = {metric.scope: metric for place, metric in places.items() if place.kind == "log"}
    found = (_count(path, where, folder, metrics, engines) for path, where in _possible(folder, series))
    return [observation for observation in found if observation is not None]


def _possible(folder: Path, series: Iterable[Series]) -> Iterator[tuple[Path, Address]]:
    """Yield every folder that may hold a log, and what the log is of; the metric is not named yet."""
    yield folder, Address("", "round")
    for one in series:
        yield folder / one.id, Address("", "series", one.id)
        yield from trials_of(folder, one)


def _count(
    beside: Path, where: Address, folder: Path, metrics: Metrics, engines: Mapping[str, Engine]
) -> Observation | None:
    metric, path = metrics.get(where.scope), _log_in(beside, folder)
    if metric is None or path is None:
        return None
    counted = count_requests(path, engines.values())
    if counted is None:
        return None
    engine, lines = counted
    address = Address(metric.key, where.scope, where.series, where.level, metric.basis, where.trial)
    source = Source(path.relative_to(folder).as_posix(), f"{lines} lines with {engine.marker}")
    return Observation(address, float(lines), "measured", source)


def _log_in(beside: Path, folder: Path) -> Path | None:
    """Return the log in a folder; None where there is none."""
    found = [path for name in SERVER_LOGS if (path := beside / name).exists() or path.is_symlink()]
    if len(found) > 1:
        raise InputError(shown(found[1]), "", f"stands beside {found[0].name}", "keep one of them")
    for path in found:
        _refuse_unfit(path, folder)
    return found[0] if found else None


def _refuse_unfit(path: Path, folder: Path) -> None:
    try:
        refuse_outside(path, folder)
        if not path.is_file():
            raise InputError(shown(path), "", "is not a regular file", "replace it by one")
    except (OSError, RuntimeError) as error:
        raise unreadable(path, error) from error


def count_requests(path: Path, engines: Iterable[Engine]) -> tuple[Engine, int] | None:
    """Return whose log a file is and how many lines tell of a request taken up; None where no line does.

    Args:
        path: the log; one whose name ends in ``.zst`` is unpacked on the way.
        engines: those that it may be of; the one with most lines it is.

    Raises:
        InputError: the file cannot be read, or does not unpack.
    """
    counts = {engine.key: 0 for engine in engines}
    known = {engine.key: engine for engine in engines}
    for lines in _whole_lines(path):
        for key, engine in known.items():
            counts[key] += _matching(lines, engine)
    most = max(counts, key=counts.__getitem__, default=None)
    return None if most is None or not counts[most] else (known[most], counts[most])


def _matching(text: bytes, engine: Engine) -> int:
    """Count the lines that say so at their beginning, each once."""
    lines: set[int] = set()
    for found in engine.request_line.finditer(text):
        begin = max(text.rfind(end, 0, found.start()) for end in (b"\n", b"\r")) + 1
        if found.start() - begin <= HEAD:
            lines.add(begin)
    return len(lines)


def _whole_lines(path: Path) -> Iterator[bytes]:
    """Yield the text of a log in pieces that end where a line does; long lines are cut."""
    held = b""
    for piece in _pieces(path):
        whole, end, rest = (held + piece).rpartition(b"\n")
        yield whole + end
        # What follows a cut lies beyond the head of its line and counts no more.
        held = rest[:LONGEST]
    yield held


def _pieces(path: Path) -> Iterator[bytes]:
    total = 0
    try:
        with open_file(path) as raw, _unpacked(raw, path) as file:
            while piece := file.read(PIECE):
                total += len(piece)
                if total > LARGEST:
                    problem = f"unpacks to more than {LARGEST // 2**30} GiB"
                    raise InputError(shown(path), "", problem, "cut it to the time of the run")
                yield piece
    except OSError as error:
        if error.errno is None:  # pyarrow's word for what does not unpack
            raise _not_whole(path) from error
        raise unreadable(path, error) from error


def _unpacked(raw: BinaryIO, path: Path) -> BinaryIO | Any:  # noqa: ANN401 - pyarrow has no types
    if path.suffix != ".zst":
        return raw
    if not os.fstat(raw.fileno()).st_size:  # which pyarrow takes for a whole file
        raise _not_whole(path)
    return pa.input_stream(raw, compression="zstd")


def _not_whole(path: Path) -> InputError:
    return InputError(shown(path), "", "is not a whole zstd file", "pack it again, or unpack it")
