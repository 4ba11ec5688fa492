"""What was recorded beside the runs of a series, and is no result: GPU samples, pages of /metrics, the server's log.

It is told by its content, and put into the folder of the series under the name that is read there. Texts are kept
line by line without what must not be published.
"""

from __future__ import annotations

import filecmp
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from generator.errors import InputError, quote
from generator.intake.writing import alone_in, work_in
from generator.kinds import Engine, Importer
from generator.redaction import redact
from generator.store.documents import LINE_GOES_ON, LONGEST_LINE, read_lines
from generator.store.files import leads_out, move_new, printable, read_bytes, read_head, shown, unreadable
from generator.store.recognition import BEGINS_JSON, recognise
from generator.store.round_file import ROUND_FILE, read_round_file
from generator.store.runs import SERVER_LOGS
from generator.store.server_log import read_log
from generator.telemetry import dmon, own_samples, query_csv, query_text, query_xml
from generator.telemetry.dumps import AFTER, BEFORE, is_dump
from generator.telemetry.files import read_samples
from generator.telemetry.lines import encoding_of
from generator.telemetry.page import scrape
from generator.text import counted

SERVER_LOG: Final = SERVER_LOGS[0]
MOST_NAMES: Final = 4
PAGE: Final = "a page of /metrics"
IS_PAGE: Final = re.compile(
    r"^(?:# TYPE [\w:]+ (?:counter|gauge|histogram|summary)|(?:vllm|sglang|llamacpp):\w+(?:\{[^\n]*\})? [-+.\w]+$)",
    re.MULTILINE,
)
"""A page as it is served, or what is left of one where lines were picked out of it."""
WHAT: Final = {"samples.parquet": "samples of Rounds", SERVER_LOG: "the log of a server", PAGE: PAGE}
"""Name in the series' folder -> what it is; any other one holds GPU samples."""

MEASURED: Final = tuple(name for names in query_csv.FIELDS.values() for name in names)
"""Columns of GPU samples; a table that has but times may be anything."""


