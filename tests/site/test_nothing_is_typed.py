"""No number of a page is typed: change one input, and exactly what depends on it changes."""

from __future__ import annotations

import math
import re
import shutil
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from generator.render.wording.anchors import name as name_of
from tests.support.sites import IN_FRONT, RUNS, Json, address_of, build, ids_of, report_of

ROUND: Final = "round-2"
LANGS: Final = ("zh", "en")
LLAMACPP: Final = "llamacpp-q4_k_m"
VLLM: Final = "vllm-bf16"
QUANTITY: Final = re.compile(r'<a href="how\.html#([^"]+)">(.*?)</a>', re.DOTALL)
TAG: Final = re.compile(r"<[^>]+>")
DRAWN: Final = re.compile(
    r'<svg.*?</svg>|<nav class="contents".*?</nav>|<details>.*?</details>|<meta[^>]*>|<code title.*?</code>'
    r'|<details class="cite">.*?</details>|<small class="size">.*?</small>'
    r'|(?:aria-label|alt|height)="[^"]*"',
    re.DOTALL,
)
"""Parts in which numbers are text: drawings, the contents, the data behind a figure; they are compared elsewhere."""


@dataclass(frozen=True)
class Change:
    """One input made about 7 % larger.

    Attributes:
        place: how report.json names where the input is read.
        cancels: metrics that depend on the input, but in which it cancels out.
        retells: whether a sentence then speaks of another level, or a check concludes something else.
    """

    file: str
    old: str
    new: str
    place: str
    cancels: frozenset[str] = frozenset()
    retells: bool = False


def cell(series: str, column: str, old: str, new: str) -> Change:
    """Change a cell of level c4, which stands in line 4 of both tables."""
    file = f"{series}/published.csv"
    return Change(file, old, new, f"{file}, line 4, column {column}")


def constant(table: str, key: str, old: str, new: str) -> Change:
    """Change a constant of round.toml; the names of all tables but the series' stand in its source as they are."""
    return Change("round.toml", f"{key} = {old}", f"{key} = {new}", f"round.toml, {table}{key}")


def fact(series: str, table: str, key: str, old: str, new: str) -> Change:
    file = f"{series}/published.toml"
    return Change(file, f"{key} = {old}", f"{key} = {new}", f"{file}, [{table}] {key}")


EQUAL_OUTPUT: Final = frozenset(
    {"throughput_ratio_equal_tokens", "crossover_concurrency_equal_tokens", "crossover_count", "best_throughput"}
)
"""The throughput is divided by the tokens that were counted from it. The number of crossovers is a whole number, and
the highest throughput is that of another level than the changed one."""

OF_THE_BEST: Final = frozenset(
    f"{metric}{scenario}"
    for metric in ("tokens_served", "server_hours_per_mtok")
    for scenario in ("", ".conservative", ".aggressive")
) | {"elasticity_utilisation"}
"""What the highest throughput gives, which is that of another level than the changed one."""

EQUAL_LENGTHS: Final = frozenset({"marginal_step_cost", "marginal_step_cost_excess", "step_lines_meet"})
"""The slope lies between levels whose lengths are equal, and is scaled by their ratio."""

FIRST_OF_TWO: Final = frozenset({"scaling_efficiency", f"cliff_wall~{LLAMACPP}"})
"""The efficiency asks only that lengths be equal. The slots of llama.cpp are fewer than its pool holds requests."""

FROM_THROUGHPUT: Final = frozenset({"output_tokens_per_request"})
"""The tokens counted are output throughput × duration, whatever the number of answers."""

CHANGES: Final = {
    "requests": replace(cell(VLLM, "requests", "4,80,80,90.99", "4,86,80,90.99"), retells=True),
    "completed": replace(
        cell(LLAMACPP, "completed", "4,80,80,63.50", "4,80,75,63.50"), cancels=FROM_THROUGHPUT, retells=True
    ),
    "duration": replace(cell(VLLM, "duration_s", "90.99", "97.36"), retells=True),
    "throughput": replace(
        cell(LLAMACPP, "output_throughput", "318.4", "340.7"), cancels=EQUAL_OUTPUT | OF_THE_BEST, retells=True
    ),
    "total throughput": replace(
        cell(VLLM, "total_token_throughput", ",1125,", ",1204,"),
        cancels=frozenset({"best_throughput.total"}),
        retells=True,
    ),
    "TTFT": cell(LLAMACPP, "ttft_p50_ms", ",189,376,", ",202,376,"),
    "TTFT p99": replace(cell(LLAMACPP, "ttft_p99_ms", ",189,376,", ",189,402,"), retells=True),
    "ITL": cell(VLLM, "itl_p50_ms", "16.32", "16.53"),
    "mean ITL": replace(cell(VLLM, "itl_mean_ms", "16.88", "18.06"), retells=True),
    "E2EL": cell(LLAMACPP, "e2el_p50_ms", ",2349,", ",2513,"),
    "log lines": replace(cell(LLAMACPP, "log_timing_lines", ",79,3273", ",85,3273"), retells=True),
    "graph reuse": cell(LLAMACPP, "graphs_reused_increment", ",79,3273", ",79,3502"),
    "bandwidth": constant("[hardware] ", "memory_bandwidth_gb_s", "1008", "1078.56"),
    "capacity": constant("[hardware] ", "memory_gib", "24", "25.68"),
    "layers": replace(
        constant("[model] ", "layers", "28", "30"), cancels=frozenset({"kv_beyond_window"}), retells=True
    ),
    "input tokens": replace(
        constant("[workload] ", "input_tokens", "1024", "1096"),
        cancels=EQUAL_LENGTHS | FIRST_OF_TWO,
        retells=True,
    ),
    "weights": replace(constant(f"[[series]] {LLAMACPP}, ", "weight_bytes", "4.68e9", "5.0076e9"), retells=True),
    "parameters": constant(f"[[series]] {VLLM}, ", "weight_params", "7070619136", "7565562475"),
    "pool": replace(constant(f"[[series]] {VLLM}, ", "kv_pool_tokens", "120064", "128468"), retells=True),
    "memory used": fact(LLAMACPP, "memory", "device_used_mib", "19089", "20425"),
    "weights loaded": fact(VLLM, "memory", "weights_gib", "14.49", "15.50"),
}

