from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import numpy as np

from generator.logs import llamacpp, llamacpp_facts, sglang, vllm
from generator.runs.log_events import LogFact
from generator.store.log_cut import NO_COUNT, NO_HOUR, NO_ORDER, OVERLAP, SEVERAL_HOURS, Part, cut
from generator.store.log_runs import LoggedRun
from generator.text import Text
from generator.values import Address
from tests.support.server_logs import events_of

KINDS: Final = {"llamacpp": llamacpp.EVENTS, "vllm": vllm.EVENTS, "sglang": sglang.EVENTS}
FACTS: Final = {"llamacpp": llamacpp_facts.FACTS, "vllm": vllm.FACTS, "sglang": sglang.FACTS}
NOON: Final = datetime(2026, 7, 1, 12, tzinfo=UTC).timestamp()

ANSWERED: Final = 'INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK\n'
STATS: Final = (
    "INFO 07-01 {time} [loggers.py:111] Engine 000: Avg prompt throughput: 1.0 tokens/s, "
    "Avg generation throughput: 2.0 tokens/s, Running: {running} reqs, Waiting: 0 reqs, "
    "GPU KV cache usage: 1.0%, Prefix cache hit rate: 0.0%\n"
)
TAKEN: Final = "slot launch_slot_: id  0 | task {task} | processing task, is_child = 0\n"
RELEASED: Final = "slot      release: id  0 | task {task} | stop processing: n_tokens = 191, truncated = {cut}\n"


def facts_in(part: Part, engine: str) -> dict[str, float]:
    wanted: list[LogFact] = [fact for fact in FACTS[engine] if not fact.lasting]
    told = {}
    for fact in wanted:
        try:
            found = fact.compute(part.events)
        except KeyError:
            continue
        if found is not None:
            told[fact.name] = found.value
    return told


def parts_of(log: str, engine: str, *runs: LoggedRun) -> list[Part] | Text:
    events = events_of(log, KINDS[engine])
    launches = next(fact for fact in FACTS[engine] if fact.name == "launches").compute(events)
    return cut(events, launches.lines if launches else np.zeros(0, np.int64), runs)


def told(log: str, engine: str, fact: str, *runs: LoggedRun) -> list[tuple[str | None, float | None, str]]:
    parts = parts_of(log, engine, *runs)
    assert isinstance(parts, list), parts.en
    return [(part.run.where.level, facts_in(part, engine).get(fact), part.how) for part in parts]


def run(level: str, requests: int, begin: float, took: float = 60.0, *, has_zone: bool = True) -> LoggedRun:
    """Return a run that began so many seconds after noon."""
    at = NOON + begin
    where = Address("", "level", "s", level)
    return LoggedRun(where, requests, requests, wall=(at, at + took), has_zone=has_zone, started=at)


def taken(*tasks: int, cut: int = 0) -> str:
    return "".join(TAKEN.format(task=task) + RELEASED.format(task=task, cut=cut) for task in tasks)


# By time


def vllm_log(hour: int) -> str:
    """Return a log of two runs, of two and of three requests, with an idle line between: it is ``hour`` o'clock.

    Lines 1 to 3 are of the first, 4 is of none, 5 to 8 are of the second.
    """
    return (
        ANSWERED * 2
        + STATS.format(time=f"{hour:02d}:00:10", running=2)
        + STATS.format(time=f"{hour:02d}:05:00", running=0)
        + ANSWERED * 3
        + STATS.format(time=f"{hour:02d}:10:10", running=3)
    )


def test_lines_without_a_time_lie_between_those_that_have_one() -> None:
    found = told(vllm_log(12), "vllm", "running_most", run("c2", 2, 0), run("c3", 3, 600))

    assert found == [("c2", 2, "lines 1–3, cut by time"), ("c3", 3, "lines 5–8, cut by time")]
    assert [count for _, count, _ in told(vllm_log(12), "vllm", "launches", run("c2", 2, 0), run("c3", 3, 600))] == [
        2,
        3,
    ]


def test_the_zone_of_a_log_follows_from_the_requests() -> None:
    # The runs began at 12:00 and 12:10 UTC, and the log tells of them at 14:00 and 14:10.
    found = told(vllm_log(14), "vllm", "running_most", run("c2", 2, 0), run("c3", 3, 600))

    assert [how for _, _, how in found] == [
        "lines 1–3, cut by time, the clock of the log being 2 h ahead",
        "lines 5–8, cut by time, the clock of the log being 2 h ahead",
    ]


def test_times_that_fit_at_no_hour_tell_nothing() -> None:
    # 12:00:10 and 12:10:10 in the log; the runs were 30 minutes apart.
    parts = parts_of(vllm_log(12), "vllm", run("c2", 2, 0), run("c3", 4, 1800))

    assert isinstance(parts, Text)
    assert parts.en == f"{NO_HOUR.en}; {NO_COUNT.en}"


def sglang_line(time: str) -> str:
    return f'[2026-07-01 {time}] INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK\n'