@dataclass(frozen=True, slots=True)
class Companion:
    """A file that belongs beside runs, and the name under which it does; ``PAGE`` where the order decides."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class _Move:
    """A file, what was made of it, and where that goes. ``cut`` are lines of which the end was left out."""

    path: Path
    made: Path
    target: Path
    cut: int

    def __str__(self) -> str:
        """Return what is to be said of it."""
        told = " ({n} {n:line|lines} cut after {most} characters)"
        lines = counted(told, n=self.cut, most=LONGEST_LINE) if self.cut else ""
        return f"{printable(self.path.name)} -> {self.target.parent.name}/{self.target.name}{lines}"


@dataclass(slots=True)
class Kept:
    """What came of files that belong beside a series: those put there, and those refused."""

    put: list[str] = field(default_factory=list)
    refused: list[InputError] = field(default_factory=list)


def companions_among(
    files: Iterable[Path], importers: Mapping[str, Importer], engines: Mapping[str, Engine]
) -> tuple[list[Companion], list[Path]]:
    """Tell the files that belong beside runs from the others, results and folders among them."""
    found: list[Companion] = []
    others: list[Path] = []
    for path in files:
        name = None
        with suppress(InputError):  # whatever cannot be looked at is refused where results are read
            name = _name(path, importers, engines) if path.is_file() else None
        if name is None:
            others.append(path)
        else:
            found.append(Companion(path, name))
    return found, others


def _name(path: Path, importers: Mapping[str, Importer], engines: Mapping[str, Engine]) -> str | None:
    head = read_head(path)
    if head.startswith(own_samples.MAGIC):
        return "samples.parquet"
    if recognise(path, importers) is not None or BEGINS_JSON.match(head):
        return None
    text = head.decode(encoding_of(head), "replace")
    if IS_PAGE.search(text):
        return PAGE
    return _samples_name(text) or (SERVER_LOG if read_log(path, engines.values()) is not None else None)


def _samples_name(text: str) -> str | None:
    first = next((line for line in text.splitlines() if line.strip()), "")
    told = {
        "nvidia-smi-q.xml": query_xml.is_xml(text),
        "nvidia-smi-q.txt": query_text.is_text(text),
        "dmon.txt": dmon.is_dmon(first),
        "gpu.csv": query_csv.is_query(first) and any(name in first.lower() for name in MEASURED),
    }
    return next((name for name, is_it in told.items() if is_it), None)


def put_beside(found: Sequence[Companion], into: Path, series: str | None) -> Kept:
    """Put files into the folder of a series; one that cannot go there is refused, and the others still go.

    Args:
        found: the files.
        into: the round's folder.
        series: the series that they were recorded beside.

    Raises:
        InputError: the round or the folder of the series cannot be written.
    """
    kept = Kept()
    for one in found:
        try:
            _refuse_series(one, into, series)
        except InputError as error:
            kept.refused.append(error)
    if kept.refused:
        return kept
    folder = into / (series or "")
    groups = [[(one.path, folder / one.name)] for one in found if one.name != PAGE]
    try:
        groups.append(_pages([one.path for one in found if one.name == PAGE], folder))
    except InputError as error:
        kept.refused.append(error)
    if any(groups):
        with alone_in(into):
            _put_all(groups, into, kept)
    return kept


def _put_all(groups: Iterable[Sequence[tuple[Path, Path]]], into: Path, kept: Kept) -> None:
    """Put each group into its place, or none of the files of a group: one page alone would tell nothing."""
    for group in groups:
        try:
            kept.put += map(str, _put(group, into))
        except InputError as error:
            kept.refused.append(error)


def _refuse_series(first: Companion, into: Path, series: str | None) -> None:
    file, what = shown(first.path), WHAT.get(first.name, "GPU samples")
    if series is None:
        raise InputError(file, "", f"is {what}, which belongs beside the runs of a series", "say whose with --series")
    declared = [one.id for one in read_round_file(into).series] if (into / ROUND_FILE).exists() else []
    if series not in declared:
        problem = f"is {what}, and {shown(into)} has no series {quote(series)} that it could belong to"
        remedy = f"import its results first{''.join(f', or name {one}' for one in declared[:MOST_NAMES])}"
        raise InputError(file, "", problem, remedy)
    folder = into / series
    if folder.exists() and leads_out(folder, into):
        raise InputError(shown(folder), "", "is a link that leads out of the round's folder", "copy the folder itself")


def _pages(pages: Sequence[Path], folder: Path) -> list[tuple[Path, Path]]:
    """Return where each page of /metrics goes: by its name, where all have one of those that are read, else by order.

    Raises:
        InputError: it is one page alone.
    """
    there = [path for path in folder.glob("metrics-*.prom") if is_dump(path.name)]
    if len(pages) == 1 and all(path.name == pages[0].name for path in there):
        problem = "is one page of /metrics: what counters grew by takes the page before and the page after"
        raise InputError(shown(pages[0]), "", problem, "name both, the earlier one first")
    if all(is_dump(path.name) for path in pages):
        return [(path, folder / path.name) for path in pages]
    if len(pages) == len((BEFORE, AFTER)):
        return [(path, folder / name) for path, name in zip(_in_order(pages), (BEFORE, AFTER), strict=True)]
    return [(path, folder / f"metrics-{number}.prom") for number, path in enumerate(pages)]


def _in_order(pages: Sequence[Path]) -> Sequence[Path]:
    """Return two pages in the order that their names tell, else as given: a shell sorts ``after`` before ``before``."""
    first, last = pages
    backwards = "after" in first.name and "before" in last.name
    return (last, first) if backwards else pages


def _put(group: Sequence[tuple[Path, Path]], into: Path) -> list[_Move]:
    """Put all files of a group into their places, or none.

    Raises:
        InputError: one of them cannot be read there, or something else is there.
    """
    seen: set[Path] = set()
    for path, target in group:
        _refuse_unfit(path, target.name)
        if target in seen:
            raise _taken(path, target)
        seen.add(target)
    with work_in(into) as work:
        moves = [_made(path, target, work) for path, target in group]
        _refuse_taken(moves)
        _move_all(moves)
    return moves


def _made(path: Path, target: Path, work: Path) -> _Move:
    """Make ready what goes to a place."""
    made, cut = work / target.name, 0
    try:
        if target.suffix == ".parquet":
            shutil.copyfile(path, made)
        else:
            cut = _write_lines(path, made)
    except OSError as error:
        raise unreadable(path, error) from error
    return _Move(path, made, target, cut)


def _refuse_taken(moves: Sequence[_Move]) -> None:
    """Refuse what is there already, unless it is what an import that was cut off had put there of its group."""
    there = [one for one in moves if one.target.exists()]
    is_whole = len(there) == len(moves)
    for one in there:
        if is_whole or not filecmp.cmp(one.made, one.target, shallow=False):
            raise _taken(one.path, one.target)


def _taken(path: Path, target: Path) -> InputError:
    problem = f"would be {target.parent.name}/{target.name}, which is there already"
    return InputError(shown(path), "", problem, "remove the other one first")


def _move_all(moves: Iterable[_Move]) -> None:
    """Move what is not there yet; where one cannot be moved, those that were are taken back."""
    moved: list[Path] = []
    try:
        for one in moves:
            if not one.target.exists():
                _move(one)
                moved.append(one.target)
    except BaseException:
        for target in moved:
            target.unlink(missing_ok=True)
        raise


def _move(one: _Move) -> None:
    try:
        move_new(one.made, one.target)
    except OSError as error:
        raise unreadable(one.path, error) from error


def _refuse_unfit(path: Path, name: str) -> None:
    """Refuse what could not be read there: then neither could the round."""
    if is_dump(name):
        if not scrape(read_bytes(path, within=path.parent).decode("utf-8", "replace")).series:
            problem = "is a page of /metrics without a counter that is known"
            raise InputError(shown(path), "", problem, "save the page of vLLM, SGLang or llama-server")
    elif name != SERVER_LOG:
        read_samples(path)


def _write_lines(path: Path, made: Path) -> int:
    """Write the lines of a text without what must not be published, and return how many of them were cut."""
    cut = 0
    with made.open("w", encoding="utf-8", newline="\n") as file:
        for line in read_lines(path, lambda _: None):
            cut += line.endswith(LINE_GOES_ON)
            file.write(f"{redact(line)}\n")
    return cut
