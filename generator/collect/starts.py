"""Further starts of an engine that carry no load: started, asked once, stopped, and kept as sessions of their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from generator.collect.engine_process.cold_start import NAME, ColdStart
from generator.collect.engine_process.first_answer import asking
from generator.collect.engine_process.lifecycle import running
from generator.collect.session import OPEN, SESSIONS, close_session, launch_of, write_fingerprint
from generator.declared.round_tables import SeriesTable, WorkloadTable
from generator.kinds import Engine


def starts_missing(home: Path, series: SeriesTable) -> int:
    """Return how many starts of a series are asked for beyond those on record; those of sessions with a load count.

    None is missing where one is asked for: the session with the load has it, if the engine is started at all.
    """
    if series.starts == 1:
        return 0
    on_record = sum(1 for _ in (home / SESSIONS).glob(f"*/{NAME}"))
    return max(series.starts - on_record, 0)


async def start_once(
    series: SeriesTable, workload: WorkloadTable, engines: Mapping[str, Engine], home: Path, headers: Mapping[str, str]
) -> ColdStart | None:
    """Start a series' engine, wait for its first answer, stop it; and keep what it left as a session.

    Args:
        series: how it is started.
        workload: what of the API a load uses.
        engines: the kinds of server, by name.
        home: the folder of the series.
        headers: to be sent with the request, as for a key.

    Returns:
        the moments of the start; None where it was not started here.

    Raises:
        EngineError: it cannot be started, ends early, or does not end.
        InputError: its port is taken.
    """
    close_session(home)
    work = home / OPEN
    work.mkdir(parents=True)
    launch = launch_of(series, engines)
    try:
        async with running(launch, work, asking(workload.api, series.served_model, dict(headers))) as engine:
            write_fingerprint(work, launch, engine, series)
            return engine.cold_start
    finally:
        close_session(home)


def told(start: ColdStart) -> str:
    """Say in a line when an engine was ready, when its first token came, and how its files lay."""
    first = "no first token" if start.first_token_s is None else f"first token after {start.first_token_s:.1f} s"
    return f"ready after {start.healthy_s:.1f} s, {first}, page cache {_told_cache(start)}"


def _told_cache(start: ColdStart) -> str:
    cache = start.page_cache
    if cache.resident is None:
        return f"unknown ({cache.reason})"
    kept = f"; not dropped: {cache.not_dropped}" if cache.not_dropped else ""
    return f"{cache.state} ({cache.resident:.0%} in memory{kept})"
