"""Small analyses for the tests: rounds built in memory and put through the real metric graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from generator import metrics
from generator.analysis.graph import Graph, build
from generator.analysis.stages import analyse
from generator.declared.round_tables import HardwareTable, ModelTable, RoundFile, RoundTable, SeriesTable, WorkloadTable
from generator.declared.table_types import Title
from generator.frame import Analysis
from generator.kinds import Check, Metric, check
from generator.model import Integrity, Level, Round, Series
from generator.registry import discover_metrics
from generator.render.wording.numbers import Printer
from generator.text import Lang, Text
from generator.themes import RECORDS
from generator.told.findings import Finding
from generator.told.sentence import LevelName, SeriesName, say
from generator.units import to_base
from generator.values import Address, Observation, Source

Rows = Mapping[str, Sequence[Mapping[str, str]]]
"""Series -> its levels, each a row of published.csv with the numbers as an author types them."""

BASELINE = "vllm-bf16"
COMPARED = "llamacpp-q4_k_m"
ROUND_2: Rows = {
    BASELINE: (
        {"concurrency": "1", "requests": "40", "completed": "40", "duration_s": "165.54",
         "itl_p50_ms": "15.83", "output_throughput": "61.9", "itl_mean_ms": "15.83"},
        {"concurrency": "8", "requests": "120", "completed": "120", "duration_s": "74.67",
         "itl_p50_ms": "16.63", "output_throughput": "411.4", "itl_mean_ms": "18.25"},
        {"concurrency": "64", "requests": "512", "completed": "512", "duration_s": "94.45",
         "itl_p50_ms": "22.50", "output_throughput": "1387.8", "itl_mean_ms": "42.22"},
    ),
    COMPARED: (
        {"concurrency": "1", "requests": "40", "completed": "40", "duration_s": "63.40",
         "itl_p50_ms": "5.84", "output_throughput": "161.5", "itl_mean_ms": "5.83"},
        {"concurrency": "8", "requests": "120", "completed": "120", "duration_s": "73.58",
         "itl_p50_ms": "10.30", "output_throughput": "415.6", "itl_mean_ms": "18.33"},
        {"concurrency": "64", "requests": "512", "completed": "511", "duration_s": "300.00",
         "itl_p50_ms": "", "output_throughput": "400", "itl_mean_ms": "120"},
    ),
}  # fmt: skip
"""Three levels of Round 2's two series; one cell is empty."""

ROUND_VALUES = (
    ("layers", "28", "1"), ("kv_heads", "4", "1"), ("head_dim", "128", "1"), ("kv_dtype_bytes", "2", "B"),
    ("matmul_params", "7070619136", "1"),
    ("memory_bandwidth", "1008", "GB/s"), ("memory_capacity", "24", "GiB"),
)  # fmt: skip
SERIES_VALUES = {
    BASELINE: (("weight_dtype_bytes", "2", "B"), ("embedding_bytes", "0", "B")),
    COMPARED: (("weight_bytes_per_step", "4680000000", "B"), ("embedding_bytes", "0", "B")),
}


@cache
def graph() -> Graph:
    """Return the graph of all metrics there are."""
    return build(discover_metrics(metrics))


def small_round(
    rows: Rows = ROUND_2, *, baseline: str | None = BASELINE, engines: Mapping[str, str] | None = None
) -> Round:
    """Return a round with the levels of ``rows``; ``engines`` renames the series for the reader."""
    named = {BASELINE: "vLLM", COMPARED: "llama.cpp"} if engines is None else engines
    series = tuple(_series(key, named.get(key), levels) for key, levels in rows.items())
    file = RoundFile.model_validate({
        "schema": 1,
        "round": RoundTable(title=Title(zh="第二轮", en="Round 2"), baseline=baseline, origin="transcribed"),
        "model": ModelTable(name="Qwen2.5-7B-Instruct", layers=28),
        "hardware": HardwareTable.model_validate({"gpu": "RTX 4090", "memory_bandwidth_gb_s": 1008}),
        "workload": WorkloadTable(input_tokens=1024, output_tokens=256),
        "series": tuple(one.table for one in series),
    })  # fmt: skip
    return Round("round-2", file, series, tuple(_observations(rows)), Integrity("absent"), "0" * 64)


def small_analysis(round_: Round | None = None, *, spoil: Mapping[str, Sequence[str]] | None = None) -> Analysis:
    """Return the analysis of a round (three levels of Round 2 unless given), with some levels spoilt."""
    checks = (_spoiler(spoil),) if spoil else ()
    return analyse(small_round() if round_ is None else round_, graph(), checks)


def printer(lang: Lang = "en", analysis: Analysis | None = None) -> Printer:
    """Return a printer for an analysis."""
    return Printer(small_analysis() if analysis is None else analysis, graph(), lang)


def _series(key: str, engine: str | None, rows: Sequence[Mapping[str, str]]) -> Series:
    table = SeriesTable(id=key, engine=engine, precision={BASELINE: "BF16", COMPARED: "Q4_K_M"}.get(key))
    return Series(table, tuple(_level(row) for row in rows))


def _level(row: Mapping[str, str]) -> Level:
    if "rate" in row:
        return Level(row.get("level", f"r{row['rate']}"), rate=float(row["rate"]))
    return Level(row.get("level", f"c{row['concurrency']}"), concurrency=float(row["concurrency"]))


def _observations(rows: Rows) -> list[Observation]:
    columns = {place.name: metric for place, metric in graph().places().items() if place.kind == "column"}
    found = [_observed(Address(key, "round"), typed, unit, "round.toml") for key, typed, unit in ROUND_VALUES]
    for series, levels in rows.items():
        for key, typed, unit in SERIES_VALUES.get(series, SERIES_VALUES[BASELINE]):
            found.append(_observed(Address(key, "series", series), typed, unit, "round.toml"))
        for row in levels:
            found.extend(_level_observations(series, row, columns))
    return found


def _level_observations(series: str, row: Mapping[str, str], columns: Mapping[str, Metric]) -> list[Observation]:
    level, units = _level(row).id, {name: _unit_of(metric, name) for name, metric in columns.items()}
    asked = {"input_tokens": "1024", "output_tokens": "256"}
    return [
        _observed(Address(columns[name].key, "level", series, level), typed, units[name], f"{series}/published.csv")
        for name, typed in {**asked, **row}.items()
        if typed and name in columns
    ]


def _unit_of(metric: Metric, name: str) -> str:
    return next(place.unit for place in metric.places if place.name == name)


def _observed(address: Address, typed: str, unit: str, file: str) -> Observation:
    decimals = len(typed.partition(".")[2])
    source = Source(file, address.metric)
    return Observation(address, to_base(float(typed), unit), "transcribed", source, decimals)


def _spoiler(spoil: Mapping[str, Sequence[str]]) -> Check:
    @check(
        theme=RECORDS, title=Text(zh="坏档", en="spoilt"), question=Text(zh="坏了吗？", en="Is it spoilt?"), spoils=True
    )
    def spoiler(analysis: Analysis) -> list[Finding]:
        return [
            Finding(
                "spoiler", "fail",
                say("{series} 的 {level} 作废", "{level} of {series} is spoilt",
                    series=SeriesName(series), level=LevelName(series, levels[0])),
                series=series, levels=tuple(levels), spoils=tuple(levels),
                evidence=tuple(Address("itl_p50", "level", series, level) for level in levels),
            )
            for series, levels in spoil.items()
        ]  # fmt: skip

    return spoiler
