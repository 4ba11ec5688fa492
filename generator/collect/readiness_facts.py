"""What is known before a series is loaded: of the machine, of the plan, and of the server once it is up."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from generator.collect.engine_process.lifecycle import UNKNOWN_ENGINE
from generator.collect.engine_process.ports import ANY_PORT, CONNECT_S, LOOPBACK, port_in
from generator.collect.host.clock_look import look_at_clocks
from generator.collect.host.gpus import read_gpus
from generator.collect.host.json_pages import object_of
from generator.collect.host.prefix_cache import prefix_cache_of
from generator.collect.host.preflight import Facts, flags_of, gpu_states
from generator.collect.host.secrets import this_identity
from generator.collect.round_plan import PlannedRun
from generator.declared.round_tables import SeriesTable
from generator.kinds import Launching
from generator.store.arguments import strike_arguments

BYTES_A_TOKEN: Final = 8
"""Bytes on disk for a token of an answer, generously: a gap takes two, its part of the log some more."""
SLACK: Final = 64 * 2**20


def facts_of_machine(
    folder: Path,
    runs: Sequence[PlannedRun],
    seeds: Mapping[int, str],
    series: SeriesTable,
    baseline: SeriesTable | None = None,
    *,
    launching: Launching = UNKNOWN_ENGINE,
) -> Facts:
    """Return what is known before a server is started.

    Args:
        folder: of the round.
        runs: those that are to come.
        seeds: of other rounds, each with the name of where it was used.
        series: how the server is started or found.
        baseline: the series that it is compared with; flags are compared with its where both are of one kind.
        launching: what is known of its kind of server.

    Raises:
        InputError: its command names a port that is none.
    """
    tokens = sum(run.in_all * run.output_tokens for run in runs)
    clocks = look_at_clocks()
    port = _port(series, launching)
    return Facts(
        gpus=gpu_states(read_gpus()),
        port=port,
        port_taken=None if port is None else _is_taken(port),
        clock_monotonic=clocks.monotonic,
        clock_steps_s=clocks.steps_s,
        clock_finest_s=clocks.finest_s,
        clock_synchronised=clocks.synchronised,
        attached=series.endpoint is not None,
        disk_free=shutil.disk_usage(folder).free,
        disk_needed=SLACK + BYTES_A_TOKEN * tokens,
        seed=next((run.seed for run in runs if run.seed in seeds), None),
        earlier_seeds=seeds,
        flags=_flags(series),
        baseline_flags=_flags(baseline) if baseline is not None and baseline.kind == series.kind else None,
    )


def _flags(series: SeriesTable) -> dict[str, str] | None:
    """Return the flags of a command, its secrets struck out: they stand in sentences."""
    return flags_of(strike_arguments(series.argv, this_identity())) if series.argv else None


def _port(series: SeriesTable, launching: Launching) -> int | None:
    """Return the port that a server of ours will listen on; None where any that is free will do."""
    argv = series.argv or ()
    if series.endpoint is not None or not argv or any(ANY_PORT in argument for argument in argv):
        return None
    return port_in(argv, launching)


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(CONNECT_S)
        return probe.connect_ex((LOOPBACK, port)) == 0


def gpu_memory_used() -> float | None:
    """Return the bytes in use on all GPUs; None where that cannot be read."""
    used = [one.value for one in read_gpus() if one.field == "memory_used" and one.value is not None]
    return sum(used) if used else None


def facts_of_server(
    runs: Sequence[PlannedRun], props: str, *, kv_tokens: float | None, prefix_cache: bool | None = None
) -> Facts:
    """Return what is known once a server is up.

    Args:
        runs: those that are to come.
        props: what llama.cpp says at /props; empty where the server says nothing.
        kv_tokens: tokens of the KV pool, as round.toml gives them.
        prefix_cache: whether it keeps prompts.
    """
    told = object_of(props)
    settings = told.get("default_generation_settings")
    context = settings.get("n_ctx") if isinstance(settings, dict) else None
    return Facts(
        attached=True,
        concurrency=max((run.concurrency for run in runs if run.concurrency is not None), default=None),
        slots=_whole(told.get("total_slots")),
        slot_context=_whole(context),
        input_tokens=max(run.input_tokens for run in runs),
        output_tokens=max(run.output_tokens for run in runs),
        kv_tokens=None if kv_tokens is None else int(kv_tokens),
        prefix_cache=prefix_cache,
    )


def keeps_prompts(series: SeriesTable, metrics_page: str) -> bool | None:
    """Return whether the server of a series keeps prompts for later requests; None where nothing tells."""
    return prefix_cache_of(series.kind, flags_of(series.argv) if series.argv else None, metrics_page)


def _whole(told: object) -> int | None:
    return told if isinstance(told, int) and not isinstance(told, bool) and told > 0 else None


def seeds_of_rounds(runs: Path, but: str) -> dict[int, str]:
    """Return the seeds of all runs of the other rounds in a folder of rounds, each with where it was used.

    Prompts of the same seed would be found in a cache, if the server outlived the round.
    """
    found = {}
    for path in sorted(runs.glob("*/*/levels/*/*/level.json")):
        round_id = path.parts[-6]
        if round_id != but:
            summary = object_of(path.read_text(encoding="utf-8", errors="replace")).get("summary")
            seed = summary.get("seed") if isinstance(summary, dict) else None
            if isinstance(seed, str) and seed.isdecimal():
                found[int(seed)] = f"{round_id}, {path.parts[-5]}, {path.parts[-3]}, trial {path.parts[-2]}"
    return found