def test_times_that_fit_at_two_hours_tell_nothing() -> None:
    # The same load at 12:00 and at 13:00, and a single run on record: either may be the one.
    log = sglang_line("12:00:30") * 4 + sglang_line("13:00:30") * 4

    parts = parts_of(
        log,
        "sglang",
        run("c4", 4, 0),
    )

    assert not isinstance(parts, Text)  # one run: what is too many is taken for warm-up, and cut by count
    assert parts[0].how == "lines 5–8, cut by request counts"


def test_two_runs_of_an_ambiguous_log_are_not_cut() -> None:
    # Every hour, for three hours, two requests; two runs an hour apart: they may be the first two or the last two.
    log = "".join(sglang_line(f"{hour}:00:30") * 2 for hour in (12, 13, 14))

    parts = parts_of(
        log,
        "sglang",
        run("c1", 2, 0),
        run("c2", 2, 3600),
    )

    # 6 launches − 4 requests = 2 = one warm-up a run, and so counts would do
    assert isinstance(parts, list)
    assert {part.how for part in parts} == {"lines 2–3, cut by request counts", "lines 5–6, cut by request counts"}

    longer = log + sglang_line("15:00:30")  # 7 − 4 = 3, which is no whole number for each of two runs
    parts = parts_of(longer, "sglang", run("c1", 2, 0), run("c2", 2, 3600))
    assert isinstance(parts, Text)
    assert parts.en == f"{SEVERAL_HOURS.en}; {NO_COUNT.en}"


def test_our_own_clock_needs_no_zone() -> None:
    # What was sent at 13 s is of neither: a warm-up.
    lines = [
        f"{round(seconds * 1e9)} 2026-07-01T12:00:00.000000Z | {line}"
        for seconds, line in (
            (10.5, TAKEN.format(task=1)),
            (11.5, TAKEN.format(task=2)),
            (13.0, TAKEN.format(task=9)),
            (20.5, TAKEN.format(task=3)),
        )
    ]
    first = LoggedRun(Address("", "level", "s", "c1"), 2, 2, monotonic=(10.0, 12.0))
    second = LoggedRun(Address("", "level", "s", "c2"), 1, 1, monotonic=(20.0, 22.0))

    found = told("".join(lines), "llamacpp", "launches", second, first)

    assert found == [("c2", 1, "line 4, cut by time"), ("c1", 2, "lines 1–2, cut by time")]


def test_an_event_that_may_be_of_two_runs_is_of_none() -> None:
    # Two runs with a second between, a line of statistics in each and a request without a time in between.
    before, first_line, second_line = (
        STATS.format(time=time, running=running)
        for time, running in (("11:59:00", 0), ("12:00:10", 2), ("12:01:11", 1))
    )
    log = before + ANSWERED * 2 + first_line + ANSWERED + second_line
    first, second = run("c2", 2, 0, took=60.0), run("c1", 1, 61)

    parts = parts_of(log, "vllm", first, second)

    assert isinstance(parts, list)
    assert ["launch" in part.events for part in parts] == [False, False]
    assert [facts_in(part, "vllm")["running_most"] for part in parts] == [2, 1]


def test_runs_that_overlap_cannot_be_told_apart() -> None:
    assert parts_of(vllm_log(12), "vllm", run("c2", 2, 0), run("c3", 3, 30)) == OVERLAP


# By counting requests


def test_a_log_without_wall_clock_is_cut_by_counts() -> None:
    # 2 + 3 requests; the first two were not truncated, the others were
    log = taken(1, 2) + taken(3, 4, 5, cut=1)

    found = told(log, "llamacpp", "truncated", run("c3", 3, 600), run("c2", 2, 0))

    assert found == [("c2", 0, "lines 1–4, cut by request counts"), ("c3", 3, "lines 5–10, cut by request counts")]


def test_as_many_warm_ups_before_each_run_are_of_none() -> None:
    # (2 + 3) + 2 × 1 = 7 launches
    log = taken(100) + taken(1, 2) + taken(101) + taken(3, 4, 5)

    found = told(log, "llamacpp", "launches", run("c2", 2, 0), run("c3", 3, 600))

    assert found == [("c2", 2, "lines 3–6, cut by request counts"), ("c3", 3, "lines 9–14, cut by request counts")]


def test_a_number_of_requests_that_does_not_add_up_is_not_cut() -> None:
    # 6 launches for 2 + 3 requests: one too many for two runs
    parts = parts_of(taken(*range(6)), "llamacpp", run("c2", 2, 0), run("c3", 3, 600))

    assert isinstance(parts, Text)
    assert NO_COUNT.en in parts.en


def test_runs_with_failures_are_not_counted_off() -> None:
    # Whether the failed one had been taken up cannot be known.
    failing = LoggedRun(Address("", "level", "s", "c2"), 2, 1, started=0.0)

    parts = parts_of(taken(1, 2), "llamacpp", failing)

    assert isinstance(parts, Text)
    assert NO_ORDER.en in parts.en


def test_runs_whose_order_is_not_known_are_not_counted_off() -> None:
    runs = [LoggedRun(Address("", "level", "s", level), 1, 1) for level in ("c1", "c2")]

    parts = parts_of(taken(1, 2), "llamacpp", *runs)

    assert isinstance(parts, Text)
    assert NO_ORDER.en in parts.en
