"""Files of samples: the names under which they may lie beside the runs, and which reader takes one, by its content."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.store.files import read_head, shown
from generator.telemetry import dmon, own_samples, query_csv, query_text, query_xml
from generator.telemetry.dumps import is_dump
from generator.telemetry.lines import encoding_of
from generator.telemetry.samples import Samples

SAMPLE_FILES: Final = (
    "samples.parquet", "gpu.csv", "nvidia-smi.csv", "dmon.txt", "nvidia-smi-q.xml", "nvidia-smi-q.txt",
)  # fmt: skip
"""Names of files of samples, the most telling first."""

TABLE: Final = "| NVIDIA-SMI "


def lies_beside(name: str) -> bool:
    """Say whether a file of this name is what was sampled or saved beside a run, and not its result."""
    return name in SAMPLE_FILES or is_dump(name)


def read_samples(path: Path) -> Samples:
    """Read a file of samples, whatever its name says.

    Raises:
        InputError: it is of no known kind, holds no sample, or cannot be read.
    """
    head = read_head(path)
    if head.startswith(own_samples.MAGIC):
        return own_samples.read(path)
    text = head.decode(encoding_of(head), "replace")
    if query_xml.is_xml(text):
        return query_xml.read(path)
    if query_text.is_text(text):
        return query_text.read(path)
    if TABLE in text:
        problem = "is the table that nvidia-smi prints for people"
        raise InputError(shown(path), "", problem, "sample with nvidia-smi --query-gpu … --format=csv -l 1 instead")
    first = next((line for line in text.splitlines() if line.strip()), "")
    if dmon.is_dmon(first):
        return dmon.read(path)
    if query_csv.is_query(first) or path.suffix == ".csv":
        return query_csv.read(path)
    problem = "is of no kind of GPU samples that is known"
    raise InputError(shown(path), "", problem, "put the output of nvidia-smi --query-gpu … --format=csv there")
