"""Results of `vllm bench serve` and of benchmark_serving.py before it: JSON in all its vintages, and printed tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.importers.vllm.names import MAPPING
from generator.importers.vllm.objects import ObjectReader
from generator.importers.vllm.refusals import NO_RESULT, REMEDY, SGLANG, no_table
from generator.importers.vllm.runs import TOOL, run_of_object, run_of_table
from generator.importers.vllm.table import read_tables
from generator.kinds import Importer
from generator.runs.imported import Run
from generator.store.files import printable, shown
from generator.store.json_stream import BYTE_ORDER_MARK, read_events
from generator.store.only_run import placed
from generator.store.recognition import BEGINS_JSON
from generator.store.unpacking import Progress, unpacked_head
from generator.text import Text, same
from generator.values import Source

ENTRIES: Final = re.compile(
    rb'"(?:num_prompts|tokenizer_id|burstiness|benchmark_duration_s|request_throughput_rps|median_tpot_ms)"\s*:'
)
"""Entries that results of this tool, or copies of its table, have and others do not."""

PRINTED: Final = re.compile(rb"={4} Serving Benchmark Result ={4}|bench_type='serve'|\bbench serve\b")
FOREIGN: Final = re.compile(rb"^Backend: |" + rb"|".join(rb'"%s"' % name.encode() for name in SGLANG), re.MULTILINE)


CONDUCT: Final = Text(
    zh="开头发一条试探请求，不计入结果；之后不预热，除非给了 --num-warmups。连接复用，数目不限；输出一律按流读取。",
    en="It sends one request ahead, which does not count, and warms up no further unless --num-warmups asks for it. "
    "Connections are reused, as many as it takes; answers are always read as streams.",
)


def _recognises(head: bytes) -> bool:
    text = head.removeprefix(BYTE_ORDER_MARK)
    wanted = ENTRIES if BEGINS_JSON.match(text) else PRINTED
    return wanted.search(text) is not None and FOREIGN.search(text) is None


def _read(path: Path, progress: Progress) -> tuple[Run, ...]:
    head = unpacked_head(path)
    runs = tuple(_from_json(path, progress) if BEGINS_JSON.match(head) else _from_tables(path, progress, head))
    return placed(runs)


def _from_json(path: Path, progress: Progress) -> Iterator[Run]:
    file, found = shown(path), False
    reader = ObjectReader(file, read_events(path, progress))
    for result in reader.objects():
        run = run_of_object(result, file, Source(printable(path.name), reader.place))
        if run is not None:
            found = True
            yield run
    if not found:
        raise InputError(file, "", f"{NO_RESULT}: no run in it came to an end", REMEDY)


def _from_tables(path: Path, progress: Progress, head: bytes) -> Iterator[Run]:
    tables = read_tables(path, progress)
    if not tables:
        raise no_table(shown(path), head)
    for number, table in enumerate(tables, start=1):
        yield run_of_table(table, shown(path), f"table {number}")


vllm = Importer("vllm", same(TOOL), _recognises, _read, MAPPING, conduct=CONDUCT)
