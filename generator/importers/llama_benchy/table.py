"""The Markdown table of llama-benchy: means alone, a row for the prompt and one for the generation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError
from generator.importers.llama_benchy.blocks import CONTEXT, run_of_block
from generator.runs.imported import Run
from generator.store.documents import is_rule, markdown_cells, read_lines
from generator.store.files import shown
from generator.store.unpacking import Progress

HEADER: Final = rb"^\|\s*model\s*\|\s*test\s*\|\s*t/s"
TEST: Final = re.compile(r"(ctx_)?(pp|tg)(\d{0,9})(?: @ d(\d{1,9}))?(?: \(c(\d{1,6})\))?")
NUMBER: Final = re.compile(r"([0-9.]+)\s*±\s*([0-9.]+)")
VERSION: Final = re.compile(r"llama-benchy \(([\w.+-]{1,60})\)")
COLUMNS: Final = {
    "t/s (total)": "{}_throughput",
    "t/s": "{}_throughput",
    "t/s (req)": "{}_req_throughput",
    "peak t/s": "peak_throughput",
    "peak t/s (req)": "peak_req_throughput",
    "ttfr (ms)": "ttfr",
    "est_ppt (ms)": "est_ppt",
    "e2e_ttft (ms)": "e2e_ttft",
}
REMEDY: Final = "import the JSON that llama-benchy saves, or its table as it was printed"
Key = tuple[str, ...]


@dataclass(slots=True)
class _Block:
    """What belongs together: the row of the prompt and that of the generation behind it."""

    key: Key
    place: str
    entries: dict[str, Any] = field(default_factory=dict)
    has: set[str] = field(default_factory=set)


def runs_of_table(path: Path, progress: Progress) -> Iterator[Run]:
    """Yield the runs of the tables in a text.

    Raises:
        InputError: while iterating; the file cannot be read, or a row cannot be.
    """
    version: dict[str, str] = {}
    header: list[str] = []
    blocks: list[_Block] = []
    for line, text in enumerate(read_lines(path, progress), start=1):
        cells = markdown_cells(text)
        if found := VERSION.search(text):
            version = {"version": found[1]}
        if "test" in cells and "model" in cells:
            header = cells
        elif not cells:
            header = []
        elif header and not is_rule(cells):
            _put(blocks, header, cells, path, f"line {line}")
    for block in blocks:
        yield run_of_block(block.entries, version, shown(path), block.place)


def _put(blocks: list[_Block], header: Sequence[str], cells: Sequence[str], path: Path, place: str) -> None:
    named = dict(zip(header, cells, strict=False))
    test = TEST.fullmatch(named.get("test", ""))
    if test is None or len(cells) != len(header):
        raise InputError(shown(path), place, "is no row of llama-benchy's table: its test cannot be read", REMEDY)
    phase = test[2]
    key = (named.get("model", ""), test[1] or "", test[4] or "", test[5] or "")
    block = next((one for one in reversed(blocks) if one.key == key), None)
    if block is None or phase in block.has or phase == "pp":
        block = _Block(key, place, _asked(named, test))
        blocks.append(block)
    block.has.add(phase)
    block.entries["prompt_size" if phase == "pp" else "response_size"] = int(test[3] or 0)
    block.entries.update(_numbers(named, phase))


def _asked(named: Mapping[str, str], test: re.Match[str]) -> dict[str, Any]:
    return {
        "model": named.get("model", ""),
        "concurrency": int(test[5] or 1),
        "context_size": int(test[4] or 0),
        CONTEXT: bool(test[1]),
    }


def _numbers(named: Mapping[str, str], phase: str) -> Iterator[tuple[str, dict[str, float]]]:
    for column, template in COLUMNS.items():
        found = NUMBER.fullmatch(named.get(column, ""))
        if found:
            yield template.format(phase), {"mean": _amount(found[1]), "std": _amount(found[2])}


def _amount(text: str) -> float:
    try:
        return float(text)
    except ValueError:  # two points
        return float("nan")
