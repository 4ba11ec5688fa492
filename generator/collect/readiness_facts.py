"""What is known before a series is loaded: of the machine, of the plan, and of the server once it is up."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from generator.collect.host.nvml import NvmlGpus
from generator.collect.host.preflight import Facts, gpu_states
from generator.collect.round_plan import PlannedRun

BYTES_A_TOKEN: Final = 8
"""Bytes on disk for a token of an answer, generously: a gap takes two, its part of the log some more."""
SLACK: Final = 64 * 2**20


def facts_of_machine(folder: Path, runs: Sequence[PlannedRun], seeds: Mapping[int, str], *, attached: bool) -> Facts:
    """Return what is known before a server is started.

    Args:
        folder: of the round.
        runs: those that are to come.
        seeds: of other rounds, each with the name of where it was used.
        attached: whether the server runs already.
    """
    gpus = NvmlGpus()
    try:
        states = gpu_states(gpus.read())
    finally:
        gpus.close()
    tokens = sum((run.cold + run.warm + run.requests) * run.output_tokens for run in runs)
    return Facts(
        gpus=states,
        attached=attached,
        disk_free=shutil.disk_usage(folder).free,
        disk_needed=SLACK + BYTES_A_TOKEN * tokens,
        seed=next((run.seed for run in runs if run.seed in seeds), None),
        earlier_seeds=seeds,
    )


def facts_of_server(runs: Sequence[PlannedRun], props: str, *, kv_tokens: float | None) -> Facts:
    """Return what is known once a server is up.

    Args:
        runs: those that are to come.
        props: what llama.cpp says at /props; empty where the server says nothing.
        kv_tokens: tokens of the KV pool, as round.toml gives them.
    """
    told = _object(props)
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
    )


def _object(body: str) -> dict[str, Any]:
    try:
        told = json.loads(body)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


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
            summary = _object(path.read_text(encoding="utf-8", errors="replace")).get("summary")
            seed = summary.get("seed") if isinstance(summary, dict) else None
            if isinstance(seed, str) and seed.isdecimal():
                found[int(seed)] = f"{round_id}, {path.parts[-5]}, {path.parts[-3]}, trial {path.parts[-2]}"
    return found