Ids = frozenset[str]


@dataclass(frozen=True)
class Told:
    """A built round: its values by the id of their derivation, and what its front page and those after it print."""

    values: dict[str, float | None]
    places: dict[str, Ids]
    printed: dict[str, dict[str, Ids]]
    wording: dict[str, str]


def id_of(value: Json) -> str:
    return name_of(address_of(value))


def read(site: Path) -> Told:
    report = report_of(site, ROUND)
    by_id = {id_of(value): value for value in report["values"]}

    @cache
    def places(id_: str) -> Ids:
        own = {by_id[id_]["source"]} if by_id[id_]["source"] else set()
        return frozenset(own.union(*(places(id_of(one)) for one in by_id[id_]["inputs"])))

    folders = {lang: site / lang / "rounds" / ROUND for lang in LANGS}
    pages = {
        lang: "".join((folder / name).read_text(encoding="utf-8") for name in IN_FRONT)
        for lang, folder in folders.items()
    }
    linked = {anchor: id_of(value) for anchor, value in ids_of(report).items()}
    return Told(
        values={id_: value["value"] for id_, value in by_id.items()},
        places={id_: places(id_) for id_ in by_id},
        printed={lang: printed(page, linked) for lang, page in pages.items()},
        wording={lang: QUANTITY.sub("…", DRAWN.sub("", page)) for lang, page in pages.items()},
    )


def printed(page: str, linked: dict[str, str]) -> dict[str, Ids]:
    """Return what a page prints for each derivation: several texts where it is rounded in several ways."""
    found = defaultdict(set)
    for anchor, html in QUANTITY.findall(page):
        found[linked[anchor]].add(TAG.sub("", html))
    return {id_: frozenset(texts) for id_, texts in found.items()}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs = tmp_path_factory.mktemp("typed") / "runs"
    # What was published is typed, and meant to be: it stays when the data change.
    shutil.copytree(RUNS / ROUND, runs / ROUND, ignore=shutil.ignore_patterns("claims.csv"))
    return runs


@pytest.fixture(scope="module")
def before(runs: Path) -> Told:
    return read(build(runs, runs.parent / "before"))


def rebuilt(runs: Path, change: Change, out: Path) -> Told:
    """Build the round with one input changed, which is put back afterwards."""
    path = runs / ROUND / change.file
    original = path.read_text(encoding="utf-8")
    assert original.count(change.old) == 1, f"{change.old} is no single place of {change.file}"
    path.write_text(original.replace(change.old, change.new), encoding="utf-8")
    try:
        return read(build(runs, out))
    finally:
        path.write_text(original, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_exactly_what_depends_on_an_input_changes(runs: Path, before: Told, tmp_path: Path, name: str) -> None:
    change = CHANGES[name]
    after = rebuilt(runs, change, tmp_path / "site")
    dependent = {id_ for told in (before, after) for id_, places in told.places.items() if change.place in places}
    changed = {id_ for id_ in before.values if before.values[id_] != after.values[id_]}
    assert changed
    assert dependent - changed == {
        id_ for id_ in dependent if {id_.split("~")[1], id_.partition("~")[2]} & change.cancels
    }
    assert changed - dependent == set()
    for lang in LANGS:
        assert misprinted(after, lang) == []
        assert reprinted(before, after, lang) <= changed
        assert change.retells or after.wording[lang] == before.wording[lang]


@pytest.mark.parametrize("lang", LANGS)
def test_every_printed_number_is_the_value_rounded(before: Told, lang: str) -> None:
    assert len(before.printed[lang]) > 300
    assert misprinted(before, lang) == []


def misprinted(told: Told, lang: str) -> list[str]:
    """Return the printed numbers that are not their value, rounded."""
    return [
        f"{id_}: {text} is not {told.values[id_]}"
        for id_, texts in told.printed[lang].items()
        for text in texts
        if not shows(text, told.values[id_])
    ]


def reprinted(before: Told, after: Told, lang: str) -> set[str]:
    """Return the ids of the numbers that both pages print, each in another way."""
    both = before.printed[lang].keys() & after.printed[lang].keys()
    return {id_ for id_ in both if not before.printed[lang][id_] & after.printed[lang][id_]}


def shows(text: str, value: float | None) -> bool:
    """Say whether a text is a value of report.json rounded half up, in its unit, in percent, or in ms instead of s."""
    if value is None:
        return text == "—"
    number, _, unit = text.partition("\u202f")
    digits = number.replace(",", "").replace("−", "-").rstrip("%×")
    half_a_step = 0.5 * 10.0 ** -len(digits.partition(".")[2])
    # In a table the unit stands in the head of the column.
    by_sign = {"%": (100,), "×": (1,)}.get(number[-1], (1, 1000) if unit else (1, 100, 1000))
    return any(math.isclose(float(digits), value * by, abs_tol=half_a_step * 1.000001, rel_tol=0) for by in by_sign)
