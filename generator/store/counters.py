"""Pages of /metrics that were saved beside a run or a series: what the server's counters say of the time between.

    metrics-before.prom, metrics-after.prom    or    metrics-0.prom, metrics-1.prom, …
        in the folder of a run or of a series

A page may be of any release of several servers; a counter has one name here (see ``generator.telemetry.page``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.kinds import Metric
from generator.model import Series
from generator.places import Place
from generator.store.beside import Beside, Sought, reasons_for, sought
from generator.store.files import read_bytes, shown, unreadable
from generator.store.names import natural
from generator.store.runs import trials_of
from generator.telemetry.dumps import AFTER, BEFORE, COUNTERS, NUMBERED, Dump, Grown, fullest, grown, is_dump
from generator.telemetry.page import scrape
from generator.text import Text, same
from generator.values import Address, Source

MOST_DUMPS: Final = 1000
RESTARTS: Final = "restarts"
"""The place of how many windows between two pages were lost because the server was started anew."""

NO_COUNTER: Final = Text(zh="{files} 里没有这个计数器", en="{files} do not have this counter")
LOST: Final = Text(
    zh="未知（重启）：{window} 之间计数器被清零（{why}）",
    en="unknown (restart): from {window} the counters were set back ({why})",
)
LOST_OTHERWISE: Final = Text(zh="{window} 之间看不出：{why}", en="from {window} it cannot be told: {why}")
RESTARTED: Final = "restarted"


def read_counters(folder: Path, series: Sequence[Series], places: Mapping[Place, Metric]) -> Beside:
    """Read the saved pages of a round.

    Args:
        folder: the round's folder.
        series: the series with their levels.
        places: every place where a number may be written down, and the metric it is of.

    Raises:
        InputError: a page cannot be read, leads out of the round, has no partner, or holds no counter that is known.
    """
    wanted, beside = sought(places, "counters"), Beside()
    for one in series:
        _take(folder / one.id, folder, Address("", "series", one.id), wanted.get("series", ()), beside)
        for trial, where in trials_of(folder, one):
            _take(trial, folder, where, wanted.get("level", ()), beside)
    return beside


def _take(path: Path, folder: Path, where: Address, wanted: Iterable[Sought], beside: Beside) -> None:
    dumps = _dumps(path, folder)
    if not dumps:
        return
    found = grown(dumps)
    file = f"{path.relative_to(folder).as_posix()}/{dumps[0].name}"
    for one in wanted:
        told = _told(one.name, dumps, found)
        if isinstance(told, Text):
            beside.unread |= reasons_for([one], where, told)
        else:
            value, place = told
            beside.observations.append(one.found(where, value, "reported", Source(file, place)))


def _told(name: str, dumps: Sequence[Dump], found: Mapping[str, Grown]) -> tuple[float, str] | Text:
    """Return a number and the pages that it is from, or why it is not known."""
    files = f"{dumps[0].name} to {dumps[-1].name}"
    if name == RESTARTS:
        return float(len({w for one in found.values() for w, why in one.lost.items() if RESTARTED in why})), files
    if name not in COUNTERS:
        value = fullest(dumps, name)
        return (value, f"{name}, the most of {files}") if value is not None else NO_COUNTER.format(files=same(files))
    one = found.get(name)
    if one is None:
        return NO_COUNTER.format(files=same(files))
    if one.amount is not None:
        return one.amount, f"{name}, {'; '.join(one.windows)}"
    window, why = next(iter(one.lost.items()))
    return (LOST if RESTARTED in why else LOST_OTHERWISE).format(window=same(window), why=same(why))


def _dumps(path: Path, folder: Path) -> list[Dump]:
    files = _files(path)
    if len(files) == 1:
        problem = "stands alone: what counters grew by takes two pages"
        raise InputError(shown(files[0]), "", problem, f"save {BEFORE} before a run and {AFTER} after it")
    if len(files) > MOST_DUMPS:
        raise InputError(shown(path), "", f"has more than {MOST_DUMPS} pages of /metrics", "keep those at run ends")
    return [_dump(file, folder) for file in files]


def _files(path: Path) -> list[Path]:
    """Return the pages in their order of time."""
    try:
        found = sorted((one for one in path.iterdir() if is_dump(one.name)), key=natural) if path.is_dir() else []
    except OSError as error:
        raise unreadable(path, error) from error
    numbered = [one for one in found if NUMBERED.fullmatch(one.name)]
    named = [one for name in (BEFORE, AFTER) for one in found if one.name == name]
    if numbered and named:
        raise InputError(shown(named[0]), "", f"stands beside {numbered[0].name}", "keep one way of naming the pages")
    return numbered or named


def _dump(file: Path, folder: Path) -> Dump:
    try:
        page = scrape(read_bytes(file, within=folder).decode("utf-8", "replace"))
    except FileNotFoundError as error:
        raise unreadable(file, error) from error
    if not page.series:
        problem = "holds no counter of a server that is known"
        raise InputError(shown(file), "", problem, "save the page at /metrics of vLLM, SGLang or llama-server there")
    return Dump(file.name, page)
