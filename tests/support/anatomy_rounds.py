"""Rounds in memory whose TTFT can be taken apart: by a log, by counters, by neither; and sweeps of lengths."""

from __future__ import annotations

from collections.abc import Mapping

from generator.frame import Analysis
from generator.model import Round
from generator.runs.requests import Requests
from tests.support.memory_round import Levels, Numbers, memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import analysed

FIRST_SENT = 1000.0
"""When the first request was sent, on the clock of the machine."""


def two_answers(ttft: float = 0.5) -> Requests:
    """Return two answers, sent at 0 and 1 s, of three tokens each: the second waits while the first decodes."""
    return requests_of(answer(ttft, 0.6, 0.1, start=0.0), answer(ttft, 0.1, 0.1, start=1.0))


def by_log(queue: float, prefill: float) -> Numbers:
    """Return what the log of two requests tells where each waits and is computed for so long.

    Sent on average 0.5 s after the first, they are taken up ``queue`` later.
    """
    return {
        "first_sent_clock": FIRST_SENT,
        "log_launch_clocks": 2 * (FIRST_SENT + 0.5 + queue),
        "logged_requests": 2.0,
        "log_prompt_seconds": 2 * prefill,
        "log_timing_lines": 2.0,
        "log_prompt_tokens_computed": 2 * 128.0,
    }


def by_counters(queue: float, prefill: float) -> Numbers:
    """Return what histograms tell of four requests, two of them before the clock."""
    return {
        "server_queue_seconds": 4 * queue,
        "server_queue_count": 4.0,
        "server_prefill_seconds": 4 * prefill,
        "server_prefill_count": 4.0,
    }


def of_levels(levels: Mapping[str, Numbers], ttft: float = 0.5) -> Round:
    """Make a round of one series ``a`` whose levels (``c1``, ``c4``) were run once, with 128 tokens asked."""
    told = {
        level: {"concurrency": float(level[1:]), "asked_input_tokens": 128.0, **numbers}
        for level, numbers in levels.items()
    }
    return memory_round({"a": told}, runs={("a", level, None): two_answers(ttft) for level in levels})


def told_in_every_way() -> Round:
    """Make a round of every way to take a TTFT apart: by a log, by histograms, by one sum of all prompts, by lengths.

    In the runs of one series more, a second passes in which two answers are under way and nothing comes.
    """
    spread = {"server_prompt_seconds": 1.2, "warm_up_requests": 1.0}
    server = {"server_ttft_seconds": 1.9, "server_ttft_count": 4.0}
    told: dict[str, Levels] = {
        "logged": {"c1": by_log(0.001, 0.49), "c4": by_log(0.2, 0.28)},
        "counted": {"c1": {**by_counters(0.01, 0.44), **server}},
        "summed": {"c1": spread},
        "stalled": {"c2": {}},
    }
    runs: dict[tuple[str, str, int | None], Requests | None]
    runs = {(series, level, None): two_answers() for series, levels in told.items() for level in levels}
    runs["stalled", "c2", None] = requests_of(*(answer(ttft, 0.1, 1.0, 0.1, start=0.0) for ttft in (0.5, 0.55)))
    loads = {
        series: {level: {"concurrency": float(level[1:]), **numbers} for level, numbers in levels.items()}
        for series, levels in told.items()
    }
    return memory_round({**loads, "swept": swept(0.02, 1e-4, 1e-9, off=0.02)}, runs=runs)


def divided() -> Analysis:
    """Return levels whose logs tell: alone 1 ms of 500 are queueing and 490 prefill, at four 200 and 280."""
    return analysed(of_levels({"c1": by_log(0.001, 0.49), "c4": by_log(0.2, 0.28)}))


def swept(a: float, b: float, c: float = 0.0, off: float = 0.0) -> Levels:
    """Return levels of one request in flight and 64 to 4096 tokens, of which a client sees a + b n + c n².

    Every other one is later by a share ``off`` of it, and the others sooner.
    """
    lengths = (64, 256, 512, 1024, 2048, 4096)
    return {
        f"n{n}": {
            "concurrency": 1.0,
            "asked_input_tokens": float(n),
            "ttft_p50": (a + b * n + c * n * n) * (1 + (off if at % 2 else -off)),
        }
        for at, n in enumerate(lengths)
    }


def listed() -> Analysis:
    """Return a table of results: medians of the TTFT at two loads."""
    levels = {"c1": {"concurrency": 1.0, "ttft_p50": 0.1}, "c8": {"concurrency": 8.0, "ttft_p50": 0.3}}
    return analysed(memory_round({"a": levels}))


def nothing() -> Analysis:
    """Return a round that has no TTFT."""
    return analysed(memory_round({"a": {"c1": {"concurrency": 1.0, "output_throughput": 50.0}}}))
