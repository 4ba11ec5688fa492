"""The levels of a round as Benchmark Reports of llm-d, v0.2.1: a YAML file for each level, and for each of its trials.

Times are seconds. What the schema demands and the round does not know is left out with the block that demands it;
nothing is filled in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

import yaml

from generator.frame import Analysis
from generator.model import Level, Series
from generator.store.arguments import redact_arguments
from generator.values import Address

SCHEMA: Final = "0.2.1"
UNKNOWN: Final = "unknown"
AS_DEFINED_BY: Final = "rounds"
"""What ``scenario.load.native.config.statistics`` says: TPOT and ITL are those of Rounds, whatever sent the load."""
LATENCIES: Final = {
    "time_to_first_token": ("ttft", "s"),
    "time_per_output_token": ("tpot", "s/token"),
    "inter_token_latency": ("itl", "s/token"),
    "request_latency": ("e2el", "s"),
}
"""Block of the report -> metric of ours, and the unit that it is given in."""
RATES: Final = {
    "request_rate": ("request_throughput", "queries/s"),
    "output_token_rate": ("output_throughput", "tokens/s"),
    "total_token_rate": ("total_token_throughput", "tokens/s"),
}
STATISTICS: Final = ("mean", "p50", "p90", "p95", "p99")

Json = dict[str, Any]


def report_files(analysis: Analysis) -> dict[str, bytes]:
    """Return a report for each level, and for each trial of one that was run more often, by their names."""
    return {
        _name(series, level, trial): _yaml(_report(analysis, series, level, trial))
        for series in analysis.round.series
        for level in series.levels
        for trial in dict.fromkeys((None, *level.runs))
    }


def _name(series: Series, level: Level, trial: int | None) -> str:
    return f"{series.id}/{level.id}{'' if trial is None else f'-{trial}'}.yaml"


def _yaml(report: Json) -> bytes:
    text: str = yaml.safe_dump(report, sort_keys=False, allow_unicode=True)
    return text.encode()


def _report(analysis: Analysis, series: Series, level: Level, trial: int | None) -> Json:
    number = _Numbers(analysis, series.id, level.id, trial)
    return {
        "version": SCHEMA,
        "run": _run(analysis, number),
        "scenario": _known({"stack": _stack(analysis, series), "load": _load(analysis, level, number)}),
        "results": {"request_performance": {"aggregate": _aggregate(number)}},
    }


class _Numbers:
    """The values of a level or a trial, in base units."""

    def __init__(self, analysis: Analysis, series: str, level: str, trial: int | None) -> None:
        self._values = analysis.frame.values
        self.place = (series, level, trial)

    def __call__(self, metric: str) -> float | None:
        """Return a number; None where it is not known. What is asked of a level holds for each of its trials."""
        series, level, trial = self.place
        for one in (trial, None):
            found = self._values.get(Address(metric, "level", series, level, trial=one))
            if found is not None:
                return found.value
        return None

    def statistics(self, metric: str, unit: str) -> Json | None:
        """Return a block of statistics; None without the mean, which every block must have."""
        found = {name: self(f"{metric}_{name}") for name in STATISTICS}
        return None if found["mean"] is None else _known({"units": unit, **found})


def _known(block: Mapping[str, Any]) -> Json:
    return {name: value for name, value in block.items() if value is not None}


def _run(analysis: Analysis, number: _Numbers) -> Json:
    duration, title = number("duration"), analysis.round.title.en
    told = "\n".join([analysis.round.data_sha256, *map(str, number.place)])
    return {
        "uid": hashlib.sha256(told.encode()).hexdigest()[:32],
        "eid": analysis.round.data_sha256[:32],
        "description": title,
        **({} if duration is None else {"time": {"duration": f"PT{duration:.6f}S"}}),
    }


def _stack(analysis: Analysis, series: Series) -> list[Json]:
    """Return the engine. The schema's own kind of one demands a number of accelerators, which a round does not tell."""
    table, file = series.table, analysis.round.file
    gpu = table.gpu or file.hardware.gpu
    standardized = {
        "kind": "generic",
        "tool": table.engine or UNKNOWN,
        "tool_version": table.version or UNKNOWN,
        "kind_draft": "inference_engine",
        "model": {"name": file.model.name},
        "precision": table.precision,
        "accelerator": {"model": gpu.en} if gpu else None,
    }
    argv = list(redact_arguments(table.argv)) if table.argv else None
    identity = hashlib.sha256(repr((standardized, argv)).encode()).hexdigest()[:32]
    native = {} if argv is None else {"config": {"argv": argv}}
    return [
        {"metadata": {"label": series.id, "cfg_id": identity}, "standardized": _known(standardized), "native": native}
    ]


def _load(analysis: Analysis, level: Level, number: _Numbers) -> Json | None:
    """Return the load; None where not even the length of prompts is known, which the schema demands."""
    given = _input_length(number)
    if given is None:
        return None
    series, _, trial = number.place
    described = analysis.round.described.get((series, level.id, trial)) or {}
    asked = number("asked_output_tokens")
    standardized = {
        "tool": described.get("tool", UNKNOWN),
        "tool_version": described.get("tool version", UNKNOWN),
        "source": UNKNOWN,
        "input_seq_len": given,
        "output_seq_len": None if asked is None else {"distribution": "fixed", "value": asked},
        "rate_qps": level.rate,
        "concurrency": _cap(level),
    }
    native = {"config": {"statistics": AS_DEFINED_BY}}
    return {"metadata": {"description": level.id}, "standardized": _known(standardized), "native": native}


def _cap(level: Level) -> float | int | None:
    if level.concurrency is None:
        return float("inf") if level.rate is not None else None
    whole = int(level.concurrency)
    return whole if whole == level.concurrency and whole >= 1 else None


def _input_length(number: _Numbers) -> Json | None:
    """Return the length of prompts: as asked, else the mean of those that were counted."""
    asked, counted, completed = (number(name) for name in ("asked_input_tokens", "input_tokens_counted", "completed"))
    if asked is not None:
        return {"distribution": "fixed", "value": asked}
    return {"distribution": "other", "value": counted / completed} if counted is not None and completed else None


def _aggregate(number: _Numbers) -> Json:
    latency = {block: number.statistics(metric, unit) for block, (metric, unit) in LATENCIES.items()}
    return _known({
        "requests": _requests(number),
        "latency": _known(latency) or None,
        "throughput": dict(_rates(number)) or None,
    })  # fmt: skip


def _requests(number: _Numbers) -> Json | None:
    total, failed, length = (number(name) for name in ("requests", "failed", "output_tokens_mean"))
    if total is None:
        return None
    return _known({
        "total": int(total),
        "failures": None if failed is None else int(failed),
        "output_length": None if length is None else {"units": "count", "mean": length},
    })  # fmt: skip


def _rates(number: _Numbers) -> Iterator[tuple[str, Json]]:
    for block, (metric, unit) in RATES.items():
        value = number(metric)
        if value is not None:
            yield block, {"units": unit, "mean": value}
