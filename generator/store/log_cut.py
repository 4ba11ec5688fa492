"""The log of several runs cut into what is of each: by time where the clocks can be joined, else by counting requests.

A log may give the time of every line, of some, or of none, and its clock may be that of the runs, a wall clock without
zone or year, or one that begins when the server does. A line without a time lies between those around it that have one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.logs.tables import NOT_A_YEAR
from generator.runs.log_events import Events, EventTable
from generator.store.log_runs import LoggedRun
from generator.telemetry.statistics import Span
from generator.text import Text

Lines = NDArray[np.int64]
Numbers = NDArray[np.float64]

HOUR_S: Final = 3600.0
SLACK_S: Final = 2.0
"""How far a line may lie beside its run: logs and results of runs print whole seconds."""
OUR_SLACK_S: Final = 0.02
"""The same by our own clock: a line is stamped when it is read, a little after it was written."""
ZONES: Final = range(-12, 15)
"""Hours by which a local time may be ahead of UTC."""
BETWEEN_ZONES: Final = range(-26, 27)
"""Hours by which one local time may be ahead of another."""
NO_YEAR: Final = tuple(datetime(NOT_A_YEAR + later, 1, 1, tzinfo=UTC).timestamp() for later in (0, 1))
"""Between which times those of a log without a year are put."""
OWN_YEARS: Final = 1e8
"""Seconds below which a time counts from the start of the server, and not from 1970."""

NO_CLOCK: Final = Text(
    zh="{file} 与各次运行没有共同的时钟",
    en="{file} and the runs share no clock that is known",
)
NO_HOUR: Final = Text(
    zh="{file} 的时间没有时区，没有哪一个整点时差能让请求落进各次运行",
    en="the times of {file} have no zone, and no whole hour brings its requests into the runs",
)
SEVERAL_HOURS: Final = Text(
    zh="{file} 的时间没有时区，请求落进各次运行的整点时差不止一个",
    en="the times of {file} have no zone, and more than one whole hour brings its requests into the runs",
)
NO_COUNT: Final = Text(
    zh="日志里的请求数也不等于各次运行的请求数加上每次同样多的预热，按条数也切不开",
    en="nor are its requests those of all runs and the same number of warm-ups for each, so they do not tell either",
)
NO_ORDER: Final = Text(
    zh="各次运行的先后或失败的请求不明，按条数也切不开",
    en="nor can its requests be counted off, for the order of the runs, or what became of their requests, is not known",
)
OVERLAP: Final = Text(
    zh="有几次运行同时进行，{file} 里的行说不清属于哪一次",
    en="some runs were under way at once, so whose the lines of {file} are cannot be told",
)
BLURRED: Final = Text(
    zh="{file} 里有些行没有时间，夹在两次运行之间，说不清属于哪一次",
    en="lines of {file} between two runs have no time, so whose they are cannot be told",
)
NOTHING: Final = Text(
    zh="{file} 没有一行落在这次运行的时间里",
    en="no line of {file} falls into the time of the run",
)


@dataclass(frozen=True, slots=True)
class Part:
    """What of a log is of one run.

    Attributes:
        run: the run.
        events: its events; a kind of which it cannot be told whose they are is not among them.
        how: the lines that they span, and how the log was cut.
    """

    run: LoggedRun
    events: Events
    how: str


def cut(events: Events, launches: Lines, runs: Sequence[LoggedRun]) -> list[Part] | Text:
    """Cut a log into the parts of its runs.

    Args:
        events: what the log tells.
        launches: the lines at which it takes up a request.
        runs: all runs whose requests it may tell of.

    Returns:
        a part for each run of which the log has a line; or why it cannot be cut, with ``{file}`` for its name.
    """
    if _overlap(runs):
        return OVERLAP
    by_time = _by_time(events, launches, runs)
    if not isinstance(by_time, Text):
        return by_time
    by_count = _by_count(events, launches, runs)
    if not isinstance(by_count, Text):
        return by_count
    return Text(zh=f"{by_time.zh}；{by_count.zh}", en=f"{by_time.en}; {by_count.en}")


def _overlap(runs: Iterable[LoggedRun]) -> bool:
    """Say whether two runs were under way at once, by more than the rounding of their times."""
    walls = sorted((run.has_zone, run.wall) for run in runs if run.wall is not None)
    return any(a == b and begin < end - SLACK_S for (a, (_, end)), (b, (begin, _)) in pairwise(walls))


# By time


@dataclass(frozen=True, slots=True)
class _Timeline:
    """The lines that have a time, how coarse it is, and how far a line may lie beside its run."""

    lines: Lines
    times: Numbers
    step: float
    slack: float

    def around(self, lines: Lines) -> tuple[Numbers, Numbers]:
        """Return between which times each of some lines was written: those of the nearest lines that have one."""
        padded = np.concatenate(([-np.inf], self.times, [np.inf]))
        before = padded[np.searchsorted(self.lines, lines, side="right")]
        after = padded[np.searchsorted(self.lines, lines, side="left") + 1]
        return np.minimum(before, after), np.maximum(before, after) + self.step


def _by_time(events: Events, launches: Lines, runs: Sequence[LoggedRun]) -> list[Part] | Text:
    ours = _timeline(events, lambda table: table.clock, 0.0, OUR_SLACK_S)
    windows = _all_known([run.monotonic for run in runs])
    if len(ours.lines) and windows is not None and _fits(ours, launches, windows, runs):
        return _parts(events, ours, windows, runs, "cut by time")
    own = _timeline(events, lambda table: table.own, 1.0, SLACK_S)
    walls = _all_known([run.wall for run in runs])
    one_clock = len({run.has_zone for run in runs}) == 1
    if walls is None or not one_clock or not len(own.lines) or float(np.median(own.times)) < OWN_YEARS:
        return NO_CLOCK
    return _by_wall_clock(events, own, launches, walls, runs)


def _by_wall_clock(
    events: Events, own: _Timeline, launches: Lines, walls: Sequence[Span], runs: Sequence[LoggedRun]
) -> list[Part] | Text:
    """Cut by a clock without zone: the hours between it and that of the runs have to follow from the requests."""
    has_year = not NO_YEAR[0] <= float(np.median(own.times)) < NO_YEAR[1]
    hours = ZONES if all(run.has_zone for run in runs) else BETWEEN_ZONES
    moved = {hour: [_moved(wall, hour, has_year=has_year) for wall in walls] for hour in hours}
    fitting = [hour for hour, windows in moved.items() if _fits(own, launches, windows, runs)]
    if len(fitting) != 1:
        return SEVERAL_HOURS if fitting else NO_HOUR
    return _parts(events, own, moved[fitting[0]], runs, _by_hours(fitting[0]))


def _by_hours(hours: int) -> str:
    if not hours:
        return "cut by time"
    return f"cut by time, the clock of the log being {abs(hours)} h {'ahead' if hours > 0 else 'behind'}"


def _moved(span: Span, hours: int, *, has_year: bool) -> Span:
    """Return a span on a clock that is some hours ahead; where that has no year, in the year that stands for any."""
    begin, end = (time + hours * HOUR_S for time in span)
    if has_year:
        return begin, end
    placed = datetime.fromtimestamp(begin, UTC).replace(year=NOT_A_YEAR).timestamp()
    return placed, placed + end - begin


def _timeline(events: Events, of: Callable[[EventTable], Numbers], step: float, slack: float) -> _Timeline:
    tables = [(table.lines, of(table)) for table in events.values() if len(table)]
    lines = np.concatenate([np.zeros(0, np.int64), *(lines for lines, _ in tables)])
    times = np.concatenate([np.zeros(0), *(times for _, times in tables)])
    there = ~np.isnan(times)
    lines, first = np.unique(lines[there], return_index=True)
    return _Timeline(lines, times[there][first], step, slack)


def _all_known(spans: Iterable[Span | None]) -> list[Span] | None:
    known = list(spans)
    return [span for span in known if span is not None] if known and None not in known else None


def _fits(timeline: _Timeline, launches: Lines, windows: Sequence[Span], runs: Sequence[LoggedRun]) -> bool:
    """Say whether each run may have taken up all requests that were answered, and has no more than were sent."""
    earliest, latest = timeline.around(launches)
    slack, is_told = timeline.slack, False
    for (begin, end), run in zip(windows, runs, strict=True):
        possible = int(((latest >= begin - slack) & (earliest <= end + slack)).sum())
        certain = int(((earliest >= begin + slack) & (latest <= end - slack)).sum())
        if possible < (run.answered or 0) or certain > (run.sent if run.sent is not None else certain):
            return False
        is_told = is_told or bool(run.answered)
    return is_told


def _parts(
    events: Events, timeline: _Timeline, windows: Sequence[Span], runs: Sequence[LoggedRun], how: str
) -> list[Part]:
    order = sorted(range(len(runs)), key=lambda number: windows[number])
    begins, ends = np.array([windows[number] for number in order]).T
    edges = _Ends(begins, ends, timeline.slack)
    of_each: list[dict[str, EventTable]] = [{} for _ in runs]
    for kind, table in events.items():
        owners, blurred = edges.owners(*timeline.around(table.lines))
        for place, number in enumerate(order):
            if place not in blurred:
                of_each[number][kind] = table.rows(owners == place)
    return [part for run, found in zip(runs, of_each, strict=True) if (part := _part(run, found, how)) is not None]


@dataclass(frozen=True, slots=True)
class _Ends:
    """When runs began and ended, in rising order: they do not overlap."""

    begins: Numbers
    ends: Numbers
    slack: float

    def owners(self, earliest: Numbers, latest: Numbers) -> tuple[Lines, set[int]]:
        """Return of which run each event is, or -1; and the runs that may share an event with another.

        What lies within a run is of that one. What lies at an edge, or has no time of its own, is of the one run that
        it can be of.
        """
        within = np.searchsorted(self.begins, earliest, side="right") - 1
        is_within = (within >= 0) & (latest <= self.ends[within])
        first = np.searchsorted(self.ends, earliest - self.slack)
        last = np.searchsorted(self.begins, latest + self.slack, side="right") - 1
        shared = np.unique(np.column_stack((first, last))[~is_within & (last > first)], axis=0)
        blurred = {run for a, b in shared.tolist() for run in range(a, b + 1)}
        return np.where(is_within, within, np.where(first == last, first, -1)), blurred


def _part(run: LoggedRun, events: Events, how: str) -> Part | None:
    ends = [line for table in events.values() if len(table) for line in (table.lines[0], table.lines[-1])]
    if not ends:
        return None
    first, last = min(ends), max(ends)
    return Part(run, events, f"line {first}, {how}" if first == last else f"lines {first}–{last}, {how}")


# By counting requests


def _by_count(events: Events, launches: Lines, runs: Sequence[LoggedRun]) -> list[Part] | Text:
    ordered = _in_order(runs)
    if ordered is None or any(run.sent is None or run.answered != run.sent for run in runs):
        return NO_ORDER
    counts = [run.sent or 0 for run in ordered]
    warm_ups, left = divmod(len(launches) - sum(counts), len(runs))
    if left or not 0 <= warm_ups <= min(counts):
        return NO_COUNT
    taken = np.cumsum([0, *(count + warm_ups for count in counts)])
    starts = [*launches[taken[:-1]].tolist(), None]
    parts = [
        _part(run, _between(events, int(launches[first + warm_ups]), end), "cut by request counts")
        for run, first, (_, end) in zip(ordered, taken[:-1].tolist(), pairwise(starts), strict=True)
    ]
    return [part for part in parts if part is not None]


def _in_order(runs: Sequence[LoggedRun]) -> list[LoggedRun] | None:
    """Return the runs as they began, one behind the other; None where that is not known."""
    begins = [run.started for run in runs]
    if not runs or None in begins or len(set(begins)) < len(begins) or len({run.has_zone for run in runs}) > 1:
        return None
    return sorted(runs, key=lambda run: run.started or 0.0)


def _between(events: Events, first: int, end: int | None) -> Events:
    """Return the events from one line up to another."""
    return {
        kind: table.rows((table.lines >= first) & (table.lines < (np.inf if end is None else end)))
        for kind, table in events.items()
    }
